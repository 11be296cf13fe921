"""Workspaces by number, each judged by the packaged verifier, and what must be true of every verdict.

A workspace is a list of blows, drawn from its seed and number alone; the choices of a blow depend on nothing but these
and its own place in the list. So a workspace that does harm can be made again, and with fewer blows.
"""

from __future__ import annotations

import json
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lattice_env.errors import LatticeError
from lattice_env.keys import Choices
from lattice_env.packages import read_package
from lattice_env.packages.harbor import Package
from lattice_env.testing import write_workspace
from lattice_env.verifier.entry import REWARDS
from lattice_env.verifier.latex import Document, decode
from lattice_env.verifier.verdict import INFRA_ERROR, REJECTED, SCORED

from .blow import Arena, Blow
from .contents import CONTENTS, repair
from .entries import ENTRIES
from .gentle import GENTLE
from .jury import Jury

REPAIR = "repair"
HOSTILE: dict[str, Blow] = {**CONTENTS, **ENTRIES, **GENTLE}
BLOWS: dict[str, Blow] = {REPAIR: repair, **HOSTILE}
"""Every blow by name."""

MOST_BLOWS = 4
UNBUILT = "not built"
"""What the driver's verifier says of a workspace that passed the static gates and was not to be built."""


@dataclass(frozen=True)
class Plan:
    """One workspace, before it is made: its task, its number, and its blows with their places in the list."""

    task: str
    seed: str
    number: int
    blows: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        return f"{self.task} seed {self.seed} number {self.number}: {' '.join(name for _, name in self.blows)}"


@dataclass(frozen=True)
class Trial:
    """What became of one workspace."""

    plan: Plan
    status: str
    reward: float | None
    codes: tuple[str, ...]
    seconds: float
    built: bool
    """Whether it passed the static gates."""
    wrong: tuple[str, ...]
    """Every law that the verdict broke."""


def make_plan(tasks: Sequence[str], seed: str, number: int, *, gentle: bool) -> Plan:
    """The workspace of a number: up to MOST_BLOWS blows, of the gentle ones alone if it is to be built."""
    choose = Choices("fuzz", seed, str(number), "gentle" if gentle else "hostile")
    names = sorted(GENTLE if gentle else HOSTILE)
    drawn = [choose.choice(names) for _ in range(1 + choose.below(MOST_BLOWS))]
    repaired = [REPAIR] * (choose.below(4) > 0)
    return Plan(choose.choice(tasks), seed, number, tuple(enumerate([*repaired, *drawn])))


def strike(plan: Plan, arena: Arena) -> None:
    """Make the workspace of a plan in an empty arena."""
    arena.outside.mkdir(parents=True)
    (arena.outside / "secret.tex").write_text("secret", "utf-8")
    arena.workspace.mkdir()
    write_workspace(arena.package.workspace, arena.workspace)
    for place, name in plan.blows:
        BLOWS[name](arena, Choices("blow", plan.seed, str(plan.number), str(place), name))


