"""A genre is a folder without code; what does not fit together in it is refused with its place."""

from __future__ import annotations

from decimal import Decimal

import pytest

from lattice_env.errors import SeedError, TemplateError, UsageError
from lattice_env.seeds.documents import genre_names, load_genre, load_genres
from lattice_env.seeds.documents.formulas import parse_formula, rounded
from lattice_env.seeds.documents.genre import read_genre, template_problems
from lattice_env.seeds.documents.templates import Slot, parse_template


def test_every_bundled_genre_is_whole():
    genres = load_genres()
    assert "purchase-order" in genres
    for genre in genres.values():
        assert any(fact.change for fact in genre.facts.values())
        assert any(fact.decoy for fact in genre.facts.values())


def test_values_follow_from_others_as_far_as_formulas_go():
    far = load_genre("purchase-order").distances["item.qty"]
    assert {"item.qty": 0, "item.line_total": 1, "subtotal": 2, "sales_tax": 3, "order_total": 4}.items() <= far.items()


def test_an_unknown_genre_is_an_error_of_usage():
    with pytest.raises(UsageError, match="no genre is called 'sonnet'"):
        load_genre("sonnet")
    assert "sonnet" not in genre_names()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('formula = "sum(item.line_total)"', 'formula = "order_total - freight"', "go in a circle: .*subtotal"),
        ('formula = "sum(item.line_total)"', 'formula = "sum(item.colour)"', r"item\.colour is no fact"),
        ('formula = "sum(item.line_total)"', 'formula = "sum(freight)"', "sum takes the numbers of a group"),
        ('formula = "sum(item.line_total)"', 'formula = "freight +"', "is no formula"),
        ('formula = "sum(item.line_total)"', 'formula = "freight ** 2"', "is no fact"),
        ('formula = "sum(item.line_total)"', 'formula = "__import__(1)"', "is no fact"),
        ('formula = "order_date + terms_days"', 'formula = "order_date * terms_days"', "a date can only have days"),
        ('formula = "order_date + terms_days"', 'formula = "freight"', "the formula yields no date"),
        ('formula = "order_date + terms_days"', 'formula = "buyer"', "buyer is text"),
        ('type = "money"', 'type = "gold"', "type 'gold' is none of"),
        ("sample = { index = 1 }", "sample = { dice = 6 }", "is no sampler"),
        ("sample = { index = 1 }", 'sample = { pattern = "##" }', "the sampler pattern yields no count"),
        ("sample = { index = 1 }", 'sample = { same = "terms_days" }', "same is for decoys"),
        ('title = "purchase order"', 'titel = "purchase order"', "keys missing or unknown: titel, title"),
        ('name = "purchase-order"', 'name = "other"', "is not the folder's"),
        ("item = [3, 6]", "part = [3, 6]", "groups without facts"),
        ('count = "fillers"', 'count = "many"', "count 'many' is no number"),
        ('kind = "terms"', 'kind = "poem"', "no template of the pool seed for poem"),
    ],
)
def test_what_does_not_fit_together_is_refused(broken, old, new, why):
    with pytest.raises(SeedError, match=why):
        broken(old, new)


def test_a_folder_without_a_genre_is_refused(tmp_path):
    with pytest.raises(SeedError, match=r"genre\.toml"):
        read_genre(tmp_path)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("THE {colour:text}", r"x\.txt:1:5: no fact is called 'colour'"),
        ("A\n{freight:iso}", r"x\.txt:2:1: freight has no format 'iso'"),
        ("Page {page:int}", "page is for page headers"),
        ("@part {item.qty:int}", "no group is called 'part'"),
        ("{freight}", r"x\.txt:1:1: a brace that belongs to no placeholder"),
        ("at {freight:usd} or } so", r"x\.txt:1:21: a brace"),
        ("caf\u00e9", r"x\.txt:1:4: .* is not printable ASCII"),
    ],
)
def test_a_template_is_refused_with_its_line_and_column(folder, text, why):
    (folder / "templates" / "seed" / "appendix" / "x.txt").write_text(text, "utf-8")
    with pytest.raises(TemplateError, match=why):
        read_genre(folder)


def test_echoes_that_a_kind_needs_and_fields_that_it_must_not_show(broken, folder):
    place = folder / "templates" / "seed" / "filler" / "x.txt"
    place.write_text("It costs {order_total:usd}.", "ascii")
    with pytest.raises(TemplateError, match="a section of kind filler must not show order_total"):
        read_genre(folder)
    place.unlink()
    (folder / "templates" / "seed" / "terms" / "x.txt").write_text("TERMS\n\nPay.", "ascii")
    with pytest.raises(TemplateError, match="a section of kind terms must show terms_days"):
        read_genre(folder)


def test_problems_of_a_template_are_all_told():
    genre = load_genre("purchase-order")
    template = parse_template("{colour:text} {freight:iso}", "x", kind="appendix")
    assert len(list(template_problems(genre, template))) == 2
    assert "has no section" in next(template_problems(genre, parse_template("x", "x", kind="poem"))).what


def test_placeholders_have_a_format_and_may_be_padded():
    slots = parse_template("{item.qty:int>6} {freight:usd<12}{po_number:id}", "x").slots
    assert [(s.fact, s.style, s.align, s.width) for s in slots] == [
        ("item.qty", "int", ">", 6),
        ("freight", "usd", "<", 12),
        ("po_number", "id", "", 0),
    ]
    assert isinstance(slots[0], Slot)


@pytest.mark.parametrize(
    ("value", "cents"), [("2.345", "2.35"), ("2.344", "2.34"), ("-2.345", "-2.35"), ("0.005", "0.01")]
)
def test_money_is_rounded_halves_away_from_zero(value, cents):
    assert rounded(Decimal(value), "money") == Decimal(cents)


def test_formulas_are_decimal():
    types = {"a": "money", "b": "count"}
    formula = parse_formula("a * b / 3 + 0.1", types, "x")
    assert formula.evaluate({"a": Decimal("0.10"), "b": Decimal(3)}.get) == Decimal("0.20")
    assert formula.names == {"a", "b"}
