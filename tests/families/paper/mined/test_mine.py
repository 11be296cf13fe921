"""A history made here, and the cases from outside: repaired faults become admitted tasks, nothing else does."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace

import pytest

from lattice_env.errors import UsageError
from lattice_env.families.paper import FAMILIES
from lattice_env.families.paper.mined.candidates import candidates
from lattice_env.families.paper.mined.make import make_mined
from lattice_env.generate import mine
from lattice_env.packages import read_package
from lattice_env.seeds import BUNDLED, load_seed
from lattice_env.testing import check_family
from lattice_env.verifier.selftests import run
from lattice_env.verifier.verdict import SCORED

DRIFT = "\\includegraphics[width=2cm]{lake} Built from \\texttt{\\githash}.\n\\end{document}"


@pytest.fixture
def commits(repository, paper, mit):
    """A history with two real repairs, one of them made twice, and with drift from the fourth commit on."""
    broken = paper.replace("Otters \\& herons share", "Otters & herons share").replace("is slow", "is very slow")
    drifted = paper.replace("\\end{document}", DRIFT)
    misspelt = drifted.replace("\\emph{small}", "\\empf{small}")
    made = {"paper": repository.commit("paper", {"main.tex": paper, "LICENSE": mit})}
    made["break"] = repository.commit("break", {"main.tex": broken})
    made["repair"] = repository.commit("repair", {"main.tex": paper, "README.md": "Repaired.\n"})
    made["drift"] = repository.commit("drift", {"main.tex": misspelt})
    made["drift repair"] = repository.commit("drift repair", {"main.tex": drifted})
    repository.commit("again", {"main.tex": drifted.replace("Otters \\& herons share", "Otters & herons share")})
    made["repair again"] = repository.commit("repair again", {"main.tex": drifted})
    made["prose"] = repository.commit("prose", {"main.tex": drifted.replace("one leg", "a leg")})
    return made


def said(repository, out, builds, **options):
    """The rows of a run by commit."""
    options = {"private": False, "limit": None, "report": lambda *_: None, **options}
    totals = mine(repository.folder, out, store=builds.folder, **options)
    return {row["operator"]: row for row in totals.rows}


@pytest.mark.tex
def test_the_repairs_of_a_history_become_admitted_tasks_and_nothing_else_does(repository, commits, builds, tmp_path):
    rows = said(repository, tmp_path / "out", builds)
    tasks = {commit: row for commit, row in rows.items() if row["task"]}
    assert set(tasks) == {commits["repair"], commits["drift repair"]}
    assert all(row["failures"] == [] for row in tasks.values())
    assert rows[commits["prose"]]["reason"] == "with the overlay the paper built before the change"
    assert rows[commits["break"]]["reason"] == "the paper built before the change"
    assert rows[commits["drift"]]["reason"] == "the paper built before the change"
    assert rows[commits["repair again"]]["reason"] == f"the same edit as in {commits['repair']}"
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert [row["operator"] for row in manifest["tasks"]] == [commits["repair"], commits["drift repair"]]


@pytest.mark.tex
def test_a_task_is_its_hunk_its_overlay_and_its_provenance(repository, commits, builds, tmp_path):
    rows = said(repository, tmp_path / "out", builds, limit=2)
    repair, drift = (tmp_path / "out" / rows[commits[name]]["task"] for name in ("repair", "drift repair"))
    fix = json.loads((repair / "solution" / "fix.json").read_text("utf-8"))
    assert [edit["new"] for edit in fix["edits"]] == ["\\&"]
    metadata = tomllib.loads((repair / "task.toml").read_text("utf-8"))["metadata"]
    assert (metadata["family"], metadata["operator"], metadata["seed"]) == ("mined", "LAT-ESC-AMP", "mined-repo")
    assert (metadata["licence"], metadata["redistributable"]) == ("MIT", True)
    assert metadata["provenance"] == {
        "repository": "repo",
        "commit": commits["repair"],
        "parent": commits["break"],
        "author": "A. Writer",
        "licence_rule": "commit",
        "public_history": "true",
        "overlay": "none",
    }
    workspace = read_package(drift).workspace
    assert workspace["lattice-stubs.tex"] == b"\\providecommand{\\githash}{githash}\n"
    assert workspace["lake.pdf"].startswith(b"%PDF-")
    assert b"MIT License" in workspace["LICENSE"]
    overlay = tomllib.loads((drift / "task.toml").read_text("utf-8"))["metadata"]["provenance"]["overlay"]
    assert sorted(overlay.split("; ")) == ["command \\githash", "placeholder lake.pdf"]


@pytest.mark.tex
def test_a_run_that_was_cut_short_is_gone_on_with(repository, commits, builds, tmp_path):
    whole = said(repository, tmp_path / "whole", builds)
    part, seen = tmp_path / "part", []

    def stop(row, _done, _total):
        seen.append(row)
        if row["task"]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        said(repository, part, builds, report=stop)
    again = said(repository, part, builds, resume=True)
    assert list(again) == list(whole)
    assert (part / "manifest.json").read_bytes() == (tmp_path / "whole" / "manifest.json").read_bytes()


@pytest.mark.tex
def test_without_a_licence_nothing_is_mined_but_for_private_use(repository, paper, builds, tmp_path):
    broken = paper.replace("\\emph{small}", "\\empf{small}")
    repository.commit("paper", {"main.tex": broken})
    repair = repository.commit("repair", {"main.tex": paper})
    with pytest.raises(UsageError, match="no licence file"):
        said(repository, tmp_path / "out", builds)
    assert not (tmp_path / "out").exists()
    (row,) = said(repository, tmp_path / "out", builds, private=True).values()
    assert (row["operator"], row["licence"], row["redistributable"]) == (repair, "LicenseRef-none", False)


@pytest.mark.tex
@pytest.mark.slow
def test_a_mined_task_keeps_the_contract(repository, commits, opened, builds, tmp_path):
    history = opened(repository)
    step = next(step for step in candidates(history) if step.commit == commits["repair"])

    def make(_seed, _salt, store):
        yield make_mined(history, step, store, private=False).task

    family = replace(FAMILIES["build-repair"], name="mined", make=make)
    task = check_family(family, load_seed(BUNDLED / "tutorial"), "contract", tmp_path / "contract", store=builds)
    assert task.family == "mined"


CASES = {
    "sympy-underscore": ("LAT-ESC-UND", "Missing $ inserted", ""),
    "cardano-scripts": ("GIT-UNDEFINED-COMMAND", "Undefined control sequence", ""),
    "twoface-ampersand": ("LAT-ESC-AMP", "Misplaced alignment tab", "placeholder "),
    "celerite-macro": ("GIT-UNDEFINED-COMMAND", "Undefined control sequence", "command \\githash"),
}


@pytest.mark.tex
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_faults_of_the_cases_become_admitted_tasks(name, bundle, opened, builds):
    operator, diagnostic, overlay = CASES[name]
    history = opened(bundle(name))
    (step,) = candidates(history)
    task = make_mined(history, step, builds, private=False).task
    assert task is not None
    assert (task.operator, task.redistributable) == (operator, True)
    assert diagnostic in task.diagnostic
    assert overlay in task.provenance["overlay"]
    results = list(run(task.spec, task.start, task.cases, builds))
    assert [result.explain() for result in results if not result.held] == []
    oracle = next(result.verdict for result in results if result.case.kind == "oracle")
    assert (oracle.status, oracle.reward) == (SCORED, 1.0)
