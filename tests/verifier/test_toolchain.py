"""A machine without TeX says what it lacks; it never says 0."""

import pytest

from lattice_env.verifier import toolchain
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.judge import verify
from lattice_env.verifier.store import Store
from lattice_env.verifier.toolchain import Toolchain
from lattice_env.verifier.verdict import INFRA_ERROR, REJECTED, InfraError


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """An empty folder, the only one in which tools are looked for."""
    monkeypatch.setattr(toolchain, "SYSTEM_DIRS", (str(tmp_path),))
    if any(str(folder) != str(tmp_path) for folder in toolchain.tool_dirs()):
        monkeypatch.setattr(toolchain, "tool_dirs", lambda: [tmp_path])
    toolchain.toolchain.cache_clear()
    yield tmp_path
    toolchain.toolchain.cache_clear()


def test_a_machine_without_tex_names_what_is_missing(bare):
    with pytest.raises(InfraError, match="latexmk, pdflatex, bibtex, kpsewhich, pdftotext"):
        toolchain.toolchain()


def test_a_paper_is_not_judged_without_tex(bare, spec, paper):
    verdict = verify(spec, Submission(paper), Store())
    assert (verdict.status, verdict.reward) == (INFRA_ERROR, None)
    assert "pdflatex" in str(verdict.facts["error"])


def test_a_cheat_is_a_0_even_without_tex(bare, spec):
    verdict = verify(spec, Submission({}), Store())
    assert (verdict.status, verdict.reward) == (REJECTED, 0.0)


def test_a_tool_that_is_empty_or_cannot_run_is_none(bare):
    (bare / "latexmk").touch(mode=0o755)
    (bare / "bibtex").write_text("#!/bin/sh\n", "utf-8")
    (bare / "pdflatex").mkdir()
    assert [toolchain.find_tool(name) for name in ("latexmk", "bibtex", "pdflatex")] == [None] * 3


def test_tools_are_not_looked_for_on_the_path(bare, tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "latexmk").write_text("#!/bin/sh\n", "utf-8")
    (tmp_path / "bin" / "latexmk").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert toolchain.find_tool("latexmk") is None


def test_a_kpsewhich_that_knows_nothing_is_an_infra_error(bare):
    for name in toolchain.TOOLS:
        (bare / name).write_text("#!/bin/sh\nexit 1\n", "utf-8")
        (bare / name).chmod(0o755)
    with pytest.raises(InfraError, match=r"pdflatex\.fmt"):
        toolchain.toolchain()


def test_a_tool_that_is_not_there_is_named():
    tools = Toolchain((("latexmk", "/opt/tex/bin/latexmk"),), (), "", "", "")
    assert tools.path("latexmk") == "/opt/tex/bin/latexmk"
    assert tools.search_path() == "/opt/tex/bin:/usr/bin:/bin"
    with pytest.raises(InfraError, match="biber is not on this machine"):
        tools.path("biber")


@pytest.mark.tex
def test_this_machine_s_tools_are_absolute_and_have_a_fingerprint(tools):
    assert all(path.startswith("/") for _, path in tools.tools)
    assert tools.trees
    assert len(tools.fingerprint) == 64
