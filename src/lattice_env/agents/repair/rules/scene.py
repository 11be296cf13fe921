"""What the rules look at: the project's sources as documents, and the failure in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from lattice_env.agents.repair.failures import Failure
from lattice_env.agents.repair.policy import Situation
from lattice_env.model import Files
from lattice_env.verifier.latex import Document, decode

from . import known

type Splice = tuple[int, int, str]
"""From, to, and what stands there instead."""

CONTROL_WORD = re.compile(r"\\([A-Za-z@]+)")


@dataclass(frozen=True)
class Change:
    """A repair that a rule has found: splices in one file, and why."""

    file: str
    splices: tuple[Splice, ...]
    why: str


@dataclass(frozen=True)
class Scene:
    """The project's sources and the failure, as the rules see them."""

    situation: Situation

    @property
    def failure(self) -> Failure:
        """The failure to be mended."""
        return self.situation.failure

    @property
    def files(self) -> Files:
        """All files of the project."""
        return self.situation.files

    @cached_property
    def documents(self) -> dict[str, Document]:
        """The LaTeX sources of the project by path, the failing one first, then the root."""
        first = [self.failure.file, self.situation.root]
        paths = [*first, *sorted(self.files)]
        wanted = [path for path in dict.fromkeys(paths) if path in self.files and path.endswith((".tex", ".ltx"))]
        return {path: Document(path, decode(self.files[path])) for path in wanted}

    @cached_property
    def bibliographies(self) -> dict[str, Document]:
        """The bibliography files."""
        return {path: Document(path, decode(data)) for path, data in self.files.items() if path.endswith(".bib")}

    @property
    def root(self) -> Document:
        """The root document."""
        return self.documents[self.situation.root]

    @property
    def here(self) -> Document | None:
        """The failing source, or None where TeX was in no source of the project."""
        return self.documents.get(self.failure.file)

    @cached_property
    def code(self) -> str:
        """All live code of the project."""
        return "\n".join(document.code for document in self.documents.values())

    @cached_property
    def used(self) -> Counter[str]:
        """How often each control word stands in the project's live code, without its backslash."""
        return Counter(CONTROL_WORD.findall(self.code))

    @cached_property
    def commands(self) -> frozenset[str]:
        """The control words that mean something in this paper, as far as its sources and packages tell."""
        return known.commands(self.situation.compiled.inputs) | self.own_commands

    @cached_property
    def own_commands(self) -> frozenset[str]:
        """The control words that the paper itself defines."""
        return frozenset(known.defined(self.code))

    @cached_property
    def environments(self) -> frozenset[str]:
        """The environments that there are, as far as sources and packages tell."""
        own = known.defined_environments(self.code)
        return known.environments(self.situation.compiled.inputs) | frozenset(own)

    def line_start(self, document: Document, line: int) -> int:
        """The offset at which a line, from 1, begins."""
        return sum(len(text) + 1 for text in document.text.split("\n")[: line - 1])

    def stopped(self) -> int | None:
        """The offset in the failing source at which TeX stopped; None where the log does not tell exactly."""
        if self.here is None or not self.failure.line:
            return None
        start, before = self.line_start(self.here, self.failure.line), self.failure.stop.before
        return start + len(before) if before and self.here.text.startswith(before, start) else None

    def culprit(self) -> str:
        """The control word at which TeX stopped, without its backslash; empty where there is none."""
        stop = self.failure.stop
        for shown in (stop.frame, stop.before):
            found = re.search(r"\\([A-Za-z@]+)\s*$", shown)
            if found:
                return found[1]
        return ""


type Rule = Callable[[Scene], Iterator[Change]]


def spliced(text: str, splices: tuple[Splice, ...]) -> str:
    """`text` with all splices made."""
    for start, end, new in sorted(splices, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def indentation(text: str) -> int:
    """How far a line is indented; a large number for a blank one."""
    return len(text) - len(text.lstrip()) if text.strip() else 1 << 20
