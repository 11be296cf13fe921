"""The policy llm over real HTTP: what it may do, what bounds it, and what a broken endpoint comes to."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lattice_env.agents.repair import chain
from lattice_env.agents.repair.check import check_run
from lattice_env.agents.repair.llm import LlmLimits, llm
from lattice_env.agents.repair.rules import rules
from lattice_env.errors import UsageError

from .conftest import paper, trace_of

pytestmark = pytest.mark.tex

BROKEN = paper("The \\zzzword{cat} sat.")


class Endpoint(ThreadingHTTPServer):
    """An endpoint with a script: a dictionary is a tool call, a text a message, bytes are bytes, a number a status."""

    def __init__(self, script):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.asked = list(script), []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        step = self.server.script.pop(0) if len(self.server.script) > 1 else self.server.script[0]
        status, data = (step, b"{}") if isinstance(step, int) else (200, answer(step))
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def answer(step):
    """One answer of the endpoint."""
    if isinstance(step, bytes):
        return step
    message = {"role": "assistant", "content": step if isinstance(step, str) else None}
    if isinstance(step, dict):
        call = {"name": step["tool"], "arguments": json.dumps({k: v for k, v in step.items() if k != "tool"})}
        message["tool_calls"] = [{"id": "1", "type": "function", "function": call}]
    return json.dumps({"choices": [{"message": message}], "usage": {"total_tokens": 100}}).encode()


@pytest.fixture
def endpoint():
    """A function: a running endpoint with this script; its last step is repeated for ever."""
    running = []

    def start(*script):
        server = Endpoint(script)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        running.append(server)
        return server

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


FIX = {"tool": "replace_lines", "file": "a.tex", "first": 3, "last": 3, "text": "The \\emph{cat} sat."}


def test_a_model_that_looks_and_edits_repairs_the_paper_and_the_run_holds(project, run, endpoint):
    server = endpoint(
        {"tool": "read", "file": "a.tex", "first": 1, "last": 9}, {"tool": "search", "text": "zzzword"}, FIX
    )
    result, evidence = run(project({"a.tex": BROKEN}), policy=llm(server.url, "scripted"))
    assert (result.status, result.edits) == ("success", 1)
    said = [message["content"] for message in server.asked[-1]["messages"] if message["role"] == "tool"]
    assert said == [
        "\n".join(f"{n:5} {line}" for n, line in enumerate(BROKEN.split("\n"), 1)),
        "a.tex:3: The \\zzzword{cat} sat.",
    ]
    assert {tool["function"]["name"] for tool in server.asked[0]["tools"]} == {
        "read",
        "search",
        "replace_lines",
        "give_up",
    }
    assert check_run(evidence).faults == ()


def test_a_refused_edit_is_told_and_another_may_follow(project, run, endpoint):
    server = endpoint({**FIX, "text": "\\newcommand{\\zzzword}{} The \\zzzword{cat} sat."}, FIX)
    result, evidence = run(project({"a.tex": BROKEN}), policy=llm(server.url, "scripted"))
    assert result.status == "success"
    assert [line["event"] for line in trace_of(evidence)].count("refused") == 1
    assert "changes meanings" in server.asked[1]["messages"][1]["content"]


def test_rules_come_first_in_a_chain(project, run, endpoint):
    server = endpoint(FIX)
    result, _ = run(project({"a.tex": paper("\\emhp{a}")}), policy=chain([rules, llm(server.url, "scripted")]))
    assert (result.status, server.asked) == ("success", [])


@pytest.mark.parametrize(
    ("script", "says"),
    [
        pytest.param([500], "HTTP 500", id="errors"),
        pytest.param([b"<html>garbage"], "no chat completion", id="garbage"),
        pytest.param([b"[1]"], "no chat completion", id="a list"),
        pytest.param([b'{"choices": []}'], "no chat completion", id="no choice"),
        pytest.param(
            [b'{"choices": [{"message": {"tool_calls": [{}]}}]}'], "no chat completion", id="an empty tool call"
        ),
        pytest.param([b"[" * 100_000], "no chat completion", id="deep"),
        pytest.param([""], "no edit after", id="silence"),
        pytest.param(["I fixed it, the paper builds now."], "no edit after", id="a sentence"),
        pytest.param([{"tool": "shell", "command": "rm -rf /"}], "no edit after", id="a tool that is not there"),
        pytest.param(
            [{"tool": "read", "file": "/etc/passwd", "first": 1, "last": 1}], "no edit after", id="a file outside"
        ),
        pytest.param([{"tool": "read", "file": "a.tex"}], "no edit after", id="arguments that lack"),
        pytest.param([{"tool": "give_up", "reason": "too hard"}], "too hard", id="giving up"),
        pytest.param([{**FIX, "file": "../../etc/passwd"}], "not a file of the workspace", id="an edit outside"),
        pytest.param([{**FIX, "first": -5}], "no lines", id="lines that are not there"),
        pytest.param([{**FIX, "text": ""}], "gone", id="a deletion"),
    ],
)
def test_whatever_an_endpoint_answers_there_is_no_claim_of_success(project, run, endpoint, script, says):
    folder = project({"a.tex": BROKEN})
    limits = LlmLimits(calls=6, calls_each=3)
    result, _ = run(folder, policy=llm(endpoint(*script).url, "scripted", limits=limits))
    assert result.status == "unresolved"
    assert says in result.reason
    assert (folder / "a.tex").read_text("utf-8") == BROKEN


def test_an_endpoint_that_is_not_there_is_told(project, run):
    result, _ = run(project({"a.tex": BROKEN}), policy=llm("http://127.0.0.1:9/v1", "none"))
    assert (result.status, "endpoint failed" in result.reason) == ("unresolved", True)


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (LlmLimits(calls=2), "cap of 2 calls"),
        (LlmLimits(tokens=150), "cap of 150 tokens"),
        (LlmLimits(seconds=0.0), "seconds are over"),
        (LlmLimits(calls_each=2), "after 2 calls"),
    ],
)
def test_the_bounds_hold(project, run, endpoint, limits, says):
    server = endpoint({"tool": "search", "text": "cat"})
    result, _ = run(project({"a.tex": BROKEN}), policy=llm(server.url, "scripted", limits=limits))
    assert says in result.reason
    assert len(server.asked) <= 2


def test_an_endpoint_that_hangs_is_left(project, run):
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:  # it listens and never answers
        url = f"http://127.0.0.1:{server.server_port}/v1"
        result, _ = run(project({"a.tex": BROKEN}), policy=llm(url, "none", limits=LlmLimits(call_seconds=0.2)))
    assert "endpoint failed" in result.reason


def test_an_address_that_is_no_http_is_refused_before_anything_is_built():
    with pytest.raises(UsageError, match="no http address"):
        llm("file:///etc", "none")
