"""The JSON schema of every message of the protocol: what `protocol` parses, and what `host` answers."""

from __future__ import annotations

import json
from typing import Any

from lattice_env.actions import CLAIMS

from .protocol import MOST_NAME, MOST_SECONDS, PROTOCOL, ROLES, Code

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_SECONDS = {"type": "number", "minimum": 0}
_FLAG = {"type": "boolean"}
_TEXTS = {"type": "array", "items": _TEXT}


def _object(properties: dict[str, Any], *, optional: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False, **more}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _name(least: int) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": MOST_NAME}


_REQUESTS: dict[str, Any] = {
    "reset": _object(
        {
            "op": {"const": "reset"},
            "task": {"type": "string", "minLength": 1, "maxLength": 10 * MOST_NAME},
            "agent": _object(
                {"name": _name(1), "model": _name(0), "seed": {"type": ["integer", "null"]}},
                optional=("name", "model", "seed"),
            ),
            "budget": _object(
                {
                    "steps": {"type": "integer", "minimum": 1},
                    "compileSeconds": {"type": "number", "exclusiveMinimum": 0, "maximum": MOST_SECONDS},
                },
                optional=("steps", "compileSeconds"),
            ),
        },
        optional=("agent", "budget"),
        description="Begin an episode at a task, the folder of a package.",
    ),
    "step": _object(
        {
            "op": {"const": "step"},
            "action": {"type": "object", "properties": {"type": _TEXT}, "required": ["type"]},
            "role": {"enum": list(ROLES), "default": "agent"},
        },
        optional=("role",),
        description="Do one action: its name as `type`, and its arguments beside it; info.tools of reset lists them.",
    ),
    "close": _object({"op": {"const": "close"}}, description="End the open episode without a verdict."),
}

_VERDICT = _object(
    {
        "status": {"enum": ["scored", "rejected", "infra_error"]},
        "reward": {"type": ["number", "null"]},
        "components": {"type": "object", "additionalProperties": {"type": "number"}},
        "gates": {"type": "array", "items": {"type": "object"}},
        "redLines": {"type": "array", "items": {"type": "object"}},
        "claim": {"enum": [*CLAIMS, None]},
        "claimMatches": {"type": ["boolean", "null"]},
        "reason": _TEXT,
    }
)
_EVENT = _object({"role": {"enum": list(ROLES)}, "step": _COUNT, "action": _TEXT, "changed": _TEXTS})
_PRIVATE = _object({"text": _TEXT, "picture": {"type": "string", "contentEncoding": "base64"}}, optional=("picture",))
_TOLD = {
    "ok": {"const": True},
    "protocol": {"const": PROTOCOL},
    "reward": {"type": ["number", "null"], "description": "null before the end, and where there is no verdict"},
    "terminated": _FLAG,
    "truncated": _FLAG,
    "events": {"type": "array", "items": _EVENT},
}
_INFO: dict[str, Any] = {"episode": _TEXT, "compileSecondsLeft": _SECONDS}
_SHOWN = _object({"step": {"const": 0}, "stepsLeft": _COUNT, "task": _TEXT, "family": _TEXT})
_DONE = _object(
    {
        "step": _COUNT,
        "stepsLeft": _COUNT,
        "role": {"enum": list(ROLES)},
        "action": _TEXT,
        "refused": _FLAG,
        "changed": _TEXTS,
    }
)
_TIMINGS = _object({"seconds": _SECONDS, "building": _SECONDS, "judging": _SECONDS}, optional=("judging",))

_REPLIES: dict[str, Any] = {
    "resetReply": _object(
        {
            **_TOLD,
            "op": {"const": "reset"},
            "obs": _object({"public": _SHOWN, "private": _PRIVATE}),
            "info": _object(
                {
                    **_INFO,
                    "timings": _object({}),
                    "tools": {"type": "array", "items": {"type": "object"}},
                    "budget": _object({"steps": _COUNT, "compileSeconds": _SECONDS}),
                }
            ),
        }
    ),
    "stepReply": _object(
        {
            **_TOLD,
            "op": {"const": "step"},
            "obs": _object({"public": _DONE, "private": _PRIVATE}),
            "info": _object({**_INFO, "timings": _TIMINGS, "verdict": _VERDICT}, optional=("verdict",)),
        }
    ),
    "closeReply": _object({"ok": {"const": True}, "protocol": {"const": PROTOCOL}, "op": {"const": "close"}}),
    "errorReply": _object(
        {
            "ok": {"const": False},
            "protocol": {"const": PROTOCOL},
            "error": _object({"code": {"enum": [str(code) for code in Code]}, "message": _TEXT}),
        },
        description="Nothing was done and nothing is counted.",
    ),
}

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"Lattice Env's episodes over JSON lines, version {PROTOCOL}",
    "oneOf": [_ref("request"), _ref("reply")],
    "$defs": {
        "request": {"oneOf": [_ref(name) for name in _REQUESTS]},
        "reply": {"oneOf": [_ref(name) for name in _REPLIES]},
        **_REQUESTS,
        **_REPLIES,
    },
}
"""Every message: `request` and `reply`, and each of their kinds by name."""


def schema_page() -> str:
    """The schema as it is published."""
    return json.dumps(SCHEMA, indent=1) + "\n"
