"""The four tools behind MCP, a server for each rollout: for harnesses that are not this package's own."""

from __future__ import annotations

from typing import Any

import verifiers.v1 as vf
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent
from mcp_types import Tool as Told

from lattice_env.families.doc_edit.attempt import attempt_of, remade_spec
from lattice_env.families.doc_edit.session import TOOLS, Session


class EditState(vf.State):
    """What a rollout has come to, shared between a server of tools and the rollout."""

    attempt: dict[str, Any] | None = None
    """The attempt as `Attempt.to_json` writes it; None before the first call."""
    over: bool = False
    """Whether nothing can be done any more."""


class DocEditToolsetConfig(vf.ToolsetConfig):
    """Where the server runs: on this machine, never in the agent's box."""


class DocEditToolset(vf.Toolset[DocEditToolsetConfig, EditState]):
    """One session behind MCP."""

    TOOL_PREFIX = None

    async def setup_task(self, task: Any) -> None:
        """Lay the document of the rollout's task."""
        self.session = Session(remade_spec(task.recipe))

    def register(self, mcp: MCPServer) -> None:
        """The tools as the session has them.

        The session itself checks arguments and names, so that a bad call costs a turn here too; what MCPServer does
        before it calls a function (mending types, dropping what is too much) is left out.
        """
        called = self._with_state(self._act)

        async def list_tools() -> list[Told]:
            return [
                Told(name=tool.name, description=tool.summary, input_schema=tool.schema()) for tool in TOOLS.values()
            ]

        async def call_tool(name: str, arguments: dict[str, Any], _context: object = None) -> CallToolResult:
            text, refused = await called(name, arguments)
            return CallToolResult(content=[TextContent(type="text", text=text)], is_error=refused)

        mcp.list_tools = list_tools
        mcp.call_tool = call_tool

    def _act(self, name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        reply = self.session.act(name, arguments)
        self.state.attempt = attempt_of(self.session).to_json()
        self.state.over = self.session.over
        return reply.text, reply.refused


if __name__ == "__main__":
    DocEditToolset.run()
