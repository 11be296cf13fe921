"""LAT-CIT-HRD: a citation typed as what it prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import Key, citations
from lattice_env.families.paper.works import citations_as_read, surnames, works
from lattice_env.verifier.selftests import Replacement

_STYLE = re.compile(r"\\bibliographystyle\s*\{([^{}]+)\}")
_AS_CITED = ("unsrt", "unsrtnat", "ieeetr", "IEEEtran", "elsarticle-num")
_BY_AUTHOR = ("plainnat", "abbrvnat")
_BARE = re.compile(r"\\(cite|citep|citet)\{[^{}]*\}")
_NUMBERS = re.compile(r"\\usepackage\[[^\]]*\b(?:numbers|super)\b[^\]]*\]\{natbib\}")
_TWO = 2


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every citation of one work, without options, whose print can be told from the sources."""
    labels, numbers = _labels(paper), _numbers(paper)
    for document in paper.tex:
        for key in citations(document):
            command = _BARE.fullmatch(document.text, *key.span)
            typed = _typed(command[1], key, labels, numbers) if command and len(key.siblings) == 1 else ""
            if typed:
                yield Mutation((Replacement(document.path, *key.span, typed),))


def _typed(command: str, key: Key, labels: dict[str, tuple[str, str]], numbers: list[str]) -> str:
    """What a citation prints; empty where that is not sure."""
    if key.text in numbers and command != "citet":
        return f"[{numbers.index(key.text) + 1}]"
    if key.text in labels and command != "cite":
        name, year = labels[key.text]
        return f"({name}, {year})" if command == "citep" else f"{name} ({year})"
    return ""


def _labels(paper: Paper) -> dict[str, tuple[str, str]]:
    """Author and year of each work, in a paper that cites by them."""
    code = "\n".join(document.code for document in paper.tex)
    style = _STYLE.search(code)
    if not style or style[1] not in _BY_AUTHOR or _NUMBERS.search(code):
        return {}
    texts = {document.path: document.text for document in paper.bib}
    found: dict[str, tuple[str, str]] = {}
    for entry in works(paper):
        author, year = entry.part("author"), entry.part("year")
        if author and year:
            names = surnames(texts[entry.path][author.value_start : author.value_end])
            short = " and ".join(names) if len(names) <= _TWO else f"{names[0]} et~al."
            found[entry.key] = short, texts[entry.path][year.value_start : year.value_end]
    return found


def _numbers(paper: Paper) -> list[str]:
    """The keys in the order of their numbers, in a paper that numbers them as they are cited or listed."""
    code = "\n".join(document.code for document in paper.tex)
    style = _STYLE.search(code)
    if style or paper.bib:
        known = style and style[1] in _AS_CITED
        return list(dict.fromkeys(key.text for key in citations_as_read(paper))) if known else []
    return [item.key for item in works(paper)] if r"\bibitem[" not in code else []


OPERATOR = Operator(
    code="LAT-CIT-HRD",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="A citation is typed as what it prints.",
    sites=sites,
    example=Example(
        "as in~\\cite{b}\n\\begin{thebibliography}{9}\n\\bibitem{a} A.\n\\bibitem{b} B.\n\\end{thebibliography}\n",
        "as in~[2]\n\\begin{thebibliography}{9}\n\\bibitem{a} A.\n\\bibitem{b} B.\n\\end{thebibliography}\n",
        "as in~\\cite[p.~2]{b}, \\cite{a,b} \\verb|\\cite{b}| % \\cite{b}\n"
        "\\begin{thebibliography}{9}\\bibitem{a} A.\\bibitem{b} B.\\end{thebibliography}\n",
    ),
    changes=("links", "citations", "text"),
)
