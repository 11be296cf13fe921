"""Hostile workspaces before the packaged verifier: a sample in every run, all of them with `-m slow`.

`LATTICE_FUZZ_STATIC` and `LATTICE_FUZZ_BUILT` say how many the slow tests try, `LATTICE_FUZZ_SEED` which ones.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from lattice_env.fuzz import Plan, Trial, campaign, jury, run_campaign, shrink
from lattice_env.fuzz.blow import Arena
from lattice_env.fuzz.campaign import BLOWS, MOST_BLOWS, Campaign, make_plan, read_tree, remove, strike
from lattice_env.fuzz.gentle import GENTLE
from lattice_env.keys import Choices
from lattice_env.packages import read_package

pytestmark = pytest.mark.tex

SEED = os.environ.get("LATTICE_FUZZ_SEED", "0")


def harm(folders, count, *, build=False, seed="ci"):
    """What a campaign found, and its trials."""
    trials = run_campaign(folders, seed=seed, first=0, count=count, build=build, report=lambda _: None)
    return [f"{trial.plan}: {trial.wrong}" for trial in trials if trial.wrong], trials


def test_no_hostile_workspace_harms_the_static_gates(folders):
    wrong, trials = harm(folders, 200)
    assert wrong == []
    codes = {code for trial in trials for code in trial.codes}
    assert {"import", "root", "protected", "additions", "vocabulary", "budget", "structure"} <= codes
    assert any(trial.built for trial in trials)
    assert not any(trial.reward for trial in trials)


def test_no_gentle_workspace_harms_the_build(folders):
    wrong, trials = harm(folders[:1], 4, build=True)
    assert wrong == []
    assert sum(trial.built for trial in trials) == 4


@pytest.mark.slow
def test_many_hostile_workspaces(folders):
    wrong, _ = harm(folders, int(os.environ.get("LATTICE_FUZZ_STATIC", "10000")), seed=SEED)
    assert wrong == []


@pytest.mark.slow
def test_many_gentle_workspaces(folders):
    wrong, trials = harm(folders, int(os.environ.get("LATTICE_FUZZ_BUILT", "300")), build=True, seed=SEED)
    assert wrong == []
    assert any(trial.reward == 1 for trial in trials)


@pytest.fixture
def arena(folders, tmp_path):
    """A function: an empty arena, whose folder is removed at the end however deep it has become."""
    made = []

    def make(name="a"):
        place = tmp_path / name
        made.append(place)
        place.mkdir()
        return Arena(place / "workspace", place / "outside", read_package(folders[0]))

    yield make
    for place in made:
        remove(place)


def shape(arena):
    """What an arena looks like whoever made it, and when."""
    top = str(arena.workspace.parent)
    return {path.removeprefix(top): state[1:3] for path, state in read_tree(arena.workspace).items()}


@pytest.mark.parametrize("gentle", [False, True])
def test_a_number_is_a_workspace(arena, gentle):
    for number in range(15):
        plan = make_plan(["task"], "s", number, gentle=gentle)
        assert plan == make_plan(["task"], "s", number, gentle=gentle)
        assert 1 <= len(plan.blows) <= MOST_BLOWS + 1
        assert not gentle or {name for _, name in plan.blows} <= {*GENTLE, "repair"}
        one, two = arena(f"a{number}"), arena(f"b{number}")
        strike(plan, one)
        strike(plan, two)
        assert shape(one) == shape(two)


@pytest.mark.parametrize("name", sorted(BLOWS))
def test_every_blow_changes_something(arena, name):
    """In twenty tries: some find nothing to do."""
    target = arena()
    for number in range(20):
        strike(Plan("task", "s", number, ()), target)
        before = shape(target)
        data = {path: path.read_bytes() for path in target.workspace.rglob("*.*") if path.is_file()}
        BLOWS[name](target, Choices(name, str(number)))
        now = {path: path.read_bytes() for path in data if path.is_file() and path.stat().st_size < 1 << 22}
        if shape(target) != before or now != data:
            return
        remove(target.workspace.parent)
        target.workspace.parent.mkdir()
    pytest.fail(f"{name} changes nothing")


SABOTAGE = {
    "crash": "raise ValueError('boom')",
    "died": "import os; os._exit(3)",
    "hang": "import time; time.sleep(60)",
    "outside": "Path(tests.parent, 'note').write_text('x')",
    "changed": "Path(workspace, 'main.tex').write_text('x')",
    "left behind": "import os; Path(os.environ['TMPDIR'], 'x').mkdir()",
    "infra_error": "status, reward = 'infra_error', None",
    "reward": "reward = 2.0",
    "paid": "reward = 0.5",
    "status": "status = 'fine'",
    "no verdict": "reward = float('nan')",
}
VERIFIER = """
import json
from pathlib import Path
class Store: pass
def judge_package(tests, workspace, store):
    status, reward = "rejected", 0.0
    {sabotage}
    return {{"status": status, "reward": reward}}
