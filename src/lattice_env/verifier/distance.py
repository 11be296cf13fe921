"""Distances between sequences: exact, and quick enough for a whole paper.

Common ends are compared slice by slice, in C. Of what is left a few errors are found along the diagonals of the table
(Ukkonen 1985), at a cost of their number squared. The rest is computed a row at a time in the bits of one Python
integer (Crochemore et al. 2001), so that two papers of 5,000 words cost milliseconds and hostile input costs no more
than its length squared over 32.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from math import isqrt

Opcode = tuple[str, int, int, int, int]
"""A step of an alignment: (tag, a_start, a_end, b_start, b_end), as difflib gives it."""

FINE = 1_000_000
"""Largest product of two lengths that is aligned token by token."""


def common_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """The lengths of the common prefix and of the common suffix of what is left."""
    limit, size_a, size_b = min(len(a), len(b)), len(a), len(b)
    head = _shared(limit, lambda i, j: a[i:j] == b[i:j])
    return head, _shared(limit - head, lambda i, j: a[size_a - j : size_a - i] == b[size_b - j : size_b - i])


def _shared(limit: int, same: Callable[[int, int], bool]) -> int:
    """How far two sequences are the same, where `same` compares a stretch of both: by steps that double, then halve."""
    done, step = 0, 1
    while done < limit and same(done, min(done + step, limit)):
        done, step = min(done + step, limit), 2 * step
    while step := step // 2:
        if done + step <= limit and same(done, done + step):
            done += step
    return done


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
    few = few_edits(a, b, isqrt(len(a)) + min(len(a) // 64, 100))
    return many_edits(a, b) if few is None else few


def few_edits(a: Sequence[str], b: Sequence[str], most: int) -> int | None:
    """The edit distance of sequences that begin unlike; None where it is above `most`, or seems to be.

    It is given up by its pace, and where the other diagonals match as well as the right one, as in a text that repeats.
    """
    long, short, goal, walked = len(a), len(b), len(b) - len(a), 0
    reached = [0]  # how far into `a` so many edits lead, on each diagonal from -edits to edits
    for edits in range(1, most + 1):
        before, reached = [-1, -1, *reached, -1, -1], list[int]()
        neighbours = zip(before, before[1:], before[2:], strict=False)
        for diagonal, (left, here, right) in enumerate(neighbours, -edits):
            start = i = max(left, here + 1, right + 1)
            j = i + diagonal
            while i < long and j < short and a[i] == b[j]:
                i, j = i + 1, j + 1
            reached.append(i)
            walked += i - start
        if abs(goal) <= edits and reached[goal + edits] >= long:
            return edits
        slow = edits > 3 and 2 * max(reached) * most < edits * long  # noqa: PLR2004 - errors may stand close together
        if slow or walked > 4 * long:
            return None
    return None


def many_edits(a: Sequence[str], b: Sequence[str]) -> int:
    """The edit distance, by a subsequence: with a mark before each token, a replacement keeps one sign of two."""
    masks: dict[str, int] = {}
    for index, token in enumerate(a):
        masks[token] = masks.get(token, 0) | 2 << 2 * index
    row = full = (1 << 2 * len(a)) - 1
    marks = full // 3
    for token in b:
        hit = row & marks
        row = row + hit | row - hit
        hit = row & masks.get(token, 0)
        row = (row + hit | row - hit) & full
    return len(b) - len(a) + row.bit_count()


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
