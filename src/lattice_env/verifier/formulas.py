"""From a submitted answer to a verdict: the reward of `transcription`, and the gates before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .formula_spec import FormulaSpec
from .intake import Submission, check_files
from .store import Store
from .transcription import Parts, score
from .verdict import FAILED, REJECTED, SCORED, SKIPPED, Finding, GateResult, Verdict

MOST_CHARACTERS = 1_000_000
"""The longest answer that is judged."""


def judge(spec: FormulaSpec, submission: Submission, _store: Store, known: Mapping[str, object]) -> Verdict:
    """The verdict on a submission; nothing is printed for it, and of all files only the answer counts."""
    data = submission.files.get(spec.root)
    gates = (
        GateResult.of("import", [*submission.findings, *check_files(submission.files)]),
        GateResult.of("answer", _unreadable(spec.root, data)),
    )
    if data is None or any(gate.state == FAILED for gate in gates):
        skipped = (GateResult("length", SKIPPED), GateResult("match", SKIPPED))
        return Verdict(REJECTED, 0.0, gates + skipped, facts=known)
    parts = score(data.decode("utf-8"), spec.target, spec.knobs)
    gates += (GateResult.of("length", _overlong(spec.root, parts)), GateResult.of("match", _unlike(spec.root, parts)))
    return Verdict(SCORED if parts.reward else REJECTED, parts.reward, gates, (), dict(_components(parts)), known)


def _unreadable(path: str, data: bytes | None) -> Iterator[Finding]:
    """Why a file is no answer: it is not there, no text, or too long to be one."""
    if data is None:
        yield Finding("missing", path, text="there is no such file")
        return
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        yield Finding("not-text", path, text="not UTF-8")
        return
    if "\0" in text:
        yield Finding("not-text", path, text="it holds NUL bytes")
    if len(text) > MOST_CHARACTERS:
        yield Finding("too-long", path, text=f"{len(text)} characters, {MOST_CHARACTERS} at most")


def _overlong(path: str, parts: Parts) -> Iterator[Finding]:
    if not parts.length_factor:
        yield Finding("too-long", path, text="more than twice what the length guard allows")


def _unlike(path: str, parts: Parts) -> Iterator[Finding]:
    if not parts.reward:
        yield Finding("no-match", path, text="nothing of it is the formula")


def _components(parts: Parts) -> Iterator[tuple[str, float]]:
    yield "exact_match", float(parts.exact_match)
    yield "char_error_rate", parts.char_error_rate
    yield "length_factor", parts.length_factor
