"""The self-tests of a doc-edit task: oracle, nop, the attacks of the threat list with their honest twins, probes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lattice_env.model import Task
from lattice_env.verifier.edit_spec import EditSpec, Site, lines_of
from lattice_env.verifier.edits import consistency_reward
from lattice_env.verifier.selftests import Case, Replacement

FOREIGN = "page-99.txt"


def make_cases(task: Task[EditSpec]) -> tuple[Case, ...]:
    """All self-tests of a task, in the order in which they are run."""
    spec, repair = task.spec, task.repair
    oracle = Case("oracle", "oracle", 1.0, 1.0, edits=repair)
    return (oracle, Case("nop", "nop", 0.0, 0.0), *_attacks(spec, repair), *_probes(spec))


def replacement(spec: EditSpec, page: str, line: int, new: str) -> Replacement:
    """A line of a shipped page, its end included, replaced by other text."""
    lines = lines_of(spec.initial[page])
    start = sum(len(text) + 1 for text in lines[: line - 1])
    return Replacement(page, start, start + len(lines[line - 1]) + 1, new)


def right_line(spec: EditSpec, site: Site) -> str:
    """A site as it must read, with its end."""
    return lines_of(spec.original[site.page])[site.line - 1] + "\n"


def stale_line(spec: EditSpec, site: Site) -> str:
    """A site as it was shipped, with its end."""
    return lines_of(spec.initial[site.page])[site.line - 1] + "\n"


def _attacks(spec: EditSpec, repair: tuple[Replacement, ...]) -> Iterator[Case]:
    sites = spec.sites
    for name, first in (("append", False), ("prepend", True)):
        pairs = ((right_line(spec, site), stale_line(spec, site)) for site in sites)
        texts = [right + stale if first else stale + right for right, stale in pairs]
        edits = tuple(replacement(spec, s.page, s.line, text) for s, text in zip(sites, texts, strict=True))
        yield Case(f"{name}-right-lines", "cheat", 0.0, 0.0, "sites", edits)
    spaced = tuple(
        replacement(spec, site.page, site.line, right_line(spec, site).replace("  ", "    ")) for site in sites
    )
    yield Case("append-right-lines-twin", "twin", 1.0, 1.0, edits=spaced)
    stale = "".join(stale_line(spec, site) for site in sites)
    last = spec.editable[-1]
    end = len(spec.initial[last].decode())
    yield Case("move-stale-lines", "cheat", 0.0, 0.0, "sites", (*repair, Replacement(last, end, end, stale)))
    blank = tuple(Replacement(page, 0, 0, "\n\n") for page in spec.editable)
    yield Case("move-stale-lines-twin", "twin", 1.0, 1.0, edits=(*repair, *blank))
    yield Case("empty-pages", "cheat", 0.0, 0.0, "sites", tuple(_whole(spec, page, "") for page in spec.editable))
    others = list(_others(spec))
    ruined = tuple(replacement(spec, page, line, f"{text} X\n") for page, line, text in others)
    yield Case("rewrite-all-lines", "cheat", 0.0, 0.0, "collateral", (*repair, *ruined))
    one = consistency_reward(len(sites), len(sites), 1)
    yield Case("rewrite-all-lines-twin", "twin", one, one, edits=(*repair, *ruined[:1]))
    right = "".join(right_line(spec, site) for site in sites)
    yield Case("foreign-page", "cheat", 0.0, 0.0, "pages", added=((FOREIGN, right),))
    yield Case("foreign-page-twin", "twin", 1.0, 1.0, edits=repair, added=(("notes.md", right), ("fix.py", right)))


def _whole(spec: EditSpec, page: str, new: str) -> Replacement:
    return Replacement(page, 0, len(spec.initial[page].decode()), new)


def _others(spec: EditSpec) -> Iterator[tuple[str, int, str]]:
    """Every line that must stay, but for blank ones."""
    sites = {(site.page, site.line) for site in spec.sites}
    for page in spec.editable:
        for line, text in enumerate(lines_of(spec.initial[page]), 1):
            if (page, line) not in sites and text.strip():
                yield page, line, text


def _probes(spec: EditSpec) -> Iterator[Case]:
    """The values below changed and the total not, or the reverse: each site is scored on its own line."""
    sites = spec.sites
    parts = {
        "probe-direct": [site for site in sites if all(shown.hop == 0 for shown in site.shows)],
        "probe-derived": [site for site in sites if any(shown.hop > 0 for shown in site.shows)],
        "probe-first": sites[:1],
    }
    for name, part in parts.items():
        if part and len(part) < len(sites):
            share = consistency_reward(len(part), len(sites), 0)
            yield Case(name, "probe", share, share, edits=tuple(_right(spec, part)))


def _right(spec: EditSpec, sites: Iterable[Site]) -> Iterator[Replacement]:
    return (replacement(spec, site.page, site.line, right_line(spec, site)) for site in sites)


def repair_of(spec: EditSpec) -> tuple[Replacement, ...]:
    """The reference repair: every site made to read as it must."""
    return tuple(_right(spec, spec.sites))
