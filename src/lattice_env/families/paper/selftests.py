"""The self-tests of a paper task: oracle, nop, every cheat that applies, the twins, the probes."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.keys import Choices
from lattice_env.model import Task
from lattice_env.verifier.selftests import Case, Replacement
from lattice_env.verifier.spec import Spec

from .cheat import Attack, Target, cheats

RANDOM_EDITS = 3
PROBE_BOUND = 0.49
"""Probes stay below 0.5."""

_WORDS = ("the", "}", "\\par", "0", "", "x")


def make_cases(task: Task[Spec]) -> tuple[Case, ...]:
    """All self-tests of a task, in the order in which they are run."""
    target = Target(task)
    oracle = Case("oracle", "oracle", 1.0, 1.0, edits=task.repair)
    return (oracle, Case("nop", "nop", 0.0, 0.0), *_attacks(target), *_probes(target))


def _attacks(target: Target) -> Iterator[Case]:
    for cheat in cheats():
        attack = cheat.stage(target)
        if attack:
            yield attack.case(cheat.name, "cheat", 0.0, 0.0, cheat.code)
        twin = cheat.twin(target) if cheat.twin else None
        if twin:
            yield twin.case(f"{cheat.name}-twin", "twin", 1.0, 1.0)


def _probes(target: Target) -> Iterator[Case]:
    start, end = target.faulty.line_span(target.place.start)
    line = Attack((Replacement(target.faulty.path, start, end, ""),))
    yield Case("probe-line", "probe", 0.0, PROBE_BOUND, edits=line.edits)
    for number in range(1, RANDOM_EDITS + 1):
        edit = random_edit(target, number)
        yield Case(f"probe-random-{number}", "probe", 0.0, PROBE_BOUND, edits=(edit,))


def random_edit(target: Target, number: int) -> Replacement:
    """A keyed edit of one token somewhere in the shipped sources; never at a faulty place."""
    choices = Choices("probe", target.task.spec.task, str(number))
    document = choices.choice([d for d in target.documents.values() if d.live_words.texts])
    words = zip(document.live_words.texts, document.live_words.offsets, strict=True)
    text, offset = choices.choice([item for item in words if not _is_faulty(target, document.path, item[1])])
    word = choices.choice([word for word in _WORDS if word != text])
    return Replacement(document.path, offset, offset + len(text), word)


def _is_faulty(target: Target, path: str, offset: int) -> bool:
    return any(e.file == path and e.start - 1 <= offset <= e.end for e in target.task.repair)
