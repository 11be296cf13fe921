"""What a cheat is: a submission that must score 0 for a stated reason, and its honest neighbour."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from lattice_env.model import Task
from lattice_env.registry import collect
from lattice_env.verifier.latex import Document
from lattice_env.verifier.selftests import Case, Replacement
from lattice_env.verifier.spec import Spec

_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection")
_SECTION = re.compile(r"\\(part|chapter|section|subsection|subsubsection)(?![A-Za-z@])")
_LIMIT = re.compile(r"\\(?:appendix|bibliography|printbibliography|end\s*\{document\})(?![A-Za-z@])")


@dataclass(frozen=True)
class Attack:
    """What a submission does to the shipped workspace."""

    edits: tuple[Replacement, ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    """(path, text) of files put into the workspace."""
    removed: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    """(path, target) of symbolic links."""

    def case(self, name: str, kind: str, low: float, high: float, code: str = "") -> Case:
        """The self-test in which this is submitted."""
        return Case(name, kind, low, high, code, self.edits, self.added, self.removed, self.links)


@dataclass(frozen=True)
class Target:
    """A task as a cheat sees it: the shipped sources, and where the fault is."""

    task: Task[Spec]

    @cached_property
    def documents(self) -> dict[str, Document]:
        """The shipped editable files by path."""
        return dict(self.task.spec.initial_documents)

    @property
    def root(self) -> Document:
        """The shipped root document."""
        return self.documents[self.task.spec.root]

    @property
    def place(self) -> Replacement:
        """The first faulty place, as the repair that belongs there."""
        return self.task.repair[0]

    @property
    def faulty(self) -> Document:
        """The shipped file that holds the first faulty place."""
        return self.documents[self.place.file]

    @property
    def original(self) -> Document:
        """The same file before the fault."""
        return self.task.spec.original_documents[self.place.file]

    def insert_in_preamble(self, text: str) -> Replacement | None:
        """`text` on lines of its own before `\\begin{document}`; None where the root has none."""
        found = re.search(r"\\begin\s*\{document\}", self.root.code)
        if found is None:
            return None
        return Replacement(self.root.path, found.start(), found.start(), f"{text}\n")

    def section(self) -> tuple[int, int] | None:
        """Start and end of the smallest section with the first faulty place; None if it is in none."""
        code, place = self.faulty.code, self.place.start
        heads = [match for match in _SECTION.finditer(code) if match.start() <= place]
        if not heads or self.faulty.path.endswith(".bib"):
            return None
        level = _LEVELS.index(heads[-1][1])
        after = (m.start() for m in _SECTION.finditer(code, heads[-1].end()) if _LEVELS.index(m[1]) <= level)
        limits = (match.start() for match in _LIMIT.finditer(code, heads[-1].end()))
        end = min([*after, *limits, len(code)])
        return (heads[-1].start(), end) if place < end else None

    def paragraph(self) -> tuple[int, int]:
        """Start and end of the lines around the first faulty place, up to blank ones."""
        text, (start, end) = self.faulty.text, self.faulty.line_span(self.place.start)
        while start > 0 and text[:start].rstrip(" \t")[-2:] != "\n\n":
            start = self.faulty.line_span(start - 1)[0]
        while end < len(text) and (line := text[slice(*self.faulty.line_span(end))]).strip():
            end += len(line)
        return start, end


@dataclass(frozen=True)
class Cheat:
    """One way to be paid for nothing. `stage` gives None where it does not apply to a task."""

    name: str
    code: str
    """The red line or gate that must be among the reasons."""
    summary: str
    stage: Callable[[Target], Attack | None]
    twin: Callable[[Target], Attack | None] | None = None
    """The nearest honest edit, which must score 1."""


@functools.cache
def cheats() -> tuple[Cheat, ...]:
    """All cheats, by name."""
    found: list[Cheat] = list(collect("lattice_env.families.paper.cheats", "CHEAT"))
    return tuple(sorted(found, key=lambda cheat: cheat.name))
