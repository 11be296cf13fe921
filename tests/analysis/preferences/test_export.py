"""What is exported: who is left out, what a decision becomes, the same bytes for the same project."""

from __future__ import annotations

import json

import pyarrow.parquet
import pytest

from lattice_env.analysis.preferences import export_preferences
from lattice_env.errors import UsageError


def report(folder):
    return json.loads((folder / "scrub-report.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("level", "tables"),
    [
        (0, {"labels": 11}),
        (1, {"labels": 9, "preference": 8, "unpaired-preference": 8}),
        (2, {"labels": 7, "preference": 6, "unpaired-preference": 6, "files": 4}),
    ],
)
def test_every_level_has_its_tables_in_both_formats(level, tables, paper, rows, tmp_path):
    export_preferences(paper, tmp_path / "out", level=level)
    assert report(tmp_path / "out")["rows"] == tables
    names = {f"{name}.{ending}" for name in tables for ending in ("jsonl", "parquet")}
    assert {path.name for path in (tmp_path / "out").iterdir()} == names | {"README.md", "scrub-report.json"}
    for name in tables:
        assert pyarrow.parquet.read_table(tmp_path / "out" / f"{name}.parquet").to_pylist() == rows(
            tmp_path / "out", name
        )


def test_who_is_left_out_is_counted(paper, tmp_path):
    export_preferences(paper, tmp_path / "out", level=1)
    assert report(tmp_path / "out")["left_out"] == {
        "no consent to this level": 2,
        "no settled round": 2,
        "overlaps a passage without consent": 1,
        "withdrawn": 2,
    }


DECISIONS = [
    ("accept", "Expand", "One may safely forget such a promise.", "It is, in a manner", "One may safely forget", True),
    (
        "accept-partial",
        "",
        "The raw data are in the archive; ask [name].",
        "The raw data are at [url]",
        "The raw data are in",
        True,
    ),
    (
        "accept-edited",
        "",
        "Clocks drift by half a second at most",
        "Clocks drift by at most half",
        "Clocks drift by half",
        True,
    ),
    ("reject", "", "The server key is password", "The server has the key [secret]", "The server has the key", False),
]


@pytest.mark.parametrize(
    ("decision", "_", "chosen", "rejected", "completion", "label"), DECISIONS, ids=lambda x: str(x)[:14]
)
def test_what_a_decision_becomes(decision, _, chosen, rejected, completion, label, paper, rows, tmp_path):
    export_preferences(paper, tmp_path / "out", level=1)
    pairs = [row for row in rows(tmp_path / "out", "preference") if row["decision"] == decision]
    pair = next(row for row in pairs if row["chosen"][0]["content"].startswith(chosen))
    assert pair["rejected"][0]["content"].startswith(rejected)
    single = next(
        row for row in rows(tmp_path / "out", "unpaired-preference") if row["annotation"] == pair["annotation"]
    )
    assert single["completion"][0]["content"].startswith(completion)
    assert single["label"] is label
    assert single["prompt"] == pair["prompt"]


def test_earlier_rounds_give_their_outcome_and_no_text(paper, rows, tmp_path):
    export_preferences(paper, tmp_path / "out", level=2)
    labels = rows(tmp_path / "out", "labels")
    twice = [row for row in labels if not row["latest"]]
    assert [(row["decision"], row["attempt"]) for row in twice] == [("reject", 1)]
    texts = [row["annotation"] for row in rows(tmp_path / "out", "preference")]
    assert texts.count(twice[0]["annotation"]) == 1


def test_context_is_shown_at_level_2_only_and_not_of_closed_files(paper, rows, tmp_path):
    for level in (1, 2):
        export_preferences(paper, tmp_path / str(level), level=level)
    prompts = {
        level: [row["prompt"][0]["content"] for row in rows(tmp_path / str(level), "preference")] for level in (1, 2)
    }
    assert not any("<before>" in prompt for prompt in prompts[1])
    assert [prompt for prompt in prompts[2] if "<before>" not in prompt] == [
        prompt for prompt in prompts[1] if "the reading is sent" in prompt
    ]
    assert {row["path"] for row in rows(tmp_path / "2", "files")} == {"main.tex", "sections/radio.tex"}


def test_one_writer(paper, rows, tmp_path):
    export_preferences(paper, tmp_path / "out", level=1, writer="w-kurt")
    assert len(rows(tmp_path / "out", "labels")) == 2
    assert report(tmp_path / "out")["left_out"]["another writer"] == 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 2, "writer": "w-kurt"}, "w-kurt has not consented to level 2: consented to level 1"),
        ({"level": 0, "writer": "w-quentin"}, "w-quentin has not consented to level 0: did not"),
        ({"level": 0, "writer": "w-left"}, "w-left has not consented to level 0: withdrew"),
        ({"level": 1, "writer": "w-ada", "withdrawn": ["w-ada"]}, "withdrew"),
        ({"level": 1, "writer": "who"}, "no writer is called 'who'"),
        ({"level": 3}, "--level must be one of 0, 1, 2, not 3"),
    ],
)
def test_what_was_not_consented_to_is_refused(options, message, paper, tmp_path):
    with pytest.raises(UsageError, match=message):
        export_preferences(paper, tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_a_withdrawal_list_from_outside_is_honoured(paper, rows, tmp_path):
    export_preferences(paper, tmp_path / "out", level=1, withdrawn=["w-ada", "a-emoji", "nobody-here"])
    assert len(rows(tmp_path / "out", "labels")) == 1


def test_a_folder_that_is_there_is_left_alone(paper, tmp_path):
    (tmp_path / "mine.txt").write_text("keep", "utf-8")
    with pytest.raises(UsageError, match="is there already"):
        export_preferences(paper, tmp_path, level=0)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_same_project_gives_the_same_bytes_and_another_salt_other_ids(paper, rows, tmp_path):
    for name, salt in (("a", ""), ("b", ""), ("c", "mine")):
        export_preferences(paper, tmp_path / name, level=2, salt=salt)
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "abc"]
    assert files[0] == files[1]
    ids = [
        {row[key] for row in rows(tmp_path / name, "labels") for key in ("annotation", "round", "writer")}
        for name in "ac"
    ]
    assert not ids[0] & ids[1]


def test_a_deletion_is_a_proposal_too(changed, note_of, rows, tmp_path):
    folder = changed(lambda body: note_of(body, "a-accept")["proposal"].update(text=""))
    export_preferences(folder, tmp_path / "out", level=1)
    assert "" in [row["chosen"][0]["content"] for row in rows(tmp_path / "out", "preference")]


def test_the_words_of_somebody_without_consent_are_known_in_another_round(changed, note_of, rows, tmp_path):
    """Quentin's accepted text, which a later passage of Ada's quotes, stays out."""

    def quote(body):
        theirs = note_of(body, "a-noconsent")["proposal"]["text"]
        note_of(body, "a-noconsent")["file"] = "sections/radio.tex"
        note_of(body, "a-noconsent").update(start=0, end=1, passage="🚂")
        note_of(body, "a-radio")["proposal"]["text"] += theirs

    export_preferences(changed(quote), tmp_path / "out", level=1)
    assert "lossy radios" not in (tmp_path / "out" / "preference.jsonl").read_text("utf-8")
    assert report(tmp_path / "out")["left_out"]["overlaps a passage without consent"] == 1
