"""Which commits are looked at, which of them has a licence, and what of their hunks matters."""

from __future__ import annotations

import pytest

from lattice_env.errors import UsageError
from lattice_env.families.paper.mined.candidates import candidates, projects, size_of_change
from lattice_env.families.paper.mined.licence import check_licensed, identify, licence_of
from lattice_env.families.paper.mined.overlay import Overlay, draw_figure, missing_figures
from lattice_env.families.paper.mined.reduce import hunks, pieces, reduced
from lattice_env.verifier.latex import encode
from lattice_env.verifier.selftests import replace


def test_a_small_change_of_sources_is_a_candidate_and_a_large_one_is_not(repository, opened, paper):
    repository.commit("paper", {"main.tex": paper})
    small = repository.commit("small", {"main.tex": paper.replace("wide", "broad"), "README.md": "new\n" * 99})
    repository.commit("large", {"main.tex": paper.replace("\n", " \n")})
    repository.commit("no source", {"README.md": "other\n"})
    repository.commit("style", {"own.sty": "x\n"})
    repository.commit("style edit", {"own.sty": "y\n"})
    repository.commit("four files", {f"{name}.tex": "x\n" for name in "abcd"})
    repository.commit("four edits", {f"{name}.tex": "y\n" for name in "abcd"})
    assert [step.commit for step in candidates(opened(repository))] == [small]


def test_binary_files_beside_a_change_are_no_sources_and_stop_nothing(repository, opened, paper):
    files = {"main.tex": paper, "lake.png": bytes(range(256)), "lake.tex": b"\0\xff" * 99, "LICENSE": "MIT"}
    repository.commit("paper", files)
    files = {"main.tex": paper.replace("one leg", "a leg"), "lake.png": bytes(range(255, -1, -1))}
    changed = repository.commit("a picture and a line", files)
    binary = repository.commit("what is called a source and is none", {"lake.tex": b"\0\xfe" * 99})
    history = opened(repository)
    steps = {step.commit: [path for path, *_ in step.modified] for step in candidates(history)}
    assert steps == {changed: ["main.tex"], binary: ["lake.tex"]}
    (last,) = [step for step in candidates(history) if step.commit == binary]
    (project,) = projects(history, last, history.tree(binary))
    assert project.files["lake.png"] == bytes(range(255, -1, -1))
    assert encode(project.before["lake.tex"], project.files["lake.tex"]) == b"\0\xff" * 99


def test_lines_removed_and_added_are_counted():
    assert size_of_change("a\nb\nc\n", "a\nB\nc\nd\n") == 3
    assert size_of_change("a\n", "a\n") == 0


def test_a_paper_is_what_lies_below_the_folder_of_its_root(repository, opened, paper):
    text = paper.replace("\\section{Land}", "\\input{parts/land}")
    files = {"doc/paper/main.tex": text, "doc/paper/parts/land.tex": "x\n", "doc/paper/.hidden.tex": "", "doc/x.py": ""}
    repository.commit(
        "paper", {**files, "doc/paper/main.pdf": b"%PDF", "doc/paper/fig.png": b"\x89PNG\0", "doc/o.tex": "y"}
    )
    repository.commit("edit", {"doc/paper/parts/land.tex": "y\n", "doc/paper/fig.png": b"\x89PNG\1"})
    history = opened(repository)
    (step,) = candidates(history)
    (project,) = projects(history, step, history.tree(step.commit))
    assert (project.root, project.folder) == ("main.tex", "doc/paper/")
    assert sorted(project.files) == ["fig.png", "main.tex", "parts/land.tex"]
    assert project.files["fig.png"] == b"\x89PNG\1"
    assert dict(project.before) == {"parts/land.tex": "x\n"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"),
        ("Apache License\n   Version 2.0, January 2004", "Apache-2.0"),
        ("Creative Commons Attribution 4.0 International Public License", "CC-BY-4.0"),
        ("Attribution-NonCommercial 4.0 International\nCreative Commons", "CC-BY-NC-4.0"),
        ("All rights reserved.", "LicenseRef-unknown"),
    ],
)
def test_licences_are_known_by_their_text(text, name):
    assert identify(text) == name


