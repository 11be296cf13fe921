"""The environment as OpenEnv drives it: a session behind its names, and the task API."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from dataclasses import dataclass
from typing import Any, override
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from lattice_env.errors import DatasetError, EpisodeError
from lattice_env.families.latex_ocr.episode import Outcome, Place, Session
from lattice_env.families.latex_ocr.settings import RENDER, STREAM, Settings
from lattice_env.families.latex_ocr.source import Source
from lattice_env.families.latex_ocr.tasks import TaskRow

from .models import LatexOCRAction, LatexOCRObservation, LatexOCRState

NAME = "latex_ocr_env"


@dataclass(frozen=True)
class Served:
    """What all sessions of one process share; it is loaded once, before the first of them."""

    settings: Settings
    source: Source


class LatexOCREnvironment(Environment[LatexOCRAction, LatexOCRObservation, LatexOCRState]):
    """One session. Both ways in are coroutines, which saves OpenEnv's hop to a thread; only TeX is waited for."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, served: Served) -> None:
        super().__init__()
        self._session = Session(served.source, served.settings)
        self._settings = served.settings
        self._state = LatexOCRState()

    @override
    def reset(
        self, seed: Any = None, episode_id: str | None = None, split: Any = None, index: Any = None, **unknown: Any
    ) -> LatexOCRObservation:
        """Show a picture; what is asked for wrongly is an EpisodeError."""
        if unknown:
            message = f"reset takes split, index, seed and episode_id, not {', '.join(unknown)}"
            raise EpisodeError("unknown-argument", message)
        try:
            place, picture = self._session.reset(split=split, index=index, seed=seed)
        except DatasetError as error:
            raise EpisodeError("bad-row", str(error)) from error
        self._state = LatexOCRState(
            episode_id=episode_id or str(uuid4()), split=place.split, index=place.index, open=not place.exhausted
        )
        return LatexOCRObservation(
            done=place.exhausted,
            image_base64=b64encode(picture).decode("ascii"),
            prompt="" if place.exhausted else self._settings.prompt,
            **_where(place),
        )

    @override
    async def reset_async(self, seed: Any = None, episode_id: str | None = None, **asked: Any) -> LatexOCRObservation:
        return self.reset(seed, episode_id, **asked)

    @override
    def step(self, action: LatexOCRAction, timeout_s: float | None = None, **_kwargs: Any) -> LatexOCRObservation:
        """Judge the answer and end the episode."""
        outcome = self._session.step(action.latex)
        self._state.step_count += 1
        self._state.open = False
        return _judged(outcome)

    @override
    async def step_async(
        self, action: LatexOCRAction, timeout_s: float | None = None, **_kwargs: Any
    ) -> LatexOCRObservation:
        if self._settings.reward == RENDER:  # TeX takes its time: the others go on, and come into the same document
            return await asyncio.to_thread(self.step, action)
        return self.step(action)

    @property
    @override
    def state(self) -> LatexOCRState:
        return self._state

    @override
    def get_metadata(self) -> EnvironmentMetadata:
        """What the environment is."""
        text = "A picture of a formula is shown; its LaTeX is asked for, in one step."
        return EnvironmentMetadata(name=NAME, description=text, version="0.1.0", author="The Lattice Authors")

    def list_splits(self) -> list[str]:
        """The names of the splits."""
        return list(self._session.source.splits)

    def num_tasks(self, split: str) -> int:
        """The rows of a split; -1 where a stream cannot tell."""
        return self._session.catalogue.split(split).size

    def list_tasks(self, split: str) -> list[TaskRow]:
        """All tasks of a split; NotImplementedError (501) in stream mode."""
        if self._settings.mode == STREAM:
            raise NotImplementedError
        return self._session.catalogue.task_range(split, None, None)

    def get_task(self, split: str, index: int) -> TaskRow:
        """One task."""
        return self._session.catalogue.task(split, index)

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[TaskRow]:
        """The tasks of a slice."""
        return self._session.catalogue.task_range(split, start, stop)


def _where(place: Place) -> dict[str, Any]:
    return {**vars(place), "task_id": place.task_id}


def _judged(outcome: Outcome) -> LatexOCRObservation:
    judgement = outcome.judgement
    return LatexOCRObservation(
        done=True,
        reward=judgement.reward,
        predicted_latex=outcome.answer,
        target_latex=outcome.target,
        exact_match=judgement.characters.exact_match,
        char_error_rate=judgement.characters.char_error_rate,
        metadata=judgement.metadata(),
        **_where(outcome.place),
    )
