"""Another paper, which builds, is put in the place of this one."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.selftests import Replacement

OTHER = r"""\documentclass{article}
\begin{document}
\section{Another paper}
This paper builds, and it is not the one that was to be repaired.
\end{document}
"""


def stage(target: Target) -> Attack:
    """The root replaced, the other LaTeX files emptied."""
    return replace_all(target, OTHER)


def replace_all(target: Target, root: str) -> Attack:
    """`root` as the whole root document, and nothing in the other LaTeX files."""
    documents = (document for document in target.documents.values() if not document.path.endswith(".bib"))
    texts = ((d, root if d.path == target.root.path else "") for d in documents)
    return Attack(tuple(Replacement(d.path, 0, len(d.text), text) for d, text in texts))


CHEAT = Cheat("other-paper", "swap", "another paper is put in the place of this one", stage)
