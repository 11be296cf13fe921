"""An OpenAI-compatible endpoint that plays scripts; standard library only.

The model's name is a script's, the first message of the user is a task's prompt, and the number of replies so far is
the place in the script: so any number of attempts can be under way, and none is told from another by its order. After
its last call a script says "Done.", without a tool.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Script = Sequence[Sequence[object]]
"""Calls in turn: (tool, arguments); arguments that are text go out as they are."""


@contextmanager
def serve(scripts: Mapping[str, Mapping[str, Script]]) -> Generator[str]:
    """The base URL of an endpoint for scripts by prompt and name, for as long as the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_):
            """Nothing."""

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            turn = sum(message["role"] == "assistant" for message in body["messages"])
            prompt = next(text_of(message) for message in body["messages"] if message["role"] == "user")
            script = scripts[prompt][body["model"]]
            choice = _choice(script[turn] if turn < len(script) else None, turn)
            send = _stream if body.get("stream") else _whole
            kind, data = send(choice, body["model"])
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def text_of(message):
    """A message's text, be it given whole or in parts."""
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _choice(call, turn):
    if call is None:
        return {"role": "assistant", "content": "Done."}, "stop"
    name, arguments = call
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    made = {"id": f"call_{turn}", "type": "function", "function": {"name": name, "arguments": text}}
    return {"role": "assistant", "content": None, "tool_calls": [made]}, "tool_calls"


_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def _whole(choice, model):
    message, reason = choice
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
        "usage": _USAGE,
    }
    return "application/json", json.dumps(body).encode()


def _stream(choice, model):
    message, reason = choice
    delta = dict(message)
    if "tool_calls" in delta:
        delta["tool_calls"] = [{"index": 0, **call} for call in delta["tool_calls"]]
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": model}
    chunks = [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {**head, "choices": [], "usage": _USAGE},
    ]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return "text/event-stream", "".join([*lines, "data: [DONE]\n\n"]).encode()
