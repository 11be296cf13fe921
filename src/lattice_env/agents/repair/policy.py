"""What the loop asks for an edit: a policy sees the project and the failure, and answers or gives up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lattice_env.model import Files

from .compiler import Compiled
from .edits import Edit
from .failures import Failure
from .guard import Refusal


@dataclass(frozen=True)
class Situation:
    """All that a policy may look at."""

    files: Files
    root: str
    compiled: Compiled
    failure: Failure
    refused: tuple[tuple[Edit, Refusal], ...] = ()
    """Edits that were already proposed for this failure, and why they were not made."""


@dataclass(frozen=True)
class GiveUp:
    """No edit: why."""

    reason: str


type Policy = Callable[[Situation], Edit | GiveUp]


def chain(policies: Sequence[Policy]) -> Policy:
    """A policy that asks each in turn until one has an edit."""

    def propose(situation: Situation) -> Edit | GiveUp:
        reasons: list[str] = []
        for policy in policies:
            answer = policy(situation)
            if isinstance(answer, Edit) and not any(answer == edit for edit, _ in situation.refused):
                return answer
            reasons.append(answer.reason if isinstance(answer, GiveUp) else "proposed a refused edit again")
        return GiveUp("; ".join(reasons))

    return propose
