"""A run that is killed at any moment can be gone on with, to the same bytes as an uninterrupted one."""

from __future__ import annotations

import json
import os
import platform
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.tex

MOST_SECONDS = 120


def wait_for(condition, process):
    """Until the condition holds; the process must not end before."""
    ends = time.monotonic() + MOST_SECONDS
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < ends
        time.sleep(0.01)


def rows_in(out):
    """How many units the journal tells of; its first line is the plan."""
    journal = out / "_progress.jsonl"
    return journal.read_text("utf-8").count("\n") - 1 if journal.exists() else -1


def workers_of(process):
    """The workers of a run, by their numbers."""
    if not Path("/proc/self/task").is_dir():
        pytest.skip("this system does not tell the children of a process")
    threads = Path(f"/proc/{process.pid}/task").glob("*/children")
    children = [child for thread in threads for child in thread.read_text("utf-8").split()]
    return [int(child) for child in children if b"executors.worker" in Path(f"/proc/{child}/cmdline").read_bytes()]


def finished(generate, out, plan):
    done = generate(out, *plan, "--resume", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    return out


def test_a_run_that_is_killed_completes_to_the_same_bytes(begin, generate, plan, whole, tree, tmp_path):
    out = tmp_path / "out"
    process = begin(out, *plan, "--jobs", "1", store=tmp_path / "store")
    wait_for(lambda: rows_in(out) >= 1, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert not (out / "manifest.json").exists()
    assert tree(finished(generate, out, plan)) == tree(whole)


def test_workers_end_with_a_run_that_is_killed(begin, plan, tmp_path):
    process = begin(tmp_path / "out", *plan, "--jobs", "2", store=tmp_path / "store")
    wait_for(lambda: len(workers_of(process)) == 2, process)
    workers = workers_of(process)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=MOST_SECONDS)
    ends = time.monotonic() + MOST_SECONDS
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_an_interrupt_ends_a_run_with_130_and_it_can_be_gone_on_with(begin, generate, plan, whole, tree, tmp_path):
    out = tmp_path / "out"
    process = begin(out, *plan, "--jobs", "2", store=tmp_path / "store")
    wait_for(lambda: rows_in(out) >= 1, process)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "--resume goes on" in errors
    assert "Traceback" not in errors
    assert rows_in(out) >= 1
    assert tree(finished(generate, out, plan)) == tree(whole)


def test_an_interrupt_before_the_first_task_leaves_no_folder(begin, plan, tmp_path):
    out = tmp_path / "out"
    process = begin(out, *plan, "--jobs", "1", store=tmp_path / "store")
    wait_for(lambda: rows_in(out) == 0 and workers_of(process), process)
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert not out.exists()


def test_a_worker_that_is_killed_is_replaced_and_the_run_makes_the_same_bytes(begin, plan, whole, tree, tmp_path):
    out = tmp_path / "out"
    process = begin(out, *plan, "--jobs", "1", store=tmp_path / "store")
    wait_for(lambda: rows_in(out) >= 1, process)
    os.kill(workers_of(process)[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=MOST_SECONDS)
    assert process.returncode == 0, errors
    assert tree(out) == tree(whole)


def test_nothing_is_done_twice_by_a_run_that_is_gone_on_with(generate, plan, whole, half, tree):
    out = half(3)
    before = {
        path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file() and "_progress" not in path.name
    }
    done = generate(out, *plan, "--resume", "--json", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert tree(out) == tree(whole)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert len(json.loads(done.stdout)) == len(json.loads((whole / "manifest.json").read_text("utf-8"))["tasks"])


def torn_line(out):
    with (out / "_progress.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"seed": "ott')


def half_a_package(out):
    (out / ".build-repair-0000000000.part" / "tests").mkdir(parents=True)
    (out / ".build-repair-0000000000.part" / "task.toml").write_text("half", "utf-8")


def package_without_a_line(out):
    lines = (out / "_progress.jsonl").read_text("utf-8").splitlines(keepends=True)
    (out / "_progress.jsonl").write_text("".join(lines[:-1]), "utf-8")


def line_without_a_package(out):
    shutil.rmtree(next(path for path in sorted(out.iterdir()) if path.is_dir()))


def file_missing(out):
    next(iter(sorted(out.glob("*/tests/verify.py")))).unlink()


def file_edited(out):
    next(iter(sorted(out.glob("*/instruction.md")))).write_text("edited", "utf-8")


def file_added(out):
    (next(path for path in sorted(out.iterdir()) if path.is_dir()) / "extra.txt").write_text("x", "utf-8")


def half_a_manifest(out):
    (out / ".manifest.json.part").write_text("{", "utf-8")


def empty_rejected(out):
    (out / "_rejected").mkdir()


@pytest.mark.parametrize(
    "damages",
    [
        (torn_line, half_a_package, half_a_manifest, empty_rejected),
        (package_without_a_line,),
        (line_without_a_package,),
        (file_missing,),
        (file_edited,),
        (file_added,),
    ],
    ids=lambda damages: damages[0].__name__,
)
def test_whatever_a_kill_or_a_person_left_half_done_the_bytes_become_the_same(
    generate, plan, whole, half, tree, damages
):
    out = half(3)
    for damage in damages:
        damage(out)
    assert tree(finished(generate, out, plan)) == tree(whole)
    assert not (out / "_rejected").exists()


def test_a_run_that_was_killed_behind_its_manifest_becomes_the_same_bytes(generate, plan, whole, half, tree):
    out = half(4)
    shutil.copy(whole / "manifest.json", out)
    generate(out, *plan, "--resume")
    assert tree(out) == tree(whole)


def test_a_run_that_was_killed_before_its_first_line_can_be_gone_on_with(generate, plan, whole, half, tree):
    out = half(0)
    (out / "_progress.jsonl").write_text("", "utf-8")
    assert tree(finished(generate, out, plan)) == tree(whole)


def test_a_full_disk_leaves_nothing_half_written_and_more_room_completes_to_the_same_bytes(
    generate, plan, whole, tree, disk
):
    first = json.loads((whole / "manifest.json").read_text("utf-8"))["tasks"][0]["task"]
    blocks = sum(-(-path.stat().st_size // 4096) for path in (whole / first).rglob("*") if path.is_file())
    out = disk(blocks * 4096 * 3 // 2) / "out"
    done = generate(out, *plan, "--jobs", "1")
    assert done.returncode == 4, done.stderr
    assert "cannot be written: No space left" in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["_progress.jsonl", first]
    disk("16m")
    assert tree(finished(generate, out, plan)) == tree(whole)


def test_a_disk_without_room_for_one_task_holds_nothing_afterwards(generate, plan, disk):
    out = disk("64k") / "out"
    done = generate(out, *plan, "--jobs", "1")
    assert done.returncode == 4, done.stderr
    assert str(out) in done.stderr
    assert not out.exists()


def test_a_store_on_a_full_disk_is_an_error_that_names_it(generate, disk, tmp_path):
    store = disk("64k") / "store"
    (store.parent / "filler").write_bytes(b"x" * 61440)
    done = generate(tmp_path / "out", "--seed", "heron", "--limit", "1", "--jobs", "1", store=store)
    assert done.returncode in (1, 4)
    assert "Traceback" not in done.stderr
    assert str(store) in done.stderr


def test_a_worker_whose_disk_is_full_ends_a_run_that_goes_on_where_there_is_room(
    command, generate, plan, whole, tree, disk, tmp_path
):
    line, settings = command(tmp_path / "out", *plan, "--jobs", "1", store=tmp_path / "store")
    settings["env"] |= {"TMPDIR": str(disk("64k"))}
    done = subprocess.run(line, **settings, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1, done.stderr
    assert "this machine cannot judge" in done.stderr
    assert platform.node() in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
    assert tree(finished(generate, tmp_path / "out", plan)) == tree(whole)
