"""The bundled papers: whole, licensed, of distinct names, and built twice into the same document."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from lattice_env.seeds import BUNDLED, load_seed, load_seeds
from lattice_env.seeds.placeholders import draw_placeholder
from lattice_env.verifier.build import is_product
from lattice_env.verifier.latex import decode
from lattice_env.verifier.store import Store

FOLDERS = sorted(path for path in BUNDLED.iterdir() if path.is_dir())
SEEDS = {folder.name: load_seed(folder) for folder in FOLDERS}
AVAILABLE = [name for name, seed in SEEDS.items() if not seed.unavailable]
LEAST_AVAILABLE = 8

PLACEHOLDER = "98571d60b389b20eba20cb7c3ee1b212191f593f89dbcd6e763d87c02d38ceab"
"""SHA-256 of one placeholder: another drawing would change the identity of every seed with figures."""

_ENTRY = re.compile(r"^\s*@(\w+)\s*\{\s*([^,\s]+)\s*,", re.MULTILINE)
_NO_ENTRIES = ("string", "comment", "preamble")

each = pytest.mark.parametrize("name", SEEDS)


def recipe(name):
    return json.loads((BUNDLED / name / "seed.json").read_text("utf-8"))


def test_the_bundled_seeds_load_and_enough_of_them_need_nothing():
    assert [seed.name for seed in load_seeds()] == sorted(SEEDS)
    assert len(AVAILABLE) >= LEAST_AVAILABLE


def test_a_seed_is_loaded_to_the_same_digest_every_time():
    assert [seed.digest for seed in load_seeds()] == [seed.digest for seed in SEEDS.values()]
    assert len({seed.digest for seed in SEEDS.values()}) == len(SEEDS)


@each
def test_a_seed_lies_in_a_folder_of_its_own_name_and_says_its_licence(name):
    seed = SEEDS[name]
    assert seed.name == name
    assert seed.title
    assert seed.licence
    assert seed.redistributable or seed.unavailable


@each
def test_decoys_stand_once_in_editable_files_and_say_why(name):
    seed = SEEDS[name]
    assert len(seed.decoys) >= 2
    for path, text in seed.decoys:
        assert path in seed.editable
        assert decode(seed.files[path]).count(text) == 1
    assert all(item["why"] for item in recipe(name)["decoys"])


@each
def test_every_reference_of_a_bundled_paper_is_a_real_one(name):
    seed, references = SEEDS[name], recipe(name)["references"]
    bibliographies = (decode(data) for path, data in seed.files.items() if path.endswith(".bib"))
    entries = [match for text in bibliographies for match in _ENTRY.findall(text)]
    keys = [key for kind, key in entries if kind.lower() not in _NO_ENTRIES]
    assert sorted(keys) == sorted(references)
    assert all(re.fullmatch(r"https?://\S+", url) for url in references.values())


@each
def test_editable_files_are_sorted_and_hold_the_whole_source(name):
    seed = SEEDS[name]
    assert list(seed.editable) == sorted(seed.editable)
    sources = {path for path in seed.files if path.endswith((".tex", ".bib"))}
    assert set(seed.editable) == sources


@each
def test_a_seed_holds_no_product_of_a_build_and_no_hidden_file(name):
    files = SEEDS[name].files
    assert not [path for path in files if is_product(path, SEEDS[name].root)]
    assert not [path for path in files if path.startswith(".") or "/." in path]
    assert list(files) == sorted(files)


def test_placeholders_are_the_same_bytes_everywhere():
    data = draw_placeholder(280, 120, "Placeholder: (a) loss \\ naïve")
    assert data.startswith(b"%PDF-1.4\n")
    assert data.endswith(b"%%EOF\n")
    assert hashlib.sha256(data).hexdigest() == PLACEHOLDER


@pytest.mark.tex
@pytest.mark.parametrize("name", AVAILABLE)
def test_a_bundled_seed_builds_twice_into_one_document_with_nothing_undefined(name, builds):
    """The only place that builds every paper: other tests take one."""
    seed = SEEDS[name]
    first, again = (store.outcome(seed.files, seed.root) for store in (builds, Store()))
    assert first.reason == "", first.diagnostics
    assert first.undefined == ()
    assert first.pages > 1
    assert again.pdf_digest == first.pdf_digest
