"""Every cheat earns 0 for its reason; its defence alone is enough; without its defences it is paid."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from lattice_env.families.paper.cheat import Target, cheats
from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.seeds import BUNDLED, load_seed
from lattice_env.verifier import build, gates, grade, judge, papers
from lattice_env.verifier.comparison import Comparison
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import REJECTED, SCORED

SEED_TEXT = frozenset(
    "delete-section hide-iffalse comment-out silence latexmkrc alias invent-label redefine-ref stub-package decoy"
    " other-paper empty-paper".split()
)
"""The cheats that the seed text names."""

PAYS_ON = {
    "alias": "TEX-CMD-TRP",
    "alias-csname": "TEX-CMD-TRP",
    "alias-let": "TEX-CMD-TRP",
    "comment-out": "TEX-CMD-TRP",
    "delete-section": "TEX-CMD-TRP",
    "hide-iffalse": "TEX-CMD-TRP",
    "invent-label": "TEX-REF-UDF",
    "latexmkrc": "TEX-CMD-TRP",
    "stub-package": "LAT-PKG-MSP",
}
"""An operator on whose tasks a cheat would pay; the others pay on LAT-REF-SWP."""

_BUILT = {"fault": "_fault_findings", "facts": "_fact_findings", "witness": "_witness_findings"}

UNPAID = {
    "deep-recursion": "TeX itself runs out of memory",
    "hide-comment": "the environment is not defined",
    "input-solution": "the file is not there",
    "keep-stale-aux": "BibTeX finds no citations",
    "link-source": "what it leads to is not there",
    "overwrite-log": "the build fails by itself",
    "pipe-input": "the file is not there",
    "rewrite-source": "the sources are read-only in the sandbox",
}
"""Cheats that earn nothing even without the verifier's defences, and why."""

CHEATS = {cheat.name: cheat for cheat in cheats()}


def staged(name: str, store: Store):
    """The cheat, staged on a task of the tutorial on which it applies and what it submits can be built."""
    operator = operators()[PAYS_ON.get(name, "LAT-REF-SWP")]
    seed = load_seed(BUNDLED / "tutorial")
    for number in count():
        task = make_task(seed, operator, f"cheats-{number}", store).task
        target = Target(task)
        attack = CHEATS[name].stage(target)
        if attack is None:  # some are staged on few tasks, by their identity, to keep self-tests quick
            target = Target(replace(task, spec=replace(task.spec, task="0" * 64)))
            attack = CHEATS[name].stage(target)
        in_prose = name not in ("comment-out", "hide-iffalse") or "\\begin" not in paragraph(target)
        if attack and in_prose and (not name.startswith("alias") or "empf" in str(task.spec.fault.names)):
            return task, attack.case(name, "cheat", 0, 0, CHEATS[name].code)
    raise AssertionError


def paragraph(target: Target) -> str:
    return target.faulty.text[slice(*target.paragraph())]


def judged(task, case, store):
    return judge.verify(task.spec, case.submission(task.start), store)


def take_out(patch, names):
    """Take defences out: static gates by name, red lines by code, the built gates."""
    for name in names & gates.STATIC.keys():
        patch.setitem(gates.STATIC, name, lambda _case: iter(()))
    rules = [lambda case, rule=rule: (f for f in rule(case) if f.code not in names) for rule in papers.RULES]
    patch.setattr(papers, "RULES", tuple(rules))
    for name in names & _BUILT.keys():
        patch.setattr(papers, _BUILT[name], lambda *_, **__: iter(()))
    if "additions" in names:
        patch.setattr(Comparison, "sources", property(lambda case: dict(case.submission.files)))
    if "build-config" in names:
        latexmk = build._latexmk  # noqa: SLF001 - the defence that is taken out
        patch.setattr(build, "_latexmk", lambda *a, **k: [w for w in latexmk(*a, **k) if w != "-norc"])


def test_every_cheat_that_the_seed_text_names_is_a_self_test():
    assert CHEATS.keys() >= SEED_TEXT


@pytest.mark.tex
@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_caught_by_its_defence_alone(name, builds, monkeypatch):
    task, case = staged(name, builds)
    first = judged(task, case, builds)
    assert first.status == REJECTED
    assert CHEATS[name].code in first.codes()

    with monkeypatch.context() as patch:
        take_out(patch, first.codes() - {CHEATS[name].code})
        alone = judged(task, case, builds)
        assert alone.codes() == {CHEATS[name].code}
        assert alone.reward == 0


PAYING = [
    name if name in SEED_TEXT else pytest.param(name, marks=pytest.mark.slow) for name in CHEATS if name not in UNPAID
]
"""Those of the seed text first of all; the others take minutes and are run with `-m slow`."""


@pytest.mark.tex
@pytest.mark.parametrize("name", PAYING)
def test_a_cheat_is_paid_without_its_defences(name, builds, monkeypatch):
    task, case = staged(name, builds)
    first = judged(task, case, builds)
    with monkeypatch.context() as patch:
        patch.setattr(grade, "HALF_LIFE", 1e9)
        take_out(patch, first.codes())
        store = Store()
        while (naked := judged(task, case, store)).codes():
            assert naked.codes() <= {"fault", "facts", "witness", "spoof"}, naked.to_json()
            take_out(patch, naked.codes())
        assert naked.status == SCORED
        assert naked.reward > 0.01


@pytest.mark.tex
@pytest.mark.parametrize("name", [name for name, cheat in CHEATS.items() if cheat.twin])
def test_the_honest_twin_of_a_cheat_keeps_its_score(name, builds):
    seed = load_seed(BUNDLED / "tutorial")
    task = make_task(seed, operators()["TEX-CMD-TRP"], "twins", builds).task
    twin = CHEATS[name].twin(Target(task))
    assert twin is not None
    assert judged(task, twin.case(name, "twin", 1, 1), builds).reward == 1
