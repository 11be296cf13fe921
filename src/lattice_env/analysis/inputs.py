"""Trials from whatever `calibrate` is given: Harbor's job folders, and files of episode records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from lattice_env.errors import RecordError
from lattice_env.sessions.record import EpisodeRecord, read_records

from .harbor_jobs import read_job
from .trials import Policy, Trial, ranked

EPISODES = "episodes.jsonl"


def read_trials(places: Iterable[Path]) -> list[Trial]:
    """All trials of all places, ranked; RecordError where one cannot be read, or a trial is given twice."""
    trials = [trial for place in dict.fromkeys(place.resolve() for place in places) for trial in _read(place)]
    if not trials:
        message = "no trial was given"
        raise RecordError(message)
    twice = [name for name, count in Counter(trial.name for trial in trials).items() if count > 1]
    if twice:
        both = [str(trial.place) for trial in trials if trial.name == twice[0]]
        message = f"the same trial is given twice: {' and '.join(both[:2])}"
        raise RecordError(message, hint="name each job folder once")
    return ranked(trials)


def _read(place: Path) -> list[Trial]:
    if place.is_file():
        return [_trial(place, number, record) for number, record in read_records(place)]
    if (place / EPISODES).is_file():
        return _read(place / EPISODES)
    if not place.is_dir():
        message = f"{place}: no such file or folder"
        raise RecordError(message)
    return read_job(place)


def _trial(path: Path, line: int, record: EpisodeRecord) -> Trial:
    scored = record.reward is not None
    folder = path.parent / record.episode
    return Trial(
        task=record.task,
        policy=Policy(record.agent, record.model),
        outcome=record.status,
        reward=record.reward,
        started_at=record.started_at,
        place=folder if folder.is_dir() else path,
        name=f"{path}:{line}",
        reason="" if scored else record.reason,
        red_lines=record.red_lines if scored else None,
        verifier=record.verifier,
        task_id=record.task_id,
        timed_out=record.reason == "timeout",
    )
