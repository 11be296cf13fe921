"""`lattice-env mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lattice_env.extras import need


def mcp(
    task: Path,
    *,
    episodes: Path,
    agent: str = "mcp",
    model: str = "",
    steps: int | None = None,
    compile_seconds: float | None = None,
) -> int:
    """Offer one task to an MCP client over stdio: a tool an action, one episode a process.

    claude mcp add lattice -- lattice-env mcp TASK --episodes DIR makes Claude Code play it. Needs the extra `mcp`.

    Parameters
    ----------
    task
        A task folder.
    episodes
        The folder for the episode and its record.
    agent
        The name of the client in the record.
    model
        The name of its model in the record.
    steps
        The client's steps; 60 if not given, and never more than the task allows.
    compile_seconds
        Its seconds of building; 300 if not given.
    """
    need("mcp", "mcp")
    from lattice_env.adapters.mcp_server import serve  # noqa: PLC0415 - only where the extra is there

    asked: dict[str, Any] = {"steps": steps, "compileSeconds": compile_seconds}
    budget = {key: value for key, value in asked.items() if value is not None}
    return serve(task, episodes, agent={"name": agent, "model": model}, budget=budget)
