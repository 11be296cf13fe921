"""No string that is private at a level is in any byte of what is exported at that level."""

from __future__ import annotations

import itertools
import json
import shutil
import tempfile
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lattice_env.analysis.preferences import export_preferences

PAPER = Path(__file__).parents[2] / "fixtures" / "annotated-paper"
PRIVATE = json.loads((PAPER / "private.json").read_text("utf-8"))
LEVELS = (0, 1, 2)


def everything(folder):
    """Every byte of an export as text: raw, JSON with its escapes undone, Parquet's values; and the names of files."""
    parts = [path.name for path in folder.iterdir()]
    parts += [path.read_bytes().decode("utf-8", "replace") for path in folder.iterdir()]
    for path in folder.glob("*.jsonl"):
        parts += map(str, leaves([json.loads(line) for line in path.read_text("utf-8").split("\n") if line]))
    for path in folder.glob("*.parquet"):
        parts += map(str, leaves(pyarrow.parquet.read_table(path).to_pylist()))
    return "\n".join(parts)


def leaves(value):
    if isinstance(value, dict):
        return itertools.chain.from_iterable(map(leaves, value.values()))
    if isinstance(value, list):
        return itertools.chain.from_iterable(map(leaves, value))
    return iter((value,))


def said(text):
    """A text as it may turn up: white space aside, in any case."""
    return "".join(text.split()).casefold()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("ending", ["jsonl", "parquet", "md", "json"])
def test_what_is_private_at_a_level_is_in_no_byte_of_it(level, ending, tmp_path):
    export_preferences(PAPER, tmp_path / "out", level=level)
    raw = b"".join(path.read_bytes() for path in sorted((tmp_path / "out").glob(f"*.{ending}")))
    assert raw
    hidden = [item["text"] for item in PRIVATE if item["level"] > level]
    assert [text for text in hidden if text.encode() in raw or json.dumps(text)[1:-1].encode() in raw] == []


@pytest.mark.parametrize("level", LEVELS)
def test_nor_in_what_its_bytes_stand_for(level, tmp_path):
    export_preferences(PAPER, tmp_path / "out", level=level)
    text = said(everything(tmp_path / "out"))
    assert [item["text"] for item in PRIVATE if item["level"] > level and said(item["text"]) in text] == []


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_level_may_show_is_shown(level, tmp_path):
    export_preferences(PAPER, tmp_path / "out", level=level)
    text = said(everything(tmp_path / "out"))
    shown = [item["text"] for item in PRIVATE if item["level"] <= level]
    assert len(shown) == (0, 15, 20)[level]
    by_kurt = ["Percent of what", "half a second", "Emoji", "Stress goes last", "no other engine"]
    expected = [word for word in shown if level == 1 or word not in by_kurt]
    assert [word for word in expected if said(word) not in text] == []


PEOPLE = ("w-ada", "w-kurt", "w-emmy", "w-quentin", "w-left")
consents = st.dictionaries(st.sampled_from(PEOPLE), st.sampled_from([0, 1, 2, None]))


@settings(max_examples=40, deadline=None)
@given(
    level=st.sampled_from(LEVELS), consents=consents, gone=st.sets(st.sampled_from([*PEOPLE, "a-accept", "a-radio"]))
)
def test_every_free_text_is_shown_only_where_its_writer_consents(level, consents, gone):
    """Each text of the project gets a word of its own; an export may hold the words of consenting writers only."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, out = Path(scratch, "paper"), Path(scratch, "out")
        shutil.copytree(PAPER, folder)
        path = folder / ".research" / "annotations.json"
        body = json.loads(path.read_text("utf-8"))
        for person in body["people"]:
            person["consent"] = consents.get(person["id"], person["consent"])
        allowed, words = mark(body, level, gone | set(body["withdrawn"]))
        path.write_text(json.dumps(body), "utf-8")
        export_preferences(folder, out, level=level, withdrawn=gone)
        text = everything(out)
        assert {word for word in words if word in text} <= allowed


def mark(body, level, gone):
    """Put a word of its own into every free text; which of them may be shown, and all of them."""
    counter, allowed, words = itertools.count(), set(), set()
    given = {person["id"]: person["consent"] for person in body["people"]}

    def word(*, may):
        made = f"canary{next(counter)}z"
        words.add(made)
        if may:
            allowed.add(made)
        return made

    for note in body["annotations"]:
        consent = given[note["author"]]
        clear = level > 0 and consent is not None and consent >= level and not gone & {note["id"], note["author"]}
        note["note"] += f" {word(may=clear)}"
        for reply in note.get("replies", []):
            reply["text"] += f" {word(may=clear and reply['author'] == note['author'])}"
        for name in note.get("proposal", {}):
            note["proposal"][name] += f" {word(may=clear)}"
    return allowed, words


def test_nothing_is_sent(tmp_path, monkeypatch):
    def refuse(*_arguments, **_settings):
        message = "an export must not open a connection"
        raise AssertionError(message)

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    export_preferences(PAPER, tmp_path / "out", level=2)


def test_the_project_is_only_read(tmp_path):
    before = {path: path.read_bytes() for path in PAPER.rglob("*") if path.is_file()}
    export_preferences(PAPER, tmp_path / "out", level=2)
    assert {path: path.read_bytes() for path in PAPER.rglob("*") if path.is_file()} == before
