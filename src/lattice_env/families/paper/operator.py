"""What an operator is: every place where a paper can be broken in one way, and the edit that does it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from lattice_env.errors import OperatorError
from lattice_env.model import PaperSeed
from lattice_env.registry import collect
from lattice_env.verifier.latex import Document, decode, encode
from lattice_env.verifier.selftests import Replacement, replace

BUILD_REPAIR, REFERENCE_HYGIENE, SILENT_CHANGE = "build-repair", "reference-hygiene", "silent-change"
MINED = "mined"


@dataclass(frozen=True)
class Paper:
    """The editable sources of a paper, decoded, in the seed's order; operators see nothing else."""

    documents: tuple[Document, ...]

    @property
    def tex(self) -> tuple[Document, ...]:
        """The LaTeX files."""
        return tuple(document for document in self.documents if not document.path.endswith(".bib"))

    @property
    def bib(self) -> tuple[Document, ...]:
        """The bibliography files."""
        return tuple(document for document in self.documents if document.path.endswith(".bib"))


def paper_of(texts: Mapping[str, str]) -> Paper:
    """A paper from texts by path."""
    return Paper(tuple(Document(path, text) for path, text in texts.items()))


def paper_of_seed(seed: PaperSeed) -> Paper:
    """The editable sources of a seed."""
    return paper_of({path: decode(seed.files[path]) for path in seed.editable})


@dataclass(frozen=True)
class Mutation:
    """One place and its edit: all replacements are made together; offsets are those of the good paper."""

    edits: tuple[Replacement, ...]
    names: tuple[str, ...] = ()
    """Names that the edit broke and that nothing defines: the command `citte`, the environment `itemise`."""


@dataclass(frozen=True)
class Example:
    """A source on which the operator fires, what its first place makes of it, and one on which it must not."""

    before: str
    after: str
    silent: str
    path: str = "main.tex"


@dataclass(frozen=True)
class Operator:
    """One way to break a paper. `sites` lists all places, in order; it chooses none."""

    code: str
    family: str
    tier: int
    category: str
    summary: str
    """What it does, in one line."""
    sites: Callable[[Paper], Iterator[Mutation]]
    example: Example
    diagnostic: str = ""
    """Build repair: what the first error of the pinned build must match (a regular expression)."""
    changes: tuple[str, ...] = ()
    """The other families: which of labels, links, citations, entries, text must differ, at least one; `pages` for
    a change of symbols or fonts that the printed text may not tell."""

    @property
    def is_exact(self) -> bool:
        """Whether nothing but the very text of the faulty place tells that it is repaired."""
        return bool(self.changes) and set(self.changes) <= {"text", "pages"}


@functools.cache
def operators() -> dict[str, Operator]:
    """All operators by code, sorted; OperatorError for two with one code."""
    found: dict[str, Operator] = {}
    for operator in collect("lattice_env.families.paper.operators", "OPERATOR"):
        if operator.code in found:
            message = f"two operators are called {operator.code}"
            raise OperatorError(message)
        found[operator.code] = operator
    return dict(sorted(found.items()))


def mutate(files: Mapping[str, bytes], mutation: Mutation, code: str) -> dict[str, bytes]:
    """`files` with a mutation made; OperatorError where it changes nothing or runs out of the text."""
    mutated = dict(files)
    for path in {edit.file for edit in mutation.edits}:
        edits = sorted((e for e in mutation.edits if e.file == path), key=lambda e: (e.start, e.end))
        text = decode(files[path])
        if any(a.end > b.start for a, b in pairwise(edits)) or not 0 <= edits[0].start <= edits[-1].end <= len(text):
            message = f"{code}: edits of {path} overlap or leave the file: {edits}"
            raise OperatorError(message)
        mutated[path] = encode(replace(text, edits), files[path])
    if mutated == dict(files):
        message = f"{code}: an edit that changes nothing: {mutation.edits}"
        raise OperatorError(message)
    return mutated


def undo(mutation: Mutation, texts: Mapping[str, str]) -> tuple[Replacement, ...]:
    """The replacements, in the mutated files, that bring `texts` (the good sources by path) back."""
    undone: list[Replacement] = []
    shift: dict[str, int] = {}
    for edit in sorted(mutation.edits, key=lambda edit: (edit.file, edit.start, edit.end)):
        start = edit.start + shift.get(edit.file, 0)
        old = texts[edit.file][edit.start : edit.end]
        undone.append(Replacement(edit.file, start, start + len(edit.new), old))
        shift[edit.file] = shift.get(edit.file, 0) + len(edit.new) - len(old)
    return tuple(undone)
