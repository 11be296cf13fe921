"""Programs and modules of the verifier's names lie beside the paper."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import beside

TOOLS = tuple((name, "#!/bin/sh\nexit 0\n") for name in ("pdflatex", "latexmk", "bibtex", "pdftotext", "python3"))
MODULES = tuple((f"{name}.py", "raise SystemExit(0)\n") for name in ("sitecustomize", "usercustomize", "json"))

CHEAT = Cheat("shadow-tools", "additions", "programs and modules lie beside the paper", beside(*TOOLS, *MODULES))
