"""A package's verifier writes a reward only for a verdict, and judges with nothing that was tampered with."""

import hashlib
import json
import os
from dataclasses import replace

import pytest

from lattice_env.verifier.engines import identity, spec_json
from lattice_env.verifier.entry import checked_spec, judge_package, summary, verify_main, write_reward
from lattice_env.verifier.spec import SpecError
from lattice_env.verifier.toolchain import TOOLCHAIN, toolchain
from lattice_env.verifier.verdict import (
    FAILED,
    INFRA_ERROR,
    PASSED,
    REJECTED,
    SCORED,
    Finding,
    GateResult,
    Verdict,
)

SCORE = Verdict(SCORED, 0.9, (GateResult("import", PASSED),), components={"restoration": 1.0})
ZERO = Verdict(REJECTED, 0.0, (GateResult("root", FAILED, (Finding("root", "main.tex", 3, "no class"),)),))
NONE = Verdict(INFRA_ERROR, None, facts={"error": "no TeX here"})


@pytest.fixture
def tests(tmp_path, make_spec, shipped):
    """A package's whole `tests/` folder, and the shipped workspace beside it as `app`."""
    spec, folder = make_spec(), tmp_path / "tests"
    files = {f"initial/{path}": data for path, data in spec.initial.items()}
    files |= {f"original/{path}": data for path, data in spec.original.items()}
    files["verify.py"] = b"print('hello')\n"
    for base, group in ((folder, files), (tmp_path / "app", shipped)):
        for path, data in group.items():
            (base / path).parent.mkdir(parents=True, exist_ok=True)
            (base / path).write_bytes(data)
    manifest = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    whole = replace(spec, manifest=manifest, task=identity(spec))
    (folder / "task.json").write_text(spec_json(whole), "utf-8")
    return folder


def test_a_score_is_written_in_every_form(tmp_path):
    write_reward(SCORE, tmp_path / "new" / "out")
    out = tmp_path / "new" / "out"
    assert sorted(path.name for path in out.iterdir()) == [
        "reward-details.json",
        "reward.json",
        "reward.txt",
        "verdict.json",
    ]
    assert (out / "reward-details.json").read_text("utf-8") == SCORE.details_json()
    assert (out / "reward.txt").read_text("utf-8") == "0.9\n"
    assert json.loads((out / "reward.json").read_text("utf-8")) == {"reward": 0.9, "restoration": 1.0}
    assert (out / "verdict.json").read_text("utf-8") == SCORE.to_json()


def test_a_rejection_is_a_0(tmp_path):
    write_reward(ZERO, tmp_path)
    assert float((tmp_path / "reward.txt").read_text("utf-8")) == 0


