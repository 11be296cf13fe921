"""Episodes over OpenEnv: a real server, a real socket, every family by the same words."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import threading
import time

import pytest

pytestmark = pytest.mark.openenv


@contextlib.contextmanager
def running(tasks, episodes):
    """The address of a server of these tasks, until the end of the block."""
    import uvicorn

    from lattice_env.adapters.openenv import make_app

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(tasks, episodes), log_level="warning"))
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


def test_a_folder_without_a_task_is_an_error_of_usage(tmp_path, capsys):
    from lattice_env.adapters.openenv import main

    assert main([str(tmp_path), "--episodes", str(tmp_path)]) == 2
    assert "holds no task" in capsys.readouterr().err
