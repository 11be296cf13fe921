"""A run or a worker killed at any moment: gone on with, the same root, no process and no temporary folder left.

The moments are drawn by key. Documents to edit are made in the short test, papers in the long one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lattice_env.executors.scratch import PREFIX
from lattice_env.keys import Choices

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"
MOMENTS = 20
VICTIMS = ("run", "worker", "group")
MOST_SECONDS = 600
MOST_RUNS = 5
"""How often a run is gone on with that the machine, which others use too, was too busy for."""
DOCUMENTS = ["--family", "audit-and-correct", "--family", "reference-and-update", "--limit", "24"]
DOCUMENTS += ["--level", "binder", "--level", "archive"]
CODES = ("TEX-CMD-TRP", "LAT-REF-SWP", "TEX-ENV-REN")
REPAIRS = ["--seeds-dir", str(PAPERS), "--seed", "otter", "--seed", "heron", "--limit", "4"]
REPAIRS += [word for code in CODES for word in ("--operator", code)]


@pytest.fixture
def place(tmp_path):
    """A home and a folder for temporary files of this test's own: what is left there, we left."""
    for name in ("home", "temporary"):
        (tmp_path / name).mkdir()
    return tmp_path


def begin(place, *words):
    line = [sys.executable, "-m", "lattice_env", "generate", "--store", str(place / "store"), *map(str, words)]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(place / "home"), "TMPDIR": str(place / "temporary")}
    return subprocess.Popen(
        line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def complete(place, *words):
    """Run to the end, and go on with `--resume` where the machine was too busy, as its message says."""
    for _ in range(MOST_RUNS):
        process = begin(place, *words)
        out, errors = process.communicate(timeout=MOST_SECONDS)
        if "too busy" not in errors:
            break
        words = (*words, "--resume") if "--resume" not in words else words
    assert process.returncode == 0, (out, errors)


def root(out):
    return json.loads((out / "manifest.json").read_text("utf-8"))["root"]


def ours(place):
    """The processes that were started from this test's home, the dead that nobody has asked for aside."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            mine = f"TMPDIR={place}/temporary".encode() in (path / "environ").read_bytes().split(b"\0")
            line = (path / "cmdline").read_bytes()
        except OSError:
            continue
        if mine and line:
            found.append(int(path.name))
    return found


def children(process):
    """The workers of a run."""
    threads = Path(f"/proc/{process.pid}/task").glob("*/children")
    found = [child for thread in threads for child in thread.read_text("utf-8").split()]
    return [int(child) for child in found if b"executors.worker" in Path(f"/proc/{child}/cmdline").read_bytes()]


def strike(victim, process, choose):
    """Kill the run, or one of its workers, or the run with all that is in its group, as it comes."""
    try:
        workers = children(process)
    except OSError:
        return
    if victim == "worker" and workers:
        os.kill(choose.choice(workers), signal.SIGKILL)
    elif victim == "run":
        process.kill()
    elif victim == "group":
        os.killpg(process.pid, signal.SIGKILL)


def kill_and_resume(place, words, name, span):
    """One moment: strike, go on until it is whole, and look at what is left."""
    choose = Choices("kill", name)
    out, victim = place / "out", choose.choice(VICTIMS)
    process = begin(place, "--out", out, "--jobs", "2", *words)
    time.sleep(span * choose.below(1000) / 1000)
    strike(victim, process, choose)
    process.communicate(timeout=MOST_SECONDS)
    again = ("--out", out, "--jobs", "2", "--resume", *words)
    if (out / "manifest.json").exists():  # struck at the very end: whole, with folders that the next run sweeps
        _, errors = begin(place, *again).communicate(timeout=MOST_SECONDS)
        assert "is complete" in errors
    else:
        complete(place, *again)
    ends = time.monotonic() + 10
    while left := ours(place):
        assert time.monotonic() < ends, (victim, left)
        time.sleep(0.02)
    assert [path.name for path in (place / "temporary").iterdir()] == [], victim
    assert not [path for path in out.rglob("*") if path.name.endswith(".part") or path.name == "_progress.jsonl"]
    found = root(out)
    shutil.rmtree(out)
    return found


def whole(place, words):
    """The root of a run that nobody kills, and how long it takes."""
    started = time.monotonic()
    complete(place, "--out", place / "whole", "--jobs", "2", *words)
    return root(place / "whole"), time.monotonic() - started


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this system does not tell of processes")
def test_documents_killed_at_moments_of_all_kinds_make_the_same_root(place):
    wanted, span = whole(place, DOCUMENTS)
    found = [kill_and_resume(place, DOCUMENTS, f"documents {number}", span) for number in range(3)]
    assert found == [wanted] * 3


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this system does not tell of processes")
def test_documents_killed_at_twenty_moments_make_the_same_root(place):
    wanted, span = whole(place, DOCUMENTS)
    found = [kill_and_resume(place, DOCUMENTS, f"twenty {number}", span) for number in range(MOMENTS)]
    assert found == [wanted] * MOMENTS


@pytest.mark.slow
@pytest.mark.tex
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this system does not tell of processes")
def test_papers_killed_at_twenty_moments_make_the_same_root(place):
    """Builds are remembered from one moment to the next in part only: some moments meet TeX, some do not."""
    wanted, span = whole(place, REPAIRS)
    found = []
    for number in range(MOMENTS):
        if number % 2 == 0:
            shutil.rmtree(place / "store")
        found.append(kill_and_resume(place, REPAIRS, f"papers {number}", span if number % 2 == 0 else span / 4))
    assert found == [wanted] * MOMENTS


def test_a_temporary_folder_of_a_run_that_nobody_goes_on_with_is_swept_by_the_next_run(place):
    process = begin(place, "--out", place / "one", "--jobs", "1", *DOCUMENTS)
    while not list((place / "temporary").glob(f"{PREFIX}*")):
        assert process.poll() is None
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    complete(place, "--out", place / "two", "--jobs", "1", *DOCUMENTS[:-4], "--level", "note")
    assert list((place / "temporary").iterdir()) == []
