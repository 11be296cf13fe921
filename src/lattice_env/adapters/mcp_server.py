"""Episodes as an MCP server over stdio: a tool an action, for Claude Code and any other client.

One process is one episode: it begins when the server starts, and ends with the tool that submits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from lattice_env.errors import UsageError
from lattice_env.sessions.host import Host
from lattice_env.sessions.stopping import Stopped, stoppable, tell_gone

NAME = "lattice"

type _Asked = tuple[Mapping[str, Any], Future[Mapping[str, Any]]]
"""A request, and where its reply is waited for."""


def serve(task: Path, episodes: Path, *, agent: Mapping[str, Any], budget: Mapping[str, Any]) -> int:
    """Serve one episode until the client goes, and return the exit code; UsageError where there is no such task.

    The client is listened to in a thread beside, so that the work is done where SIGTERM and a client that goes
    can stop it, in mid-build too.
    """
    host = Host(episodes)
    told = host.take({"op": "reset", "task": str(task), "agent": dict(agent), "budget": dict(budget)})
    if not told["ok"]:
        message = f"{told['error']['code']}: {told['error']['message']}"
        raise UsageError(message, hint="give a task folder, as generate makes it")
    asked: SimpleQueue[_Asked] = SimpleQueue()
    reason = "a bug"
    try:
        with stoppable():
            Thread(target=_listen, args=(_server(asked, told),), daemon=True).start()
            while True:
                body, answer = asked.get()
                answer.set_result(host.take(body))
    except Stopped as stop:
        reason = stop.reason
        return stop.code
    finally:
        host.leave(reason)


def _listen(server: Server[Any]) -> None:
    async def talk() -> None:
        async with stdio_server() as (requests, replies):
            await server.run(requests, replies, server.create_initialization_options())

    try:
        anyio.run(talk)
    finally:
        tell_gone()


def _server(asked: SimpleQueue[_Asked], begun: Mapping[str, Any]) -> Server[Any]:
    """The server of an episode that has begun: its instructions are the task."""
    functions = [tool["function"] for tool in begun["info"]["tools"]]
    tools = [types.Tool(name=f["name"], description=f["description"], input_schema=f["parameters"]) for f in functions]
    tools.append(types.Tool(name="task", description="Show the task again.", input_schema={"type": "object"}))

    async def list_tools(_context: object, _page: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(_context: object, call: types.CallToolRequestParams) -> types.CallToolResult:
        if call.name == "task":
            return types.CallToolResult(content=_shown(begun))
        answer: Future[Mapping[str, Any]] = Future()
        asked.put(({"op": "step", "action": {**(call.arguments or {}), "type": call.name}}, answer))
        return _result(await anyio.to_thread.run_sync(answer.result, abandon_on_cancel=True))

    text: str = begun["obs"]["private"]["text"]
    return Server(NAME, instructions=text, on_list_tools=list_tools, on_call_tool=call_tool)


def _result(told: Mapping[str, Any]) -> types.CallToolResult:
    """What an action is answered; with the last one the verdict."""
    if not told["ok"]:
        text = f"{told['error']['code']}: {told['error']['message']}"
        return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)
    content = _shown(told)
    if told["events"]:
        content.append(types.TextContent(text=f"Others changed: {json.dumps(told['events'])}"))
    if told["terminated"] or told["truncated"]:
        content.append(types.TextContent(text=json.dumps(told["info"]["verdict"], indent=1)))
    return types.CallToolResult(content=content, is_error=bool(told["obs"]["public"].get("refused")))


def _shown(told: Mapping[str, Any]) -> list[types.ContentBlock]:
    private = told["obs"]["private"]
    shown: list[types.ContentBlock] = [types.TextContent(text=private["text"])]
    if "picture" in private:
        shown.append(types.ImageContent(data=private["picture"], mime_type="image/png"))
    return shown
