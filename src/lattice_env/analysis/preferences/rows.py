"""The rows of the exported tables: labels of every round, pairs and single completions of the latest."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .consent import FILES, Cleared
from .project import ACCEPT, REJECT, Annotation, Outcome, Project
from .scrub import Scrubber
from .sources import live_text

CONTEXT = 800
"""Characters of the file on either side of a passage that a prompt shows at level 2."""

Row = dict[str, object]

_PROMPT = """\
You revise one passage of a paper written in LaTeX.

What the writer wants: {intent}.
The writer's note:
{note}
{context}
The passage:
<passage>
{passage}
</passage>

Answer with the text that is to stand in the passage's place, and nothing else."""


@dataclass
class Export:
    """One export under way: what may be told, and how it is made harmless."""

    project: Project
    cleared: Cleared
    level: int
    salt: str
    scrubber: Scrubber
    skipped: Counter[str] = field(default_factory=Counter[str])
    """Reason → annotations of which nothing but labels was exported."""

    def hashed(self, kind: str, name: str) -> str:
        """A name that stands for another: the same under one salt, and not to be guessed without it."""
        return hmac.new(self.salt.encode(), f"{kind}\0{name}".encode(), hashlib.sha256).hexdigest()[:16]

    def path(self, path: str) -> str:
        """A file's path at level 2, what stands for it below."""
        return self.scrubber.scrub_path(path) if self.level >= FILES else self.hashed("file", path)


@dataclass(frozen=True)
class Texts:
    """What one annotation has to say, scrubbed."""

    prompt: str
    passage: str
    proposal: str
    settled: str
    reason: str


def label_rows(export: Export) -> Iterator[Row]:
    """One row an annotation and settled round: who, where, what was decided."""
    for note in export.cleared.annotations:
        for place, outcome in enumerate(note.outcomes, 1):
            if export.project.rounds[outcome.round].is_settled:
                yield _label(export, note, outcome, place)


def _label(export: Export, note: Annotation, outcome: Outcome, place: int) -> Row:
    turn = export.project.rounds[outcome.round]
    return {
        **_key(export, note, outcome),
        "writer": export.hashed("person", note.author),
        "file": export.path(note.file),
        "intent": note.intent,
        "decision": outcome.decision,
        "proposed_hunks": outcome.proposed,
        "applied_hunks": outcome.applied,
        "attempt": place,
        "latest": place == len(note.outcomes),
        "agent": export.scrubber.scrub_text(turn.agent),
        "model": export.scrubber.scrub_text(turn.model),
    }


def _key(export: Export, note: Annotation, outcome: Outcome) -> Row:
    return {"annotation": export.hashed("annotation", note.id), "round": export.hashed("round", outcome.round)}


def text_rows(export: Export) -> tuple[list[Row], list[Row]]:
    """The pairs (prompt, chosen, rejected) and the single completions (prompt, completion, label)."""
    pairs: list[Row] = []
    singles: list[Row] = []
    for note in export.cleared.annotations:
        outcome = note.outcomes[-1]
        texts = _texts(export, note) if export.project.rounds[outcome.round].is_settled else None
        if texts is None or texts.proposal == texts.passage:
            export.skipped["latest round not settled" if texts is None else "nothing left to compare"] += 1
            continue
        rest = {**_key(export, note, outcome), "decision": outcome.decision}
        kind, chosen, rejected = _pair(outcome.decision, texts)
        if chosen != rejected:
            turns = {"chosen": _answer(chosen), "rejected": _answer(rejected)}
            pairs.append({"prompt": _ask(texts.prompt), **turns, **rest, "pair": kind, "reason": texts.reason})
        answer, label = _single(outcome.decision, texts)
        singles.append({"prompt": _ask(texts.prompt), "completion": _answer(answer), "label": label, **rest})
    return pairs, singles


def _pair(decision: str, texts: Texts) -> tuple[str, str, str]:
    """What was preferred to what: (kind, chosen, rejected)."""
    if decision == ACCEPT:
        return "proposal-over-passage", texts.proposal, texts.passage
    if decision == REJECT:
        return "passage-over-proposal", texts.passage, texts.proposal
    return "settled-over-proposal", texts.settled, texts.proposal


def _single(decision: str, texts: Texts) -> tuple[str, bool]:
    """A completion and whether the writer took it: the proposal as a whole, or what they made of it."""
    return (texts.proposal, decision == ACCEPT) if decision in (ACCEPT, REJECT) else (texts.settled, True)


def _ask(text: str) -> list[Mapping[str, str]]:
    return [{"role": "user", "content": text}]


def _answer(text: str) -> list[Mapping[str, str]]:
    return [{"role": "assistant", "content": text}]


def _texts(export: Export, note: Annotation) -> Texts:
    before = export.project.rounds[note.outcomes[-1].round].before[note.file]
    above, passage, below = _in_place(export, note, before, note.passage)
    proposal, settled = (_in_place(export, note, before, text or "")[1] for text in (note.proposal, note.settled))
    said = [note.note, *(text for author, text in note.replies if author == note.author)]
    lines = (line for text in said for line in text.splitlines() if not line.lstrip().startswith("%"))
    prompt = _PROMPT.format(
        intent=note.intent,
        note=export.scrubber.scrub_text("\n".join(lines)).strip() or "(none)",
        context=_context(above, below) if _shows_context(export, note) else "",
        passage=passage,
    )
    return Texts(prompt, passage, proposal, settled, export.scrubber.scrub_text(note.reason))


def _in_place(export: Export, note: Annotation, before: str, new: str) -> tuple[str, ...]:
    """What stands above `new`, `new` and what stands below, where it replaces the passage: live and scrubbed."""
    whole, end = before[: note.start] + new + before[note.end :], note.start + len(new)
    above, below = live_text(whole, 0, note.start), live_text(whole, end)
    return export.scrubber.scrub(above, live_text(whole, note.start, end), below)


def _shows_context(export: Export, note: Annotation) -> bool:
    """At level 2, and where nobody without consent has a passage."""
    return export.level >= FILES and note.file not in export.cleared.closed_files


def _context(above: str, below: str) -> str:
    above, below = above[-CONTEXT:], below[:CONTEXT]
    return f"\nBefore the passage:\n<before>\n{above}\n</before>\nBehind it:\n<after>\n{below}\n</after>\n"


def file_rows(export: Export) -> Iterator[Row]:
    """Each round's LaTeX files before and after, of rounds that an exported annotation belongs to."""
    used = dict.fromkeys(outcome.round for note in export.cleared.annotations for outcome in note.outcomes)
    for turn in (export.project.rounds[name] for name in used):
        for path in sorted(turn.before.keys() | turn.after.keys()):
            if not turn.is_settled or path in export.cleared.closed_files or not path.endswith(".tex"):
                continue
            texts = {"before": turn.before.get(path, ""), "after": turn.after.get(path, "")}
            scrubbed = {state: export.scrubber.scrub_text(live_text(text)) for state, text in texts.items()}
            yield {"round": export.hashed("round", turn.id), "path": export.path(path), **scrubbed}
