"""No test here is timed."""

from __future__ import annotations

import pytest
from hypothesis import settings

from .players import Player

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture
def player(tmp_path):
    """A player at an empty folder of episodes."""
    player = Player(tmp_path / "episodes")
    yield player
    player.host.leave("the test is over")
