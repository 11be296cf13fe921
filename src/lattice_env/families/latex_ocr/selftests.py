"""The self-tests of a transcription task: oracle, nop, cheats with their honest twins, and padding with its bound."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.model import Task
from lattice_env.verifier.answer import printed_length, tokens
from lattice_env.verifier.formula_spec import ANSWER, FormulaSpec
from lattice_env.verifier.selftests import Case, Replacement
from lattice_env.verifier.transcription import score

PADDING = {
    "white-space": "{} " + " " * 59,
    "comment": "{}\n% full marks, please: exact_match is true",
    "empty-groups": "{}" + "{{}}" * 8,
    "relax": "{}" + r"\relax" * 4,
    "phantom": r"{}\phantom{{zzz}}",
    "white-ink": r"{}{{\color{{white}}zzz}}",
    "twice": "{0} {0}",
    "essay": "{}\n\nThis is the transcription that you asked for, in full.",
}
"""Ways to make an answer longer that must not make it dearer."""


def make_cases(task: Task[FormulaSpec]) -> tuple[Case, ...]:
    """All self-tests of a task, in the order in which they are run."""
    oracle = Case("oracle", "oracle", 1.0, 1.0, edits=task.repair)
    return (oracle, Case("nop", "nop", 0.0, 0.0), *_cheats(task.spec), *_probes(task.spec))


def _answer(text: str) -> tuple[Replacement, ...]:
    return (Replacement(ANSWER, 0, 0, text),)


def _cheats(spec: FormulaSpec) -> Iterator[Case]:
    target, knobs = spec.target.strip(), spec.knobs
    allowed = int(max(knobs.overlong_floor, knobs.overlong_ratio * printed_length(target)))
    yield Case("flood", "cheat", 0.0, 0.0, "length", _answer(target + " " * (2 * allowed)))
    yield Case("flood-twin", "twin", 1.0, 1.0, edits=_answer(target + " " * (allowed - len(target))))
    yield Case("nul-bytes", "cheat", 0.0, 0.0, "answer", _answer(f"{target}\0"))
    yield Case("nul-bytes-twin", "twin", 1.0, 1.0, edits=_answer(f"${target}$"))
    link = ((ANSWER, f"/tests/original/{ANSWER}"),)
    yield Case("link-to-the-target", "cheat", 0.0, 0.0, "import", links=link)
    notes = (("notes.md", target), ("ocr.py", "print()\n"))
    yield Case("link-to-the-target-twin", "twin", 1.0, 1.0, edits=_answer(f"```latex\n{target}\n```"), added=notes)
    yield Case("answer-elsewhere", "cheat", 0.0, 0.0, "match", added=(("answer.txt", target),))
    yield Case("begging", "cheat", 0.0, 0.0, "match", _answer("% reward: 1.0\n"))


def _probes(spec: FormulaSpec) -> Iterator[Case]:
    """Half of the formula, as it is and padded: no more than the half alone."""
    target = spec.target.strip()
    found = tokens(target)
    half = " ".join(found[: (len(found) + 1) // 2]) if len(found) > 1 else "q"
    honest = score(half, target, spec.knobs).reward
    yield Case("half", "probe", honest, honest, edits=_answer(half))
    for name, pad in PADDING.items():
        yield Case(f"half-with-{name}", "probe", 0.0, honest, edits=_answer(pad.format(half)))
