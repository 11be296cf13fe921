"""Making a task: keyed by its words, in the seed's own encoding, and telling nothing of the fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lattice_env.errors import OperatorError, SeedError
from lattice_env.families.paper import FAMILIES
from lattice_env.families.paper import make as module
from lattice_env.families.paper.guard import observe, reference
from lattice_env.families.paper.instruction import write_instruction
from lattice_env.families.paper.make import MOST_TRIES, make_task
from lattice_env.families.paper.operator import Mutation, operators, paper_of_seed
from lattice_env.model import PaperSeed
from lattice_env.seeds import load_seed
from lattice_env.verifier import verify
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.latex import decode
from lattice_env.verifier.selftests import Replacement
from lattice_env.verifier.store import Store

PAPERS = Path(__file__).parents[2] / "seeds" / "papers"
OTTER, HERON = load_seed(PAPERS / "otter"), load_seed(PAPERS / "heron")
OPERATORS = operators()
TRP, SWP = OPERATORS["TEX-CMD-TRP"], OPERATORS["LAT-REF-SWP"]


def latin(seed: PaperSeed) -> PaperSeed:
    """A seed with its root in Latin-1."""
    text = decode(seed.files["main.tex"]).replace("\\usepackage", "\\usepackage[latin1]{inputenc}\n\\usepackage", 1)
    return replace(seed, name="latin", files={**seed.files, "main.tex": text.encode("latin-1")})


def task_of(seed, operator, salt, store):
    task = make_task(seed, operator, salt, store).task
    assert task is not None
    return task


@pytest.mark.tex
def test_a_latin_1_seed_stays_latin_1_and_its_repair_earns_1(builds):
    seed = latin(OTTER)
    task = task_of(seed, TRP, "latin", builds)
    assert b"caf\xe9" in task.start["main.tex"]
    assert b"\xc3\xa9" not in task.start["main.tex"]
    oracle = next(case for case in task.cases if case.kind == "oracle").files(task.start)
    assert oracle == dict(seed.files)
    assert verify(task.spec, Submission(oracle), builds).reward == 1
    assert verify(task.spec, Submission(task.start), builds).reward == 0


@pytest.mark.tex
def test_the_same_words_make_the_same_task_and_another_salt_breaks_another_place(builds):
    tasks = [task_of(OTTER, TRP, salt, builds) for salt in ("a", "a", "b", "c")]
    assert tasks[0] == tasks[1]
    assert len({task.repair for task in tasks}) > 1
    assert len({task.name for task in tasks}) == len({task.repair for task in tasks})


@pytest.mark.tex
def test_a_salt_of_ten_kilobytes_or_of_strange_characters_is_a_salt(builds):
    for salt in ("s" * 10_240, "\udc80", "", "käse\n"):
        assert task_of(HERON, TRP, salt, builds).spec.fault.operator == TRP.code


@pytest.mark.tex
def test_a_name_of_a_seed_is_no_part_of_what_it_makes(builds):
    renamed = replace(HERON, name="crane", title="Another title")
    assert task_of(renamed, TRP, "a", builds).spec == task_of(HERON, TRP, "a", builds).spec


@pytest.mark.tex
def test_a_task_differs_from_its_solution_in_the_faulty_places_alone(builds):
    for operator in (TRP, SWP):
        task = task_of(HERON, operator, "a", builds)
        changed = {path for path in HERON.files if task.start[path] != HERON.files[path]}
        assert changed == {edit.file for edit in task.repair}
        assert task.start.keys() == HERON.files.keys()
        assert dict(task.solution) == {path: HERON.files[path] for path in HERON.editable}


@pytest.mark.tex
def test_a_name_tells_the_family_and_not_the_operator(builds):
    for operator in (TRP, SWP):
        task = task_of(HERON, operator, "a", builds)
        assert task.name == f"{operator.family}-{task.spec.task[:10]}"
        assert operator.code.lower() not in task.name


@pytest.mark.tex
def test_the_instruction_is_the_same_for_every_fault_of_one_family_in_one_paper(builds):
    by_family = {
        "build-repair": ("TEX-CMD-TRP", "TEX-BRC-DRP"),
        "reference-hygiene": ("LAT-REF-SWP", "LAT-REF-STL"),
    }
    for family, codes in by_family.items():
        texts = {task_of(HERON, OPERATORS[code], "a", builds).instruction for code in codes}
        assert texts == {write_instruction(family, HERON)}
        assert not any(code in text for code in OPERATORS for text in texts)


@pytest.mark.tex
def test_a_task_carries_the_licence_of_its_seed(builds):
    for seed in (OTTER, HERON):
        task = task_of(seed, TRP, "a", builds)
        assert (task.licence, task.redistributable) == (seed.licence, seed.redistributable)


@pytest.mark.tex
def test_the_decoy_stands_untouched_in_the_broken_paper(builds):
    for salt in "abc":
        task = task_of(HERON, TRP, salt, builds)
        decoy = task.spec.decoy
        line = decode(task.start[decoy.file]).split(decoy.text)[0].count("\n") + 1
        assert (decoy.file, decoy.text) in HERON.decoys
        assert (decoy.file, line) not in {(change.file, change.line) for change in task.spec.fault.changes}


@pytest.mark.tex
def test_an_operator_without_a_place_makes_nothing_and_builds_nothing_broken(builds):
    made = make_task(HERON, OPERATORS["LAT-TAB-XTR"], "a", builds)
    assert (made.task, made.sites, made.tried) == (None, 0, 0)


@pytest.mark.tex
def test_a_mutant_that_does_not_break_as_declared_is_not_kept(builds):
    never = replace(TRP, diagnostic="no such error")
    made = make_task(HERON, never, "a", builds)
    assert made.task is None
    assert made.tried == min(made.sites, MOST_TRIES)


@pytest.mark.tex
def test_a_hygiene_mutant_that_differs_in_nothing_declared_is_not_kept(builds):
    task = task_of(HERON, SWP, "a", builds)
    good, broken = (builds.outcome(files, HERON.root) for files in (HERON.files, task.start))
    assert observe(SWP, broken, good).startswith("the paper builds")
    assert observe(replace(SWP, changes=("citations",)), broken, good) == ""
    assert observe(SWP, good, good) == ""


@pytest.mark.tex
def test_an_operator_that_changes_nothing_stops_the_maker(builds):
    start = decode(HERON.files["heron.tex"]).index("\\emph")
    idle = Mutation((Replacement("heron.tex", start, start + 5, "\\emph"),))
    with pytest.raises(OperatorError, match="changes nothing"):
        make_task(HERON, replace(TRP, sites=lambda _paper: iter([idle])), "a", builds)


@pytest.mark.tex
def test_an_operator_that_raises_stops_the_maker(builds):
    def sites(_paper):
        raise ZeroDivisionError
        yield

    with pytest.raises(ZeroDivisionError):
        make_task(HERON, replace(TRP, sites=sites), "a", builds)


@pytest.mark.tex
def test_a_seed_that_does_not_build_is_named_with_its_first_error(builds):
    files = {**HERON.files, "heron.tex": HERON.files["heron.tex"].replace(b"\\emph", b"\\emhp", 1)}
    with pytest.raises(SeedError, match=r"seed heron does not build: heron\.tex:4: .*Undefined control sequence"):
        reference(replace(HERON, files=files), builds)


@pytest.mark.tex
def test_a_seed_with_something_undefined_is_named_with_the_key(builds):
    files = {**HERON.files, "heron.tex": HERON.files["heron.tex"].replace(b"\\ref{sec:rest}", b"\\ref{sec:nest}", 1)}
    with pytest.raises(SeedError, match=r"seed heron: undefined in the good paper: .*sec:nest"):
        reference(replace(HERON, files=files), builds)


@pytest.mark.tex
def test_adding_an_operator_or_a_family_changes_no_task(builds, monkeypatch):
    family = FAMILIES["build-repair"]
    few = {code: OPERATORS[code] for code in ("TEX-CMD-TRP", "TEX-ENV-REN")}
    monkeypatch.setattr(module, "operators", lambda: few)
    before = list(family.make(HERON, "a", builds))
    more = {**few, "AAA-NEW-OPR": replace(TRP, code="AAA-NEW-OPR", sites=lambda _: iter(()))}
    monkeypatch.setattr(module, "operators", lambda: dict(sorted(more.items())))
    assert list(family.make(HERON, "a", builds)) == before
    assert len(before) == len(few)


def test_places_are_tried_in_an_order_that_the_words_alone_decide():
    """No place of an operator is out of reach: over many salts each comes first once."""
    sites = list(TRP.sites(paper_of_seed(HERON)))
    firsts = {module.Choices("sites", str(n), HERON.digest, TRP.code).shuffled(sites)[0] for n in range(200)}
    assert firsts == set(sites)


@pytest.mark.tex
def test_a_store_changes_no_task(builds):
    assert task_of(HERON, TRP, "a", Store()) == task_of(HERON, TRP, "a", builds)
