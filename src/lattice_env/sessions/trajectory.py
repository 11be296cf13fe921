"""An episode as a trajectory in Harbor's interchange format (ATIF), for its viewer and for training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .protocol import AGENT, HUMAN
from .record import EpisodeRecord

ATIF = "ATIF-v1.8"
VERSION = "1"


def trajectory(record: EpisodeRecord, exchanges: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The trajectory of an episode; what the format has no field for is under `extra`."""
    steps = [step | {"step_id": number} for number, step in enumerate(_steps(exchanges), 1)]
    tools = exchanges[0]["reply"].get("info", {}).get("tools")
    agent = {"name": record.agent, "version": VERSION, "model_name": record.model or None, "tool_definitions": tools}
    verdict = next((found for item in reversed(exchanges) if (found := _info(item).get("verdict"))), None)
    return {
        "schema_version": ATIF,
        "session_id": record.episode,
        "agent": {key: value for key, value in agent.items() if value is not None},
        "steps": steps,
        "final_metrics": {"total_steps": len(steps)},
        "extra": {"record": asdict(record) | {"red_lines": list(record.red_lines)}, "verdict": verdict},
    }


def _info(exchange: Mapping[str, Any]) -> Mapping[str, Any]:
    return exchange["reply"].get("info", {})


def _steps(exchanges: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The task as the user's message, then a step for each action that was answered."""
    for exchange in exchanges:
        request, reply = exchange["request"], exchange["reply"]
        if not reply["ok"] or request["op"] == "close":
            continue
        if request["op"] == "reset":
            yield {"source": "user", "message": reply["obs"]["private"]["text"], "timestamp": exchange["at"]}
            continue
        yield _acted(exchange["at"], request, reply)


def _acted(time: str, request: Mapping[str, Any], reply: Mapping[str, Any]) -> dict[str, Any]:
    role, action = request.get("role", AGENT), request["action"]
    arguments = {key: value for key, value in action.items() if key != "type"}
    text, number = reply["obs"]["private"]["text"], reply["obs"]["public"]["step"]
    extra = {key: reply[key] for key in ("reward", "terminated", "truncated", "events")}
    extra |= {"role": role, "public": reply["obs"]["public"], "timings": reply["info"]["timings"]}
    step: dict[str, Any] = {"timestamp": time, "message": "", "extra": extra}
    if role != AGENT:
        source = "user" if role == HUMAN else "system"
        return step | {"source": source, "message": f"{action['type']}: {text}", "extra": extra | {"action": action}}
    call = {"tool_call_id": f"call-{number}", "function_name": action["type"], "arguments": arguments}
    result = {"source_call_id": call["tool_call_id"], "content": text}
    return step | {"source": "agent", "tool_calls": [call], "observation": {"results": [result]}}
