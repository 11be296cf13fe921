"""The validator: what is refused, where, and with which advice; and what natural prose may say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lattice_env.cli import main
from lattice_env.seeds.documents import load_genre
from lattice_env.seeds.documents.checks import MOST_COLUMNS, MOST_LINES, check_files, check_text
from lattice_env.seeds.documents.genre import FOLDER

ORDER = load_genre("purchase-order")
HEAD = "A HEADING\n\n"


def found(body, kind="filler"):
    """(line, column, what) of every problem below a heading."""
    return [(each.line, each.column, each.what) for each in check_text(ORDER, HEAD + body, kind)]


@pytest.mark.parametrize("root", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_the_bundled_pools_have_no_findings(root):
    count, findings = check_files([root])
    assert count >= 10
    assert [str(each) for each in findings] == []


@pytest.mark.parametrize(
    ("body", "column", "what"),
    [
        ("Pay within 30 days.", 12, "bare digits: '30'"),
        ("Pay within thirty days.", 12, "a number word: 'thirty'"),
        ("Forty-five crates.", 1, "a number word: 'Forty'"),
        ("It took one day.", 9, "a number word: 'one'"),
        ("Half of it.", 1, "a number word: 'Half'"),
        ("Dozens came.", 1, "a number word: 'Dozens'"),
        ("On the fifth of May.", 8, "a number word: 'fifth'"),
        ("It costs $ more.", 10, "a currency outside placeholders: '$'"),
        ("Paid in euros.", 9, "a currency outside placeholders: 'euros'"),
        ("See {po_number}.", 5, "a brace that belongs to no placeholder"),
        ("Of {po_numbr:id}.", 4, "no fact is called 'po_numbr'"),
        ("Of {po_number:usd}.", 4, "po_number has no format 'usd'"),
        ("Page {page:int}.", 6, "page is for page headers"),
        ("Costs {order_total:usd}.", 7, "a section of kind filler must not show order_total"),
        ("Worth {item.qty:int}.", 7, "a section of kind filler must not show item.qty"),
        ("A \u201cquote\u201d.", 3, "'\\u201c' is not printable ASCII"),
        ("A\ttab.", 2, "'\\t' is not printable ASCII"),
        ("@vendor {vendor:text}", 1, "no group is called 'vendor'"),
    ],
)
def test_what_is_refused_is_placed(body, column, what):
    assert (3, column, what) in found(body)


@pytest.mark.parametrize(
    "body",
    [
        "No one is asked once or twice; the first of both parties, or a third party, gives one another notice.",
        "On behalf of the quarter, a pair of single pages; often and someone, weight and height.",
        "The stone was done; none came alone.",
    ],
)
def test_natural_prose_survives(body):
    assert [what for _, _, what in found(body) if "number word" in what or "digits" in what] == []


def test_every_finding_says_what_to_do():
    texts = ("", "lower\nline", HEAD + "{x} 3 two $ {nothing:id} {po_number:usd}", HEAD + "\n" * MOST_LINES + "x")
    problems = [each for text in texts for each in check_text(ORDER, text, "cover-letter")]
    assert len(problems) > 8
    assert all(each.hint for each in problems)


def test_a_section_that_lacks_an_echo_is_told_which():
    whats = [what for _, _, what in found("Nothing here.", kind="cover-letter")]
    assert "a section of kind cover-letter must show order_total, and this one does not" in whats


def test_a_line_is_measured_with_its_values():
    assert found("x" * MOST_COLUMNS) == []
    assert found("x" * (MOST_COLUMNS - 5) + "{buyer:text}")[0][:2] == (3, 1)


def test_all_findings_of_a_text_are_told_at_once_in_order():
    places = [(line, column) for line, column, _ in found("Two {vendor.\n\nand 3 and 4")]
    assert places == [(3, 1), (3, 5), (5, 5), (5, 11)]


@pytest.fixture
def wrong(tmp_path):
    """A file with two findings in a genre's folder."""
    folder = tmp_path / "purchase-order"
    place = folder / "templates" / "held-out" / "filler"
    place.mkdir(parents=True)
    (folder / "genre.toml").write_bytes((FOLDER / "purchase-order" / "genre.toml").read_bytes())
    (place / "wrong.txt").write_text("HEADING\n\nSeven {nothing:id} here.\n", "ascii")
    return place / "wrong.txt"


def test_the_command_prints_file_line_column_and_advice(wrong, capsys):
    assert main(["templates", "check", str(wrong)]) == 1
    out = capsys.readouterr().out
    assert f"{wrong}:3:1: a number word: 'Seven'\n  show a count as" in out
    assert f"{wrong}:3:7: no fact is called 'nothing'" in out


def test_the_command_prints_json(wrong, capsys):
    assert main(["templates", "check", "--json", str(wrong.parents[3])]) == 1
    body = json.loads(capsys.readouterr().out)
    assert body["templates"] == 1
    assert [(each["line"], each["column"]) for each in body["findings"]] == [(3, 1), (3, 7)]
    assert set(body["findings"][0]) == {"file", "line", "column", "what", "hint"}


def test_a_file_outside_a_genre_needs_to_be_told_which(tmp_path, capsys):
    path = tmp_path / "loose.txt"
    path.write_text(HEAD + "Nothing to see.\n", "ascii")
    assert main(["templates", "check", str(path)]) == 2
    assert "give --genre and --kind" in capsys.readouterr().err
    assert main(["templates", "check", str(path), "--genre", "purchase-order", "--kind", "filler"]) == 0


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"", b"\x00" * 20, b"{" * 2000])
def test_a_file_of_garbage_is_a_finding(data, tmp_path):
    path = tmp_path / "garbage.txt"
    path.write_bytes(data)
    count, findings = check_files([path], genre="purchase-order", kind="filler")
    assert count == 1
    assert findings


def test_a_path_that_is_not_there_is_an_error_of_usage(capsys):
    assert main(["templates", "check", "nowhere.txt"]) == 2
    assert "nowhere.txt" in capsys.readouterr().err
    assert Path("nowhere.txt").exists() is False
