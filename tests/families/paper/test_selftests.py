"""Every task carries its oracle, its nop, cheats, twins and probes; a probe never repairs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lattice_env.families.paper.cheat import Target, cheats
from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.families.paper.selftests import PROBE_BOUND, RANDOM_EDITS, make_cases, random_edit
from lattice_env.seeds import load_seed
from lattice_env.verifier.selftests import KINDS, run

PAPERS = Path(__file__).parents[2] / "seeds" / "papers"
CODES = ("TEX-CMD-TRP", "LAT-REF-SWP")


@pytest.fixture
def tasks(builds):
    """A task of each family on a small paper."""
    seed = load_seed(PAPERS / "otter")
    return [make_task(seed, operators()[code], "selftests", builds).task for code in CODES]


@pytest.mark.tex
def test_every_kind_of_self_test_is_there_and_no_two_have_one_name(tasks):
    for task in tasks:
        assert {case.kind for case in task.cases} == set(KINDS)
        names = [case.name for case in task.cases]
        assert len(set(names)) == len(names)
        assert names[:2] == ["oracle", "nop"]


@pytest.mark.tex
def test_every_cheat_must_earn_0_for_its_own_code_and_every_twin_1(tasks):
    codes = {cheat.name: cheat.code for cheat in cheats()}
    for task in tasks:
        for case in task.cases:
            if case.kind == "cheat":
                assert (case.low, case.high, case.code) == (0, 0, codes[case.name])
            elif case.kind == "twin":
                assert (case.low, case.high, case.code) == (1, 1, "")
                assert case.name.removesuffix("-twin") in codes


@pytest.mark.tex
def test_the_oracle_is_the_solution_and_the_nop_the_shipped_paper(tasks):
    for task in tasks:
        oracle, nop = task.cases[:2]
        assert oracle.files(task.start) == {**task.start, **task.solution}
        assert nop.files(task.start) == dict(task.start)


@pytest.mark.tex
def test_no_cheat_and_no_probe_is_the_solution(tasks):
    for task in tasks:
        solved = {**task.start, **task.solution}
        for case in task.cases:
            assert (case.files(task.start) == solved) == (case.kind == "oracle"), case.name


@pytest.mark.tex
def test_every_task_has_a_line_probe_and_random_ones_below_one_half(tasks):
    for task in tasks:
        probes = [case for case in task.cases if case.kind == "probe"]
        assert len(probes) == RANDOM_EDITS + 1
        assert all((case.low, case.high) == (0, PROBE_BOUND) for case in probes)
        assert PROBE_BOUND < 0.5


@pytest.mark.tex
def test_random_probes_are_the_same_for_the_same_task_and_others_for_another(tasks):
    for task in tasks:
        edits = [random_edit(Target(task), number) for number in range(20)]
        assert edits == [random_edit(Target(task), number) for number in range(20)]
        other = replace(task, spec=replace(task.spec, task="0" * 64))
        assert edits != [random_edit(Target(other), number) for number in range(20)]
        assert make_cases(task) == task.cases


@pytest.mark.tex
def test_a_random_probe_changes_something_and_never_at_a_faulty_place(tasks):
    for task in tasks:
        for number in range(300):
            edit = random_edit(Target(task), number)
            document = Target(task).documents[edit.file]
            assert document.text[edit.start : edit.end] != edit.new
            for repair in task.repair:
                apart = edit.end <= repair.start or edit.start >= repair.end
                assert edit.file != repair.file or apart, (edit, repair)


@pytest.mark.tex
def test_every_self_test_holds(tasks, builds):
    for task in tasks:
        results = list(run(task.spec, task.start, task.cases, builds))
        assert [result.explain() for result in results if not result.held] == []
