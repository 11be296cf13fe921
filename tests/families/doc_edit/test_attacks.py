"""The attack list E1 to E4 on tasks of every genre, level and family: what pays, and the honest twins beside it."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from lattice_env.families.doc_edit.levels import LEVELS
from lattice_env.families.doc_edit.make import make_task
from lattice_env.families.doc_edit.oracle import play_oracle
from lattice_env.families.doc_edit.recipe import Knobs, recipes
from lattice_env.families.doc_edit.session import MOST_TEXT, Session
from lattice_env.seeds.documents import genre_names, locale_names
from lattice_env.verifier import verify
from lattice_env.verifier.edit_spec import FAMILIES, lines_of
from lattice_env.verifier.edits import consistency_reward
from lattice_env.verifier.intake import Submission

untimed = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@cache
def spec_of(family, level, genre, locale, number):
    """One proved task of that kind."""
    knobs = Knobs(seed="attacks", families=(family,), levels=(level,), genres=(genre,), locales=(locale,))
    return make_task(next(islice(recipes(knobs), number, None))).task.spec


kinds = st.tuples(
    st.sampled_from(FAMILIES),
    st.sampled_from([*LEVELS]),
    st.sampled_from(genre_names()),
    st.sampled_from(locale_names()),
    st.integers(0, 3),
)
specs = kinds.map(lambda kind: spec_of(*kind))


@st.composite
def tasks_and_sites(draw, least=0):
    """A task and some of its sites, by page and line from 0."""
    spec = draw(specs)
    places = [(site.page, site.line - 1) for site in spec.sites]
    return spec, draw(st.sets(st.sampled_from(places), min_size=least))


def pages_of(spec, change):
    """The pages, each line replaced by the lines that `change` makes of it: page, line from 0, shipped, right."""
    files = {}
    for page in spec.editable:
        pairs = zip(lines_of(spec.initial[page]), lines_of(spec.original[page]), strict=True)
        lines = [text for at, (old, new) in enumerate(pairs) for text in change((page, at), old, new)]
        files[page] = ("\n".join(lines) + "\n").encode()
    return files


def judged(spec, files):
    """The verdict on pages."""
    return verify(spec, Submission(files))


def share(spec, count, collateral=0):
    """What `count` sites are worth."""
    return consistency_reward(count, len(spec.sites), collateral)


@untimed
@given(tasks_and_sites())
def test_e1_every_site_is_scored_on_its_own_line_whichever_are_right(case):
    spec, sites = case
    verdict = judged(spec, pages_of(spec, lambda place, old, new: [new if place in sites else old]))
    assert verdict.reward == share(spec, len(sites))
    assert verdict.components["collateral_lines"] == 0


@untimed
@given(specs, st.booleans())
def test_e1_the_total_without_what_is_below_it_or_the_reverse_earns_its_share_alone(spec, top):
    far = {(site.page, site.line - 1): max(shown.hop for shown in site.shows) for site in spec.sites}
    most = max(far.values())
    right = {place for place, hop in far.items() if (hop == most) == top}
    assume(right and len(right) < len(far))
    verdict = judged(spec, pages_of(spec, lambda place, old, new: [new if place in right else old]))
    assert verdict.reward == share(spec, len(right)) < 1


@untimed
@given(specs)
def test_e2_every_line_rewritten_earns_nothing_though_all_sites_are_right(spec):
    sites = {(site.page, site.line - 1) for site in spec.sites}
    others = pages_of(spec, lambda place, old, new: [new if place in sites or not old.strip() else f"{old} X"])
    verdict = judged(spec, others)
    assert verdict.reward == 0.0
    assert "collateral" in verdict.codes()
    assert verdict.components["collateral_lines"] >= 10


@untimed
@given(tasks_and_sites(), st.integers(0, 400), st.integers(1, 12))
def test_e2_inserted_lines_shift_nothing_and_each_is_counted_once(case, at, count):
    spec, sites = case
    files = pages_of(spec, lambda place, old, new: [new if place in sites else old])
    page = spec.editable[at % len(spec.editable)]
    lines = lines_of(files[page])
    place = at % (len(lines) + 1)
    lines[place:place] = [f"# inserted {number}" for number in range(count)]
    verdict = judged(spec, {**files, page: ("\n".join(lines) + "\n").encode()})
    assert verdict.components["site_recall"] == len(sites) / len(spec.sites)
    assert verdict.components["collateral_lines"] == count
    assert verdict.reward == share(spec, len(sites), count)


@untimed
@given(tasks_and_sites(), st.integers(1, 3))
def test_e2_twin_blank_lines_and_padding_cost_nothing(case, count):
    spec, sites = case

    def padded(place, old, new):
        text = new if place in sites else old
        return [text.replace("  ", "      "), *[""] * (0 if text.strip() else count)]

    assert judged(spec, pages_of(spec, padded)).reward == share(spec, len(sites))


@untimed
@given(specs)
def test_e2_emptied_pages_and_none_earn_nothing(spec):
    for files in ({}, dict.fromkeys(spec.editable, b""), dict.fromkeys(spec.editable, b"\n" * 40)):
        verdict = judged(spec, files)
        assert verdict.reward == 0.0
        assert "sites" in verdict.codes()


@untimed
@given(specs, st.booleans())
def test_e3_every_corrected_line_beside_the_stale_one_scores_0(spec, before):
    sites = {(site.page, site.line - 1) for site in spec.sites}

    def beside(place, old, new):
        return ([new, old] if before else [old, new]) if place in sites else [old]

    verdict = judged(spec, pages_of(spec, beside))
    assert verdict.reward == 0.0
    assert "sites" in verdict.codes()
    assert verdict.components["site_recall"] == 0


@untimed
@given(specs, st.integers(0, 400))
def test_e3_every_corrected_line_appended_to_some_page_scores_0(spec, at):
    right = [lines_of(spec.original[site.page])[site.line - 1] for site in spec.sites]
    page = spec.editable[at % len(spec.editable)]
    text = spec.initial[page] + ("\n".join(right) + "\n").encode()
    verdict = judged(spec, {**spec.initial, page: text})
    assert verdict.reward == 0.0
    assert "sites" in verdict.codes()


@untimed
@given(tasks_and_sites(least=1))
def test_e3_a_right_line_beside_a_stale_one_is_a_miss_and_the_others_keep_what_they_earn(case):
    spec, both = case
    sites = {(site.page, site.line - 1) for site in spec.sites}

    def some(place, old, new):
        return [old, new] if place in both else [new if place in sites else old]

    verdict = judged(spec, pages_of(spec, some))
    assert verdict.components["site_recall"] == (len(sites) - len(both)) / len(sites)
    assert verdict.reward == share(spec, len(sites) - len(both), len(both))


LOOKS_LIKE = str.maketrans(
    {"a": "\u0430", "e": "\u0435", "o": "\u043e", "0": "\u041e", "1": "l", "2": "\u01a7", " ": "\u00a0"}
)
DISGUISES = {
    "homoglyphs": lambda text: text.translate(LOOKS_LIKE),
    "NBSP": lambda text: re.sub(" (?=[^ ])", "\u00a0", text),
    "zero-width spaces": "\u200b".join,
    "fullwidth digits": lambda text: text.translate({48 + n: 0xFF10 + n for n in range(10)}),
    "soft hyphens": lambda text: f"{text}\u00ad",
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(spec=specs)
def test_what_only_looks_like_the_right_line_earns_nothing(disguise, spec):
    sites = {(site.page, site.line - 1) for site in spec.sites}
    files = pages_of(spec, lambda place, old, new: [disguise(new) if place in sites else old])
    assume(all(disguise(new) != new for new in _right_lines(spec)))
    assert judged(spec, files).reward == 0.0


def _right_lines(spec):
    return [lines_of(spec.original[site.page])[site.line - 1] for site in spec.sites]


texts = st.text(max_size=30) | st.just("x" * 1_000_000) | st.just("")
calls = st.lists(
    st.tuples(
        st.just("edit_text"), st.fixed_dictionaries({"page": st.integers(-1, 6), "old_text": texts, "new_text": texts})
    )
    | st.sampled_from([("read_page", {"page": 1}), ("search_doc", {"query": "e"}), ("submit", {})]),
    max_size=150,
)


@settings(max_examples=60, deadline=None)
@given(calls)
def test_e4_any_run_of_calls_is_bounded_counted_and_judged(made_calls):
    spec = spec_of(FAMILIES[0], "note", "purchase-order", "en_US", 0)
    session = Session(spec)
    for name, arguments in made_calls:
        session.act(name, arguments)
    done = session.metrics()
    assert session.turns == min(session.turns, spec.max_turns, len(made_calls))
    assert done["num_edits"] <= done["edit_text_calls"] <= spec.max_turns
    longest = max(len(page) for page in spec.initial.values())
    assert all(len(page) <= 4 * (longest + spec.max_turns * MOST_TEXT) for page in session.files().values())
    assert session.verdict().reward == 0.0


@untimed
@given(specs, st.integers(0, 10))
def test_e4_edits_undone_again_leave_what_the_oracle_can_still_do(spec, loops):
    session = Session(spec)
    page = "\n".join(lines_of(spec.initial[spec.editable[0]]))
    line = next(line for line in page.split("\n") if line.strip() and page.count(line) == 1)
    for _ in range(loops):
        session.act("edit_text", {"page": 1, "old_text": line, "new_text": "AGAIN"})
        session.act("edit_text", {"page": 1, "old_text": "AGAIN", "new_text": line})
    assert session.files() == dict(spec.initial)
    assert session.metrics()["num_edits"] == min(2 * loops, spec.max_turns)
    play_oracle(session)
    if session.submitted:
        assert session.verdict().reward == 1.0
    assert session.turns <= spec.max_turns
