"""LaTeX OCR as an OpenEnv environment: all of it is in `lattice_env.adapters.latex_ocr`."""
