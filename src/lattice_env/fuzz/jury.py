"""A package's own verifier at work in a process that is ended when it takes too long."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lattice_env.errors import MissingTool
from lattice_env.verifier.toolchain import find_tool

DRIVER = Path(__file__).with_name("driver.py")
STATIC_SECONDS, BUILT_SECONDS = 20, 240
"""How long a verdict may take: without a build, and with all builds that it may need."""


@dataclass
class Jury:
    """One process of one package's verifier, which may write below `scratch` alone."""

    tests: Path
    scratch: Path
    build: bool
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def seconds(self) -> int:
        """How long a verdict may take."""
        return BUILT_SECONDS if self.build else STATIC_SECONDS

    def judge(self, workspace: Path) -> dict[str, Any]:
        """What the driver tells of one workspace; a `crash` where it says nothing in time, or dies."""
        process = self._process = self._process or self._start()
        assert process.stdin is not None  # noqa: S101 - pipes were asked for
        assert process.stdout is not None  # noqa: S101
        process.stdin.write(json.dumps(str(workspace)).encode() + b"\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], self.seconds)
        line = process.stdout.readline() if ready else b""
        if line:
            return json.loads(line)
        self.end()
        crash = "the verifier died" if ready else f"no verdict within {self.seconds} s"
        return {"crash": crash, "summary": "", "seconds": float(self.seconds), "outside": []}

    def _start(self) -> subprocess.Popen[bytes]:
        python = find_tool("python3")
        if python is None:
            message = "python3 is in none of the system's folders, where a package's test.sh looks for it"
            raise MissingTool(message)
        folders = {name: self.scratch / name for name in ("tmp", "home", "out")}
        for folder in folders.values():
            folder.mkdir(parents=True, exist_ok=True)
        words = [python, "-I", "-S", "-B", str(DRIVER), str(self.tests), str(self.scratch), "build" * self.build]
        return subprocess.Popen(  # noqa: S603 - a list, absolute paths
            words,
            cwd=folders["home"],
            env={"LC_ALL": "C.UTF-8", "TMPDIR": str(folders["tmp"]), "HOME": str(folders["home"])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def end(self) -> None:
        """End the process and all that it started."""
        process, self._process = self._process, None
        if process is None:
            return
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
