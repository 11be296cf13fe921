"""How hard tasks are for the agents that tried them: a label for each task, and what a run is worth to a learner."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lattice_env.errors import RecordError, UsageError

from .estimates import pass_at
from .tally import Tally, policies_of, rewards_of, tally
from .task_facts import TaskFacts
from .trials import CONTROLS, SUSPECT, TASK_EDITED, TASK_UNKNOWN, Policy, Trial

TRIVIAL, UNSOLVABLE, KEEP, UNDERSAMPLED = "TRIVIAL", "UNSOLVABLE", "KEEP", "UNDERSAMPLED"
LABELS = (KEEP, TRIVIAL, UNSOLVABLE, UNDERSAMPLED)
TRIVIAL_FROM, UNSOLVABLE_TO = 0.999, 0.001
"""A task is trivial from this mean reward on, and unsolvable up to this one."""
MIN_ATTEMPTS = 3
FEWEST_TO_DIFFER = 2
"""Attempts that a group needs before their rewards can differ."""

Dimension = Callable[[Trial, TaskFacts], str]
DIMENSIONS: Mapping[str, Dimension] = {
    "operator": lambda _, task: task.operator,
    "family": lambda _, task: task.family,
    "tier": lambda _, task: str(task.tier),
    "seed": lambda _, task: task.seed,
    "agent": lambda trial, _: trial.policy.agent,
    "model": lambda trial, _: trial.policy.model or "none",
}
OF_POLICIES = ("agent", "model")
"""The dimensions that cover the controls too."""


@dataclass(frozen=True)
class Group:
    """One task's attempts by one policy, or by all policies that label it."""

    task: TaskFacts
    policies: tuple[Policy, ...]
    trials: tuple[Trial, ...]
    min_attempts: int

    @cached_property
    def tally(self) -> Tally:
        """What its trials come to."""
        return tally(self.trials)

    @property
    def label(self) -> str:
        """How hard the task is, by the mean reward of the attempts that count."""
        mean = self.tally.mean
        if mean is None or self.tally.scored < self.min_attempts:
            return UNDERSAMPLED
        return TRIVIAL if mean >= TRIVIAL_FROM else UNSOLVABLE if mean <= UNSOLVABLE_TO else KEEP

    @property
    def rewards(self) -> list[float]:
        """The rewards that count."""
        return rewards_of(self.trials)

    @property
    def comparable(self) -> bool:
        """Whether enough attempts count for their rewards to differ."""
        return self.tally.scored >= FEWEST_TO_DIFFER

    @property
    def informative(self) -> bool:
        """Whether the attempts did not all get the same reward: else a group teaches GRPO nothing."""
        return len(set(self.rewards)) > 1

    def pass_at(self) -> dict[int, float]:
        """Each k → pass@k, for the powers of two up to the number of attempts that count, and for that number."""
        return {k: pass_at(k, self.tally.scored, self.tally.solved) for k in attempts_to_ask(self.tally.scored)}


def attempts_to_ask(count: int) -> list[int]:
    """The k of pass@k for `count` attempts: powers of two, and `count`."""
    powers = [1 << n for n in range(count.bit_length())]
    return sorted({k for k in powers if k <= count} | ({count} if count else set()))


