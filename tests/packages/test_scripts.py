"""`tests/test.sh`, as Harbor calls it: in a container, as root, with whatever the agent left in the logs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from lattice_env.verifier import sandbox
from lattice_env.verifier.toolchain import tool_dirs

pytestmark = pytest.mark.tex

LATEXMK = sorted({str(path.resolve()) for path in (folder / "latexmk" for folder in tool_dirs()) if path.exists()})
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc", "/var", "/opt")


@pytest.fixture
def call(package, tmp_path):
    """A function: run the package's test.sh in a box that has `/app`, `/logs/verifier` and `/tests`."""
    if sandbox.kind() != sandbox.BUBBLEWRAP:
        pytest.skip("no bubblewrap works here")
    logs, app = tmp_path / "logs", tmp_path / "app"
    logs.mkdir()
    shutil.copytree(package / "environment" / "workspace", app)

    def run(*, hidden=(), solve=False):
        words = ["bwrap", "--unshare-pid", "--die-with-parent", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108
        for path in map(Path, SYSTEM):
            if path.is_symlink():
                words += ["--symlink", str(path.readlink()), str(path)]
            elif path.exists():
                words += ["--ro-bind", str(path), str(path)]
        words += ["--bind", str(logs), "/logs/verifier", "--bind", str(app), "/app", "--clearenv"]
        words += ["--ro-bind", str(package / "tests"), "/tests", "--ro-bind", str(package / "solution"), "/solution"]
        for name in hidden:
            words += ["--ro-bind", "/dev/null", name]
        script = "sh /solution/solve.sh && exec sh /tests/test.sh" if solve else "exec sh /tests/test.sh"
        words += ["--setenv", "PATH", "/usr/bin:/bin", "/bin/sh", "-c", script]
        return subprocess.run(words, capture_output=True, text=True, timeout=180, check=False)

    run.logs, run.app = logs, app
    return run


def plant(logs, what, target):
    """A reward that the agent wrote."""
    place = logs / "reward.txt"
    if what == "file":
        place.write_text("1.0\n", "utf-8")
    elif what == "folder":
        (place / "deep").mkdir(parents=True)
        (place / "deep" / "reward.txt").write_text("1.0\n", "utf-8")
    else:
        target.write_text("1.0\n", "utf-8")
        place.symlink_to(target)


def test_the_repaired_paper_earns_1(call):
    done = call(solve=True)
    assert done.returncode == 0, done.stderr
    assert (call.logs / "reward.txt").read_text("utf-8") == "1.0\n"
    assert json.loads((call.logs / "reward.json").read_text("utf-8"))["reward"] == 1
    assert json.loads((call.logs / "verdict.json").read_text("utf-8"))["status"] == "scored"
    written = ["reward-details.json", "reward.json", "reward.txt", "verdict.json"]
    assert sorted(path.name for path in call.logs.iterdir()) == written


@pytest.mark.parametrize("what", ["file", "folder", "link"])
def test_a_reward_that_stood_there_before_is_gone(call, what, tmp_path):
    plant(call.logs, what, tmp_path / "target")
    done = call()
    assert done.returncode == 0, done.stderr
    assert (call.logs / "reward.txt").read_text("utf-8") == "0.0\n"
    assert not (call.logs / "reward.txt").is_symlink()
    assert not (tmp_path / "target").exists() or (tmp_path / "target").read_text("utf-8") == "1.0\n"


@pytest.mark.parametrize("what", ["file", "folder", "link"])
def test_without_tex_there_is_no_reward_not_even_one_that_stood_there(call, what, tmp_path):
    plant(call.logs, what, tmp_path / "target")
    done = call(solve=True, hidden=LATEXMK)
    assert done.returncode == 1
    assert "infra_error" in done.stdout
    assert "latexmk" in done.stdout
    assert [path.name for path in call.logs.iterdir()] == ["verdict.json"]
    assert json.loads((call.logs / "verdict.json").read_text("utf-8"))["reward"] is None


def test_a_python_of_the_agents_own_is_not_asked(call):
    """Files beside the workspace and in it that would be imported, were they on the path."""
    for name in ("json.py", "sitecustomize.py", "lattice_verifier.py", "pathlib.py"):
        (call.app / name).write_text("raise SystemExit(0)\n", "utf-8")
    done = call(solve=True)
    assert done.returncode == 0, done.stderr
    assert (call.logs / "reward.txt").read_text("utf-8") == "0.0\n"


def test_an_edited_package_gives_no_reward(call, package):
    (package / "tests" / "original" / "main.tex").write_text("x", "utf-8")
    done = call(solve=True)
    assert done.returncode == 1
    assert "original/main.tex" in done.stdout
    assert not (call.logs / "reward.txt").exists()
