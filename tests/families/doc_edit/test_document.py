"""Documents are drawn by name, computed by formula, and rendered with what every stretch of every line shows."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import pytest

from lattice_env.families.doc_edit.document import DECOY, PAGE_LINES, make_layout, render
from lattice_env.families.doc_edit.draws import fact_of, index_of, instance, members_of
from lattice_env.families.doc_edit.values import computed, draw_values, redrawn
from lattice_env.seeds.documents import load_genres, load_locale
from lattice_env.seeds.documents.formats import write_value

US = load_locale("en_US")
GENRES = load_genres()
ORDER = GENRES["purchase-order"]


def document(genre, key, **knobs):
    values = draw_values(genre, US, key)
    layout = make_layout(genre, values, key, **{"fillers": 3, "appendices": 2, "pools": ("seed",), **knobs})
    return values, layout, render(genre, US, layout, values)


@pytest.mark.parametrize("number", range(5))
def test_totals_are_what_a_bookkeeper_would_write(number):
    values = draw_values(ORDER, US, str(number))
    cent = Decimal("0.01")
    items = members_of("item", values)
    lines = [(values[f"item[{i}].qty"] * values[f"item[{i}].unit_price"]).quantize(cent, ROUND_HALF_UP) for i in items]
    assert lines == [values[f"item[{i}].line_total"] for i in items]
    tax = (sum(lines) * values["tax_rate"] / 100).quantize(cent, ROUND_HALF_UP)
    assert values["sales_tax"] == tax
    assert values["order_total"] == sum(lines) + tax + values["freight"]
    assert (values["due_date"] - values["order_date"]).days == values["terms_days"]


@pytest.mark.parametrize("genre", GENRES.values(), ids=GENRES)
def test_every_mark_holds_its_value_in_its_format(genre):
    values, _, shown = document(genre, "marks")
    for lines, marks in zip(shown.pages, shown.marks, strict=True):
        for text, found in zip(lines, marks, strict=True):
            for mark in found:
                if mark.fact in values:
                    assert text[mark.start : mark.end] == write_value(values[mark.fact], mark.style, US)


@pytest.mark.parametrize("genre", GENRES.values(), ids=GENRES)
def test_the_same_key_gives_the_same_document_and_another_key_another(genre):
    assert document(genre, "a")[2] == document(genre, "a")[2]
    assert document(genre, "a")[2] != document(genre, "b")[2]


def test_pages_have_no_more_lines_than_a_page_and_each_its_header():
    _, _, shown = document(ORDER, "long", fillers=30)
    assert len(shown.pages) > 5
    for number, page in enumerate(shown.pages, 1):
        assert len(page) <= PAGE_LINES
        assert f"Page {number} of {len(shown.pages)}" in page[0]
        assert page[1] == ""
        assert page[2] != ""


def test_decoys_stay_where_the_value_that_they_look_like_changes():
    values, layout, before = document(ORDER, "decoys", fillers=12)
    changed = computed(ORDER, {**values, "freight": values["freight"] + 10})
    after = render(ORDER, US, layout, changed)
    decoys = {mark.fact for lines in before.marks for marks in lines for mark in marks if mark.role == DECOY}
    assert {"insured_value", "quoted_total"} & decoys
    assert values["insured_value"] == values["freight"] != changed["freight"]
    assert [len(page) for page in before.pages] == [len(page) for page in after.pages]


def test_a_fact_that_depends_on_nothing_else_is_not_moved_by_a_new_one():
    values = draw_values(ORDER, US, "k")
    again = computed(ORDER, values)
    assert again == values


@pytest.mark.parametrize("name", ["po_number", "order_date", "freight", "item[1].qty", "vendor_email"])
def test_a_changed_value_is_one_that_the_document_does_not_have(name):
    values = draw_values(ORDER, US, "k")
    new = redrawn(ORDER, US, values, name, "k")
    assert new not in values.values()
    assert type(new) is type(values[name])


def test_instances_are_named_by_their_member():
    assert instance("item.qty", 2) == "item[2].qty"
    assert instance("freight", 2) == "freight"
    assert (fact_of("item[2].qty"), fact_of("freight")) == ("item.qty", "freight")
    assert (index_of("item[12].qty"), index_of("freight")) == (12, 0)
