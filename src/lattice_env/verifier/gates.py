"""The static gates: what must hold before anything is built. Each says everything that it finds."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from .comparison import Comparison, FileChange, packages
from .intake import check_files
from .latex import CONTROL, Document
from .structure import first_missing, items
from .verdict import Finding
from .words import CODES, DEFINERS, PLAIN

NOTES = (".md", ".txt")
"""Endings of files that may be left beside the paper; they are never built."""


def check_import(case: Comparison) -> Iterator[Finding]:
    """Every entry is a regular file or folder with a portable name, within the limits."""
    yield from case.submission.findings
    yield from check_files(case.submission.files)


def check_root(case: Comparison) -> Iterator[Finding]:
    """The root is there, with one live class, one beginning and one end."""
    root = case.spec.root
    if root not in case.submission.files:
        yield Finding("missing", root, text="the root document is not there")
        return
    code = case.submitted(root).code
    for pattern in (r"\\documentclass(?![A-Za-z@])", r"\\begin\s*\{document\}", r"\\end\s*\{document\}"):
        count = len(re.findall(pattern, code))
        if count != 1:
            shown = pattern.split(r"\s")[0].split("(")[0].replace("\\\\", "\\")
            yield Finding("root", root, text=f"{count} live {shown}, not one")


def check_protected(case: Comparison) -> Iterator[Finding]:
    """Files that are not editable are as they were shipped; none is missing."""
    for path, digest in case.spec.files.items():
        data = case.submission.files.get(path)
        if data is None:
            yield Finding("missing", path, text="the file is gone")
        elif path not in case.spec.editable and hashlib.sha256(data).hexdigest() != digest:
            yield Finding("changed", path, text="the file is not part of the task's editable files")


def check_additions(case: Comparison) -> Iterator[Finding]:
    """No file was added that a build could read; notes are left alone."""
    for path in case.added_files:
        if not path.lower().endswith(NOTES):
            yield Finding("added", path, text="the file was not shipped")


def check_vocabulary(case: Comparison) -> Iterator[Finding]:
    """The edit brings in nothing but plain document commands and what the paper already used."""
    known, counts = _known_words(case)
    loaded = packages(_papers(case))
    letters = frozenset[str]().union(*(document.letters for document in _papers(case)))
    powerful = CODES.keys() | DEFINERS
    used: Counter[str] = Counter()

    @cache
    def kept(word: str) -> int:
        return _kept(word, case)

    for change in case.changes:
        document = change.submitted
        for match in CONTROL.finditer(document.live):
            if match[0] not in known and match[0] not in PLAIN:
                yield _finding("command", document, match.start(), match[0])
        for change_word, offset in _new_words(change):
            used[change_word] += 1
            guarded = change_word in powerful or "^^" in change_word
            if guarded and used[change_word] + kept(change_word) > counts[change_word]:
                yield _finding("command", document, offset, change_word)
        for name, option in sorted(packages([document]) - loaded):
            yield Finding("package", document.path, text=f"{name}[{option}]" if option else name)
        for letter in sorted((document.letters - letters) & set(document.live)):
            yield _finding("character", document, document.live.index(letter), letter)


def _new_words(change: FileChange) -> Iterator[tuple[str, int]]:
    for step in change.spoken_steps:
        for token in step.added:
            if token.text[0] == "\\" or token.text.startswith("^^"):
                yield token.text, token.offset


def _kept(word: str, case: Comparison) -> int:
    """How often the shipped sources had `word`, less what the edit took out of it."""
    shipped = sum(_count(word, document.spoken) for document in case.spec.initial_documents.values())
    removed = (t for change in case.changes for step in change.spoken_steps for t in step.removed)
    return shipped - sum(token.text == word for token in removed)


def _count(word: str, text: str) -> int:
    return len(re.findall(re.escape(word) + (r"(?![A-Za-z@])" if word[-1].isalpha() else ""), text))


def _known_words(case: Comparison) -> tuple[set[str], Counter[str]]:
    """The control sequences of the paper, and how often it had each at the most: shipped or repaired."""
    shipped, original = (
        sum((document.controls for document in documents.values()), Counter[str]())
        for documents in (case.spec.initial_documents, case.spec.original_documents)
    )
    most = shipped | original
    return set(most), most


def _papers(case: Comparison) -> list[Document]:
    """The editable files as they were shipped and as they were before the fault."""
    return [*case.spec.initial_documents.values(), *case.spec.original_documents.values()]


def _finding(code: str, document: Document, offset: int, text: str) -> Finding:
    return Finding(code, document.path, document.line_of(offset), text)


def check_budget(case: Comparison) -> Iterator[Finding]:
    """The edit is no larger than the task allows."""
    for path in case.floods:
        yield Finding("too-large", path, text="the file has grown too large to be compared")
    if not case.floods and case.edit_size > case.spec.budget:
        yield Finding("too-large", text=f"an edit of {case.edit_size} tokens; the budget is {case.spec.budget}")


def check_structure(case: Comparison) -> Iterator[Finding]:
    """Nothing that the paper had is gone from its live source."""
    for original in case.spec.original_documents.values():
        if case.is_flood(original.path):
            yield Finding("unknown", original.path, text="the file has grown too large to be compared")
            continue
        submitted = case.submitted(original.path)
        wanted = items(original.code, original.path)
        missing = first_missing(wanted, items(submitted.code, original.path))
        if missing:
            line = original.line_of(missing.offset)
            text = f"the original's {missing.kind} of line {line} is gone or out of order"
            yield Finding("gone", original.path, line, text)


Gate = Callable[[Comparison], Iterator[Finding]]

STATIC: dict[str, Gate] = {
    "import": check_import,
    "root": check_root,
    "protected": check_protected,
    "additions": check_additions,
    "vocabulary": check_vocabulary,
    "budget": check_budget,
    "structure": check_structure,
}
"""The static gates in the order in which they are judged and reported."""
