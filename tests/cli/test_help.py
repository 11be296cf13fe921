"""Every command says what it does and what each of its words means; what it does not know is exit code 2."""

from __future__ import annotations

import inspect
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lattice_env import cli as module
from lattice_env.cli import COMMANDS, main
from lattice_env.errors import DataError, LatticeError, MissingTool, UsageError
from lattice_env.seeds import load_seeds


def name_of(command):
    """What a command is called on the command line."""
    return command.__name__.replace("_", "-")


each = pytest.mark.parametrize("command", COMMANDS, ids=name_of)


def said(capsys, *words):
    """The exit code, stdout and stderr of a command run in this process."""
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_help_lists_every_command(capsys):
    code, out, _ = said(capsys, "--help")
    assert code == 0
    assert all(f" {name_of(command)} " in out for command in COMMANDS)


@each
def test_a_command_says_what_it_does_and_what_each_word_means(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    code, out, err = said(capsys, name_of(command), "--help")
    assert (code, err) == (0, "")
    first = inspect.getdoc(command).split("\n\n")[0].replace("\n", " ")
    text = " ".join(out.replace("│", " ").split())
    assert first in text
    shown = text.partition("Parameters")[2]
    for name in inspect.signature(command).parameters:
        words = shown.partition(f"--{name.replace('_', '-')} ")[2] or shown.partition(name.upper() + " ")[2]
        assert len(words.split()) > 3, name


@each
def test_every_parameter_is_explained_in_the_docstring_or_at_its_place(command):
    text = inspect.getdoc(command)
    for name, parameter in inspect.signature(command).parameters.items():
        assert f"\n{name}\n    " in text or "Parameter(help=" in str(parameter.annotation), name


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["seeds", "--nonsense"],
        ["seeds", "extra"],
        ["generate"],
        ["generate", "--out"],
        ["verify", "one"],
        ["preview"],
        ["selftest"],
        ["demo", "--tasks", "many"],
    ],
    ids=" ".join,
)
def test_what_a_command_does_not_know_is_an_error_of_usage(words, capsys):
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("lattice-env: ")
    assert "hint:" in err


def test_the_version_is_told(capsys):
    code, out, _ = said(capsys, "--version")
    assert code == 0
    assert out.strip()[0].isdigit()


def test_python_m_and_the_installed_program_are_the_same(cli):
    program = Path(sys.executable).with_name("lattice-env")
    if not program.exists():
        pytest.skip("the program is not installed beside this Python")
    ours = cli("--help")
    theirs = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60, check=False)
    assert ours.returncode == theirs.returncode == 0
    assert ours.stdout == theirs.stdout


@pytest.mark.parametrize(("error", "code"), [(LatticeError, 1), (UsageError, 2), (MissingTool, 3), (DataError, 4)])
def test_every_error_has_its_exit_code_and_tells_the_next_step(error, code, capsys, monkeypatch):
    def fail(*_arguments, **_settings):
        raise error("what is wrong", hint="what to do")

    monkeypatch.setattr(module, "app", fail)
    assert said(capsys, "seeds") == (code, "", "lattice-env: what is wrong\n  hint: what to do\n")


def test_an_interrupt_is_130(capsys, monkeypatch):
    def fail(*_arguments, **_settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "app", fail)
    assert said(capsys, "seeds") == (130, "", "interrupted\n")


def test_a_reader_that_goes_away_is_no_error(cli):
    line = [sys.executable, "-m", "lattice_env", "seeds", "--json"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_seeds_as_json_are_all_seeds(capsys):
    code, out, err = said(capsys, "seeds", "--json")
    assert (code, err) == (0, "")
    rows = json.loads(out)
    assert [(row["name"], row["digest"]) for row in rows] == [(seed.name, seed.digest) for seed in load_seeds()]
    assert all(row["licence"] and row["editable"] for row in rows)


def test_seeds_as_a_table_say_which_are_ready(capsys):
    code, out, _ = said(capsys, "seeds")
    assert code == 0
    assert all(f" {seed.name} " in out for seed in load_seeds())
    assert "ready" in out
    assert "neurips_2025.sty" in out


def test_a_title_with_brackets_is_printed_whole(capsys, tmp_path):
    shutil.copytree(Path(__file__).parents[1] / "seeds" / "papers" / "heron", tmp_path / "heron")
    recipe = tmp_path / "heron" / "seed.json"
    recipe.write_text(recipe.read_text("utf-8").replace("A Heron at Rest", "A Heron [draft] at Rest"), "utf-8")
    _, out, _ = said(capsys, "seeds", "--seeds-dir", str(tmp_path))
    assert "A Heron [draft] at Rest" in out


def test_a_folder_of_seeds_that_is_none_is_bad_data(capsys, tmp_path):
    code, out, err = said(capsys, "seeds", "--seeds-dir", str(tmp_path / "none"))
    assert (code, out) == (4, "")
    assert str(tmp_path / "none") in err
