"""From a submitted paper to a verdict: gates, red lines, build, facts, grade."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from . import sandbox
from .build import LINKS, MARK, MARKS
from .comparison import Comparison
from .diagnostics import Diagnostic, first_line
from .facts import Outcome
from .gates import STATIC
from .grade import grade
from .intake import Submission
from .latex import Document
from .redlines import RULES
from .spec import BROKEN, Spec
from .store import Store
from .toolchain import toolchain
from .verdict import (
    FAILED,
    REJECTED,
    SCORED,
    SKIPPED,
    Finding,
    GateResult,
    InfraError,
    Verdict,
)
from .witness import contradictions

MOST_PAGES = 2
"""How many times the original's pages a submission may have for its pages to be looked at."""

_MARKED = re.compile(rf"\S*{MARK}\S*")

BUILT = ("build", "inputs", "fault", "facts", "witness")
"""The gates that need a build, in their order, behind the static ones."""


def judge(spec: Spec, submission: Submission, store: Store, known: dict[str, object]) -> Verdict:
    """The verdict on a submitted paper; InfraError where this machine cannot reach one."""
    case = Comparison(spec, submission)
    gates = tuple(GateResult.of(name, check(case)) for name, check in STATIC.items())
    red_lines = tuple(dict.fromkeys(finding for rule in RULES for finding in rule(case)))
    if red_lines or any(gate.state == FAILED for gate in gates):
        skipped = tuple(GateResult(name, SKIPPED) for name in BUILT)
        return Verdict(REJECTED, 0.0, gates + skipped, red_lines, facts=known)
    known |= {"sandbox": sandbox.kind(), "toolchain": toolchain().fingerprint}
    original = store.outcome(case.reference, spec.root)
    if original.reason:
        message = f"the original does not build here: {original.reason} {first_line(original.diagnostics)}".strip()
        raise InfraError(message)
    submitted = store.outcome(case.sources, spec.root, like=case.reference)
    known["diagnostics"] = [item.to_json() for item in submitted.diagnostics]
    return _judge_built(case, submitted, original, store, gates, known)


def _judge_built(
    case: Comparison,
    submitted: Outcome,
    original: Outcome,
    store: Store,
    gates: tuple[GateResult, ...],
    known: dict[str, object],
) -> Verdict:
    spec = case.spec
    checks = {
        "build": lambda: _build_findings(submitted),
        "inputs": lambda: (Finding("foreign", path) for path in submitted.foreign),
        "fault": lambda: _fault_findings(case, identical=submitted.pdf_digest == original.pdf_digest),
        "facts": lambda: _fact_findings(case, submitted, original, store),
        "witness": lambda: _witness_findings(case, submitted, original, store),
    }
    for name in BUILT:
        failed = any(gate.state == FAILED for gate in gates)
        gates += (GateResult(name, SKIPPED) if failed else GateResult.of(name, checks[name]()),)
    red_lines = (Finding("escape", text="the build wrote its own sources"),) * (submitted.reason == "rewritten")
    if gates[-1].state == FAILED:
        red_lines = (Finding("spoof", text=gates[-1].reasons[0].text),)
    if red_lines or any(gate.state == FAILED for gate in gates):
        return Verdict(REJECTED, 0.0, gates, red_lines, facts=known)
    parts = grade(submitted, original, edit_size=case.edit_size, reference_size=spec.reference_size)
    reward = parts.pop("reward")
    return Verdict(SCORED, reward, gates, components=parts, facts=known)


def _build_findings(submitted: Outcome) -> Iterator[Finding]:
    if submitted.reason:
        first = next(iter(submitted.diagnostics), Diagnostic("", 0, "", ""))
        yield Finding(submitted.reason, first.file, first.line, first.message)