def test_no_reward_is_written_for_an_infra_error_and_a_planted_one_goes(tmp_path):
    for name in ("reward.txt", "reward.json", "reward-details.json"):
        (tmp_path / name).write_text("1", "utf-8")
    write_reward(NONE, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["verdict.json"]


def test_a_planted_folder_is_replaced(tmp_path):
    (tmp_path / "reward.txt" / "deep").mkdir(parents=True)
    write_reward(ZERO, tmp_path)
    assert (tmp_path / "reward.txt").read_text("utf-8") == "0.0\n"


@pytest.mark.parametrize("name", ["reward.txt", "reward.json", "reward-details.json", "verdict.json"])
def test_a_planted_link_is_replaced_and_its_target_untouched(tmp_path, name):
    target, out = tmp_path / "target", tmp_path / "out"
    target.write_text("precious", "utf-8")
    out.mkdir()
    (out / name).symlink_to(target)
    write_reward(ZERO, out)
    assert target.read_text("utf-8") == "precious"
    assert not (out / name).is_symlink()


def test_a_planted_link_to_a_folder_is_replaced_and_the_folder_untouched(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "reward.txt").symlink_to(tmp_path / "folder")
    write_reward(ZERO, tmp_path / "out")
    assert (tmp_path / "folder" / "file").exists()
    assert (tmp_path / "out" / "reward.txt").read_text("utf-8") == "0.0\n"


def test_a_link_planted_for_the_scratch_file_is_not_written_through(tmp_path):
    target, out = tmp_path / "target", tmp_path / "out"
    target.write_text("precious", "utf-8")
    out.mkdir()
    (out / f".reward.txt.{os.getpid()}").symlink_to(target)
    write_reward(ZERO, out)
    assert (target.read_text("utf-8"), (out / "reward.txt").is_symlink()) == ("precious", False)


def test_a_folder_planted_for_the_scratch_file_keeps_no_reward_from_being_written(tmp_path):
    (tmp_path / f".reward.txt.{os.getpid()}").mkdir()
    write_reward(ZERO, tmp_path)
    assert (tmp_path / "reward.txt").read_text("utf-8") == "0.0\n"


def test_a_whole_package_has_a_spec(tests):
    (tests / "__pycache__").mkdir()
    (tests / "__pycache__" / "verify.cpython-312.pyc").touch()
    assert checked_spec(tests).root == "main.tex"


def named_for(tests, fingerprints):
    """Make the package one for some toolchains."""
    body = json.dumps({"fingerprints": fingerprints})
    (tests / TOOLCHAIN).write_text(body, "utf-8")
    task = json.loads((tests / "task.json").read_text("utf-8"))
    task["manifest"][TOOLCHAIN] = hashlib.sha256(body.encode()).hexdigest()
    (tests / "task.json").write_text(json.dumps(task), "utf-8")


@pytest.mark.tex
def test_another_toolchain_judges_nothing_not_even_a_cheat(tests, tmp_path):
    named_for(tests, ["0" * 64])
    for workspace in (tmp_path / "app", tmp_path / "nothing"):
        verdict = judge_package(tests, workspace)
        assert (verdict.status, verdict.reward) == (INFRA_ERROR, None)
        assert "the task is for the toolchain 000000000000; this machine's is" in str(verdict.facts["error"])


@pytest.mark.tex
def test_any_of_the_named_toolchains_judges(tests, tmp_path):
    named_for(tests, ["0" * 64, toolchain().fingerprint])
    assert judge_package(tests, tmp_path / "nothing").status == REJECTED


@pytest.mark.parametrize("fingerprints", [[], "all", None])
def test_a_package_that_names_no_toolchain_where_it_must_judges_nothing(tests, tmp_path, fingerprints):
    named_for(tests, fingerprints)
    verdict = judge_package(tests, tmp_path / "app")
    assert verdict.status == INFRA_ERROR
    assert "fingerprints" in str(verdict.facts["error"])


def test_a_toolchain_that_was_added_later_is_refused(tests):
    (tests / TOOLCHAIN).write_text('{"fingerprints": ["x"]}', "utf-8")
    with pytest.raises(SpecError, match=TOOLCHAIN):
        checked_spec(tests)


def test_an_added_file_is_refused(tests):
    (tests / "json.py").touch()
    with pytest.raises(SpecError, match=r"json\.py"):
        checked_spec(tests)


def test_an_added_link_is_refused(tests):
    (tests / "json.py").symlink_to("verify.py")
    with pytest.raises(SpecError, match=r"json\.py"):
        checked_spec(tests)


def test_an_added_link_to_a_folder_is_refused(tests):
    package = tests.parent / "elsewhere"
    package.mkdir()
    (package / "__init__.py").touch()
    (tests / "json").symlink_to(package)
    with pytest.raises(SpecError, match="json"):
        checked_spec(tests)


def test_a_changed_file_is_refused(tests):
    (tests / "original" / "main.tex").write_text("mine", "utf-8")
    with pytest.raises(SpecError, match=r"original/main\.tex"):
        checked_spec(tests)


def test_a_missing_file_is_refused(tests):
    (tests / "verify.py").unlink()
    with pytest.raises(SpecError, match=r"verify\.py"):
        checked_spec(tests)


def test_a_package_that_is_not_whole_is_an_infra_error(tests):
    (tests / "verify.py").unlink()
    verdict = judge_package(tests, tests.parent / "app")
    assert (verdict.status, verdict.reward) == (INFRA_ERROR, None)
    assert "verify.py" in verdict.facts["error"]


def test_a_workspace_that_is_gone_is_a_0_and_exit_0(tests, capsys):
    out = tests.parent / "out"
    assert verify_main(tests, ["--workspace", str(tests / "nowhere"), "--out", str(out), "--json"]) == 0
    assert (out / "reward.txt").read_text("utf-8") == "0.0\n"
    assert json.loads(capsys.readouterr().out)["status"] == REJECTED


def test_a_broken_package_is_exit_1_and_no_reward(tests, capsys):
    (tests / "verify.py").unlink()
    out = tests.parent / "out"
    assert verify_main(tests, ["--workspace", str(tests.parent / "app"), "--out", str(out)]) == 1
    assert [path.name for path in out.iterdir()] == ["verdict.json"]
    assert capsys.readouterr().out.startswith("infra_error: reward none")


def test_a_summary_names_every_reason_with_its_place():
    assert summary(ZERO) == "rejected: reward 0\n  gate root: main.tex:3: no class\n"
    assert summary(SCORE) == "scored: reward 0.9\n  restoration: 1\n"
    assert summary(NONE) == "infra_error: reward none\n  no TeX here\n"


@pytest.mark.parametrize(("name", "value"), [("budget", 10**9), ("reference_size", 10**9), ("root", "other.tex")])
def test_a_task_json_that_says_something_else_is_refused(tests, name, value):
    body = json.loads((tests / "task.json").read_text("utf-8"))
    (tests / "task.json").write_text(json.dumps(body | {name: value}), "utf-8")
    with pytest.raises(SpecError, match="not what the task was made of"):
        checked_spec(tests)