def test_without_a_licence_file_a_repository_is_refused_but_for_private_use(repository, opened, paper):
    repository.commit("paper", {"main.tex": paper})
    history = opened(repository)
    with pytest.raises(UsageError, match="no licence file") as caught:
        check_licensed(history, private=False)
    assert "--private" in caught.value.hint
    check_licensed(history, private=True)
    licence = licence_of(history, history.tips[0], history.tree(history.tips[0]), "", private=True)
    assert (licence.name, licence.redistributable, licence.rule) == ("LicenseRef-none", False, "private")


def test_the_nearest_licence_counts_and_that_of_a_descendant(repository, opened, paper, mit):
    first = repository.commit("paper", {"doc/main.tex": paper})
    repository.commit("licence", {"LICENSE": mit, "code/LICENSE": "All rights reserved."})
    history = opened(repository)
    found = licence_of(history, first, history.tree(first), "doc/", private=False)
    assert (found.name, found.rule, found.redistributable) == ("MIT", "descendant", True)
    tip = history.tips[0]
    assert licence_of(history, tip, history.tree(tip), "doc/", private=False).rule == "commit"
    assert licence_of(history, tip, history.tree(tip), "code/", private=False).redistributable is False


def test_a_licence_that_forbids_it_is_none_but_for_private_use(repository, opened, paper):
    tip = repository.commit(
        "paper", {"main.tex": paper, "LICENSE.txt": "Creative Commons Attribution-NonCommercial 4.0"}
    )
    history = opened(repository)
    assert licence_of(history, tip, history.tree(tip), "", private=False) is None
    assert licence_of(history, tip, history.tree(tip), "", private=True).name == "CC-BY-NC-4.0"


REPAIRED = "one \\& two\nprose\nmore\nprose\nthree \\_ four\n"
BROKEN = "one & two\nprose\nmore old\nprose\nthree _ four new\n"


def test_the_hunks_bring_the_fault_back():
    edits = hunks({"a.tex": REPAIRED}, {"a.tex": BROKEN})
    assert len(edits) == 3
    assert replace(REPAIRED, edits) == BROKEN


def test_only_what_the_build_needs_stays():
    """A paper builds here when it has neither fault; a build is a question, and few are asked."""
    asked = []

    def builds(faults):
        text = replace(REPAIRED, faults)
        asked.append(text)
        return "one \\&" in text and "three \\_" in text

    edits = reduced(hunks({"a.tex": REPAIRED}, {"a.tex": BROKEN}), {"a.tex": REPAIRED}, builds)
    assert [(REPAIRED[edit.start : edit.end], edit.new) for edit in edits] == [("\\&", "&"), ("\\_", "_")]
    assert len(asked) <= 6


def test_pieces_that_nearly_touch_are_one():
    (hunk,) = hunks({"a.tex": "x\\_\\_mul\\_\\_y\n"}, {"a.tex": "x__mul__y\n"})
    assert [edit.new for edit in pieces(hunk, "x\\_\\_mul\\_\\_y\n")] == ["__mul__"]


def test_figures_that_are_not_there_are_known_by_their_paths():
    text = (
        "\\graphicspath{{./figures/}{more/}}\n\\includegraphics[width=1cm]{here}\\includegraphics{gone}\n"
        "\\includegraphics{plot.png}\\includegraphics{photo.jpg}% \\includegraphics{comment}\n\\includegraphics{\\name}"
    )
    files = {"main.tex": text.encode(), "figures/here.pdf": b""}
    assert missing_figures(files) == {"gone.pdf", "plot.png"}


def test_figures_are_drawn_in_the_format_that_is_asked_for():
    assert draw_figure("a/b.pdf").startswith(b"%PDF-")
    assert draw_figure("a/b.png").startswith(b"\x89PNG")
    assert draw_figure("b.png") == draw_figure("c.png")


def test_an_overlay_is_the_same_for_every_state_of_a_paper():
    overlay = Overlay({"fig.pdf": b"%PDF"}, ("\\githash",), ("command \\githash",))
    for text in (b"% \\documentclass\n\\documentclass{article}", b"\\documentclass{book} broken"):
        whole = overlay.put_on({"main.tex": text}, "main.tex")
        assert whole["main.tex"] == text.replace(b"\\documentclass{", b"\\input{lattice-stubs}\\documentclass{")
        assert whole["lattice-stubs.tex"] == b"\\providecommand{\\githash}{githash}\n"
        assert whole["fig.pdf"] == b"%PDF"
