"""Episodes played by hand: a host, the transcripts that it leaves, and every action of each family."""

from __future__ import annotations

import json
from pathlib import Path

from lattice_env.sessions.host import Host


class Player:
    """Talks to a host in the protocol's own words."""

    def __init__(self, episodes: Path, **shared) -> None:
        self.host = Host(episodes, **shared)
        self.episodes = episodes

    def reset(self, task, **more):
        return self.host.take({"op": "reset", "task": str(task), **more})

    def step(self, name, /, role="agent", **arguments):
        return self.host.take({"op": "step", "role": role, "action": {"type": name, **arguments}})

    def say(self, name, /, **arguments):
        """What a step is answered, as text; it must be done and not refused."""
        reply = self.step(name, **arguments)
        assert reply["ok"], reply
        assert not reply["obs"]["public"]["refused"], reply
        return reply["obs"]["private"]["text"]

    def refused(self, name, /, **arguments):
        """Why a step is refused."""
        reply = self.step(name, **arguments)
        assert reply["ok"], reply
        assert reply["obs"]["public"]["refused"], reply
        assert not reply["obs"]["public"]["changed"]
        return reply["obs"]["private"]["text"]

    def records(self):
        place = self.episodes / "episodes.jsonl"
        return [json.loads(line) for line in place.read_text("utf-8").splitlines()] if place.exists() else []

    def folder(self):
        """The folder of the episode that is open, or else of the last that was played."""
        return self.host.episode.folder if self.host.episode else self.episodes / self.records()[-1]["episode"]


def solve(player: Player) -> dict:
    """The last reply after the actions of the solution."""
    for action in player.host.episode.session.solution():
        reply = player.step(action.name, **action.arguments)
        assert reply["ok"], reply
    return reply


def code(reply):
    """The code of an error's reply."""
    assert not reply["ok"], reply
    return reply["error"]["code"]


EVERY_ACTION = {
    "paper": [
        ("list_files", {}),
        ("read", {"path": "main.tex", "from_line": 1, "to_line": 5}),
        ("search", {"text": "otter"}),
        ("compile", {}),
        ("pdf_text", {}),
        ("read", {"path": "main.log"}),
        ("check", {}),
        ("write", {"path": "main.tex", "text": "@solution"}),
        ("compile", {}),
        ("compile", {}),
        ("pdf_text", {"page": 1}),
        ("synctex", {"path": "main.tex", "line": 11}),
        ("synctex_inverse", {"page": 1, "x": 200, "y": 200}),
        ("edit", {"path": "main.tex", "old": "An otter", "new": "One otter"}),
        ("read", {"path": "main.fls"}),
        ("nonsense", {}),
        ("submit", {"claim": "partial"}),
    ],
    "document": [
        ("search_doc", {"query": "total"}),
        ("read_page", {"page": 1}),
        ("edit_text", {"page": 1, "old_text": "@line", "new_text": "Another line"}),
        ("edit_text", {"page": 99, "old_text": "a", "new_text": "b"}),
        ("submit", {}),
    ],
    "ocr": [("answer", {"latex": "x^2"})],
}
"""Every action of each family; `@solution` and `@line` stand for what only the task at hand can tell."""


KINDS = {
    "build-repair": "paper",
    "reference-hygiene": "paper",
    "silent-change": "paper",
    "reference-and-update": "document",
    "audit-and-correct": "document",
    "latex-ocr": "ocr",
}
"""The families, each with the actions that it has."""


def play_every(player: Player, task: str, kind: str, *, end: tuple | None = None) -> Path:
    """The folder of an episode in which every action was taken; `end` is one for the last one's place."""
    assert player.reset(task, agent={"name": "every"})["ok"]
    session = player.host.episode.session
    actions = EVERY_ACTION[kind]
    for name, arguments in [*actions[:-1], end] if end else actions:
        player.step(name, **{key: _meant(value, session) for key, value in arguments.items()})
    assert player.host.episode is None
    return player.folder()


def _meant(value, session):
    if value == "@solution":
        return session.spec.original["main.tex"].decode()
    if value == "@line":
        return session.spec.initial[session.spec.editable[0]].decode().split("\n")[0]
    return value


def ocr_solution(player):
    """The right answer to the picture that is shown."""
    return player.host.episode.session.solution()[0].arguments["latex"]
