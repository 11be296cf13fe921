"""`lattice-env env`."""

from __future__ import annotations

import json as json_format
import sys
from pathlib import Path

from lattice_env.errors import UsageError
from lattice_env.sessions.lines import serve
from lattice_env.sessions.replay import replay as play_again
from lattice_env.sessions.schema import SCHEMA

from .places import err
from .places import out as stdout


def env(
    *,
    episodes: Path | None = None,
    replay: Path | None = None,
    task: str = "",
    schema: bool = False,
    json: bool = False,
) -> int:
    """Play episodes over JSON lines: requests on stdin, one reply a line on stdout, records in a folder.

    {"op": "reset", "task": "DIR"} begins, {"op": "step", "action": {"type": "compile"}} acts, submit or defer ends.
    docs/guides/episodes.md tells them by example. Exit code 1 where a replay differs.

    Parameters
    ----------
    episodes
        The folder for the episodes: each gets its own, and a line in episodes.jsonl, which calibrate reads.
    replay
        Play this transcript.jsonl again instead, and tell the first reply that differs.
    task
        Where the replayed task lies now, if it was moved.
    schema
        Print the JSON schema of the messages instead.
    json
        Print what a replay found as JSON.
    """
    if schema:
        print(json_format.dumps(SCHEMA, indent=1))
        return 0
    if replay is not None:
        return _replay(replay, task, as_json=json)
    if episodes is None:
        message = "no folder for the episodes was given"
        raise UsageError(message, hint="lattice-env env --episodes DIR, or --replay TRANSCRIPT")
    return serve(episodes, sys.stdin.buffer, sys.stdout.buffer)


def _replay(transcript: Path, task: str, *, as_json: bool) -> int:
    found = play_again(transcript, task=task, say=lambda line: err().print(line, markup=False))
    if as_json:
        body = vars(found) | {"difference": vars(found.difference) if found.difference else None}
        print(json_format.dumps(body, indent=1))
    else:
        same = f"the same: {found.exchanges} exchanges"
        stdout().print(str(found.difference or same), markup=False, soft_wrap=True)
    return int(found.difference is not None)
