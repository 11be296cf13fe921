"""What an edit may not do: each rule answers with the reason for which it refuses, or with nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lattice_env.model import Files
from lattice_env.verifier.latex import Document, decode, tokens
from lattice_env.verifier.structure import items
from lattice_env.verifier.words import CITATIONS, CODES, DEFINERS, REFERENCES

from .edits import Edit, lines_of, replace_lines
from .project import locate, sha256

MOST_LINES, MOST_CHARACTERS = 30, 4000
"""The size of one edit: lines on either side, and characters of the new ones."""

MOST_LOST = 6
"""Words, numbers and commands that an edit may take away beyond those it brings: never a sentence."""

SOURCES = (".tex", ".ltx", ".bib")

_PROTECTED = re.compile(r"\\documentclass(?![A-Za-z@])[^\n]*|\\(?:begin|end)\s*\{document\}")
_LABEL = re.compile(r"\\label\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")
_ENTRY = re.compile(r"@[A-Za-z]+\s*[{(]\s*([^,\s{}]+)\s*,")
_POINTER = re.compile(rf"\\(?:{REFERENCES}|{CITATIONS})(?![A-Za-z@])")
_OPTIONS = re.compile(r"\\(?:usepackage|RequirePackage|PassOptionsTo\w+)\s*(?:\[([^\]]*)\])?\s*\{([^{}]*)\}")
_MAGIC = re.compile(r"\A%&|^[ \t]*%[ \t]*!\s*(?:TEX|BIB)\b", re.IGNORECASE | re.MULTILINE)
_UNPRINTED = re.compile(
    rf"\\(?:begin|end|label|{REFERENCES}|{CITATIONS}|input|include|includegraphics|bibliography\w*|addbibresource"
    r"|usepackage|RequirePackage|documentclass)\*?\s*(?:\[[^\]\n]*\]?\s*)?\{[^{}\n]*\}?"
)
"""What prints no word of its own, with its argument."""

_PACKAGE_LOADERS = {r"\usepackage"}
_REPLACEABLE = {"display", "reference", "citation"} | {
    name + star for name in ("equation", "align", "gather", "multline") for star in ("", "*")
}
"""Kinds of structure that other rules count, and displays: one that stands in another may go, its content may not."""


@dataclass(frozen=True)
class Refusal:
    """Why an edit is not made."""

    code: str
    reason: str


def check_place(folder: Path, files: Files, edit: Edit) -> Refusal | None:
    """Whether the edit is of lines that are there, in a source inside the workspace, as it was read."""
    place = locate(folder, edit.file)
    if place is None or edit.file not in files:
        return Refusal("outside", f"{edit.file} is not a file of the workspace, or is reached by a link")
    if not edit.file.endswith(SOURCES):
        return Refusal("not-a-source", f"{edit.file} is not a LaTeX or bibliography source")
    if place.stat().st_nlink > 1:
        return Refusal("outside", f"{edit.file} is a hard link: the file has another name, maybe outside")
    if edit.read != sha256(files[edit.file]):
        return Refusal("stale", f"{edit.file} is not what it was when it was read")
    if not 1 <= edit.first <= edit.last <= len(lines_of(files[edit.file])):
        return Refusal("no-such-lines", f"{edit.file} has no lines {edit.first} to {edit.last}")
    return None


def check_edit(files: Files, edit: Edit) -> Refusal | None:
    """Whether the edit is small, and leaves alone what a repair must leave alone."""
    old = files[edit.file]
    if max(edit.last - edit.first + 1, edit.text.count("\n") + 1) > MOST_LINES or len(edit.text) > MOST_CHARACTERS:
        return Refusal("too-large", f"more than {MOST_LINES} lines or {MOST_CHARACTERS} characters")
    try:
        new = replace_lines(old, edit)
    except UnicodeEncodeError:
        return Refusal("encoding", f"{edit.file} is Latin-1, which does not hold all of the new text")
    if new == old:
        return Refusal("no-change", "the new lines are the old ones")
    before, after = Document(edit.file, decode(old)), Document(edit.file, decode(new))
    return next((Refusal(code, reason) for code, rule in RULES for reason in rule(before, after, files)), None)


def _protected(before: Document, after: Document, _files: Files) -> Iterator[str]:
    was, now = (Counter(_PROTECTED.findall(state.code)) for state in (before, after))
    for text in sorted(was - now):
        yield f"{text} is protected"
    for text in sorted(now - was):
        if text.startswith("\\documentclass") or now[text] > 1:
            yield f"{text} may not be added"


def _red_words(before: Document, after: Document, _files: Files) -> Iterator[str]:
    gained, lost = after.controls - before.controls, before.controls - after.controls
    for word in sorted(gained):
        if (word == r"\newcommand" and lost[r"\renewcommand"]) or _was_bare(before, after, word):
            continue
        if word in CODES:
            yield f"{word} is a red line ({CODES[word]})"
        elif word in DEFINERS - _PACKAGE_LOADERS:
            yield f"{word} changes meanings"
        elif word.startswith("^^"):
            yield f"{word} hides what it is"


def _was_bare(before: Document, after: Document, word: str) -> bool:
    """Whether a command only got its backslash back: its name stood there as text."""
    bare = re.compile(rf"(?<![\\A-Za-z@]){re.escape(word[1:])}(?![A-Za-z@])")
    gained = after.controls[word] - before.controls[word]
    return gained == len(bare.findall(before.code)) - len(bare.findall(after.code)) == 1


def _configuration(before: Document, after: Document, _files: Files) -> Iterator[str]:
    if len(_MAGIC.findall(after.text)) > len(_MAGIC.findall(before.text)):
        yield "a comment that steers the build"
    was, now = ({match.groups() for match in _OPTIONS.finditer(state.code)} for state in (before, after))
    for options, names in sorted(now - was, key=str):
        if "draft" in (options or "").split(",") or "silence" in names:
            yield f"{names}[{options or ''}] silences the build"


def _loss(before: Document, after: Document, _files: Files) -> Iterator[str]:
    was, now = (Counter(word for word in tokens(state.live) if _speaks(word)) for state in (before, after))
    lost, gained = was - now, now - was
    if lost.total() - gained.total() > MOST_LOST:
        place = "into comments" if len(after.comments.split()) > len(before.comments.split()) else "gone"
        yield f"{lost.total()} tokens of the paper are {place}"
    words, new = _prose(before), _prose(after)
    words -= Counter(word for word in words - new if rf"\{word}" in DEFINERS and _was_bare(before, after, rf"\{word}"))
    if words.total() > new.total() and _words(before.live).total() > _words(after.live).total():
        yield f"words of the paper are gone: {' '.join(sorted(words - new)[:5])}"
    if len(after.dead.split()) > len(before.dead.split()):
        yield "text of the paper is switched off"


def _prose(document: Document) -> Counter[str]:
    """The words of the text itself: no commands, no names of environments, files, keys or options."""
    text = _UNPRINTED.sub(" ", document.live[document.body_start :])
    return _words(text)


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W\d_]{2,}", re.sub(r"\\[A-Za-z@]+\*?", " ", text)))


def _speaks(word: str) -> bool:
    """Whether a token is a word, a number or a command, and no mark."""
    return word[0].isalnum() or word[0] == "\\"


def _structure(before: Document, after: Document, _files: Files) -> Iterator[str]:
    was, now = (
        Counter(item.kind.split()[0] for item in items(state.code, state.path) if item.kind not in _REPLACEABLE)
        for state in (before, after)
    )
    for kind in sorted(was - now):
        if not (kind == "bibliography" and now[kind]):
            yield f"{kind}: the paper has one fewer"
    pointers = [Counter(_POINTER.findall(state.code)).total() for state in (before, after)]
    if pointers[1] < pointers[0]:
        yield "a reference or citation is gone"


def _inventions(before: Document, after: Document, files: Files) -> Iterator[str]:
    pattern = _ENTRY if before.path.endswith(".bib") else _LABEL
    was, now = (Counter(pattern.findall(state.code)) for state in (before, after))
    for key in sorted(set(now) - set(was)):
        used = before.path.endswith(".bib") and _is_cited(files, key)
        if key not in before.text and not used:
            yield f"{key} is an invented label or entry"
    if now.total() > was.total() and before.path.endswith(".bib") and before.text.count("@") < after.text.count("@"):
        yield "an entry was added"


def _is_cited(files: Files, key: str) -> bool:
    pattern = re.compile(rf"\\{CITATIONS}\*?\s*(?:\[[^\]]*\])*\s*\{{[^{{}}]*(?<![\w:-]){re.escape(key)}(?![\w:-])")
    return any(
        pattern.search(Document(path, decode(data)).code) for path, data in files.items() if path.endswith(".tex")
    )


RULES: tuple[tuple[str, Callable[[Document, Document, Files], Iterator[str]]], ...] = (
    ("protected", _protected),
    ("vocabulary", _red_words),
    ("build-config", _configuration),
    ("delete", _loss),
    ("structure", _structure),
    ("invent-label", _inventions),
)
"""What is looked for, in the order in which it is told."""
