"""Every submission that we have, judged from nothing and by one pass: both verdicts must be the same to the byte."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_env.executors import Executor, in_order
from lattice_env.packages import read_package
from lattice_env.packages.harbor import Package
from lattice_env.verifier.intake import Submission, read_submission
from lattice_env.verifier.judge import verify
from lattice_env.verifier.spec import Spec, TaskSpec
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import INFRA_ERROR, Verdict

from .blow import Arena
from .campaign import make_plan, remove, strike

WAYS = ("hostile", "gentle")
MOST_TRIES = 3
"""How often a submission is tried on a machine that cannot judge."""


@dataclass(frozen=True)
class Comparison:
    """What became of all submissions to one task."""

    task: str
    family: str
    cases: int
    """Self-tests: the oracle, cheats, twins and probes."""
    workspaces: int
    """Fuzzed ones."""
    paid: int
    """How many earned more than 0."""
    quick: int
    """Builds that one pass was enough for."""
    differing: tuple[str, ...]
    """Submissions whose two verdicts are not the same."""
    unjudged: tuple[str, ...]
    """Submissions that this machine could not judge, which says nothing of either way."""


def compare_all(
    folders: Sequence[Path], *, seed: str, count: int, executor: Executor, report: Callable[[Comparison], None]
) -> list[Comparison]:
    """Judge every self-test of the packages both ways and, of papers, `count` hostile and gentle workspaces each.

    Raises PackageError for a package that is not whole.
    """
    found: list[Comparison] = []
    for comparison in in_order(executor, compare, ((folder, seed, count) for folder in folders)):
        found.append(comparison)
        report(comparison)
    return found


def compare(folder: Path, seed: str, count: int) -> Comparison:
    """All submissions to one package, judged both ways with stores that share nothing and begin empty."""
    package = read_package(folder)
    with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
        place = Path(scratch).resolve()
        cold, quick = Store(place / "cold"), Store(place / "quick", fast=True)
        names, paid, differing, unjudged = list[str](), 0, list[str](), list[str]()
        for name, submission in _submissions(package, place / "arena", seed, count):
            ours, theirs = (_judged(package.spec, submission, store) for store in (quick, cold))
            names.append(name)
            paid += bool(theirs.reward)
            if INFRA_ERROR in (ours.status, theirs.status):
                unjudged.append(name)
            elif ours.to_json() != theirs.to_json():
                differing.append(name)
        found = sum(1 for _ in (place / "quick").rglob("*-fast.json"))
    cases, words = len(package.cases), (tuple(differing), tuple(unjudged))
    return Comparison(folder.name, package.spec.family, cases, len(names) - cases, paid, found, *words)


def _judged(spec: TaskSpec, submission: Submission, store: Store) -> Verdict:
    """The verdict, tried anew where the machine cannot judge: it may have been too busy for a moment."""
    for _ in range(MOST_TRIES - 1):
        verdict = verify(spec, submission, store)
        if verdict.status != INFRA_ERROR:
            return verdict
    return verify(spec, submission, store)


def _submissions(package: Package, place: Path, seed: str, count: int) -> Iterator[tuple[str, Submission]]:
    """The names and the submissions: those that the package carries, then those that are drawn."""
    for case in package.cases:
        yield case.name, case.submission(package.workspace)
    for way in WAYS if _is_paper(package.spec) else ():
        for number in range(count):
            yield f"{way} {number}", _fuzzed(package, place, seed, number, gentle=way == "gentle")


def _is_paper(spec: TaskSpec) -> bool:
    """Whether blows, which are at a paper's sources, can be struck; nothing else is built either."""
    return isinstance(spec, Spec)


def _fuzzed(package: Package, place: Path, seed: str, number: int, *, gentle: bool) -> Submission:
    """The workspace of a number, as `fuzz` makes it for this package alone."""
    place.mkdir()
    arena = Arena(place / "workspace", place / "outside", package)
    try:
        strike(make_plan([package.folder.name], seed, number, gentle=gentle), arena)
        return read_submission(arena.workspace)
    finally:
        remove(place)
