"""Facts of the machine, without which no seconds mean anything."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lattice_env.verifier import sandbox
from lattice_env.verifier.toolchain import toolchain


def machine_facts() -> dict[str, Any]:
    """Cores, load, processor, Python, TeX and sandbox, with the time at which they were asked."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "processor": _processor(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "tex": _first_line("pdflatex"),
        "latexmk": _first_line("latexmk"),
        "sandbox": sandbox.kind(),
    }


def _processor() -> str:
    """The processor's name where Linux tells it, else its kind."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text("utf-8").splitlines() if listed.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _first_line(tool: str) -> str:
    """What a tool says of its own version."""
    command = [toolchain().path(tool), "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return next((line.strip() for line in done.stdout.splitlines() if line.strip()), "unknown")
