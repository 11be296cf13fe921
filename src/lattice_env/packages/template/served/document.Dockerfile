# The document and the server before it: Python alone.
FROM python:3.12-slim-bookworm
COPY workspace /app
COPY document /document
WORKDIR /document
CMD ["python3", "-I", "-S", "/document/server.py"]
