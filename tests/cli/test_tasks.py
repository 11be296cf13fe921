"""What the commands say of one task: verify, preview and selftest, on whole and on spoilt folders."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.packages import write_package
from lattice_env.seeds import load_seed
from lattice_env.verifier.latex import decode

pytestmark = pytest.mark.tex

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"
OUT = ["reward-details.json", "reward.json", "reward.txt", "verdict.json"]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(("kind", "reward", "status"), [("oracle", 1.0, "scored"), ("nop", 0.0, "rejected")])
def test_a_verdict_is_the_packages_own_byte_for_byte_and_is_written_whole(
    cli, package, workspace, tmp_path, kind, reward, status
):
    submitted = workspace(kind)
    ours = cli("verify", package, submitted, "--json", "--out", tmp_path / "logs")
    assert (ours.returncode, ours.stderr) == (0, "")
    own = [sys.executable, "-I", "-S", str(package / "tests" / "verify.py"), "--workspace", str(submitted), "--json"]
    theirs = subprocess.run(own, env={}, cwd="/", capture_output=True, text=True, timeout=120, check=True)
    assert ours.stdout == theirs.stdout
    assert (json.loads(ours.stdout)["status"], json.loads(ours.stdout)["reward"]) == (status, reward)
    assert names(tmp_path / "logs") == OUT
    assert (tmp_path / "logs" / "verdict.json").read_text("utf-8") == ours.stdout
    assert (tmp_path / "logs" / "reward.txt").read_text("utf-8") == f"{reward}\n"
    assert json.loads((tmp_path / "logs" / "reward.json").read_text("utf-8"))["reward"] == reward


def test_a_verdict_for_a_person_tells_the_reasons(cli, package, workspace):
    done = cli("verify", package, workspace("nop"))
    assert done.returncode == 0
    assert done.stdout.startswith("rejected: reward 0\n")
    assert "main.tex:" in done.stdout


@pytest.mark.parametrize("what", ["file", "empty", "missing", "link"])
def test_a_workspace_that_is_none_is_judged_and_earns_0(cli, package, tmp_path, what):
    place = tmp_path / "app"
    if what == "file":
        place.write_text("not a folder", "utf-8")
    elif what == "empty":
        place.mkdir()
    elif what == "link":
        place.symlink_to(package / "environment" / "workspace", target_is_directory=True)
    done = cli("verify", package, place, "--json", "--out", tmp_path / "logs")
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)
    assert (verdict["status"], verdict["reward"]) == ("rejected", 0)
    assert any(gate["state"] == "failed" and gate["reasons"] for gate in verdict["gates"])
    assert (tmp_path / "logs" / "reward.txt").read_text("utf-8") == "0.0\n"


@pytest.mark.parametrize("path", ["tests/original/main.tex", "tests/lattice_verifier/judge.py", "tests/task.json"])
@pytest.mark.parametrize("spoil", ["edited", "missing"])
def test_a_task_folder_that_is_not_whole_is_bad_data_for_every_command(cli, package, workspace, path, spoil):
    if spoil == "edited":
        (package / path).write_text("edited", "utf-8")
    else:
        (package / path).unlink()
    commands = [["verify", package, workspace("oracle")]]
    if path == "tests/task.json":
        commands += [["preview", package], ["selftest", package]]
    for words in commands:
        done = cli(*words)
        assert (done.returncode, done.stdout) == (4, ""), words
        assert path.rsplit("/", 1)[-1] in done.stderr
        assert str(package) in done.stderr
        assert "hint:" in done.stderr


def test_a_folder_that_is_no_task_is_bad_data(cli, workspace, tmp_path):
    for words in (["verify", tmp_path, workspace("nop")], ["preview", tmp_path / "none"], ["selftest", tmp_path]):
        done = cli(*words)
        assert (done.returncode, done.stdout) == (4, "")
        assert "not a task folder" in done.stderr


def test_an_edited_workspace_is_bad_data_where_the_shipped_one_is_needed(cli, package):
    (package / "environment" / "workspace" / "main.tex").write_text("edited", "utf-8")
    for command in ("preview", "selftest"):
        done = cli(command, package)
        assert done.returncode == 4
        assert "main.tex" in done.stderr


def test_a_reward_that_cannot_be_written_is_an_error_that_names_the_place(cli, package, workspace, tmp_path):
    (tmp_path / "logs").write_text("a file", "utf-8")
    done = cli("verify", package, workspace("nop"), "--out", tmp_path / "logs")
    assert done.returncode
    assert "Traceback" not in done.stderr
    assert str(tmp_path / "logs") in done.stderr


def test_a_preview_shows_the_edit_and_the_first_error(cli, package, task):
    done = cli("preview", package)
    assert done.returncode == 0, done.stderr
    change = task.spec.fault.changes[0]
    lines = done.stdout.splitlines()
    removed = [line for line in lines if line.startswith("-") and not line.startswith("---")]
    added = [line for line in lines if line.startswith("+") and not line.startswith("+++")]
    assert len(removed) == len(added) == 1
    assert change.before in removed[0]
    assert change.after in added[0]
    assert f"first error: {task.diagnostic}" in done.stdout
    assert task.operator in lines[0]
    assert task.spec.decoy.text in done.stdout


def test_a_preview_keeps_long_lines_whole(cli, builds, tmp_path):
    seed = load_seed(PAPERS / "heron")
    text = decode(seed.files["heron.tex"]).replace("it computes", "it " + "slowly " * 30 + "computes")
    long = replace(seed, files={**seed.files, "heron.tex": text.encode()})
    task = make_task(long, operators()["LAT-REF-SWP"], "long", builds).task
    write_package(task, tmp_path / "task")
    done = cli("preview", tmp_path / "task", "--no-build")
    assert done.returncode == 0, done.stderr
    shown = [line[1:] for line in done.stdout.splitlines() if line[:1] in ("-", " ")]
    assert next(line for line in text.splitlines() if "slowly" in line) in shown


def test_a_preview_without_a_build_needs_no_tex(cli, package):
    done = cli("preview", package, "--no-build", tex=False)
    assert done.returncode == 0, done.stderr
    assert "first error" not in done.stdout
    assert "\n+" in done.stdout


def test_self_tests_that_hold_are_0_and_each_is_told(cli, package, task):
    done = cli("selftest", package, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert {row["name"] for row in rows} == {case.name for case in task.cases}
    assert all(row["held"] for row in rows)


def test_a_self_test_that_does_not_hold_is_1_and_is_told(cli, wrong_package):
    done = cli("selftest", wrong_package)
    assert done.returncode == 1, done.stderr
    (failed,) = [line for line in done.stdout.splitlines() if " NO " in line]
    assert " nop " in failed


def test_a_package_runs_its_own_self_tests(package, wrong_package):
    """With a `selftests/` of two cases, so that the package, which keeps no builds, is quick."""
    for folder, code in ((package, 0), (wrong_package, 1)):
        spec = json.loads((folder / "tests" / "task.json").read_text("utf-8"))
        for path in sorted((folder / "tests" / "selftests").iterdir()):
            if path.stem not in ("oracle", "nop"):
                path.unlink()
                del spec["manifest"][f"selftests/{path.name}"]
        (folder / "tests" / "task.json").write_text(json.dumps(spec), "utf-8")
        line = [sys.executable, "-I", "-S", str(folder / "tests" / "selftest.py")]
        done = subprocess.run(line, env={}, cwd="/", capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        assert done.stdout.count("\n") == 2
        assert ("FAIL nop" in done.stdout) == bool(code)


def test_without_tex_a_task_is_not_judged_and_no_reward_is_written(cli, package, workspace, tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "reward.txt").write_text("1.0\n", "utf-8")
    done = cli("verify", package, workspace("oracle"), "--out", tmp_path / "logs", tex=False)
    assert done.returncode == 1
    assert done.stdout.startswith("infra_error: reward none\n")
    assert "latexmk" in done.stdout
    assert "hint: lattice-env doctor" in done.stderr
    assert names(tmp_path / "logs") == ["verdict.json"]


def test_without_tex_nothing_is_made(cli, tmp_path):
    done = cli("generate", "--out", tmp_path / "out", tex=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert "latexmk" in done.stderr
    assert "hint:" in done.stderr
    assert not (tmp_path / "out").exists()


def test_without_tex_self_tests_are_not_judged(cli, package):
    done = cli("selftest", package, tex=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "this machine cannot judge" in done.stderr
    assert "hint:" in done.stderr


def test_without_tex_the_doctor_says_what_is_missing(cli):
    done = cli("doctor", "--json", tex=False)
    assert done.returncode == 3
    body = json.loads(done.stdout)
    assert body["ready"] is False
    missing = {part["name"] for part in body["parts"] if part["needed"] and not part["ok"]}
    assert "latexmk" in missing


def test_a_demo_touches_no_folder_that_holds_something_else(cli, tmp_path):
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    done = cli("demo", "--out", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert str(tmp_path) in done.stderr
    assert (tmp_path / "mine.txt").read_text("utf-8") == "mine"


def test_a_moved_package_is_the_same_package(cli, package, workspace, tmp_path):
    moved = tmp_path / "a folder with spaces" / "renamed"
    shutil.copytree(package, moved)
    shutil.rmtree(package)
    assert cli("verify", moved, workspace("oracle")).stdout.startswith("scored: reward 1\n")
