"""Episodes that share a machine: their builds take turns, and a build that is remembered takes none."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from lattice_env.sessions.machine import Machine

from .players import Player

pytestmark = pytest.mark.tex


class Turn:
    """One turn at a time, that knows how many it gave and whether somebody had to wait."""

    def __init__(self):
        self._one = threading.BoundedSemaphore(1)
        self.given, self.waited = 0, 0

    def __enter__(self):
        if not self._one.acquire(blocking=False):
            self.waited += 1
            self._one.acquire()
        self.given += 1

    def __exit__(self, *_):
        self._one.release()


def test_builds_of_two_episodes_take_turns(paper_task, tmp_path):
    turn = Turn()
    players = [Player(tmp_path / name, machine=Machine(building=turn)) for name in ("one", "two")]
    for player in players:
        assert player.reset(paper_task)["ok"]

    both = threading.Barrier(2, timeout=60)

    def play(player):
        player.say("read", path="main.tex")
        both.wait()
        return [player.say("compile"), player.say("compile")]

    with ThreadPoolExecutor(2) as threads:
        (first, again), other = threads.map(play, players)
    assert first == again == other[0]
    assert (turn.given, turn.waited) == (2, 1)
