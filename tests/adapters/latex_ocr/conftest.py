"""A real server in a thread of the test's process, on a port of its own."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
import urllib.request
from typing import Any, NamedTuple

import pytest


class Server(NamedTuple):
    url: str
    served: Any


@contextlib.contextmanager
def running(environment, *, ping_seconds=20.0, web=False):
    """A server of these environment variables, until the end of the block."""
    import uvicorn

    from lattice_env.adapters.latex_ocr.app import make_app_of, serve
    from lattice_env.adapters.latex_ocr.server import socket_settings

    served = serve(environment)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app_of(served, web=web), **socket_settings(ping_seconds)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield Server(f"http://127.0.0.1:{listening.getsockname()[1]}", served)
    finally:
        server.should_exit = True
        thread.join(20)


@pytest.fixture(scope="session")
def server():
    """The built-in corpus with all defaults."""
    with running({"LATEX_OCR_DATASET": "builtin"}) as found:
        yield found


def ask(url, body=None):
    """The status and the JSON of a request."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})  # noqa: S310 - our own server
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310 - the same
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def wait_for_sessions(url, count, seconds=30):
    """Wait until a server has this many sessions."""
    deadline = time.monotonic() + seconds
    while (active := ask(f"{url}/healthz")[1]["sessions"]["active"]) != count:
        assert time.monotonic() < deadline, f"{active} sessions, not {count}"
        time.sleep(0.05)
