"""What is chosen, how evenly, and that the copies are what was calibrated."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.analysis.calibration import calibrate
from lattice_env.analysis.calibration_file import Labelled, calibration_json, read_labels
from lattice_env.analysis.inputs import read_trials
from lattice_env.analysis.selection import chosen, copy_selection
from lattice_env.analysis.task_facts import read_tasks
from lattice_env.errors import LatticeError, PackageError, UsageError


def row(name, operator="a", seed="s", label="KEEP"):
    return Labelled(name, name, "0", operator, seed, label, 0.5)


ROWS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=1, max_size=15).map(
    lambda pairs: [row(f"t{number}", *pair) for number, pair in enumerate(pairs)]
)


def test_the_label_decides():
    rows = [row("t1"), row("t2", label="TRIVIAL"), row("t3", label="UNSOLVABLE"), row("t4")]
    assert [item.task for item in chosen(rows, ["KEEP"], balance=False, limit=None)] == ["t1", "t4"]
    assert [item.task for item in chosen(rows, ["KEEP", "TRIVIAL"], balance=False, limit=2)] == ["t1", "t2"]
    with pytest.raises(LatticeError, match="no task is UNDERSAMPLED") as caught:
        chosen(rows, ["UNDERSAMPLED"], balance=False, limit=None)
    assert caught.value.exit_code == 1
    with pytest.raises(UsageError, match="at least 1"):
        chosen(rows, ["KEEP"], balance=True, limit=0)


@given(ROWS)
def test_balanced_operators_have_as_many_as_the_rarest(rows):
    counts = Counter(item.operator for item in rows)
    found = Counter(item.operator for item in chosen(rows, ["KEEP"], balance=True, limit=None))
    assert found == dict.fromkeys(counts, min(counts.values()))


@given(ROWS, st.integers(1, 18))
def test_a_balanced_limit_is_shared_as_evenly_as_can_be(rows, limit):
    found = chosen(rows, ["KEEP"], balance=True, limit=limit)
    assert len(found) == min(limit, len(rows))
    had, got = (Counter(item.operator for item in items) for items in (rows, found))
    for operator in had:
        assert got[operator] == had[operator] or got[operator] >= max(got.values()) - 1


@given(ROWS, st.randoms())
def test_the_order_of_the_file_changes_nothing(rows, random):
    other = random.sample(rows, len(rows))
    assert chosen(rows, ["KEEP"], balance=True, limit=5) == chosen(other, ["KEEP"], balance=True, limit=5)


def test_seeds_take_turns():
    rows = [row(f"{seed}{number}", seed=seed) for seed in "xyz" for number in range(4)]
    found = chosen(rows, ["KEEP"], balance=True, limit=6)
    assert Counter(item.seed for item in found) == {"x": 2, "y": 2, "z": 2}


@pytest.fixture
def calibrated(make_tasks, make_records, tmp_path):
    """A folder of tasks, and the file of their calibration."""
    tasks = make_tasks(a={}, b={}, c={})
    records = make_records(*[("a", 1.0)] * 3, ("b", 0.0), ("b", 1.0), ("b", 1.0), ("c", 0.0), ("c", 0.5), ("c", 1.0))
    path = tmp_path / "calibration.json"
    path.write_text(calibration_json(calibrate(read_trials([records]), read_tasks(tasks))), "utf-8")
    (tasks / "b" / "tests").mkdir()
    return tasks, path


def select(calibrated, folder, labels=("KEEP",)):
    tasks, path = calibrated
    rows = chosen(read_labels(path), labels, balance=False, limit=None)
    copy_selection(rows, read_tasks(tasks), folder, calibration=path.read_bytes(), labels=labels)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_copies_are_the_tasks_and_the_manifest_names_their_digests(calibrated, tmp_path):
    files = select(calibrated, tmp_path / "keep")
    assert sorted(files) == ["b/task.toml", "c/task.toml", "manifest.json"]
    assert files["b/task.toml"] == (calibrated[0] / "b" / "task.toml").read_bytes()
    body = json.loads(files["manifest.json"])
    assert [(item["task"], item["label"], item["mean"]) for item in body["tasks"]] == [
        ("b", "KEEP", pytest.approx(2 / 3)),
        ("c", "KEEP", 0.5),
    ]
    digests = {task.name: task.digest for task in read_tasks(tmp_path / "keep").values()}
    assert {item["task"]: item["digest"] for item in body["tasks"]} == digests
    assert select(calibrated, tmp_path / "again") == files


def test_an_edited_task_is_refused_and_nothing_is_left(calibrated, tmp_path):
    with (calibrated[0] / "c" / "task.toml").open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    with pytest.raises(PackageError, match="not as it was calibrated"):
        select(calibrated, tmp_path / "keep")
    (calibrated[0] / "c" / "task.toml").unlink()
    with pytest.raises(PackageError, match="c: calibrated, and not in the folder"):
        select(calibrated, tmp_path / "keep")
    assert [path.name for path in tmp_path.iterdir() if "keep" in path.name] == []


def test_a_link_in_a_task_is_refused(calibrated, tmp_path):
    (calibrated[0] / "b" / "notes").symlink_to("/etc/passwd")
    with pytest.raises(PackageError, match="a link; task folders hold files only"):
        select(calibrated, tmp_path / "keep")


def test_a_folder_that_holds_something_is_left_alone(calibrated, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    with pytest.raises(UsageError, match="not an empty folder"):
        select(calibrated, tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine"]
    (tmp_path / "empty").mkdir()
    assert "manifest.json" in select(calibrated, tmp_path / "empty")
