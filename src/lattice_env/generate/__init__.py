"""Making many tasks: a plan of units, workers that make and admit, a folder that grows in order."""

from .mine import mine
from .plan import Plan, Unit, make_plan
from .run import Totals, generate

__all__ = ["Plan", "Totals", "Unit", "generate", "make_plan", "mine"]