def write_reward(verdict, out):
    out.mkdir(parents=True, exist_ok=True)
    (out / "verdict.json").write_text(json.dumps(verdict))
    if verdict["status"] != "infra_error":
        (out / "reward.txt").write_text(str(verdict["reward"]))
        (out / "reward.json").write_text(json.dumps({{"reward": verdict["reward"]}}))
        (out / "reward-details.json").write_text("{{}}")
def summary(verdict):
    return "said"
"""


@pytest.fixture
def sabotaged(folders, tmp_path, monkeypatch):
    """A function: what is wrong with the verdict of a verifier that has a line of its own."""
    monkeypatch.setattr(jury, "STATIC_SECONDS", 2)

    def judge(line):
        code = tmp_path / "package" / "tests" / "lattice_verifier"
        code.mkdir(parents=True)
        (code / "__init__.py").touch()
        (code / "verdict.py").write_text("class InfraError(Exception): pass\n", "utf-8")
        (code / "entry.py").write_text(VERIFIER.format(sabotage=line), "utf-8")
        package = replace(read_package(folders[0]), folder=tmp_path / "package")
        trying = Campaign({"task": package}, "s", build=False, folder=tmp_path / "campaign", juries={})
        try:
            return trying.try_plan(Plan("task", "s", 0, ((0, "odd"),))).wrong
        finally:
            trying.end()

    return judge


def test_a_lawful_verifier_is_found_lawful(sabotaged):
    assert sabotaged("pass") == ()


@pytest.mark.parametrize("law", sorted(SABOTAGE))
def test_a_verifier_that_breaks_a_law_is_found_out(sabotaged, law):
    wrong = sabotaged(SABOTAGE[law])
    words = {"died": "crash: the verifier died", "hang": "crash: no verdict within 2 s"}
    assert any(line.startswith(words.get(law, law)) for line in wrong), wrong


def test_harm_is_told_with_as_few_blows_as_do_it():
    def attempt(plan):
        names = {name for _, name in plan.blows}
        wrong = ("crash: x",) if {"deep", "odd"} <= names else ("outside: y",) if "odd" in names else ()
        return Trial(plan, "", None, (), 0.0, built=False, wrong=wrong)

    blows = tuple(enumerate(["repair", "odd", "link", "deep", "odd"]))
    small = shrink(attempt(Plan("task", "s", 7, blows)), attempt)
    assert small.plan.blows == ((3, "deep"), (4, "odd"))
    assert str(small.plan) == "task seed s number 7: deep odd"


def test_full_pay_for_another_paper_is_found_out(arena):
    target = arena()
    strike(Plan("task", "s", 0, ((0, "repair"),)), target)
    plan = Plan("task", "s", 0, ((0, "repair"),))
    assert list(campaign._payments(1.0, plan, target)) == []  # noqa: SLF001 - a law by itself
    path = target.workspace / target.package.spec.root
    path.write_bytes(path.read_bytes().replace(b"\\end{document}", b"word\n\\end{document}"))
    assert list(campaign._payments(1.0, plan, target)) == ["paid in full, and not the original"]  # noqa: SLF001
