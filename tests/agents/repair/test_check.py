"""--check does a run again, and finds whatever was changed in its evidence."""

import json
import shutil
from pathlib import Path

import pytest

from lattice_env.agents.repair.check import check_run
from lattice_env.agents.repair.project import sha256
from lattice_env.agents.repair.trace import write_manifest
from lattice_env.errors import DataError

from .conftest import ACTIVE, trace_of

pytestmark = pytest.mark.tex


@pytest.fixture
def copy(finished, tmp_path):
    """A copy of the evidence, to be spoilt."""
    return Path(shutil.copytree(finished, tmp_path / "copy"))


def rewrite(folder, change, *, only=None):
    """Change the lines of a trace, and make its chain and the manifest whole again: a careful forger."""
    lines, last = trace_of(folder), "0" * 64
    texts = []
    for number, line in enumerate(lines):
        if only is None or line["event"] == only:
            change(line)
        line["before"], line["step"] = last, number
        texts.append(json.dumps(line, ensure_ascii=False, sort_keys=True))
        last = sha256(texts[-1].encode())
    (folder / "trace.jsonl").write_text("\n".join(texts) + "\n", "utf-8")
    write_manifest(folder)


def test_a_run_that_was_not_touched_holds(copy):
    checked = check_run(copy)
    assert (checked.faults, checked.finished, checked.compiled, checked.notes) == ((), True, 2, ())


def edited_line(folder):
    trace = folder / "trace.jsonl"
    trace.write_text(trace.read_text("utf-8").replace("Undefined control", "Unlimited control"), "utf-8")


def dropped_line(folder):
    trace = folder / "trace.jsonl"
    lines = trace.read_text("utf-8").splitlines()
    trace.write_text("\n".join(lines[:2] + lines[3:]) + "\n", "utf-8")


def other_pdf(folder):
    (folder / "main.pdf").write_bytes(b"%PDF-1.5\nanother\n%%EOF\n")
    write_manifest(folder)


def other_log(folder):
    (folder / "last.log").write_text("Output written on main.pdf\n", "utf-8")
    rewrite(
        folder,
        lambda line: line["evidence"].update({"last.log": sha256((folder / "last.log").read_bytes())}),
        only="end",
    )


def other_start(folder):
    (folder / "start" / ACTIVE).write_text("\\documentclass{article}\n", "utf-8")
    write_manifest(folder)


def other_diff(folder):
    (folder / "repair.diff").write_text("", "utf-8")
    rewrite(folder, lambda line: line["evidence"].update({"repair.diff": sha256(b"")}), only="end")


def no_manifest(folder):
    (folder / "manifest.sha256").unlink()


def extra_file(folder):
    (folder / "note.txt").write_text("trust me", "utf-8")


def other_edit(folder):
    rewrite(
        folder,
        lambda line: line["edit"].update(text="The evidence is an \\emph{sentence}, never an artifact."),
        only="edit",
    )


def other_root(folder):
    rewrite(folder, lambda line: line.update(root="main.tex") if "root" in line else None)


def other_failure(folder):
    rewrite(folder, lambda line: line["failure"] and line["failure"].update(line=8), only="compile")


def cut_and_claimed(folder):
    """The last build taken out, and success claimed all the same."""
    lines = trace_of(folder)
    kept = [line for line in lines if not (line["event"] == "compile" and line["built"])]
    (folder / "trace.jsonl").write_text("\n".join(map(json.dumps, kept)) + "\n", "utf-8")
    rewrite(folder, lambda _line: None)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (edited_line, "digest of the line before"),
        (dropped_line, "digest of the line before"),
        (other_pdf, "PDF of the run"),
        (other_log, "not the log"),
        (other_start, "not those the run began with"),
        (other_diff, "not what was changed"),
        (no_manifest, "has no manifest"),
        (extra_file, "not in the manifest"),
        (other_edit, "another documents/repair/main.tex"),
        (other_root, "step 1 (compile)"),
        (other_failure, "the failure is another"),
        (cut_and_claimed, "its last build failed"),
    ],
)
def test_a_tampered_copy_is_found_out(copy, spoil, says):
    spoil(copy)
    checked = check_run(copy)
    assert any(says in fault for fault in checked.faults), checked.faults


def test_a_trace_that_was_cut_short_holds_as_far_as_it_goes(copy):
    lines = (copy / "trace.jsonl").read_text("utf-8").splitlines()
    (copy / "trace.jsonl").write_text("\n".join(lines[:3]) + "\n", "utf-8")
    (copy / "manifest.sha256").unlink()
    checked = check_run(copy)
    assert (checked.faults, checked.finished, checked.steps) == ((), False, 3)


def test_a_folder_without_a_trace_is_bad_data(tmp_path):
    with pytest.raises(DataError, match=r"trace\.jsonl"):
        check_run(tmp_path)
