"""What is kept of an attempt: the pages that it changed and what it did; enough to judge it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from lattice_env.errors import LatticeError, RecipeError
from lattice_env.verifier import Verdict
from lattice_env.verifier.edit_spec import EditSpec

from .make import remake_task
from .session import Session, judge_attempt

KEPT = 512
"""Specs that are kept at hand; one of the longest documents takes some 100 kB."""


@dataclass(frozen=True)
class Attempt:
    """The outcome of a session, as data."""

    pages: Mapping[str, str] = field(default_factory=dict[str, str])
    """Every page that does not read as it was shipped."""
    did: Mapping[str, float] = field(default_factory=dict[str, float])
    """`Session.metrics`."""

    def to_json(self) -> dict[str, Any]:
        """The attempt as a flat object, which `read_attempt` reads."""
        return {"pages": dict(self.pages), "did": dict(self.did)}


def attempt_of(session: Session) -> Attempt:
    """What a session has come to so far."""
    shipped = session.spec.initial
    pages = {name: data.decode() for name, data in session.files().items() if data != shipped[name]}
    return Attempt(pages, session.metrics())


def read_attempt(body: object) -> Attempt:
    """A saved attempt; RecipeError for anything else."""
    table = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    pages, did = table.get("pages"), table.get("did")
    if table.keys() != {"pages", "did"} or not isinstance(pages, dict) or not isinstance(did, dict):
        raise RecipeError("a saved attempt has pages and did, and nothing else", hint="it is another version's")
    pages, did = cast("dict[Any, Any]", pages), cast("dict[Any, Any]", did)
    if not all(type(value) is str for item in pages.items() for value in item):
        raise RecipeError("the pages of a saved attempt are text by name")
    if not all(type(name) is str and type(count) in (int, float) for name, count in did.items()):
        raise RecipeError("what a saved attempt did are numbers by name")
    return Attempt(pages, {name: float(count) for name, count in did.items()})


def judge(spec: EditSpec, attempt: Attempt) -> Verdict:
    """The verdict on an attempt; RecipeError where it is not one at this document."""
    if strange := sorted(attempt.pages.keys() - spec.initial.keys()):
        message = f"a saved attempt has pages that the document lacks: {', '.join(strange[:5])}"
        raise RecipeError(message)
    pages = {name: text.encode("utf-8", "replace") for name, text in attempt.pages.items()}
    verdict = judge_attempt(spec, {**spec.initial, **pages}, attempt.did)
    if verdict.reward is None:
        message = f"doc-edit could not be judged: {verdict.facts.get('error')}"
        raise LatticeError(message)
    return verdict


@lru_cache(KEPT)
def remade_spec(recipe: str) -> EditSpec:
    """The spec of a saved recipe; RecipeError where it makes another task here."""
    return remake_task(recipe).task.spec
