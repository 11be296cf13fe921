"""Many episodes of the random agent, in two processes over tasks of every family, as the command line plays them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

from lattice_env.packages import write_package
from lattice_env.sessions.record import read_records

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"
CODES = (
    ("otter", "TEX-CMD-TRP"),
    ("otter", "LAT-REF-SWP"),
    ("otter", "TEX-LVL-SFT"),
    ("heron", "TEX-ENV-REN"),
    ("heron", "LAT-CIT-RNM"),
)
"""Papers and operators: of each family that is built, and two more."""
FAMILIES = {"build-repair", "reference-hygiene", "silent-change", "reference-and-update", "audit-and-correct"}
FAMILIES |= {"latex-ocr"}
MOST_MORE = 5
"""Descriptors by which two looks at a worker may differ, since it is seen in the midst of its work."""


def write_tasks(folder, papers, documents, pictures, builds):
    """Packages of the first papers, documents and pictures; how many there are."""
    from lattice_env.families.doc_edit.make import make_task as make_document
    from lattice_env.families.doc_edit.recipe import Knobs, recipes
    from lattice_env.families.latex_ocr.make import load_formulas
    from lattice_env.families.latex_ocr.make import make_task as make_picture
    from lattice_env.families.paper.make import make_task as make_paper
    from lattice_env.families.paper.operator import operators
    from lattice_env.seeds import load_seed

    tasks = [make_paper(load_seed(PAPERS / seed), operators()[code], "many", builds).task for seed, code in papers]
    tasks += [make_document(recipe).task for recipe in islice(recipes(Knobs(seed="many")), documents)]
    tasks += [make_picture(formula) for formula in load_formulas()[:pictures]]
    for task in tasks:
        write_package(task, folder / task.name)
    return len(tasks)


def below(parent):
    """The processes below a process."""
    try:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text("utf-8").split()
    except OSError:
        return []
    return [*children, *(further for child in children for further in below(child))]


def descriptors(pid):
    """How many files a worker of the pool has open; nothing of a process that is none, or has ended."""
    try:
        place = Path("/proc") / pid
        return [len(list((place / "fd").iterdir()))] if b"spawn_main" in (place / "cmdline").read_bytes() else []
    except OSError:
        return []


def watch(words, environment, seconds, folder):
    """Run a command to its end: its exit code, what it printed, and the descriptors of its workers as they went."""
    seen, deadline = {}, time.monotonic() + seconds
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as complaints:
        process = subprocess.Popen(words, env=environment, stdout=out, stderr=complaints)
        try:
            while process.poll() is None:
                assert time.monotonic() < deadline, "an episode hangs"
                for pid in below(process.pid):
                    seen.setdefault(pid, []).extend(descriptors(pid))
                time.sleep(0.2)
        finally:
            process.kill()
            process.wait()
    return process.returncode, (folder / "stdout").read_text("utf-8"), [counts for counts in seen.values() if counts]


def named(folder):
    """The processes that have a folder in their command line, or work in it."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if str(folder) in (path / "cmdline").read_text("utf-8", "replace") + str((path / "cwd").readlink()):
                found.append(path.name)
        except OSError:
            continue
    return found


def check_many(tmp_path, tasks, attempts, seconds):
    """Play every task so often; each verdict must be what `lattice-env verify` says, and nothing may be left."""
    scratch, episodes = tmp_path / "scratch", tmp_path / "episodes"
    scratch.mkdir()
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(scratch), "TMPDIR": str(scratch)}
    program = [sys.executable, "-m", "lattice_env"]
    words = [*program, "run", tmp_path / "tasks", "--agent", "random", "-k", str(attempts), "--jobs", "2", "--json"]
    code, said, looks = watch([*words, "--out", episodes], environment, seconds, tmp_path)
    assert code == 0, (tmp_path / "stderr").read_text("utf-8")[-2000:]
    assert named(tmp_path) == []
    assert [path.name for path in scratch.iterdir() if path.name != ".cache"] == []
    records = [record for _, record in read_records(episodes / "episodes.jsonl")]
    assert len(records) == len(json.loads(said)) == tasks * attempts
    assert {record.family for record in records} == FAMILIES
    assert len({(record.task, record.attempt) for record in records}) == len(records)
    assert sorted(path.name for path in episodes.iterdir() if path.is_dir()) == sorted(r.episode for r in records)
    assert not list(episodes.glob("*/home"))
    assert not list(episodes.glob("*/.*.part"))

    def verified(record):
        folder = episodes / record.episode
        line = [*program, "verify", tmp_path / "tasks" / record.task, folder / "workspace", "--json"]
        done = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=300, check=True)
        return done.stdout, (folder / "verifier" / "verdict.json").read_text("utf-8"), record.reward

    with ThreadPoolExecutor(2) as pool:
        for again, first, reward in pool.map(verified, records):
            assert again == first
            assert json.loads(again)["reward"] == reward
    return looks


@pytest.mark.tex
def test_random_over_every_family_hangs_nowhere_leaves_nothing_and_agrees_with_verify(builds, tmp_path):
    tasks = write_tasks(tmp_path / "tasks", CODES[:3], 2, 1, builds)
    assert check_many(tmp_path, tasks, 1, 900)


@pytest.mark.slow
@pytest.mark.tex
def test_200_episodes_of_random_hang_nowhere_leak_nothing_and_agree_with_verify(builds, tmp_path):
    assert write_tasks(tmp_path / "tasks", CODES, 4, 1, builds) == 10
    looks = check_many(tmp_path, 10, 20, 6000)
    assert len(looks) == 2
    for counts in looks:
        third = len(counts) // 3
        assert max(counts[-third:]) <= max(counts[:third]) + MOST_MORE
