"""Agents that Harbor imports by name; the tests put this folder on its path."""

from __future__ import annotations

import os
from typing import ClassVar

from harbor.agents.base import BaseAgent

STAYS = f"9{os.getpid():07}"
"""Seconds to sleep, by which the processes of this test run are known."""


class Scripted(BaseAgent):
    """An agent that runs one command."""

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


class Forger(Scripted):
    """Plants rewards, a verifier and a configuration of latexmk, and edits nothing."""

    script = """
        for name in reward.txt reward.json; do echo '{"reward": 1}' > /logs/verifier/$name; done
        echo 1 > /logs/artifacts/reward.txt
        mkdir -p /tests && echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh
        echo '$pdflatex = "true";' > /app/.latexmkrc
    """


class Deleter(Scripted):
    """Deletes the first section."""

    script = r"""python3 - <<'EOF'
import re
from pathlib import Path
main = Path("/app/main.tex")
text = main.read_bytes()
first, second = [found.start() for found in re.finditer(rb"\\section\b", text)][:2]
main.write_bytes(text[:first] + text[second:])
EOF"""


class Vandal(Scripted):
    """Leaves no paper."""

    script = "cd / && rm -rf /app"


class Sleeper(Scripted):
    """Never ends, in two sessions."""

    script = f"setsid sleep {STAYS} & sleep {STAYS}"


class Hoarder(Scripted):
    """Leaves a workspace of more than 2 MiB."""

    script = "head -c 2200000 /dev/urandom > /app/notes.txt"
