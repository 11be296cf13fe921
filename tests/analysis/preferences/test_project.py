"""Annotations that are not as the schema says, or contradict themselves, are errors that name their place."""

from __future__ import annotations

import json
import shutil

import pytest

from lattice_env.analysis.preferences.project import SCHEMAS, read_project
from lattice_env.errors import DataError


def test_the_fixture_is_read_whole(paper):
    project = read_project(paper)
    assert len(project.annotations) == 15
    assert {outcome.decision for note in project.annotations for outcome in note.outcomes} == {
        "accept",
        "accept-partial",
        "accept-edited",
        "reject",
    }
    assert sorted(project.rounds) == ["r1", "r2", "r3"]


def test_offsets_count_characters_with_line_ends_as_they_are(paper):
    notes = {note.id: note for note in read_project(paper).annotations}
    assert notes["a-radio"].passage == "The reading, which is short,\r\nis sent by radio"
    assert "🚂" in notes["a-emoji"].passage


BAD = {
    "an unknown decision": (lambda b, n: n(b, "a-accept")["rounds"][0].update(decision="maybe"), r"decision: 'maybe'"),
    "an unknown intent": (lambda b, n: n(b, "a-accept").update(intent="please"), r"intent: 'please'"),
    "an unknown key": (lambda b, n: n(b, "a-accept").update(mood="bad"), r"annotations\[0\]: .*'mood'"),
    "a missing key": (lambda b, n: n(b, "a-accept").pop("note"), r"annotations\[0\]: 'note' is a required"),
    "a level there is not": (lambda b, n: b["people"][0].update(consent=3), r"people\[0\].consent: 3"),
    "another format": (lambda b, n: b.update(format=2), r"\$.format: 1 was expected"),
    "a path for an id": (lambda b, n: n(b, "a-accept")["rounds"][0].update(round="../r1"), r"round: '../r1'"),
    "a missing round": (lambda b, n: n(b, "a-accept")["rounds"][0].update(round="r9"), r"r9/round.json: No such file"),
    "an unknown author": (lambda b, n: n(b, "a-accept").update(author="nobody"), r"a-accept: nobody is called nobody"),
    "a file there is not": (lambda b, n: n(b, "a-accept").update(file="x.tex"), r"a-accept: x.tex is not in round r2"),
    "a passage elsewhere": (lambda b, n: n(b, "a-emoji").update(start=0), r"a-emoji: the passage does not stand at 0"),
    "hunks that do not add up": (
        lambda b, n: n(b, "a-partial")["rounds"][0].update(applied=3),
        r"a-partial: round r2: accept-partial with 3 of 3",
    ),
    "no proposal": (lambda b, n: n(b, "a-reject").pop("proposal"), r"a-reject: proposal is missing"),
    "no settled text": (
        lambda b, n: n(b, "a-edited")["proposal"].pop("settled"),
        r"a-edited: proposal.settled is missing",
    ),
    "an id twice": (lambda b, n: n(b, "a-edited").update(id="a-accept"), r"annotations: two are called a-accept"),
    "half a character": (lambda b, n: n(b, "a-accept").update(note="\ud83d"), r"surrogates not allowed"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_annotations_are_named(name, changed, note_of):
    change, message = BAD[name]
    with pytest.raises(DataError, match=message):
        read_project(changed(lambda body: change(body, note_of)))


def test_a_number_that_is_none_is_refused(changed):
    folder = changed(lambda body: None)
    path = folder / ".research" / "annotations.json"
    path.write_text(path.read_text("utf-8").replace('"start": ', '"start": NaN, "x": ', 1), "utf-8")
    with pytest.raises(DataError, match="NaN is no value here"):
        read_project(folder)


def test_a_project_without_annotations_is_no_project(tmp_path):
    with pytest.raises(DataError, match=r"annotations.json: No such file") as caught:
        read_project(tmp_path)
    assert "docs/reference/annotations.md" in caught.value.hint


def test_links_in_a_round_are_not_followed(changed):
    folder = changed(lambda body: None)
    place = folder / ".research" / "annotation-rounds" / "r2" / "before" / "sections" / "radio.tex"
    place.unlink()
    place.symlink_to("/etc/passwd")
    with pytest.raises(DataError, match=r"radio.tex: not-a-file"):
        read_project(folder)


def test_a_round_knows_its_own_name(changed):
    rounds = changed(lambda body: None) / ".research" / "annotation-rounds"
    shutil.copy(rounds / "r1" / "round.json", rounds / "r2" / "round.json")
    with pytest.raises(DataError, match="'r1' is not the folder's name"):
        read_project(rounds.parent.parent)


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.name)
def test_the_schemas_are_schemas(path):
    import jsonschema

    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text("utf-8")))
