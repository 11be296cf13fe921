"""A bounded repair loop for papers that do not build, which leaves evidence of every step."""

from .loop import Limits, Result, Setting, repair
from .policy import GiveUp, Policy, Situation, chain
from .project import read_project
from .roots import choose_root

__all__ = [
    "GiveUp",
    "Limits",
    "Policy",
    "Result",
    "Setting",
    "Situation",
    "chain",
    "choose_root",
    "read_project",
    "repair",
]
