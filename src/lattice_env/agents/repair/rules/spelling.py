"""Near misses: which of the known names a misspelt one was meant to be, where only one can be meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable

SHORT, LONG = 4, 7
"""A name of SHORT letters or fewer may be one mistake off; one of LONG or more, two."""


def distance(one: str, other: str, most: int = 2) -> int:
    """Mistakes of one letter, or exchanges of neighbours, between two names; `most` + 1 for more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def nearest(name: str, names: Iterable[str], *, rank: Callable[[str], int] = lambda _: 0) -> str:
    """The name that is meant: closest, of the same first letter, of the lowest rank; empty if not one alone."""
    most = 1 if len(name) < LONG else 2
    scored: list[tuple[tuple[int, int, int], str]] = []
    for other in set(names):
        if other == name or not other:
            continue
        steps = 0 if other.lower() == name.lower() else distance(name, other, most)
        if steps <= most:
            scored.append(((steps, int(other[0].lower() != name[0].lower()), rank(other)), other))
    if not scored:
        return ""
    best = min(score for score, _ in scored)
    found = [other for score, other in scored if score == best]
    return found[0] if len(found) == 1 else ""
