"""The same files are built once, and what cannot be trusted is built again."""

import pytest

from lattice_env.verifier import sandbox
from lattice_env.verifier.store import Store, digest

FILES = {"main.tex": b"\\documentclass{article}\n\\begin{document}\nHello.\n\\end{document}\n"}
LOOP = {"main.tex": FILES["main.tex"].replace(b"Hello.", b"\\def\\x{\\x}\\x")}


def test_a_digest_depends_on_names_and_contents_and_not_on_order():
    one = {"a": b"1", "b": b"2"}
    assert digest(one) == digest(dict(reversed(one.items())))
    others = ({"a": b"12", "b": b""}, {"ab": b"12"}, {"a": b"2", "b": b"1"}, {})
    assert len({digest(files) for files in (one, *others)}) == 5


def test_a_name_that_is_no_utf_8_has_a_digest():
    assert len(digest({"\udcff": b""})) == 64


@pytest.mark.tex
def test_the_same_content_is_built_once(tools, tmp_path):
    store = Store(tmp_path)
    first = store.outcome(FILES, "main.tex")
    assert store.outcome({**FILES, "main.aux": b"product"}, "main.tex") == first
    assert Store(tmp_path).outcome(FILES, "main.tex") == first
    assert (store.builds, first.reason) == (1, "")


@pytest.mark.tex
def test_another_store_on_the_same_folder_builds_nothing_again(tools, tmp_path):
    Store(tmp_path).outcome(FILES, "main.tex")
    again = Store(tmp_path)
    again.outcome(FILES, "main.tex")
    assert again.builds == 0


@pytest.mark.tex
def test_a_damaged_file_is_built_again(tools, tmp_path):
    first = Store(tmp_path).outcome(FILES, "main.tex")
    (kept,) = tmp_path.rglob("*.json")
    whole = kept.read_text("utf-8")
    for text in (whole[: len(whole) // 2], "null"):
        kept.write_text(text, "utf-8")
        store = Store(tmp_path)
        assert store.outcome(FILES, "main.tex") == first
        assert (store.builds, kept.read_text("utf-8")) == (1, whole)


def _body(text):
    return text.partition("\n")[2]


@pytest.mark.tex
def test_a_poisoned_entry_is_built_again(tools, tmp_path):
    """Edited without its seal, put in another's place whole, or with the seal of another."""
    store = Store(tmp_path)
    first = store.outcome(FILES, "main.tex")
    (kept,) = tmp_path.rglob("*.json")
    other = {"main.tex": FILES["main.tex"].replace(b"Hello", b"Goodbye")}
    store.outcome(other, "main.tex")
    whole = kept.read_text("utf-8")
    (theirs,) = (path.read_text("utf-8") for path in tmp_path.rglob("*.json") if path != kept)
    edited = whole.replace("Hello", "Bribe")
    for text in (edited, theirs, f"{theirs.partition(chr(10))[0]}\n{_body(whole)}", _body(whole)):
        kept.write_text(text, "utf-8")
        again = Store(tmp_path)
        assert again.outcome(FILES, "main.tex") == first
        assert (again.builds, kept.read_text("utf-8")) == (1, whole)


@pytest.mark.tex
def test_a_broken_paper_is_kept_like_any_other(tools, tmp_path):
    broken = {"main.tex": FILES["main.tex"].replace(b"Hello.", b"\\nothing")}
    assert Store(tmp_path).outcome(broken, "main.tex").reason == "tex"
    assert len(list(tmp_path.rglob("*.json"))) == 1


@pytest.mark.tex
def test_what_ran_into_a_limit_is_not_kept_in_the_folder(tools, tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "WALL_SECONDS", 0.1)
    monkeypatch.setattr(sandbox, "LEAST_SHARE", 0)
    assert Store(tmp_path).outcome(FILES, "main.tex").reason == "resource"
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.tex
def test_what_ran_into_a_limit_is_tried_again(tools, monkeypatch):
    store = Store()
    with monkeypatch.context() as patch:
        patch.setattr(sandbox, "WALL_SECONDS", 0.1)
        patch.setattr(sandbox, "LEAST_SHARE", 0)
        assert store.outcome(FILES, "main.tex").reason == "resource"
    assert store.outcome(FILES, "main.tex").reason == ""
