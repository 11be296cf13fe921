"""What doc-edit costs: documents, proved tasks, tool calls and verdicts in a second of one core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from statistics import median
from typing import Any

from lattice_env.families.doc_edit.changes import lay_ground
from lattice_env.families.doc_edit.make import Made, make_task
from lattice_env.families.doc_edit.recipe import Knobs, Recipe, recipes
from lattice_env.families.doc_edit.session import Session
from lattice_env.seeds.documents import load_genre, load_locale
from lattice_env.verifier import verify
from lattice_env.verifier.edit_spec import lines_of
from lattice_env.verifier.intake import Submission

from .bare import UnsoundError
from .clock import processor_timed
from .figures import Figure, Measure, Report

NAME = "documents"
LEVEL = "file"
ROUNDS = 400

DOCUMENTS = Measure(NAME, "documents drawn, computed, rendered", "the limit: 1,000", "a core-s", 1, at_least=True)
CALLS = Measure(NAME, "tool calls, four kinds in turn", "the limit: 50,000", "a core-s", 1, at_least=True)
TASKS = Measure(NAME, "tasks made and proved", "the limit: 50", "a core-s", 1, at_least=True, informative=True)
VERDICTS = Measure(NAME, "verdicts", "the limit: 1,000", "a core-s", 1, at_least=True, informative=True)
MEASURES = (DOCUMENTS, CALLS, TASKS, VERDICTS)
_LIMITS = {DOCUMENTS: 1000, CALLS: 50_000, TASKS: 50, VERDICTS: 1000}


@dataclass(frozen=True)
class Sample:
    """How many of one thing were done, and what the processor took for it."""

    name: str
    repeat: int
    count: int
    seconds: float

    @property
    def rate(self) -> float:
        """How many a second."""
        return self.count / self.seconds

    def to_json(self) -> dict[str, Any]:
        """The sample with its rate."""
        return {**vars(self), "rate": self.rate}


def run(repeats: int) -> Report:
    """The median rates of `repeats` rounds of each thing, over the limits."""
    chosen = list(islice(recipes(Knobs(seed="bench", levels=(LEVEL,))), ROUNDS))
    made = make_task(chosen[0])
    works: dict[Measure, Callable[[], int]] = {
        DOCUMENTS: lambda: _documents(chosen),
        CALLS: lambda: _calls(made),
        TASKS: lambda: _tasks(chosen[: ROUNDS // 10]),
        VERDICTS: lambda: _verdicts(made),
    }
    samples = [_sample(measure, repeat, work) for repeat in range(1, repeats + 1) for measure, work in works.items()]
    return Report(figures_of(samples), tuple(sample.to_json() for sample in samples))


def figures_of(samples: list[Sample]) -> tuple[Figure, ...]:
    """Medians over the repeats."""
    return tuple(
        Figure(measure, f"level {LEVEL}", median(s.rate for s in samples if s.name == measure.name), _LIMITS[measure])
        for measure in MEASURES
    )


def _sample(measure: Measure, repeat: int, work: Callable[[], int]) -> Sample:
    seconds, count = processor_timed(work)
    return Sample(measure.name, repeat, count, seconds)


def _documents(chosen: list[Recipe]) -> int:
    for recipe in chosen:
        ground = lay_ground(recipe, load_genre(recipe.genre), load_locale(recipe.locale), 0)
        if not ground.document.pages:
            raise UnsoundError("a document without a page")
    return len(chosen)


def _tasks(chosen: list[Recipe]) -> int:
    return sum(1 for recipe in chosen if make_task(recipe).task.spec.sites)


def _verdicts(made: Made) -> int:
    for _ in range(ROUNDS):
        if verify(made.task.spec, Submission(made.task.spec.original)).reward != 1:
            raise UnsoundError("the expected pages do not earn 1")
    return ROUNDS


def _calls(made: Made) -> int:
    """Search, read, edit and edit back in turn; every one must be carried out."""
    spec = replace(made.task.spec, max_turns=1 << 40)
    session = Session(spec)
    line = lines_of(spec.initial[spec.editable[0]])[2]
    turns = (
        ("search_doc", {"query": line}),
        ("read_page", {"page": 1}),
        ("edit_text", {"page": 1, "old_text": line, "new_text": "ANOTHER"}),
        ("edit_text", {"page": 1, "old_text": "ANOTHER", "new_text": line}),
    )
    for _ in range(10 * ROUNDS):
        for name, arguments in turns:
            if session.act(name, arguments).refused:
                message = f"{name} was refused"
                raise UnsoundError(message)
    return session.turns
