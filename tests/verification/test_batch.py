"""A set of submissions: the same verdicts as one by one, in order, whatever happens on the way."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time

import pytest

from lattice_env.cli import main
from lattice_env.errors import DataError, UsageError
from lattice_env.executors import open_executor
from lattice_env.packages import read_package
from lattice_env.verification import How, read_entries, verify_batch
from lattice_env.verifier.intake import read_submission
from lattice_env.verifier.judge import verify


def run(tasks, submissions, out, executor="serial", report=lambda *_: None):
    with open_executor(executor, jobs=2) as workers:
        return verify_batch(tasks, read_entries(submissions), out, executor=workers, how=How(), report=report)


def test_each_verdict_is_that_of_the_verifier_in_the_submissions_order(tasks, submissions, lines, tmp_path):
    run(tasks, submissions, tmp_path / "verdicts.jsonl", "process")
    rows = lines(tmp_path / "verdicts.jsonl")
    assert [row["id"] for row in rows] == [f"{name}/{kind}" for name in sorted(tasks) for kind in ("nop", "oracle")]
    assert [row["verdict"]["reward"] for row in rows] == [0, 1] * 3
    for row in rows:
        alone = verify(read_package(tasks[row["task"]]).spec, read_submission(submissions / row["id"]))
        assert row["verdict"] == json.loads(alone.to_json())


def test_a_file_of_submissions_is_as_good_as_folders(tasks, submissions, lines, tmp_path):
    entries = [{"id": f"a{n}", "task": name, "workspace": f"{name}/oracle"} for n, name in enumerate(tasks)]
    listed = submissions / "list.jsonl"
    listed.write_text("\n\n".join(map(json.dumps, entries)), "utf-8")
    run(tasks, listed, tmp_path / "out.jsonl")
    assert [(row["id"], row["verdict"]["reward"]) for row in lines(tmp_path / "out.jsonl")] == [
        ("a0", 1),
        ("a1", 1),
        ("a2", 1),
    ]


def test_an_interrupted_run_goes_on_and_does_nothing_twice(tasks, submissions, tmp_path):
    out, whole = tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    run(tasks, submissions, whole)

    def stop(row, done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tasks, submissions, out, report=stop)
    assert not out.exists()
    part = tmp_path / "out.jsonl.part"
    assert part.read_text("utf-8").count("\n") == 3
    with part.open("a", encoding="utf-8") as file:
        file.write('{"id": "torn')
    judged = []
    run(tasks, submissions, out, report=lambda row, done, total: judged.append(row["id"]))
    assert out.read_bytes() == whole.read_bytes()
    assert not part.exists()


def test_what_is_known_is_kept_and_what_changed_is_judged_again(tasks, submissions, solved, lines, tmp_path):
    out = tmp_path / "out.jsonl"
    run(tasks, submissions, out)
    before = lines(out)
    marked = [row | {"verdict": row["verdict"] | {"mark": True}} for row in before]
    out.write_text("".join(json.dumps(row) + "\n" for row in marked), "utf-8")
    name = min(tasks)
    shutil.rmtree(submissions / name / "nop")
    shutil.copytree(submissions / name / "oracle", submissions / name / "nop")
    run(tasks, submissions, out)
    after = lines(out)
    assert [("mark" in row["verdict"]) for row in after] == [False, True, True, True, True, True]
    assert after[0]["verdict"]["reward"] == 1


@pytest.mark.parametrize("stale", [{"verifier": "0" * 64}, {"status": "infra_error"}, {"task": "0" * 64}])
def test_a_verdict_of_another_verifier_or_task_or_none_at_all_is_judged_again(
    tasks, submissions, lines, tmp_path, stale
):
    out = tmp_path / "out.jsonl"
    run(tasks, submissions, out)
    before = lines(out)
    rows = [row | {"verdict": row["verdict"] | stale | {"mark": True}} for row in before]
    out.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    run(tasks, submissions, out)
    assert lines(out) == before


def test_a_link_put_beside_known_files_is_seen(tasks, submissions, lines, tmp_path):
    out = tmp_path / "out.jsonl"
    run(tasks, submissions, out)
    name = min(tasks)
    (submissions / name / "oracle" / "link").symlink_to("/etc/passwd")
    run(tasks, submissions, out)
    row = next(row for row in lines(out) if row["id"] == f"{name}/oracle")
    assert (row["verdict"]["status"], row["verdict"]["reward"]) == ("rejected", 0)
    (submissions / name / "oracle" / "link").unlink()
    run(tasks, submissions, out)
    assert next(row for row in lines(out) if row["id"] == f"{name}/oracle")["verdict"]["reward"] == 1


def test_a_spoilt_task_folder_is_an_infra_error_and_exit_code_1(tasks, submissions, tmp_path, capsys):
    copy = shutil.copytree(next(iter(tasks.values())).parent, tmp_path / "copy")
    name = min(tasks)
    (copy / name / "tests" / "verify.py").write_text("", "utf-8")
    assert (
        main(["verify-batch", str(copy), str(submissions), "--out", str(tmp_path / "o"), "--jobs", "1", "--json"]) == 1
    )
    body = json.loads(capsys.readouterr().out)
    assert body == {"submissions": 6, "verdicts": {"infra_error": 2, "rejected": 2, "scored": 2}, "meanReward": 0.5}


def test_shards_are_disjoint_and_make_up_the_whole(tasks, submissions, lines, tmp_path, capsys):
    folder = next(iter(tasks.values())).parent
    words = ["verify-batch", str(folder), str(submissions), "--executor", "serial"]
    for number in (1, 2):
        assert main([*words, "--out", str(tmp_path / f"{number}.jsonl"), "--shard", f"{number}/2"]) == 0
    assert main([*words, "--out", str(tmp_path / "whole.jsonl")]) == 0
    parts = [row for number in (1, 2) for row in lines(tmp_path / f"{number}.jsonl")]
    assert sorted(parts, key=lambda row: row["id"]) == lines(tmp_path / "whole.jsonl")
    assert "mean reward" in capsys.readouterr().out


def test_two_runs_never_write_one_file(tasks, submissions, tmp_path):
    def again(row, done, total):
        with pytest.raises(UsageError, match="is being written by another run"):
            run(tasks, submissions, tmp_path / "out.jsonl")

    assert len(run(tasks, submissions, tmp_path / "out.jsonl", report=again)) == 6


def test_a_killed_run_leaves_no_half_file_and_goes_on(tasks, submissions, tmp_path):
    out = tmp_path / "out.jsonl"
    folder = str(next(iter(tasks.values())).parent)
    line = [sys.executable, "-m", "lattice_env", "verify-batch", folder, str(submissions), "--out", str(out)]
    process = subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    part = tmp_path / "out.jsonl.part"
    while process.poll() is None and not (part.exists() and part.stat().st_size):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert subprocess.run(line, capture_output=True, timeout=120, check=False).returncode == 0
    run(tasks, submissions, tmp_path / "whole.jsonl")
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", UsageError),
        ("{", DataError),
        ("[]", DataError),
        ('{"id": "a", "task": "t"}', DataError),
        ('{"id": 1, "task": "t", "workspace": "w"}', DataError),
        ('{"id": "a", "task": "t", "workspace": "w"}\n{"id": "a", "task": "t", "workspace": "w"}', DataError),
    ],
)
def test_submissions_that_are_none_are_named(text, error, tmp_path):
    (tmp_path / "list.jsonl").write_text(text, "utf-8")
    with pytest.raises(error, match=r"list\.jsonl"):
        read_entries(tmp_path / "list.jsonl")


def test_a_task_that_is_not_there_is_an_error_of_usage_before_anything_is_judged(tasks, tmp_path):
    (tmp_path / "list.jsonl").write_text('{"id": "a", "task": "none", "workspace": "w"}', "utf-8")
    with pytest.raises(UsageError, match="no task is called 'none'"):
        run(tasks, tmp_path / "list.jsonl", tmp_path / "out.jsonl")
    assert not list(tmp_path.glob("out.jsonl*"))


def test_a_workspace_that_is_not_there_earns_0(tasks, lines, tmp_path):
    entry = {"id": "a", "task": min(tasks), "workspace": "gone"}
    (tmp_path / "list.jsonl").write_text(json.dumps(entry), "utf-8")
    run(tasks, tmp_path / "list.jsonl", tmp_path / "out.jsonl")
    (row,) = lines(tmp_path / "out.jsonl")
    assert (row["verdict"]["status"], row["verdict"]["reward"]) == ("rejected", 0)
