"""The server as clients see it: an episode, the task list, and what it refuses without harm to others."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from lattice_env.adapters.latex_ocr.light import LightClient
from lattice_env.errors import EpisodeError
from lattice_env.families.latex_ocr.judge import MOST_CHARACTERS
from lattice_env.families.latex_ocr.png import grey_png, is_whole_png
from lattice_env.verifier.transcription import score

from .conftest import ask, running

pytestmark = pytest.mark.openenv
NAME = "latex_ocr_env"
PICTURE = grey_png(b"P5 3 2 255\n" + bytes(range(6)))


def target_of(server, split, index):
    return server.served.source.splits[split].row(index).latex


# --- an episode ----------------------------------------------------------------------------------


def test_an_episode_shows_a_picture_and_pays_what_the_function_pays(server):
    target = target_of(server, "test", 5)
    with LightClient(server.url) as client:
        shown = client.reset(split="test", index=5)
        assert is_whole_png(shown.picture)
        assert (shown.reward, shown.done) == (None, False)
        assert (shown.observation["split"], shown.observation["index"]) == ("test", 5)
        assert shown.observation["prompt"]
        judged = client.step(target.replace("a", "q"))
    parts = score(target.replace("a", "q"), target)
    assert (judged.reward, judged.done) == (parts.reward, True)
    assert judged.observation["target_latex"] == target
    assert judged.observation["char_error_rate"] == parts.char_error_rate
    assert judged.observation["metadata"]["characters"] == parts.to_json()


def test_the_same_seed_shows_the_same_picture_to_every_session(server):
    with LightClient(server.url) as one, LightClient(server.url) as other:
        assert one.reset(seed=7).picture == other.reset(seed=7).picture


def test_typed_client_plays_synchronously(server):
    from lattice_env.adapters.latex_ocr.client import LatexOCREnv
    from lattice_env.adapters.latex_ocr.models import LatexOCRAction

    target = target_of(server, "train", 0)
    with LatexOCREnv(base_url=server.url).sync() as client:
        assert client.reset(split="train", index=0).observation.image_base64
        result = client.step(LatexOCRAction(latex=f"$${target}$$"))
        assert (result.reward, result.done, result.observation.exact_match) == (1.0, True, True)
        assert [split["name"] for split in client.list_splits()] == ["train", "test"]
        assert client.num_tasks("test") == len(client.list_tasks("test"))
        assert client.get_task("test", 3) == client.get_task_range("test", 3, 4)[0]
        with pytest.raises(EpisodeError, match="no split") as refused:
            client.reset(split="nope")
        assert refused.value.code == "unknown-split"
        with pytest.raises(EpisodeError, match="no split"):
            client.num_tasks("nope")


def test_typed_client_plays_asynchronously(server):
    from lattice_env.adapters.latex_ocr.client import LatexOCREnv
    from lattice_env.adapters.latex_ocr.models import LatexOCRAction

    async def play():
        async with LatexOCREnv(base_url=server.url) as client:
            shown = await client.reset(split="test", index=1)
            state = await client.state()
            judged = await client.step(LatexOCRAction(latex=target_of(server, "test", 1)))
            return shown, state, judged, await client.num_tasks("test")

    shown, state, judged, count = asyncio.run(play())
    assert (shown.observation.index, state.index, judged.reward) == (1, 1, 1.0)
    assert count == server.served.source.splits["test"].size


# --- E7: the target asked for --------------------------------------------------------------------


def test_e7_the_target_is_nowhere_before_the_step(server):
    """The longest target, looked for in everything that a client can ask for while the episode is open."""
    rows = [target_of(server, "test", index) for index in range(server.served.source.splits["test"].size)]
    index, target = max(enumerate(rows), key=lambda pair: len(pair[1]))
    told = []
    with LightClient(server.url) as client:
        told.append(json.dumps(dict(client.reset(split="test", index=index).observation)))
        told.append(client.exchange(json.dumps({"type": "state"})))
        for kind, data in (("reveal", {}), ("step", {}), ("step", {"latex": None}), ("reset", {"index": target[:9]})):
            told.append(client.exchange(json.dumps({"type": kind, "data": data})))
        paths = ("state", "metadata", "schema", "healthz", "openapi.json", f"{NAME}/splits")
        told += [json.dumps(ask(f"{server.url}/{path}")) for path in paths]
        routes, body = ("tasks", "task", "task_range", "num_tasks"), {"split": "test", "index": index}
        told += [json.dumps(ask(f"{server.url}/{NAME}/{route}", body)) for route in routes]
        told.append(json.dumps(ask(f"{server.url}/step", {"action": {"latex": "x"}})))
    assert all(json.dumps(target)[1:-1] not in text for text in told)


def test_e7_twin_after_the_step_the_target_is_told(server):
    with LightClient(server.url) as client:
        client.reset(split="test", index=2)
        assert client.step("").observation["target_latex"] == target_of(server, "test", 2)


def test_e7_a_second_session_cannot_replay_a_target_that_is_not_revealed():
    environment = {"LATEX_OCR_DATASET": "builtin", "LATEX_OCR_REVEAL_TARGET": "0"}
    with running(environment) as server, LightClient(server.url) as one, LightClient(server.url) as other:
        one.reset(split="test", index=4)
        told = one.step("x").observation
        assert told["target_latex"] == ""
        assert target_of(server, "test", 4) not in json.dumps(dict(told))
        other.reset(split="test", index=4)
        assert other.step(told["target_latex"]).reward == 0


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"split": "nope"}, "unknown-split"),
        ({"split": 3}, "unknown-split"),
        ({"index": 10**9}, "bad-index"),
        ({"index": -1}, "bad-index"),
        ({"index": 1.0}, "bad-index"),
        ({"index": "0"}, "bad-index"),
        ({"index": True}, "bad-index"),
        ({"seed": "x"}, "bad-seed"),
    ],
    ids=str,
)
def test_a_wrong_reset_is_a_typed_error_and_the_session_lives(server, asked, code):
    with LightClient(server.url) as client:
        with pytest.raises(EpisodeError) as refused:
            client.reset(**asked)
        assert refused.value.code == code
        assert client.reset(index=0).picture


def test_a_step_before_reset_is_a_typed_error(server):
    with LightClient(server.url) as client:
        with pytest.raises(EpisodeError, match="no episode") as refused:
            client.step("x")
        assert refused.value.code == "not-reset"
        assert client.reset(index=0).picture


def test_a_second_step_is_a_typed_error(server):
    with LightClient(server.url) as client:
        client.reset(index=0)
        client.step("x")
        with pytest.raises(EpisodeError, match="is over"):
            client.step("x")


def test_an_answer_of_10_megabytes_is_refused_and_the_episode_stays_open(server):
    with LightClient(server.url) as client, LightClient(server.url) as other:
        client.reset(split="test", index=0)
        other.reset(split="test", index=0)
        with pytest.raises(EpisodeError) as refused:
            client.step("x" * 10_000_000)
        assert refused.value.code == "answer-too-long"
        assert other.step(target_of(server, "test", 0)).reward == 1
        assert client.step(target_of(server, "test", 0)).reward == 1


HOSTILE = {"the longest": "x" * MOST_CHARACTERS, "NUL": "x\0y", "lone surrogate": "\ud800", "escapes": "\\" * 1000}


@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_answer_is_judged(server, answer):
    with LightClient(server.url) as client:
        client.reset(index=0)
        assert client.step(answer).reward < 0.2


@pytest.mark.parametrize(("sent", "read"), [(12, "12"), (0.5, "0.5"), ("x", "x")])
def test_a_number_that_a_harness_made_of_an_answer_is_text_again(server, sent, read):
    with LightClient(server.url) as client:
        client.reset(index=0)
        assert client.step(sent).observation["predicted_latex"] == read


@pytest.mark.parametrize("frame", ["{", "[]", "5", '{"type": "step"}', '{"type": "nope"}', "[" * 100_000])
def test_a_frame_that_is_none_is_an_error_to_its_sender_alone(server, frame):
    with LightClient(server.url) as client, LightClient(server.url) as other:
        other.reset(split="test", index=0)
        assert json.loads(client.exchange(frame))["type"] == "error"
        assert other.step(target_of(server, "test", 0)).reward == 1


def test_http_says_what_was_wrong(server):
    status, told = ask(f"{server.url}/reset", {"split": "nope"})
    assert (status, told["code"]) == (400, "unknown-split")
    assert ask(f"{server.url}/step", {"action": {"latex": "x"}})[1]["code"] == "not-reset"
    assert ask(f"{server.url}/{NAME}/task", {"split": "test", "index": 10**6})[1]["code"] == "bad-index"
    assert ask(f"{server.url}/{NAME}/task", {"split": "test", "index": 1.5})[0] == 422
    assert ask(f"{server.url}/other/splits")[0] == 404


def write_labelled(folder, rows):
    folder.mkdir()
    (folder / "a.png").write_bytes(PICTURE)
    (folder / "broken.png").write_bytes(PICTURE[:-5])
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_a_corrupt_row_is_a_typed_error_to_who_asked_for_it_alone(tmp_path):
    write_labelled(tmp_path / "d", [{"image": "broken.png", "text": "x"}, {"image": "a.png", "text": "y"}])
    served = running({"LATEX_OCR_DATASET": str(tmp_path / "d")})
    with served as server, LightClient(server.url) as client, LightClient(server.url) as other:
        other.reset(index=1)
        with pytest.raises(EpisodeError) as refused:
            client.reset(index=0)
        assert refused.value.code == "bad-row"
        assert other.step("y").reward == 1
        client.reset(index=1)
        assert client.step("y").reward == 1


def test_a_data_set_without_rows_is_served_as_one_and_refuses_each_reset_by_name(tmp_path):
    write_labelled(tmp_path / "d", [])
    with running({"LATEX_OCR_DATASET": str(tmp_path / "d")}) as server, LightClient(server.url) as client:
        with pytest.raises(EpisodeError) as refused:
            client.reset()
        assert refused.value.code == "empty-split"


# --- stream --------------------------------------------------------------------------------------


def test_a_stream_is_walked_by_each_session_on_its_own():
    environment = {"LATEX_OCR_DATASET": "builtin", "LATEX_OCR_MODE": "stream", "LATEX_OCR_MAX_ROWS": "3"}
    with running(environment) as server, LightClient(server.url) as one, LightClient(server.url) as other:
        walked = [one.reset(split="test").observation for _ in range(4)]
        assert [(place["index"], place["pct_done"], place["remaining"]) for place in walked] == [
            (0, round(1 / 3, 6), 2),
            (1, round(2 / 3, 6), 1),
            (2, 1.0, 0),
            (3, 1.0, 0),
        ]
        assert [place["exhausted"] for place in walked] == [False, False, False, True]
        assert other.reset(split="test").observation["index"] == 0
        with pytest.raises(EpisodeError, match="no rows by number"):
            one.reset(split="test", index=0)
        assert ask(f"{server.url}/{NAME}/tasks", {"split": "test"})[0] == 501
        assert ask(f"{server.url}/{NAME}/num_tasks", {"split": "test"}) == (200, {"num_tasks": 3})


# --- the reward that prints ------------------------------------------------------------------------


@pytest.mark.tex
def test_eight_sessions_are_judged_by_what_tex_prints():
    """Every second answer spells its formula otherwise, the rest print one sign more."""
    with running({"LATEX_OCR_DATASET": "builtin", "LATEX_OCR_REWARD": "render"}) as server:

        def play(index):
            target = target_of(server, "test", index)
            with LightClient(server.url) as client:
                client.reset(split="test", index=index)
                judged = client.step(f"{{}}{target}" if index % 2 else f"{target}+q")
            return judged.reward, judged.observation["metadata"]["printed"]

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(play, range(8)))
    assert found == [(0.0, "different"), (1.0, "same")] * 4


# --- what it says about itself ---------------------------------------------------------------------


def test_the_sessions_are_told_to_prometheus(server):
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=30) as reply:  # noqa: S310 - our own server
        assert reply.headers["content-type"].startswith("text/plain")
        text = reply.read().decode()
    assert "# TYPE latex_ocr_sessions gauge\nlatex_ocr_sessions " in text
    assert "latex_ocr_sessions_limit 16\n" in text


def test_health_tells_what_is_served(server):
    status, told = ask(f"{server.url}/healthz")
    assert (status, told["status"], told["dataset"], told["mode"]) == (200, "ok", "builtin", "materialize")
    assert told["splits"] == {name: split.size for name, split in server.served.source.splits.items()}


def test_openenv_s_own_probe_of_a_running_server_passes(server):
    from openenv.cli._validation import validate_running_environment

    report = validate_running_environment(server.url, timeout_s=30)
    assert report["passed"], [row for row in report["criteria"] if not row["passed"]]
