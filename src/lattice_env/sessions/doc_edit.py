"""Doc-edit as a session: its four tools over pages that are written to the workspace as they change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lattice_env.actions import DEFER, Action, RefusedError, Reply, Tool
from lattice_env.errors import EpisodeError
from lattice_env.families.doc_edit import session as document
from lattice_env.families.doc_edit.instruction import write_prompt
from lattice_env.families.doc_edit.oracle import edits
from lattice_env.verifier.edit_spec import EditSpec

from .bench import Bench
from .protocol import Code

_ENDLESS = 1 << 40
"""Turns of the document's own count, which is not the one that ends an episode: others than the agent may act."""


@dataclass
class DocEditSession:
    """One attempt at a document."""

    spec: EditSpec
    bench: Bench
    _document: document.Session = field(init=False)

    def __post_init__(self) -> None:
        self._document = document.Session(replace(self.spec, max_turns=_ENDLESS))
        self.facts = self.bench.facts
        self.tools: Mapping[str, Tool] = {**document.TOOLS, DEFER.name: DEFER}
        self.most_steps = self.spec.max_turns

    def begin(self) -> Reply:
        """The request, and what the tools do."""
        return Reply(write_prompt(self.spec.request, len(self.spec.editable), self.spec.max_turns))

    def act(self, action: Action) -> Reply:
        """What a tool answers; an edited page is written at once."""
        self.bench.workspace.check()
        if action.name == DEFER.name:
            return Reply("The attempt is given up.", ended=True)
        reply = self._document.act(action.name, action.arguments)
        if reply.refused:
            return reply
        if action.name == "edit_text":
            number: int = action.arguments["page"]
            page = self.spec.editable[number - 1]
            self._put(page)
            return replace(reply, changed=(page,))
        return replace(reply, ended=action.name == "submit")

    def _put(self, page: str) -> None:
        """Write a page as it is in memory; without that the attempt cannot go on."""
        try:
            self.bench.workspace.replace(page, self._document.files()[page].decode())
        except RefusedError as error:
            raise EpisodeError(Code.WORKSPACE_GONE, f"a page cannot be written: {error}") from error

    def judge(self) -> Mapping[str, Any]:
        """What the package's verifier says of the pages."""
        return self.bench.judge()

    def solution(self) -> Sequence[Action]:
        """The edits of the reference, and the submission."""
        return [*_edits(self.spec), Action("submit")]


def _edits(spec: EditSpec) -> Iterator[Action]:
    for page, old, new in edits(spec):
        yield Action("edit_text", {"page": page, "old_text": old, "new_text": new})
