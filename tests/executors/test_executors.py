"""Work is done anywhere with the same results; a worker that dies takes nothing with it, and leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from lattice_env.errors import MissingTool, SeedError, UsageError
from lattice_env.executors import AHEAD, EXECUTORS, ProcessExecutor, in_order, open_executor
from lattice_env.executors.process import WorkerKilledError
from lattice_env.executors.scratch import PREFIX, claim, sweep

sys.path.insert(0, str(Path(__file__).parent))

import works


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A folder of this test's own for temporary files, in this process and in workers."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


@pytest.fixture
def two():
    executor = ProcessExecutor(2)
    yield executor
    executor.close()


@pytest.mark.parametrize("name", ["serial", "process"])
def test_results_come_in_the_order_of_the_items(name):
    with open_executor(name, jobs=2) as executor:
        assert list(in_order(executor, works.double, ((n,) for n in range(20)))) == [2 * n for n in range(20)]


def test_work_is_taken_as_it_is_needed_and_not_all_at_once():
    taken = []
    items = ((taken.append(n) or n,) for n in range(1000))
    with open_executor("serial", jobs=1) as executor:
        results = in_order(executor, works.double, items)
        assert next(results) == 0
        assert len(taken) == AHEAD


def test_work_is_done_in_other_processes(two):
    found = {two.submit(works.number_of_process).result() for _ in range(4)}
    assert os.getpid() not in found


def test_a_worker_loads_nothing_of_the_program_that_asks_for_it(tmp_path):
    """A trainer's main module takes seconds to load, and one without a guard would begin to train again."""
    program = tmp_path / "trainer.py"
    program.write_text(
        "print('loaded')\n"
        "import works\n"
        "from lattice_env.executors import ProcessExecutor\n"
        "executor = ProcessExecutor(1)\n"
        "print(executor.submit(works.double, 4).result())\n"
        "executor.close()\n",
        "utf-8",
    )
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("loaded\n8\n", "")


def test_the_first_items_are_under_way_before_any_result_is_asked_for(two, tmp_path):
    mark = tmp_path / "mark"
    results = in_order(two, works.touch, ((str(mark),) for _ in range(2)))
    deadline = time.monotonic() + 60
    while not mark.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert list(results) == [None, None]


@pytest.mark.parametrize("name", ["serial", "process"])
def test_an_error_of_the_work_is_raised_where_the_result_is_asked_for(name):
    with open_executor(name, jobs=1) as executor:
        with pytest.raises(SeedError, match="the seed is bad") as raised:
            executor.submit(works.fail).result()
        assert raised.value.hint == "another seed"
        with pytest.raises(KeyError):
            executor.submit(works.stumble).result()
        assert executor.submit(works.double, 4).result() == 8


def test_work_whose_worker_is_killed_is_done_again_by_another(two, tmp_path):
    others = [two.submit(works.double, n) for n in range(3)]
    again = two.submit(works.kill_once, str(tmp_path / "mark"))
    assert again.result() != os.getpid()
    assert [other.result() for other in others] == [0, 2, 4]
    assert two.deaths == 1


def test_work_that_costs_worker_after_worker_is_an_error_and_the_rest_goes_on(two):
    with pytest.raises(WorkerKilledError, match="3 workers were killed at one task"):
        two.submit(works.kill).result()
    assert two.submit(works.double, 4).result() == 8


def test_work_that_takes_too_long_is_ended(two):
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        two.submit_within(0.2, works.sleep, 600).result()
    assert time.monotonic() - started < 60
    assert two.submit(works.double, 4).result() == 8


def test_a_closed_executor_leaves_no_process_and_no_folder(temporary, tmp_path):
    executor = ProcessExecutor(2)
    workers = {executor.submit(works.number_of_process).result() for _ in range(4)}
    assert Path(executor.submit(works.fill_folder).result()).is_relative_to(temporary)
    executor.submit(works.kill_once, str(tmp_path / "mark")).result()
    pending = [executor.submit(works.sleep, 600) for _ in range(9)]
    while not any(each.running() for each in pending):
        time.sleep(0.01)
    executor.close()
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert list(temporary.iterdir()) == []


def test_a_serial_executor_leaves_no_folder(temporary):
    with open_executor("serial", jobs=1) as executor:
        executor.submit(works.fill_folder).result()
    assert list(temporary.iterdir()) == []


def test_folders_of_the_dead_are_swept_and_those_of_the_living_are_not(temporary):
    with open_executor("process", jobs=1) as executor:
        living = Path(executor.submit(works.fill_folder).result())
        dead = temporary / f"{PREFIX}dead"
        (dead / "lattice-abcdefgh").mkdir(parents=True)
        (temporary / "lattice-other").mkdir()
        sweep()
        assert living.is_dir()
        assert not dead.exists()
        assert (temporary / "lattice-other").is_dir()


def test_a_link_to_a_folder_is_not_swept(temporary, tmp_path):
    (tmp_path / "precious").mkdir()
    (temporary / f"{PREFIX}link").symlink_to(tmp_path / "precious", target_is_directory=True)
    sweep()
    assert (tmp_path / "precious").is_dir()


def test_sweeping_never_takes_a_folder_that_is_just_being_claimed(temporary, monkeypatch):
    ended = threading.Event()

    def sweep_on():
        while not ended.is_set():
            sweep()

    sweeper = threading.Thread(target=sweep_on)
    sweeper.start()
    try:
        for _ in range(50):
            monkeypatch.setattr(tempfile, "tempdir", str(temporary))
            assert claim().is_dir()
    finally:
        ended.set()
        sweeper.join()


def test_what_is_no_executor_is_an_error_of_usage():
    with pytest.raises(UsageError, match="no executor is called 'dask'"), open_executor("dask", jobs=1):
        pass
    with pytest.raises(UsageError, match="--address is for"), open_executor("process", jobs=1, address="x:1"):
        pass
    assert EXECUTORS == ("serial", "process", "ray")


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingTool) as raised, open_executor("ray", jobs=1):
        pass
    assert raised.value.hint == "pip install 'lattice-env[ray]'"


def test_a_worker_leaves_interrupts_and_ends_to_its_parent(two):
    worker = two.submit(works.number_of_process).result()
    os.kill(worker, signal.SIGINT)
    os.kill(worker, signal.SIGTERM)
    assert {two.submit(works.number_of_process).result() for _ in range(4)} >= {worker}


def test_a_node_that_is_not_like_the_machine_that_asks_is_an_error_and_no_other_result():
    from lattice_env.executors.ray import Installed, NodeError, _call, installed

    with pytest.raises(NodeError, match="another version of lattice-env"):
        _call(Installed("0" * 64, installed().toolchain), works.double, 4)
    with pytest.raises(NodeError, match="another toolchain"):
        _call(Installed(installed().verifier, "0" * 64), works.double, 4)
