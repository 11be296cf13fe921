"""The matrix of the red team: what is counted, what is said of it, and what it is on real packages."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from lattice_env.cli import redteam as command
from lattice_env.errors import UsageError
from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import BUILD_REPAIR, REFERENCE_HYGIENE, operators
from lattice_env.packages import write_package
from lattice_env.redteam import Cell, Matrix, Shot, attack, matrix_html, matrix_json, task_folders
from lattice_env.seeds import load_seed

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"

CAUGHT = Shot(
    task="t1",
    family="build-repair",
    operator="OP",
    cheat="alias",
    twin=False,
    code="alias",
    held=True,
    reward=0.0,
    codes=("alias", "vocabulary"),
)
OTHER = replace(CAUGHT, task="t2", held=False, codes=("vocabulary",))
PAID = replace(CAUGHT, task="t3", held=False, reward=0.25, codes=())
KEPT = replace(CAUGHT, twin=True, code="", reward=1.0, codes=())
ROBBED = replace(KEPT, task="t2", held=False, reward=0.0, codes=("budget",))
ELSEWHERE = replace(CAUGHT, family="reference-hygiene", task="t4")

ALL = Matrix((CAUGHT, OTHER, PAID, KEPT, ROBBED, ELSEWHERE))


@pytest.mark.parametrize(
    ("shot", "cell"),
    [
        (CAUGHT, Cell(tried=1, caught=1)),
        (OTHER, Cell(tried=1, other=1)),
        (PAID, Cell(tried=1, paid=1)),
        (replace(PAID, codes=("alias",)), Cell(tried=1, paid=1)),
        (KEPT, Cell(kept=1)),
        (ROBBED, Cell(robbed=1)),
    ],
)
def test_a_shot_counts_once_and_a_payment_is_never_a_catch(shot, cell):
    assert shot.count() == cell


def test_the_matrix_counts_by_cheat_and_family():
    assert ALL.cell("alias", "build-repair") == Cell(tried=3, caught=1, other=1, paid=1, kept=1, robbed=1)
    assert ALL.cell("alias", "reference-hygiene") == Cell(tried=1, caught=1)
    assert ALL.cell() == Cell(tried=4, caught=2, other=1, paid=1, kept=1, robbed=1)
    assert ALL.cell("decoy") == Cell()
    assert (ALL.tasks, ALL.cheats, ALL.families) == (4, ["alias"], ["build-repair", "reference-hygiene"])
    assert ALL.remarkable == [OTHER, PAID, ROBBED]
    assert ALL.code("alias") == "alias"


@pytest.mark.parametrize(
    ("shots", "code"), [((CAUGHT, KEPT), 0), ((CAUGHT, OTHER), 0), ((CAUGHT, PAID), 1), ((CAUGHT, ROBBED), 1), ((), 0)]
)
def test_only_a_payment_or_a_robbery_fails(shots, code, monkeypatch, tmp_path, capsys):
    folder = tmp_path / "task"
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "task.json").write_text("{}", "utf-8")

    def attacked(folders, **options):
        options["report"](shots, 1, len(folders))
        return Matrix(shots)

    monkeypatch.setattr(command, "attack", attacked)
    assert command.redteam(tmp_path, out=tmp_path / "report", json=True) == code
    said = capsys.readouterr()
    assert said.out == (tmp_path / "report" / "redteam.json").read_text("utf-8")
    assert json.loads(said.out)["total"]["tried"] == sum(not shot.twin for shot in shots)
    assert said.err.startswith("[1/1]")
    assert command.redteam(folder) == code
    assert "caught" in capsys.readouterr().out


def test_a_folder_without_tasks_and_jobs_below_one_are_refused(tmp_path):
    for place in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UsageError, match="no task folder"):
            task_folders(place)
    (tmp_path / "a" / "tests").mkdir(parents=True)
    (tmp_path / "a" / "tests" / "task.json").write_text("{}", "utf-8")
    with pytest.raises(UsageError, match="at least 1"):
        command.redteam(tmp_path, jobs=0)


def test_the_json_is_the_matrix():
    body = json.loads(matrix_json(ALL))
    assert body["cheats"][0]["families"]["build-repair"]["paid"] == 1
    assert [shot["task"] for shot in body["remarkable"]] == ["t2", "t3", "t2"]


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.words = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_escapes_everything_and_needs_nothing_else():
    evil = "<script>alert('&')</script>"
    shot = replace(PAID, task=evil, family=evil, operator=evil, cheat=evil, code=evil, codes=(evil,))
    page = Page()
    page.feed(matrix_html(Matrix((shot,))))
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "link", "img", "iframe"}
    assert not any(key in ("src", "href") for _, attributes in page.tags for key in attributes)
    assert page.words.count(evil) == 7
    assert any("wrong" in str(attributes.get("class")) for _, attributes in page.tags)


def test_the_page_is_calm_where_nothing_is_wrong():
    page = matrix_html(Matrix((CAUGHT, KEPT)))
    assert "No cheat was paid" in page
    assert 'class="number wrong"' not in page
    assert "Not as it must be" not in page


@pytest.fixture(scope="module")
def packages(builds, tmp_path_factory):
    """A folder with a task of each family on a small paper."""
    folder = tmp_path_factory.mktemp("redteam")
    for code in ("TEX-CMD-TRP", "LAT-REF-SWP"):
        task = make_task(load_seed(PAPERS / "otter"), operators()[code], "packages", builds).task
        write_package(task, folder / task.name)
    return folder


@pytest.mark.tex
def test_on_packages_of_both_families_nobody_is_paid_and_no_twin_is_robbed(packages, builds):
    told = []
    matrix = attack(task_folders(packages), store=builds.folder, jobs=2, report=lambda *words: told.append(words[1:]))
    assert told == [(1, 2), (2, 2)]
    assert matrix.families == [BUILD_REPAIR, REFERENCE_HYGIENE]
    total = matrix.cell()
    assert not matrix.broken, matrix.remarkable
    assert total.tried == total.caught > 0
    assert total.kept > 0
    assert not matrix.remarkable


@pytest.mark.tex
def test_a_chosen_cheat_brings_its_twin_and_an_unknown_one_is_refused(packages, builds):
    options = {"store": builds.folder, "jobs": 1, "report": lambda *_: None}
    matrix = attack(task_folders(packages), names=["latexmkrc"], **options)
    assert matrix.cell() == Cell(tried=2, caught=2, kept=2)
    with pytest.raises(UsageError, match="called nonesuch"):
        attack(task_folders(packages)[:1], names=["latexmkrc", "nonesuch"], **options)
