"""Commands as they stand in a body, and names near theirs that TeX does not know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lattice_env.verifier.latex import Document
from lattice_env.verifier.selftests import Replacement

from .operator import Mutation, Paper
from .places import body

EXISTING = frozenset(
    "A AA AE And Autocite Bar Biggl Biggr Bigl Bigr Cap Cite Citeauthor Citep Citet Cref Crefrange Cup Delta Dot"
    " Footcite For Gamma Hat If Im K L LaTeXe Lambda Large Leftarrow Leftrightarrow Longrightarrow O OE Omega P"
    " Parencite Phi Pi Pr Psi Re Ref Rightarrow S Sigma Smartcite Statex Subset Supset TeX Textcite Theta Tilde"
    " Upsilon Url Vec Vert Xi aa ae and as bar barn beginL beginR bf biggl biggr bigl bigr box cap cdotp cite"
    " citep citet cosh count cref crefrange cup day delta dotsb dotsc dotsi dotsm dotso end endL endR eta fi"
    " figure fill gamma ge geqq gg ggg hat if in inf input int item kern kg km label lambda le left leftarrow"
    " leftrightarrow leftrightarrows leqq let line ll lll ln log lvert method mid min mod month mp nu number omega"
    " or output par part phi pi pm pmb prec psi read rho right rightarrow rule rvert show sigma sin sinh skip"
    " subset subseteqq sup supset table tan tanh tau textsca textscb textscd textsce textscg textsch textsci"
    " textscj textscl textscn textscr textscu textscy th theta thetag time tt upsilon url vec vert write xi year"
    " zetta".split()
)
"""Names near those of other commands that LaTeX or a common package defines; measured on TeX Live 2022."""

_COMMAND = re.compile(r"\\(?!(?:begin|end)(?![A-Za-z]))([A-Za-z]+)(?![A-Za-z@])")


def is_free(name: str, paper: Paper) -> bool:
    """Whether nothing that we know of defines `name`, and the paper does not use it."""
    used = re.compile(rf"\\{name}(?![A-Za-z@])")
    return name not in EXISTING and not any(used.search(document.code) for document in paper.tex)


def body_commands(document: Document) -> Iterator[re.Match[str]]:
    """Every command of letters in the body but `begin` and `end`, in order; group 1 is the name."""
    return _COMMAND.finditer(body(document))


def misspelt(paper: Paper, slip: Callable[[str], str]) -> Iterator[Mutation]:
    """Every command of a body under the name that `slip` makes of its own, where TeX knows no such name.

    Left out are those that have their line to themselves: to delete a `\\centering` is nearly a repair.
    """
    free: dict[str, bool] = {}
    for document in paper.tex:
        for match in body_commands(document):
            typo, line = slip(match[1]), slice(*document.line_span(match.start()))
            alone = document.text[line].strip() == match[0]
            if not alone and typo != match[1] and free.setdefault(typo, is_free(typo, paper)):
                yield Mutation((Replacement(document.path, *match.span(1), typo),), (f"\\{typo}",))
