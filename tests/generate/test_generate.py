"""The same arguments give the same bytes; what cannot be done as it was given is said, and nothing is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from lattice_env.packages import Pin, read_package, read_pin
from lattice_env.verifier.toolchain import toolchain

pytestmark = pytest.mark.tex


def manifest(out):
    return json.loads((out / "manifest.json").read_text("utf-8"))


def test_two_jobs_make_the_same_bytes_as_one(generate, plan, whole, tree, tmp_path):
    done = generate(tmp_path / "out", *plan, "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert tree(tmp_path / "out") == tree(whole)


def test_other_hash_seeds_languages_and_time_zones_make_the_same_bytes(command, plan, whole, tree, tmp_path):
    line, settings = command(tmp_path / "out", *plan, "--jobs", "1")
    settings["env"] |= {"PYTHONHASHSEED": "7", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "TEXINPUTS": "/nowhere"}
    subprocess.run([sys.executable, "-O", *line[1:]], **settings, capture_output=True, timeout=240, check=True)
    assert tree(tmp_path / "out") == tree(whole)


def test_every_task_of_a_run_is_a_whole_package_and_stands_in_the_manifest(whole):
    body = manifest(whole)
    folders = {path.name for path in whole.iterdir() if path.is_dir()}
    assert folders == {row["task"] for row in body["tasks"]}
    assert len(folders) == 4
    assert {row["family"] for row in body["tasks"]} == {"build-repair", "reference-hygiene"}
    for row in body["tasks"]:
        assert read_package(whole / row["task"]).spec.task == row["id"]
    assert sorted(path.name for path in whole.iterdir() if path.is_file()) == ["manifest.json"]


def test_the_manifest_keeps_nothing_that_differs_from_run_to_run(whole):
    body = manifest(whole)
    assert all(not {"seconds", "builds"} & row.keys() for row in body["tasks"])
    assert str(os.getpid()) not in body
    assert str(whole).encode() not in (whole / "manifest.json").read_bytes()


def test_another_salt_breaks_other_places(generate, plan, whole, tmp_path):
    out = tmp_path / "out"
    done = generate(out, "--seed", "otter", "--operator", "TEX-CMD-TRP", "--salt", "held-out", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    public = {row["task"] for row in manifest(whole)["tasks"]}
    (own,) = manifest(out)["tasks"]
    assert own["task"] not in public


@pytest.mark.parametrize("salt", ["s" * 10_240, os.fsdecode(b"[bold]\xff\xfe")], ids=["10kB", "bytes"])
def test_every_salt_that_a_command_line_can_hold_works(generate, salt, tmp_path):
    words = ["--seed", "heron", "--operator", "TEX-CMD-TRP", "--limit", "1", "--jobs", "1"]
    done = generate(tmp_path / "out", *words, "--salt", salt)
    assert done.returncode == 0, done.stderr
    assert len(manifest(tmp_path / "out")["tasks"]) == 1


def test_data_goes_to_stdout_and_all_else_to_stderr(generate, tmp_path):
    words = ["--seed", "heron", "--operator", "TEX-CMD-TRP", "--operator", "LAT-TAB-XTR", "--jobs", "1"]
    done = generate(tmp_path / "out", *words, "--json")
    rows = json.loads(done.stdout)
    assert {(row["operator"], row["task"] is None) for row in rows} == {("TEX-CMD-TRP", False), ("LAT-TAB-XTR", True)}
    assert "admitted build-repair-" in done.stderr
    assert "no place" in done.stderr
    assert [row["operator"] for row in manifest(tmp_path / "out")["without"]] == ["LAT-TAB-XTR"]


def test_other_arguments_are_no_way_to_go_on(generate, plan, half, tree):
    out = half(2)
    before = tree(out)
    others = ([*plan, "--salt", "b"], [*plan[:-1], "5"], plan[:-2], [*plan, "--operator", "TEX-BRC-DRP"])
    for other in others:
        done = generate(out, *other, "--resume")
        assert done.returncode == 2, done.stderr
        assert "other arguments" in done.stderr
        assert tree(out) == before


def test_a_folder_that_is_not_empty_is_left_alone(generate, plan, tmp_path):
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    for words, said in (([], "is not empty"), (["--resume"], "holds no interrupted run")):
        done = generate(tmp_path, *plan, *words)
        assert done.returncode == 2
        assert str(tmp_path) in done.stderr
        assert said in done.stderr
        assert "hint:" in done.stderr
    assert (tmp_path / "mine.txt").read_text("utf-8") == "mine"


def test_a_whole_folder_is_not_gone_on_with(generate, plan, whole, tree):
    before = tree(whole)
    done = generate(whole, *plan, "--resume")
    assert done.returncode == 2
    assert f"{whole} is complete" in done.stderr
    assert tree(whole) == before


def test_out_that_is_a_file_or_lies_below_one_is_named(generate, plan, tmp_path):
    (tmp_path / "file").write_text("mine", "utf-8")
    for out in (tmp_path / "file", tmp_path / "file" / "out"):
        done = generate(out, *plan)
        assert done.returncode == 2, done.stderr
        assert str(out) in done.stderr
    assert (tmp_path / "file").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seed", "beaver"], "heron"),
        (["--operator", "TEX-CMD-TRQ"], "TEX-CMD-TRP"),
        (["--family", "doc-edit"], "build-repair"),
    ],
)
def test_an_unknown_name_is_told_with_the_known_ones(generate, words, said, tmp_path):
    done = generate(tmp_path / "out", *words)
    assert done.returncode == 2
    assert words[1] in done.stderr
    hint = done.stderr.partition("hint: known:")[2]
    assert said in hint
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--limit", "0"],
        ["--limit", "-1"],
        ["--limit", "many"],
        ["--jobs", "-1"],
        ["--jobs", "0"],
    ],
    ids=" ".join,
)
def test_a_number_that_makes_no_sense_is_an_error_of_usage(generate, words, tmp_path):
    small = ["--seed", "heron", "--operator", "LAT-TAB-XTR"]
    done = generate(tmp_path / "out", *small, *words)
    assert done.returncode == 2, done.stderr
    assert words[0].removeprefix("--") in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_seed_without_its_styles_is_told(generate, tmp_path):
    done = generate(tmp_path / "out", "--seed", "neurips")
    assert done.returncode == 2
    assert "neurips_2025.sty" in done.stderr


def test_a_seed_that_does_not_build_is_told_with_its_first_error(generate, seeds, tmp_path):
    private = seeds("\\emph", "\\emhp")
    done = generate(tmp_path / "out", "--seed", "heron", "--jobs", "1", seeds=private)
    assert done.returncode == 4, done.stderr
    assert "seed heron does not build: heron.tex:4: Undefined control sequence" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_seed_with_something_undefined_is_told_with_the_key(generate, seeds, tmp_path):
    private = seeds("\\ref{sec:rest}", "\\ref{sec:nest}")
    done = generate(tmp_path / "out", "--seed", "heron", "--jobs", "1", seeds=private)
    assert done.returncode == 4, done.stderr
    assert "sec:nest" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_of_seeds_that_is_none_is_told(generate, tmp_path):
    for folder in (tmp_path, tmp_path / "none"):
        done = generate(tmp_path / "out", seeds=folder)
        assert done.returncode == 4
        assert str(folder) in done.stderr


@pytest.fixture
def percent(seeds):
    """A paper in which `%` becomes a letter, below a comment that says what an honest twin's comment will say.

    The verifier builds with such a comment, since it is not new, and here it is text: the twin fails.
    """
    said = "% \\end{centre}\n% \\begin{centre}\n"
    return seeds("\\begin{document}", f"{said}\\begin{{document}}\n\\catcode`\\%=12")


def test_a_task_whose_self_tests_fail_is_set_aside_with_the_reasons(generate, percent, tmp_path):
    out = tmp_path / "out"
    words = ["--seed", "heron", "--operator", "TEX-ENV-REN", "--jobs", "1"]
    done = generate(out, *words, seeds=percent)
    assert done.returncode == 0, done.stderr
    assert "rejected build-repair-" in done.stderr
    body = manifest(out)
    assert body["tasks"] == []
    (row,) = body["rejected"]
    assert any(line.startswith("comment-out-twin: expected 1, got 0") for line in row["failures"])
    assert read_package(out / "_rejected" / row["task"]).spec.task == row["id"]


def test_strict_ends_with_1_where_a_task_was_rejected(generate, percent, tmp_path):
    words = ["--seed", "heron", "--operator", "TEX-ENV-REN", "--jobs", "1", "--strict"]
    assert generate(tmp_path / "bad", *words, seeds=percent).returncode == 1
    assert generate(tmp_path / "good", *words).returncode == 0


def test_tasks_for_this_toolchain_carry_its_fingerprint(generate, plan, tmp_path):
    pin = Pin("here", "", (toolchain().fingerprint,))
    (tmp_path / "pin.json").write_text(pin.to_json(), "utf-8")
    done = generate(tmp_path / "out", *plan, "--toolchain", str(tmp_path / "pin.json"))
    assert done.returncode == 0, done.stderr
    for row in manifest(tmp_path / "out")["tasks"]:
        assert read_pin(tmp_path / "out" / row["task"] / "tests" / "toolchain.json") == pin


def test_tasks_for_another_toolchain_are_not_made_here(generate, plan, tmp_path):
    (tmp_path / "pin.json").write_text(Pin("there", "", ("0" * 64,)).to_json(), "utf-8")
    done = generate(tmp_path / "out", *plan, "--toolchain", str(tmp_path / "pin.json"))
    assert done.returncode == 3
    assert "not there" in done.stderr
    assert not (tmp_path / "out").exists()
