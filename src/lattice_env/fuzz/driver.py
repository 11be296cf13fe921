"""A package's own verifier in a process that lasts: `python3 -I -S -B driver.py TESTS SCRATCH BUILD`.

Reads a workspace's path a line and answers with a line of JSON. The verifier may write below SCRATCH alone: every
opening for writing, making, moving or removing elsewhere is told as `outside`, by an audit hook that no code of the
verifier can get round. Python's standard library only, and Python 3.11, as the verifier itself.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
PATHS = {
    "os.mkdir": (0,),
    "os.rename": (0, 1),
    "os.remove": (0,),
    "os.rmdir": (0,),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.utime": (0,),
    "os.setxattr": (0,),
}
"""Events that change the file system → which of their arguments are paths."""
HANDLES = {"os.mkdir": 2, "os.remove": 1, "os.rmdir": 1, "os.rename": 2}
"""Events → which argument is the folder that a relative path starts from; -1 is the current one."""


class Watch:
    """What was written outside of a folder since it was last asked."""

    def __init__(self, scratch: str) -> None:
        self.scratch = scratch
        self.outside: list[str] = []

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take note of an event; the interpreter calls this."""
        if event == "open":
            if isinstance(arguments[2], int) and arguments[2] & WRITES:
                self.note(event, arguments[0], -1)
        elif event in PATHS:
            place = HANDLES.get(event)
            handle = arguments[place] if place is not None else -1
            for index in PATHS[event]:
                self.note(event, arguments[index], handle)

    def note(self, event: str, path: Any, handle: Any) -> None:
        """Keep a path that is not below the scratch folder."""
        if isinstance(path, int):
            return
        opened = isinstance(handle, int) and handle >= 0
        base = Path(f"/proc/self/fd/{handle}").readlink() if opened else Path.cwd()
        full = os.path.normpath(base / os.fsdecode(path))
        if full != os.devnull and not full.startswith(self.scratch + "/"):
            self.outside.append(f"{event} {full}")


class Unbuilt:
    """A store that builds nothing: what passes the static gates ends in an `infra_error` of this name."""

    def __init__(self, error: type[Exception]) -> None:
        self.error = error

    def outcome(self, *_words: Any, **_options: Any) -> None:
        """Never comes back."""
        raise self.error("not built")


def main(tests: str, scratch: str, build: str) -> None:
    """Judge one workspace after the other until there are no more."""
    sys.pycache_prefix = os.devnull
    sys.path.insert(0, tests)
    entry = importlib.import_module("lattice_verifier.entry")
    error = importlib.import_module("lattice_verifier.verdict").InfraError
    store = entry.Store() if build == "build" else Unbuilt(error)
    watch = Watch(scratch)
    sys.addaudithook(watch)
    for line in sys.stdin:
        told: dict[str, Any] = {"crash": "", "summary": ""}
        began = time.perf_counter()
        try:
            verdict = entry.judge_package(Path(tests), Path(json.loads(line)), store)
            entry.write_reward(verdict, Path(scratch, "out"))
            told["summary"] = entry.summary(verdict)
        except BaseException:  # noqa: BLE001 - whatever it is, it is told
            told["crash"] = traceback.format_exc()
        told |= {"seconds": time.perf_counter() - began, "outside": watch.outside[:]}
        watch.outside.clear()
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
