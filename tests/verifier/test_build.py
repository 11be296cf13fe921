"""The pinned build makes the same bytes everywhere, and a hostile document gets nowhere."""

import pytest

from lattice_env.verifier import sandbox
from lattice_env.verifier.build import LINKS, build, is_product

PLAIN = b"\\documentclass{article}\n\\begin{document}\nHello.\n\\end{document}\n"
OTHER = r"\string\documentclass{article}\string\begin{document}Other.\string\end{document}"
REWRITES = rf"\immediate\openout5=main.tex \immediate\write5{{{OTHER}}}\immediate\closeout5"


@pytest.fixture(scope="session")
def built(tools, paper):
    """The tiny paper, built once."""
    return build(paper, "main.tex", tools)


def hostile(text):
    """A document of one line that does `text` first."""
    return {"main.tex": PLAIN.replace(b"Hello.", text.encode() + b" Hello.")}


@pytest.mark.parametrize(
    "path",
    [
        "main.pdf",
        "main.aux",
        "main.bbl",
        "main.fdb_latexmk",
        "main.synctex.gz",
        "main.run.xml",
        "sections/a.aux",
        "a.aux",
    ],
)
def test_what_a_build_writes_is_a_product(path):
    assert is_product(path, "main.tex")


@pytest.mark.parametrize(
    "path", ["main.tex", "refs.bib", "sub/main.pdf", "other.pdf", "main.PDF", "main.pdf.tex", "xmain.pdf"]
)
def test_all_else_is_none(path):
    assert not is_product(path, "main.tex")


@pytest.mark.tex
def test_the_paper_builds_with_its_references(built):
    assert built.reason == ""
    assert "Table 1" in built.text
    assert "Lattice does" in built.text
    assert r"\bibitem{knuth}" in built.products["main.bbl"]


@pytest.mark.tex
def test_two_builds_in_two_folders_give_the_same_bytes(built, paper, tools, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert build(paper, "main.tex", tools).pdf == built.pdf


@pytest.mark.tex
def test_what_is_planted_is_without_effect(built, paper, tools):
    planted = {
        "main.pdf": b"%PDF-1.5\nplanted\n%%EOF\n",
        "main.aux": b"\\newlabel{tab:1}{{9}{9}{}{table.9}{}}\n",
        "main.bbl": b"\\bibitem{knuth} Planted.\n",
        "main.fdb_latexmk": b"# Fdb version 4\n",
        "main.log": b"Output written on main.pdf",
        ".latexmkrc": b"$pdflatex = 'false';\n",
        "latexmkrc": b"die;\n",
        "pdflatex.fmt": b"planted",
        "texmf.cnf": b"shell_escape = t\n",
    }
    again = build({**paper, **planted}, "main.tex", tools)
    assert (again.reason, again.pdf) == ("", built.pdf)


@pytest.mark.tex
def test_our_environment_is_without_effect(built, paper, tools, tmp_path, monkeypatch):
    (tmp_path / "article.cls").write_text("\\errmessage{planted}", "utf-8")
    for name in ("TEXINPUTS", "TEXMFHOME", "BSTINPUTS", "BIBINPUTS", "TEXFORMATS"):
        monkeypatch.setenv(name, f"{tmp_path}:")
    again = build(paper, "main.tex", tools)
    assert (again.reason, again.pdf) == ("", built.pdf)


@pytest.mark.tex
def test_a_broken_paper_fails_with_its_line(shipped, tools):
    failed = build(shipped, "main.tex", tools)
    assert (failed.reason, failed.pdf) == ("tex", b"")
    first = failed.diagnostics[0]
    assert (first.file, first.line, first.kind) == ("main.tex", 7, "undefined-command")


@pytest.mark.tex
def test_a_bibliography_that_does_not_parse_fails_as_one(paper, tools):
    broken = {**paper, "refs.bib": paper["refs.bib"].replace(b" author =", b" author ")}
    failed = build(broken, "main.tex", tools)
    assert failed.reason == "bibliography"
    assert failed.diagnostics[0].file == "refs.bib"


@pytest.mark.tex
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(r"\immediate\openout5=main.tex \immediate\write5{x}\immediate\closeout5", id="its own source"),
        pytest.param(r"\input{/etc/passwd}", id="a file outside"),
        pytest.param(r"\input{../output.txt}", id="a file above"),
        pytest.param(r'\input{|"date"}', id="a pipe"),
        pytest.param(r"\immediate\openout5=/tmp/lattice-written ", id="a file outside to write"),
    ],
)
def test_a_document_does_not_leave_its_tree(tools, text):
    failed = build(hostile(text), "main.tex", tools)
    assert failed.reason in ("tex", "rewritten")
    assert failed.pdf == b""


@pytest.mark.tex
def test_a_document_starts_no_program(tools):
    built = build(
        hostile(r"\immediate\write18{touch started}\IfFileExists{started}{Started}{Refused}"), "main.tex", tools
    )
    assert "Started" not in built.text
    assert built.reason or "Refused" in built.text


@pytest.mark.tex
def test_an_endless_loop_ends_as_resource(tools, monkeypatch):
    monkeypatch.setattr(sandbox, "WALL_SECONDS", 3)
    monkeypatch.setattr(sandbox, "LEAST_SHARE", 0)
    assert build(hostile(r"\def\x{\x}\x"), "main.tex", tools).reason == "resource"


@pytest.mark.tex
def test_an_endless_recursion_ends_as_resource(tools):
    assert build(hostile(r"\def\x{x\x y}\setbox0\hbox{\x}"), "main.tex", tools).reason == "resource"


@pytest.mark.tex
@pytest.mark.parametrize("text", [r"\pdfdraftmode=1", r"\csname @@end\endcsname"])
def test_an_exit_without_a_pdf_is_no_success(tools, text):
    failed = build(hostile(text), "main.tex", tools)
    assert failed.reason
    assert failed.pdf == b""


@pytest.mark.tex
def test_a_first_line_is_not_parsed(tools):
    files = {"main.tex": b"%&nosuchformat -shell-escape\n" + PLAIN}
    assert build(files, "main.tex", tools).reason == ""


@pytest.mark.tex
def test_a_shadow_build_links_a_paper_without_hyperref(tools):
    source = PLAIN.replace(b"Hello.", b"\\section{A}\\label{a}See~\\ref{a}.")
    built = build({"main.tex": source}, "main.tex", tools, probe=LINKS)
    assert built.reason == ""
    assert "section.1" in built.products["shadow.aux"]


@pytest.mark.tex
def test_without_bubblewrap_the_bytes_are_the_same(built, paper, tools, monkeypatch):
    monkeypatch.setattr(sandbox, "kind", lambda: sandbox.LIMITS)
    assert build(paper, "main.tex", tools).pdf == built.pdf


@pytest.mark.tex
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(REWRITES, "rewritten", id="its own source"),
        pytest.param(r"\input{/etc/passwd}", "tex", id="a file outside"),
        pytest.param(r'\input{|"date"}', "tex", id="a pipe"),
    ],
)
def test_without_bubblewrap_a_document_gets_nowhere_either(tools, monkeypatch, text, reason):
    monkeypatch.setattr(sandbox, "kind", lambda: sandbox.LIMITS)
    failed = build(hostile(text), "main.tex", tools)
    assert (failed.reason, failed.pdf) == (reason, b"")
