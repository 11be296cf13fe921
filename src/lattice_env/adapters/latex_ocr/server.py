"""`latex-ocr-server`: the environment over HTTP and WebSockets."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from lattice_env.errors import LatticeError

MOST_BYTES = 16 << 20
"""The longest message of a client: room for an answer that is too long, and for the error that says so."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        prog="latex-ocr-server",
        description="Serve LaTeX OCR over OpenEnv. What is served is said by LATEX_OCR_* environment variables.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1); 0.0.0.0 for all")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
    parser.add_argument("--workers", type=int, default=1, help="processes, each with its own data and sessions (1)")
    parser.add_argument(
        "--ping-seconds", type=float, default=20.0, help="how long a client may be silent before it is dropped (20)"
    )
    parser.add_argument("--no-web", action="store_true", help="do not serve the playground at /web")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted; exit codes as those of `lattice-env`."""
    options = parse(arguments)
    try:
        return _serve(options)
    except LatticeError as error:
        return complain(error)
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed\n  hint: pip install 'lattice-env[ocr]'", file=sys.stderr)  # noqa: T201
        return 3


def complain(error: LatticeError) -> int:
    """Say an error on stderr; its exit code."""
    print(f"latex-ocr: {error}" + (f"\n  hint: {error.hint}" if error.hint else ""), file=sys.stderr)  # noqa: T201
    return error.exit_code


def _serve(options: argparse.Namespace) -> int:
    import uvicorn  # noqa: PLC0415 - so that a missing extra is said in one line

    from .app import WEB, make_app_of, serve  # noqa: PLC0415

    web = not options.no_web and options.workers == 1
    if options.workers > 1 and not options.no_web:
        print("no playground with several workers: its visitors would change from one to another", file=sys.stderr)  # noqa: T201
    os.environ[WEB] = str(int(web))
    served = serve(os.environ)
    rows = ", ".join(f"{name} {split.size}" for name, split in served.source.splits.items())
    notice = served.source.notice and f"{served.source.notice}\n"
    print(f"{notice}serving {served.source.name} ({rows}), {served.settings.mode}", file=sys.stderr)  # noqa: T201
    several = options.workers > 1
    app = "lattice_env.adapters.latex_ocr.app:make_app" if several else make_app_of(served, web=web)
    uvicorn.run(
        app,
        factory=several,
        workers=options.workers,
        host=options.host,
        port=options.port,
        **socket_settings(options.ping_seconds),
    )
    return 0


def socket_settings(ping_seconds: float) -> dict[str, Any]:
    """How uvicorn holds its sockets: pictures do not get smaller by compression, so none is tried."""
    return {
        "log_level": "warning",
        "ws_max_size": MOST_BYTES,
        "ws_per_message_deflate": False,
        "ws_ping_interval": ping_seconds / 2,
        "ws_ping_timeout": ping_seconds / 2,
    }


if __name__ == "__main__":
    sys.exit(main())
