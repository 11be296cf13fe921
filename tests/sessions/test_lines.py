"""The environment as a process: bad lines, clients that go, signals; each leaves a closed record and a next episode."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.sessions.doc_edit import DocEditSession
from lattice_env.sessions.host import Host
from lattice_env.sessions.protocol import MOST_LINE
from lattice_env.sessions.record import read_records
from lattice_env.sessions.schema import SCHEMA
from lattice_env.sessions.stopping import Stopped

from .players import code

VALID = jsonschema.Draft202012Validator(SCHEMA["$defs"]["reply"] | {"$defs": SCHEMA["$defs"]})


class Process:
    """`lattice-env env`, and its ends of the pipes."""

    def __init__(self, folder: Path) -> None:
        self.episodes, self.scratch = folder / "episodes", folder / "scratch"
        self.scratch.mkdir()
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.scratch), "TMPDIR": str(self.scratch)}
        self.run = subprocess.Popen(
            [sys.executable, "-m", "lattice_env", "env", "--episodes", self.episodes],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, request):
        data = request if isinstance(request, bytes) else json.dumps(request).encode()
        self.run.stdin.write(data + b"\n")
        self.run.stdin.flush()

    def ask(self, request):
        self.send(request)
        return json.loads(self.run.stdout.readline())

    def reset(self, task):
        return self.ask({"op": "reset", "task": str(task)})

    def record(self):
        """The only record that there is."""
        ((_, record),) = read_records(self.episodes / "episodes.jsonl")
        return record

    def left(self):
        """What is left in the scratch folder, and of the processes below this one."""
        return sorted(path.name for path in self.scratch.iterdir()), children(self.run.pid)


def children(parent):
    """The processes below a process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(path.read_text("utf-8").rpartition(")")[2].split()[1]) == parent:
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.fixture
def process(tmp_path):
    """A process that is ended after the test, whatever came of it."""
    started = Process(tmp_path)
    yield started
    if started.run.poll() is None:
        started.run.kill()
    started.run.wait()
    for pipe in (started.run.stdin, started.run.stdout, started.run.stderr):
        pipe.close()


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (b"nonsense", "not-json"),
        (b'{"op": ', "not-json"),
        (b"\xff\xfe", "not-json"),
        (b"[" * 100_000, "not-json"),
        (b'{"op": "step", "action": NaN}', "not-json"),
        (b"[]", "bad-request"),
        (b"null", "bad-request"),
        (b"{}", "bad-request"),
        (b'{"op": 7}', "bad-request"),
        (b'{"op": "frob"}', "unknown-op"),
        (b'{"op": "reset"}', "bad-request"),
        (b'{"op": "reset", "task": ""}', "bad-request"),
        (b'{"op": "reset", "task": "/x", "frob": 1}', "bad-request"),
        (b'{"op": "reset", "task": "/x", "agent": {"seed": 1.5}}', "bad-request"),
        (b'{"op": "reset", "task": "/x", "agent": {"name": ""}}', "bad-request"),
        (b'{"op": "reset", "task": "/x", "budget": {"steps": 0}}', "bad-request"),
        (b'{"op": "reset", "task": "/x", "budget": {"compileSeconds": -1}}', "bad-request"),
        (b'{"op": "reset", "task": "/x", "budget": {"compileSeconds": 1%b}}' % (b"0" * 400), "bad-request"),
        (b'{"op": "step", "action": {"type": "read", "path": 1e999}}', "not-json"),
        (b'{"op": "reset", "task": "/x\\u0000"}', "bad-request"),
        (b'{"op": "reset", "task": "/nowhere"}', "unknown-task"),
        (b'{"op": "step", "action": {"type": "submit"}}', "no-episode"),
        (b'{"op": "close"}', "no-episode"),
        (b'{"op": "step"}', "bad-request"),
        (b'{"op": "step", "action": {"type": 1}}', "bad-request"),
        (b'{"op": "step", "role": "god", "action": {"type": "submit"}}', "bad-request"),
    ],
    ids=lambda value: value[:60].decode("latin-1") if isinstance(value, bytes) else value,
)
def test_a_bad_line_is_an_error_with_its_code(tmp_path, line, wanted):
    reply = Host(tmp_path).take_line(line)
    assert code(reply) == wanted
    VALID.validate(reply)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)
requests = st.fixed_dictionaries(
    {"op": st.sampled_from(["reset", "step", "close"]) | json_values},
    optional=dict.fromkeys(("task", "agent", "budget", "action", "role"), json_values),
)


@given(requests | json_values)
def test_any_json_has_a_lawful_reply(tmp_path_factory, request):
    host = Host(tmp_path_factory.getbasetemp() / "any")
    VALID.validate(host.take(request))
    host.leave("enough")


arguments = st.fixed_dictionaries(
    {"type": st.sampled_from(["search_doc", "read_page", "edit_text", "nonsense", ""])},
    optional=dict.fromkeys(("query", "page", "old_text", "new_text", "type "), json_values),
)


@given(st.lists(arguments, max_size=4))
def test_any_action_on_a_document_has_a_lawful_reply(tmp_path_factory, document_task, actions):
    host = Host(tmp_path_factory.getbasetemp() / "documents")
    host.take({"op": "reset", "task": str(document_task)})
    for action in actions:
        VALID.validate(host.take({"op": "step", "action": action}))
    host.leave("enough")


def test_two_episodes_at_once_are_refused_and_the_first_goes_on(process, document_task):
    assert process.reset(document_task)["ok"]
    assert code(process.reset(document_task)) == "episode-open"
    assert process.ask({"op": "step", "action": {"type": "submit"}})["terminated"]
    assert process.ask({"op": "close"})["ok"]
    assert process.reset(document_task)["ok"]


