"""The guide to episodes names every action, error and agent, and its requests are lawful."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from lattice_env.agents.run import AGENTS
from lattice_env.sessions.protocol import ROLES, Code
from lattice_env.sessions.schema import SCHEMA

from .players import EVERY_ACTION

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "episodes.md").read_text("utf-8")
ACTIONS = {name for actions in EVERY_ACTION.values() for name, _ in actions} - {"nonsense"} | {"defer"}


@pytest.mark.parametrize("word", sorted({*ACTIONS, *AGENTS, *ROLES, *map(str, Code)}))
def test_the_guide_names(word):
    assert f"`{word}`" in GUIDE


def test_its_requests_are_requests():
    requests = [json.loads(line) for line in re.findall(r'^\{"op".*\}$', GUIDE, re.MULTILINE)]
    assert {request["op"] for request in requests} == {"reset", "step", "close"}
    for request in requests:
        jsonschema.validate(request, SCHEMA["$defs"]["request"] | {"$defs": SCHEMA["$defs"]})
