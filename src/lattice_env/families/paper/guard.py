"""The guard: what the build of a faulty paper shows, and whether that is what its operator declares."""

from __future__ import annotations

import re

from lattice_env.errors import SeedError
from lattice_env.model import Files, PaperSeed
from lattice_env.verifier.diagnostics import Diagnostic, first_line
from lattice_env.verifier.facts import Outcome
from lattice_env.verifier.spec import BROKEN
from lattice_env.verifier.store import Store

from .first_error import first_error
from .operator import BUILD_REPAIR, MINED, Operator


def guard(seed: PaperSeed, operator: Operator, start: Files, store: Store) -> str:
    """What is seen of a fault, which goes into the task; empty where the mutant is not kept.

    A first error that one short pass finds needs no build.
    """
    first = first_error(seed, start) if operator.family == BUILD_REPAIR else None
    if first:
        return _declared(operator, first)
    good = store.outcome(seed.files, seed.root) if operator.family == MINED else reference(seed, store)
    return observe(operator, store.outcome(start, seed.root), good)


def reference(seed: PaperSeed, store: Store) -> Outcome:
    """The build of the good paper; SeedError where it fails or leaves something undefined."""
    outcome = store.outcome(seed.files, seed.root)
    if outcome.reason:
        message = f"seed {seed.name} does not build: {first_line(outcome.diagnostics) or outcome.reason}"
        raise SeedError(message)
    if outcome.undefined:
        message = f"seed {seed.name}: undefined in the good paper: {', '.join(outcome.undefined[:5])}"
        raise SeedError(message)
    return outcome


def observe(operator: Operator, broken: Outcome, original: Outcome) -> str:
    """What the guard saw of a fault: the first error, or what differs; empty if it is not what was declared."""
    if operator.family in BROKEN:
        failed = broken.reason in ("tex", "bibliography") and broken.diagnostics
        return _declared(operator, broken.diagnostics[0]) if failed else ""
    if broken.reason or broken.pdf_digest == original.pdf_digest:
        return ""
    differ = [name for name in operator.changes if name == "pages" or getattr(broken, name) != getattr(original, name)]
    return f"the paper builds; other than the original's: {', '.join(differ)}" if differ else ""


def _declared(operator: Operator, first: Diagnostic) -> str:
    return str(first) if re.search(operator.diagnostic, first.message) else ""
