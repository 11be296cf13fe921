"""LAT-PKG-BDY: a package is loaded behind the beginning of the document."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import cut, loaded, package_loads, setup
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every package, alone on its line, that the rest of the preamble can do without, moved into the body."""
    root = next((document for document in paper.tex if document.body_start), None)
    if root is None:
        return
    names = loaded(paper)
    early = {"babel"} | ({"hyperref"} if "cleveref" in names else set[str]())
    for document in paper.tex:
        for load in package_loads(document):
            needed = any(name in early or setup(other, name) for name in load.names for other in paper.tex)
            removed = cut(document, load.start, load.end)
            if not needed and removed.end > load.end:
                text = document.text[load.start : load.end]
                added = Replacement(root.path, root.body_start, root.body_start, f"\n{text}")
                yield Mutation((removed, added))


OPERATOR = Operator(
    code="LAT-PKG-BDY",
    family=BUILD_REPAIR,
    tier=1,
    category="C5 package missing / conflict / order",
    summary="A package is loaded behind the beginning of the document.",
    sites=sites,
    example=Example(
        "\\usepackage{booktabs}\n\\begin{document}\nText\n",
        "\\begin{document}\n\\usepackage{booktabs}\nText\n",
        (
            "\\usepackage{amsmath}\n% \\usepackage{booktabs}\n\\DeclareMathOperator{\\tr}{tr}\n"
            "\\begin{document}\n\\verb|\\usepackage{array}|\n"
        ),
    ),
    diagnostic=r"^LaTeX Error: Can be used only in preamble",
)
