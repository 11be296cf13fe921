"""The root is chosen once: --root, the active file and its magic comment, or the only file with a class."""

import pytest

from lattice_env.agents.repair import choose_root
from lattice_env.errors import UsageError

ROOT = b"\\documentclass{article}\n"
FILES = {"main.tex": ROOT, "paper/main.tex": ROOT, "paper/part.tex": b"% !TeX root = main.tex\ntext\n"}


def test_a_named_root_comes_before_all_else():
    chosen = choose_root(FILES, root="main.tex", active="paper/main.tex")
    assert (chosen.root, chosen.chosen_by) == ("main.tex", "--root")


def test_a_nested_active_file_is_not_replaced_by_its_namesake_at_the_top():
    assert choose_root(FILES, active="paper/main.tex").root == "paper/main.tex"


def test_the_magic_comment_of_the_active_file_is_honoured():
    chosen = choose_root(FILES, active="paper/part.tex")
    assert chosen.root == "paper/main.tex"
    assert "paper/part.tex" in chosen.chosen_by


def test_a_magic_comment_may_leave_out_the_ending_and_go_up():
    files = {"main.tex": ROOT, "parts/a.tex": b"%!TEX root=../main\n"}
    assert choose_root(files, active="parts/a.tex").root == "main.tex"


def test_a_magic_comment_that_names_nothing_is_an_error():
    with pytest.raises(UsageError, match=r"gone\.tex"):
        choose_root({"a.tex": b"% !TeX root = gone.tex\n"}, active="a.tex")


def test_the_only_file_with_a_class_is_the_root():
    files = {"a.tex": b"% \\documentclass{article}\n", "b.tex": ROOT, "c.cls": ROOT}
    assert choose_root(files).root == "b.tex"


def test_two_candidates_and_no_choice_is_no_root():
    chosen = choose_root(FILES)
    assert (chosen.root, chosen.candidates) == ("", ("main.tex", "paper/main.tex"))


def test_a_root_in_latin_1_is_one():
    assert choose_root({"a.tex": ROOT + "Grüße".encode("latin-1")}).root == "a.tex"


@pytest.mark.parametrize("name", ["missing.tex", "../main.tex", "/etc/passwd"])
def test_a_root_outside_the_project_is_an_error(name):
    with pytest.raises(UsageError, match="not a file of the project"):
        choose_root(FILES, root=name)
