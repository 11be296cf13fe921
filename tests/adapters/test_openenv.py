"""Episodes over OpenEnv: a real server, a real socket, every family by the same words."""

from __future__ import annotations

import contextlib
import http.client
import json
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

pytestmark = pytest.mark.openenv


@contextlib.contextmanager
def running(tasks, episodes, **options):
    """The address of a server of these tasks, until the end of the block."""
    import uvicorn

    from lattice_env.adapters.openenv import make_app
    from lattice_env.verification import VerifierPool

    app = make_app(tasks, episodes, VerifierPool(workers=2, **options))
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield f"ws://127.0.0.1:{listening.getsockname()[1]}/ws"
    finally:
        server.should_exit = True
        thread.join(20)


class Client:
    """One session over a socket."""

    def __init__(self, url):
        from websockets.sync.client import connect

        self.socket = connect(url, max_size=None, proxy=None)

    def ask(self, kind, data):
        self.socket.send(json.dumps({"type": kind, "data": data}))
        return json.loads(self.socket.recv(timeout=60))

    def reset(self, **asked):
        return self.ask("reset", asked)["data"]

    def step(self, name, **arguments):
        return self.ask("step", {"type": name, "arguments": arguments})["data"]


@pytest.fixture
def tasks(document_task, picture_task, tmp_path):
    """A folder of a document and a picture."""
    for task in (document_task, picture_task):
        shutil.copytree(task, tmp_path / "tasks" / task.name)
    return tmp_path / "tasks"


@pytest.fixture
def url(tasks, tmp_path):
    with running(tasks, tmp_path / "episodes") as found:
        yield found


def test_a_document_is_played_to_its_verdict(url, document_task, tmp_path):
    client = Client(url)
    shown = client.reset(task=document_task.name)
    assert "search_doc" in shown["observation"]["text"]
    assert len(shown["observation"]["tools"]) == 5
    page = client.step("read_page", page=1)
    assert (page["done"], page["reward"]) == (False, None)
    last = client.step("submit")
    assert (last["done"], last["reward"], last["observation"]["verdict"]["status"]) == (True, 0.0, "rejected")
    lines = (tmp_path / "episodes" / "episodes.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["agent"] for line in lines] == ["openenv"]


def test_verdicts_come_from_one_pool_and_are_the_package_s_own(url, document_task, picture_task, tmp_path):
    clients = [Client(url) for _ in range(8)]
    for client in clients:
        client.reset(task=document_task.name)
        client.socket.send(json.dumps({"type": "step", "data": {"type": "submit", "arguments": {}}}))
    replies = [json.loads(client.socket.recv(timeout=60))["data"] for client in clients]
    assert [reply["reward"] for reply in replies] == [0.0] * 8
    text = told(url.removeprefix("ws://").removesuffix("/ws"))
    assert 'lattice_verify_verdicts_total{status="rejected"} 8\n' in text
    assert "lattice_verify_workers 2\n" in text
    assert "lattice_sessions 8\n" in text
    folder = next((tmp_path / "episodes").glob(f"{document_task.name}-*"))
    assert (folder / "verifier" / "reward.txt").read_text("utf-8") == "0.0\n"
    words = ["--workspace", str(folder / "workspace"), "--json"]
    line = [sys.executable, "-I", "-S", str(document_task / "tests" / "verify.py"), *words]
    own = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False).stdout
    assert (folder / "verifier" / "verdict.json").read_text("utf-8") == own


def test_a_verdict_that_takes_too_long_is_no_reward(tasks, document_task, tmp_path):
    with running(tasks, tmp_path / "episodes", seconds=0.0) as url:
        client = Client(url)
        client.reset(task=document_task.name)
        last = client.step("submit")
        assert (last["done"], last["reward"]) == (True, None)
        verdict = last["observation"]["verdict"]
        assert (verdict["status"], verdict["reason"]) == ("infra_error", "no verdict within 0 s")


