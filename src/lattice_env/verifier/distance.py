"""Distances between token sequences: exact, and quick enough for a whole paper.

Both tables are computed a row at a time in the bits of one Python integer (Myers 1999 in the form of
Hyyrö 2003 for the edit distance; Crochemore et al. 2001 for the subsequence), so that two papers of
5,000 words cost milliseconds and hostile input costs no more than its length squared over 64.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

Opcode = tuple[str, int, int, int, int]
"""A step of an alignment: (tag, a_start, a_end, b_start, b_end), as difflib gives it."""

FINE = 1_000_000
"""Largest product of two lengths that is aligned token by token."""


def common_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """The lengths of the common prefix and of the common suffix of what is left."""
    limit = min(len(a), len(b))
    head = 0
    while head < limit and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < limit - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    return head, tail


def _middles(a: Sequence[str], b: Sequence[str]) -> tuple[Sequence[str], Sequence[str], int]:
    head, tail = common_ends(a, b)
    return a[head : len(a) - tail], b[head : len(b) - tail], head + tail


def _positions(tokens: Sequence[str]) -> dict[str, int]:
    masks: dict[str, int] = {}
    for index, token in enumerate(tokens):
        masks[token] = masks.get(token, 0) | (1 << index)
    return masks


def edit_distance(a: Sequence[str], b: Sequence[str]) -> int:
    """How many insertions, deletions and replacements of one token turn `a` into `b`."""
    a, b, _ = _middles(a, b)
    if not a or not b:
        return max(len(a), len(b))
    masks, full = _positions(a), (1 << len(a)) - 1
    plus, minus = full, 0
    for token in b:
        match = masks.get(token, 0)
        vertical = match | minus
        match |= ((match & plus) + plus) ^ plus
        up = (minus | full & ~(match | plus)) << 1 | 1
        plus = ((plus & match) << 1 | ~(vertical | up)) & full
        minus = up & vertical
    # What the last column's steps up and down add to the length of `b` is the table's last cell.
    return len(b) + plus.bit_count() - minus.bit_count()


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    a, b, shared = _middles(a, b)
    if not a or not b:
        return shared
    masks, full = _positions(a), (1 << len(a)) - 1
    row = full
    for token in b:
        hit = row & masks.get(token, 0)
        row = (row + hit | row - hit) & full
    return shared + len(a) - row.bit_count()


def align(a: Sequence[str], b: Sequence[str]) -> list[Opcode]:
    """The steps that turn `a` into `b`; a stretch too long to align token by token is one step."""
    head, tail = common_ends(a, b)
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    if len(middle_a) * len(middle_b) > FINE:
        steps: list[Opcode] = [("replace", 0, len(middle_a), 0, len(middle_b))]
    else:
        matcher = difflib.SequenceMatcher(None, middle_a, middle_b, autojunk=False)
        steps = list(matcher.get_opcodes())
    moved = [(tag, i + head, j + head, k + head, m + head) for tag, i, j, k, m in steps]
    before: list[Opcode] = [("equal", 0, head, 0, head)] if head else []
    ends = (len(a) - tail, len(a), len(b) - tail, len(b))
    after: list[Opcode] = [("equal", *ends)] if tail else []
    return before + moved + after
