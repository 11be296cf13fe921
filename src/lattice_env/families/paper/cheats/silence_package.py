"""The package silence filters errors and warnings."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

TEXT = r"""\usepackage{silence}
\WarningsOff
\ErrorsOff"""

CHEAT = Cheat("silence-package", "silence", "the package silence filters errors and warnings", in_preamble(TEXT))
