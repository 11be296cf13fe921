"""The quick way to a first error says what the pinned build says, or nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from lattice_env.families.paper.first_error import first_error
from lattice_env.families.paper.operator import mutate, operators, paper_of_seed
from lattice_env.seeds import load_seed, load_seeds

PAPERS = Path(__file__).parents[2] / "seeds" / "papers"
OTTER = load_seed(PAPERS / "otter")
SEEDS = {seed.name: seed for seed in load_seeds() if not seed.unavailable}
CASES = [
    ("chapters", "TEX-CMD-TRP"),
    ("humanities", "TEX-BRC-DRP"),
    ("ieeetran", "TEX-ENV-REN"),
    ("mathematics", "LAT-MTH-STR"),
    ("tables", "LAT-ESC-HSH"),
]


def broken(seed, old, new):
    """The seed's root with one text put in place of another."""
    data = seed.files[seed.root]
    assert data.count(old) >= 1
    return {**seed.files, seed.root: data.replace(old, new, 1)}


@pytest.mark.tex
@pytest.mark.parametrize(("name", "code"), CASES)
def test_the_first_error_is_the_pinned_builds(name, code, builds):
    seed, operator = SEEDS[name], operators()[code]
    start = mutate(seed.files, next(operator.sites(paper_of_seed(seed))), code)
    outcome = builds.outcome(start, seed.root)
    assert outcome.reason == "tex"
    assert first_error(seed, start) == outcome.diagnostics[0]


@pytest.mark.tex
def test_a_fault_in_the_preamble_needs_the_pinned_build():
    assert first_error(OTTER, broken(OTTER, b"\\usepackage", b"\\usepakcage")) is None


@pytest.mark.tex
def test_a_paper_whose_first_pass_ends_well_needs_the_pinned_build():
    assert first_error(OTTER, broken(OTTER, b"\\end{document}", b"More.\n\\end{document}")) is None


@pytest.mark.tex
def test_a_preamble_that_cannot_be_dumped_needs_the_pinned_build():
    stuck = replace(OTTER, files=broken(OTTER, b"\\usepackage", b"\\undefined\\usepackage"))
    assert first_error(stuck, broken(stuck, b"\\end{document}", b"\\alsoundefined\\end{document}")) is None


def test_a_fault_in_the_bibliography_needs_the_pinned_build():
    path = next(path for path in OTTER.files if path.endswith(".bib"))
    assert first_error(OTTER, {**OTTER.files, path: b"@book{a"}) is None
