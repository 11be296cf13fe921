"""How hard each level is: what thoughtless programs and the oracle earn on its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import fmean

from lattice_env.verifier.edit_spec import FAMILIES

from .levels import LEVELS
from .make import Made, make_task, play
from .recipe import Knobs, recipes

SHOWN = ("nop", "random", "direct-only", "regex", "oracle")


@dataclass(frozen=True)
class Rung:
    """One level of one family, or of both: means over its tasks."""

    level: str
    families: tuple[str, ...]
    tasks: int
    pages: float
    sites: float
    rewards: Mapping[str, float]
    """Baseline → mean reward."""


def measure(
    tasks: int,
    seed: int | str,
    *,
    genres: Sequence[str] = (),
    locales: Sequence[str] = (),
    report: Callable[[str], None],
) -> Iterator[Rung]:
    """The rungs of each level: each family by itself, then both together; `tasks` for each level and family."""
    for level in LEVELS:
        found: dict[str, list[tuple[int, int, dict[str, float]]]] = {}
        for family in FAMILIES:
            report(f"{level}: {tasks} tasks of {family}")
            knobs = Knobs(seed=seed, families=(family,), levels=(level,), genres=tuple(genres), locales=tuple(locales))
            found[family] = [_played(made) for made in map(make_task, islice(recipes(knobs), tasks))]
            yield _rung(level, (family,), found[family])
        yield _rung(level, FAMILIES, [row for rows in found.values() for row in rows])


def _played(made: Made) -> tuple[int, int, dict[str, float]]:
    """Pages, sites, and what every baseline earns."""
    spec = made.task.spec
    return len(spec.editable), len(spec.sites), {name: play(name, spec, made.change) for name in SHOWN}


def _rung(level: str, families: tuple[str, ...], rows: Sequence[tuple[int, int, dict[str, float]]]) -> Rung:
    pages, sites, rewards = zip(*rows, strict=True)
    means = {name: fmean(reward[name] for reward in rewards) for name in SHOWN}
    return Rung(level, families, len(rows), fmean(pages), fmean(sites), means)


def ladder_table(rungs: Sequence[Rung]) -> str:
    """The rungs as a table of Markdown, ending in a newline."""
    head = ("level", "family", "tasks", "pages", "sites", *SHOWN)
    rows = [head, tuple("---" for _ in head)]
    for rung in rungs:
        family = rung.families[0] if len(rung.families) == 1 else "both"
        figures = (f"{rung.pages:.1f}", f"{rung.sites:.1f}", *(f"{rung.rewards[name]:.2f}" for name in SHOWN))
        rows.append((rung.level, family, str(rung.tasks), *figures))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
