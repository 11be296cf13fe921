"""The application, for `uvicorn server.app:app`, and its command line."""

import sys

from lattice_env.adapters.latex_ocr import server
from lattice_env.adapters.latex_ocr.app import make_app

app = make_app()


def main() -> int:
    """Serve, as `latex-ocr-server` does."""
    return server.main()


if __name__ == "__main__":
    sys.exit(main())
