"""Shards of a plan, merged in any order, are what one run of the whole makes; what does not fit together is said."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from lattice_env.cli import main
from lattice_env.errors import DataError, UsageError
from lattice_env.executors import open_executor
from lattice_env.families.doc_edit.recipe import Knobs
from lattice_env.generate import generate, make_document_plan, merge
from lattice_env.generate.plan import read_shard
from lattice_env.generate.status import DONE, RUNNING, STOPPED, find_runs, read_status, seconds_left

KNOBS = Knobs(num_examples=7, seed="shards", levels=("note",))


def fill(folder, plan, executor="serial", jobs=1, **options):
    with open_executor(executor, jobs=jobs) as workers:
        return generate(plan, folder, store=None, executor=workers, report=lambda *_: None, **options)


def join(shards, out, **options):
    return merge(shards, out, report=lambda *_: None, **options)


@pytest.fixture(scope="module")
def plan():
    return make_document_plan(KNOBS)


@pytest.fixture(scope="module")
def whole(tmp_path_factory, plan):
    """The folder of one run of the plan, in this process, and its totals."""
    out = tmp_path_factory.mktemp("whole") / "out"
    return out, fill(out, plan)


@pytest.fixture(scope="module")
def shards(tmp_path_factory, plan):
    """The folders of the three shards of the plan; not to be changed."""
    base = tmp_path_factory.mktemp("shards")
    for number in (1, 2, 3):
        fill(base / str(number), plan.part(number, 3))
    return [base / str(number) for number in (1, 2, 3)]


@pytest.fixture
def spoilt(shards, tmp_path):
    """A copy of the shards, to be changed."""
    return [shutil.copytree(folder, tmp_path / "spoilt" / folder.name) for folder in shards]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 1, 0, 2)], ids=str)
def test_merged_in_any_order_they_are_the_whole_to_the_byte(whole, shards, tree, tmp_path, order):
    out, totals = whole
    merged = join([shards[index] for index in order], tmp_path / "merged")
    assert merged.root == totals.root
    assert tree(tmp_path / "merged") == tree(out)


def test_two_workers_make_the_same_root_as_one_process(whole, plan, tmp_path):
    assert fill(tmp_path / "out", plan, "process", 2).root == whole[1].root


def test_parts_are_disjoint_and_make_up_the_plan(plan):
    parts = [plan.part(number, 3) for number in (1, 2, 3)]
    placed = {part.shard.place(position): unit for part in parts for position, unit in enumerate(part.units)}
    assert [placed[index] for index in sorted(placed)] == list(plan.units)
    assert len({part.identity for part in [plan, *parts]}) == 4
    assert {part.digest for part in parts} == {plan.digest}


def test_more_shards_than_units_are_empty_and_merge_all_the_same(tmp_path):
    plan = make_document_plan(Knobs(num_examples=2, seed="few", levels=("note",)))
    for number in (1, 2, 3):
        fill(tmp_path / str(number), plan.part(number, 3))
    merged = join([tmp_path / str(number) for number in (3, 2, 1)], tmp_path / "merged")
    assert merged.root == fill(tmp_path / "whole", plan).root


def test_the_first_units_of_a_plan_are_a_plan_of_their_own(plan, whole, tmp_path):
    totals = fill(tmp_path / "out", plan.first(2))
    names = [row["task"] for row in whole[1].rows]
    assert [row["task"] for row in totals.rows] == names[:2]
    assert totals.root != whole[1].root
    with pytest.raises(UsageError, match="--units must be at least 1"):
        plan.first(0)


def test_a_shard_that_is_made_twice_is_complete(shards, plan):
    before = (shards[0] / "manifest.json").read_bytes()
    with pytest.raises(UsageError, match="is complete: there is nothing to resume"):
        fill(shards[0], plan.part(1, 3), resume=True)
    with pytest.raises(UsageError, match="begun with other arguments"):
        fill(shards[0], plan.part(2, 3), resume=True)
    assert (shards[0] / "manifest.json").read_bytes() == before


def test_a_missing_shard_is_named(shards, tmp_path):
    with pytest.raises(DataError, match="of 3 shards these are missing: 2"):
        join([shards[0], shards[2]], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_unfinished_shard_is_named_with_the_next_step(spoilt, tmp_path):
    (spoilt[1] / "manifest.json").unlink()
    (spoilt[1] / "_progress.jsonl").write_text('{"plan": "x"}\n', "utf-8")
    with pytest.raises(DataError, match="is not finished") as raised:
        join(spoilt, tmp_path / "out")
    assert "--resume" in raised.value.hint


def test_a_spoilt_package_stops_a_merge_that_can_be_gone_on_with(shards, spoilt, whole, tree, tmp_path):
    manifest = json.loads((spoilt[1] / "manifest.json").read_text("utf-8"))
    path = spoilt[1] / manifest["tasks"][0]["task"] / "instruction.md"
    path.write_text("another", "utf-8")
    with pytest.raises(DataError, match="not as the shard was made"):
        join(spoilt, tmp_path / "out")
    assert join(shards, tmp_path / "out", resume=True).root == whole[1].root
    assert tree(tmp_path / "out") == tree(whole[0])


def test_a_spoilt_manifest_is_noticed(spoilt, tmp_path):
    path = spoilt[0] / "manifest.json"
    path.write_text(path.read_text("utf-8").replace('"tier": ', '"tier": 1'), "utf-8")
    with pytest.raises(DataError, match="not as it was written"):
        join(spoilt, tmp_path / "out")


def test_shards_of_other_plans_do_not_merge(shards, tmp_path):
    other = make_document_plan(Knobs(num_examples=7, seed="other", levels=("note",))).part(2, 3)
    fill(tmp_path / "other", other)
    with pytest.raises(DataError, match="shards of different plans"):
        join([shards[0], tmp_path / "other", shards[2]], tmp_path / "out")


def test_a_whole_run_is_no_shard(whole, tmp_path):
    with pytest.raises(UsageError, match="no shard of a plan"):
        join([whole[0]], tmp_path / "out")


@pytest.mark.parametrize("word", ["3", "0/8", "9/8", "a/b", "1/0", "-1/8", "1/8/2", "², /8"])
def test_what_is_no_part_of_a_whole_is_an_error_of_usage(word):
    with pytest.raises(UsageError, match="--shard must be like"):
        read_shard(word)
    assert read_shard("3/8") == (3, 8)


def test_two_runs_never_fill_one_folder(plan, whole, tmp_path):
    """The second is refused while the first is at work, and the first is none the worse."""
    refused = []

    def report(row, done, total):
        with pytest.raises(UsageError) as raised:
            fill(tmp_path / "out", plan, resume=True)
        refused.append(str(raised.value))
        assert read_status(tmp_path / "out").state == RUNNING

    with open_executor("serial", jobs=1) as executor:
        totals = generate(plan.first(2), tmp_path / "out", store=None, executor=executor, report=report)
    assert len(totals.rows) == len(refused) == 2
    assert all("is being written by another run" in text for text in refused)


@pytest.mark.parametrize("order", ["12", "21"])
def test_shards_of_machines_whose_clocks_differ_make_the_root_of_the_whole(command, generate, clock, order, tmp_path):
    if clock is None and os.environ.get("CI") != "true":
        pytest.skip("no libfaketime on this machine: apt-get install faketime")
    words = ["--family", "audit-and-correct", "--level", "note", "--limit", "4", "--jobs", "1"]
    for number, start in (("1", "@1999-02-28 00:00:01"), ("2", "@2031-12-31 23:59:30")):
        line, settings = command(tmp_path / number, *words, "--shard", f"{number}/2", seeds=None)
        settings["env"] |= {"LD_PRELOAD": str(clock), "FAKETIME": start}
        done = subprocess.run(line, **settings, capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == 0, done.stderr
    assert {read_status(tmp_path / number).state for number in "12"} == {DONE}
    assert generate(tmp_path / "whole", *words, seeds=None).returncode == 0
    assert main(["merge", str(tmp_path / "merged"), *(str(tmp_path / number) for number in order)]) == 0
    assert read_status(tmp_path / "merged").root == read_status(tmp_path / "whole").root


def test_a_run_with_other_arguments_leaves_a_journal_alone(plan, tmp_path):
    def stop(row, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_executor("serial", jobs=1) as executor:
        generate(plan, tmp_path / "out", store=None, executor=executor, report=stop)
    before = (tmp_path / "out" / "_progress.jsonl").read_bytes()
    with pytest.raises(UsageError, match="begun with other arguments"):
        fill(tmp_path / "out", plan.first(3), resume=True)
    assert (tmp_path / "out" / "_progress.jsonl").read_bytes() == before
    found = read_status(tmp_path / "out")
    assert (found.state, found.done, found.units, found.admitted, found.workers) == (STOPPED, 1, 7, 1, 1)
    assert found.seconds_left > 0
    assert fill(tmp_path / "out", plan, resume=True).root


def test_status_tells_of_every_shard_and_of_the_whole(shards, whole, capsys):
    base = shards[0].parent
    assert find_runs(base) == shards
    assert {read_status(folder).state for folder in shards} == {DONE}
    assert main(["status", str(base), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["done"] for row in rows] == [3, 2, 2]
    assert main(["status", str(whole[0])]) == 0
    shown = capsys.readouterr().out
    assert whole[1].root[:16] in shown
    assert "7/7" in shown


def test_status_of_no_run_is_an_error_of_usage(tmp_path, capsys):
    assert main(["status", str(tmp_path)]) == 2
    assert main(["status", str(tmp_path / "none")]) == 2
    assert main(["status", str(tmp_path), "--watch", "0"]) == 2
    assert "no run of generate" in capsys.readouterr().err


def test_what_is_left_is_made_of_durations_and_workers():
    row = {"seconds": 4.0, "task": "t", "failures": []}
    without = {"seconds": 2.0, "task": None, "failures": []}
    assert seconds_left([], 10, None, 2) is None
    assert seconds_left([row, row], 10, None, 2) == 16
    assert seconds_left([row, without], 10, 2, 1) == 6
    assert seconds_left([row], 1, None, 1) == 0


def test_shards_are_made_and_merged_from_the_command_line(whole, tmp_path, capsys):
    words = ["--family", "reference-and-update", "--family", "audit-and-correct", "--level", "note", "--limit", "3"]
    for number in (1, 2):
        line = ["generate", "--out", str(tmp_path / str(number)), *words, "--executor", "serial"]
        assert main([*line, "--shard", f"{number}/2"]) == 0
    assert main(["generate", "--out", str(tmp_path / "whole"), *words, "--jobs", "1"]) == 0
    root = capsys.readouterr().err.strip().splitlines()[-1]
    assert main(["merge", str(tmp_path / "merged"), str(tmp_path / "2"), str(tmp_path / "1")]) == 0
    assert root.startswith("root ")
    assert capsys.readouterr().err.strip().splitlines()[-1] == root
