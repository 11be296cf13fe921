"""The actions of paper repair: what they answer, and what they refuse."""

from __future__ import annotations

import os

import pytest

from lattice_env.sessions.paper.tools import CLIPPED, TOOLS
from lattice_env.sessions.workspace import MOST_BYTES

from .players import EVERY_ACTION, Player, code


@pytest.fixture(autouse=True)
def _open(player, paper_task):
    assert player.reset(paper_task)["ok"]


pytestmark = pytest.mark.tex


def place(player: Player, name: str):
    return player.folder() / "workspace" / name


def test_the_test_of_every_action_takes_every_action():
    assert {name for name, _ in EVERY_ACTION["paper"]} | {"defer"} == TOOLS.keys() | {"nonsense"}


def test_the_files_are_listed_with_their_sizes(player):
    lines = player.say("list_files").split("\n")
    assert lines[0] == "figures/river.pdf (601 bytes)"
    assert f"main.tex ({place(player, 'main.tex').stat().st_size} bytes)" in lines


def test_a_file_is_read_as_it_is_and_by_its_lines(player):
    text = place(player, "main.tex").read_text("utf-8")
    assert player.say("read", path="main.tex") == text
    assert player.say("read", path="main.tex", from_line=2, to_line=3) == "\n".join(text.split("\n")[1:3])
    assert "has the lines 1 to" in player.refused("read", path="main.tex", from_line=10_000)
    assert "has the lines 1 to" in player.refused("read", path="main.tex", from_line=3, to_line=2)
    place(player, "data.bin").write_bytes(b"\0\1\2")
    assert "no text" in player.refused("read", path="data.bin")


def test_a_long_file_is_cut_and_says_so(player):
    player.say("write", path="long.txt", text="x\n" * 5000)
    assert player.say("read", path="long.txt").endswith(CLIPPED)
    assert player.say("read", path="long.txt", from_line=4001) == "x\n" * 1000
    player.say("write", path="wide.txt", text="y" * 100_000)
    assert player.say("read", path="wide.txt").endswith(CLIPPED)


def test_a_search_finds_text_whatever_its_case_and_tells_of_more(player):
    assert player.say("search", text="THE RIVER").startswith("main.tex:")
    assert player.say("search", text="nowhere to be found") == "No hits."
    player.say("write", path="many.txt", text="needle\n" * 80)
    assert player.say("search", text="needle").endswith("30 more; a longer text finds fewer.")
    player.refused("search", text="  ")


def test_an_edit_replaces_what_stands_there_once(player):
    before = place(player, "main.tex").read_text("utf-8")
    assert player.say("edit", path="main.tex", old="An otter", new="One otter").startswith("Replaced at main.tex:")
    assert place(player, "main.tex").read_text("utf-8") == before.replace("An otter", "One otter", 1)
    assert "more than once" in player.refused("edit", path="main.tex", old="e", new="f")
    assert "not found" in player.refused("edit", path="main.tex", old="An otter", new="x")
    player.refused("edit", path="main.tex", old="", new="x")
    player.refused("edit", path="main.tex", old="otter", new="otter")


def test_a_file_keeps_its_encoding(player):
    place(player, "latin.tex").write_bytes("café\n".encode("latin-1"))
    player.say("edit", path="latin.tex", old="é", new="è")
    assert place(player, "latin.tex").read_bytes() == "cafè\n".encode("latin-1")
    assert "cannot hold" in player.refused("edit", path="latin.tex", old="è", new="→")
    assert place(player, "latin.tex").read_bytes() == "cafè\n".encode("latin-1")


def test_half_a_character_is_refused(player):
    assert "cannot hold" in player.refused("write", path="half.txt", text="\ud800")
    player.refused("edit", path="main.tex", old="An otter", new="\udfff")
    player.refused("read", path="\ud800")


@pytest.mark.parametrize(
    "path",
    [
        "../outside.txt",
        "/etc/passwd",
        "figures/../../outside.txt",
        "~/x",
        "a\\..\\b",
        "",
        ".",
        "..",
        "x\n.tex",
        "-rf",
        "a//b",
        "C:\\x",
        "nul\0",
        "a" * 300,
        "a/",
    ],
    ids=repr,
)
def test_a_path_that_leaves_the_workspace_or_is_no_name_is_refused(player, path):
    before = sorted(player.folder().parent.rglob("*"))
    for name, arguments in (
        ("read", {}),
        ("write", {"text": "x"}),
        ("edit", {"old": "a", "new": "b"}),
        ("synctex", {"line": 1}),
    ):
        player.refused(name, path=path, **arguments)
    assert sorted(player.folder().parent.rglob("*")) == before


