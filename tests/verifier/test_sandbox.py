"""A program runs with nothing of ours, within limits, and leaves no process behind."""

import shutil
import time

import pytest

from lattice_env.verifier import sandbox
from lattice_env.verifier.verdict import InfraError


@pytest.fixture
def run(tools, tmp_path):
    """A function: runs a shell command in a fresh tree; (how it ended, what it printed)."""
    tree = tmp_path / "tree"
    tree.mkdir()

    def run_shell(text, *frozen):
        output = tmp_path / "output.txt"
        ended = sandbox.run(["/bin/sh", "-c", text], tree, tools, output, frozen)
        return ended, output.read_text("utf-8", "replace")

    run_shell.tree = tree
    return run_shell


@pytest.fixture
def boxed():
    if sandbox.kind() != sandbox.BUBBLEWRAP:
        pytest.skip("bubblewrap does not work here")


@pytest.mark.tex
def test_the_environment_is_made_from_nothing(run, tools, monkeypatch):
    monkeypatch.setenv("TEXINPUTS", "/evil:")
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.setenv("LATTICE_SECRET", "x")
    _, printed = run("env")
    names = {line.split("=")[0] for line in printed.splitlines()}
    assert names - {"PWD", "_", "SHLVL", "OLDPWD"} == set(sandbox.environment(tools, "/home").keys())


@pytest.mark.tex
def test_an_exit_code_is_told(run):
    ended, printed = run("echo said; exit 3")
    assert (ended.code, ended.timed_out, printed) == (3, False, "said\n")


@pytest.mark.tex
def test_what_takes_too_long_is_ended_with_its_children(run, monkeypatch):
    monkeypatch.setattr(sandbox, "WALL_SECONDS", 0.5)
    monkeypatch.setattr(sandbox, "LEAST_SHARE", 0.05)
    ended, _ = run("(sleep 1; touch late) & while :; do :; done")
    assert (ended.code, ended.timed_out) == (-1, True)
    time.sleep(1)
    assert not (run.tree / "late").exists()


@pytest.mark.tex
def test_what_had_hardly_run_when_its_time_was_up_is_not_to_blame(run, monkeypatch):
    monkeypatch.setattr(sandbox, "WALL_SECONDS", 0.5)
    with pytest.raises(InfraError, match=r"too busy: 0\.\d s of processor time in 0\.5 s"):
        run("sleep 60")


@pytest.mark.tex
def test_what_is_left_running_is_ended(run):
    run("(sleep 0.5; touch late) & exit 0")
    time.sleep(0.8)
    assert not (run.tree / "late").exists()


@pytest.mark.tex
def test_a_flood_of_output_is_ended(run, monkeypatch):
    monkeypatch.setattr(sandbox, "FILE_BYTES", 1 << 16)
    ended, printed = run("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done")
    assert ended.code != 0
    assert len(printed) <= 1 << 16


@pytest.mark.tex
def test_the_box_holds_the_tree_and_nothing_of_ours(boxed, run, tmp_path):
    (tmp_path / "secret").write_text("secret", "utf-8")
    ended, printed = run(f"pwd; cat {tmp_path}/secret /etc/passwd; ls /work /root")
    assert ended.code
    assert printed.startswith(f"{sandbox.BUILD}\n")
    assert "secret\n" not in printed.replace("/secret", "")
    assert "root:" not in printed


@pytest.mark.tex
def test_the_box_has_no_network_and_no_other_processes(boxed, run):
    _, printed = run("ls /sys/class/net /proc/net/dev; ls -d /proc/[0-9]* | wc -l; grep -c eth /proc/net/dev")
    assert "eth0" not in printed
    assert int(printed.split()[-2]) <= 8


@pytest.mark.tex
def test_frozen_files_are_read_and_not_written(boxed, run):
    (run.tree / "main.tex").write_text("source", "utf-8")
    (run.tree / "free.tex").write_text("source", "utf-8")
    run("cat main.tex; echo x > main.tex; rm -f main.tex; mv main.tex other; echo x > free.tex", "main.tex")
    assert (run.tree / "main.tex").read_text("utf-8") == "source"
    assert (run.tree / "free.tex").read_text("utf-8") == "x\n"


def test_a_program_that_is_not_there_is_an_infra_error(some_tools, tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "kind", lambda: sandbox.LIMITS)
    with pytest.raises(sandbox.InfraError, match="cannot be started"):
        sandbox.run([str(tmp_path / "none")], tmp_path, some_tools, tmp_path / "output.txt")


def test_room_is_measured_where_the_build_is(tmp_path, monkeypatch):
    assert sandbox.room_left(tmp_path) == (shutil.disk_usage(tmp_path).free > sandbox.FILE_BYTES)
    monkeypatch.setattr(sandbox, "FILE_BYTES", 1 << 62)
    assert not sandbox.room_left(tmp_path)
