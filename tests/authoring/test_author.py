"""Templates by a model: a scripted endpoint on a real socket answers lawfully, wrongly, or not at all."""

from __future__ import annotations

import http.server
import json
import socket
import threading
import time

import pytest

from lattice_env.authoring import Endpoint, EndpointError, Failure, Order, ask, author
from lattice_env.cli import main
from lattice_env.errors import UsageError
from lattice_env.seeds.documents import load_genre
from lattice_env.seeds.documents.checks import check_files

ORDER = load_genre("purchase-order")
GOOD = "VISITORS\n\nVisitors sign the book at the gate of {buyer:text}.\nDogs wait outside.\n"
OTHER = "KEYS\n\nKeys are returned to {vendor_contact:text} at night.\n"
WRONG = "VISITORS\n\nAt most 12 visitors sign {nothing:id}.\n"


class Server(http.server.ThreadingHTTPServer):
    """Answers each request with the next of its script, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, *script):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.asked = list(script), []
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def endpoint(self, **settings):
        url = f"http://127.0.0.1:{self.server_port}/v1"
        return Endpoint(url, "scripted", **{"seconds": 5.0, "pause": 0.0, **settings})


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers.get("Authorization"), body))
        self.server.script.pop(0)(self)

    def log_message(self, *_):
        pass

    def send(self, data, code=200):
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def says(text):
    data = json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()
    return lambda handler: handler.send(data)


def sends(data, code=200):
    return lambda handler: handler.send(data, code)


def sleeps(handler):
    time.sleep(1.5)


def drips(handler):
    handler.send_response(200)
    handler.end_headers()
    for _ in range(20):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


@pytest.fixture
def serve():
    servers = []

    def start(*script):
        servers.append(Server(*script))
        return servers[-1]

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_lawful_section_is_written_and_passes_the_check(serve, tmp_path):
    server = serve(says(f"Here you are:\n```\n{GOOD}```\nEnjoy."))
    (attempt,) = author(Order(ORDER, "filler", 1), server.endpoint(key="sesame"), tmp_path)
    assert files(tmp_path) == [attempt.file]
    assert attempt.file.parent == tmp_path / "seed" / "filler"
    assert attempt.file.read_text("ascii") == GOOD
    assert check_files([attempt.file], genre="purchase-order", kind="filler") == (1, [])
    path, key, body = server.asked[0]
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer sesame", "scripted")
    assert "carrier_email (email)" in body["messages"][1]["content"]


def test_findings_go_back_to_the_model_until_there_are_none(serve, tmp_path):
    server = serve(says(WRONG), says(GOOD))
    (attempt,) = author(Order(ORDER, "filler", 1), server.endpoint(), tmp_path)
    assert attempt.rounds == 2
    told = server.asked[1][2]["messages"][-1]["content"]
    assert "line 3, column 9: bare digits: '12'" in told
    assert "no fact is called 'nothing'" in told


def test_what_stays_unlawful_is_never_written(serve, tmp_path):
    server = serve(*[says(WRONG)] * 3)
    (attempt,) = author(Order(ORDER, "filler", 1, rounds=3), server.endpoint(), tmp_path)
    assert (attempt.file, attempt.rounds, len(attempt.problems)) == (None, 3, 2)
    assert files(tmp_path) == []
    assert len(server.asked) == 3


def test_the_same_section_twice_is_refused(serve, tmp_path):
    server = serve(says(GOOD), says(GOOD.replace("\n\n", "\n\n ")), says(OTHER))
    first, second = author(Order(ORDER, "filler", 2), server.endpoint(), tmp_path)
    assert (first.rounds, second.rounds) == (1, 2)
    assert second.file.read_text("ascii") == OTHER


def test_the_same_answers_give_the_same_files(serve, tmp_path):
    names = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        author(Order(ORDER, "filler", 2, "held-out"), serve(says(GOOD), says(OTHER)).endpoint(), folder)
        names.append([(path.relative_to(folder), path.read_bytes()) for path in files(folder)])
    assert names[0] == names[1]
    assert len(names[0]) == 2


@pytest.mark.parametrize(
    ("answer", "failure", "asked"),
    [
        (sends(b"<html>hello</html>"), Failure.GARBAGE, 1),
        (sends(b"[" * 100_000), Failure.GARBAGE, 1),
        (sends(b'{"choices": []}'), Failure.GARBAGE, 1),
        (sends(b'{"choices": [{"message": {"content": 7}}]}'), Failure.GARBAGE, 1),
        (sends(b"\xff\x00"), Failure.GARBAGE, 1),
        (says("  \n"), Failure.EMPTY, 1),
        (says(None), Failure.EMPTY, 1),
        (sends(b"", 500), Failure.STATUS, 3),
        (sends(b"", 429), Failure.STATUS, 3),
        (sends(b"", 404), Failure.STATUS, 1),
    ],
)
def test_an_answer_that_is_none_is_a_typed_error(answer, failure, asked, serve, tmp_path):
    server = serve(*[answer] * 3)
    with pytest.raises(EndpointError) as caught:
        author(Order(ORDER, "filler", 1), server.endpoint(), tmp_path)
    assert (caught.value.failure, len(server.asked)) == (failure, asked)
    assert files(tmp_path) == []


@pytest.mark.parametrize("answer", [sleeps, drips], ids=["silent", "dripping"])
def test_a_late_answer_is_a_time_out(answer, serve):
    with pytest.raises(EndpointError) as caught:
        ask(serve(answer).endpoint(seconds=0.4, tries=1), [])
    assert caught.value.failure is Failure.TIMEOUT


def test_a_server_that_recovers_is_asked_again(serve):
    server = serve(sends(b"", 503), says("hello"))
    assert ask(server.endpoint(), []) == "hello"


def test_nobody_listening_is_unreachable():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        with pytest.raises(EndpointError) as caught:
            ask(Endpoint(url, "m", seconds=5, pause=0.0), [])
    assert caught.value.failure is Failure.UNREACHABLE


def test_what_was_written_stays_when_the_endpoint_dies(serve, tmp_path):
    server = serve(says(GOOD), *[sends(b"", 500)] * 3)
    with pytest.raises(EndpointError):
        author(Order(ORDER, "filler", 2), server.endpoint(), tmp_path)
    assert [path.read_text("ascii") for path in files(tmp_path)] == [GOOD]


@pytest.mark.parametrize(
    "order", [Order(ORDER, "poem", 1), Order(ORDER, "filler", 0), Order(ORDER, "filler", 1, "best")]
)
def test_an_order_that_cannot_be_met_asks_nobody(order, tmp_path):
    with pytest.raises(UsageError):
        author(order, Endpoint("http://127.0.0.1:9/v1", "m"), tmp_path)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "localhost:8000", ""])
def test_an_address_that_is_none_is_an_error_of_usage(url):
    with pytest.raises(UsageError):
        ask(Endpoint(url, "m"), [])


def command(server, out, *words):
    base = ["templates", "author", "--genre", "purchase-order", "--kind", "filler", "--model", "m", "--out", str(out)]
    return main([*base, "--base-url", server.endpoint().base_url, *words])


def test_the_command_writes_and_lists_what_it_wrote(serve, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sesame")
    server = serve(says(GOOD), says(WRONG), says(WRONG))
    assert command(server, tmp_path, "--count", "2", "--rounds", "2", "--api-key-var", "MY_KEY") == 1
    captured = capsys.readouterr()
    assert captured.out.split() == list(map(str, files(tmp_path)))
    assert "given up after 2 rounds" in captured.err
    assert {key for _, key, _ in server.asked} == {"Bearer sesame"}


def test_the_command_prints_json(serve, tmp_path, capsys):
    assert command(serve(says(GOOD)), tmp_path, "--json") == 0
    assert json.loads(capsys.readouterr().out) == [{"file": str(files(tmp_path)[0]), "rounds": 1, "problems": []}]


def test_the_command_tells_an_endpoint_that_fails(serve, tmp_path, capsys):
    assert command(serve(sends(b"", 404)), tmp_path) == 3
    assert "status:" in capsys.readouterr().err


def test_a_key_that_is_not_there_is_an_error_of_usage(serve, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    assert command(serve(), tmp_path, "--api-key-var", "NO_SUCH_KEY") == 2
    assert "NO_SUCH_KEY" in capsys.readouterr().err
