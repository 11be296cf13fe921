"""Many sessions on one server: rewards as the function pays them, and slots that come back."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from lattice_env.adapters.latex_ocr.light import LightClient
from lattice_env.errors import EpisodeError
from lattice_env.verifier.transcription import score

from .conftest import running, wait_for_sessions

pytestmark = pytest.mark.openenv
SESSIONS, EPISODES, KILLED = 16, 1000, 200

LEAVER = """
import sys, time
from lattice_env.adapters.latex_ocr.light import LightClient
clients = [LightClient(sys.argv[1]).__enter__() for _ in range(int(sys.argv[2]))]
for client in clients:
    client.reset(index=0)
print("playing", flush=True)
time.sleep(60)
"""


def play(server, first, count):
    """Play every sixteenth episode; the rewards that were not those of the function."""
    split, wrong = server.served.source.splits["train"], []
    with LightClient(server.url) as client:
        for number in range(first, count, SESSIONS):
            index = number % split.size
            target = split.row(index).latex
            answer = target if number % 3 == 0 else target[: number % 40] + r"\beta" * (number % 4)
            client.reset(split="train", index=index)
            reward = client.step(answer).reward
            if reward != score(answer, target).reward:
                wrong.append((number, reward))
    return wrong


def play_all(server):
    with ThreadPoolExecutor(SESSIONS) as pool:
        return [
            row for found in pool.map(lambda first: play(server, first, EPISODES), range(SESSIONS)) for row in found
        ]


def test_a_thousand_episodes_by_16_sessions_and_the_same_after_200_clients_were_killed(server):
    wait_for_sessions(server.url, 0)
    assert play_all(server) == []
    wait_for_sessions(server.url, 0)
    killed = 0
    while killed < KILLED:
        count = min(SESSIONS, KILLED - killed)
        command = [sys.executable, "-c", LEAVER, server.url, str(count)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as leaver:
            assert leaver.stdout.readline() == "playing\n"
            os.kill(leaver.pid, signal.SIGKILL)
        killed += count
        wait_for_sessions(server.url, 0)
    assert play_all(server) == []


def test_a_session_too_many_is_refused_by_name_and_a_slot_comes_back():
    with running({"LATEX_OCR_DATASET": "builtin", "LATEX_OCR_MAX_SESSIONS": "1"}) as server:
        with LightClient(server.url) as first:
            first.reset(index=0)
            with pytest.raises(EpisodeError) as refused, LightClient(server.url) as second:
                second.reset(index=0)
            assert refused.value.code == "capacity-reached"
        wait_for_sessions(server.url, 0)
        with LightClient(server.url) as third:
            assert third.reset(index=0).picture


def test_a_half_open_socket_frees_its_slot():
    """A peer that is there and never answers, as one behind a cable that was pulled."""
    with running({"LATEX_OCR_DATASET": "builtin", "LATEX_OCR_MAX_SESSIONS": "1"}, ping_seconds=1) as server:
        host, port = server.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as silent:
            key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
            upgrade = f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}\r\n\r\n"
            silent.sendall(upgrade.encode())
            assert b"101" in silent.recv(1000)
            wait_for_sessions(server.url, 1)
            wait_for_sessions(server.url, 0)
            with LightClient(server.url) as client:
                assert client.reset(index=0).picture
