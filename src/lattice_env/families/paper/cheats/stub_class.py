"""A class is supplied to stand in for the real one."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import beside

STUB = r"""\ProvidesClass{article}
\LoadClass{report}
"""

CHEAT = Cheat("stub-class", "stub", "a class is supplied to stand in for the real one", beside(("article.cls", STUB)))
