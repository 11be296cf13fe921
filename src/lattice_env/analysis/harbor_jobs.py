"""Harbor's job folders, 0.24 to 0.26, read as plain JSON: one folder a trial, with or without our verdict.

What differs between the versions: 0.26 writes what it thinks of an exception (`policy`) and of the reward
(`reward_valid`), the others write neither; so the exceptions that are an agent's own are named here as well.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import RecordError
from lattice_env.verifier.verdict import INFRA_ERROR, REJECTED, SCORED

from .trials import NO_RESULT, SUSPECT, VERIFIER_ERROR, Policy, Trial

TIMEOUT = "AgentTimeoutError"
AGENT_FAULTS = frozenset(
    (
        TIMEOUT,
        "NonZeroAgentExitCodeError",
        "ContextWindowExceededError",
        "ContextLengthExceededError",
        "OutputTokenExceededError",
        "OutputLengthExceededError",
        "AgentSafetyRefusalError",
        "ContentPolicyViolationError",
    )
)
"""Exceptions that are the agent's own doing: Harbor verifies all the same, and the reward counts."""
VERIFIER_FAULTS = frozenset(
    (
        "VerifierTimeoutError",
        "RewardFileNotFoundError",
        "RewardFileEmptyError",
        "VerifierOutputParseError",
        "AddTestsDirError",
        "DownloadVerifierDirError",
    )
)
"""Exceptions of the verifier's own phase."""

Body = Mapping[str, Any]


def is_trial(folder: Path) -> bool:
    """Whether a folder is one trial's: its configuration names the trial."""
    return "trial_name" in (_read(folder / "config.json") or _read(folder / "result.json") or {})


def trial_folders(folder: Path) -> list[Path]:
    """The trials in a job folder, in a folder of jobs, or the one trial that the folder is; by name."""
    if is_trial(folder):
        return [folder]
    children = sorted(child for child in folder.iterdir() if child.is_dir())
    found = [child for child in children if is_trial(child)]
    return found or [trial for child in children for trial in sorted(child.iterdir()) if is_trial(trial)]


def read_job(folder: Path) -> list[Trial]:
    """All trials of a folder; RecordError where there is none, or one is not of a version that is known."""
    folders = trial_folders(folder)
    if not folders:
        message = f"{folder}: no trial here"
        raise RecordError(message, hint="name a Harbor job folder, a folder of them, or a file of episode records")
    trials = [read_trial(place) for place in folders]
    return list(_with_agent_names(trials))


def read_trial(place: Path) -> Trial:
    """One trial; RecordError names the file and key of a result that is not of a version that is known."""
    config = _read(place / "config.json") or {}
    result = _read(place / "result.json")
    if result is None:
        reason = "half-written result.json" if (place / "result.json").exists() else "no result.json"
        return _started(place, config).without_score(NO_RESULT, reason)
    file = place / "result.json"
    if result.get("schema_version", 1) != 1:
        message = f"{file}: schema_version {result['schema_version']!r}; only 1 is known"
        raise RecordError(message, hint="job folders of Harbor 0.24 to 0.26 can be read")
    agent = _object(result, "agent_info", file)
    model = _inner(_inner(result, "config"), "agent").get("model_name") or ""
    started = _started(place, config)
    known = replace(
        started,
        task=_text(result, "task_name", file).rsplit("/", 1)[-1],
        policy=Policy(_text(agent, "name", file), str(model)),
        started_at=str(result.get("started_at") or ""),
        name=str(result.get("id") or place.name),
        timed_out=_exception(result)[0] == TIMEOUT,
    )
    return _judged(known, result, _read(place / "verifier" / "verdict.json"))


def _started(place: Path, config: Body) -> Trial:
    """What is known of a trial before it has a result."""
    agent, task = _inner(config, "agent"), _inner(config, "task")
    lock = _inner(_read(place / "lock.json") or {}, "task")
    name = str(task.get("path") or task.get("name") or place.name.partition("__")[0])
    return Trial(
        task=name.rstrip("/").rsplit("/", 1)[-1],
        policy=Policy(str(agent.get("name") or agent.get("import_path") or "?"), str(agent.get("model_name") or "")),
        outcome=NO_RESULT,
        reward=None,
        started_at="",
        place=place,
        name=place.name,
        task_digest=str(lock.get("digest", "")).removeprefix("sha256:"),
    )


