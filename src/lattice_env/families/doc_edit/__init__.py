"""Doc-edit: paginated documents over a graph of values; one engine, two families."""

from collections.abc import Iterator

from lattice_env.model import Family, Files, Task
from lattice_env.seeds.documents import Genre
from lattice_env.verifier import Verdict, verify
from lattice_env.verifier.edit_spec import FAMILIES as NAMES
from lattice_env.verifier.edit_spec import EditSpec
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.store import Store

from .make import make_task
from .recipe import VERSION, Knobs, recipes
from .selftests import make_cases
from .session import TOOLS

ROUNDS = 10
"""Tasks of each level that `make` yields for one genre."""


def _family(name: str) -> Family[Genre, EditSpec]:
    def make(seed: Genre, salt: str, _store: Store) -> Iterator[Task[EditSpec]]:
        for recipe in recipes(Knobs(seed=salt, families=(name,), genres=(seed.name,))):
            if recipe.number > ROUNDS:
                return
            yield make_task(recipe).task

    def judge(spec: EditSpec, files: Files) -> Verdict:
        return verify(spec, Submission(files))

    return Family(name, VERSION, make, judge, make_cases, tuple(TOOLS))


FAMILIES = {name: _family(name) for name in NAMES}
"""The families of doc-edit by name."""
