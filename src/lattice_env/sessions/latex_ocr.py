"""LaTeX OCR as a session: one picture, one answer."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lattice_env.actions import DEFER, Action, Parameter, Reply, Tool
from lattice_env.errors import EpisodeError
from lattice_env.families import latex_ocr
from lattice_env.families.latex_ocr.episode import Outcome, Session
from lattice_env.families.latex_ocr.judge import Judgement, judge
from lattice_env.families.latex_ocr.settings import BUILTIN, MATERIALIZE, Settings, read_settings
from lattice_env.families.latex_ocr.source import Source, open_source
from lattice_env.verifier.store import digest_of
from lattice_env.verifier.verdict import FAILED, PASSED, REJECTED, SCORED, Finding, GateResult, Verdict

from .session import TaskFacts

FAMILY = "latex-ocr"
PREFIX = f"{FAMILY}:"
ANSWER = Tool("answer", "Give the answer; the attempt ends.", {"latex": Parameter(str, "the formula's LaTeX source")})
TOOLS = {tool.name: tool for tool in (ANSWER, DEFER)}


@dataclass
class OcrSession:
    """One attempt at a picture; `name` is its split and its row, as in `test-12`."""

    name: str
    _session: Session = field(init=False)
    _outcome: Outcome | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        settings, source = _served()
        self._session = Session(source, settings)
        split, _, number = self.name.rpartition("-")
        if not number.isdecimal():
            message = f"{PREFIX}{self.name[:60]} names no row: write {PREFIX}test-0"
            raise EpisodeError("unknown-task", message)
        self._place, self._picture = self._session.reset(split=split, index=int(number))
        self.tools: Mapping[str, Tool] = TOOLS
        self.most_steps = 1
        task = json.dumps([self._session.target, settings.reward, vars(settings.knobs)], sort_keys=True)
        identity = hashlib.sha256(self._picture + task.encode("utf-8", "surrogatepass")).hexdigest()
        self.facts = TaskFacts(f"{FAMILY}-{self.name}", identity, FAMILY, _judge_digest())

    def begin(self) -> Reply:
        """The prompt and the picture."""
        return Reply(self._session.settings.prompt, picture=self._picture)

    def act(self, action: Action) -> Reply:
        """The end, whatever is called; the answer is judged."""
        if action.name == DEFER.name:
            return Reply("The attempt is given up.", ended=True)
        self._outcome = self._session.step(action.arguments["latex"])
        return Reply("Answered.", ended=True)

    def judge(self) -> Mapping[str, Any]:
        """The verdict on the answer; on an empty one where none was given."""
        target, settings = self._session.target, self._session.settings
        judgement = self._outcome.judgement if self._outcome else judge("", target, settings)
        body: dict[str, Any] = json.loads(_verdict(judgement).to_json())
        return body | {"task": self.facts.task_id, "family": FAMILY, "verifier": self.facts.verifier}

    def solution(self) -> Sequence[Action]:
        """The row's own LaTeX."""
        return [Action(ANSWER.name, {"latex": self._session.target})]


def row_names(split: str) -> list[str]:
    """The tasks of a split by name, each as `reset` takes it."""
    _, source = _served()
    if split not in source.splits:
        message = f"{PREFIX}{split[:60]} is no split that is served: there are {', '.join(source.splits)}"
        raise EpisodeError("unknown-task", message)
    return [f"{PREFIX}{split}-{index}" for index in range(source.splits[split].size)]


@functools.cache
def _served() -> tuple[Settings, Source]:
    """What the environment variables LATEX_OCR_* name, read once a process; the built-in corpus where they do not."""
    settings = read_settings(os.environ)
    if settings.mode != MATERIALIZE:
        raise EpisodeError("unknown-task", "a stream has no rows by number: LATEX_OCR_MODE=materialize")
    settings = replace(settings, dataset=settings.dataset or BUILTIN)
    return settings, open_source(settings)


@functools.cache
def _judge_digest() -> str:
    """SHA-256 over the family's own sources, which judge an answer."""
    folder = Path(latex_ocr.__file__).parent
    paths = sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*.py"))
    return digest_of((name, hashlib.sha256(path.read_bytes()).hexdigest()) for name, path in paths)


def _verdict(judgement: Judgement) -> Verdict:
    """A judgement in the words of every verdict: the length guard is the one gate."""
    parts = judgement.characters
    passed = bool(parts.length_factor)
    reason = () if passed else (Finding("overlong", text="more than twice as long as an answer may be"),)
    gate = GateResult("length", PASSED if passed else FAILED, reason)
    components = {
        "exactMatch": float(parts.exact_match),
        "charErrorRate": parts.char_error_rate,
        "lengthFactor": parts.length_factor,
    }
    status, reward = (SCORED, judgement.reward) if passed else (REJECTED, 0.0)
    return Verdict(status, reward, (gate,), components=components, facts={"paidBy": judgement.paid_by})