@dataclass(frozen=True)
class Calibration:
    """All trials, and the tasks that they label."""

    tasks: Mapping[str, TaskFacts]
    trials: tuple[Trial, ...]
    """All of them, those that do not count included."""
    labelling: tuple[Policy, ...]
    """The policies whose attempts label tasks."""
    verifier: str
    """SHA-256 of the one verifier that judged; empty where no trial tells."""
    min_attempts: int = MIN_ATTEMPTS

    @cached_property
    def baseline(self) -> list[Trial]:
        """The trials of the policies that label."""
        return [trial for trial in self.trials if trial.policy in self.labelling]

    @cached_property
    def labelled(self) -> list[Group]:
        """Every task of the folder with the attempts that label it, by name."""
        by_task = _by(self.baseline, lambda trial: trial.task)
        return [self._group(task, self.labelling, by_task.get(task.name, [])) for task in self.tasks.values()]

    @cached_property
    def groups(self) -> list[Group]:
        """The attempts of each policy at each task, as a GRPO-style learner would see them; controls included."""
        known = [trial for trial in self.trials if trial.task in self.tasks]
        groups = _by(known, lambda trial: (trial.task, trial.policy))
        return [self._group(self.tasks[task], (policy,), trials) for (task, policy), trials in groups.items()]

    @cached_property
    def own_groups(self) -> list[Group]:
        """The groups of the policies that label."""
        return [group for group in self.groups if group.policies[0] in self.labelling]

    def _group(self, task: TaskFacts, policies: tuple[Policy, ...], trials: Sequence[Trial]) -> Group:
        return Group(task, policies, tuple(trials), self.min_attempts)

    @property
    def policies(self) -> list[Policy]:
        """Everyone who acted."""
        return policies_of(self.trials)

    @property
    def suspects(self) -> list[Trial]:
        """Trials with a reward that is not to be believed."""
        return [trial for trial in self.trials if trial.outcome == SUSPECT]

    @cached_property
    def total(self) -> Tally:
        """What all trials come to."""
        return tally(self.trials)

    @cached_property
    def own(self) -> Tally:
        """What the trials of the labelling policies come to."""
        return tally(self.baseline)

    def labels(self) -> dict[str, int]:
        """How many tasks have each label."""
        found = [group.label for group in self.labelled]
        return {label: found.count(label) for label in LABELS}

    def informative(self) -> tuple[int, int]:
        """How many groups of the labelling policies are informative, and how many could be."""
        comparable = [group for group in self.own_groups if group.comparable]
        return sum(group.informative for group in comparable), len(comparable)

    def pass_at(self) -> dict[int, tuple[float, int]]:
        """Each k → the mean pass@k over the groups that have k attempts that count, and how many these are."""
        most = max((group.tally.scored for group in self.own_groups), default=0)
        means: dict[int, tuple[float, int]] = {}
        for k in attempts_to_ask(most):
            enough = [group.tally for group in self.own_groups if group.tally.scored >= k]
            total = sum(pass_at(k, item.scored, item.solved) for item in enough)
            means[k] = total / len(enough), len(enough)
        return means

    def breakdown(self, dimension: str) -> dict[str, Tally]:
        """The tally of each operator, family, tier, seed, agent or model, by name."""
        trials = self.trials if dimension in OF_POLICIES else self.baseline
        known = [trial for trial in trials if trial.task in self.tasks]
        of = DIMENSIONS[dimension]
        groups = _by(known, lambda trial: of(trial, self.tasks[trial.task]))
        return {name: tally(found) for name, found in sorted(groups.items())}

    def heat(self) -> dict[tuple[str, Policy], Tally]:
        """(operator, policy) → tally."""
        known = [trial for trial in self.trials if trial.task in self.tasks]
        groups = _by(known, lambda trial: (self.tasks[trial.task].operator, trial.policy))
        return {cell: tally(found) for cell, found in groups.items()}

    def unexpected(self, reward: float) -> list[Trial]:
        """The trials that did not count, or did not earn exactly `reward`."""
        return [trial for trial in self.trials if not trial.counts or trial.reward != reward]


def _by[K](trials: Sequence[Trial], key: Callable[[Trial], K]) -> dict[K, list[Trial]]:
    groups: dict[K, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(key(trial), []).append(trial)
    return groups


def calibrate(
    trials: Sequence[Trial],
    tasks: Mapping[str, TaskFacts],
    *,
    agents: Collection[str] = (),
    min_attempts: int = MIN_ATTEMPTS,
) -> Calibration:
    """The calibration of `tasks` by the trials of `agents`; by all but the controls where none is named.

    Raises UsageError for an agent that tried nothing, RecordError where two verifiers judged.
    """
    if min_attempts < 1:
        message = f"--min-attempts must be at least 1, not {min_attempts}"
        raise UsageError(message)
    checked = tuple(_compared(trial, tasks) for trial in trials)
    return Calibration(tasks, checked, _labelling(checked, agents), _one_verifier(checked, tasks), min_attempts)


def _compared(trial: Trial, tasks: Mapping[str, TaskFacts]) -> Trial:
    """The trial, counted apart where its task is not there or is no longer what was tried."""
    task = tasks.get(trial.task)
    if task is None:
        return trial.without_score(TASK_UNKNOWN, "its task is not in the folder of tasks", trial.task)
    tried, here = (trial.task_digest, task.digest) if trial.task_digest else (trial.task_id, task.id)
    if tried and tried != here:
        return trial.without_score(TASK_EDITED, "its task was edited since", f"{tried[:10]} became {here[:10]}")
    return trial


def _labelling(trials: Sequence[Trial], agents: Collection[str]) -> tuple[Policy, ...]:
    policies = policies_of(trials)
    unknown = sorted(set(agents) - {policy.agent for policy in policies})
    if unknown:
        known = ", ".join(sorted({policy.agent for policy in policies}))
        message = f"no trial is by {', '.join(unknown)}; there are trials by {known}"
        raise UsageError(message)
    if agents:
        return tuple(policy for policy in policies if policy.agent in agents)
    return tuple(policy for policy in policies if policy.agent not in CONTROLS) or tuple(policies)


def _one_verifier(trials: Sequence[Trial], tasks: Mapping[str, TaskFacts]) -> str:
    """The digest of the verifier; RecordError where there are two."""
    found: dict[str, Path] = {}
    for trial in trials:
        tried = trial.outcome not in (TASK_UNKNOWN, TASK_EDITED)
        if digest := trial.verifier or (tasks[trial.task].verifier if tried else ""):
            found.setdefault(digest, trial.place)
    if len(found) > 1:
        told = "; ".join(f"{digest[:10]} in {place}" for digest, place in list(found.items())[:3])
        message = f"{len(found)} verifiers judged these trials, and their rewards do not compare: {told}"
        raise RecordError(message, hint="calibrate the trials of each verifier by themselves")
    return next(iter(found), "")
