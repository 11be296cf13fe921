"""Seeds: correct papers with their licences. The bundled ones lie in `papers/`, one folder each."""

from .loader import BUNDLED, load_folder, load_seed, load_seeds

__all__ = ["BUNDLED", "load_folder", "load_seed", "load_seeds"]