def _judged(trial: Trial, result: Body, verdict: Body | None) -> Trial:
    """The trial with its outcome."""
    if verdict is not None and _is_verdict(verdict):
        codes = tuple(sorted({str(line["code"]) for line in verdict["redLines"]}))
        red_lines = None if verdict["status"] == INFRA_ERROR else codes
        digests = {"verifier": str(verdict.get("verifier", "")), "task_id": str(verdict.get("task", ""))}
        trial = replace(trial, red_lines=red_lines, **digests)
    else:
        verdict = None
    reward = _reward(result)
    if reward is None:
        return trial.without_score(*_why_no_reward(result, verdict))
    trial = replace(trial, reward=reward)
    if why := _why_not_believed(result, verdict, reward):
        return trial.without_score(*why)
    return replace(trial, outcome=verdict["status"] if verdict else SCORED)


def _why_no_reward(result: Body, verdict: Body | None) -> tuple[str, str, str]:
    """Outcome, reason and detail of a trial without a reward."""
    kind, text = _exception(result)
    if verdict and verdict["status"] == INFRA_ERROR:
        return INFRA_ERROR, "verifier could not judge", str(verdict.get("error", text))
    if not kind:
        return VERIFIER_ERROR, "no reward", "the verifier ended without a reward that is a number"
    if kind in AGENT_FAULTS:
        return VERIFIER_ERROR, f"no reward after {kind}", text
    return VERIFIER_ERROR if kind in VERIFIER_FAULTS else INFRA_ERROR, kind, text


def _why_not_believed(result: Body, verdict: Body | None, reward: float) -> tuple[str, str, str] | None:
    """Outcome, reason and detail of a trial whose reward does not count; None where it does."""
    kind, text = _exception(result)
    if result.get("reward_valid") is False:
        return INFRA_ERROR, kind or "reward not valid", text
    if kind and kind not in AGENT_FAULTS and not _is_allowed(result):
        return SUSPECT, kind, text
    if not 0 <= reward <= 1:
        return SUSPECT, "reward outside of [0, 1]", str(reward)
    if verdict and verdict["reward"] != reward:
        return SUSPECT, "verdict.json has another reward", f"{verdict['reward']} instead of {reward}"
    return None


def _is_allowed(result: Body) -> bool:
    """Whether whoever ran the job said that rewards beside this exception count."""
    return _inner(_inner(result, "exception_info"), "policy_override").get("has_valid_reward") is True


def _exception(result: Body) -> tuple[str, str]:
    """The kind of exception that ended the trial, and its first line; empty where there was none."""
    info = _inner(result, "exception_info")
    text = str(info.get("exception_message", "")).strip()
    return str(info.get("exception_type", "")), text.split("\n")[0][:300]


def _reward(result: Body) -> float | None:
    """The number that Harbor took from the verifier; None where there is none that is finite."""
    value: Any = _inner(_inner(result, "verifier_result"), "rewards").get("reward")
    if type(value) not in (int, float) or not math.isfinite(value):
        return None
    return float(value)


def _is_verdict(body: Body) -> bool:
    """Whether this is a verdict of ours, and not a file of somebody else's verifier."""
    lines = body.get("redLines")
    return (
        body.get("status") in (SCORED, REJECTED, INFRA_ERROR)
        and "reward" in body
        and isinstance(lines, list)
        and all(isinstance(line, dict) and "code" in line for line in cast("list[object]", lines))
    )


def _with_agent_names(trials: list[Trial]) -> Iterator[Trial]:
    """Trials without a result know their agent's import path only; the others of the job know its name."""
    names: dict[tuple[str, str], str] = {}
    for trial in trials:
        if trial.outcome != NO_RESULT:
            agent = _inner(_read(trial.place / "config.json") or {}, "agent")
            names[str(agent.get("import_path")), trial.policy.model] = trial.policy.agent
    for trial in trials:
        agent_name = names.get((trial.policy.agent, trial.policy.model), trial.policy.agent)
        yield replace(trial, policy=replace(trial.policy, agent=agent_name))


def _read(path: Path) -> Body | None:
    """The object in a JSON file; None where there is no such file, or it is not whole."""
    try:
        body = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return cast("Body", body) if isinstance(body, dict) else None


def _inner(body: Body, key: str) -> Body:
    """The object at `key`; an empty one where there is none."""
    value = body.get(key)
    return cast("Body", value) if isinstance(value, dict) else {}


def _object(body: Body, key: str, file: Path) -> Body:
    value = body.get(key)
    if not isinstance(value, dict):
        message = f"{file}: {key} must be an object, not {value!r}"
        raise RecordError(message, hint="job folders of Harbor 0.24 to 0.26 can be read")
    return cast("Body", value)


def _text(body: Body, key: str, file: Path) -> str:
    value = body.get(key)
    if type(value) is not str or not value:
        message = f"{file}: {key} must be text, not {value!r}"
        raise RecordError(message, hint="job folders of Harbor 0.24 to 0.26 can be read")
    return value
