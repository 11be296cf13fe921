"""Which submitted line is which line of the document: lines are followed through edits, not looked up by number.

The lines of two versions are matched where both say the same (as shipped, or as expected): first from both ends, then
by lines that stand once in either, then, in what is left between those, by the longest common subsequence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST_CELLS = 40_000
"""Pairs of lines that are compared one by one in a gap; a larger one is taken as rewritten."""


@dataclass(frozen=True)
class Gap:
    """Lines without a match between two matched ones: shipped `start` to `end`, submitted `low` to `high`."""

    start: int
    end: int
    low: int
    high: int


@dataclass(frozen=True)
class Alignment:
    """Each shipped line with the submitted line that it is now, and what has no match."""

    matched: Mapping[int, int]
    """Index of a shipped line → index of the submitted one."""
    gaps: tuple[Gap, ...]


def align(before: Sequence[str], after: Sequence[str], found: Sequence[str]) -> Alignment:
    """The lines `found` as those of a document that reads `before`, or `after`, line by line."""
    aligner = _Aligner(before, after, found)
    aligner.run(0, len(before), 0, len(found))
    return Alignment(aligner.matched, tuple(_gaps(aligner.matched, len(before), len(found))))


def _gaps(matched: Mapping[int, int], lines: int, found: int) -> list[Gap]:
    gaps: list[Gap] = []
    start = low = 0
    for index, place in sorted([*matched.items(), (lines, found)]):
        if index > start or place > low:
            gaps.append(Gap(start, index, low, place))
        start, low = index + 1, place + 1
    return gaps


class _Aligner:
    """Fills `matched`, from the outside in, with a stack of its own: no document is too long for it."""

    def __init__(self, before: Sequence[str], after: Sequence[str], found: Sequence[str]) -> None:
        self.before, self.after, self.found = before, after, found
        self.names = {new: old for old, new in zip(before, after, strict=True) if old != new} | {
            old: old for old in before
        }
        self.matched: dict[int, int] = {}

    def run(self, start: int, end: int, low: int, high: int) -> None:
        stack = [(start, end, low, high)]
        while stack:
            start, end, low, high = self._trim(*stack.pop())
            if start == end or low == high:
                continue
            anchors = self._anchors(start, end, low, high)
            if anchors:
                for index, place in [*anchors, (end, high)]:
                    stack.append((start, index, low, place))
                    start, low = index, place
                continue
            if (end - start) * (high - low) <= MOST_CELLS:
                self._compare(start, end, low, high)

    def _same(self, index: int, place: int) -> bool:
        return self.found[place] in (self.before[index], self.after[index])

    def _trim(self, start: int, end: int, low: int, high: int) -> tuple[int, int, int, int]:
        """Match from both ends as far as it goes."""
        while start < end and low < high and self._same(start, low):
            self.matched[start] = low
            start, low = start + 1, low + 1
        while start < end and low < high and self._same(end - 1, high - 1):
            end, high = end - 1, high - 1
            self.matched[end] = high
        return start, end, low, high

    def _anchors(self, start: int, end: int, low: int, high: int) -> list[tuple[int, int]]:
        """Pairs of lines that stand once on either side, in one order on both: the longest such chain."""
        named = [self.names.get(line, line) for line in self.found[low:high]]
        ours, theirs = Counter(self.before[start:end]), Counter(named)
        places = {name: low + i for i, name in enumerate(named) if theirs[name] == 1}
        pairs = [
            (index, places[name])
            for index, name in enumerate(self.before[start:end], start)
            if ours[name] == 1 and name in places and self._same(index, places[name])
        ]
        return _rising(pairs)

    def _compare(self, start: int, end: int, low: int, high: int) -> None:
        """Match by the longest common subsequence; of equal ones, that with the earliest lines."""
        rows, columns = end - start, high - low
        longest = [[0] * (columns + 1) for _ in range(rows + 1)]
        for i in range(rows - 1, -1, -1):
            for j in range(columns - 1, -1, -1):
                same = self._same(start + i, low + j)
                longest[i][j] = longest[i + 1][j + 1] + 1 if same else max(longest[i + 1][j], longest[i][j + 1])
        i = j = 0
        while i < rows and j < columns:
            if self._same(start + i, low + j):
                self.matched[start + i] = low + j
                i, j = i + 1, j + 1
            elif longest[i + 1][j] >= longest[i][j + 1]:
                i += 1
            else:
                j += 1


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest chain of `pairs` that rises on both sides; `pairs` rise on the left."""
    tops: list[int] = []
    heads: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        at = bisect_left(tops, place)
        before.append(heads[at - 1] if at else -1)
        if at == len(tops):
            tops.append(place)
            heads.append(number)
        else:
            tops[at], heads[at] = place, number
    chain: list[tuple[int, int]] = []
    number = heads[-1] if heads else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]
