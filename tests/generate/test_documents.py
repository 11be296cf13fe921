"""Doc-edit through `generate`: the same bytes for any number of workers, no TeX, and knobs that are checked."""

from __future__ import annotations

import json

import pytest

from lattice_env.cli import main
from lattice_env.errors import UsageError
from lattice_env.executors import open_executor
from lattice_env.families.doc_edit.recipe import Knobs
from lattice_env.generate import generate, make_document_plan
from lattice_env.packages import read_package
from lattice_env.verifier.edit_spec import EditSpec
from lattice_env.verifier.verdict import InfraError

KNOBS = Knobs(num_examples=10, seed="generate")


def fill(folder, jobs, knobs=KNOBS):
    with open_executor("process", jobs=jobs) as executor:
        return generate(make_document_plan(knobs), folder, store=None, executor=executor, report=lambda *_: None)


def tree(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Ten tasks, made by one worker."""
    folder = tmp_path_factory.mktemp("documents") / "out"
    totals = fill(folder, 1)
    assert len(totals.admitted) == 10
    return folder


def test_two_workers_make_the_same_bytes_as_one(whole, tmp_path):
    fill(tmp_path / "out", 2)
    assert tree(tmp_path / "out") == tree(whole)


def test_packages_are_whole_and_none_is_another(whole):
    body = json.loads((whole / "manifest.json").read_text("utf-8"))
    specs = [read_package(whole / row["task"]).spec for row in body["tasks"]]
    assert len({spec.task for spec in specs}) == 10
    assert all(isinstance(spec, EditSpec) for spec in specs)
    assert [row["number"] for row in body["tasks"]] == list(range(1, 11))


def test_no_tex_is_asked_for(tmp_path, monkeypatch):
    def missing():
        raise InfraError("no TeX")

    monkeypatch.setattr("lattice_env.generate.run.toolchain", missing)
    assert len(fill(tmp_path / "out", 1, Knobs(num_examples=1)).admitted) == 1


def test_what_cannot_be_proved_is_a_row_without_a_task(tmp_path):
    totals = fill(tmp_path / "out", 1, Knobs(num_examples=2, levels=("archive",), max_turns=2))
    assert [row["task"] for row in totals.rows] == [None, None]
    assert all(row["tried"] for row in totals.rows)


def test_another_seed_is_another_plan():
    plans = [make_document_plan(Knobs(num_examples=3, seed=seed)) for seed in (1, 2, 1)]
    assert plans[0].digest == plans[2].digest != plans[1].digest


def test_a_plan_is_checked_before_anything_is_made():
    with pytest.raises(UsageError, match="no genre is called 'sonnet'"):
        make_document_plan(Knobs(genres=("sonnet",)))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--family", "audit-and-correct", "--faults", "2"], "--faults is for paper repair"),
        (["--family", "audit-and-correct", "--operator", "TEX-CMD-TRP"], "--operator is for paper repair"),
        (["--family", "build-repair", "--level", "note"], "--level is for doc-edit"),
        (["--level", "note"], "--level is for doc-edit"),
        (["--family", "audit-and-correct", "--level", "hell"], "no level is called 'hell'"),
        (["--family", "audit-and-correct", "--limit", "0"], "num_examples must be"),
        (["--family", "audit-and-correct", "--family", "build-repair"], "no family is called 'build-repair'"),
    ],
)
def test_options_that_do_not_fit_are_errors_of_usage(words, why, tmp_path, capsys):
    assert main(["generate", "--out", str(tmp_path / "out"), *words]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_task_is_verified_tested_and_shown_from_the_command_line(whole, capsys):
    folder = next(path for path in sorted(whole.iterdir()) if path.name.startswith("audit-and-correct"))
    assert main(["verify", str(folder), str(folder / "environment" / "workspace")]) == 0
    assert "rejected: reward 0" in capsys.readouterr().out
    assert main(["selftest", str(folder), "--json"]) == 0
    assert all(row["held"] for row in json.loads(capsys.readouterr().out))
    assert main(["preview", str(folder)]) == 0
    shown = capsys.readouterr().out
    spec = read_package(folder).spec
    assert spec.operator in shown
    assert "page-01.txt" in shown
    assert all(text in shown for site in spec.sites for value in site.shows for text in [value.fact])


def test_the_red_team_is_told_of_every_cheat(whole, capsys):
    assert main(["redteam", str(whole), "--jobs", "1", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["total"]["paid"] == body["total"]["robbed"] == body["total"]["other"] == 0
    assert {row["cheat"] for row in body["cheats"]} >= {"append-right-lines", "empty-pages", "rewrite-all-lines"}


def test_baselines_are_told_by_level(capsys):
    assert main(["baselines", "--tasks", "1", "--json"]) == 0
    rungs = json.loads(capsys.readouterr().out)
    assert len(rungs) == 15
    assert all(rung["rewards"]["oracle"] == 1 and rung["rewards"]["nop"] == 0 for rung in rungs)
    assert main(["baselines", "--tasks", "0"]) == 2
