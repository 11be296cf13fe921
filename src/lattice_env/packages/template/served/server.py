"""One document behind MCP (streamable HTTP, answers in JSON): the four tools of `desk.py`, and nothing else.

`python3 -I -S server.py [--pages /app] [--port 8000]`. It holds one attempt, from the start of the box to its end; no
call leads back. After each edit the page is written, whole or not at all, to where it is collected from.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent))  # behind the standard library: nothing here stands in for it

from desk import TOOLS, Desk  # noqa: E402 - the path comes first

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
LONGEST = 8 << 20
"""Bytes of a request; more is refused before it is read."""
BAD_JSON, BAD_REQUEST, NO_METHOD, BAD_PARAMS = -32700, -32600, -32601, -32602


class Document:
    """The pages on disk, and the desk over them."""

    def __init__(self, folder: Path, turns: int) -> None:
        self.paths = sorted(folder.glob("page-*.txt"), key=lambda path: (len(path.name), path.name))
        self.desk = Desk([path.read_bytes().decode().removesuffix("\n") for path in self.paths], turns)
        self.written = list(self.desk.pages)
        self.lock = threading.Lock()

    def call(self, name: str, arguments: object) -> dict[str, object]:
        """What a tool answers, as MCP has it."""
        with self.lock:
            reply = self.desk.act(name, arguments)
            self._write()
        return {"content": [{"type": "text", "text": reply.text}], "isError": reply.refused}

    def _write(self) -> None:
        for index, (path, text) in enumerate(zip(self.paths, self.desk.pages)):  # noqa: B905 - Python 3.11 is enough
            if text != self.written[index]:
                scratch = path.with_name(f".{path.name}.part")
                scratch.write_bytes(f"{text}\n".encode("utf-8", "replace"))
                os.replace(scratch, path)  # noqa: PTH105 - in one step
                self.written[index] = text


def is_request(message: object) -> bool:
    """Whether it has the form of a request, or of a notification, which has no id."""
    return (
        isinstance(message, dict)
        and isinstance(message.get("method"), str)
        and isinstance(message.get("id"), (str, int, float, type(None)))
    )


def answer(document: Document, message: object) -> dict[str, object] | None:
    """The answer to one message of JSON-RPC; None for one that wants none."""
    if not is_request(message):
        return failure(None, BAD_REQUEST, "a request is an object with a method, and an id that is text or a number")
    if "id" not in message:
        return None
    number, method, params = message["id"], message["method"], message.get("params") or {}
    if not isinstance(params, dict):
        return failure(number, BAD_PARAMS, "params must be an object")
    if method == "tools/call" and not isinstance(params.get("name"), str):
        return failure(number, BAD_PARAMS, "a call names a tool")
    if method not in METHODS:
        return failure(number, NO_METHOD, f"no method is called {method[:40]!r}")
    return {"jsonrpc": "2.0", "id": number, "result": METHODS[method](document, params)}


def initialize(_document: Document, params: dict[str, object]) -> dict[str, object]:
    """What this server is, in the version that the client asks for if it is known here."""
    asked = params.get("protocolVersion")
    version = asked if asked in VERSIONS else VERSIONS[0]
    about = {"name": "document", "version": "1"}
    return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}


def list_tools(_document: Document, _params: dict[str, object]) -> dict[str, object]:
    """The four tools."""
    return {"tools": [{"name": t.name, "description": t.summary, "inputSchema": t.schema()} for t in TOOLS.values()]}


METHODS = {
    "initialize": initialize,
    "ping": lambda _document, _params: {},
    "tools/list": list_tools,
    "tools/call": lambda document, params: document.call(params["name"], params.get("arguments", {})),
}


def failure(number: object, code: int, text: str) -> dict[str, object]:
    """An error of JSON-RPC."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text}}


def refuse(word: str) -> None:
    """ValueError: JSON has no such value."""
    raise ValueError(word)


def handler(document: Document) -> type[BaseHTTPRequestHandler]:
    """The class that answers requests for a document."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_: object) -> None:
            """Nothing."""

        def do_GET(self) -> None:
            """There is no stream to listen to."""
            self._send(405, b"")

        def do_POST(self) -> None:
            """Answer one message."""
            length = self.headers.get("Content-Length", "")
            if self.path.rstrip("/") != "/mcp" or not length.isdecimal() or int(length) > LONGEST:
                self.close_connection = True  # what was sent is not read
                return self._send(404 if self.path.rstrip("/") != "/mcp" else 413, b"")
            try:
                message = json.loads(self.rfile.read(int(length)), parse_constant=refuse)
            except (ValueError, RecursionError):
                return self._send(400, json.dumps(failure(None, BAD_JSON, "no JSON")).encode())
            found = answer(document, message)
            return self._send(202, b"") if found is None else self._send(200, json.dumps(found).encode())

        def _send(self, status: int, data: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler


def main() -> None:
    """Serve until the box ends."""
    parser = argparse.ArgumentParser(description="One document behind MCP.")
    parser.add_argument("--pages", type=Path, default=Path("/app"))
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    turns = json.loads((Path(__file__).resolve().parent / "attempt.json").read_text("utf-8"))["turns"]
    server = ThreadingHTTPServer(("127.0.0.1", options.port), handler(Document(options.pages, turns)))
    print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
