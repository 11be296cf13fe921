"""The four canonical objects, read from what real builds leave."""

import json

import pytest

from lattice_env.verifier.build import Built
from lattice_env.verifier.diagnostics import Diagnostic
from lattice_env.verifier.facts import Outcome, read_facts, read_outcome


@pytest.fixture
def facts(make_built, some_tools):
    """A function: the facts of a build that left these products."""

    def read(**products):
        return read_facts(make_built(**products), "main.tex", some_tools)

    return read


def test_a_label_has_a_kind_a_number_and_a_title(facts):
    aux = r"\newlabel{sec:a}{{2.1}{3}{How {\it fast} it is}{subsection.2.1}{}}"
    aux += r"\newlabel{tab:b}{{1}{4}{Braces \{ of all {k{i}nds}}{table.caption.1}{}}"
    assert facts(aux=aux).labels == (
        ("sec:a", "subsection", "2.1", r"How {\it fast} it is"),
        ("tab:b", "table", "1", r"Braces \{ of all {k{i}nds}"),
    )


def test_a_label_without_hyperref_has_a_number_alone(facts):
    assert facts(aux=r"\newlabel{sec:a}{{2}{3}}").labels == (("sec:a", "", "2", ""),)


def test_a_label_of_cleveref_has_its_own_form(facts):
    aux = r"\newlabel{eq:a@cref}{{[equation][1][]1}{[1][1][]1}}"
    assert facts(aux=aux).labels == (("eq:a@cref", "cref", "[equation][1][]1", ""),)


@pytest.mark.parametrize(
    "aux", [r"\newlabel{a}", r"\newlabel{a}{", r"\newlabel{a}{}", r"\newlabel{a}{{1", r"\newlabel{"]
)
def test_a_label_that_is_cut_off_is_none(facts, aux):
    assert facts(aux=aux).labels == ()


def test_an_included_aux_stands_where_it_is_read(make_pdf, one_page, some_tools):
    products = {
        "main.aux": "\\citation{a}\n\\@input{sections/b.aux}\n\\citation{d}\n",
        "sections/b.aux": "\\citation{b,c}\n\\newlabel{x}{{1}{1}}\n",
    }
    outcome = read_facts(Built("", pdf=make_pdf(one_page), products=products), "main.tex", some_tools)
    assert outcome.citations == ("a", "b", "c", "d")
    assert outcome.labels == (("x", "", "1", ""),)


def test_an_aux_that_reads_itself_ends(make_pdf, one_page, some_tools):
    products = {"main.aux": "\\@input{b.aux}\n", "b.aux": "\\@input{main.aux}\n\\@input{b.aux}\n\\citation{a}\n"}
    outcome = read_facts(Built("", pdf=make_pdf(one_page), products=products), "main.tex", some_tools)
    assert set(outcome.citations) == {"a"}


def test_citations_keep_their_order_and_their_repeats(facts):
    aux = "\\citation{b}\n\\citation{a, b}\n\\abx@aux@cite{0}{c}\n\\abx@aux@cite{d}\n"
    assert facts(aux=aux).citations == ("b", "a", "b", "c", "d")


def test_entries_of_bibtex_are_a_sorted_multiset(facts):
    bbl = "\\bibitem{b}\nB.\n  Book.\n\n\\bibitem{a} A.\n\\bibitem{a} A.\n\\end{thebibliography}\n"
    assert facts(bbl=bbl).entries == (r"\bibitem{a} A.", r"\bibitem{a} A.", r"\bibitem{b} B. Book.")


def test_entries_of_natbib_keep_their_optional_argument(facts):
    bbl = "\\bibitem[{Knuth(1984)}]{knuth}\nD.~E. Knuth.\n\\newblock \\emph{The {\\TeX} book}.\n\\end{thebibliography}"
    (entry,) = facts(bbl=bbl).entries
    assert entry == r"\bibitem[{Knuth(1984)}]{knuth} D.~E. Knuth. \newblock \emph{The {\TeX} book}."


