"""Several faults in one paper: each alone is one, and undoing any but all leaves one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from lattice_env.keys import Choices
from lattice_env.model import PaperSeed
from lattice_env.verifier.latex import Document, decode
from lattice_env.verifier.store import Store

from .guard import guard
from .make import Made, make_task, task_of
from .operator import REFERENCE_HYGIENE, Mutation, Operator, Paper, mutate, operators

FEWEST, MOST = 2, 4
APART = 4
"""Lines that lie at least between two faults in one file."""
JOINT = "+"
"""Joins the codes of a compound's operators."""


def choose_codes(family: str, seed: str, number: int, faults: int, salt: str) -> str:
    """The codes of the `number`-th compound of a family and a seed: different operators, all of one kind of check."""
    codes = sorted(op.code for op in operators().values() if op.family == family and _joins(op))
    chosen = Choices("compound", salt, family, seed, str(faults), str(number)).shuffled(codes)[:faults]
    return JOINT.join(sorted(chosen))


def _joins(operator: Operator) -> bool:
    """Whether it can be part of a compound: a place that only its text can tell asks for more than facts do."""
    return operator.family != REFERENCE_HYGIENE or not operator.is_exact


def _no_sites(_paper: Paper) -> Iterator[Mutation]:
    return iter(())


def join(parts: Sequence[Operator]) -> Operator:
    """One operator that stands for several made together; it lists no places of its own."""
    return replace(
        parts[0],
        code=JOINT.join(part.code for part in parts),
        tier=max(part.tier for part in parts),
        category="compound",
        summary="Several faults: " + " ".join(part.summary for part in parts),
        sites=_no_sites,
        diagnostic="|".join(f"(?:{part.diagnostic})" for part in parts if part.diagnostic),
        changes=tuple(dict.fromkeys(change for part in parts for change in part.changes)),
    )


def make_compound(seed: PaperSeed, code: str, salt: str, store: Store) -> Made:
    """The task with the faults of all operators in `code`, each at the place that its own task has."""
    parts = [operators()[part] for part in code.split(JOINT)]
    made = [make_task(seed, part, salt, store) for part in parts]
    sites, tried = min(each.sites for each in made), sum(each.tried for each in made)
    mutations = [each.mutation for each in made if each.mutation]
    none = Made(None, None, sites, tried)
    if len(mutations) < len(parts) or not _are_apart(seed, mutations):
        return none
    pairs = list(zip(parts, mutations, strict=True))
    for size in range(FEWEST, len(parts)):
        if not all(_is_fault(seed, subset, store) for subset in combinations(pairs, size)):
            return none
    whole = _together(mutations)
    task = task_of(seed, join(parts), whole, salt, store)
    return Made(task, whole if task else None, sites, tried + 1)


def _together(mutations: Sequence[Mutation]) -> Mutation:
    edits = (edit for mutation in mutations for edit in mutation.edits)
    names = (name for mutation in mutations for name in mutation.names)
    return Mutation(tuple(edits), tuple(dict.fromkeys(names)))


def _are_apart(seed: PaperSeed, mutations: Sequence[Mutation]) -> bool:
    """Whether no two of the faults lie in the same few lines of a file."""
    documents = {path: Document(path, decode(seed.files[path])) for path in seed.editable}
    places = [{(e.file, documents[e.file].line_of(e.start)) for e in mutation.edits} for mutation in mutations]
    return not any(
        file == other and abs(line - far) <= APART
        for first, second in combinations(places, 2)
        for file, line in first
        for other, far in second
    )


def _is_fault(seed: PaperSeed, subset: Sequence[tuple[Operator, Mutation]], store: Store) -> bool:
    """Whether some of the faults together are a fault that the guard would keep."""
    operator = join([part for part, _ in subset])
    start = mutate(seed.files, _together([mutation for _, mutation in subset]), operator.code)
    return bool(guard(seed, operator, start, store))
