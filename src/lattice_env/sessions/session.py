"""The one interface of an attempt: what paper repair, doc-edit and LaTeX OCR implement, and all that a host needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lattice_env.actions import Action, Reply, Tool


@dataclass(frozen=True)
class TaskFacts:
    """What records say of a task."""

    name: str
    task_id: str
    family: str
    verifier: str
    """SHA-256 of the code that judges it."""


class Session(Protocol):
    """One attempt at one task: single use, nothing in it can be set back. It counts no steps and keeps no record."""

    @property
    def facts(self) -> TaskFacts:
        """Which task it is."""
        ...

    @property
    def tools(self) -> Mapping[str, Tool]:
        """What can be called, by name."""
        ...

    @property
    def most_steps(self) -> int:
        """The most steps that an agent may be given."""
        ...

    def begin(self) -> Reply:
        """What the agent is shown first."""
        ...

    def act(self, action: Action) -> Reply:
        """What an action, which fits its tool, is answered.

        Raises RefusedError for what is not done, EpisodeError where the attempt cannot go on, and InfraError where
        the machine stood in the way.
        """
        ...

    def judge(self) -> Mapping[str, Any]:
        """The verdict on the work as it stands, as verdict.json has it; `infra_error` where there can be none."""
        ...

    def solution(self) -> Sequence[Action]:
        """Actions that earn 1: for the oracle alone, and never for what an agent sees."""
        ...
