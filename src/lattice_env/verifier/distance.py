"""Distances between sequences: exact, and quick enough for a whole paper.

Common ends are compared slice by slice, in C. Of what is left a few errors are found along the diagonals of the table
(Ukkonen 1985), at a cost of their number squared. The rest is computed a row at a time in the bits of one Python
integer (Crochemore et al. 2001), and only along the diagonal where the first edits tell that they are not too many. So
two papers of 5,000 words cost milliseconds, and hostile input costs no more than two whole tables.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from itertools import repeat
from math import isqrt

Opcode = tuple[str, int, int, int, int]
"""A step of an alignment: (tag, a_start, a_end, b_start, b_end), as difflib gives it."""

FINE = 1_000_000
"""Largest product of two lengths that is aligned token by token."""
STRIDE = 128
"""Rows of a table between two looks at where its band is: a look costs as much as a few rows."""
PROBE = 8
"""After so many edits one can see how many there will be."""
UNREACHED = -2


def common_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """The lengths of the common prefix and of the common suffix of what is left."""
    limit = min(len(a), len(b))
    head = common_length(a, b, 0, 0, limit)
    low, high = 0, limit - head
    if not high or a[-1] != b[-1]:
        return head, 0
    while low < high:
        middle = (low + high + 1) >> 1
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return head, low


def common_length(a: Sequence[str], b: Sequence[str], i: int, j: int, limit: int) -> int:
    """How many items from `a[i]` and `b[j]` on are equal, `limit` at most, which both must have.

    Slices are compared, doubled while they are equal and halved then: a few steps of Python for any length.
    """
    found, step = 0, 8
    while found + step <= limit and a[i + found : i + found + step] == b[j + found : j + found + step]:
        found += step
        step += step
    while step := step >> 1:
        if found + step <= limit and a[i + found : i + found + step] == b[j + found : j + found + step]:
            found += step
    return found


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
    if len(a) < len(b):
        a, b = b, a
    if not b:
        return len(a)
    edits, sure = few_edits(a, b, max(4, min(len(a) // 10, isqrt(2 * len(a)))))  # more cost as much as the rows
    while not sure:
        band = edits
        edits = many_edits(a, b, band)
        sure = edits <= band
    return edits


def few_edits(a: Sequence[str], b: Sequence[str], most: int) -> tuple[int, bool]:
    """The edit distance of two sequences with different first items, the first no shorter, and True.

    Where it is over `most`, or the first edits get so little way that `most` would not do, a guess at it, and False.
    Its cost is the square of the edits, however long the sequences are.
    """
    a, b = b, a
    rows, columns = len(a), len(b)
    end, origin = columns - rows, most + 2
    if end > most:
        return 2 * end, False
    # How far down each diagonal (column less row, from `origin`) one gets: row 0 without an edit.
    reached = [UNREACHED] * (2 * origin + 1)
    reached[origin] = 0
    for edits in range(1, most + 1):
        before = reached
        reached = [UNREACHED] * len(before)
        spare = most - edits
        for shift in range(max(-edits, end - spare), min(edits, end + spare) + 1):
            place = origin + shift
            row, other = before[place], before[place - 1]
            row = (before[place + 1] if before[place + 1] > row else row) + 1  # noqa: FURB136 - max is slow here
            row = other if other > row else row  # noqa: FURB136 - likewise
            if row >= rows or row + shift >= columns:
                row = min(rows, columns - shift)
            elif a[row] == b[row + shift]:
                row += common_length(a, b, row, row + shift, min(rows - row, columns - row - shift))
            reached[place] = row
        if reached[origin + end] == rows:
            return edits, True
        if edits == min(PROBE, most // 3) and max(reached) * most < rows * edits:
            return 2 * edits * rows // max(1, *reached), False
    return 2 * most, False


def many_edits(a: Sequence[str], b: Sequence[str], band: int) -> int:
    """The edit distance of two sequences, the first no shorter, if it is `band` or less; else no less than it is.

    A subsequence gives it: with a mark before each token, a replacement keeps one sign of two. A row has a bit for each
    sign of `a`, 1 where none is kept. Only those bits are computed that a path of `band` edits can come to, a stride of
    `b` at a time: what the band leaves behind is counted, and what it comes to is not kept yet.
    """
    rows, columns = len(b), len(a)
    beside = max(0, band - (columns - rows)) // 2
    masks = _sign_masks(a)
    row = low = high = left = 0
    for start in range(0, rows, STRIDE):
        tokens = b[start : start + STRIDE]
        behind, ahead = max(0, start - beside), min(columns, start + len(tokens) + columns - rows + beside)
        left += (row & (1 << 2 * (behind - low)) - 1).bit_count()
        row = row >> 2 * (behind - low) | (1 << 2 * (ahead - high)) - 1 << 2 * (high - behind)
        low, high = behind, ahead
        full = (1 << 2 * (high - low)) - 1
        seen = masks if high - low == columns else {token: masks.get(token, 0) >> 2 * low & full for token in {*tokens}}
        marks = full // 3
        words = full - marks
        for mask in map(seen.get, tokens, repeat(0)):
            row = (row & marks) + row | row & words
            hit = row & mask
            row = row + hit | row ^ hit
        row &= full
    return rows - columns + left + row.bit_count()


def _sign_masks(tokens: Sequence[str]) -> dict[str, int]:
    masks: dict[str, int] = {}
    for index, token in enumerate(tokens):
        masks[token] = masks.get(token, 0) | 2 << 2 * index
    return masks


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
