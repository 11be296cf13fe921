"""The loop between a model and the four tools, in process: no server of tools between them."""

from __future__ import annotations

import json
import ssl
from functools import cache
from typing import Any

import httpx
import verifiers.v1 as vf
from verifiers.v1.errors import MODEL_TRANSPORT_ERROR_EXIT_CODE

from lattice_env.families.doc_edit.attempt import attempt_of, remade_spec
from lattice_env.families.doc_edit.session import TOOLS, Session

from .taskset import DocEditData, EditState

TOLD = [tool.definition() for tool in TOOLS.values()]
"""The tools as a model is told of them."""


class DocEditHarnessConfig(vf.HarnessConfig):
    """Nothing to set."""

    id: vf.ID = "doc-edit"


class DocEditHarness(vf.Harness[DocEditHarnessConfig]):
    """Plays a session with the model behind `endpoint`; every model call goes through there."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace[DocEditData, EditState],
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: DocEditData,
    ) -> vf.ProgramResult:
        """Call the model and the tools in turn until it submits, its turns are used, or it calls no tool."""
        session = Session(remade_spec(data.recipe))
        system, prompt = self.resolve_prompt(data)
        messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": prompt})
        headers = {"Authorization": f"Bearer {secret}"}
        try:
            async with httpx.AsyncClient(headers=headers, timeout=None, verify=_trust()) as client:  # noqa: S113
                return await _play(client, f"{endpoint}/chat/completions", ctx.model, session, messages)
        finally:  # also where the run is stopped from outside: what stands then is judged
            trace.state.attempt = attempt_of(session).to_json()


@cache
def _trust() -> ssl.SSLContext:
    """The certificates that are trusted, read once: reading them takes as long as a whole rollout."""
    return httpx.create_ssl_context()


async def _play(
    client: httpx.AsyncClient, url: str, model: str, session: Session, messages: list[dict[str, Any]]
) -> vf.ProgramResult:
    """Turn after turn, no more of them than the session has."""
    while not session.over:
        try:
            answer = await client.post(url, json={"model": model, "messages": messages, "tools": TOLD})
        except httpx.TransportError as error:
            return vf.ProgramResult(MODEL_TRANSPORT_ERROR_EXIT_CODE, "", f"{type(error).__name__}: {error}")
        if answer.is_error:
            return vf.ProgramResult(1, "", f"{answer.status_code}: {answer.text[-1000:]}")
        message = answer.json()["choices"][0]["message"]
        messages.append({key: value for key, value in message.items() if value is not None})
        calls = message.get("tool_calls") or []
        if not calls:
            break
        replies = session.turn([_call(call["function"]) for call in calls])
        messages += [
            {"role": "tool", "tool_call_id": call["id"], "content": reply.text}
            for call, reply in zip(calls, replies, strict=True)
        ]
    return vf.ProgramResult(0, "", "")


def _call(function: dict[str, Any]) -> tuple[str, object]:
    """A call's name and arguments; arguments that are no JSON stay text, which the session refuses."""
    text = function.get("arguments") or "{}"
    try:
        return function["name"], json.loads(text)
    except ValueError:
        return function["name"], text