def read_tree(folder: Path) -> dict[str, tuple[int, ...]]:
    """Every entry of a folder, itself included, as inode, mode, size and times of change: any write shows."""
    found: dict[str, tuple[int, ...]] = {}
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        try:
            status = place.lstat()
            found[str(place)] = (status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            waiting += place.iterdir() if stat.S_ISDIR(status.st_mode) else ()
        except OSError as error:  # a path longer than the system takes
            found[str(place)] = (error.errno or 0,)
    return found


@dataclass
class Campaign:
    """A run over some packages: a folder of its own, and a verifier's process for each package."""

    packages: dict[str, Package]
    seed: str
    build: bool
    folder: Path
    juries: dict[str, Jury]

    def try_number(self, number: int) -> Trial:
        """Make the workspace of a number, have it judged, and hold the verdict to the laws."""
        return self.try_plan(make_plan(sorted(self.packages), self.seed, number, gentle=self.build))

    def try_plan(self, plan: Plan) -> Trial:
        """The same for a plan."""
        package = self.packages[plan.task]
        scratch, place = self.folder / "judge" / plan.task, self.folder / "arena"
        remove(place)
        arena = Arena(place / "workspace", place / "outside", package)
        place.mkdir(parents=True)
        strike(plan, arena)
        jury = self.juries.setdefault(plan.task, Jury(package.tests, scratch, self.build))
        before = read_tree(place)
        told = jury.judge(arena.workspace)
        return _trial(plan, told, scratch, arena, changed=_changes(before, read_tree(place)))

    def end(self) -> None:
        """End every verifier and remove the folder."""
        for jury in self.juries.values():
            jury.end()
        remove(self.folder)


def _changes(before: dict[str, tuple[int, ...]], after: dict[str, tuple[int, ...]]) -> list[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def remove(folder: Path) -> None:
    """Remove a folder with all that blows put there, however deep."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        message = f"{folder}: cannot be removed"
        raise LatticeError(message)


def _trial(plan: Plan, told: dict[str, Any], scratch: Path, arena: Arena, *, changed: list[str]) -> Trial:
    wrong = [f"crash: {told['crash'].strip()}"] if told["crash"] else []
    wrong += [f"outside: {path}" for path in told["outside"]] + [f"changed: {path}" for path in changed]
    wrong += [f"left behind: {path.name}" for path in [*(scratch / "tmp").iterdir(), *(scratch / "home").iterdir()]]
    verdict = _verdict(scratch / "out", wrong)
    status, reward = verdict.get("status", ""), verdict.get("reward")
    if not told["crash"]:
        wrong += _broken_laws(verdict, scratch / "out")
        wrong += _payments(reward, plan, arena)
    codes = [gate["name"] for gate in verdict.get("gates", ()) if gate["state"] == "failed"]
    codes += [line["code"] for line in verdict.get("redLines", ())]
    built = status == SCORED or "sandbox" in verdict or verdict.get("error") == UNBUILT
    remove(scratch / "out")
    return Trial(plan, status, reward, tuple(dict.fromkeys(codes)), told["seconds"], built, tuple(wrong))


def _verdict(out: Path, wrong: list[str]) -> dict[str, Any]:
    try:
        return json.loads((out / "verdict.json").read_text("utf-8"), parse_constant=_refuse)
    except (OSError, ValueError) as error:
        wrong.append(f"no verdict: {error}")
        return {}


def _refuse(word: str) -> None:
    message = f"{word} is no number"
    raise ValueError(message)


def _broken_laws(verdict: dict[str, Any], out: Path) -> Iterator[str]:
    """What is not as it must be in a verdict and the files that go with it."""
    status, reward, error = verdict.get("status"), verdict.get("reward"), verdict.get("error")
    written = {name for name in REWARDS if (out / name).exists()} - {"verdict.json"}
    if status == INFRA_ERROR:
        if error != UNBUILT:
            yield f"infra_error: {error}"
        if written or reward is not None:
            yield "a reward without a judgement"
        return
    if status not in (SCORED, REJECTED):
        yield f"status {status!r}"
    if not isinstance(reward, float) or not 0 <= reward <= 1:
        yield f"reward {reward!r}"
    if written != {"reward.txt", "reward.json", "reward-details.json"}:
        yield f"rewards written: {sorted(written)}"
    elif (
        not reward == float((out / "reward.txt").read_text()) == json.loads((out / "reward.json").read_text())["reward"]
    ):
        yield "the reward files do not say what the verdict says"


def _payments(reward: float | None, plan: Plan, arena: Arena) -> Iterator[str]:
    """Pay for a paper that nobody repaired, and full pay for one that is not the original."""
    if reward and REPAIR not in (name for _, name in plan.blows):
        yield f"paid {reward} and never repaired"
    if reward == 1 and not _is_original(arena):
        yield "paid in full, and not the original"


def _is_original(arena: Arena) -> bool:
    """Whether the live text of every editable file is the original's, white space apart."""
    for path, data in arena.package.spec.original.items():
        place = arena.workspace / path
        if not place.is_file():
            return False
        ours, theirs = (Document(path, decode(text)).live.split() for text in (place.read_bytes(), data))
        if ours != theirs:
            return False
    return True


Report = Callable[[Trial], None]


def run_campaign(
    folders: Sequence[Path],
    *,
    seed: str,
    first: int,
    count: int,
    build: bool,
    report: Report,
) -> list[Trial]:
    """Try `count` workspaces from number `first` on, and make those that did harm smaller.

    With `build`, numbers go on until so many have been built. Raises PackageError for a package that is not whole.
    """
    packages = {folder.name: read_package(folder) for folder in folders}
    scratch = Path(tempfile.mkdtemp(prefix="lattice-fuzz-")).resolve()
    campaign = Campaign(packages, seed, build, scratch, {})
    before = {name: read_tree(package.folder) for name, package in packages.items()}
    trials: list[Trial] = []
    number, done = first, 0
    try:
        while done < count:
            trial = campaign.try_number(number)
            trial = shrink(trial, campaign.try_plan) if trial.wrong else trial
            done += trial.built or not build
            number += 1
            trials.append(trial)
            report(trial)
    finally:
        campaign.end()
    spoilt = [name for name, package in packages.items() if read_tree(package.folder) != before[name]]
    if spoilt:
        message = f"a verifier wrote into its own package: {', '.join(spoilt)}"
        raise LatticeError(message)
    return trials


def shrink(trial: Trial, attempt: Callable[[Plan], Trial]) -> Trial:
    """The same harm with as few blows as do it, taken away one at a time."""
    for blow in trial.plan.blows:
        rest = tuple(other for other in trial.plan.blows if other != blow)
        smaller = attempt(replace(trial.plan, blows=rest))
        if smaller.wrong and _kind(smaller) == _kind(trial):
            trial = smaller
    return trial


def _kind(trial: Trial) -> str:
    return trial.wrong[0].partition(":")[0]
