"""The sub-commands of `templates` say what they do and what each word means."""

from __future__ import annotations

import inspect

import pytest

from lattice_env.cli import main
from lattice_env.cli.templates import author, check


@pytest.mark.parametrize("command", [check, author], ids=lambda command: command.__name__)
def test_a_sub_command_explains_every_word(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["templates", command.__name__, "--help"]) == 0
    out = capsys.readouterr().out
    assert inspect.getdoc(command).split("\n\n")[0] in " ".join(out.replace("│", " ").split())
    text = inspect.getdoc(command)
    for name in inspect.signature(command).parameters:
        assert f"\n{name}\n    " in text
        assert f"--{name.replace('_', '-')}" in out or name == "files"


@pytest.mark.parametrize("words", [["nonsense"], ["author"], ["author", "--genre", "invoice"], ["check", "--nonsense"]])
def test_what_a_sub_command_does_not_know_is_an_error_of_usage(words, capsys):
    assert main(["templates", *words]) == 2
    assert "hint:" in capsys.readouterr().err


def test_the_help_lists_both(capsys):
    assert main(["templates", "--help"]) == 0
    out = capsys.readouterr().out
    assert " check " in out
    assert " author " in out
