"""`lattice-env mine`: what cannot be mined is an error of usage, and leaves nothing."""

from __future__ import annotations

import pytest

from lattice_env.cli import main


@pytest.mark.tex
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["https://example.org/paper.git"], "no such folder"),
        (["git@example.org:paper.git"], "only local clones are mined"),
        (["."], "not a git repository"),
    ],
)
def test_what_cannot_be_mined_is_said(words, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["mine", *words, "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
