"""Processor seconds to check a split of many texts, against all pairs; and whether the planted leaks are found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lattice_env.analysis.leakage import check_split
from lattice_env.analysis.ngrams import Grams, ngram_set, share
from lattice_env.analysis.texts import Piece, Text

from .clock import processor_timed
from .figures import Figure, Measure, Report

NAME = "leakage"
PRIVATE_SHARE = 10
"""One text in so many is private, and one private text in so many holds a planted leak."""
SHORTEST, LONGEST = 100, 2_000
"""Words of a text, beside its template's."""
TEMPLATE = 150
VOCABULARY = 20_000
SAMPLED = 20_000
"""Pairs that are timed one by one."""

SECONDS = Measure(NAME, "split-check, reading of the texts included", "all pairs, from a sample", "s", 0.5)
FOUND = Measure(NAME, "planted leaks found", "planted", "leaks", 1.0, at_least=True)
MEASURES = (SECONDS, FOUND)


@dataclass(frozen=True)
class Sample:
    """One check of one synthetic split."""

    private: int
    public: int
    planted: int
    found: int
    compared: int
    """Pairs that MinHash proposed."""
    seconds: float
    pair_seconds: float
    """Of one exact comparison, as the mean over the sampled pairs."""


def run(count: int) -> Report:
    """The figures of one split of `count` texts."""
    private, public, planted = make_split(count)
    seconds, found = processor_timed(lambda: check_split(private, public, most_pairs=0))
    pair_seconds = _pair_seconds(private, public)
    leaks = {(leak.private, leak.public) for leak in found.leaks}
    sample = Sample(
        private=len(private),
        public=len(public),
        planted=len(planted),
        found=len(planted & leaks),
        compared=found.compared,
        seconds=seconds,
        pair_seconds=pair_seconds,
    )
    subject = f"{len(private)} private and {len(public)} public texts"
    figures = (
        Figure(SECONDS, subject, seconds, pair_seconds * len(private) * len(public)),
        Figure(FOUND, subject, sample.found, sample.planted),
    )
    body: dict[str, Any] = asdict(sample)
    return Report(figures, (body,))


def make_split(count: int) -> tuple[list[Text], list[Text], set[tuple[str, str]]]:
    """Private texts, public ones, and the (private, public) pairs of which one leaks into the other.

    All are on one template. A planted text holds 60 to 100 % of words of a public one, cut or padded up to eightfold.
    """
    random = np.random.default_rng(1)
    template = _words(random, TEMPLATE)
    sizes = np.exp(random.uniform(np.log(SHORTEST), np.log(LONGEST), count)).astype(int)
    bodies = [_words(random, size) for size in sizes]
    cut = count // PRIVATE_SHARE
    planted: set[tuple[str, str]] = set()
    for number in range(0, cut, PRIVATE_SHARE):
        source = int(random.integers(cut, count))
        words = bodies[source]
        copied, times = float(random.uniform(0.6, 1)), int(random.choice([1, 3, 8]))
        if random.random() < 1 / 2:
            words = words[: max(SHORTEST, len(words) // times)]
            times = 1
        kept = words[: int(len(words) * copied)]
        bodies[number] = [*kept, *_words(random, len(words) * times - len(kept))]
        planted.add((f"private{number}", f"public{source}"))
    names = [f"{'private' if number < cut else 'public'}{number}" for number in range(count)]
    texts = [_text(name, [*template, *body]) for name, body in zip(names, bodies, strict=True)]
    return texts[:cut], texts[cut:], planted


def _words(random: np.random.Generator, count: int) -> list[str]:
    return [f"w{number:x}" for number in random.integers(VOCABULARY, size=count).tolist()]


def _text(name: str, words: list[str]) -> Text:
    return Text(name, (Piece(name, 1, " ".join(words)),))


def _pair_seconds(private: list[Text], public: list[Text]) -> float:
    """The mean seconds of an exact comparison, over pairs that are drawn evenly from all."""
    random = np.random.default_rng(2)
    ours, theirs = (
        [ngram_set(side[index].words) for index in random.integers(len(side), size=200).tolist()]
        for side in (private, public)
    )
    pairs = [(ours[n % len(ours)], theirs[n // len(ours) % len(theirs)]) for n in range(SAMPLED)]
    seconds, _ = processor_timed(lambda: _compare(pairs))
    return seconds / len(pairs)


def _compare(pairs: list[tuple[Grams, Grams]]) -> int:
    return sum(share(a, b) > 1 / 2 for a, b in pairs)
