"""Facts: what a document of a genre knows, each drawn by a sampler or computed by a formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lattice_env.errors import SeedError

from .formulas import Formula
from .templates import Template

TYPES = ("text", "code", "email", "date", "money", "rate", "count")
SAMPLERS: Mapping[str, tuple[tuple[str, ...], Mapping[str, type | tuple[type, ...]]]] = {
    "const": (TYPES, {"const": str}),
    "choose": (("text", "code", "money", "rate", "count"), {"choose": (str, list)}),
    "range": (("money", "rate", "count"), {"range": list, "step": str}),
    "dates": (("date",), {"dates": list}),
    "pattern": (("code",), {"pattern": str}),
    "locale": (("text",), {"locale": str}),
    "email": (("email",), {"email": list}),
    "index": (("count",), {"index": int}),
    "same": (TYPES, {"same": str}),
    "near": (("money", "rate", "count", "date"), {"near": str, "percent": list, "days": list}),
    "like": (("code",), {"like": str}),
}
"""Each sampler: the types that it yields, and the keys that it may have; the first names it."""
OF_OTHERS = ("same", "near", "like")
"""Samplers that look at another fact's value; only decoys have them."""


@dataclass(frozen=True)
class Fact:
    """One fact of a genre; `group.name` exists once for each member of its group."""

    name: str
    type: str
    label: Template
    """How an instruction names it."""
    sampler: str
    """The sampler's name; empty where there is a formula."""
    arguments: Mapping[str, Any]
    formula: Formula | None
    change: bool
    """Whether an instruction may change it."""
    decoy: bool

    @property
    def group(self) -> str:
        """The group that it belongs to, or an empty text."""
        return self.name.partition(".")[0] if "." in self.name else ""


def check_sampler(body: Mapping[str, Any], kind: str, where: str, *, decoy: bool) -> str:
    """The name of the sampler that `body` is; SeedError where it is none, or none for this type."""
    name = next((name for name in SAMPLERS if name in body), "")
    types, keys = SAMPLERS.get(name, ((), {}))
    if not name or not body.keys() <= keys.keys() or not all(isinstance(body[key], keys[key]) for key in body):
        message = f"{where}: {dict(body)!r} is no sampler"
        raise SeedError(message, hint=f"known: {', '.join(SAMPLERS)}")
    if kind not in types:
        message = f"{where}: the sampler {name} yields no {kind}"
        raise SeedError(message)
    if (name in OF_OTHERS) != decoy and name in OF_OTHERS:
        message = f"{where}: the sampler {name} is for decoys"
        raise SeedError(message)
    return name
