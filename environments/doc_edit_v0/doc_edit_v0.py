"""Doc-edit for verifiers v0: `vf.load_environment("doc-edit-v0", num_examples=100, levels=["file"])`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import verifiers as vf
from datasets import Dataset
from verifiers.types import Tool, ToolMessage

from lattice_env.errors import UnprovedError
from lattice_env.families.doc_edit.attempt import attempt_of, judge, remade_spec
from lattice_env.families.doc_edit.instruction import write_prompt
from lattice_env.families.doc_edit.make import make_task
from lattice_env.families.doc_edit.recipe import Knobs, Recipe, recipe_json, recipes
from lattice_env.families.doc_edit.session import TOOLS, Session

METRICS = (
    "site_recall exact_document_match collateral_lines collateral_rate stale_sites format_miss_sites num_edits "
    "refused_calls submitted search_doc_calls read_page_calls edit_text_calls submit_calls"
).split()
"""What is recorded beside the reward; recall by kind is not, since not every task has every kind.

verifiers counts the turns itself, as `num_turns`.
"""


class DocEditEnv(vf.ToolEnv):
    """One session each rollout; its turns are the task's own."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        measures = [_measure("consistency_reward"), *map(_measure, METRICS)]
        rubric = vf.Rubric(funcs=measures, weights=[1.0] + [0.0] * len(METRICS))
        super().__init__(max_turns=-1, dataset=Dataset.from_list(rows), rubric=rubric)
        self.tool_defs = [
            Tool(name=tool.name, description=tool.summary, parameters=tool.schema()) for tool in TOOLS.values()
        ]

    async def setup_state(self, state: vf.State) -> vf.State:
        """Lay the document."""
        state["session"] = Session(remade_spec(state["info"]["recipe"]))
        return state

    async def env_response(self, messages: vf.Messages, state: vf.State, **_: object) -> vf.Messages:
        """What the tools answer; the last answer where the session is over."""
        calls = messages[-1].tool_calls or []
        replies = state["session"].turn([(call.name, _arguments(call.arguments)) for call in calls])
        answers = [
            ToolMessage(role="tool", tool_call_id=call.id, content=reply.text)
            for call, reply in zip(calls, replies, strict=True)
        ]
        if state["session"].over:
            state["final_env_response"] = answers
        return answers


def load_environment(**knobs: Any) -> vf.Environment:
    """The environment of these knobs (`num_examples`, `seed`, `families`, `levels`, …); UsageError for a wrong one."""
    wanted = Knobs(**{name: tuple(value) if isinstance(value, list) else value for name, value in knobs.items()})
    return DocEditEnv(list(_rows(islice(recipes(wanted), wanted.num_examples))))


def _rows(chosen: Iterable[Recipe]) -> Iterable[dict[str, Any]]:
    """A row for each recipe that can be proved."""
    for recipe in chosen:
        try:
            spec = make_task(recipe).task.spec
        except UnprovedError:
            continue
        prompt = write_prompt(spec.request, len(spec.editable), spec.max_turns)
        info = {"id": spec.task, "recipe": recipe_json(recipe, spec.task)}
        yield {"prompt": [{"role": "user", "content": prompt}], "answer": "", "info": info}


def _arguments(text: str) -> object:
    """A call's arguments; what is no JSON stays text, which the session refuses."""
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def _measure(name: str) -> Callable[[vf.State], float]:
    """A function of this name that tells one component of the verdict."""

    def measure(state: vf.State) -> float:
        session = state["session"]
        verdict = judge(session.spec, attempt_of(session))
        return float({"consistency_reward": verdict.reward, **verdict.components}[name])

    measure.__name__ = name
    return measure