def test_a_server_that_is_asked_to_end_tells_the_verdicts_that_are_under_way(document_task, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["--episodes", str(tmp_path / "episodes"), "--port", str(port), "--verifiers", "1"]
    line = [sys.executable, "-m", "lattice_env.adapters.openenv", str(document_task), *words]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as server:
        client = patiently(lambda: Client(f"ws://127.0.0.1:{port}/ws"))
        client.reset(task=document_task.name)
        client.socket.send(json.dumps({"type": "step", "data": {"type": "submit", "arguments": {}}}))
        patiently(lambda: begun(f"127.0.0.1:{port}"))
        server.send_signal(signal.SIGTERM)
        reply = json.loads(client.socket.recv(timeout=60))["data"]
        assert reply["done"]
        assert reply["observation"]["verdict"]["status"] == "rejected"
        _, said = server.communicate(timeout=60)
    assert "Traceback" not in said


def told(address):
    """The metrics of a server."""
    connection = http.client.HTTPConnection(address, timeout=20)
    connection.request("GET", "/metrics")
    return connection.getresponse().read().decode()


def begun(address):
    """Nothing, once a verifier is at its first verdict."""
    if "lattice_verify_running 1\n" not in (text := told(address)) and "lattice_verify_seconds_count 1\n" not in text:
        raise BlockingIOError


def patiently(work):
    """What work comes to, once it can."""
    deadline = time.monotonic() + 180
    while True:
        try:
            return work()
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_picture_is_shown_and_answered(url, picture_task):
    client = Client(url)
    assert client.reset(task=picture_task.name)["observation"]["picture"]
    target = (picture_task / "tests" / "original" / "answer.tex").read_text("utf-8").strip()
    assert client.step("answer", latex=target)["reward"] == 1.0


@pytest.mark.tex
def test_a_paper_is_repaired(paper_task, tmp_path):
    right = (paper_task / "tests" / "original" / "main.tex").read_text("utf-8")
    with running(paper_task, tmp_path) as url:
        client = Client(url)
        client.reset()
        assert client.step("compile")["observation"]["text"].startswith("First error")
        client.step("write", path="main.tex", text=right)
        assert client.step("submit", claim="solved")["reward"] == 1.0


def test_tasks_are_named_by_number_and_by_seed(url):
    client = Client(url)
    names = [client.reset(task=number)["observation"]["public"]["task"] for number in (0, 1)]
    assert len(set(names)) == 2
    assert client.reset(seed=5)["observation"]["public"] == client.reset(seed=5)["observation"]["public"]


@pytest.mark.parametrize("asked", [{"task": "none"}, {"task": 99}, {"task": "../x"}, {"frob": 1}, {"budget": {"a": 1}}])
def test_what_cannot_be_asked_is_an_error_and_the_session_goes_on(url, asked):
    client = Client(url)
    reply = client.ask("reset", asked)
    assert reply["type"] == "error", reply
    assert client.reset(task=0)["observation"]["text"]


def test_two_sessions_play_at_once_and_one_that_vanishes_leaves_a_record(url, document_task, tmp_path):
    one, two = Client(url), Client(url)
    for client in (one, two):
        client.reset(task=document_task.name)
    one.socket.close()
    assert two.step("submit")["done"]
    place = tmp_path / "episodes" / "episodes.jsonl"
    deadline = time.monotonic() + 20
    while len(lines := place.read_text("utf-8").splitlines()) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert sorted(json.loads(line)["status"] for line in lines) == ["error", "rejected"]


LOOP = "\\documentclass{article}\\begin{document}\\loop\\iftrue\\repeat\\end{document}"


def record(episodes):
    """The only record, once it is there: until then there is no file, or nothing in it."""

    def found():
        (line,) = (episodes / "episodes.jsonl").read_text("utf-8").splitlines() or [""]
        if not line:
            raise BlockingIOError
        return json.loads(line)

    return patiently(found)


@pytest.mark.tex
def test_a_client_that_vanishes_in_mid_build_leaves_a_closed_record(paper_task, tmp_path):
    with running(paper_task, tmp_path / "episodes") as url:
        client = Client(url)
        client.reset()
        client.step("write", path="main.tex", text=LOOP)
        client.socket.send(json.dumps({"type": "step", "data": {"type": "compile", "arguments": {}}}))
        client.socket.close()
        assert record(tmp_path / "episodes")["reason"] == "closed by the client"
    assert not list((tmp_path / "episodes").glob("*/home"))


def test_a_server_that_is_told_to_stop_closes_its_records(document_task, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["-m", "lattice_env.adapters.openenv", document_task, "--episodes", tmp_path, "--port", str(port)]
    with subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL) as server:
        client = patiently(lambda: Client(f"ws://127.0.0.1:{port}/ws"))
        client.reset(task=0)
        server.send_signal(signal.SIGTERM)
        server.wait(60)
    assert (record(tmp_path)["status"], record(tmp_path)["reason"]) == ("error", "closed by the client")


def test_a_folder_without_a_task_is_an_error_of_usage(tmp_path, capsys):
    from lattice_env.adapters.openenv import main

    assert main([str(tmp_path), "--episodes", str(tmp_path)]) == 2
    assert "holds no task" in capsys.readouterr().err
