"""The environment over JSON lines: a request a line in, a reply a line out, until the input ends or a signal comes."""

from __future__ import annotations

import contextlib
import json
import os
import select
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any, BinaryIO

from .host import Host
from .protocol import MOST_LINE
from .stopping import GONE, Stopped, stoppable, tell_gone

ENDED = "the client's requests ended"


def serve(episodes: Path, requests: BinaryIO, replies: BinaryIO) -> int:
    """Answer requests until they end; the exit code. Whatever ends it, the open episode's record is closed.

    A client that no longer reads ends a build that is running for it.
    """
    host = Host(episodes)
    reason = ENDED
    try:
        with stoppable(), _watched(replies):
            while line := requests.readline(MOST_LINE + 1):
                if len(line) > MOST_LINE and not line.endswith(b"\n"):
                    _skip_line(requests)
                if line.strip():
                    _answer(host, line, replies)
    except BrokenPipeError:
        reason = GONE
    except Stopped as stop:
        reason = stop.reason
        return stop.code
    except KeyboardInterrupt:
        reason = "interrupted"
        raise
    except BaseException as error:
        reason = f"a bug: {error!r}"
        raise
    finally:
        host.leave(reason)
    return 0


def _answer(host: Host, line: bytes, replies: BinaryIO) -> None:
    reply: dict[str, Any] = host.take_line(line)
    replies.write(json.dumps(reply).encode("ascii") + b"\n")
    replies.flush()


def _skip_line(requests: BinaryIO) -> None:
    """Read on to the end of a line that is too long, without keeping it."""
    while (rest := requests.readline(MOST_LINE)) and not rest.endswith(b"\n"):
        pass


@contextlib.contextmanager
def _watched(replies: BinaryIO) -> Generator[None]:
    """Stop the work once nobody reads its replies any more; a file is always read."""
    done, wake = os.pipe()

    def watch() -> None:
        poll = select.poll()
        poll.register(replies.fileno(), 0)  # nothing but what is always told: that the other end is closed
        poll.register(done, select.POLLIN)
        if done not in dict(poll.poll()):
            tell_gone()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.close(wake)
        thread.join()
        os.close(done)
