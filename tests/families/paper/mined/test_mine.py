"""A history made here, and the cases from outside: repaired faults become admitted tasks, nothing else does."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace

import pytest

from lattice_env.errors import UsageError
from lattice_env.executors import open_executor
from lattice_env.families.paper import FAMILIES
from lattice_env.families.paper.mined.candidates import candidates
from lattice_env.families.paper.mined.history import open_history
from lattice_env.families.paper.mined.make import make_mined
from lattice_env.generate import generate, make_mining_plan
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


@pytest.fixture
def mine(builds, tmp_path):
    """A function: the rows of a run over a clone or a bundle, by commit."""

    def run(repo, out, *, private=False, limit=None, executor="serial", **options):
        scratch = tmp_path / f"history{len(list(tmp_path.iterdir()))}"
        scratch.mkdir()
        plan = make_mining_plan(open_history(repo, scratch), private=private, limit=limit)
        options = {"report": lambda *_: None, **options}
        with open_executor(executor, jobs=2) as workers:
            totals = generate(plan, out, store=builds.folder, executor=workers, **options)
        return {row["operator"]: row for row in totals.rows}

    return run


@pytest.mark.tex
def test_the_repairs_of_a_history_become_admitted_tasks_and_nothing_else_does(repository, commits, mine, tmp_path):
    rows = mine(repository.folder, tmp_path / "out")
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
def test_a_task_is_its_hunk_its_overlay_and_its_provenance(repository, commits, mine, tmp_path):
    rows = mine(repository.folder, tmp_path / "out", limit=2)
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
def test_a_run_that_was_cut_short_is_gone_on_with(repository, commits, mine, tmp_path):
    whole = mine(repository.folder, tmp_path / "whole", executor="process")
    part, seen = tmp_path / "part", []

    def stop(row, _done, _total):
        seen.append(row)
        if row["task"]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine(repository.folder, part, report=stop)
    again = mine(repository.folder, part, resume=True)
    assert list(again) == list(whole)
    assert (part / "manifest.json").read_bytes() == (tmp_path / "whole" / "manifest.json").read_bytes()


@pytest.mark.tex
def test_without_a_licence_nothing_is_mined_but_for_private_use(repository, paper, mine, tmp_path):
    broken = paper.replace("\\emph{small}", "\\empf{small}")
    repository.commit("paper", {"main.tex": broken})
    repair = repository.commit("repair", {"main.tex": paper})
    with pytest.raises(UsageError, match="no licence file"):
        mine(repository.folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    (row,) = mine(repository.folder, tmp_path / "out", private=True).values()
    assert (row["operator"], row["licence"], row["redistributable"]) == (repair, "LicenseRef-none", False)


def test_a_limit_that_lets_no_task_through_is_refused(repository, paper, mit, mine, tmp_path):
    repository.commit("paper", {"main.tex": paper, "LICENSE": mit})
    with pytest.raises(UsageError, match="--limit must be at least 1, not 0"):
        mine(repository.folder, tmp_path / "out", limit=0)


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
def test_the_fault_of_a_case_becomes_an_admitted_task_and_nothing_else_does(name, bundle, mine, builds, tmp_path):
    operator, diagnostic, overlay = CASES[name]
    rows = mine(bundle(name), tmp_path / "out")
    assert json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["rejected"] == []
    (row,) = [row for row in rows.values() if row["task"]]
    assert (row["failures"], row["fault"], row["redistributable"]) == ([], operator, True)
    assert diagnostic in row["diagnostic"]
    assert overlay in row["provenance"]["overlay"]
    package = read_package(tmp_path / "out" / row["task"])
    results = list(run(package.spec, package.workspace, package.cases, builds))
    oracle = next(result.verdict for result in results if result.case.kind == "oracle")
    assert (oracle.status, oracle.reward) == (SCORED, 1.0)
