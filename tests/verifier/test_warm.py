"""A warm build says what a cold one says, or leaves it to the cold one; nothing of it is the submission's to choose."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.fuzz.blow import Arena
from lattice_env.fuzz.campaign import make_plan, strike
from lattice_env.packages import read_package, write_package
from lattice_env.seeds import load_seed
from lattice_env.verifier.intake import Submission, read_submission
from lattice_env.verifier.judge import verify
from lattice_env.verifier.store import Store
from lattice_env.verifier.warm import is_near, is_settled, lay_state, read_state, read_state_json, state_json

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"
SAMPLE = [
    ("otter", "TEX-CMD-TRP"),
    ("heron", "LAT-REF-SWP"),
    pytest.param(("heron", "TEX-ENV-REN"), marks=pytest.mark.slow),
    pytest.param(("otter", "LAT-REF-SWP"), marks=pytest.mark.slow),
]
FUZZED = int(os.environ.get("LATTICE_FUZZ", "6"))
"""How many gentle workspaces are judged both ways for each task; more by LATTICE_FUZZ."""

BODY = r"""\documentclass{article}
\usepackage{hyperref}
\begin{document}
\tableofcontents
\section{One}\label{one}
See \ref{two}.
\section{Two}\label{two}
\end{document}
"""


@pytest.fixture(scope="module")
def fast(builds):
    """A fast store on the folder of the cold one, so that one would show what the other left there."""
    return Store(builds.folder, fast=True)


@pytest.fixture(scope="module", params=SAMPLE)
def task(request, builds):
    seed, code = request.param
    made = make_task(load_seed(PAPERS / seed), operators()[code], "warm", builds).task
    assert made is not None
    return made


def same_verdict(spec, submission, cold, fast):
    """The verdict, which must be the same both ways to the byte."""
    ours, theirs = (verify(spec, submission, store).to_json() for store in (fast, cold))
    assert ours == theirs
    return json.loads(ours)


@pytest.mark.tex
def test_every_self_test_has_the_same_verdict(task, fast, tmp_path):
    quick, cold = Store(tmp_path / "quick", fast=True), Store(tmp_path / "cold")
    for case in task.cases:
        same_verdict(task.spec, case.submission(task.start), cold, quick)


@pytest.mark.slow
@pytest.mark.tex
def test_every_fuzzed_workspace_has_the_same_verdict(task, tmp_path):
    quick, cold = Store(tmp_path / "quick", fast=True), Store(tmp_path / "cold")
    write_package(task, tmp_path / task.name)
    package = read_package(tmp_path / task.name)
    for number in range(FUZZED):
        place = tmp_path / str(number)
        arena = Arena(place / "workspace", place / "outside", package)
        place.mkdir()
        strike(make_plan([task.name], "warm", number, gentle=True), arena)
        same_verdict(task.spec, read_submission(arena.workspace), cold, quick)


def reworded(task, old, new):
    """The repaired paper with a text replaced."""
    files = {**task.start, **task.solution}
    path = task.spec.root
    assert old in files[path]
    return Submission(files | {path: files[path].replace(old, new, 1)})


@pytest.mark.tex
def test_a_repair_with_the_same_pages_takes_one_pass_and_no_other_build(task, builds, tmp_path):
    quick = Store(tmp_path, fast=True)
    verify(task.spec, Submission({**task.start, **task.solution}), quick)
    before = quick.builds
    submission = reworded(task, b"\\begin{document}", b"\\begin{document}\n\n")
    verdict = same_verdict(task.spec, submission, builds, quick)
    assert (verdict["reward"], quick.builds - before) == (1, 1)


@pytest.mark.tex
def test_what_a_fast_store_found_is_not_there_for_a_cold_one(tools, tmp_path):
    good = {"main.tex": BODY.encode()}
    other = {"main.tex": BODY.replace("See", "Look at").encode()}
    quick = Store(tmp_path, fast=True)
    quick.outcome(good, "main.tex")
    found = quick.outcome(other, "main.tex", like=good)
    quick.witness(other, "main.tex")
    assert quick.builds == 2
    assert [path.name.endswith("-fast-pages.json") for path in tmp_path.rglob("*-pages.json")] == [True]
    cold = Store(tmp_path)
    assert cold.outcome(good, "main.tex").reason == ""
    assert cold.builds == 0
    assert cold.outcome(other, "main.tex") == found
    cold.witness(other, "main.tex")
    assert cold.builds == 1
    again = Store(tmp_path, fast=True)
    assert again.outcome(other, "main.tex", like=good) == found
    assert again.builds == 0


MOVED = {
    "another-number": ("\\section{One}", "\\section{Zero}\\section{One}"),
    "a-label-gone": ("\\label{two}", ""),
    "a-list-gone": ("\\tableofcontents", "Contents"),
    "another-title": ("{Two}", "{Too}"),
    "an-error": ("See", "\\nothing"),
    "the-source-rewritten": ("See", "\\newwrite\\x\\immediate\\openout\\x=main.tex\\immediate\\closeout\\x See"),
    "no-pages": ("\\begin{document}", "\\pdfdraftmode=1\\begin{document}"),
}


@pytest.mark.tex
@pytest.mark.parametrize("name", MOVED)
def test_what_does_not_end_where_the_original_ended_is_built_from_nothing(tools, tmp_path, name):
    good, changed = {"main.tex": BODY.encode()}, {"main.tex": BODY.replace(*MOVED[name], 1).encode()}
    assert good != changed
    quick = Store(tmp_path / "quick", fast=True)
    quick.outcome(good, "main.tex")
    found = quick.outcome(changed, "main.tex", like=good)
    assert not list((tmp_path / "quick").rglob("*-fast.json"))
    assert found == Store().outcome(changed, "main.tex")


@pytest.mark.tex
def test_a_part_that_is_no_longer_read_does_not_live_on_in_its_state(tools, tmp_path):
    """`\\includeonly` leaves the other part's labels standing in a warm tree; a cold build has none."""
    text = BODY.replace("\\section{Two}\\label{two}", "\\include{part}")
    good = {"main.tex": text.encode(), "part.tex": b"\\section{Two}\\label{two}\n"}
    changed = good | {"main.tex": text.replace("\\begin{document}", "\\includeonly{}\\begin{document}").encode()}
    quick = Store(tmp_path, fast=True)
    quick.outcome(good, "main.tex")
    found = quick.outcome(changed, "main.tex", like=good)
    assert found == Store().outcome(changed, "main.tex")
    assert "two" in found.undefined


