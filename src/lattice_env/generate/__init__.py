"""Making many tasks: a plan of units, workers that make and admit, a folder that grows in order."""

from .documents import make_document_plan
from .formulas import make_formula_plan
from .maker import Unit
from .merge import merge
from .mine import make_mining_plan
from .papers import make_plan
from .plan import Plan
from .run import Totals, generate

__all__ = [
    "Plan",
    "Totals",
    "Unit",
    "generate",
    "make_document_plan",
    "make_formula_plan",
    "make_mining_plan",
    "make_plan",
    "merge",
]
