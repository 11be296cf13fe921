"""Agents in the one loop: what they earn, what they leave, and that they stay within their bounds."""

from __future__ import annotations

import http.server
import json
import multiprocessing
import threading
import time
from pathlib import Path

import pytest

from lattice_env.agents.llm import LlmLimits
from lattice_env.agents.run import AGENTS, LLM, NOP, ORACLE, RANDOM, RULES, Job, Player, play_job, run
from lattice_env.authoring.chat import Endpoint
from lattice_env.executors.process import WorkerKilledError
from lattice_env.sessions.record import read_records

EACH = [pytest.param("paper", marks=pytest.mark.tex), "document", "ocr"]


class Model(http.server.ThreadingHTTPServer):
    """An endpoint that says what its script says, and its last line for ever."""

    daemon_threads = True

    def __init__(self, *script):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.asked = list(script), []
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def player(self, **limits):
        url = f"http://127.0.0.1:{self.server_port}/v1"
        return Player(LLM, endpoint=Endpoint(url, "scripted", seconds=5, pause=0), limits=LlmLimits(**limits))


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        line = self.server.script.pop(0) if len(self.server.script) > 1 else self.server.script[0]
        data = json.dumps({"choices": [{"message": {"role": "assistant", **line}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def call(name, arguments="{}"):
    return {"content": None, "tool_calls": [{"id": "c", "function": {"name": name, "arguments": arguments}}]}


def job(task, player, episodes, attempt=1, **budget):
    return Job(str(task), attempt, player, tuple(budget.items()), episodes)


@pytest.mark.parametrize("family", EACH)
@pytest.mark.parametrize(("agent", "reward"), [("nop", 0.0), ("oracle", 1.0)])
def test_the_oracle_earns_1_and_nop_earns_0(each_task, tmp_path, family, agent, reward):
    outcome = play_job(job(each_task[family], Player(agent), tmp_path))
    assert (outcome.reward, outcome.reason) == (reward, "")


@pytest.mark.tex
def test_the_rules_repair_a_paper_through_its_actions_alone(paper_task, tmp_path):
    outcome = play_job(job(paper_task, Player(RULES), tmp_path))
    assert (outcome.status, outcome.reward) == ("scored", 1.0)
    lines = next(tmp_path.glob("*/transcript.jsonl")).read_text("utf-8").splitlines()
    names = [json.loads(line)["request"].get("action", {}).get("type") for line in lines]
    assert names[-3:] == ["edit", "compile", "submit"]
    assert json.loads(lines[-1])["reply"]["info"]["verdict"]["claimMatches"] is True


@pytest.mark.parametrize("family", ["document", "ocr"])
def test_the_rules_give_in_where_there_is_no_paper(each_task, tmp_path, family):
    assert play_job(job(each_task[family], Player(RULES), tmp_path)).steps == 1


def moves_of(folder):
    """What was asked of each episode, in order."""
    found = [path.read_text("utf-8").splitlines() for path in sorted(folder.glob("*/transcript.jsonl"))]
    return [[json.loads(line)["request"] for line in lines] for lines in found]


def test_random_moves_are_the_same_for_one_seed_and_others_for_another(document_task, tmp_path):
    for folder, seed in (("one", 1), ("again", 1), ("other", 2)):
        play_job(job(document_task, Player(RANDOM, seed), tmp_path / folder))
    one, again, other = (moves_of(tmp_path / folder) for folder in ("one", "again", "other"))
    assert one == again
    assert one != other


def test_a_model_is_told_the_task_and_the_tools_and_its_calls_are_actions(document_task, tmp_path):
    model = Model(call("read_page", '{"page": 1}'), call("submit"))
    outcome = play_job(job(document_task, model.player(), tmp_path))
    assert (outcome.status, outcome.steps) == ("rejected", 2)
    first, second = model.asked
    assert {tool["function"]["name"] for tool in first["tools"]} >= {"read_page", "submit"}
    assert second["messages"][-1]["role"] == "tool"
    (_, record), *_ = read_records(tmp_path / "episodes.jsonl")
    assert (record.agent, record.model) == ("llm", "scripted")


def test_a_model_is_shown_the_picture(picture_task, tmp_path):
    model = Model(call("answer", '{"latex": "x"}'))
    assert play_job(job(picture_task, model.player(), tmp_path)).reward is not None
    kinds = [part["type"] for part in model.asked[0]["messages"][-1]["content"]]
    assert kinds == ["text", "image_url"]


@pytest.mark.parametrize(
    ("line", "limits", "asked"),
    [
        ({"content": "Let me think."}, {"silent": 3}, 3),
        (call("read_page", "no JSON"), {"calls": 5}, 5),
        (call("read_page", "[1]"), {"calls": 4}, 4),
        (call("read_page", '{"type": "submit"}'), {"calls": 4}, 4),
    ],
    ids=["silent", "no-json", "list", "type"],
)
def test_a_model_that_does_nothing_ends_in_time_and_its_work_is_judged(document_task, tmp_path, line, limits, asked):
    model = Model(line)
    outcome = play_job(job(document_task, model.player(**limits), tmp_path))
    assert (outcome.status, len(model.asked)) == ("rejected", asked)


def test_a_model_that_only_reads_runs_out_of_steps(document_task, tmp_path):
    model = Model(call("read_page", '{"page": 1}'))
    outcome = play_job(job(document_task, model.player(), tmp_path, steps=4))
    assert (outcome.steps, outcome.reason) == (4, "out of steps")


def test_an_endpoint_that_is_not_there_is_an_outcome_and_the_record_is_closed(document_task, tmp_path):
    player = Player(LLM, endpoint=Endpoint("http://127.0.0.1:1/v1", "none", seconds=1, tries=1))
    outcome = play_job(job(document_task, player, tmp_path))
    assert (outcome.status, outcome.reward) == ("error", None)
    assert "unreachable" in outcome.reason
    ((_, record),) = read_records(tmp_path / "episodes.jsonl")
    assert record.status == "error"
    assert record.reason.startswith("the agent failed: unreachable")


def test_a_task_that_is_not_there_is_an_outcome(tmp_path):
    outcome = play_job(job(tmp_path / "none", Player("nop"), tmp_path / "episodes"))
    assert outcome.status == "error"
    assert "unknown-task" in outcome.reason


def test_workers_play_what_one_process_plays(each_task, tmp_path):
    tasks = [each_task["document"], each_task["ocr"]]
    done = {}
    for workers in (1, 2):
        player, folder = Player(ORACLE), tmp_path / str(workers)
        heard = []
        jobs = [job(task, player, folder, attempt) for task in tasks for attempt in (1, 2)]
        outcomes = run(jobs, workers, lambda outcome, count, heard=heard: heard.append(count))
        done[workers] = [(outcome.job.task, outcome.job.attempt, outcome.reward) for outcome in outcomes]
        assert heard == [1, 2, 3, 4]
        records = [record for _, record in read_records(folder / "episodes.jsonl")]
        assert sorted(record.attempt for record in records) == [1, 1, 2, 2]
    assert done[1] == done[2]


def test_a_worker_that_is_killed_is_told_and_what_was_played_stays(each_task, tmp_path):
    jobs = [job(each_task["document"], Player(NOP), tmp_path, attempt) for attempt in range(1, 200)]

    def strike(_outcome, _count):
        for child in multiprocessing.active_children():
            child.kill()

    with pytest.raises(WorkerKilledError, match="killed in the middle"):
        run(jobs, 2, strike)
    assert list(read_records(tmp_path / "episodes.jsonl"))
    ends = time.monotonic() + 20
    while processes_below(tmp_path):  # a verifier that outlives its worker ends by itself
        assert time.monotonic() < ends
        time.sleep(0.05)


@pytest.mark.parametrize("family", EACH)
@pytest.mark.parametrize("agent", AGENTS)
def test_every_agents_trajectory_passes_harbors_own_validation(each_task, tmp_path, agent, family):
    pytest.importorskip("harbor", reason="Harbor is not installed here: make setup")
    from harbor.utils.trajectory_validator import TrajectoryValidator

    last = call("answer", '{"latex": "x"}') if family == "ocr" else call("submit")
    player = Model({"content": "First a thought."}, last).player() if agent == LLM else Player(agent)
    assert play_job(job(each_task[family], player, tmp_path)).reward is not None
    (path,) = tmp_path.glob("*/trajectory.json")
    validator = TrajectoryValidator()
    assert validator.validate(path), validator.errors
    body = json.loads(path.read_text("utf-8"))
    assert body["agent"]["name"] == agent
    assert body["steps"][-1]["tool_calls"][0]["function_name"] in ("submit", "answer", "defer")


def processes_below(folder):
    """The processes whose command line or working folder lies in a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if str(folder) in (path / "cmdline").read_text("utf-8", "replace") + str((path / "cwd").readlink()):
                found.append(path.name)
        except OSError:
            continue
    return found
