"""verifiers' own commands and TRL's own rollouts play LaTeX OCR; what each answer earns is what the function pays."""

from __future__ import annotations

import http.server
import json
import os
import socket
import subprocess
import threading
import time
import urllib.request
from base64 import b64encode
from pathlib import Path

import pytest

from lattice_env.families.latex_ocr.settings import Settings
from lattice_env.families.latex_ocr.source import open_source
from lattice_env.verifier.transcription import score

pytestmark = pytest.mark.consumers
ROOT = Path(__file__).parents[2]
BIN = ROOT / ".consumers" / "latex-ocr" / "bin"
TRAIN = open_source(Settings(dataset="builtin")).splits["train"]
ROWS = [TRAIN.row(index) for index in range(6)]
ANSWERS = [f"${row.latex}$" if index % 2 == 0 else row.latex[: 5 * index] for index, row in enumerate(ROWS)]
"""Right on even rows; the beginning of the formula on odd ones."""
KNOWN = {b64encode(row.picture).decode(): answer for row, answer in zip(ROWS, ANSWERS, strict=True)}


class Endpoint(http.server.BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint whose model knows the pictures."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        parts = asked["messages"][-1]["content"]
        (url,) = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        message = {"role": "assistant", "content": KNOWN[url.removeprefix("data:image/png;base64,")]}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": asked["model"]}
        body |= {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
        body |= {"usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_words):
        pass


@pytest.fixture
def endpoint():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def run(folder, *words):
    if not BIN.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail("scripts/consumers latex-ocr was not run")
        pytest.skip("scripts/consumers latex-ocr makes its environment")
    settings = {"SCRIPTED_KEY": "none", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [BIN / words[0], *words[1:]],
        cwd=folder,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout + done.stderr


def test_vf_validate_finds_every_task_valid(tmp_path):
    told = run(tmp_path, "vf-validate", "latex-ocr", "-n", "6", "--runtime.type", "subprocess")
    assert "6 valid" in told or "valid 6" in told, told


def test_vf_eval_pays_what_the_server_pays(tmp_path, endpoint):
    words = ["-m", "scripted", "-n", "6", "-r", "1", "--client.base-url", endpoint]
    run(tmp_path, "vf-eval", "latex-ocr", *words, "--client.api-key-var", "SCRIPTED_KEY", "--no-push")
    (path,) = tmp_path.glob("outputs/*/traces.jsonl")
    episodes = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rewards = {row["task"]["data"]["row"]: row["traces"][0]["rewards"]["transcription"]["score"] for row in episodes}
    wanted = [score(answer, row.latex).reward for answer, row in zip(ANSWERS, ROWS, strict=True)]
    assert [rewards[index] for index in range(6)] == wanted
    assert wanted.count(1) == 3
    saved = "".join(json.dumps(row["task"]) for row in episodes)
    assert all(json.dumps(row.latex)[1:-1] not in saved for row in ROWS), "a task's data tells its target"


# --- TRL -----------------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path):
    """A real server of the built-in corpus, in its own environment."""
    program = ROOT / ".venv-openenv" / "bin" / "latex-ocr-server"
    if not program.exists():
        pytest.skip("make openenv makes the server's environment")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    settings = {"LATEX_OCR_DATASET": "builtin", "PATH": "/usr/bin"}
    with subprocess.Popen([program, "--port", str(port), "--no-web"], env=settings) as process:
        url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + 300
        while not _answers(f"{url}/healthz"):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.5)
        yield url
        process.terminate()


def _answers(url):
    try:
        with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - our own server
            return True
    except OSError:
        return False


def test_trl_s_rollouts_are_paid_what_the_function_pays(server, tmp_path):
    """Two rows, a group of two rollouts each: TRL resets, shows the picture, calls the tool and asks for the reward."""
    python = ROOT / ".consumers" / "trl-openenv" / "bin" / "python"
    if not python.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("scripts/consumers trl-openenv was not run")
        pytest.skip("scripts/consumers trl-openenv makes its environment")
    first, second = ROWS[0].latex, ROWS[1].latex
    answers = [first, first[:20], second[:9], f"```latex\n{second}\n```"]
    line = [python, ROOT / "tests" / "consumers" / "run_trl.py", server, "train", "2", json.dumps(answers)]
    settings = {"HF_HUB_OFFLINE": "1", "TRL_EXPERIMENTAL_SILENCE": "1"}
    done = subprocess.run(
        line, env=os.environ | settings, cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    targets = [first, first, second, second]
    wanted = [score(answer, target).reward for answer, target in zip(answers, targets, strict=True)]
    assert told["rewards"] == wanted
    assert told["pictures"] >= 4
