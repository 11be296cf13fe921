"""Paper repair: one engine, three families."""

from collections.abc import Iterator

from lattice_env.model import Family, Files, PaperSeed, Task
from lattice_env.verifier import Spec, Verdict, verify
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.store import Store

from .make import VERSION, make_tasks
from .operator import BUILD_REPAIR, REFERENCE_HYGIENE, SILENT_CHANGE
from .selftests import make_cases

ACTIONS = ("list_files", "read", "search", "edit", "write", "compile", "pdf_text", "check", "submit", "defer")


def _family(name: str) -> Family[PaperSeed, Spec]:
    def make(seed: PaperSeed, salt: str, store: Store) -> Iterator[Task[Spec]]:
        return make_tasks(name, seed, salt, store)

    store = Store()

    def judge(spec: Spec, files: Files) -> Verdict:
        return verify(spec, Submission(files), store)

    return Family(name, VERSION, make, judge, make_cases, ACTIONS)


FAMILIES = {name: _family(name) for name in (BUILD_REPAIR, REFERENCE_HYGIENE, SILENT_CHANGE)}
"""The families of paper repair by name."""
