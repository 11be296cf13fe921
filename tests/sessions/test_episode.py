"""What a client sees of an episode: replies, parties, budgets, verdicts; each message as the schema has it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from lattice_env.sessions.schema import SCHEMA

from .players import code, ocr_solution, play_every, solve

VALID = jsonschema.Draft202012Validator(SCHEMA)
EACH = [pytest.param("paper", marks=pytest.mark.tex), "document", "ocr"]


def exchanges(folder):
    return [json.loads(line) for line in (folder / "transcript.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("family", EACH)
def test_every_message_of_every_action_is_as_the_schema_has_it(player, each_task, family):
    folder = play_every(player, each_task[family], family)
    found = exchanges(folder)
    assert len(found) > 1
    for exchange in found:
        VALID.validate(exchange["request"])
        VALID.validate(exchange["reply"])
    assert found[-1]["reply"]["terminated"]


@pytest.mark.parametrize(
    "message",
    [
        {"op": "reset"},
        {"op": "reset", "task": "x", "budget": {"steps": 0}},
        {"op": "step"},
        {"op": "step", "action": {}},
        {"op": "close", "now": True},
        {"ok": False, "protocol": 1, "error": {"code": "no-such-code", "message": ""}},
        {"ok": True, "protocol": 2, "op": "close"},
    ],
    ids=str,
)
def test_what_is_no_message_is_none_to_the_schema(message):
    assert not VALID.is_valid(message)


@pytest.mark.parametrize("family", EACH)
def test_the_solution_earns_1_and_its_claim_is_right(player, each_task, family):
    player.reset(each_task[family])
    last = solve(player)
    assert (last["reward"], last["terminated"], last["truncated"]) == (1.0, True, False)
    verdict = last["info"]["verdict"]
    assert (verdict["status"], verdict["redLines"], verdict["reason"]) == ("scored", [], "")
    (record,) = player.records()
    assert (record["status"], record["reward"], record["attempt"]) == ("scored", 1.0, 1)


def test_the_reward_is_null_until_the_end(player, document_task):
    first = player.reset(document_task)
    second = player.step("read_page", page=1)
    assert (first["reward"], second["reward"]) == (None, None)
    assert "verdict" not in second["info"]


def test_the_tools_are_told_as_functions(player, document_task):
    tools = player.reset(document_task)["info"]["tools"]
    assert [tool["function"]["name"] for tool in tools] == [
        "search_doc",
        "read_page",
        "edit_text",
        "submit",
        "defer",
    ]
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(tool["function"]["parameters"])


@pytest.mark.tex
@pytest.mark.parametrize(("claim", "matches"), [("solved", False), ("unsolved", True), ("partial", False)])
def test_a_claim_is_compared_with_the_verdict(player, paper_task, claim, matches):
    player.reset(paper_task)
    verdict = player.step("submit", claim=claim)["info"]["verdict"]
    assert (verdict["claim"], verdict["claimMatches"], verdict["reward"]) == (claim, matches, 0.0)


def test_to_defer_is_to_end_with_the_claim_that_it_is_not_solved(player, document_task):
    player.reset(document_task)
    last = player.step("defer", reason="too hard")
    assert last["terminated"]
    assert last["info"]["verdict"]["claimMatches"] is True
    assert player.records()[0]["reason"] == "deferred: too hard"


def test_running_out_of_steps_judges_the_work_as_it_stands(player, document_task):
    reset = player.reset(document_task, budget={"steps": 2})
    assert reset["obs"]["public"]["stepsLeft"] == 2
    assert not player.step("read_page", page=1)["truncated"]
    last = player.step("nonsense")
    assert (last["terminated"], last["truncated"], last["reward"]) == (False, True, 0.0)
    assert last["obs"]["public"]["refused"]
    assert player.records()[0]["reason"] == "out of steps"


def test_a_document_gives_no_more_turns_than_its_task_does(player, document_task):
    reset = player.reset(document_task, budget={"steps": 10_000})
    turns = json.loads((document_task / "tests" / "task.json").read_text("utf-8"))["max_turns"]
    assert reset["info"]["budget"]["steps"] == turns


@pytest.mark.tex
def test_running_out_of_seconds_of_building_ends_the_episode_and_what_is_built_already_costs_none(player, paper_task):
    player.reset(paper_task)
    first, again = player.step("compile"), player.step("compile")
    assert first["info"]["timings"]["building"] > 0
    assert again["info"]["timings"]["building"] == 0
    assert first["obs"]["private"] == again["obs"]["private"]
    player.host.leave("enough")
    player.reset(paper_task, budget={"compileSeconds": 0.001})
    last = player.step("compile")
    assert (last["truncated"], last["info"]["compileSecondsLeft"]) == (True, 0)
    assert player.records()[-1]["reason"] == "out of compile seconds"


def test_only_the_agents_steps_count_and_each_party_is_told_what_others_changed(player, document_task):
    player.reset(document_task, budget={"steps": 5})
    line = player.say("read_page", page=1).split("\n")[0]
    edit = {"page": 1, "old_text": line, "new_text": "By hand"}
    theirs = player.step("edit_text", role="human", **edit)
    assert theirs["obs"]["public"]["stepsLeft"] == 4
    assert theirs["events"] == []
    event = {"role": "human", "step": 2, "action": "edit_text", "changed": ["page-01.txt"]}
    mine = player.step("read_page", page=1)
    assert mine["events"] == [event]
    assert mine["obs"]["private"]["text"].startswith("By hand")
    assert player.step("read_page", page=1)["events"] == []
    back = {"page": 1, "old_text": "By hand", "new_text": line}
    assert player.step("edit_text", **back)["events"] == []
    told = player.step("read_page", role="human", page=1)["events"]
    assert [(one["role"], one["step"]) for one in told] == [("agent", 5)]
    assert player.step("read_page", role="system", page=1)["events"] == [event, told[0]]


@pytest.mark.tex
def test_others_work_on_a_paper_at_no_cost_and_the_agent_is_told_what_they_changed_and_nothing_else(player, paper_task):
    player.reset(paper_task, budget={"steps": 4, "compileSeconds": 60})
    before = player.step("read", path="main.tex", to_line=3)
    assert before["obs"]["public"]["stepsLeft"] == 3
    theirs = player.step("edit", role="human", path="main.tex", old="An otter", new="One otter")
    noted = player.step("write", role="simulator", path="notes.txt", text="a secret of the simulator's")
    built = player.step("compile", role="system")
    assert built["info"]["timings"]["building"] > 0
    for reply in (theirs, noted, built):
        assert reply["obs"]["public"]["stepsLeft"] == 3
        assert reply["info"]["compileSecondsLeft"] == 60
    assert [event["role"] for event in built["events"]] == ["human", "simulator"]
    mine = player.step("list_files")
    assert mine["events"] == [
        {"role": "human", "step": 2, "action": "edit", "changed": ["main.tex"]},
        {"role": "simulator", "step": 3, "action": "write", "changed": ["notes.txt"]},
    ]
    assert "secret" not in json.dumps(mine)
    assert "One otter" in player.say("read", path="main.tex")
    back = player.step("edit", role="human", path="main.tex", old="One otter", new="An otter")
    assert [event["role"] for event in back["events"]] == ["simulator"]
    last = player.step("check")
    assert ([event["step"] for event in last["events"]], last["truncated"]) == ([7], True)


def test_what_all_may_see_holds_nothing_that_an_action_was_answered(player, document_task):
    player.reset(document_task)
    for role in ("agent", "human", "simulator", "system"):
        reply = player.step("read_page", role=role, page=1)
        assert reply["obs"]["public"].keys() == {"step", "stepsLeft", "role", "action", "refused", "changed"}
        assert reply["obs"]["private"].keys() == {"text"}
        assert reply["obs"]["private"]["text"][:20] not in json.dumps(reply["obs"]["public"])


def test_others_cannot_end_the_agents_attempt(player, document_task):
    player.reset(document_task)
    for name, arguments in (("submit", {}), ("defer", {"reason": "I say so"})):
        reply = player.step(name, role="human", **arguments)
        assert reply["obs"]["public"]["refused"]
        assert not reply["terminated"]


def test_a_link_to_a_task_is_played_as_the_task(player, document_task, tmp_path):
    (tmp_path / "task").symlink_to(document_task)
    assert player.reset(tmp_path / "task")["obs"]["public"]["task"] == document_task.name
    assert solve(player)["reward"] == 1.0


def test_attempts_of_one_agent_at_one_task_are_numbered(player, document_task):
    for name in ("one", "two", "one"):
        player.reset(document_task, agent={"name": name})
        player.step("submit")
    assert [(record["agent"], record["attempt"]) for record in player.records()] == [("one", 1), ("two", 1), ("one", 2)]


def test_the_target_of_a_picture_is_in_nothing_that_is_told(player, each_task):
    player.reset(each_task["ocr"])
    target = ocr_solution(player)
    player.step("answer", latex="nothing of the kind")
    folder = player.folder()
    for path in folder.rglob("*"):
        if path.is_file():
            assert target.encode() not in path.read_bytes(), path
    assert (folder / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_an_answer_that_is_overlong_is_rejected_and_its_twin_is_not(player, each_task):
    player.reset(each_task["ocr"])
    target = ocr_solution(player)
    last = player.step("answer", latex=target + " " * 100_000)
    assert (last["reward"], last["info"]["verdict"]["status"]) == (0.0, "rejected")
    player.reset(each_task["ocr"])
    assert player.step("answer", latex=f"{target} ")["reward"] == 1.0


def test_an_action_before_the_first_reset_and_after_the_last_step_is_refused(player, document_task):
    assert code(player.step("submit")) == "no-episode"
    assert code(player.host.take({"op": "close"})) == "no-episode"
    player.reset(document_task)
    player.step("submit")
    assert code(player.step("submit")) == "episode-over"
    assert player.host.take({"op": "close"})["ok"]
    assert len(player.records()) == 1
