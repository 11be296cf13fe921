"""The actions of paper repair, as an agent is told of them."""

from __future__ import annotations

from lattice_env.actions import DEFER, SUBMIT, Parameter, Tool

MOST_LINES, MOST_SHOWN, MOST_HITS = 2000, 64_000, 50
"""Lines and characters that one action shows, and hits of one search."""
CLIPPED = "[cut here: read the rest by its lines]"

_PATH = Parameter(str, "a path in the workspace, such as main.tex")

TOOLS = {
    tool.name: tool
    for tool in (
        Tool("list_files", "List the files of the workspace, each with its size.", {}),
        Tool(
            "read",
            f"Read a file, at most {MOST_LINES} lines of it. After compile, main.log and the like can be read too.",
            {
                "path": _PATH,
                "from_line": Parameter(int, "the first line, from 1", optional=True),
                "to_line": Parameter(int, "the last line", optional=True),
            },
        ),
        Tool(
            "search",
            f"Find text in all files, whatever its case; at most {MOST_HITS} hits, each with its file and line.",
            {"text": Parameter(str, "the text to look for, of one line")},
        ),
        Tool(
            "edit",
            "Replace text in a file. The old text must stand there exactly, and once.",
            {
                "path": _PATH,
                "old": Parameter(str, "the exact text that stands there once"),
                "new": Parameter(str, "what stands there afterwards"),
            },
        ),
        Tool("write", "Write a whole file.", {"path": _PATH, "text": Parameter(str, "all of its text")}),
        Tool("compile", "Build the paper as its verifier will. The first error comes first.", {}),
        Tool(
            "pdf_text",
            "Show the text of the built pages.",
            {"page": Parameter(int, "one page, from 1; all without it", optional=True)},
        ),
        Tool(
            "synctex",
            "Find where on the pages a line of a source is, in points from the upper left corner.",
            {"path": _PATH, "line": Parameter(int, "the line, from 1")},
        ),
        Tool(
            "synctex_inverse",
            "Find the line of a source that a place on a page came from.",
            {
                "page": Parameter(int, "the page, from 1"),
                "x": Parameter(int, "points from the left"),
                "y": Parameter(int, "points from the top"),
            },
        ),
        Tool("check", "List labels and entries that nothing uses, uses of none, and count words.", {}),
        SUBMIT,
        DEFER,
    )
}
