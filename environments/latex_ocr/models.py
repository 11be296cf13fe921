"""What goes over the wire."""

from lattice_env.adapters.latex_ocr.models import LatexOCRAction, LatexOCRObservation, LatexOCRState

__all__ = ["LatexOCRAction", "LatexOCRObservation", "LatexOCRState"]
