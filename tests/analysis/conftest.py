"""The job of 45 real trials, unpacked; folders of tasks and files of records, made by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import settings

from lattice_env.sessions.record import EpisodeRecord

KEPT = Path(__file__).parent / "harbor_job" / "job_of_45.json"
VERIFIER = "5" * 64

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def write_all(files, folder):
    """Write path → text, or an object as JSON, below a folder."""
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body if isinstance(body, str) else json.dumps(body), "utf-8")
    return folder


@pytest.fixture
def job(tmp_path):
    """A folder with `tasks` and `jobs/job`, as the real job left them."""
    return write_all(json.loads(KEPT.read_text("utf-8")), tmp_path / "real")


@pytest.fixture
def make_tasks(tmp_path):
    """A function: a folder of tasks; each is a name and what its metadata says otherwise than usual."""

    def made(**tasks):
        files = {}
        for name, others in tasks.items():
            metadata = {"id": name * 2, "family": "build-repair", "operator": "TEX-CMD-TRP", "category": "command"}
            metadata |= {"seed": "otter", "verifier": VERIFIER, "tier": 1, **others}
            lines = [f"{key} = {json.dumps(value)}" for key, value in metadata.items()]
            files[f"{name}/task.toml"] = "[metadata]\n" + "\n".join(lines) + "\n"
        return write_all(files, tmp_path / "tasks")

    return made


@pytest.fixture
def make_records(tmp_path):
    """A function: a file of records; each is a task, a reward, and what is otherwise than usual."""

    def made(*rows, name="episodes.jsonl"):
        lines = []
        for number, (task, reward, *others) in enumerate(rows):
            status = "error" if reward is None else "scored"
            fields = {"episode": f"e{number}", "task": task, "task_id": task * 2, "family": "build-repair"}
            fields |= {"agent": "player", "model": "m", "attempt": number + 1, "seed": number, "status": status}
            fields |= {
                "reward": reward,
                "verifier": VERIFIER,
                "red_lines": (),
                "started_at": f"2026-11-30T10:{number:02}:00Z",
            }
            fields |= {"reason": "" if status == "scored" else "the client went away", **dict(*others)}
            lines.append(EpisodeRecord(**fields).to_json())
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(line + "\n" for line in lines), "utf-8")
        return path

    return made
