"""The second form of a doc-edit package: the document stands in a box of its own, behind an MCP server.

The agent's box and the document's share a loopback and no other network. The agent has the four tools and no file; what
is judged is collected from the document's box. It takes a harness that starts sidecars (Docker Compose) and hands
`mcp_servers` to its agents.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lattice_env import actions
from lattice_env.families.doc_edit import desk
from lattice_env.families.doc_edit.instruction import write_prompt
from lattice_env.families.doc_edit.oracle import edits
from lattice_env.model import Task
from lattice_env.verifier.edit_spec import EditSpec
from lattice_env.verifier.spec import TaskSpec

SERVED = "served"
"""The medium of such tasks."""
URL = "http://127.0.0.1:8000/mcp"
ARTIFACTS = '[{ source = "/app", service = "document" }]'
SERVERS = f'mcp_servers = [{{ name = "document", transport = "streamable-http", url = "{URL}" }}]\n'

_TEMPLATE = Path(__file__).parent / "template" / "served"


def behind_server(task: Task[EditSpec]) -> Task[EditSpec]:
    """The same task, its document reached through the four tools alone."""
    spec = task.spec
    return replace(task, medium=SERVED, instruction=write_prompt(spec.request, len(spec.editable), spec.max_turns))


def served_files(task: Task[TaskSpec]) -> dict[str, bytes]:
    """What such a package has in place of a Dockerfile with the document in it, and its own solution."""
    spec = task.spec
    assert isinstance(spec, EditSpec)  # noqa: S101 - `behind_server` takes no other
    names = {"Dockerfile": "Dockerfile", "docker-compose.yaml": "docker-compose.yaml"}
    names |= {"document/Dockerfile": "document.Dockerfile", "document/server.py": "server.py"}
    files = {f"environment/{name}": (_TEMPLATE / source).read_bytes() for name, source in names.items()}
    files["environment/document/desk.py"] = Path(desk.__file__).read_bytes()
    files["environment/document/lattice_env/actions.py"] = Path(actions.__file__).read_bytes()
    files["environment/document/attempt.json"] = _json({"turns": spec.max_turns})
    files["solution/solve.sh"] = (_TEMPLATE / "solve.sh").read_bytes()
    files["solution/calls.json"] = _json(_calls(spec))
    return files


def _json(body: object) -> bytes:
    return (json.dumps(body, indent=1, sort_keys=True) + "\n").encode()


def _calls(spec: EditSpec) -> Sequence[tuple[str, object]]:
    """The reference repair as calls."""
    made = [("edit_text", {"page": page, "old_text": old, "new_text": new}) for page, old, new in edits(spec)]
    return [*made, ("submit", {})]
