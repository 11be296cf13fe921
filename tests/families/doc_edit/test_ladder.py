"""Each level is clearly harder than the one before: by the table in the guide, and by what makes that table."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from lattice_env.cli import main
from lattice_env.families.doc_edit.ladder import SHOWN
from lattice_env.families.doc_edit.levels import LEVELS
from lattice_env.verifier.edit_spec import FAMILIES

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "doc-edit.md"
COMMAND = ["baselines", "--tasks", "60"]


def table():
    """The lines of the guide's table."""
    return [line for line in GUIDE.read_text("utf-8").splitlines() if line.count("|") == 6 + len(SHOWN)]


def rungs():
    """(level, family) → baseline → mean reward, as the guide has them."""
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table()]
    cells = [dict(zip(head, row, strict=True)) for row in rows]
    return {(row["level"], row["family"]): {name: float(row[name]) for name in SHOWN} for row in cells}


def test_the_guide_has_every_level_and_family_and_the_command():
    assert set(rungs()) == {(level, family) for level in LEVELS for family in (*FAMILIES, "both")}
    assert f"`lattice-env {' '.join(COMMAND)}`" in GUIDE.read_text("utf-8")


@pytest.mark.parametrize(("easier", "harder"), [*pairwise(LEVELS)])
def test_a_level_is_clearly_harder_than_the_one_before_for_two_baselines(easier, harder):
    for name in ("direct-only", "regex"):
        before, after = (rungs()[level, "both"][name] for level in (easier, harder))
        assert after <= before - 0.05 or after <= before / 2, name


def test_the_oracle_earns_all_and_those_who_know_nothing_nothing():
    for row in rungs().values():
        assert (row["oracle"], row["nop"], row["random"]) == (1, 0, 0)


@pytest.mark.slow
def test_the_guides_table_is_what_the_command_prints(capsys):
    assert main(COMMAND) == 0
    assert capsys.readouterr().out.splitlines() == table()
