"""What of a source is live: a comment, a listing or a switched-off part is told from code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.verifier.latex import Document, commands, decode, encode, environments, group_end, tokens

MARKS = st.sampled_from(
    [
        *("word ", "% note", "\\%", "\n", "\\verb|%|", "\\url{a%b}", "{", "}", "\\\\"),
        *("\\iffalse ", "\\fi ", "\\else ", "\\begin{verbatim}", "\\end{verbatim}"),
        *("\\begin{comment}", "\\end{comment}", "\\end{document}"),
    ]
)


def live(text):
    return Document("a.tex", text).live.split()


def code(text):
    return Document("a.tex", text).code.split()


def dead(text):
    return Document("a.tex", text).dead.split()


def test_a_comment_ends_with_its_line():
    document = Document("a.tex", "seen % not seen\nagain\n")
    assert document.live.split() == ["seen", "again"]
    assert document.comments.split() == ["%", "not", "seen"]


def test_a_comment_ends_at_a_carriage_return():
    assert live("% not seen\rseen\n") == ["seen"]


def test_an_escaped_percent_is_no_comment():
    assert live(r"5\% of it") == [r"5\%", "of", "it"]


def test_a_percent_behind_a_line_break_is_a_comment():
    assert live("a \\\\% note\nb") == ["a", "\\\\", "b"]


@pytest.mark.parametrize("mark", list("|+!=\"'/%&$"))
def test_verb_takes_any_delimiter(mark):
    document = Document("a.tex", rf"a \verb{mark}x \ref y{mark} b % note")
    assert document.code.split() == ["a", r"\verb", "b"]
    assert document.live.split() == ["a", rf"\verb{mark}x", r"\ref", f"y{mark}", "b"]


def test_verb_with_a_star_has_its_delimiter_behind_the_star():
    assert code(r"\verb*|%| seen") == [r"\verb*", "seen"]


def test_verb_never_leaves_its_line():
    assert code("\\verb|never closed\nseen") == [r"\verb", "seen"]


def test_verb_with_a_brace_ends_at_the_same_brace():
    assert live(r"\verb{x{ seen % note") == [r"\verb{x{", "seen"]


def test_verb_with_a_bracket_ends_at_the_same_bracket():
    assert live(r"\verb[x[ seen % note ] more") == [r"\verb[x[", "seen"]


def test_lstinline_takes_options_and_braces():
    assert code(r"\lstinline[language=C]{a % b} seen") == [r"\lstinline", "seen"]


@pytest.mark.parametrize("name", ["verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "alltt"])
def test_a_listing_reaches_the_page_and_is_no_code(name):
    text = f"a \\begin{{{name}}}\n50% \\ref{{x}}\n\\end{{{name}}} b"
    assert "50%" in live(text)
    assert code(text) == ["a", f"\\begin{{{name}}}", f"\\end{{{name}}}", "b"]


def test_a_comment_environment_is_dead():
    text = "a \\begin{comment}\nhidden % too\n\\end{comment} b"
    assert dead(text) == ["hidden", "%", "too"]
    assert live(text) == ["a", r"\begin{comment}", r"\end{comment}", "b"]


@pytest.mark.parametrize("between", ["", " ", "\t"])
def test_a_space_before_a_name_hides_no_environment(between):
    assert "hidden" in dead(f"\\begin{between}{{comment}}\nhidden\n\\end{{comment}}")


@pytest.mark.parametrize("between", ["\n", "%\n"])
def test_the_end_of_a_line_before_a_name_hides_no_environment(between):
    assert "hidden" in dead(f"\\begin{between}{{comment}}\nhidden\n\\end{{comment}}")


def test_a_percent_does_not_start_an_environment():
    assert live("% \\begin{comment}\nseen") == ["seen"]


def test_iffalse_is_dead_up_to_its_fi():
    assert live(r"a \iffalse hidden \fi b") == ["a", r"\iffalse", r"\fi", "b"]


def test_nested_conditionals_are_skipped_whole():
    assert live(r"\iffalse a \ifx\x\y b \else c \fi d \fi seen") == [r"\iffalse", r"\fi", "seen"]


def test_the_else_of_an_iffalse_is_live():
    assert live(r"\iffalse hidden \else seen \fi") == [r"\iffalse", r"\else", "seen", r"\fi"]


def test_a_fi_in_a_comment_ends_nothing():
    assert live("\\iffalse hidden % \\fi\nhidden \\fi seen") == [r"\iffalse", r"\fi", "seen"]


@pytest.mark.parametrize("word", [r"\iff", r"\ifthenelse"])
def test_a_macro_that_starts_like_a_conditional_opens_none(word):
    assert live(rf"\iffalse a {word} b \fi seen") == [r"\iffalse", r"\fi", "seen"]


def test_an_iffalse_without_end_hides_the_rest():
    assert live(r"seen \iffalse hidden") == ["seen", r"\iffalse"]


def test_what_follows_endinput_is_dead():
    assert live("seen\n\\endinput\nhidden") == ["seen", r"\endinput"]


def test_what_follows_the_end_of_the_document_is_dead():
    text = "\\begin{document} seen \\end{document}\nhidden % note"
    assert live(text) == [r"\begin{document}", "seen", r"\end{document}"]


def test_an_end_of_the_document_in_a_listing_ends_nothing():
    assert live("\\begin{verbatim}\n\\end{document}\n\\end{verbatim}\nseen")[-1] == "seen"


@pytest.mark.parametrize("command", ["url", "path", "nolinkurl", "href"])
def test_a_percent_in_an_address_is_no_comment(command):
    assert live(f"\\{command}{{https://x.org/a%20b}} seen")[-1] == "seen"


def test_the_text_of_a_link_is_read_as_usual():
    assert live("\\href{https://x.org/%20}{page} % note") == [r"\href{https://x.org/%20}{page}"]
    assert live("\\href[page=2]{https://x.org/%20}{page} % note") == [r"\href[page=2]{https://x.org/%20}{page}"]


def test_a_bib_file_has_no_comments():
    assert Document("refs.bib", "@book{k, note = {5% off}}").live == "@book{k, note = {5% off}}"


@given(st.lists(MARKS).map("".join))
def test_every_view_keeps_every_offset(text):
    document = Document("a.tex", text)
    for view in (document.code, document.live, document.dead, document.comments):
        assert len(view) == len(text)
        assert all(seen in (" ", there) for seen, there in zip(view, text, strict=True))
        assert view.count("\n") == text.count("\n")


@given(st.text())
def test_the_mask_of_any_text_has_its_length(text):
    assert len(Document("a.tex", text).mask) == len(text)


@pytest.mark.parametrize("data", ["naïve ﬁt".encode(), "naïve".encode("latin-1"), b"plain", b""])
def test_encode_takes_back_what_decode_did(data):
    assert encode(decode(data), data) == data


@given(st.binary())
def test_encode_takes_back_what_decode_did_to_any_bytes(data):
    assert encode(decode(data), data) == data


def test_latin_1_is_read_where_utf_8_is_not():
    assert decode(b"na\xefve") == decode("naïve".encode()) == "naïve"


def test_tokens_are_commands_words_numbers_and_marks():
    assert tokens(r"\ref{tab:1}~ab12, \\^^5c") == [
        *(r"\ref", "{", "tab", ":", "1", "}", "~", "ab", "12", ",", r"\\", "^^5c")
    ]


def test_environments_are_found_with_what_they_hold():
    text = r"\begin{table}\begin{tabular}{l}x\end{tabular}\end{table}"
    outer, inner = environments(text)
    assert (outer.name, text[outer.begin : outer.end]) == ("table", text)
    assert (inner.name, text[inner.body : inner.body_end]) == ("tabular", "{l}x")


def test_an_environment_that_is_closed_by_another_is_none():
    assert environments(r"\begin{table}\end{figure}") == []


def test_group_end_counts_braces_and_passes_escaped_ones():
    assert group_end(r"x{a{b}\}}y", 1) == len(r"x{a{b}\}}")
    assert group_end("{never", 0) is None


def test_commands_are_whole_words():
    assert [match[1] for match in commands(r"\ref \refs \ref*", "ref")] == ["ref", "ref"]


def test_lines_are_counted_from_one():
    document = Document("a.tex", "one\ntwo\n\nfour")
    assert [document.line_of(offset) for offset in (0, 3, 4, 8, 9)] == [1, 1, 2, 3, 4]
    assert [document.line_span(offset) for offset in (0, 5, 10)] == [(0, 4), (4, 8), (9, 13)]
    assert [document.line_text(number) for number in (0, 2, 4, 5)] == ["", "two", "four", ""]


def test_the_body_starts_behind_the_live_begin():
    text = "% \\begin{document}\n\\begin{document}x"
    assert text[Document("a.tex", text).body_start :] == "x"
    assert Document("a.tex", "x").body_start == 0
