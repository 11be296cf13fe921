"""From submitted pages to a verdict: `consistency_reward`, and what is told beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .alignment import align
from .edit_spec import EditSpec, Shown, Site, lines_of, plain
from .intake import Submission, check_files
from .store import Store
from .verdict import FAILED, REJECTED, SCORED, SKIPPED, Finding, GateResult, Verdict

PENALTY = 0.1
"""What each collateral line takes from the reward."""
MOST_REASONS = 20
PAGE = re.compile(r"page-\d+\.txt", re.IGNORECASE)
"""What a file must not be called that is no page of the document; all other files beside the pages are ignored."""


@dataclass(frozen=True)
class Reading:
    """What became of a document's lines."""

    right: frozenset[int]
    """Sites, by their line in `before`, that read as expected."""
    stale: frozenset[int]
    """Sites that read as they were shipped, or whose old line stands beside the new one."""
    wrong_format: frozenset[int]
    """Sites that show the right value in another format than the line had."""
    collateral: int
    """Lines that were changed, inserted or lost and that no site accounts for."""
    exact: bool


def judge(spec: EditSpec, submission: Submission, _store: Store, known: Mapping[str, object]) -> Verdict:
    """The verdict on a submission; nothing is built for it."""
    gates = (
        GateResult.of("import", [*submission.findings, *check_files(submission.files)]),
        GateResult.of("pages", _foreign(spec, submission)),
    )
    if any(gate.state == FAILED for gate in gates):
        skipped = (GateResult("sites", SKIPPED), GateResult("collateral", SKIPPED))
        return Verdict(REJECTED, 0.0, gates + skipped, facts=known)
    reading = read_pages(spec, submission.files)
    reward = consistency_reward(len(reading.right), len(spec.sites), reading.collateral)
    components = {"consistency_reward": reward, **dict(_metrics(spec, reading))}
    missed = [] if reading.right else [_missed(spec, reading, index) for index in sorted(spec.site_at)]
    spoilt = reward == 0 and reading.collateral > 0
    text = f"{reading.collateral} lines that had to stay were changed, added or lost"
    gates += (
        GateResult.of("sites", missed[:MOST_REASONS]),
        GateResult.of("collateral", [Finding("collateral", text=text)] if spoilt else []),
    )
    status = REJECTED if reward == 0 else SCORED
    return Verdict(status, reward, gates, components=components, facts=known)


def consistency_reward(right: int, sites: int, collateral: int) -> float:
    """The share of sites that read as expected, less 0.1 for each collateral line, from 0 to 1."""
    return min(1.0, max(0.0, right / sites - PENALTY * collateral))


def read_pages(spec: EditSpec, files: Mapping[str, bytes]) -> Reading:
    """What became of each line of the document in these pages; a page that is not there is empty."""
    before, after = spec.before, spec.after
    found = [plain(line) for page in spec.editable for line in (lines_of(files[page]) if page in files else ())]
    alignment = align(before, after, found)
    matched = set(alignment.matched.values())
    leftover = Counter(line for place, line in enumerate(found) if place not in matched)
    right: set[int] = set()
    stale: set[int] = set()
    for index in spec.site_at:
        place = alignment.matched.get(index, -1)
        if place >= 0 and found[place] == after[index] and not _take(leftover, before[index]):
            right.add(index)
        elif place >= 0:
            stale.add(index)
    wrong: set[int] = set()
    collateral = 0
    for gap in alignment.gaps:
        lost = sum(1 for i in range(gap.start, gap.end) if before[i].strip() and i not in spec.site_at)
        added = [line for line in found[gap.low : gap.high] if line.strip()]
        collateral += max(lost, len(added))
        pairs = zip(range(gap.start, gap.end), found[gap.low : gap.high], strict=False)
        wrong |= {i for i, line in pairs if i in spec.site_at and _shows(line, spec.site_at[i].shows)}
    return Reading(frozenset(right), frozenset(stale), frozenset(wrong), collateral, _is_exact(spec, files))


def _is_exact(spec: EditSpec, files: Mapping[str, bytes]) -> bool:
    return all(files.get(page) == spec.original[page] for page in spec.editable)


def _take(counts: Counter[str], line: str) -> bool:
    """Whether there is one more such line; it is gone then."""
    if not line.strip() or counts[line] < 1:
        return False
    counts[line] -= 1
    return True


def _shows(line: str, shown: Iterable[Shown]) -> bool:
    return all(any(form in line for form in value.forms) for value in shown)


def _metrics(spec: EditSpec, reading: Reading) -> Iterator[tuple[str, float]]:
    """The seed's metrics, and recall by what the sites show; a kind of site that the task lacks has no entry."""
    sites, right = spec.site_at, reading.right
    yield "site_recall", len(right) / len(sites)
    yield "exact_document_match", float(reading.exact)
    yield "collateral_lines", float(reading.collateral)
    yield "collateral_rate", reading.collateral / max(1, sum(1 for line in spec.before if line.strip()))
    yield "stale_sites", float(len(reading.stale))
    yield "format_miss_sites", float(len(reading.wrong_format))
    kinds: dict[str, list[int]] = {}
    for index, site in sites.items():
        for kind in sorted(set(_kinds(site))):
            kinds.setdefault(kind, []).append(index)
    for kind, members in sorted(kinds.items()):
        yield kind, sum(1 for index in members if index in right) / len(members)


def _kinds(site: Site) -> Iterator[str]:
    for shown in site.shows:
        yield "cascade_recall" if shown.hop else "direct_recall"
        yield f"recall_hop_{shown.hop}"
        yield f"recall_format_{shown.style}"


def _missed(spec: EditSpec, reading: Reading, index: int) -> Finding:
    site = spec.site_at[index]
    code = "stale" if index in reading.stale else "format" if index in reading.wrong_format else "missed"
    return Finding(code, site.page, site.line, f"{', '.join(shown.fact for shown in site.shows)}: not as it must read")


def _foreign(spec: EditSpec, submission: Submission) -> Iterator[Finding]:
    """Files that pass for pages of this document, and are none."""
    for path in sorted(submission.files):
        if path not in spec.files and PAGE.fullmatch(path.rpartition("/")[2]):
            yield Finding("foreign", path, text="not a page of this document")
