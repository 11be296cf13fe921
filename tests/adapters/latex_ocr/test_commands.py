"""The console scripts: smoke, validator and server say what is wrong, and what they found."""

from __future__ import annotations

import http.server
import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lattice_env.adapters.latex_ocr import smoke, validate
from lattice_env.adapters.latex_ocr.light import LightClient

from .conftest import ask, wait_for_sessions

pytestmark = pytest.mark.openenv
ROOT = Path(__file__).parents[3]


def test_smoke_is_sound_on_the_built_in_corpus_in_both_modes(monkeypatch, capsys):
    monkeypatch.setenv("LATEX_OCR_DATASET", "builtin")
    for mode in ("materialize", "stream"):
        monkeypatch.setenv("LATEX_OCR_MODE", mode)
        assert smoke.main() == 0
        assert capsys.readouterr().out == f"builtin (train 317, test 83), {mode}: sound\n"


def test_smoke_says_what_is_wrong_with_the_data(monkeypatch, capsys, tmp_path):
    (tmp_path / "labels.jsonl").write_text('{"image": "none.png", "text": "x"}\n', "utf-8")
    monkeypatch.setenv("LATEX_OCR_DATASET", str(tmp_path))
    assert smoke.main() == 4
    assert "row 0 of train is not whole" in capsys.readouterr().err


def test_smoke_says_which_variable_is_wrong(monkeypatch, capsys):
    monkeypatch.setenv("LATEX_OCR_MODE", "both")
    assert smoke.main() == 2
    assert "LATEX_OCR_MODE cannot be 'both'" in capsys.readouterr().err


def test_the_validator_plays_empty_answers_without_a_model(server, capsys, monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert validate.main(["--base-url", server.url, "--split", "test", "--num", "4"]) == 0
    assert json.loads(capsys.readouterr().out) == {"episodes": 4, "exact": 0, "mean_reward": 0.0}


class Model(http.server.BaseHTTPRequestHandler):
    """An endpoint that answers everything with the formula it was told."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        picture = asked["messages"][0]["content"][1]["image_url"]["url"]
        content = self.server.answer if picture.startswith("data:image/png;base64,iVBOR") else ""
        body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words):
        pass


def test_the_validator_plays_a_model_that_sees_the_picture(server, capsys):
    with http.server.HTTPServer(("127.0.0.1", 0), Model) as endpoint:
        endpoint.answer = server.served.source.splits["test"].row(0).latex
        threading.Thread(target=endpoint.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{endpoint.server_port}"
        assert validate.main(["--base-url", server.url, "--num", "1", "--endpoint", url, "--model", "m"]) == 0
        endpoint.shutdown()
    assert json.loads(capsys.readouterr().out) == {"episodes": 1, "exact": 1, "mean_reward": 1.0}


def test_the_validator_says_that_no_server_is_there(capsys):
    assert validate.main(["--base-url", "http://127.0.0.1:9"]) == 2
    assert "is latex-ocr-server running there?" in capsys.readouterr().err


@pytest.mark.slow
def test_the_server_s_command_serves_with_two_workers():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "lattice_env.adapters.latex_ocr.server", "--port", str(port), "--workers", "2"]
    with subprocess.Popen(
        command, env={"LATEX_OCR_DATASET": "builtin", "PATH": "/usr/bin"}, stderr=subprocess.PIPE
    ) as run:
        url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + 300
        while True:
            try:
                ask(f"{url}/healthz")
                break
            except OSError:
                assert run.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.5)
        clients = [LightClient(url) for _ in range(8)]
        for client in clients:
            client.__enter__()
        assert all(client.reset(index=1).picture for client in clients)
        assert all(client.step("x").done for client in clients)
        for client in clients:
            client.__exit__()
        wait_for_sessions(url, 0)
        run.terminate()
        run.stderr.close()


@pytest.mark.slow
def test_openenv_validates_the_package():
    program = shutil.which("openenv", path=str(Path(sys.executable).parent))
    command = [program, "validate", str(ROOT / "environments/latex_ocr"), "--level", "static", "--skip-build"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, "Verdict: PASS" in done.stdout) == (0, True), done.stdout
