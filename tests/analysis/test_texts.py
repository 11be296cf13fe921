"""What of seeds, folders and files is compared, and where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from lattice_env.analysis.leakage import check_split
from lattice_env.analysis.texts import read_texts, seed_text
from lattice_env.errors import DataError
from lattice_env.seeds import load_folder, load_seed

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"


def test_a_seed_is_its_live_latex_without_its_bibliography_file():
    words = seed_text(load_seed(PAPERS / "heron")).words
    assert words[:3] == ["\\documentclass", "a4paper", "article"]
    assert "one" in words
    assert "author" not in words


def test_what_is_commented_out_or_switched_off_does_not_count(tmp_path):
    (tmp_path / "a.tex").write_text("One % two three\n\\iffalse four \\fi five\n", "utf-8")
    (text,) = read_texts(tmp_path)
    assert [word for word in text.words if word.isalpha()] == ["one", "five"]


def test_a_file_is_a_text_in_a_folder_and_a_line_is_one_in_a_file(tmp_path):
    (tmp_path / "b.md").write_text("Dear {name},\r\n50% off\r\n", "utf-8")
    (tmp_path / "empty.md").write_text(" \n", "utf-8")
    (tmp_path / ".hidden").write_text("words", "utf-8")
    (tmp_path / "figure.png").write_bytes(b"\x89PNG\0words")
    (text,) = read_texts(tmp_path)
    assert (text.name, text.words, text.place(3)) == (
        "b.md",
        ["dear", "name", "50", "off"],
        "b.md:2",
    )
    assert [(line.name, line.words) for line in read_texts(tmp_path / "b.md")] == [
        ("b.md:1", ["dear", "name"]),
        ("b.md:2", ["50", "off"]),
    ]


def test_a_place_beyond_the_text_is_an_error(tmp_path):
    (tmp_path / "a.md").write_text("one", "utf-8")
    with pytest.raises(IndexError, match=r"a\.md has no unit 1"):
        read_texts(tmp_path)[0].place(1)


def test_a_folder_without_text_and_no_folder_are_bad_data(tmp_path):
    for place in (tmp_path, tmp_path / "none"):
        with pytest.raises(DataError, match="no text here"):
            read_texts(place)


def test_formulas_that_differ_in_a_sign_are_told_apart_by_tokens_only(tmp_path):
    (tmp_path / "private").write_text("x^2 + y^2 = z^2\n", "utf-8")
    (tmp_path / "public").write_text("x^2 - y^2 \\leq z_2\n\\frac{a}{b} = c + d\n", "utf-8")

    def leaks(*, tokens):
        return check_split(*(read_texts(tmp_path / side, tokens=tokens) for side in ("private", "public"))).leaks

    assert leaks(tokens=True) == ()
    (tmp_path / "public").write_text("x^2 + y^2 = z^2\n", "utf-8")
    assert [leak.public for leak in leaks(tokens=True)] == ["public:1"]


def test_a_pool_of_templates_is_a_folder_of_texts(tmp_path):
    """Two letters of one pool, word by word, and one that is new."""
    for name, body in {
        "private/a.txt": "We thank you for your order of {count} {item} and send it on {date} to {place}.",
        "private/b.txt": "The committee met on {date} and heard nine reports on the state of the bridges.",
        "public/letter.txt": "We thank you for your order of {count} {item} and send it on {date} by {carrier}.",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(body, "utf-8")
    found = check_split(read_texts(tmp_path / "private"), read_texts(tmp_path / "public"))
    assert [(leak.private, leak.public) for leak in found.leaks] == [("a.txt", "letter.txt")]


def test_the_small_papers_do_not_leak_into_each_other_and_each_leaks_into_itself():
    papers = [seed_text(seed) for seed in load_folder(PAPERS)]
    assert {(leak.private, leak.public) for leak in check_split(papers, papers).leaks} == {
        ("heron", "heron"),
        ("otter", "otter"),
    }
