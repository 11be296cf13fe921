"""The served form's own server: what it answers to bad requests, and that none of them changes the attempt."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lattice_env.families.doc_edit.make import make_task
from lattice_env.families.doc_edit.recipe import Knobs, recipes
from lattice_env.packages import behind_server, write_package

TURNS = 10_000


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A package of the served form whose attempt has turns enough for every test here."""
    folder = tmp_path_factory.mktemp("served") / "task"
    knobs = Knobs(seed="served", levels=("note",), max_turns=TURNS)
    write_package(behind_server(make_task(next(recipes(knobs))).task), folder)
    return folder


@pytest.fixture(scope="module")
def server(package, tmp_path_factory):
    """The port of the package's server, and the folder of its pages."""
    pages = tmp_path_factory.mktemp("pages")
    shutil.copytree(package / "environment" / "workspace", pages, dirs_exist_ok=True)
    script = package / "environment" / "document" / "server.py"
    line = [sys.executable, "-I", "-S", str(script), "--pages", str(pages), "--port", "0"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        yield int(process.stdout.readline().split(":")[2].split("/")[0]), pages
        assert process.poll() is None
        process.kill()


def post(port, data, path="/mcp", **headers):
    """Status and body of what is answered to these bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", path, data, headers)
    reply = connection.getresponse()
    found = reply.status, reply.read()
    connection.close()
    return found


def ask(port, method, params=None):
    """The result of a method."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    status, data = post(port, json.dumps(body).encode())
    assert status == 200
    return json.loads(data)["result"]


def call(port, name, arguments):
    """Text and refusal of a tool."""
    result = ask(port, "tools/call", {"name": name, "arguments": arguments})
    return result["content"][0]["text"], result["isError"]


NO_JSON, NO_REQUEST, NO_METHOD, NO_PARAMS = -32700, -32600, -32601, -32602
BAD = {
    "nothing": (b"", 400, NO_JSON),
    "no JSON": (b"{", 400, NO_JSON),
    "no UTF-8": (b"\xff\xfe{}", 400, NO_JSON),
    "nested without end": (b"[" * 100_000, 400, NO_JSON),
    "a number of 5,000 digits": (b'{"id": 1, "method": "ping", "params": {"n": ' + b"9" * 5000 + b"}}", 400, NO_JSON),
    "not a number": (b'{"id": NaN, "method": "ping"}', 400, NO_JSON),
    "a batch": (b'[{"id": 1, "method": "ping"}]', 200, NO_REQUEST),
    "no method": (b'{"id": 1}', 200, NO_REQUEST),
    "a method that is a number": (b'{"id": 1, "method": 7}', 200, NO_REQUEST),
    "an id that is a list": (b'{"id": [[1]], "method": "ping"}', 200, NO_REQUEST),
    "an unknown method": (b'{"id": 1, "method": "resources/list"}', 200, NO_METHOD),
    "params that are a list": (b'{"id": 1, "method": "tools/call", "params": ["submit"]}', 200, NO_PARAMS),
    "a call without a name": (b'{"id": 1, "method": "tools/call", "params": {}}', 200, NO_PARAMS),
    "a name that is a number": (b'{"id": 1, "method": "tools/call", "params": {"name": 1}}', 200, NO_PARAMS),
}


@pytest.mark.parametrize(("data", "status", "code"), BAD.values(), ids=BAD)
def test_a_bad_request_is_an_error_and_the_next_is_served(server, data, status, code):
    port, _ = server
    found, body = post(port, data)
    assert (found, json.loads(body)["error"]["code"]) == (status, code)
    assert ask(port, "ping") == {}


REFUSED = {
    "no arguments": (None, "must be an object of JSON"),
    "arguments that are text": ('{"page": 1}', "must be an object of JSON"),
    "a page that is text": ({"page": "1"}, "must be a whole number"),
    "a page below the first": ({"page": -1}, "there is no page -1"),
    "a page past the end": ({"page": 99}, "there is no page 99"),
    "an argument too many": ({"page": 1, "all": True}, "takes page"),
}


@pytest.mark.parametrize(("arguments", "why"), REFUSED.values(), ids=REFUSED)
def test_a_bad_call_is_refused_with_its_reason(server, arguments, why):
    text, refused = call(server[0], "read_page", arguments)
    assert refused
    assert why in text


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 404),
        ("/mcp/../etc/passwd", {}, 404),
        ("/mcp", {"Content-Length": str(64 << 20)}, 413),
        ("/mcp", {"Content-Length": "-1"}, 413),
        ("/mcp", {"Content-Length": "many"}, 413),
    ],
)
def test_what_is_not_for_it_is_not_read(server, path, headers, status):
    assert post(server[0], b"{}", path, **headers) == (status, b"")
    assert ask(server[0], "ping") == {}


def test_there_is_no_stream_and_no_notification_acts(server):
    port, _ = server
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/mcp")
    assert connection.getresponse().status == 405
    assert post(port, b'{"method": "tools/call", "params": {"name": "submit"}}') == (202, b"")
    assert call(port, "read_page", {"page": 1})[1] is False


def test_bytes_that_are_no_http_end_only_their_own_connection(server):
    with socket.create_connection(("127.0.0.1", server[0]), timeout=30) as connection:
        connection.sendall(b"\x00\x01\x02\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1 << 16)
    assert ask(server[0], "ping") == {}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
methods = st.sampled_from(["initialize", "ping", "tools/list", "tools/call"]) | st.text(max_size=12)
requests = values | st.fixed_dictionaries(
    {}, optional={"id": values, "method": methods | values, "params": values | st.fixed_dictionaries({"name": values})}
)


@settings(max_examples=150, deadline=None)
@given(requests)
def test_no_request_crashes_it(server, request):
    port, pages = server
    before = {path.name: path.read_bytes() for path in pages.iterdir()}
    status, body = post(port, json.dumps(request).encode())
    assert status in {200, 202}
    assert bool(body) == (status == 200)
    assert {path.name: path.read_bytes() for path in pages.iterdir()} == before


def test_an_edit_is_on_disk_when_it_is_answered(server):
    port, pages = server
    old = call(port, "read_page", {"page": 1})[0].split("\n")[0]
    call(port, "edit_text", {"page": 1, "old_text": old, "new_text": "ANOTHER HEADER"})
    page = min(pages.iterdir())
    assert page.read_text("utf-8").startswith("ANOTHER HEADER\n")
    call(port, "edit_text", {"page": 1, "old_text": "ANOTHER HEADER", "new_text": old})
    assert page.read_text("utf-8").startswith(f"{old}\n")
    assert [path for path in pages.iterdir() if path.name.startswith(".")] == []
