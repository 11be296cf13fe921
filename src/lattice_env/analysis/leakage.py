"""Whether a held-out split says what is public already: near-duplicates by word n-grams.

A private text leaks where more than half of the smaller side's n-grams stand on the other side too. Text of a template,
n-grams that many public texts share or that a known template has, is taken from both sides first; a private text that
has hardly anything beside it is compared whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from lattice_env.extras import need

from .ngrams import EXTRA, Grams, N, common, ngram_hashes, ngram_set, share, short_hashes, without
from .texts import Text

LEAK = 0.5
"""A share above this is a leak."""
COMMON = 3
"""An n-gram of so many public texts is a template's."""
HOLLOW = 0.1
"""A private text of which no more than this is its own is compared with its template's text."""
MOST_PAIRS = 2_000_000
"""Up to so many pairs each is compared, which is cheaper too; of more, those that MinHash proposes."""

_PERMUTATIONS, _PARTITIONS, _PROPOSED_FROM = 128, 16, 0.4
"""MinHash's: an estimate over 128 permutations is off by about 0.04, so pairs are proposed from a lower share on."""
_MISSES_COST = (0.1, 0.9)
"""What a false proposal costs, which is checked and dropped, and a missed one."""


@dataclass(frozen=True)
class Run:
    """The longest run of words that two texts share."""

    length: int
    text: str
    private_place: str
    public_place: str


@dataclass(frozen=True)
class Leak:
    """A private text that is public already."""

    private: str
    public: str
    share: float
    """Of the smaller side's own n-grams, those on the other side."""
    whole_share: float
    """The same with the template's text on both sides."""
    hollow: bool
    """Whether the private text is hardly more than template, so that `whole_share` decides."""
    run: Run | None


@dataclass(frozen=True)
class SplitCheck:
    """What a check of a split found."""

    private: int
    public: int
    compared: int
    """Pairs whose n-grams were compared one by one."""
    exhaustive: bool
    """Whether these were all pairs."""
    template: int
    """N-grams that were taken for a template's."""
    template_shares: dict[str, float]
    """Private text → the part of its n-grams that is a template's, where there is any."""
    leaks: tuple[Leak, ...]


def check_split(
    private: Sequence[Text],
    public: Sequence[Text],
    *,
    templates: Sequence[Text] = (),
    most_pairs: int = MOST_PAIRS,
) -> SplitCheck:
    """Every private text that is public already, by name, with the public text it is nearest to first."""
    whole = [ngram_set(text.words) for text in private]
    whole_public = [ngram_set(text.words) for text in public]
    template = common([common(whole_public, COMMON), *(ngram_set(text.words) for text in templates)], 1)
    own = [without(grams, template) for grams in whole]
    own_public = [without(grams, template) for grams in whole_public]
    hollow = [len(a) <= HOLLOW * len(b) for a, b in zip(own, whole, strict=True)]
    exhaustive = len(private) * len(public) <= most_pairs
    if exhaustive:
        pairs, count = product(range(len(private)), range(len(public))), len(private) * len(public)
    else:
        named = [i for i, is_hollow in enumerate(hollow) if is_hollow]
        more = proposed_pairs([whole[i] for i in named], whole_public) if named else set[tuple[int, int]]()
        proposed = proposed_pairs(own, own_public) | {(named[i], j) for i, j in more}
        pairs, count = sorted(proposed), len(proposed)
    found: list[tuple[int, int, float, float]] = []
    for i, j in pairs:
        shares = share(own[i], own_public[j]), share(whole[i], whole_public[j]) if hollow[i] else 0.0
        if max(shares) > LEAK:
            found.append((i, j, shares[0], share(whole[i], whole_public[j])))
    found.sort(key=lambda item: (private[item[0]].name, -item[2], -item[3], public[item[1]].name))
    leaks = (
        Leak(private[i].name, public[j].name, mine, all_, hollow[i], longest_run(private[i], public[j]))
        for i, j, mine, all_ in found
    )
    parts = {t.name: 1 - len(a) / len(b) for t, a, b in zip(private, own, whole, strict=True) if len(a) < len(b)}
    return SplitCheck(len(private), len(public), count, exhaustive, len(template), parts, tuple(leaks))


def proposed_pairs(private: Sequence[Grams], public: Sequence[Grams]) -> set[tuple[int, int]]:
    """Pairs of which the smaller side may well be in the other, by MinHash and LSH Ensemble.

    Plain MinHash misses a short text within a long one, for it compares what is shared with both together; the
    ensemble asks how much of the one is in the other, so each side is asked for in the other's index.
    """
    datasketch: Any = need("datasketch", EXTRA)
    sides = [list(_sketches(datasketch, grams)) for grams in (private, public)]
    forth = _contained(datasketch, private, sides[0], public, sides[1])
    back = _contained(datasketch, public, sides[1], private, sides[0])
    return set(forth) | {(i, j) for j, i in back}


def _sketches(datasketch: Any, texts: Sequence[Grams]) -> Iterator[Any]:
    first = datasketch.MinHash(num_perm=_PERMUTATIONS, hashfunc=int)
    for grams in texts:
        sketch = datasketch.MinHash(
            num_perm=_PERMUTATIONS, hashfunc=int, permutations=first.permutations, scheme=first.scheme
        )
        sketch.update_batch(short_hashes(grams))
        yield sketch


def _contained(
    datasketch: Any, asked: Sequence[Grams], asking: Sequence[Any], texts: Sequence[Grams], sketches: Sequence[Any]
) -> Iterator[tuple[int, int]]:
    """Pairs of an asked text and another one, that the asked one may be within."""
    entries = [(j, sketches[j], len(grams)) for j, grams in enumerate(texts) if len(grams)]
    if not entries:
        return
    index = datasketch.MinHashLSHEnsemble(
        threshold=_PROPOSED_FROM,
        num_perm=_PERMUTATIONS,
        num_part=_PARTITIONS,
        weights=_MISSES_COST,
    )
    index.index(entries)
    for i, grams in enumerate(asked):
        if len(grams):
            yield from ((i, j) for j in index.query(asking[i], len(grams)))


def longest_run(private: Text, public: Text) -> Run | None:
    """The longest run of words of both texts, with where it begins in each; None where they share no n-gram."""
    places: dict[int, list[int]] = {}
    for j, gram in enumerate(ngram_hashes(public.words).tolist()):
        places.setdefault(gram, []).append(j)
    best, end, other_end = 0, 0, 0
    before: dict[int, int] = {}
    ours = private.words
    for i, gram in enumerate(ngram_hashes(ours).tolist()):
        here = {j: before.get(j - 1, 0) + 1 for j in places.get(gram, ())}
        for j, length in here.items():
            if length > best:
                best, end, other_end = length, i, j
        before = here
    if not best:
        return None
    start, other_start = end - best + 1, other_end - best + 1
    words = ours[start : end + N]
    return Run(len(words), " ".join(words), private.place(start), public.place(other_start))
