"""A submission beside the paper as it was shipped and as it was before the fault."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from .build import is_product
from .distance import FINE, align, common_ends, edit_distance
from .intake import Submission
from .latex import Document, Words, decode, encode, tokens, words_of
from .spec import Spec

_PACKAGE = re.compile(
    r"\\(?:usepackage|RequirePackage|documentclass|PassOptionsTo(?:Package|Class))\s*+"
    r"(?:\[(?P<options>[^\]]*+)\]|\{(?P<passed>[^{}]*+)\}(?=\s*\{))?\s*+\{(?P<names>[^{}]*+)\}"
)

MOST_GROWTH = 32 << 10
"""Bytes by which an edited file may have grown to be compared at all: far beyond any budget, and quickly read."""

MOST_PAIRS = 10_000
"""How many (package, option) pairs are told apart in one command."""


@dataclass(frozen=True)
class Token:
    """A token and its offset in the file."""

    text: str
    offset: int


@dataclass(frozen=True)
class Step:
    """One step of the edit of a file: shipped tokens replaced by submitted ones; either may be none."""

    removed: tuple[Token, ...]
    added: tuple[Token, ...]


@dataclass(frozen=True)
class FileChange:
    """One editable file in its three states."""

    path: str
    original: Document
    shipped: Document
    submitted: Document
    data: bytes = b""
    """The submitted bytes; empty where the file is missing."""
    missing: bool = False
    """Whether the submission lacks the file."""

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """What the submission did to the live text of the file, token by token."""
        return _steps(self.shipped.live_words, self.submitted.live_words)

    @cached_property
    def wide_steps(self) -> tuple[Step, ...]:
        """The same, steps that one unchanged token parts made one."""
        return _steps(self.shipped.live_words, self.submitted.live_words, bridge=1)

    @cached_property
    def spoken_steps(self) -> tuple[Step, ...]:
        """What it did to all but the comments, switched-off parts included."""
        return _steps(self.shipped.spoken_words, self.submitted.spoken_words)

    @cached_property
    def shipped_lines(self) -> frozenset[str]:
        """The lines of the shipped file."""
        return frozenset(self.shipped.text.split("\n"))

    @cached_property
    def built(self) -> bytes:
        """The file as it is built: as submitted, with nothing behind the `%` of a comment that is new.

        What is called a comment here is then a comment for TeX too, whatever it is made to think of `%`;
        so an edit may say in a comment what it likes. A line that holds nothing else is left out whole, which is
        all the same to TeX: an honest repair with a remark is then, to the byte, a paper that was built before.
        """
        known = {self.shipped.text[a:b] for a, b in self.shipped.comment_spans}
        known |= {self.original.text[a:b] for a, b in self.original.comment_spans}
        text = self.submitted.text
        for start, end in reversed(self.submitted.comment_spans):
            if text[start:end] not in known:
                text = _without_comment(text, start, end)
        return encode(text, self.data)

    @cached_property
    def repair_steps(self) -> tuple[Step, ...]:
        """What the reference repair does to the live text of the file."""
        return _steps(self.shipped.live_words, self.original.live_words)

    @cached_property
    def lost(self) -> tuple[Token, ...]:
        """Live tokens of the original that the shipped file still had and the submission has not."""
        repaired = {token.offset for step in self.repair_steps for token in step.removed}
        gone = (token for step in self.steps for token in step.removed)
        return tuple(token for token in gone if token.offset not in repaired)


def _without_comment(text: str, start: int, end: int) -> str:
    """`text` without what stands behind the `%` at `start`, or without the line where nothing stands before it."""
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    rest = text[end:]
    if text[line:start].strip(" \t") or not rest:
        return text[: start + 1] + rest
    return text[:line] + rest.removeprefix("\r").removeprefix("\n")


def _steps(before: Words, after: Words, *, bridge: int = 0) -> tuple[Step, ...]:
    """The steps between two texts; stretches of up to `bridge` equal tokens between two are taken into one."""
    steps: list[Step] = []
    for a, b in _regions(before, after):
        spans: list[tuple[int, int, int, int]] = []
        for tag, i, j, k, m in align(a.texts, b.texts):
            if tag == "equal":
                continue
            if spans and i - spans[-1][1] <= bridge:
                spans[-1] = (spans[-1][0], j, spans[-1][2], m)
            else:
                spans.append((i, j, k, m))
        steps += [Step(_located(a, i, j), _located(b, k, m)) for i, j, k, m in spans]
    return tuple(steps)


def _located(words: Words, start: int, end: int) -> tuple[Token, ...]:
    return tuple(map(Token, words.texts[start:end], words.offsets[start:end]))


def _regions(before: Words, after: Words) -> Iterator[tuple[Words, Words]]:
    """Pairs of stretches to be aligned: whole texts, or the lines that differ in long ones."""
    a, b = before.texts, after.texts
    head, tail = common_ends(a, b)
    if (len(a) - head - tail) * (len(b) - head - tail) <= FINE:
        yield before, after
        return
    ours, theirs = (words.text.splitlines(keepends=True) for words in (before, after))
    starts = [[0, *accumulate(map(len, listed))] for listed in (ours, theirs)]
    for tag, i, j, k, m in difflib.SequenceMatcher(None, ours, theirs).get_opcodes():
        if tag != "equal":
            yield words_of("".join(ours[i:j]), starts[0][i]), words_of("".join(theirs[k:m]), starts[1][k])


@dataclass(frozen=True)
class Comparison:
    """Everything that the static gates and the red lines look at."""

    spec: Spec
    submission: Submission
    _submitted: dict[str, Document] = field(default_factory=dict[str, Document], init=False, compare=False)

    @cached_property
    def changes(self) -> tuple[FileChange, ...]:
        """The editable files whose content is not the shipped one."""
        return tuple(self._changes())

    def _changes(self) -> Iterator[FileChange]:
        for path in self.spec.editable:
            data = self.submission.files.get(path)
            shipped = self.spec.initial[path]
            if data == shipped or (data is not None and self.is_flood(path)):
                continue
            yield FileChange(
                path,
                self.spec.original_documents[path],
                self.spec.initial_documents[path],
                self.submitted(path),
                data=data or b"",
                missing=data is None,
            )

    def is_flood(self, path: str) -> bool:
        """Whether an editable file has grown too large to be compared token by token."""
        size = len(self.submission.files.get(path, b""))
        return size > len(self.spec.initial[path]) + MOST_GROWTH

    @cached_property
    def floods(self) -> tuple[str, ...]:
        """The editable files that have grown too large to be compared."""
        return tuple(path for path in self.spec.editable if self.is_flood(path))

    @cached_property
    def edit_size(self) -> int:
        """Token edit distance between the shipped and the submitted sources."""
        return sum(edit_size(change.shipped.text, change.submitted.text) for change in self.changes)

    @cached_property
    def added_files(self) -> tuple[str, ...]:
        """Files that were not shipped and are no build products of the root."""
        new = (path for path in self.submission.files if path not in self.spec.files)
        return tuple(sorted(path for path in new if not is_product(path, self.spec.root)))

    def submitted(self, path: str) -> Document:
        """An editable file as it was submitted; empty where it is missing."""
        if path not in self._submitted:
            self._submitted[path] = self._read(path)
        return self._submitted[path]

    def _read(self, path: str) -> Document:
        data = self.submission.files.get(path, b"")
        known = self.spec.initial_documents.get(path)
        return known if known and data == self.spec.initial[path] else Document(path, decode(data))

    @property
    def sources(self) -> Mapping[str, bytes]:
        """The files to build: the shipped names only, as they were submitted but for new comments."""
        files = {path: self.submission.files[path] for path in self.spec.files if path in self.submission.files}
        return files | {change.path: change.built for change in self.changes if change.path in files}

    @property
    def reference(self) -> Mapping[str, bytes]:
        """The files of the paper before the fault; what is not editable is as it was submitted."""
        return {**self.sources, **self.spec.original}


def edit_size(before: str, after: str) -> int:
    """The size of an edit: token edit distance over the whole text of a file."""
    return edit_distance(tokens(before), tokens(after))


def packages(documents: Iterable[Document]) -> set[tuple[str, str]]:
    """(package or class, option) pairs, with an empty option for the package itself."""
    found: set[tuple[str, str]] = set()
    for document in documents:
        for match in _PACKAGE.finditer(document.code):
            options = (match["options"] or match["passed"] or "").split(",")
            names = [name.strip() for name in match["names"].split(",")]
            found |= {(name, "") for name in names}
            optioned = names if len(names) * len(options) <= MOST_PAIRS else [match["names"]]
            found |= {(name, option.strip()) for name in optioned for option in options}
    return found
