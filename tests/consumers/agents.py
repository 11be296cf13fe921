"""The submissions as agents for Harbor and for what runs Harbor's trials; imported by name."""

from __future__ import annotations

from typing import ClassVar

from harbor.agents.base import BaseAgent
from submissions import SCRIPTS


class Scripted(BaseAgent):
    """An agent that runs one script."""

    script: ClassVar[str]

    @classmethod
    def name(cls):
        """The class's name, in lower case."""
        return cls.__name__.lower()

    def version(self):
        """Always 1."""
        return "1"

    async def setup(self, environment):
        """Nothing."""

    async def run(self, instruction, environment, context):
        """Run the script; an error of its own is one of the trial's."""
        done = await environment.exec(self.script)
        if done.return_code:
            raise RuntimeError(done.stderr)


for _name, _script in SCRIPTS.items():
    globals()[_name.title()] = type(_name.title(), (Scripted,), {"script": _script})
