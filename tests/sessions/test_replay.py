"""A transcript replays exactly, elsewhere and for another user; what differs is named."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lattice_env.errors import RecordError
from lattice_env.sessions.replay import replay

from .players import EVERY_ACTION, KINDS, play_every

EACH = [pytest.param(family, marks=[pytest.mark.tex] if kind == "paper" else []) for family, kind in KINDS.items()]
DEFER = ("defer", {"reason": "enough is enough"})


def test_every_action_of_each_family_is_taken(family_task, player):
    for family in ("reference-and-update", "latex-ocr"):
        player.reset(family_task(family))
        taken = {name for name, _ in (*EVERY_ACTION[KINDS[family]], DEFER)}
        assert player.host.episode.session.tools.keys() <= taken
        player.host.leave("enough")


@pytest.mark.parametrize("end", [None, DEFER], ids=["judged", "deferred"])
@pytest.mark.parametrize("family", EACH)
def test_every_action_replays_exactly_in_another_folder_with_another_home(player, family_task, family, end, tmp_path):
    task = family_task(family)
    folder = play_every(player, str(task), KINDS[family], end=end)
    home = tmp_path / "another home"
    home.mkdir()
    moved = Path(shutil.copytree(task, home / "moved" / task.name))
    words = [sys.executable, "-m", "lattice_env", "env", "--replay", folder / "transcript.jsonl", "--json"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home)}
    done = subprocess.run(
        [*words, "--task", moved], cwd=home, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    found = json.loads(done.stdout)
    assert (done.returncode, found["difference"]) == (0, None), done.stdout + done.stderr
    assert found["exchanges"] == len((folder / "transcript.jsonl").read_text("utf-8").splitlines())
    assert f"[1/{found['exchanges']}] reset" in done.stderr


def spoil(folder, number, change):
    """Change a reply of a transcript."""
    path = folder / "transcript.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    change(lines[number - 1]["reply"])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_the_first_difference_is_named(player, document_task):
    folder = play_every(player, str(document_task), "document")

    def change(reply):
        reply["obs"]["private"]["text"] += "!"

    found = replay(spoil(folder, 3, change))
    assert found.exchanges == 3
    assert (found.difference.exchange, found.difference.place) == (3, "obs.private.text")
    assert found.difference.before != found.difference.after


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("verdict.reward", lambda reply: reply["info"]["verdict"].update(reward=0.5)),
        ("reward", lambda reply: reply.update(reward=0.5)),
        ("terminated", lambda reply: reply.update(terminated=False)),
        ("obs.public.step", lambda reply: reply["obs"]["public"].update(step=7)),
    ],
)
def test_every_part_of_a_reply_is_compared(player, document_task, place, change):
    folder = play_every(player, str(document_task), "document")
    found = replay(spoil(folder, 6, change))
    assert found.difference.place == place


def test_a_machine_that_cannot_judge_is_named_and_not_just_a_reward_that_is_missing(player, document_task, monkeypatch):
    folder = play_every(player, str(document_task), "document")
    monkeypatch.setattr("lattice_env.sessions.judging.SECONDS", 0.001)
    found = replay(folder / "transcript.jsonl")
    assert (found.exchanges, found.difference.before) == (6, "done")
    assert found.difference.after == "infra_error: the verifier did not end within 0.001 s"


def test_a_task_that_is_gone_is_named(player, document_task, tmp_path):
    folder = play_every(player, str(document_task), "document")
    found = replay(folder / "transcript.jsonl", task=str(tmp_path / "gone"))
    assert (found.exchanges, found.difference.after.partition(":")[0]) == (1, "unknown-task")


def test_timings_are_not_compared(player, document_task):
    folder = play_every(player, str(document_task), "document")
    found = replay(spoil(folder, 3, lambda reply: reply["info"]["timings"].update(seconds=99)))
    assert found.difference is None


@pytest.mark.tex
def test_the_seconds_that_ended_an_episode_end_its_replay_too(player, paper_task):
    player.reset(paper_task, budget={"compileSeconds": 5})
    player.step("compile")
    player.host.leave("enough")

    def change(reply):
        reply["info"]["timings"]["building"] = 6.0

    found = replay(spoil(player.folder(), 2, change))
    assert (found.difference.place, found.difference.after) == ("reward", "0.0")


def test_errors_replay_too(player, document_task):
    player.reset(document_task)
    player.host.take_line(b"no JSON\n")
    player.host.take({"op": "frob"})
    player.reset(document_task)
    player.step("submit")
    found = replay(player.folder() / "transcript.jsonl")
    assert (found.exchanges, found.difference) == (5, None)


@pytest.mark.parametrize("text", ["", "nonsense\n", '{"request": {}}\n', "[]\n"], ids=repr)
def test_what_is_no_transcript_is_bad_data(tmp_path, text):
    path = tmp_path / "transcript.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordError, match="transcript"):
        replay(path)
