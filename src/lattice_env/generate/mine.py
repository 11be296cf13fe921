"""Plans of mining: each commit that may have repaired a paper is a unit, and its task is admitted as any other."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from lattice_env.families.paper.mined.candidates import candidates
from lattice_env.families.paper.mined.history import History, Step
from lattice_env.families.paper.mined.licence import check_licensed
from lattice_env.families.paper.mined.make import make_mined
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.store import Store

from .maker import Product, Unit
from .plan import Plan, check_limit


@dataclass(frozen=True)
class MinedMaker:
    """Makes tasks of a history, which must be there while it does."""

    history: History
    steps: Mapping[str, Step]
    """The commits that are looked at, oldest first."""
    private: bool
    needs_tex: bool = True

    def check(self, _seed: str, _store: Store, /) -> None:
        """UsageError where the history has no licence."""
        check_licensed(self.history, private=self.private)

    def make(self, unit: Unit, store: Store, /) -> Product:
        """The task of one commit, or the reason why there is none."""
        found = make_mined(self.history, self.steps[unit.operator], store, private=self.private)
        notes = {"fault": found.task.operator} if found.task else {"reason": found.reason}
        return Product(found.task, found.hunks, 1, found.edit if found.task else "", notes)


def make_mining_plan(history: History, *, private: bool, limit: int | None = None) -> Plan:
    """The plan over a clone's history, oldest repair first; the same clone gives the same plan.

    Raises UsageError for a history without a licence file, DataError for one that cannot be read.
    """
    check_limit(limit)
    check_licensed(history, private=private)
    steps = {step.commit: step for step in candidates(history)}
    words = ["mine", history.name, history.source, str(private), str(limit), verifier_digest(), *steps]
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()
    return Plan(
        tuple(Unit(history.name, commit) for commit in steps), MinedMaker(history, steps, private), limit, digest
    )
