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
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\\usepackage", b"\\usepakcage"),
        (b"\\bibliographystyle{", b"\\bibliographystyle{un"),
        (b"\\section{", b"\\section{\\protect\\nowhere "),
    ],
    ids=["preamble", "bibliography", "second pass"],
)
def test_a_fault_outside_of_the_text_is_met_too(old, new, builds):
    start = broken(OTTER, old, new)
    outcome = builds.outcome(start, OTTER.root)
    assert outcome.diagnostics
    assert first_error(OTTER, start) == outcome.diagnostics[0]


@pytest.mark.tex
def test_a_fault_in_the_bibliography_is_met_behind_the_good_papers_first_pass(builds):
    path = next(path for path in OTTER.files if path.endswith(".bib"))
    start = {**OTTER.files, path: OTTER.files[path].replace(b"title   = {", b"title   = {\\nowhere ")}
    outcome = builds.outcome(start, OTTER.root)
    assert outcome.reason == "tex"
    assert first_error(OTTER, start) == outcome.diagnostics[0]


@pytest.mark.tex
@pytest.mark.parametrize("code", ["LAT-BIB-CMA", "LAT-BIB-UND"])
def test_a_class_that_writes_entries_of_its_own_is_no_fault(code, builds):
    """REVTeX writes mainNotes.bib in the first pass, and has BibTeX read it before the paper's own."""
    seed, operator = SEEDS["revtex"], operators()[code]
    start = mutate(seed.files, next(operator.sites(paper_of_seed(seed))), code)
    outcome = builds.outcome(start, seed.root)
    assert outcome.diagnostics
    assert first_error(seed, start) == outcome.diagnostics[0]


@pytest.mark.tex
def test_a_paper_that_builds_has_no_first_error():
    assert first_error(OTTER, broken(OTTER, b"\\end{document}", b"More.\n\\end{document}")) is None


@pytest.mark.tex
def test_a_preamble_that_cannot_be_dumped_is_read_again(builds):
    stuck = replace(OTTER, files=broken(OTTER, b"\\usepackage", b"\\undefined\\usepackage"))
    start = broken(stuck, b"\\end{document}", b"\\alsoundefined\\end{document}")
    assert first_error(stuck, start) == builds.outcome(start, OTTER.root).diagnostics[0]
