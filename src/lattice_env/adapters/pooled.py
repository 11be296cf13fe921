"""Verdicts of a server's episodes, all from one pool: however many sessions end at once, so many verifiers work."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lattice_env.sessions.judging import judge_workspace, no_verdict
from lattice_env.verification import BusyError, VerifierPool
from lattice_env.verifier.engines import read_spec
from lattice_env.verifier.entry import write_reward
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.spec import SpecError


class PooledJudge:
    """A `Judge` for episodes that are played in threads beside the pool's event loop.

    The verdict is the one that the package's own verifier gives: a package with another version of it is judged by
    that, as many at once as the pool has workers.
    """

    def __init__(self, pool: VerifierPool) -> None:
        self._pool = pool
        self._others = threading.BoundedSemaphore(pool.workers)

    def __call__(self, package: Path, workspace: Path, home: Path, out: Path) -> Mapping[str, Any]:
        """The verdict, also written to `out`; `infra_error` where the pool takes no more, or it takes too long."""
        if not _is_ours(package):
            with self._others:
                return judge_workspace(package, workspace, home, out)
        try:
            verdict = self._pool.verify_from_thread(package, workspace)
        except BusyError as error:
            return no_verdict(str(error))
        try:
            write_reward(verdict, out)
        except OSError as error:
            return no_verdict(f"no reward could be written: {error}")
        return json.loads(verdict.to_json())


def _is_ours(package: Path) -> bool:
    """Whether a package carries this version's verifier; one that cannot be read is the pool's to complain of."""
    try:
        return read_spec(package / "tests").verifier in ("", verifier_digest())
    except SpecError:
        return True
