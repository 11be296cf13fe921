"""Sets of word n-grams as sorted arrays of 64-bit hashes, and what two of them share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from lattice_env.extras import need

EXTRA = "leakage"
need("numpy", EXTRA)
import numpy as np  # noqa: E402 - the line above says more where it is missing
from numpy.typing import NDArray  # noqa: E402 - as above

N = 4
"""Words in an n-gram."""
Grams = NDArray[np.uint64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_WORDS: dict[str, int] = {}


def ngram_hashes(words: Sequence[str]) -> Grams:
    """The hash of every n-gram, in order: at i that of words i to i + N - 1.

    A text of fewer than N words is one n-gram. Words are hashed by BLAKE2b, so that nothing depends on the process;
    two n-grams out of a million have the same hash once in thirty million runs.
    """
    padded = [*words, *[""] * (N - len(words))] if words else []
    hashes = np.array([_word_hash(word) for word in padded], dtype=np.uint64)
    if not len(hashes):
        return hashes
    count = len(hashes) - N + 1
    total = np.zeros(count, dtype=np.uint64)
    for shift in range(N):
        total = total * _FACTOR + hashes[shift : shift + count]
    return total ^ (total >> np.uint64(31))


def ngram_set(words: Sequence[str]) -> Grams:
    """The hashes of all n-grams, each once, sorted."""
    return np.unique(ngram_hashes(words))


def _word_hash(word: str) -> int:
    found = _WORDS.get(word)
    if found is None:
        data = word.encode("utf-8", "surrogatepass")
        found = _WORDS[word] = int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
    return found


def common(sets: Iterable[Grams], least: int) -> Grams:
    """The n-grams that at least `least` of the sets hold, sorted."""
    values, counts = np.unique(np.concatenate([*sets, np.array([], dtype=np.uint64)]), return_counts=True)
    return values[counts >= least]


def without(grams: Grams, others: Grams) -> Grams:
    """The n-grams that are not among `others`; both are sorted."""
    if not len(others):
        return grams
    places = np.minimum(np.searchsorted(others, grams), len(others) - 1)
    return grams[others[places] != grams]


def shared(a: Grams, b: Grams) -> int:
    """How many n-grams two sets have in common."""
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    return len(small) - len(without(small, large))


def share(a: Grams, b: Grams) -> float:
    """The part of the smaller set that the other one holds too; 0 where one is empty."""
    least = min(len(a), len(b))
    return shared(a, b) / least if least else 0.0


def short_hashes(grams: Grams) -> list[int]:
    """The upper halves of the hashes: 32 bits, as MinHash wants them."""
    return (grams >> np.uint64(32)).tolist()
