"""One attempt at a task's document through the four tools, and the verdict on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lattice_env.actions import Reply, Tool
from lattice_env.verifier import Verdict, verify
from lattice_env.verifier.edit_spec import EditSpec
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.verdict import INFRA_ERROR

from .desk import MOST_HITS, MOST_QUERY, MOST_TEXT, TOOLS, Desk

__all__ = ["MOST_HITS", "MOST_QUERY", "MOST_TEXT", "TOOLS", "Reply", "Session", "Tool", "judge_attempt"]


class Session:
    """A desk with a task's document on it, and the verifier behind it."""

    def __init__(self, spec: EditSpec) -> None:
        self.spec = spec
        pages = [spec.initial[name].decode().removesuffix("\n") for name in spec.editable]
        self._desk = Desk(pages, spec.max_turns)

    @property
    def over(self) -> bool:
        """Whether nothing can be done any more."""
        return self._desk.over

    @property
    def submitted(self) -> bool:
        """Whether it was submitted."""
        return self._desk.submitted

    @property
    def turns(self) -> int:
        """How many are used."""
        return self._desk.turns

    @property
    def counts(self) -> Counter[str]:
        """Calls by tool, and `refused` and `num_edits`."""
        return self._desk.counts

    def act(self, name: str, arguments: object) -> Reply:
        """What a tool answers; `Desk.act` says what is refused."""
        return self._desk.act(name, arguments)

    def turn(self, calls: Sequence[tuple[str, object]]) -> list[Reply]:
        """The answers to what an agent calls in one turn: one call, or all are refused."""
        return self._desk.turn(calls)

    def files(self) -> dict[str, bytes]:
        """The document as it stands."""
        pages = zip(self.spec.editable, self._desk.pages, strict=True)
        return {name: f"{text}\n".encode("utf-8", "replace") for name, text in pages}

    def verdict(self) -> Verdict:
        """The verdict on the document as it stands, with what was done in the components; the reward is the pages'."""
        return judge_attempt(self.spec, self.files(), self.metrics())

    def metrics(self) -> dict[str, float]:
        """What was done: edits, turns, refusals, calls by tool, and whether it was submitted."""
        return self._desk.metrics()


def judge_attempt(spec: EditSpec, files: Mapping[str, bytes], metrics: Mapping[str, float]) -> Verdict:
    """The verdict on pages, with what was done in the components."""
    verdict = verify(spec, Submission(files))
    if verdict.status == INFRA_ERROR:
        return verdict
    return replace(verdict, components={**verdict.components, **metrics})
