"""The verdict of a task package on a workspace: its own `tests/verify.py`, in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from lattice_env.verifier.verdict import INFRA_ERROR

SECONDS = 300
"""As long as Harbor lets a verifier of ours run."""
_GRACE = 5

Judge = Callable[[Path, Path, Path, Path], Mapping[str, Any]]
"""From a package, a workspace, a home and the folder for the reward files to a verdict: `judge_workspace`, or what
stands for it where many episodes share a machine."""


def judge_workspace(package: Path, workspace: Path, home: Path, out: Path) -> Mapping[str, Any]:
    """The verdict of the package's verifier, which also writes its reward files to `out`.

    What keeps it from one (time, a verifier that does not start) is a verdict `infra_error` that says so.
    """
    home.mkdir(parents=True, exist_ok=True)
    script = package / "tests" / "verify.py"
    words = ["-I", "-S", str(script), "--workspace", str(workspace), "--out", str(out), "--json"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "TMPDIR": str(home), "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(  # noqa: S603 - a list, no shell
        [sys.executable, *words],
        cwd=home,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            said, complaint = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return no_verdict(f"the verifier did not end within {SECONDS} s")
        finally:
            _end(process)
    return _verdict(said, complaint)


def no_verdict(why: str) -> Mapping[str, Any]:
    """The verdict where there is none."""
    return {"status": INFRA_ERROR, "reward": None, "components": {}, "gates": [], "redLines": [], "error": why}


def _verdict(said: bytes, complaint: bytes) -> Mapping[str, Any]:
    try:
        found: object = json.loads(said)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        return no_verdict(f"the verifier gave no verdict: {complaint[-500:].decode('utf-8', 'replace').strip()}")
    return cast("Mapping[str, Any]", found)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the verifier and its builds: an interrupt first, on which it removes what it made."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
