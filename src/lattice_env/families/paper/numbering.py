"""The numbers that TeX prints, counted from the sources where that is safe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lattice_env.verifier.latex import Document, environments

from .operator import Paper
from .places import body, definitions
from .references import FLOATS, KINDS, TRANSPARENT, Key, single_references

_EVENT = re.compile(
    r"\\(?:(?P<appendix>appendix(?![A-Za-z@]))"
    r"|(?P<level>chapter|(?:sub){0,2}section)(?![A-Za-z@])(?P<star>\*?)"
    r"|(?P<caption>caption)(?![A-Za-z@])(?P<bare>\*?)"
    r"|(?P<side>begin|end)\s*\{(?P<name>[A-Za-z@]+\*?)\}"
    r"|label\s*\{\s*(?P<key>[^{}]*[^{}\s])\s*\})"
)
_INPUT = re.compile(r"\\(?:input|include)\s*\{\s*([^{}]+?)\s*\}")
_CLASS = re.compile(r"\\documentclass\s*(?:\[[^\]]*\]\s*)?\{([^{}]+)\}")
_UNSURE = re.compile(
    r"\\(?:(?:set|addto|step|refstep)counter\s*\{(?:figure|table|equation|(?:sub)*section|secnumdepth)\}"
    r"|(?:numberwithin|counterwithin|counterwithout|captionof|captionsetup\s*\{[^{}]*type|ContinuedFloat|includeonly"
    r"|swapnumbers|subfile|import)(?![A-Za-z])"
    r"|(?:renewcommand|def)\*?\s*\{?\s*\\the(?:figure|table|equation|(?:sub)*section)(?![A-Za-z]))"
    r"|\\begin\s*\{subequations\}"
)
_COUNTING = re.compile(r"\\(?:caption|label|section|subsection|begin\s*\{(?:figure|table|equation|align|gather))")
_ROW = re.compile(r"\\\\|\\(begin|end)(?![A-Za-z@])|\\.|[{}]", re.DOTALL)
_UNNUMBERED = re.compile(r"\\(?:nonumber|notag|tag)(?![A-Za-z@])")

CLASSES = {
    **dict.fromkeys(("article", "llncs", "elsarticle", "scrartcl"), ("arabic", "arabic")),
    **dict.fromkeys(("IEEEtran", "revtex4-2", "revtex4-1"), ("Roman", "Roman")),
}
"""How a class whose numbering is known prints the numbers of its sections and its tables."""
_ROMANS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


@dataclass(frozen=True)
class Number:
    """What TeX prints for a label, as far as it can be counted: `3.1` is stem `3.`, value 1."""

    kind: str
    stem: str
    value: int
    style: str

    def printed(self, shift: int = 0) -> str:
        """The number, or one that lies `shift` away."""
        value = self.value + shift
        return self.stem + {"arabic": str(value), "Alph": chr(64 + value), "Roman": _roman(value)}[self.style]

    @property
    def stale(self) -> str:
        """The number that the thing had before another was put in front of it."""
        return self.printed(-1 if self.value > 1 else 1)


def _roman(value: int) -> str:
    text = ""
    for weight, letters in _ROMANS:
        times, value = divmod(value, weight)
        text += letters * times
    return text


def numbers(paper: Paper) -> dict[str, Number]:
    """The number behind each label where counting in document order is safe; empty for an unsafe paper."""
    roots = [document for document in paper.tex if _CLASS.search(document.code)]
    sources = {document.path: document for document in paper.tex}
    if len(roots) != 1 or any(_is_unsure(document) for document in paper.tex):
        return {}
    name = _CLASS.search(roots[0].code)
    code = _flat(roots[0], sources, 0)
    if name is None or name[1] not in CLASSES or code is None:
        return {}
    return _Count(code, *CLASSES[name[1]]).run()


def _is_unsure(document: Document) -> bool:
    """Whether a file meddles with counters, or has macros that count."""
    code = document.code
    return bool(_UNSURE.search(code)) or any(_COUNTING.search(code[a:b]) for a, b in definitions(code))


def _flat(document: Document, sources: dict[str, Document], depth: int) -> str | None:
    """The live code of a file with the files that it reads in their places; None where one is not at hand."""
    parts: list[str] = []
    code, done = body(document), 0
    for match in _INPUT.finditer(code):
        inner = sources.get(match[1]) or sources.get(match[1] + ".tex")
        text = _flat(inner, sources, depth + 1) if inner and depth < len(sources) else None
        if text is None:
            return None
        parts += [code[done : match.start()], text]
        done = match.end()
    return "".join(parts) + code[done:]


@dataclass
class _Count:
    """The counters of a paper while its code is read once, from the front."""

    code: str
    section_style: str
    table_style: str
    counts: dict[str, int] = field(default_factory=dict[str, int])
    found: dict[str, Number] = field(default_factory=dict[str, Number])
    open: list[tuple[str, Number | None]] = field(default_factory=list[tuple[str, "Number | None"]])
    """The open environments, each with what a label would name outside of it."""
    current: Number | None = None
    """What a label would name here; None where that is not sure."""

    def run(self) -> dict[str, Number]:
        """The numbers of all labels that are sure."""
        position = 0
        bodies = {e.begin: e for e in environments(self.code)}
        while event := _EVENT.search(self.code, position):
            position = event.end()
            if event["key"]:
                self._label(event["key"])
            elif event["appendix"]:
                self._appendix()
            elif event["level"]:
                self.current = None if event["star"] else self._heading(event["level"])
            elif event["caption"]:
                self.current = None if event["bare"] else self._caption()
            elif event["side"] == "end":
                self._close(event["name"])
            elif KINDS.get(event["name"].rstrip("*")) == "equation":
                whole = bodies.get(event.start())
                if whole is None:
                    return {}
                self._equation(whole.name, self.code[whole.body : whole.body_end])
                position = whole.end
            else:
                self._open(event["name"])
        return self.found

    def _label(self, key: str) -> None:
        if self.current:
            self.found[key] = self.current

    def _next(self, kind: str, stem: str, style: str, counter: str) -> Number:
        self.counts[counter] = self.counts.get(counter, 0) + 1
        return Number(kind, stem, self.counts[counter], style)

    def _appendix(self) -> None:
        self.section_style = "Alph" if self.section_style == "arabic" else ""
        self.counts |= {"section": 0, "subsection": 0}
        self.current = None

    def _heading(self, level: str) -> Number | None:
        if level == "section":
            self.counts["subsection"] = 0
            found = self._next("section", "", self.section_style or "arabic", "section")
        elif level == "subsection" and self.section_style in ("arabic", "Alph"):
            above = Number("section", "", self.counts.get("section", 0), self.section_style).printed()
            found = self._next("section", f"{above}.", "arabic", "subsection")
        else:
            return None
        return found if self.section_style else None

    def _caption(self) -> Number | None:
        names = [name.rstrip("*") for name, _ in self.open if name.rstrip("*") not in TRANSPARENT]
        kind = KINDS.get(names[-1]) if names else None
        if kind not in FLOATS or names[-1] == "longtable":
            return self.current if kind in FLOATS else None
        return self._next(kind, "", self.table_style if kind == "table" else "arabic", kind)

    def _open(self, name: str) -> None:
        self.open.append((name, self.current))
        if name == "longtable":
            self.current = self._next("table", "", self.table_style, "table")
        elif name.rstrip("*") not in TRANSPARENT:
            self.current = None

    def _close(self, name: str) -> None:
        if self.open and self.open[-1][0] == name:
            self.current = self.open.pop()[1]

    def _equation(self, name: str, inner: str) -> None:
        if name.endswith("*"):
            return
        for row in [inner] if name in ("equation", "multline") else _rows(inner):
            if not _UNNUMBERED.search(row):
                number = self._next("equation", "", "arabic", "equation")
                keys = re.findall(r"\\label\s*\{\s*([^{}]*[^{}\s])\s*\}", row)
                self.found |= dict.fromkeys(keys, number)


def _rows(inner: str) -> Iterator[str]:
    """The rows of a display, split at the line ends outside of its braces and inner environments."""
    depth = start = 0
    for match in _ROW.finditer(inner):
        if match[0] == "{" or match[1] == "begin":
            depth += 1
        elif match[0] == "}" or match[1] == "end":
            depth -= 1
        elif match[0] == r"\\" and depth == 0:
            yield inner[start : match.start()]
            start = match.end()
    yield inner[start:]


_NAMES = {"figure": ("figure", "fig."), "table": ("table", "table"), "section": ("section", "section")}
_NAMES["equation"] = ("equation", "eq.")


def typed(paper: Paper, use: Key, number: Number, digits: str) -> str | None:
    """How a person would type `digits` where the reference `use` stands; None where that is not sure."""
    if use.command in ("ref", "eqref"):
        return f"({digits})" if use.command == "eqref" else digits
    code = "\n".join(document.code for document in paper.tex)
    options = re.search(r"\\usepackage\s*(?:\[([^\]]*)\])?\s*\{cleveref\}", code)
    if use.command not in ("cref", "Cref") or not options or re.search(r"\\[cC]ref(?:name|format)|labelformat", code):
        return None
    short = use.command == "cref" and "noabbrev" not in (options[1] or "")
    name = "appendix" if number.kind == "section" and digits[0].isalpha() else _NAMES[number.kind][short]
    big = use.command == "Cref" or "capitali" in (options[1] or "")
    return f"{name.capitalize() if big else name}~{f'({digits})' if number.kind == 'equation' else digits}"


def typings(paper: Paper) -> Iterator[tuple[Document, Key, Number]]:
    """Every single reference whose number can be counted, in order."""
    known = numbers(paper)
    for document in paper.tex:
        for use in single_references(document):
            if use.text in known:
                yield document, use, known[use.text]
