"""LaTeX OCR over OpenEnv 0.10: server, clients and playground. Importing this folder imports nothing heavy."""
