"""The typed client."""

from lattice_env.adapters.latex_ocr.client import LatexOCREnv

__all__ = ["LatexOCREnv"]
