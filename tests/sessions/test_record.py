"""A record of an episode, and the lines that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.errors import RecordError
from lattice_env.sessions.record import EpisodeRecord, parse_record, read_records

RECORD = EpisodeRecord(
    episode="e1",
    task="build-repair-0123456789",
    task_id="0123456789" * 6 + "abcd",
    family="build-repair",
    agent="player",
    model="",
    attempt=1,
    seed=None,
    status="scored",
    reward=0.5,
    verifier="5" * 64,
    red_lines=("decoy",),
    started_at="2026-11-30T10:00:00Z",
    reason="",
)


@given(
    st.builds(
        EpisodeRecord,
        **dict.fromkeys(("episode", "task", "task_id", "family", "agent", "verifier"), st.text(min_size=1)),
        model=st.text(),
        attempt=st.integers(1),
        seed=st.none() | st.integers(),
        status=st.just("scored"),
        reward=st.floats(0, 1),
        red_lines=st.lists(st.text(min_size=1)).map(tuple),
        started_at=st.datetimes().map(lambda at: at.isoformat() + "+00:00"),
        reason=st.text(),
    )
)
def test_a_record_is_one_line_and_comes_back(record):
    line = record.to_json()
    assert "\n" not in line
    assert parse_record(line, "here") == record


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"format": 2}, "format: only 1 is known"),
        ({"format": True}, "format: only 1 is known"),
        ({"task": ""}, "task: must not be empty"),
        ({"agent": None}, "agent: must be text, not None"),
        ({"attempt": 0}, "attempt: must be an integer from 1"),
        ({"attempt": True}, "attempt: must be an integer from 1"),
        ({"seed": "7"}, "seed: must be an integer or null"),
        ({"status": "fine"}, "status: must be one of scored, rejected, infra_error, error"),
        ({"reward": None}, r"reward: must be a number in \[0, 1\], not None"),
        ({"reward": 1.01}, r"reward: must be a number in \[0, 1\]"),
        ({"reward": True}, r"reward: must be a number in \[0, 1\]"),
        ({"reward": float("nan")}, "NaN is no value here"),
        ({"reward": float("inf")}, "Infinity is no value here"),
        ({"status": "rejected"}, "reward: must be 0 with status rejected"),
        ({"status": "error"}, "reward: must be null with status error"),
        ({"status": "infra_error", "reward": None}, "reason: must say why"),
        ({"redLines": ["decoy", 7]}, "redLines: must be a list of codes"),
        ({"redLines": "decoy"}, "redLines: must be a list of codes"),
        ({"startedAt": "2026-11-30T10:00:00"}, "startedAt: must be ISO 8601 with a time zone"),
        ({"startedAt": "yesterday"}, "startedAt"),
        ({"more": 1}, "keys missing or unknown: more"),
    ],
)
def test_a_line_that_is_none_is_refused_and_named(others, said):
    line = json.dumps(json.loads(RECORD.to_json()) | others)
    with pytest.raises(RecordError, match=said) as caught:
        parse_record(line, "episodes.jsonl:7")
    assert str(caught.value).startswith("episodes.jsonl:7: ")


@pytest.mark.parametrize("line", ["", "7", "[]", "{", '"text"'])
def test_what_is_no_object_is_refused(line):
    with pytest.raises(RecordError, match="here: "):
        parse_record(line, "here")


def test_a_file_is_read_line_by_line_and_its_first_wrong_line_is_named(tmp_path):
    path = tmp_path / "episodes.jsonl"
    path.write_text(f"{RECORD.to_json()}\n\n{RECORD.to_json()}\n", "utf-8")
    assert list(read_records(path)) == [(1, RECORD), (3, RECORD)]
    path.write_text(f"{RECORD.to_json()}\n{{\n", "utf-8")
    with pytest.raises(RecordError, match=f"{path}:2: "):
        list(read_records(path))


def test_a_file_that_is_not_there_or_not_utf8_is_refused(tmp_path):
    (tmp_path / "latin.jsonl").write_bytes(b"\xe9")
    for name in ("none.jsonl", "latin.jsonl"):
        with pytest.raises(RecordError, match=name):
            list(read_records(tmp_path / name))


def test_the_guides_example_is_a_record():
    page = Path(__file__).parents[2] / "docs" / "guides" / "calibration.md"
    (line,) = [line for line in page.read_text("utf-8").splitlines() if line.startswith("{")]
    record = parse_record(line, str(page))
    assert json.loads(record.to_json()) == json.loads(line)
