"""One verdict, as a worker's process reaches it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lattice_env.verifier.entry import check_toolchain, checked_spec
from lattice_env.verifier.intake import Submission, read_submission
from lattice_env.verifier.judge import verify
from lattice_env.verifier.spec import SpecError
from lattice_env.verifier.store import Store, digest
from lattice_env.verifier.verdict import INFRA_ERROR, InfraError, Verdict

Known = tuple[str, str]
"""A task's identity and a submission's digest, of which there is a verdict already."""


@dataclass(frozen=True)
class How:
    """With which store a verdict is reached."""

    folder: Path | None = None
    """Where outcomes of builds are kept, out of every agent's reach; None for the worker's memory alone."""
    fast: bool = False


@cache
def _store(how: How) -> Store:
    return Store(how.folder, fast=how.fast)


def judge(task: Path, work: Path | Mapping[str, bytes], how: How, known: Known | None = None) -> Verdict | None:
    """The verdict of a task folder on a workspace, or on files; None where it is known.

    What cannot be judged, a task folder that is not whole included, is `infra_error`.
    """
    try:
        spec = checked_spec(task / "tests")
        check_toolchain(task / "tests")
    except (SpecError, InfraError) as error:
        return unjudged(str(error))
    submission = read_submission(work) if isinstance(work, Path) else Submission(work)
    if known == (spec.task, digest(submission.files)) and not submission.findings:
        return None
    return verify(spec, submission, _store(how))


def unjudged(why: str) -> Verdict:
    """The verdict where there is none: no reward, and the reason."""
    return Verdict(INFRA_ERROR, None, facts={"error": why})
