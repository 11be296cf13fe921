"""Every task is proved before it is offered, is like no other, and is made again from a few words."""

from __future__ import annotations

import json
from itertools import islice

import pytest

from lattice_env.errors import RecipeError, UnprovedError, UsageError
from lattice_env.families.doc_edit.baselines import FLOORS
from lattice_env.families.doc_edit.make import make_task, play, remake_task
from lattice_env.families.doc_edit.oracle import play_oracle
from lattice_env.families.doc_edit.recipe import Knobs, Recipe, read_recipe, recipe_json, recipes
from lattice_env.families.doc_edit.session import Session
from lattice_env.verifier.edit_spec import FAMILIES, lines_of
from lattice_env.verifier.selftests import run
from lattice_env.verifier.store import Store


def test_the_oracle_earns_one_through_the_tools_within_the_turns(made):
    session = Session(made.task.spec)
    play_oracle(session)
    verdict = session.verdict()
    assert (verdict.reward, session.submitted, verdict.components["exact_document_match"]) == (1.0, True, 1.0)
    assert session.turns <= made.task.spec.max_turns
    assert verdict.components["refused_calls"] == 0


def test_nop_earns_nothing_and_baselines_no_more_than_their_floors(made):
    spec = made.task.spec
    assert play("nop", spec, made.change) == 0
    for name, floors in FLOORS.items():
        assert play(name, spec, made.change) <= floors[spec.level], name


def test_every_self_test_holds(made):
    results = list(run(made.task.spec, made.task.start, made.task.cases, Store()))
    assert [result.explain() for result in results if not result.held] == []
    assert {case.kind for case in made.task.cases} >= {"oracle", "nop", "cheat", "twin"}


def test_sites_are_the_lines_in_which_the_two_renders_differ(made):
    spec = made.task.spec
    pairs = {
        (page, number)
        for page in spec.editable
        for number, (old, new) in enumerate(
            zip(lines_of(spec.initial[page]), lines_of(spec.original[page]), strict=True), 1
        )
        if old != new
    }
    assert pairs == {(site.page, site.line) for site in spec.sites}
    assert all(site.shows for site in spec.sites)


def test_what_a_site_shows_is_on_the_right_line(made):
    spec = made.task.spec
    for site in spec.sites:
        text = lines_of(spec.original[site.page])[site.line - 1]
        assert all(any(form in text for form in shown.forms) for shown in site.shows)


def test_decoys_stay(made):
    spec = made.task.spec
    for decoy in spec.decoys:
        for pages in (spec.initial, spec.original):
            assert decoy.text in lines_of(pages[decoy.page])[decoy.line - 1]


def test_levels_reach_as_far_as_they_say(make):
    hops = {
        level: max(s.hop for site in make(level=level).task.spec.sites for s in site.shows)
        for level in ("note", "file", "archive")
    }
    assert hops["note"] == 0
    assert hops["file"] == 1
    assert hops["archive"] >= 3


def test_no_two_tasks_are_one():
    knobs = Knobs(seed=3)
    tasks = [make_task(recipe).task for recipe in islice(recipes(knobs), 40)]
    other = [make_task(recipe).task for recipe in islice(recipes(Knobs(seed=4)), 20)]
    names = [task.spec.task for task in [*tasks, *other]]
    assert len(set(names)) == 60
    assert {task.family for task in tasks} == set(FAMILIES)


def test_knobs_are_what_documents_are_made_of():
    def pages(**knobs):
        return len(make_task(next(recipes(Knobs(seed=1, levels=("file",), **knobs)))).task.spec.editable)

    assert pages(n_fillers=0, n_appendices=0) < pages() < pages(n_fillers=30)
    made = make_task(next(recipes(Knobs(seed=1, levels=("file",), max_turns=40))))
    assert made.task.spec.max_turns == 40


@pytest.mark.parametrize(
    ("knobs", "why"),
    [
        ({"num_examples": 0}, "num_examples must be a whole number from 1"),
        ({"n_fillers": -1}, "n_fillers must be"),
        ({"n_appendices": 10_000}, "from 0 to 400"),
        ({"max_turns": "many"}, "max_turns must be"),
        ({"families": ("sums",)}, "no family is called 'sums'"),
        ({"families": ()}, "no family is asked for"),
        ({"templates": "mine"}, "no pool of templates is called 'mine'"),
        ({"levels": ("hell",)}, "no level is called 'hell'"),
        ({"genres": ("sonnet",)}, "no genre is called 'sonnet'"),
        ({"locales": ("xx_XX",)}, "no locale is called 'xx_XX'"),
    ],
)
def test_wrong_knobs_are_errors_of_usage(knobs, why):
    with pytest.raises(UsageError, match=why):
        next(recipes(Knobs(**knobs)))


def test_a_task_that_cannot_be_solved_in_the_turns_is_not_offered():
    with pytest.raises(UnprovedError, match="is proved in"):
        make_task(next(recipes(Knobs(levels=("archive",), max_turns=2))))


def test_a_saved_recipe_makes_the_same_task(made):
    text = recipe_json(made.change.ground.recipe, made.task.spec.task)
    assert remake_task(text).task == made.task


def test_a_recipe_whose_digest_is_wrong_is_refused(make):
    text = recipe_json(make().change.ground.recipe, "0" * 64)
    with pytest.raises(RecipeError, match="the recipe makes"):
        remake_task(text)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"version": 99}, "of version 99, this is version 1"),
        ({"format": 2}, "the recipe is of version"),
        ({"number": "1"}, "wrong type: number"),
        ({"extra": 1}, "unknown or of a wrong type: extra"),
        ({"genre": "sonnet"}, "cannot be followed: no genre"),
        ({"level": "hell"}, "cannot be followed: no level"),
        ({"fillers": -3}, "cannot be followed"),
    ],
)
def test_a_recipe_of_another_version_or_shape_is_refused(make, change, why):
    body = {**json.loads(recipe_json(make().change.ground.recipe, "0")), **change}
    with pytest.raises(RecipeError, match=why):
        read_recipe(json.dumps(body))


@pytest.mark.parametrize("text", ["", "[]", "7", "{}", "{"])
def test_what_is_no_recipe_is_refused(text):
    with pytest.raises(RecipeError):
        read_recipe(text)


def test_a_recipe_is_read_as_it_was_written(make):
    recipe = make().change.ground.recipe
    assert read_recipe(recipe_json(recipe, "abc")) == (recipe, "abc")
    assert isinstance(recipe, Recipe)
