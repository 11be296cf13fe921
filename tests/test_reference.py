"""The reference pages say what the registries hold."""

from pathlib import Path

import pytest

from lattice_env.families.paper.operator import operators
from lattice_env.reference import DOCMUT, PAGES, WITHOUT

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_not_stale(page):
    assert (ROOT / page).read_text("utf-8") == PAGES[page](), "run python3 -m lattice_env.reference"


def test_every_code_of_docmut_has_an_operator_or_a_reason():
    assert len(DOCMUT) == 25
    assert [code for code in DOCMUT if code not in operators() and code not in WITHOUT] == []
