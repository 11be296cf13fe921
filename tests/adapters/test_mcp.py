"""An MCP client, the official SDK's, plays over stdio."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

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


LOOP = "\\documentclass{article}\\begin{document}\\loop\\iftrue\\repeat\\end{document}"


class Process:
    """A server whose client writes the protocol's own lines, so that it can vanish in the midst of a build."""

    def __init__(self, task, folder):
        self.episodes, self.scratch = folder / "episodes", folder / "scratch"
        self.scratch.mkdir()
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.scratch), "TMPDIR": str(self.scratch)}
        words = [sys.executable, "-m", "lattice_env", "mcp", task, "--episodes", self.episodes]
        self.run = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self.send("initialize", client, id=0)
        self.run.stdout.readline()
        self.send("notifications/initialized", {})

    def send(self, method, params, **more):
        line = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self.run.stdin.write(json.dumps(line).encode() + b"\n")
        self.run.stdin.flush()

    def begin_endless_build(self):
        write = {"name": "write", "arguments": {"path": "main.tex", "text": LOOP}}
        self.send("tools/call", write, id=1)
        assert json.loads(self.run.stdout.readline())["id"] == 1
        self.send("tools/call", {"name": "compile", "arguments": {}}, id=2)
        deadline = time.monotonic() + 60
        while not self.builds():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def builds(self):
        """The processes that this one started, as the kernel lists them."""
        return Path(f"/proc/{self.run.pid}/task/{self.run.pid}/children").read_text("utf-8").split()


def alive(number):
    """Whether a process runs; one that has ended, and that nobody has asked for, does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def process(paper_task, tmp_path):
    """A server that is ended after the test, whatever came of it."""
    started = Process(paper_task, tmp_path)
    yield started
    if started.run.poll() is None:
        started.run.kill()
    started.run.wait()
    for pipe in (started.run.stdin, started.run.stdout):
        pipe.close()


@pytest.mark.tex
@pytest.mark.parametrize("way", ["closed", "SIGTERM"])
def test_a_client_that_goes_in_mid_build_ends_the_build_and_closes_the_record(process, way):
    process.begin_endless_build()
    builds = process.builds()
    if way == "closed":
        process.run.stdin.close()
    else:
        process.run.send_signal(signal.SIGTERM)
    assert process.run.wait(20) == (0 if way == "closed" else 128 + signal.SIGTERM)
    reason = "the client went away" if way == "closed" else "stopped by SIGTERM"
    assert (record(process.episodes)["status"], record(process.episodes)["reason"]) == ("error", reason)
    assert list(process.scratch.iterdir()) == []
    deadline = time.monotonic() + 10
    while any(map(alive, builds)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert not (process.episodes / record(process.episodes)["episode"] / "home").exists()
