"""From a commit's diff to the hunks that matter: the fewest whose repair makes the paper build."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lattice_env.verifier.distance import common_ends
from lattice_env.verifier.selftests import Replacement

MOST_PIECES = 24
"""Pieces of hunks that are tried one by one, a build each; hunks of more pieces are kept whole."""
_FINE = 4_000_000
"""Pairs of lines, behind what two texts have in common at both ends, above which they are not compared line by line."""
_NEAR = 3
"""Characters in common between two pieces that make them one."""
_TOKEN = re.compile(r"\\[A-Za-z@]+\*?|\\.|[A-Za-z]+|[0-9]+|\s+|.", re.DOTALL)

Edits = tuple[Replacement, ...]
"""Replacements in the repaired sources that bring a fault back."""


def hunks(repaired: Mapping[str, str], before: Mapping[str, str]) -> Edits:
    """The reverse diff, line by line: what to replace in `repaired` to have `before`, in the order of the places."""
    return tuple(edit for path, old in sorted(before.items()) for edit in _line_hunks(path, repaired[path], old))


def _line_hunks(path: str, new: str, old: str) -> Iterator[Replacement]:
    lines, others = new.splitlines(keepends=True), old.splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    for a, b, c, d in changed_lines(lines, others):
        yield Replacement(path, offsets[a], offsets[b], "".join(others[c:d]))


def changed_lines(new: Sequence[str], old: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """From and to of each stretch of lines in which two texts differ: in the new one, then in the old one."""
    head, tail = common_ends(new, old)
    ours, theirs = new[head : len(new) - tail], old[head : len(old) - tail]
    if len(ours) * len(theirs) > _FINE:
        yield head, head + len(ours), head, head + len(theirs)
        return
    for kind, a, b, c, d in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            yield head + a, head + b, head + c, head + d


def pieces(edit: Replacement, repaired: str) -> Edits:
    """One hunk as edits of single tokens, those that nearly touch made one."""
    words, others = (_TOKEN.findall(text) for text in (repaired[edit.start : edit.end], edit.new))
    offsets = [edit.start]
    for word in words:
        offsets.append(offsets[-1] + len(word))
    found: list[Replacement] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        piece = Replacement(edit.file, offsets[a], offsets[b], "".join(others[c:d]))
        if found and piece.start - found[-1].end <= _NEAR:
            gap = repaired[found[-1].end : piece.start]
            piece = replace(piece, start=found[-1].start, new=found[-1].new + gap + piece.new)
            found.pop()
        found.append(piece)
    return tuple(found)


def needed(edits: Edits, builds: Callable[[Edits], bool]) -> Edits:
    """The fewest of `edits` whose repair makes the paper build, each of them needed; a build an edit.

    `builds` says whether the paper builds with these edits made, that is with these faults in it.
    """
    kept = list(edits)
    for edit in edits:
        faults = tuple(other for other in edits if other not in kept or other is edit)
        if len(kept) > 1 and builds(faults):
            kept.remove(edit)
    return tuple(kept)


def reduced(edits: Edits, texts: Mapping[str, str], builds: Callable[[Edits], bool]) -> Edits:
    """The hunks that matter, and of them the pieces that matter."""
    whole = needed(edits, builds)
    small = tuple(piece for edit in whole for piece in pieces(edit, texts[edit.file]))
    return needed(small, builds) if len(small) <= MOST_PIECES else whole


def words_of(edits: Iterable[Replacement], texts: Mapping[str, str]) -> Sequence[str]:
    """The control sequences on either side of some edits."""
    sides = (side for edit in edits for side in (edit.new, texts[edit.file][edit.start : edit.end]))
    return [word for side in sides for word in re.findall(r"\\[A-Za-z@]+", side)]
