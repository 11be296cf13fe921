"""What an attempt at a packaged task works on: the package, a copy of its workspace, a home of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lattice_env.packages.harbor import Package

from .machine import Machine
from .session import TaskFacts
from .workspace import Workspace

WORKSPACE, HOME, VERIFIER = "workspace", "home", "verifier"
"""The folders of an episode: what the agent works on, the home of what runs for it, and what its verifier wrote."""


@dataclass(frozen=True)
class Bench:
    """One packaged task, laid out in the folder of one episode."""

    package: Package
    folder: Path
    machine: Machine

    @property
    def facts(self) -> TaskFacts:
        """Which task it is."""
        spec = self.package.spec
        return TaskFacts(self.package.folder.resolve().name, spec.task, spec.family, spec.verifier)

    @property
    def workspace(self) -> Workspace:
        """What the agent works on."""
        return Workspace(self.folder / WORKSPACE)

    @property
    def home(self) -> Path:
        """The folder for what runs beside the workspace."""
        return self.folder / HOME

    def lay_out(self) -> None:
        """Copy the package's workspace, and make the home."""
        self.home.mkdir()
        self.workspace.fill(self.package.workspace)

    def judge(self) -> Mapping[str, Any]:
        """The verdict of the package's own verifier on the workspace as it stands."""
        self.workspace.check()
        tests = self.package.folder.resolve()
        return self.machine.judging(tests, self.workspace.folder.resolve(), self.home.resolve(), self.folder / VERIFIER)
