"""Doc-edit: sites count where they belong, stale lines beside them cancel them, collateral counts by content."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lattice_env.verifier import verify
from lattice_env.verifier.alignment import align
from lattice_env.verifier.edit_spec import EditSpec, Shown, Site, identity
from lattice_env.verifier.edits import PENALTY, read_pages
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.verdict import REJECTED, SCORED

TEXT = """\
ORDER PO-1

Dear sir,
the total comes to $100.00.
A deposit of $100.00 is on file.

Item   10.00
Total  100.00
We pay USD 100.00 by May 1, 2026.
Yours
"""
TWICE = """\
ORDER PO-1

Terms
Net.
The total of $100.00 is due.
The total of $100.00 is due.
End
"""
RIGHT = {
    ("page-01.txt", 4): "the total comes to $120.00.",
    ("page-01.txt", 7): "Item   12.00",
    ("page-01.txt", 8): "Total  120.00",
    ("page-01.txt", 9): "We pay USD 120.00 by May 1, 2026.",
    ("page-02.txt", 5): "The total of $120.00 is due.",
    ("page-02.txt", 6): "The total of $120.00 is due.",
}
BEFORE = {"page-01.txt": TEXT.split("\n")[:-1], "page-02.txt": TWICE.split("\n")[:-1]}
AFTER = {page: [RIGHT.get((page, n), line) for n, line in enumerate(lines, 1)] for page, lines in BEFORE.items()}
HOPS = {("page-01.txt", 7): 0}


def pages(lines):
    return {page: ("\n".join(text) + "\n").encode() for page, text in lines.items()}


def make_spec():
    sites = tuple(
        Site(
            page, line, (Shown("total", "usd", HOPS.get((page, line), 1), "echo", ("$120.00", "USD 120.00", "120.00")),)
        )
        for page, line in RIGHT
    )
    initial = pages(BEFORE)
    spec = EditSpec(
        task="", family="reference-and-update", version=1, genre="g", locale="l", level="v", operator="update:x",
        request="r", max_turns=9, editable=tuple(initial),
        files={path: hashlib.sha256(data).hexdigest() for path, data in initial.items()},
        sites=sites, decoys=(), initial=initial, original=pages(AFTER),
    )  # fmt: skip
    return replace(spec, task=identity(spec))


SPEC = make_spec()
SITES = list(RIGHT)


def judge(lines):
    return verify(SPEC, Submission(pages(lines)))


def edited(sites=(), base=BEFORE):
    """The pages with these sites made right."""
    return {p: [RIGHT[p, n] if (p, n) in sites else line for n, line in enumerate(t, 1)] for p, t in base.items()}


subsets = st.sets(st.sampled_from(SITES))
places = st.sampled_from([(page, n) for page, lines in BEFORE.items() for n in range(len(lines) + 1)])
harmless = st.text(alphabet=st.characters(codec="ascii", exclude_characters="\n\r"), min_size=1, max_size=20)


def test_the_expected_pages_earn_one_and_the_shipped_ones_nothing():
    right, stale = judge(AFTER), judge(BEFORE)
    assert (right.status, right.reward, right.components["exact_document_match"]) == (SCORED, 1.0, 1.0)
    assert (stale.status, stale.reward, stale.codes()) == (REJECTED, 0.0, {"sites"})
    assert stale.components["stale_sites"] == len(SITES)


@given(subsets)
def test_e1_every_site_is_scored_on_its_own_line(sites):
    verdict = judge(edited(sites))
    assert verdict.reward == len(sites) / len(SITES)
    assert verdict.components["collateral_lines"] == 0
    assert verdict.components["stale_sites"] == len(SITES) - len(sites)


@given(st.sets(st.sampled_from(SITES), min_size=1), st.booleans())
def test_e3_a_right_line_beside_a_stale_one_earns_nothing(sites, before):
    lines = {
        page: [
            text
            for n, line in enumerate(found, 1)
            for text in (
                ([RIGHT[page, n], line] if before else [line, RIGHT[page, n]]) if (page, n) in sites else [line]
            )
        ]
        for page, found in BEFORE.items()
    }
    verdict = judge(lines)
    assert verdict.reward == 0
    assert "sites" in verdict.codes()
    assert verdict.components["collateral_lines"] == len(sites)


@given(places, st.sets(st.sampled_from(SITES), min_size=1))
def test_e3_a_stale_line_kept_anywhere_cancels_the_right_one(place, sites):
    page, at = place
    lines = edited(SITES)
    stale = [BEFORE[p][n - 1] for p, n in sorted(sites)]
    lines[page] = [*lines[page][:at], *stale, *lines[page][at:]]
    assert judge(lines).components["site_recall"] == (len(SITES) - len(sites)) / len(SITES)


@given(places, st.lists(harmless.filter(str.strip), min_size=1, max_size=8), subsets)
def test_e2_what_is_inserted_is_counted_by_content_and_shifts_nothing(place, added, sites):
    page, at = place
    lines = edited(sites)
    added = [f"# {text}" for text in added]
    lines[page] = [*lines[page][:at], *added, *lines[page][at:]]
    verdict = judge(lines)
    assert verdict.components["site_recall"] == len(sites) / len(SITES)
    assert verdict.components["collateral_lines"] == len(added)
    assert verdict.reward == max(0.0, len(sites) / len(SITES) - PENALTY * len(added))


@given(places, st.integers(1, 5), subsets)
def test_e2_honest_twin_blank_lines_and_padding_cost_nothing(place, count, sites):
    page, at = place
    lines = edited(sites)
    lines[page] = [*lines[page][:at], *[""] * count, *(line.replace("  ", "     ") for line in lines[page][at:])]
    verdict = judge(lines)
    assert verdict.reward == len(sites) / len(SITES)
    assert verdict.components["exact_document_match"] == 0


@pytest.mark.parametrize(
    ("change", "collateral"),
    [
        (lambda p: [*p[:9], "Yours truly"], 1),
        (lambda p: [*p[:2], "Dear", "sir,", *p[3:]], 2),
        (lambda p: [f"{p[0]} {p[2]}", *p[3:]], 2),
        (lambda p: [p[0], "", *p[3:]], 1),
        (lambda p: [*p[2:], *p[:2]], 2),
        (lambda p: p, 0),
    ],
    ids=["changed", "split", "merged", "lost", "moved", "nothing"],
)
def test_changes_are_counted_for_what_they_are(change, collateral):
    lines = edited(SITES)
    lines["page-01.txt"] = change(lines["page-01.txt"])
    verdict = judge(lines)
    assert verdict.components["collateral_lines"] <= collateral
    assert verdict.components["collateral_lines"] >= min(collateral, 1)
    assert verdict.components["site_recall"] == 1


def test_e2_emptied_pages_and_missing_ones_earn_nothing():
    for lines in ({"page-01.txt": [""], "page-02.txt": [""]}, {}):
        verdict = judge(lines)
        assert (verdict.reward, "sites" in verdict.codes()) == (0, True)
    one = {"page-01.txt": edited(SITES)["page-01.txt"]}
    assert judge(one).components["site_recall"] == 4 / 6
    assert judge(one).components["collateral_lines"] == 4


def test_e2_rewriting_every_line_costs_all_that_the_sites_bring():
    lines = edited(SITES)
    ruined = {p: [t if (p, n) in RIGHT else f"{t} X" for n, t in enumerate(found, 1)] for p, found in lines.items()}
    verdict = judge(ruined)
    assert (verdict.reward, verdict.codes()) == (0, {"collateral"})
    assert verdict.components["site_recall"] == 1


def test_a_right_value_in_another_format_is_told():
    lines = edited(SITES)
    lines["page-01.txt"][8] = "We pay $120.00 by May 1, 2026."
    verdict = judge(lines)
    assert verdict.components["format_miss_sites"] == 1
    assert verdict.reward == 5 / 6 - PENALTY


def test_recall_is_told_by_hop_and_by_format():
    parts = judge(edited([("page-01.txt", 7)])).components
    assert (parts["direct_recall"], parts["cascade_recall"]) == (1, 0)
    assert (parts["recall_hop_0"], parts["recall_hop_1"]) == (1, 0)
    assert parts["recall_format_usd"] == 1 / 6


def test_files_that_pass_for_pages_are_refused_and_others_are_not():
    page = judge({**edited(SITES), "page-99.txt": ["more"]})
    assert (page.reward, page.codes()) == (0, {"pages"})
    assert judge({**edited(SITES), "old/PAGE-1.txt": ["more"]}).codes() == {"pages"}
    assert judge({**edited(SITES), "notes.md": ["more"], "page-01.txt~": ["old"]}).reward == 1


@settings(max_examples=200)
@given(st.dictionaries(st.sampled_from(["page-01.txt", "page-02.txt"]), st.binary(max_size=300)))
def test_no_bytes_crash_it_or_earn_anything(files):
    verdict = verify(SPEC, Submission(files))
    assert (verdict.status, verdict.reward) == (REJECTED, 0)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_ends_of_lines_are_other_lines(end):
    files = {page: data.replace(b"\n", end.encode()) for page, data in pages(AFTER).items()}
    assert verify(SPEC, Submission(files)).reward == 0


def test_e4_a_page_of_a_megabyte_is_read_like_any_other():
    lines = edited(SITES)
    lines["page-01.txt"] = [*lines["page-01.txt"], "x" * 1_000_000]
    assert judge(lines).reward == 1 - PENALTY
    lines["page-01.txt"] = [*edited(SITES)["page-01.txt"], *(f"line {n}" for n in range(100_000))]
    assert judge(lines).reward == 0


lines = st.lists(st.sampled_from("abcde"), max_size=30)


@given(lines, lines)
def test_an_alignment_matches_equal_lines_in_order(before, found):
    matched = align(before, before, found).matched
    pairs = sorted(matched.items())
    assert all(before[index] == found[place] for index, place in pairs)
    assert [place for _, place in pairs] == sorted({place for _, place in pairs})


@given(lines, lines)
def test_gaps_hold_all_that_is_not_matched(before, found):
    alignment = align(before, before, found)
    lost = {i for gap in alignment.gaps for i in range(gap.start, gap.end)}
    added = {j for gap in alignment.gaps for j in range(gap.low, gap.high)}
    assert lost == set(range(len(before))) - alignment.matched.keys()
    assert added == set(range(len(found))) - set(alignment.matched.values())


@given(lines)
def test_lines_inserted_into_a_document_leave_all_others_matched(before):
    found = [text for line in before for text in ("new", line)]
    assert len(align(before, before, found).matched) == len(before)


def test_reading_does_not_depend_on_what_else_is_there():
    files = pages(edited(SITES[:2]))
    assert read_pages(SPEC, files) == read_pages(SPEC, dict(reversed(files.items())))