def test_a_file_in_a_new_folder_is_made(player):
    assert player.say("write", path="notes/today.md", text="x").startswith("Made notes/today.md")
    assert place(player, "notes/today.md").read_text("utf-8") == "x"
    assert player.say("write", path="notes/today.md", text="y").startswith("Replaced")


@pytest.mark.parametrize("kind", ["symbolic", "hard", "folder", "pipe"])
def test_what_is_no_plain_file_is_refused_and_what_it_leads_to_is_left_alone(player, tmp_path, kind):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.tex").write_text("secret", "utf-8")
    name = "link.tex"
    if kind == "symbolic":
        place(player, name).symlink_to(outside / "secret.tex")
    elif kind == "hard":
        place(player, name).hardlink_to(outside / "secret.tex")
    elif kind == "folder":
        place(player, "link").symlink_to(outside, target_is_directory=True)
        name = "link/secret.tex"
    else:
        os.mkfifo(place(player, name))
    assert "secret" not in player.refused("read", path=name).removeprefix("Refused: link/secret.tex")
    player.refused("write", path=name, text="mine")
    player.refused("edit", path=name, old="secret", new="mine")
    assert "secret" not in player.say("list_files")
    assert player.say("search", text="secret") == "No hits."
    assert (outside / "secret.tex").read_text("utf-8") == "secret"


def test_a_file_over_the_cap_is_refused(player):
    assert "more than" in player.refused("write", path="big.txt", text="x" * (MOST_BYTES + 1))
    assert not place(player, "big.txt").exists()
    place(player, "big.txt").write_bytes(b"x" * (MOST_BYTES + 1))
    assert "more than" in player.refused("read", path="big.txt")


def test_a_build_leads_with_the_first_error_and_its_log_can_be_read(player):
    text = player.say("compile")
    assert text.startswith("First error: main.tex:23: Undefined control sequence.\nl.23 ")
    assert len(text) < 2000
    assert "Undefined control sequence" in player.say("read", path="main.log")
    player.refused("pdf_text")
    player.refused("synctex", path="main.tex", line=1)


def test_a_built_paper_has_pages_and_places_that_lead_back(player):
    right = player.host.episode.session.spec.original["main.tex"].decode()
    player.say("write", path="main.tex", text=right)
    assert player.say("compile").startswith("Built: 2 pages, ")
    assert "otter" in player.say("pdf_text", page=1)
    assert "the pages are 1 to 2" in player.refused("pdf_text", page=3)
    line = next(number for number, text in enumerate(right.split("\n"), 1) if "An otter" in text)
    where = player.say("synctex", path="main.tex", line=line)
    assert where.startswith("page 1, x ")
    x, y = (float(part.split(" ")[2]) for part in where.split("\n")[0].split(",")[1:3])
    found = player.say("synctex_inverse", page=1, x=int(x) + 5, y=int(y))
    assert found.partition(":")[0] == "main.tex"
    assert abs(int(found.partition(":")[2]) - line) <= 2
    player.refused("synctex", path="main.tex", line=10_000)
    player.refused("synctex_inverse", page=0, x=1, y=1)


def test_a_check_names_what_nothing_uses_and_counts_words(player):
    quiet = player.say("check")
    assert "labels that nothing refers to: none" in quiet
    player.say("edit", path="main.tex", old="An otter", new="\\label{lone}\\ref{ghost}\\cite{nobody}An otter twice")
    text = player.say("check")
    assert "labels that nothing refers to: lone" in text
    assert "references to no label: ghost" in text
    assert "citations of no entry: nobody" in text
    words = [int(report.rpartition(" ")[2]) for report in (quiet, text)]
    assert words[1] == words[0] + 1


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("shell", {"command": "ls"}, "there is no tool 'shell'"),
        ("read", {}, "read takes path, from_line, to_line, not nothing"),
        ("read", {"path": "main.tex", "mode": "r"}, "read takes"),
        ("read", {"path": 7}, "path must be text"),
        ("read", {"path": "main.tex", "from_line": "1"}, "from_line must be a whole number"),
        ("read", {"path": "main.tex", "from_line": True}, "from_line must be a whole number"),
        ("submit", {"claim": "perfect"}, "claim must be one of"),
    ],
)
def test_a_call_that_fits_no_tool_is_refused_and_costs_a_step(player, name, arguments, why):
    assert why in player.refused(name, **arguments)
    assert player.host.episode.steps == 1


def test_a_workspace_that_is_removed_ends_the_episode_and_the_next_is_fine(player, paper_task):
    place(player, "").rename(player.episodes / "gone")
    assert code(player.step("list_files")) == "workspace-gone"
    assert code(player.step("list_files")) == "episode-over"
    (record,) = player.records()
    assert (record["status"], record["reward"]) == ("error", None)
    assert "removed" in record["reason"]
    assert player.reset(paper_task)["ok"]
    assert player.step("list_files")["ok"]
