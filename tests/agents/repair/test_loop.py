"""The loop: one root, one failure, one edit, the same root again; success is a PDF and nothing else."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lattice_env.agents.repair import GiveUp, Limits, chain, loop
from lattice_env.agents.repair.compiler import wanted
from lattice_env.agents.repair.edits import edit_between
from lattice_env.agents.repair.project import sha256
from lattice_env.verifier import sandbox
from lattice_env.verifier.verdict import InfraError

from .conftest import ACTIVE, FIXTURE, paper, trace_of

pytestmark = pytest.mark.tex

SENTINEL = (FIXTURE / "main.tex").read_bytes()


def editing(*texts):
    """A policy that makes the failing file these texts, one after the other."""
    left = list(texts)

    def propose(situation):
        file = situation.failure.file or situation.root
        return edit_between(situation.files, file, left.pop(0), "scripted") if left else GiveUp("no more")

    return propose


def test_the_fixture_is_repaired_as_the_table_says(fixture, run):
    result, evidence = run(fixture, active=ACTIVE)
    start, first, edit, retry, write, end = trace_of(evidence)
    assert start["candidates"] == [ACTIVE, "main.tex"]
    assert {start["root"], first["root"], retry["root"], end["root"]} == {ACTIVE}
    assert (first["failure"]["file"], first["failure"]["line"]) == (ACTIVE, 9)
    assert first["failure"]["message"] == "Undefined control sequence."
    assert (edit["tool"], edit["edit"]["file"], edit["edit"]["first"], edit["edit"]["last"]) == (
        "replace_lines", ACTIVE, 9, 9,
    )  # fmt: skip
    assert edit["file_before"] != edit["file_after"] == sha256((fixture / ACTIVE).read_bytes())
    assert (retry["built"], retry["failure"], write["done"]) == (True, None, True)
    assert (end["status"], result.status, result.edits, result.compiles) == ("success", "success", 1, 2)
    assert sha256((evidence / "main.pdf").read_bytes()) == end["pdf"] == retry["pdf"]
    assert (fixture / "main.tex").read_bytes() == SENTINEL


def test_two_roots_and_no_choice_end_before_any_build(fixture, run):
    result, evidence = run(fixture)
    assert (result.status, result.compiles) == ("ambiguous_root", 0)
    assert [line["event"] for line in trace_of(evidence)] == ["start", "end"]
    assert "main.tex" in result.reason


def test_a_paper_that_builds_is_left_alone(project, run):
    result, evidence = run(project({"a.tex": paper("Fine.")}))
    assert (result.status, result.edits, result.first) == ("success", 0, "")
    assert (evidence / "a.pdf").read_bytes().startswith(b"%PDF")


def test_the_same_failure_twice_is_unresolved_and_the_useless_edit_is_taken_back(project, run):
    folder = project({"a.tex": paper("\\wrong here")})
    result, evidence = run(folder, policy=editing(paper("\\wrong here\n\nmore")))
    assert (result.status, result.edits, result.compiles) == ("unresolved", 1, 2)
    assert result.last == result.first
    assert (folder / "a.tex").read_text("utf-8") == paper("\\wrong here")
    assert not list(evidence.glob("*.pdf"))


def test_a_state_that_was_there_before_is_refused(project, run):
    one, two = paper("\\wrong"), paper("\\worse")
    result, evidence = run(project({"a.tex": one}), policy=editing(two, one, one, one))
    assert result.status == "unresolved"
    assert {line["code"] for line in trace_of(evidence) if line["event"] == "refused"} == {"oscillation"}


def test_a_step_that_helped_stays_when_a_later_one_does_not(project, run):
    folder = project({"a.tex": paper("\\emhp{a}\n\n\\unknowable{b}")})
    result, evidence = run(folder)
    assert (result.status, result.edits) == ("unresolved", 1)
    assert "\\emph{a}" in (folder / "a.tex").read_text("utf-8")
    assert (result.first, result.last) == (
        "a.tex:3: Undefined control sequence.",
        "a.tex:5: Undefined control sequence.",
    )
    assert trace_of(evidence)[-2]["event"] == "give-up"


def test_the_edits_have_a_cap(project, run):
    result, _ = run(project({"a.tex": paper("\\emhp{a} \\texbf{b}")}), limits=Limits(edits=1))
    assert (result.status, result.edits) == ("unresolved", 1)
    assert "cap of 1" in result.reason


def test_the_proposals_have_a_cap(project, run):
    def stubborn(situation):
        return edit_between(situation.files, "a.tex", "", "everything goes")

    result, evidence = run(project({"a.tex": paper("\\wrong")}), policy=stubborn)
    assert result.status == "unresolved"
    assert [line["event"] for line in trace_of(evidence)].count("refused") == Limits().proposals


def test_the_next_policy_of_a_chain_is_asked_where_the_first_gives_up(project, run):
    good = paper("right")
    policy = chain([lambda _: GiveUp("one"), editing(good)])
    result, _ = run(project({"a.tex": paper("\\zzzz right")}), policy=policy)
    assert result.status == "success"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param("\\def\\x{\\x}\\x", "time", id="an endless build"),
        pytest.param(
            "\\PackageError{minted}{You must invoke LaTeX with the -shell-escape flag}{}", "shell", id="a shell"
        ),
        pytest.param("\\font\\x=nosuchfont \\x a", "font", id="a font"),
    ],
)
def test_what_a_person_must_decide_is_left_to_one(project, run, monkeypatch, body, reason):
    monkeypatch.setattr(sandbox, "WALL_SECONDS", 6)
    folder = project({"a.tex": paper(body)})
    result, evidence = run(folder)
    assert (result.status, result.edits) == ("person_needed", 0)
    assert reason in result.reason
    assert not list(evidence.glob("*.pdf"))


def test_a_cycle_of_inputs_ends_without_a_claim(project, run, monkeypatch):
    monkeypatch.setattr(sandbox, "WALL_SECONDS", 10)
    result, _ = run(project({"a.tex": paper("\\input{b}"), "b.tex": "\\input{b}\n"}))
    assert result.status in ("person_needed", "unresolved")


def test_a_root_in_latin_1_is_repaired_in_latin_1(project, run):
    source = paper("Gr\xfc\xdfe und \\emhp{mehr}", "\\usepackage[latin1]{inputenc}\n").encode("latin-1")
    folder = project({"a.tex": source})
    result, _ = run(folder)
    assert result.status == "success"
    assert (folder / "a.tex").read_bytes() == source.replace(b"emhp", b"emph")


def test_a_project_of_5000_files_is_repaired(project, run):
    files = {f"notes/{n // 100}/{n}.txt": "x" for n in range(5000)}
    result, _ = run(project({**files, "a.tex": paper("\\emhp{a}")}))
    assert result.status == "success", result


def test_of_many_files_those_that_a_build_may_want_are_taken():
    files = {f"{n}.txt": b"x" for n in range(2000)} | {
        "a.tex": b"\\verbatiminput{data/7.txt}",
        "f/7.txt": b"",
        "b.pdf": b"",
    }
    assert set(wanted(files)) == {"a.tex", "7.txt", "f/7.txt", "b.pdf"}
    with pytest.raises(InfraError, match="more than"):
        wanted({f"{n}.tex": b"" for n in range(3000)})


def test_a_missing_package_on_a_tree_that_is_not_ours_is_not_installed(project, run):
    result, evidence = run(project({"a.tex": paper("a", "\\usepackage{nosuchpackageatall}\n")}))
    assert (result.status, result.installs) == ("person_needed", 0)
    assert "nosuchpackageatall.sty" in result.reason
    assert trace_of(evidence)[2]["event"] == "not-installed"


def test_a_folder_that_cannot_be_written_leaves_the_repair_in_the_evidence(project, run, monkeypatch):
    monkeypatch.setattr("lattice_env.agents.repair.loop.write_source", lambda *_: False)
    folder = project({"a.tex": paper("\\emhp{a}")})
    result, evidence = run(folder)
    assert result.status == "unwritten"
    assert "+\\emph{a}" in (evidence / "repair.diff").read_text("utf-8")
    assert "\\emhp" in (folder / "a.tex").read_text("utf-8")


def test_a_source_that_another_hand_changed_meanwhile_is_not_overwritten(project, run):
    folder = project({"a.tex": paper("\\wrong")})

    def slow(situation):
        (folder / "a.tex").write_text("another hand", "utf-8")
        return edit_between(situation.files, "a.tex", paper("right"), "")

    result, _ = run(folder, policy=slow)
    assert result.status == "unwritten"
    assert (folder / "a.tex").read_text("utf-8") == "another hand"


def test_a_killed_run_leaves_valid_evidence_and_the_paper_as_it_was(fixture, tmp_path):
    evidence = tmp_path / "evidence"
    line = [sys.executable, "-m", "lattice_env", "repair", str(fixture), "--active", ACTIVE, "--out", str(evidence)]
    before = (fixture / ACTIVE).read_bytes()
    process = subprocess.Popen(line, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        trace = evidence / "trace.jsonl"
        if trace.is_file() and "replace_lines" in trace.read_text("utf-8"):
            break
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    lines = trace_of(evidence)
    if lines[-1]["event"] == "edit":
        assert (fixture / ACTIVE).read_bytes() == before
    checked = subprocess.run(
        [sys.executable, "-m", "lattice_env", "repair", "--check", str(evidence), "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    facts = json.loads(checked.stdout)
    assert facts["faults"] == []
    assert facts["finished"] == (lines[-1]["event"] == "end")


def test_a_build_that_the_machine_cannot_judge_is_no_time_of_the_loop(project, run, monkeypatch):
    def late(*_):
        time.sleep(0.3)
        raise InfraError("this machine is too busy")

    monkeypatch.setattr(loop, "compile_root", late)
    result, _ = run(project({"a.tex": paper("a")}))
    assert (result.status, result.reason) == ("infra_error", "this machine is too busy")
    assert result.compiling >= 0.3


def test_the_report_tells_what_failed_and_what_was_changed(finished):
    page = (finished / "report.html").read_text("utf-8")
    assert "Undefined control sequence" in page
    assert "<span class=old>The evidence is an \\emhp{artifact}" in page
    before, after = page.partition("<h3>Before</h3>")[2].split("<h3>After</h3>")
    assert "went on past its errors" in before
    assert all(half.count("data:image/png;base64,") == 1 for half in (before, after))
    assert before.partition("base64,")[2][:4000] != after.partition("base64,")[2][:4000]


def test_the_report_says_where_there_are_no_pages(project, run):
    _, evidence = run(project({"a.tex": paper("a", preamble="\\usepackage{nosuchpackage}\n")}))
    before, after = (evidence / "report.html").read_text("utf-8").partition("Before</h3>")[2].split("After</h3>")
    assert "None: TeX made no page" in before
    assert "None: the run did not end with a PDF" in after


def test_pages_of_a_paper_that_built_are_the_same_before_and_after(project, run):
    _, evidence = run(project({"a.tex": paper("a")}))
    before, after = (evidence / "report.html").read_text("utf-8").partition("Before</h3>")[2].split("After</h3>")
    picture = before.partition("base64,")[2].partition("'")[0]
    assert picture
    assert picture in after


def test_a_source_with_markup_in_it_is_shown_and_not_run(project, run):
    _, evidence = run(project({"a.tex": paper("\\emhp{<script>alert(1)</script>}")}))
    assert "<script>" not in (evidence / "report.html").read_text("utf-8")


def test_the_evidence_is_bound_by_a_manifest_that_sha256sum_reads(finished):
    if not shutil.which("sha256sum"):
        pytest.skip("no sha256sum here")
    done = subprocess.run(["sha256sum", "-c", "manifest.sha256"], cwd=finished, capture_output=True, check=False)
    assert done.returncode == 0
    assert Path(finished / "start" / "main.tex").read_bytes() == SENTINEL