def test_ten_megabytes_in_one_field_are_refused_and_the_episode_goes_on(process, document_task):
    process.reset(document_task)
    big = {"op": "step", "action": {"type": "edit_text", "page": 1, "old_text": "x" * 10_000_000, "new_text": "y"}}
    assert code(process.ask(big)) == "too-long"
    nearly = {"op": "step", "action": {"type": "search_doc", "query": "x" * (MOST_LINE - 1000)}}
    assert process.ask(nearly)["obs"]["public"]["refused"]
    assert process.ask({"op": "step", "action": {"type": "submit"}})["terminated"]


def test_requests_that_come_all_at_once_are_all_answered(process, document_task):
    lines = [{"op": "reset", "task": str(document_task)}, {"op": "step", "action": {"type": "read_page", "page": 1}}]
    lines += [{"op": "step", "action": {"type": "submit"}}, {"op": "close"}]
    said, _ = process.run.communicate(b"".join(json.dumps(line).encode() + b"\n" for line in lines), timeout=60)
    assert [json.loads(line)["ok"] for line in said.splitlines()] == [True] * 4
    assert process.run.returncode == 0


def test_input_that_ends_in_an_episode_closes_its_record(process, document_task):
    process.reset(document_task)
    process.run.communicate(timeout=60)
    assert (process.record().status, process.record().reason) == ("error", "the client's requests ended")
    assert process.run.returncode == 0


LOOP = "\\documentclass{article}\\begin{document}\\loop\\iftrue\\repeat\\end{document}"


def begin_endless_build(process, paper_task):
    process.reset(paper_task)
    process.ask({"op": "step", "action": {"type": "write", "path": "main.tex", "text": LOOP}})
    process.send({"op": "step", "action": {"type": "compile"}})
    deadline = time.monotonic() + 20
    while not children(process.run.pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.tex
def test_a_client_that_closes_in_mid_build_ends_the_build(process, paper_task):
    begin_endless_build(process, paper_task)
    started = time.monotonic()
    process.run.stdin.close()
    process.run.stdout.close()
    assert process.run.wait(15) == 0
    assert time.monotonic() - started < 15
    assert (process.record().status, process.record().reason) == ("error", "the client went away")
    assert process.left() == ([], [])


@pytest.mark.tex
def test_sigterm_in_mid_build_closes_the_record_and_leaves_nothing(process, paper_task):
    begin_endless_build(process, paper_task)
    process.run.send_signal(signal.SIGTERM)
    assert process.run.wait(15) == 128 + signal.SIGTERM
    assert (process.record().status, process.record().reason) == ("error", "stopped by SIGTERM")
    assert process.left() == ([], [])
    assert not (process.episodes / process.record().episode / "home").exists()


def test_sigterm_between_requests_closes_the_record(process, document_task):
    process.reset(document_task)
    process.run.send_signal(signal.SIGTERM)
    assert process.run.wait(15) == 128 + signal.SIGTERM
    assert process.record().reason == "stopped by SIGTERM"


def test_a_workspace_that_is_removed_under_the_episode_is_an_error_and_the_next_is_fine(process, document_task):
    name = process.reset(document_task)["info"]["episode"]
    for path in sorted((process.episodes / name).rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (process.episodes / name).rmdir()
    assert code(process.ask({"op": "step", "action": {"type": "submit"}})) == "workspace-gone"
    assert process.record().status == "error"
    assert process.reset(document_task)["ok"]


def test_a_folder_of_episodes_that_is_removed_is_made_again(process, document_task):
    process.reset(document_task)
    shutil.rmtree(process.episodes)
    assert code(process.ask({"op": "step", "action": {"type": "submit"}})) == "workspace-gone"
    assert process.record().status == "error"
    assert process.reset(document_task)["ok"]


@pytest.mark.tex
@pytest.mark.parametrize("action", ["read", "write", "compile", "check", "submit"])
def test_a_workspace_that_is_removed_is_missed_by_every_action_of_a_paper(tmp_path, paper_task, action):
    host = Host(tmp_path)
    arguments = {"read": {"path": "main.tex"}, "write": {"path": "main.tex", "text": "x"}}.get(action, {})
    host.take({"op": "reset", "task": str(paper_task)})
    shutil.rmtree(host.episode.folder / "workspace")
    assert code(host.take({"op": "step", "action": {"type": action, **arguments}})) == "workspace-gone"
    assert host.episode is None


def test_a_stop_before_the_first_reply_leaves_no_episode(tmp_path, document_task, monkeypatch):
    def stop(_session):
        raise Stopped("stopped by SIGTERM", 143)

    monkeypatch.setattr(DocEditSession, "begin", stop)
    host = Host(tmp_path)
    with pytest.raises(Stopped):
        host.take({"op": "reset", "task": str(document_task)})
    host.leave("stopped by SIGTERM")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert host.take({"op": "reset", "task": str(document_task)})["ok"]
    host.leave("enough")


def test_many_episodes_leave_no_descriptor_and_no_folder_open(document_task, tmp_path):
    host = Host(tmp_path)

    def descriptors():
        return len(list(Path("/proc/self/fd").iterdir()))

    def play():
        host.take({"op": "reset", "task": str(document_task)})
        host.take({"op": "step", "action": {"type": "submit"}})

    play()
    before = descriptors()
    for _ in range(20):
        play()
    assert descriptors() == before
    assert not list(tmp_path.glob("*/home"))
