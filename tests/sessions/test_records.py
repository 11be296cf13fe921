"""What an episode leaves on the disk: a record that calibrate reads, a trajectory that Harbor validates."""

from __future__ import annotations

import json
from multiprocessing import get_context

import pytest

from lattice_env.analysis.inputs import read_trials
from lattice_env.sessions.host import Host
from lattice_env.sessions.record import read_records

from .players import play_every

EACH = [pytest.param("paper", marks=pytest.mark.tex), "document", "ocr"]


def validated(path):
    """Whether the installed Harbor takes a trajectory, and what it holds against it."""
    pytest.importorskip("harbor", reason="Harbor is not installed here: make setup")
    from harbor.utils.trajectory_validator import TrajectoryValidator

    validator = TrajectoryValidator()
    return validator.validate(path), validator.errors


@pytest.mark.parametrize("family", EACH)
def test_a_trajectory_passes_harbors_own_validation(player, each_task, family):
    folder = play_every(player, each_task[family], family)
    assert validated(folder / "trajectory.json") == (True, [])
    steps = json.loads((folder / "trajectory.json").read_text("utf-8"))["steps"]
    assert steps[0]["source"] == "user"
    assert steps[-1]["extra"]["terminated"]


def test_a_trajectory_of_several_parties_passes_too(player, document_task):
    player.reset(document_task)
    for role in ("agent", "human", "simulator", "system"):
        player.step("read_page", role=role, page=1)
    player.host.leave("enough")
    assert validated(player.folder() / "trajectory.json") == (True, [])
    steps = json.loads((player.folder() / "trajectory.json").read_text("utf-8"))["steps"]
    assert [step["source"] for step in steps] == ["user", "agent", "user", "system", "system"]


@pytest.mark.parametrize("family", EACH)
def test_calibrate_reads_the_records(player, each_task, family):
    play_every(player, each_task[family], family)
    player.reset(each_task[family], agent={"name": "leaver"})
    player.host.leave("the client went away")
    (_, done), (_, left) = read_records(player.episodes / "episodes.jsonl")
    assert (done.status in ("scored", "rejected"), done.reason) == (True, "")
    assert (left.status, left.reward, left.reason) == ("error", None, "the client went away")
    assert len(read_trials([player.episodes])) == 2


def test_a_reset_that_fails_leaves_nothing(player, tmp_path):
    player.reset(tmp_path / "nowhere")
    assert player.records() == []
    assert list(player.episodes.iterdir()) == []


def test_the_files_of_an_episode(player, document_task):
    folder = play_every(player, str(document_task), "document")
    assert sorted(path.name for path in folder.iterdir()) == [
        "trajectory.json",
        "transcript.jsonl",
        "verifier",
        "workspace",
    ]
    verdict = json.loads((folder / "verifier" / "verdict.json").read_text("utf-8"))
    assert verdict["reward"] == player.records()[0]["reward"]


def play_some(episodes, task):
    """Five episodes in a process of its own."""
    for _ in range(5):
        host = Host(episodes)
        host.take({"op": "reset", "task": str(task)})
        host.leave("enough")


def test_processes_share_a_folder(tmp_path, document_task):
    context = get_context("spawn")
    workers = [context.Process(target=play_some, args=(tmp_path, document_task)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    records = [record for _, record in read_records(tmp_path / "episodes.jsonl")]
    assert len({record.episode for record in records}) == 10
    assert sorted(record.attempt for record in records) == list(range(1, 11))
