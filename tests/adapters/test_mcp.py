"""An MCP client, the official SDK's, plays over stdio."""

from __future__ import annotations

import json
import sys

import anyio
import pytest

pytest.importorskip("mcp.client.client", reason="mcp 2 is not installed here: make setup")

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


def play(task, episodes, calls, *words):
    """The instructions, the tools, and what each call was answered, of one connection."""

    async def talk():
        arguments = ["-m", "lattice_env", "mcp", str(task), "--episodes", str(episodes), *words]
        transport = stdio_client(StdioServerParameters(command=sys.executable, args=arguments))
        async with Client(transport) as client:
            tools = (await client.list_tools()).tools
            return tools, [await client.call_tool(name, given) for name, given in calls]

    return anyio.run(talk)


def texts(result):
    return [part.text for part in result.content if part.type == "text"]


def record(episodes):
    (line,) = (episodes / "episodes.jsonl").read_text("utf-8").splitlines()
    return json.loads(line)


@pytest.mark.tex
def test_a_client_repairs_a_paper(paper_task, tmp_path):
    right = (paper_task / "tests" / "original" / "main.tex").read_text("utf-8")
    calls = [
        ("task", {}),
        ("compile", {}),
        ("write", {"path": "main.tex", "text": right}),
        ("compile", {}),
        ("submit", {"claim": "solved"}),
    ]
    tools, (task, broken, _, built, last) = play(paper_task, tmp_path, calls, "--agent", "sdk")
    assert {tool.name for tool in tools} > {"list_files", "compile", "synctex", "submit", "defer"}
    assert "does not build" in texts(task)[0]
    assert texts(broken)[0].startswith("First error: ")
    assert texts(built)[0].startswith("Built: ")
    verdict = json.loads(texts(last)[1])
    assert (verdict["reward"], verdict["claimMatches"]) == (1.0, True)
    assert (record(tmp_path)["agent"], record(tmp_path)["reward"]) == ("sdk", 1.0)


def test_a_refusal_is_an_error_of_the_tool_and_a_picture_is_shown(picture_task, tmp_path):
    calls = [("task", {}), ("nonsense", {}), ("answer", {"latex": "x"})]
    _, (task, wrong, last) = play(picture_task, tmp_path, calls)
    assert [part.type for part in task.content] == ["text", "image"]
    assert wrong.is_error
    assert not last.is_error
    assert record(tmp_path)["status"] in ("scored", "rejected")


def test_a_client_that_goes_leaves_a_closed_record(document_task, tmp_path):
    play(document_task, tmp_path, [("read_page", {"page": 1})])
    assert (record(tmp_path)["status"], record(tmp_path)["reason"]) == ("error", "the client went away")
