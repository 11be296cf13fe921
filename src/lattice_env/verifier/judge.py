"""The verifier's edge: a submission goes to its family's judge, and whatever happens there is a verdict."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from .engines import engine_of
from .intake import Submission
from .spec import TaskSpec
from .store import Store, digest, digest_of
from .verdict import INFRA_ERROR, InfraError, Verdict


def verify(spec: TaskSpec, submission: Submission, store: Store | None = None) -> Verdict:
    """The verdict on a submission. It never raises for bad work; what the machine cannot do is `infra_error`."""
    known: dict[str, object] = {
        "task": spec.task,
        "family": spec.family,
        "familyVersion": spec.version,
        "verifier": verifier_digest(),
        "submission": digest(submission.files),
    }
    try:
        return engine_of(spec.family).judge(spec, submission, store or Store(), known)
    except InfraError as error:
        return Verdict(INFRA_ERROR, None, facts={**known, "error": str(error)})
    except Exception as error:  # noqa: BLE001 - the verifier's edge: a bug of ours is no grade
        return Verdict(INFRA_ERROR, None, facts={**known, "error": f"verifier bug: {error!r}"})


@cache
def verifier_digest() -> str:
    """SHA-256 over the verifier's own sources: two verdicts compare only where it is the same."""
    folder = Path(__file__).parent
    sources = sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*.py"))
    return digest_of((name, hashlib.sha256(path.read_bytes()).hexdigest()) for name, path in sources)
