"""The reference pages say what the registries hold."""

from pathlib import Path

from lattice_env.families.paper.operator import operators
from lattice_env.reference import DOCMUT, PAGE, WITHOUT, operators_page

ROOT = Path(__file__).parent.parent


def test_the_page_of_operators_is_not_stale():
    assert (ROOT / PAGE).read_text("utf-8") == operators_page(), "run python3 -m lattice_env.reference"


def test_every_code_of_docmut_has_an_operator_or_a_reason():
    assert len(DOCMUT) == 25
    assert [code for code in DOCMUT if code not in operators() and code not in WITHOUT] == []
