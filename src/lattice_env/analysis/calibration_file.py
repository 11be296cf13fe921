"""`calibration.json`: a calibration as one file, for `select` and for anyone's own analysis."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import DataError

from .calibration import DIMENSIONS, LABELS, Calibration, Group
from .trials import Policy, Trial

FORMAT = 1


def calibration_json(found: Calibration) -> str:
    """The whole calibration as canonical JSON: the same trials and tasks give the same bytes."""
    informative, comparable = found.informative()
    body = {
        "format": FORMAT,
        "verifier": found.verifier,
        "min_attempts": found.min_attempts,
        "labelled_by": [_policy(policy) for policy in found.labelling],
        "labels": found.labels(),
        "informative": {"groups": informative, "of": comparable, "share": share(informative, comparable)},
        "pass_at": {str(k): {"mean": mean, "groups": count} for k, (mean, count) in found.pass_at().items()},
        "total": found.total.to_json(),
        "labelling": found.own.to_json(),
        "by": {name: {key: item.to_json() for key, item in found.breakdown(name).items()} for name in DIMENSIONS},
        "tasks": [_task(group) for group in found.labelled],
        "groups": [{**_policy(group.policies[0]), **_task(group)} for group in found.groups],
        "trials": [_trial(trial) for trial in found.trials],
    }
    return json.dumps(body, indent=1, sort_keys=True, allow_nan=False) + "\n"


def share(part: int, whole: int) -> float | None:
    """A part of a whole; None of nothing."""
    return part / whole if whole else None


def _policy(policy: Policy) -> dict[str, str]:
    return {"agent": policy.agent, "model": policy.model}


def _task(group: Group) -> dict[str, object]:
    facts = {name: value for name, value in vars(group.task).items() if name not in ("name", "folder", "verifier")}
    own = {"label": group.label, "rewards": group.rewards, "informative": group.informative}
    passes = {str(k): value for k, value in group.pass_at().items()}
    return {"task": group.task.name, **facts, **own, "pass_at": passes, **group.tally.to_json()}


def _trial(trial: Trial) -> dict[str, object]:
    plain = {name: value for name, value in vars(trial).items() if name not in ("policy", "place", "red_lines")}
    codes = None if trial.red_lines is None else list(trial.red_lines)
    return {**plain, **_policy(trial.policy), "place": str(trial.place), "red_lines": codes}


@dataclass(frozen=True)
class Labelled:
    """One task of a calibration file: what it was, and its label."""

    task: str
    id: str
    digest: str
    operator: str
    seed: str
    label: str
    mean: float | None


def read_labels(path: Path) -> list[Labelled]:
    """The labelled tasks of a calibration file; DataError where it is none."""
    try:
        body = json.loads(path.read_text("utf-8"), parse_constant=_refuse)
        if body["format"] != FORMAT:
            message = f"{path}: format {body['format']!r}; only {FORMAT} is known"
            raise DataError(message)
        return [_labelled(row) for row in body["tasks"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{path}: not a calibration: {error!r}"
        raise DataError(message, hint="lattice-env calibrate --out writes one") from error


def _refuse(word: str) -> None:
    message = f"{word} is no value here"
    raise ValueError(message)


def _labelled(row: dict[str, Any]) -> Labelled:
    texts = {name: row[name] for name in ("task", "id", "digest", "operator", "seed", "label")}
    wrong = [name for name, value in texts.items() if type(value) is not str]
    if wrong or texts["label"] not in LABELS or Path(cast("str", texts["task"])).name != texts["task"]:
        message = f"a task cannot be {texts!r}"
        raise ValueError(message)
    return Labelled(**texts, mean=row["mean"])
