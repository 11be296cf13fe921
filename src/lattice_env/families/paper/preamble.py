"""What stands in front of a body: the class, packages with their options, macros, theorems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lattice_env.verifier.latex import Document, commands, group_end
from lattice_env.verifier.selftests import Replacement

from .operator import Paper

CLASS = re.compile(r"\\documentclass\s*(?:\[([^\]]*)\])?\s*\{\s*([^{}]*[^{}\s])\s*\}")
_LOAD = re.compile(r"\\usepackage\s*(?:\[([^\]]*)\]\s*)?\{([^{}]*)\}")
_NAME = re.compile(r"[^\s,]+")
_OPTION = re.compile(r"(?:\A|,)\s*([^\s,={}]+)(?=\s*(?:=|,|\Z))")
_MACRO = re.compile(
    r"\\(newcommand|renewcommand|providecommand|DeclareMathOperator|DeclareRobustCommand)(?![A-Za-z@])\*?\s*"
    r"(?:\{\s*(\\[A-Za-z@]+)\s*\}|(\\[A-Za-z@]+))\s*(\[\s*(\d)\s*\])?\s*(?:\[[^\]]*\]\s*)?(?=\{)"
)
_THEOREM = re.compile(
    r"\\newtheorem(?![A-Za-z@])\*?\s*\{([A-Za-z]+\*?)\}\s*(?:\[([^\]]*)\])?\s*\{([^{}]*)\}(?:\s*\[[^\]]*\])?"
)


def preamble(document: Document) -> str:
    """The live code in front of the body; offsets are those of the file.

    A file without `\\begin{document}` is all preamble if it loads packages, and else has none.
    """
    found = re.search(r"\\begin\s*\{document\}", document.code)
    if found is None:
        return document.code if re.search(r"\\(?:usepackage|documentclass)\b", document.code) else ""
    return document.code[: found.start()]


@dataclass(frozen=True)
class Load:
    """One `\\usepackage`, with the places of its options and of its names."""

    path: str
    start: int
    end: int
    options: str
    """Empty where it has none."""
    options_start: int
    """-1 where there are no brackets."""
    names: tuple[str, ...]
    names_start: int
    names_end: int

    @property
    def name(self) -> str:
        """The package, or the first of several."""
        return self.names[0]

    def joined(self, name: str) -> Replacement:
        """The edit that loads one more package in the same command."""
        return Replacement(self.path, self.names_end, self.names_end, f",{name}")

    def with_option(self, option: str) -> Replacement:
        """The edit that puts one more option in front of the others."""
        if self.options_start < 0:
            return Replacement(self.path, self.names_start - 1, self.names_start - 1, f"[{option}]")
        comma = "," if self.options.strip() else ""
        return Replacement(self.path, self.options_start, self.options_start, option + comma)

    def option_keys(self) -> Iterator[tuple[str, int, int]]:
        """Each option, of `key=value` the key, with its from and to."""
        return keys_of(self.options, self.options_start)


def keys_of(text: str, offset: int) -> Iterator[tuple[str, int, int]]:
    """Each key of a list `key=value,key`, with its from and to; what stands in braces is passed over."""
    while inner := re.search(r"\{[^{}]*\}", text):
        text = text[: inner.start()] + "_" * len(inner[0]) + text[inner.end() :]
    for match in _OPTION.finditer(text):
        yield match[1], offset + match.start(1), offset + match.end(1)


def package_loads(document: Document) -> Iterator[Load]:
    """Every `\\usepackage` of a preamble that names a package, in order."""
    for match in _LOAD.finditer(preamble(document)):
        names = tuple(_NAME.findall(match[2]))
        if names:
            span, place = match.span(), match.span(2)
            yield Load(document.path, *span, match[1] or "", match.start(1), names, *place)


def loaded(paper: Paper) -> list[str]:
    """The names of the class and of all packages that the paper asks for."""
    names = [match[2] for document in paper.tex for match in CLASS.finditer(document.code)]
    return names + [name for document in paper.tex for load in package_loads(document) for name in load.names]


def hosts(paper: Paper) -> Iterator[Load]:
    """The commands without options that load one package: where another could be named beside it."""
    for document in paper.tex:
        yield from (load for load in package_loads(document) if load.options_start < 0 and len(load.names) == 1)


@dataclass(frozen=True)
class Macro:
    """One definition of a command in a preamble, with its places."""

    path: str
    command: str
    """What defines it: `newcommand` or such."""
    name: str
    """With its backslash."""
    start: int
    end: int
    name_start: int
    count: int
    """How many arguments it takes."""
    count_span: tuple[int, int]
    """The brackets with the number of arguments; (-1, -1) where there are none."""
    body_start: int
    """Behind the opening brace; the closing one ends the definition."""


def macros(document: Document) -> Iterator[Macro]:
    """Every definition of a command in a preamble, in order."""
    code = preamble(document)
    for match in _MACRO.finditer(code):
        end = group_end(code, match.end())
        if end is not None:
            named, count = 2 if match[2] else 3, int(match[5] or 0)
            places = (match.start(named), count, match.span(4), match.end() + 1)
            yield Macro(document.path, match[1], match[named], match.start(), end, *places)


def is_used(paper: Paper, macro: Macro) -> bool:
    """Whether a command stands anywhere but in its own definition."""
    own = (macro.path, macro.name_start)
    for document in paper.tex:
        found = commands(document.code, re.escape(macro.name[1:]))
        if any((document.path, match.start()) != own for match in found):
            return True
    return False


@dataclass(frozen=True)
class Theorem:
    """One `\\newtheorem`: its environment, the counter that it shares (or none), the word that it prints."""

    path: str
    name: str
    shared: str
    word: str
    start: int
    end: int
    name_start: int


def theorems(document: Document) -> Iterator[Theorem]:
    """Every `\\newtheorem` of a preamble, in order."""
    for match in _THEOREM.finditer(preamble(document)):
        yield Theorem(document.path, match[1], match[2] or "", match[3], *match.span(), match.start(1))


def cut(document: Document, start: int, end: int) -> Replacement:
    """The edit that takes a command out, with its line where that holds nothing else."""
    first, last = document.line_span(start)[0], document.line_span(end - 1)[1]
    alone = not (document.text[first:start] + document.text[end:last]).strip()
    return Replacement(document.path, first, last, "") if alone else Replacement(document.path, start, end, "")


SETUP = {
    "amsmath": "DeclareMathOperator numberwithin allowdisplaybreaks",
    "amsthm": "theoremstyle newtheoremstyle",
    "biblatex": "addbibresource DeclareFieldFormat ExecuteBibliographyOptions",
    "caption": "captionsetup DeclareCaptionFont",
    "geometry": "geometry",
    "graphicx": "graphicspath DeclareGraphicsExtensions",
    "hyperref": "hypersetup texorpdfstring",
    "listings": "lstset lstdefinestyle lstdefinelanguage",
    "natbib": "setcitestyle bibpunct",
    "siunitx": "sisetup DeclareSIUnit",
    "tikz": "usetikzlibrary tikzset",
    "xcolor": "definecolor colorlet",
}
"""Commands by which a preamble sets a package up, and which nothing else defines."""


def setup(document: Document, name: str) -> re.Match[str] | None:
    """The first command of a preamble that sets the package up; None where there is none."""
    names = "|".join(SETUP[name].split()) if name in SETUP else ""
    return next(commands(preamble(document), names), None) if names else None


def misspell(word: str, typos: Mapping[str, str]) -> str:
    """The word with a slip: from the table, or with two letters of its middle exchanged."""
    if word in typos:
        return typos[word]
    places = [i for i in range(1, len(word) - 1) if word[i] != word[i + 1] and word[i : i + 2].isalpha()]
    i = places[len(places) // 2] if places else len(word)
    return word[:i] + word[i + 1 : i + 2] + word[i : i + 1] + word[i + 2 :]
