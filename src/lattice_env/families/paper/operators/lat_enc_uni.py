"""LAT-ENC-UNI: a symbol of mathematics has been pasted as a character of Unicode."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body, formulas
from lattice_env.verifier.selftests import Replacement

SYMBOLS = {
    "le": "\u2264",
    "leq": "\u2264",
    "ge": "\u2265",
    "geq": "\u2265",
    "ne": "\u2260",
    "neq": "\u2260",
    "approx": "\u2248",
    "sim": "\u223c",
    "equiv": "\u2261",
    "in": "\u2208",
    "subseteq": "\u2286",
    "subset": "\u2282",
    "to": "\u2192",
    "rightarrow": "\u2192",
    "Rightarrow": "\u21d2",
    "infty": "\u221e",
    "partial": "\u2202",
    "cup": "\u222a",
    "cap": "\u2229",
    "land": "\u2227",
    "lor": "\u2228",
    "forall": "\u2200",
    "exists": "\u2203",
    "sum": "\u2211",
    "prod": "\u220f",
    "nabla": "\u2207",
    "alpha": "\u03b1",
    "beta": "\u03b2",
    "gamma": "\u03b3",
    "delta": "\u03b4",
    "lambda": "\u03bb",
    "theta": "\u03b8",
    "tau": "\u03c4",
    "rho": "\u03c1",
    "sigma": "\u03c3",
    "Delta": "\u0394",
    "Sigma": "\u03a3",
    "Omega": "\u03a9",
    "omega": "\u03c9",
    "pi": "\u03c0",
}
"""Commands and the characters that word processors and web pages have for them; pdfLaTeX sets up none of these."""
_SYMBOL = re.compile(rf"\\({'|'.join(SYMBOLS)})(?![A-Za-z@])")
_MINUS = re.compile(r"(?<=[\s{($])-(?=\s?[0-9A-Za-z])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every such command of a body, and every minus sign of an inline formula."""
    for document in paper.tex:
        code = body(document)
        found = {match.span(): SYMBOLS[match[1]] for match in _SYMBOL.finditer(code)}
        for start, end in formulas(code):
            found |= {match.span(): "\N{MINUS SIGN}" for match in _MINUS.finditer(code, start, end)}
        for span, character in sorted(found.items()):
            yield Mutation((Replacement(document.path, *span, character),))


OPERATOR = Operator(
    code="LAT-ENC-UNI",
    family=BUILD_REPAIR,
    tier=2,
    category="C13 special characters / encoding",
    summary="A symbol of mathematics has been pasted as a character of Unicode.",
    sites=sites,
    example=Example(r"$a \leq b$", "$a \u2264 b$", r"% $\leq$ \verb|\leq| $a \times b$ \index a-b"),
    diagnostic=r"^LaTeX Error: Unicode character",
)
