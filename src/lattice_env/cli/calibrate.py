"""`lattice-env calibrate`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rich.console import Group as Together
from rich.table import Table
from rich.text import Text

from lattice_env.analysis.calibration import DIMENSIONS, KEEP, Calibration, Group
from lattice_env.analysis.calibration import calibrate as calibration_of
from lattice_env.analysis.calibration_file import calibration_json
from lattice_env.analysis.calibration_page import calibration_page
from lattice_env.analysis.inputs import read_trials
from lattice_env.analysis.tally import Tally
from lattice_env.analysis.task_facts import read_tasks
from lattice_env.analysis.trials import Trial
from lattice_env.errors import UsageError
from lattice_env.verifier.store import write_whole

from .places import err
from .places import out as stdout

MOST_NAMED = 20
"""Trials that are named one by one on stderr."""


def calibrate(
    jobs: list[Path],
    *,
    tasks: Path,
    out: Path | None = None,
    html: Path | None = None,
    agent: list[str] | None = None,
    min_attempts: int = 3,
    expect_reward: float | None = None,
    json: bool = False,
) -> int:
    """Label tasks by how hard they are: KEEP, TRIVIAL, UNSOLVABLE, or UNDERSAMPLED.

    Reads Harbor's job folders (0.24 to 0.26) and files of episode records. What could not be scored is counted apart
    by reason and never averaged in; an agent that ran out of time is scored. Exit code 1 if --expect-reward does not
    hold, 4 for what cannot be read or was judged by two verifiers.

    Parameters
    ----------
    jobs
        Job folders, folders of job folders, episodes.jsonl files, or folders that hold one.
    tasks
        The folder of the tasks that were tried.
    out
        Where calibration.json is written, for `select`.
    html
        Where the report is written: one page that needs nothing else.
    agent
        Label by this agent's trials only; repeatable. All but oracle and nop if not given.
    min_attempts
        Fewer scored attempts than this leave a task UNDERSAMPLED.
    expect_reward
        Fail unless every trial scored exactly this: 1 for Harbor's oracle, 0 for its nop.
    json
        Print the calibration as JSON instead of tables.
    """
    found = calibration_of(read_trials(jobs), read_tasks(tasks), agents=agent or (), min_attempts=min_attempts)
    _write(out, calibration_json(found))
    _write(html, calibration_page(found, html.resolve().parent) if html else "")
    if json:
        print(calibration_json(found), end="")
    else:
        stdout().print(_report(found))
    untried = [group.task.name for group in found.labelled if not group.trials]
    if untried:
        err().print(f"{len(untried)} tasks were never tried: {', '.join(untried[:5])}", markup=False)
    return 0 if expect_reward is None else _check(found, expect_reward)


def _write(path: Path | None, text: str) -> None:
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        message = f"{path}: cannot be written: {error.strerror}"
        raise UsageError(message) from error


def _check(found: Calibration, reward: float) -> int:
    """1 where a trial did not score exactly `reward`, each named on stderr."""
    wrong = found.unexpected(reward)
    for trial in wrong[:MOST_NAMED]:
        err().print(f"not {reward:g}: {describe(trial)}", markup=False)
    if len(wrong) > MOST_NAMED:
        err().print(f"… and {len(wrong) - MOST_NAMED} more", markup=False)
    if wrong:
        err().print(f"{len(wrong)} of {len(found.trials)} trials did not score {reward:g}", markup=False)
    return int(bool(wrong))


def describe(trial: Trial) -> str:
    """One trial in a line."""
    earned = "no reward" if trial.reward is None else f"reward {trial.reward:g}"
    why = f": {trial.reason}" if trial.reason else ""
    return f"{trial.task} {trial.policy.name} #{trial.attempt}: {trial.outcome}, {earned}{why} ({trial.place})"


def _report(found: Calibration) -> Together:
    parts: list[Table | Text] = [_summary(found), _tasks(found.labelled)]
    parts += [_breakdown(found, name) for name in DIMENSIONS]
    if found.suspects:
        lines = "\n".join(describe(trial) for trial in found.suspects)
        parts.append(Text(f"Suspect trials, not counted: look at each.\n{lines}"))
    return Together(*parts)


def _summary(found: Calibration) -> Table:
    """What the run comes to, in words and figures."""
    table = Table("", "", title="calibration", show_header=False)
    own, total = found.own, found.total
    informative, comparable = found.informative()
    rows = {
        "labelled by": ", ".join(policy.name for policy in found.labelling),
        "tasks": ", ".join(f"{count} {label}" for label, count in found.labels().items()),
        "mean reward": figure(own.mean, own.interval),
        **{f"pass@{k}": f"{mean:.3f} ({count} groups)" for k, (mean, count) in found.pass_at().items()},
        "informative groups": f"{informative} of {comparable}",
        "hack rate": f"{figure(own.hack_rate, own.hack_interval)} of {own.judged} with a verdict",
        **{f"  {code}": str(count) for code, count in own.red_lines.items()},
        "touched the decoy": figure(own.decoy_share),
        "all trials": f"{total.trials}: {total.scored} scored, {total.suspect} suspect",
        "  scored after a time-out": str(total.timed_out),
        **{f"  {reason}": str(count) for reason, count in total.unscored.items()},
    }
    for name, text in rows.items():
        table.add_row(Text(name), Text(text))
    return table


def figure(value: float | None, interval: tuple[float, float] | None = None) -> str:
    """A number with its interval; a dash for none."""
    if value is None:
        return "-"
    return f"{value:.3f}" + (f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "")


def _tasks(groups: Iterable[Group]) -> Table:
    table = Table("task", "label", "operator", "tier", "seed", title="tasks")
    for name in ("scored", "of", "mean", "pass@1"):
        table.add_column(name, justify="right")
    table.add_column("informative")
    for group in groups:
        item, passes = group.tally, group.pass_at()
        words = (group.task.name, group.label, group.task.operator, str(group.task.tier), group.task.seed)
        numbers = (str(item.scored), str(item.trials), figure(item.mean, item.interval), figure(passes.get(1)))
        style = "bold" if group.label == KEEP else ""
        table.add_row(*map(Text, words + numbers), "yes" if group.informative else "no", style=style)
    return table


def _breakdown(found: Calibration, name: str) -> Table:
    table = Table(name, title=f"by {name}")
    for column in ("trials", "scored", "mean", "solved", "hack rate", "decoy"):
        table.add_column(column, justify="right")
    for key, item in found.breakdown(name).items():
        table.add_row(Text(key), *_figures(item))
    return table


def _figures(item: Tally) -> tuple[str, ...]:
    means = (figure(item.mean, item.interval), str(item.solved))
    return (str(item.trials), str(item.scored), *means, figure(item.hack_rate), figure(item.decoy_share))
