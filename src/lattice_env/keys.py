"""Randomness by name: the same words give the same choices, on every machine and for ever.

A generator is keyed by all the words that its choices may depend on (salt, seed, operator, …), so that
a new operator or a new seed changes no other task. Nothing here reads global state, time or hash order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property


class Choices:
    """A stream of choices that depends on its words alone: SHA-256 in counter mode."""

    def __init__(self, *words: str) -> None:
        self._words = words
        self._count = 0

    @cached_property
    def _key(self) -> bytes:
        """The digest of the words; many streams are made that nothing is drawn from."""
        parts = [word.encode("utf-8", "surrogateescape") for word in self._words]
        return hashlib.sha256(b"".join([b"%d:%b" % (len(part), part) for part in parts])).digest()

    def below(self, bound: int) -> int:
        """An integer from 0 to `bound` - 1, each as likely as the others; ValueError unless 1 ≤ bound ≤ 2^64."""
        if not 1 <= bound <= 1 << 64:
            message = f"cannot choose below {bound}"
            raise ValueError(message)
        key, limit = self._key, (1 << 64) - (1 << 64) % bound
        while True:
            block = hashlib.sha256(key + self._count.to_bytes(8, "big")).digest()
            self._count += 1
            value = int.from_bytes(block[:8], "big")
            if value < limit:
                return value % bound

    def choice[T](self, items: Sequence[T]) -> T:
        """One of `items`."""
        return items[self.below(len(items))]

    def shuffled[T](self, items: Sequence[T]) -> list[T]:
        """All of `items` in an order of their own (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