@pytest.mark.tex
def test_products_in_a_submission_are_not_where_a_warm_build_starts(tools, tmp_path):
    good = {"main.tex": BODY.encode()}
    planted = {"main.tex": BODY.replace("See", "Look at").encode(), "main.aux": b"\\newlabel{two}{{99}{1}{}{}{}}\n"}
    quick = Store(tmp_path, fast=True)
    quick.outcome(good, "main.tex")
    assert "99" not in quick.outcome(planted, "main.tex", like=good).text


def test_another_program_s_files_must_be_the_original_s():
    like = {"main.tex": b"1", "refs.bib": b"1"}
    assert is_near({**like, "main.tex": b"2"}, like, {"main.aux": b""})
    assert not is_near({**like, "refs.bib": b"2"}, like, {"main.aux": b""})
    assert not is_near({"main.tex": b"1"}, like, {"main.aux": b""})
    assert not is_near({**like, "note.txt": b""}, {**like, "note.txt": b""}, {"note.txt": b""})


def test_a_state_is_settled_only_where_all_of_it_was_written_again(tmp_path):
    sources, state = {"main.tex": b"x"}, {"main.aux": b"aux", "main.bbl": b"bbl", "parts/one.aux": b"one"}
    (tmp_path / "main.tex").write_bytes(b"x")
    lay_state(tmp_path, state)
    assert read_state(tmp_path, sources) == state
    assert not is_settled(tmp_path, sources, state)
    for name in ("main.aux", "parts/one.aux"):
        (tmp_path / name).write_bytes(state[name])
    assert is_settled(tmp_path, sources, state)
    (tmp_path / "main.log").write_bytes(b"log")
    assert is_settled(tmp_path, sources, state)
    (tmp_path / "main.out").write_bytes(b"")
    assert not is_settled(tmp_path, sources, state)
    (tmp_path / "main.out").unlink()
    (tmp_path / "main.aux").unlink()
    assert not is_settled(tmp_path, sources, state)


def test_a_state_is_read_as_it_was_written():
    state = {"main.aux": bytes(range(256)), "a/b.toc": b""}
    assert read_state_json(state_json(state)) == state
    with pytest.raises((ValueError, TypeError, AttributeError)):
        read_state_json("[1]")