def _fault_findings(case: Comparison, *, identical: bool) -> Iterator[Finding]:
    """The injected fault is gone: its broken names everywhere, its place where only the place tells.

    Where nothing but the text of the place can tell, it must be the original's, or the PDF must be.
    """
    if identical:
        return
    originals = case.spec.original_documents
    for name in case.spec.fault.names:
        for path, original in originals.items():
            if _count_word(name, case.submitted(path).live) > _count_word(name, original.live):
                yield Finding("still-there", path, text=name)
    if not case.changes:
        yield Finding("still-there", text="nothing was changed")
    for change in case.spec.fault.changes:
        submitted, original = case.submitted(change.file), originals[change.file]
        scarred = change.scar and _count_place(change.scar, submitted) > _count_place(change.scar, original)
        if case.spec.family not in BROKEN and scarred:
            yield Finding("still-there", change.file, change.line, change.after)
        elif change.heal and _count_place(change.heal, submitted) < _count_place(change.heal, original):
            yield Finding("not-healed", change.file, change.line, change.after)


def _count_place(text: str, document: Document) -> int:
    """How often a text stands live in a file, white space aside."""
    return "".join(document.live.split()).count("".join(text.split()))


def _count_word(name: str, text: str) -> int:
    """How often a name stands in a text as a whole word."""
    before = r"(?<![A-Za-z@])" if name[0].isalnum() else ""
    return len(re.findall(rf"{before}{re.escape(name)}(?![A-Za-z@])", text))


def _fact_findings(case: Comparison, submitted: Outcome, original: Outcome, store: Store) -> Iterator[Finding]:
    """The four canonical objects equal the original's, and nothing is undefined that was not."""
    ours, theirs = submitted, original
    for name in ("labels", "citations", "entries"):
        yield from _difference(name, getattr(ours, name), getattr(theirs, name))
    for key in sorted(set(ours.undefined) - set(theirs.undefined)):
        yield Finding("undefined", text=key)
    if not original.linked and submitted.pdf_digest != original.pdf_digest:
        theirs = store.outcome(case.reference, case.spec.root, probe=LINKS)
        if theirs.reason:
            message = f"the original does not build with hyperref: {first_line(theirs.diagnostics)}"
            raise InfraError(message)
        ours = store.outcome(case.sources, case.spec.root, probe=LINKS, like=case.reference)
    yield from _difference("links", ours.links, theirs.links)


def _witness_findings(case: Comparison, submitted: Outcome, original: Outcome, store: Store) -> Iterator[Finding]:
    """The page shows what the text says, and what LaTeX computed was not typed; nothing to ask of identical PDFs."""
    if submitted.pdf_digest == original.pdf_digest:
        return
    if submitted.pages > MOST_PAGES * original.pages:
        yield Finding("pages", text=f"{submitted.pages} pages; the original has {original.pages}")
        return
    root = case.spec.root
    yield from contradictions(store.witness(case.sources, root), store.witness(case.reference, root))
    theirs = store.outcome(case.reference, root, probe=MARKS)
    if not theirs.reason:
        ours = store.outcome(case.sources, root, probe=MARKS, like=case.reference)
        yield from unmarked(ours.text, theirs.text)


def unmarked(ours: str, theirs: str) -> Iterator[Finding]:
    """The numbers that LaTeX computed in the original and that it did not compute in the submission."""
    missing = Counter(_MARKED.findall(theirs)) - Counter(_MARKED.findall(ours))
    for word in sorted(missing)[:3]:
        yield Finding("marks", text=f"{word.replace(MARK, '')!r}: LaTeX computes it in the original, and not here")


def _difference(name: str, ours: tuple[object, ...], theirs: tuple[object, ...]) -> Iterator[Finding]:
    """The first place in which two of the canonical objects differ."""
    if ours == theirs:
        return
    pairs = zip(ours, theirs, strict=False)
    place = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(ours), len(theirs)))
    shown = [str(items[place]) if place < len(items) else "nothing" for items in (ours, theirs)]
    yield Finding(name, text=f"number {place + 1}: {shown[0][:80]} instead of {shown[1][:80]}")
