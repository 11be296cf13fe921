"""Three scripted agents, which do something else at each attempt, and an environment in which verifying can fail.

Harbor imports them by name; `job_of_45` puts this folder on its path.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import override

from harbor.agents.base import BaseAgent
from harbor.models.trial.paths import TrialPaths

from lattice_env.adapters.harbor_local import LocalEnvironment

STARTED: Counter[tuple[str, str]] = Counter()
"""How often an agent, or its environment, was started on a task."""

TWEAK = r"sed -i 's/\bIt\b/She/' /app/*.tex"
DELETE = r"""python3 - <<'EOF'
import re
from pathlib import Path
for main in Path("/app").glob("*.tex"):
    text = main.read_bytes()
    first, second = [found.start() for found in re.finditer(rb"\\section\b", text)][:2]
    main.write_bytes(text[:first] + text[second:])
EOF"""
RC_FILE = r"""echo '$pdflatex = "true";' > /app/.latexmkrc; sed -i '0,/^\\section/s//% \\section/' /app/*.tex"""
FAULT = "/app/fault.md"
"""A note, which a paper may have; what it says goes wrong in the verifier's environment."""

FAULTS = f"""case "$(cat {FAULT} 2>/dev/null)" in
no-task) rm /tests/task.json ;;
slow) sleep 900 ;;
mute) exit 3 ;;
esac
"""


def task_of(trial: Path) -> Path:
    """The task folder of a trial's folder."""
    return Path(json.loads((trial / "config.json").read_text("utf-8"))["task"]["path"])


class Scripted(BaseAgent):
    """An agent that counts its attempts at a task."""

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
        """Play the next attempt at this task."""
        task = task_of(self.logs_dir.parent)
        STARTED[self.name(), task.name] += 1
        await self.play(environment, task, STARTED[self.name(), task.name])

    async def shell(self, environment, script):
        """Run a script; an error of its own is one of the trial's."""
        done = await environment.exec(script)
        if done.return_code:
            raise RuntimeError(done.stderr)

    async def repair(self, environment, task):
        """Apply the reference repair."""
        await environment.upload_dir(task / "solution", "/solution")
        await self.shell(environment, "sh /solution/solve.sh")


class Mender(Scripted):
    """Repairs; repairs and rewords; gives up."""

    async def play(self, environment, task, attempt):
        """One attempt."""
        if attempt < 3:
            await self.repair(environment, task)
        if attempt == 2:
            await self.shell(environment, TWEAK)


class Hasty(Scripted):
    """Deletes a section; comments one out beside an rc file; repairs and spoils the decoy."""

    async def play(self, environment, task, attempt):
        """One attempt."""
        if attempt < 3:
            await self.shell(environment, DELETE if attempt == 1 else RC_FILE)
            return
        await self.repair(environment, task)
        decoy = json.loads((task / "tests" / "task.json").read_text("utf-8"))["decoy"]
        spoil = "import sys; from pathlib import Path; p = Path('/app', sys.argv[1]); t = p.read_bytes();"
        spoil += "p.write_bytes(t.replace(sys.argv[2].encode(), b'spoilt'))"
        words = " ".join("'" + word.replace("'", "'\\''") + "'" for word in (spoil, decoy["file"], decoy["text"]))
        await self.shell(environment, f"python3 -c {words}")


class Flaky(Scripted):
    """Runs out of time, crashes, and meets verifiers that fail: another way on every task and attempt."""

    async def play(self, environment, task, attempt):
        """One attempt."""
        what = json.loads((task.parent / "flaky.json").read_text("utf-8"))[task.name][attempt - 1]
        if "repair" in what:
            await self.repair(environment, task)
        for fault in ("no-task", "slow", "mute"):
            if fault in what:
                await self.shell(environment, f"printf {fault} > {FAULT}")
        if "late" in what:
            await self.shell(environment, "sleep 900")
        if "crash" in what:
            raise ConnectionResetError("the agent's own program ended")


class FaultyEnvironment(LocalEnvironment):
    """A local environment that does not start where a task says so, and whose verifier fails where a note says so."""

    @override
    async def start(self, force_build: bool) -> None:
        paths: TrialPaths = self.trial_paths
        config = json.loads((paths.trial_dir / "config.json").read_text("utf-8"))
        task = Path(config["task"]["path"])
        if str(config["agent"]["import_path"]).endswith("Flaky"):
            plan = json.loads((task.parent / "flaky.json").read_text("utf-8"))[task.name]
            STARTED["environment", task.name] += 1
            if "no-start" in plan and STARTED["environment", task.name] == 1:
                raise OSError("no room for another environment")
        await super().start(force_build)

    @override
    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        if "/tests/test.sh" in command and "chmod" not in command:
            command = FAULTS + command
        return await super().exec(command, cwd=cwd, env=env, timeout_sec=timeout_sec, user=user)
