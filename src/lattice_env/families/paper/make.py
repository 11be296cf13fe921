"""From a seed and an operator to a task: choose a place, make the edit, let the guard look at the build."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lattice_env.errors import OperatorError
from lattice_env.keys import Choices
from lattice_env.model import Files, PaperSeed, Task
from lattice_env.verifier.comparison import edit_size
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.latex import Document, decode
from lattice_env.verifier.selftests import Replacement
from lattice_env.verifier.selftests import replace as replace_text
from lattice_env.verifier.spec import Change, Decoy, Fault, Spec, identity
from lattice_env.verifier.store import Store

from .guard import guard
from .instruction import write_instruction
from .operator import Mutation, Operator, mutate, operators, paper_of_seed, undo
from .selftests import make_cases

VERSION = 1
MOST_TRIES = 8
"""How many places of one operator in one paper are tried before it yields no task."""

BUDGET_BASE, BUDGET_FACTOR = 40, 8
SCAR_MARGIN = 24
"""Characters on either side of a faulty place by which it is known again."""


@dataclass(frozen=True)
class Made:
    """What one operator made of one seed: a task or none, and what it took."""

    task: Task[Spec] | None
    mutation: Mutation | None
    """The task's own."""
    sites: int
    tried: int
    """How many mutants were built, the task's own included."""


def make_tasks(family: str, seed: PaperSeed, salt: str, store: Store) -> Iterator[Task[Spec]]:
    """One task from each operator of `family` that finds a place in `seed`."""
    for operator in operators().values():
        if operator.family == family:
            made = make_task(seed, operator, salt, store)
            if made.task:
                yield made.task


def make_task(seed: PaperSeed, operator: Operator, salt: str, store: Store) -> Made:
    """The task that this operator makes of this seed: the first place, in keyed order, that the guard keeps."""
    sites = list(operator.sites(paper_of_seed(seed)))
    order = Choices("sites", salt, seed.digest, operator.code).shuffled(sites)[:MOST_TRIES]
    for tried, mutation in enumerate(order, 1):
        task = task_of(seed, operator, mutation, salt, store)
        if task:
            return Made(task, mutation, len(sites), tried)
    return Made(None, None, len(sites), len(order))


def task_of(seed: PaperSeed, operator: Operator, mutation: Mutation, salt: str, store: Store) -> Task[Spec] | None:
    """The task of one mutation, or None where the guard does not keep it or no decoy is free."""
    start = mutate(seed.files, mutation, operator.code)
    observed = guard(seed, operator, start, store)
    decoy = _choose_decoy(seed, operator, salt, start, mutation) if observed else None
    if decoy is None:
        return None
    task = _task(seed, operator, mutation, start, decoy, observed)
    return replace(task, cases=make_cases(task))


def _choose_decoy(seed: PaperSeed, operator: Operator, salt: str, start: Files, mutation: Mutation) -> Decoy | None:
    """A decoy of the seed that the fault left alone and that is not on one of its lines."""
    faulty = {(edit.file, _line(seed, edit)) for edit in mutation.edits}
    free: list[Decoy] = []
    for path, text in seed.decoys:
        document = Document(path, decode(seed.files[path]))
        line = document.line_of(document.text.index(text))
        if (path, line) not in faulty and decode(start[path]).count(text) == 1:
            free.append(Decoy(path, text))
    return Choices("decoy", salt, seed.digest, operator.code).choice(free) if free else None


def _line(seed: PaperSeed, edit: Replacement) -> int:
    return Document(edit.file, decode(seed.files[edit.file])).line_of(edit.start)


def _task(
    seed: PaperSeed, operator: Operator, mutation: Mutation, start: Files, decoy: Decoy, observed: str
) -> Task[Spec]:
    texts = {path: decode(seed.files[path]) for path in seed.editable}
    repair = undo(mutation, texts)
    _check_undo(operator, repair, start, texts)
    size = sum(edit_size(decode(start[path]), text) for path, text in texts.items())
    spec = Spec(
        task="",
        family=operator.family,
        version=VERSION,
        root=seed.root,
        engine=seed.engine,
        bibliography=seed.bibliography,
        editable=seed.editable,
        files={path: hashlib.sha256(data).hexdigest() for path, data in sorted(start.items())},
        budget=BUDGET_BASE + BUDGET_FACTOR * size,
        reference_size=size,
        fault=Fault(operator.code, _changes(operator, mutation, repair, seed.files, start), mutation.names),
        decoy=decoy,
        verifier=verifier_digest(),
        initial={path: start[path] for path in seed.editable},
        original={path: seed.files[path] for path in seed.editable},
    )
    spec = replace(spec, task=identity(spec))
    return Task(
        family=operator.family,
        version=VERSION,
        seed=seed.name,
        operator=operator.code,
        category=operator.category,
        tier=operator.tier,
        licence=seed.licence,
        redistributable=seed.redistributable,
        instruction=write_instruction(operator.family, seed),
        start=start,
        solution=dict(spec.original),
        repair=repair,
        spec=spec,
        cases=(),
        diagnostic=observed,
        medium="latex",
    )


def _check_undo(operator: Operator, repair: tuple[Replacement, ...], start: Files, texts: Mapping[str, str]) -> None:
    for path, text in texts.items():
        if replace_text(decode(start[path]), (edit for edit in repair if edit.file == path)) != text:
            message = f"{operator.code}: the edit of {path} cannot be undone"
            raise OperatorError(message)


def _changes(
    operator: Operator, mutation: Mutation, repair: tuple[Replacement, ...], good: Files, start: Files
) -> tuple[Change, ...]:
    """Each faulty place of the shipped files, with what is around it."""
    found: list[Change] = []
    edits = sorted(mutation.edits, key=lambda edit: (edit.file, edit.start, edit.end))
    for edit, mend in zip(edits, repair, strict=True):
        shipped, original = (Document(edit.file, decode(files[edit.file])) for files in (start, good))
        scar, heal = _around(shipped, mend), _around(original, edit)
        faulty, line = shipped.text[mend.start : mend.end], shipped.line_of(mend.start)
        found.append(Change(edit.file, line, mend.new, faulty, scar, heal if operator.is_exact else ""))
    return tuple(found)


def _around(document: Document, edit: Replacement) -> str:
    """The live text of a place with a margin on either side."""
    return document.live[max(edit.start - SCAR_MARGIN, 0) : edit.end + SCAR_MARGIN].strip()
