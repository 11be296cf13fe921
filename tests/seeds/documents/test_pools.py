"""The bundled genres, locales and pools: enough of them, all different, all rendered without a gap."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest

from lattice_env.families.doc_edit.document import make_layout, render
from lattice_env.families.doc_edit.draws import fact_of
from lattice_env.families.doc_edit.recipe import TEMPLATES
from lattice_env.families.doc_edit.values import draw_values
from lattice_env.seeds.documents import genre_names, load_genre, load_genres, load_locale, load_locales, locale_names
from lattice_env.seeds.documents.checks import MOST_COLUMNS
from lattice_env.seeds.documents.genre import HEADER
from lattice_env.seeds.documents.templates import Slot

KEYS = 20
POOLS = {**TEMPLATES, "held-out": ("held-out",)}
ALL = [template for genre in load_genres().values() for kind in genre.templates.values() for template in kind]


def test_the_genres_and_locales_that_are_promised_are_there():
    promised = {"purchase-order", "invoice", "quotation", "statement-of-work", "change-order", "grant-budget"}
    assert promised <= set(genre_names())
    assert {"en_US", "en_GB", "de_DE", "fr_FR", "en_IN"} <= set(locale_names())


@pytest.mark.parametrize("name", genre_names())
def test_a_genre_has_enough_sections_about_two_thirds_of_them_seed(name):
    sections = [t for kind, all_ in load_genre(name).templates.items() for t in all_ if kind != HEADER]
    pools = Counter(template.pool for template in sections)
    assert len(sections) >= (40 if name == "purchase-order" else 10)
    assert 0.55 <= pools["seed"] / len(sections) <= 0.75


@pytest.mark.parametrize("name", genre_names())
@pytest.mark.parametrize("place", locale_names())
@pytest.mark.parametrize("pool", POOLS)
def test_every_document_is_whole(name, place, pool):
    genre, locale = load_genre(name), load_locale(place)
    required = {fact for section in genre.sections if section.count == 1 for fact in section.requires}
    for key in map(str, range(KEYS)):
        values = draw_values(genre, locale, key)
        layout = make_layout(genre, values, key, fillers=3, appendices=2, pools=POOLS[pool])
        document = render(genre, locale, layout, values)
        lines = [line for page in document.pages for line in page]
        assert max(map(len, lines)) <= MOST_COLUMNS
        assert not any(re.search(r"[{}]|(?<!\w)@", line) for line in lines)
        assert all(line.isascii() for line in lines)
        marks = [mark for page in document.marks for line in page for mark in line]
        assert required <= {fact_of(mark.fact) for mark in marks}


def test_no_two_templates_are_the_same():
    texts = Counter(re.sub(r"\s+", " ", template.text).lower() for template in ALL)
    assert [text for text, count in texts.items() if count > 1] == []


def words(template):
    """Runs of four words of the prose, placeholders left out."""
    text = " ".join(str(part) for line in template.lines for part in line.parts if not isinstance(part, Slot))
    all_words = re.findall(r"[a-z']+", text.lower())
    return {tuple(all_words[i : i + 4]) for i in range(len(all_words) - 3)}


def test_held_out_sections_are_no_paraphrase_of_seed_ones():
    runs = {template: words(template) for template in ALL}
    held = [template for template in ALL if template.pool == "held-out"]
    near = [
        (one.name, other.name)
        for one, other in itertools.product(held, (template for template in ALL if template.pool == "seed"))
        if len(runs[one] & runs[other]) > 2
    ]
    assert near == []


@pytest.mark.parametrize("name", genre_names())
def test_a_genre_has_long_chains_decoys_and_every_format(name):
    genre = load_genre(name)
    reach = {max(genre.distances[name].values()) for name, fact in genre.facts.items() if fact.change}
    assert {0, 1} <= reach, "the levels note and file ask for facts with no consequence, and with one"
    assert max(reach) >= 3
    assert sum(fact.decoy for fact in genre.facts.values()) >= 8
    styles = {slot.style for kind in genre.templates.values() for t in kind for slot in t.slots}
    assert {"usd", "code", "plain", "iso", "long", "short", "abbr", "int", "words", "percent", "spelled"} <= styles


@pytest.mark.parametrize("name", genre_names())
def test_every_fact_is_shown_somewhere(name):
    genre = load_genre(name)
    shown = {slot.fact for kind in genre.templates.values() for template in kind for slot in template.slots}
    used = {argument for fact in genre.facts.values() for argument in fact.arguments.get("email", ())}
    assert set(genre.facts) - shown - used == set()


def test_a_locale_has_enough_names_for_a_document():
    for locale in load_locales().values():
        assert len(set(locale.people)) >= 24
        assert len(set(locale.companies)) >= 24
        assert len(set(locale.streets)) >= 12
        assert len(set(locale.cities)) >= 12
        assert all(len(name.split()) >= 2 for name in locale.people)
        assert "".join((*locale.people, *locale.companies, *locale.months)).isascii()