def test_entries_of_biber_are_read_whole(facts):
    bbl = "\\entry{b}{book}{}\n  \\field{year}{1984}\n\\endentry\n\\entry{a}{misc}{}\n\\endentry\n"
    assert facts(bbl=bbl).entries == (
        r"\entry{a}{misc}{} \endentry",
        r"\entry{b}{book}{} \field{year}{1984} \endentry",
    )


def test_links_and_pages_come_from_the_pdf(facts):
    outcome = facts()
    assert (outcome.pages, outcome.links, outcome.reason) == (1, ("section.1", "cite.knuth"), "")


@pytest.mark.parametrize("pdf", [b"%PDF-1.5\n", b"no PDF", b"%PDF-1.5\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"])
def test_a_pdf_that_cannot_be_read_is_none(make_built, some_tools, pdf):
    assert read_facts(make_built(pdf), "main.tex", some_tools).reason == "no-pdf"


def test_a_page_tree_too_deep_is_no_pdf(make_built, make_pdf, some_tools):
    chain = [(n, b"<< /Kids [%d 0 R] >>" % (n + 1)) for n in range(2, 5000)]
    pdf = make_pdf([(1, b"<< /Type /Catalog /Pages 2 0 R >>"), *chain])
    assert read_facts(make_built(pdf), "main.tex", some_tools).reason == "no-pdf"


def test_what_latex_found_undefined_is_named_once(facts):
    log = "LaTeX Warning: Reference `tab:x' on page 1 undefined on input line 3.\n"
    log += "LaTeX Warning: Citation `k' on page 1 undefined on input line 3.\n"
    log += "Package natbib Warning: Citation `k' on page 1 undefined on input line 4.\n"
    assert facts(log=log).undefined == ("k", "tab:x")


def test_a_paper_is_linked_where_it_loads_hyperref(facts):
    assert facts(fls="INPUT /usr/share/texmf/tex/latex/hyperref/hyperref.sty\n").linked
    assert not facts(fls="INPUT main.tex\n").linked


@pytest.mark.parametrize(
    "path", ["main.tex", "./a/b.tex", "/build/main.aux", "/usr/share/texmf/a.sty", "/var/lib/formats/pdflatex.fmt"]
)
def test_the_paper_and_tex_s_trees_may_be_read(facts, path):
    assert facts(fls=f"PWD /build\nINPUT {path}\n").foreign == ()


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../secret", "a/../../b", "/usr/share/texmf/../secret", "/usr/share/texmfx"]
)
def test_all_else_that_was_read_is_foreign(facts, path):
    assert facts(fls=f"INPUT {path}\nOUTPUT /tmp/x\n").foreign == (path,)


def test_a_failed_build_has_a_reason_and_diagnostics_alone(some_tools):
    error = Diagnostic("main.tex", 1, "Missing $ inserted.", "missing-math")
    outcome = read_facts(Built("tex", diagnostics=(error,)), "main.tex", some_tools)
    assert outcome == Outcome("tex", diagnostics=(error,))


def test_an_outcome_comes_back_from_its_json(facts):
    aux = "\\newlabel{a}{{1}{1}{A title}{section.1}{}}\n\\citation{k}\n"
    outcome = facts(aux=aux, bbl=r"\bibitem{k} K.", log="! Emergency stop.\n")
    assert read_outcome(outcome.to_json()) == outcome


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"reason": ""}', '{"labels": [["a"]]}'])
def test_what_is_no_outcome_is_an_error(text):
    with pytest.raises((ValueError, TypeError, KeyError)):
        read_outcome(text)


def test_an_outcome_with_a_surprise_is_an_error(facts):
    body = json.loads(facts().to_json()) | {"surprise": 1}
    with pytest.raises(TypeError):
        read_outcome(json.dumps(body))
