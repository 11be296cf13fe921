"""Labels, groups, and what may not be mixed, on records made by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.analysis.calibration import attempts_to_ask, calibrate
from lattice_env.analysis.calibration_file import calibration_json, read_labels
from lattice_env.analysis.inputs import read_trials
from lattice_env.analysis.task_facts import read_tasks
from lattice_env.analysis.trials import ranked
from lattice_env.errors import DataError, PackageError, RecordError, UsageError


def labels(tasks, records, **others):
    found = calibrate(read_trials([records]), read_tasks(tasks), **others)
    return {group.task.name: group.label for group in found.labelled}


def test_labels_are_the_seeds(make_tasks, make_records):
    tasks = make_tasks(easy={}, hard={}, keep={}, few={}, none={})
    rows = [("easy", 1.0)] * 2 + [("easy", 0.999)] + [("hard", 0.0)] * 3 + [("keep", 0.0), ("keep", 1.0), ("keep", 0.4)]
    rows += [("few", 1.0)] * 2 + [("few", None)] * 5
    found = labels(tasks, make_records(*rows))
    assert found == {
        "easy": "TRIVIAL",
        "hard": "UNSOLVABLE",
        "keep": "KEEP",
        "few": "UNDERSAMPLED",
        "none": "UNDERSAMPLED",
    }


def test_fewer_attempts_can_be_enough(make_tasks, make_records):
    assert labels(make_tasks(few={}), make_records(("few", 1.0)), min_attempts=1) == {"few": "TRIVIAL"}
    with pytest.raises(UsageError, match="at least 1"):
        labels(make_tasks(few={}), make_records(("few", 1.0)), min_attempts=0)


def test_controls_do_not_label_unless_they_are_alone_or_named(make_tasks, make_records):
    tasks = make_tasks(a={})
    rows = [("a", 1.0, {"agent": "oracle"})] * 3 + [("a", 0.0, {"agent": "nop"})] * 3
    assert labels(tasks, make_records(*rows)) == {"a": "KEEP"}
    records = make_records(*rows, *[("a", 0.0)] * 3)
    assert labels(tasks, records) == {"a": "UNSOLVABLE"}
    assert labels(tasks, records, agents=["oracle"]) == {"a": "TRIVIAL"}
    with pytest.raises(UsageError, match="no trial is by codex; there are trials by nop, oracle, player"):
        labels(tasks, records, agents=["codex"])


def test_a_group_with_one_reward_teaches_nothing_even_where_its_task_is_kept(make_tasks, make_records):
    rows = [("a", 0.5)] * 3 + [("b", 0.0), ("b", 1.0), ("b", 1.0), ("c", 1.0), ("c", None)]
    found = calibrate(read_trials([make_records(*rows)]), read_tasks(make_tasks(a={}, b={}, c={})))
    assert {group.task.name: (group.label, group.informative) for group in found.labelled} == {
        "a": ("KEEP", False),
        "b": ("KEEP", True),
        "c": ("UNDERSAMPLED", False),
    }
    assert found.informative() == (1, 2)


def test_two_verifiers_are_refused(make_tasks, make_records):
    records = make_records(("a", 1.0), ("a", 1.0, {"verifier": "6" * 64}))
    with pytest.raises(RecordError, match=r"2 verifiers judged these trials.*5555555555 in .*6666666666 in"):
        calibrate(read_trials([records]), read_tasks(make_tasks(a={})))


def test_a_trial_without_a_verdict_has_its_tasks_verifier(job, make_records):
    """Harbor's results alone tell no verifier; the package that was tried does."""
    tasks = read_tasks(job / "tasks")
    for verdict in job.glob("jobs/job/*/verifier/verdict.json"):
        verdict.unlink()
    name = next(iter(tasks))
    records = make_records((name, 1.0, {"task_id": tasks[name].id}))
    with pytest.raises(RecordError, match="2 verifiers"):
        calibrate(read_trials([job / "jobs", records]), tasks)


def test_results_of_tasks_that_are_not_there_or_were_edited_are_counted_apart(job):
    tasks = sorted((job / "tasks").iterdir())
    (tasks[0] / "task.toml").rename(job / "gone.toml")
    with (tasks[1] / "task.toml").open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    found = calibrate(read_trials([job / "jobs"]), read_tasks(job / "tasks"))
    assert found.total.unscored["task_unknown: its task is not in the folder of tasks"] == 15
    assert found.total.unscored["task_edited: its task was edited since"] == 15
    assert [(group.task.name, group.label) for group in found.labelled] == [
        (tasks[1].name, "UNDERSAMPLED"),
        (tasks[2].name, "KEEP"),
    ]


def test_a_record_of_a_task_that_was_made_anew_is_counted_apart(make_tasks, make_records):
    records = make_records(("a", 1.0, {"task_id": "another"}))
    found = calibrate(read_trials([records]), read_tasks(make_tasks(a={})))
    assert found.total.unscored == {"task_edited: its task was edited since": 1}


def test_what_is_expected_is_exact_and_of_every_trial(make_tasks, make_records):
    found = calibrate(read_trials([make_records(("a", 1.0), ("a", 0.9999), ("a", None))]), read_tasks(make_tasks(a={})))
    assert [trial.reward for trial in found.unexpected(1)] == [0.9999, None]


@given(st.integers(0, 300))
def test_pass_at_k_is_asked_for_powers_of_two_and_for_all_attempts(count):
    assert attempts_to_ask(count) == sorted({1, 2, 4, 8, 16, 32, 64, 128, 256, count} & set(range(1, count + 1)))


def test_the_same_trials_give_the_same_bytes_in_any_order(make_tasks, make_records):
    tasks = read_tasks(make_tasks(a={}, b={}))
    trials = read_trials([make_records(("a", 1.0), ("b", 0.5), ("a", None), ("b", 0.25))])
    assert calibration_json(calibrate(ranked(reversed(trials)), tasks)) == calibration_json(calibrate(trials, tasks))


def test_labels_are_read_back(make_tasks, make_records, tmp_path):
    tasks = read_tasks(make_tasks(a={}, b={"operator": "LAT-REF-SWP"}))
    found = calibrate(read_trials([make_records(*[("a", 1.0)] * 3)]), tasks)
    (tmp_path / "c.json").write_text(calibration_json(found), "utf-8")
    rows = read_labels(tmp_path / "c.json")
    assert [(row.task, row.label, row.operator, row.mean) for row in rows] == [
        ("a", "TRIVIAL", "TEX-CMD-TRP", 1.0),
        ("b", "UNDERSAMPLED", "LAT-REF-SWP", None),
    ]
    assert [row.digest for row in rows] == [task.digest for task in tasks.values()]
    body = json.loads((tmp_path / "c.json").read_text("utf-8"))
    assert body["tasks"][0]["interval"] == pytest.approx([0.4385, 1.0], abs=1e-4)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2, "tasks": []}', '{"format": 1, "tasks": [{}]}', "NaN"])
def test_a_file_that_is_no_calibration_is_bad_data(tmp_path, text):
    (tmp_path / "c.json").write_text(text, "utf-8")
    with pytest.raises(DataError, match=r"c\.json"):
        read_labels(tmp_path / "c.json")


def test_a_task_that_does_not_say_what_it_is_is_named(make_tasks):
    with pytest.raises(PackageError, match=r"task.toml: metadata.tier must be int, not '1'"):
        read_tasks(make_tasks(a={"tier": "1"}))


def test_a_folder_without_tasks_is_an_error_of_usage(tmp_path):
    with pytest.raises(UsageError, match="no task folder"):
        read_tasks(tmp_path)
