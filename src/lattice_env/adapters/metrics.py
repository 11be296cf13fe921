"""`/metrics` for any FastAPI application, and verifiers that end with it."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from lattice_env.verification import VerifierPool

DRAIN_SECONDS = 30.0
"""How long a server that is asked to end (SIGTERM) waits for the verdicts that are under way."""
LAST_SECONDS = 0.5
"""How long it then leaves its sessions to send them."""


def add_metrics(app: Any, *sources: Callable[[], str]) -> None:
    """Serve at `/metrics` what each source says, in Prometheus's text format."""
    from starlette.responses import PlainTextResponse  # noqa: PLC0415 - with the extras that serve

    async def metrics(_request: Any) -> PlainTextResponse:
        text = "".join(source() for source in sources)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    app.add_route("/metrics", metrics, methods=["GET"])


def add_pool(app: Any, pool: VerifierPool, *sources: Callable[[], str]) -> None:
    """Serve a pool's metrics, and drain the pool when the application ends, or is about to by SIGTERM."""
    add_metrics(app, pool.metrics, *sources)
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(served: Any) -> AsyncGenerator[Any]:
        pool.attach()
        async with inner(served) as state:
            ending = _drain_before_the_end(pool)
            yield state
        await pool.drain(DRAIN_SECONDS)
        if ending:
            ending.cancel()

    app.router.lifespan_context = lifespan


def _drain_before_the_end(pool: VerifierPool) -> asyncio.Task[None] | None:
    """On SIGTERM drain first: the server itself, told at once, would close the sessions that wait for verdicts.

    None where this is not the main thread, which alone hears of signals.
    """
    server = signal.getsignal(signal.SIGTERM)
    if threading.current_thread() is not threading.main_thread() or not callable(server):
        return None
    drained = pool.drain_on_sigterm(DRAIN_SECONDS)

    async def end() -> None:
        await drained.wait()
        await asyncio.sleep(LAST_SECONDS)
        server(signal.SIGTERM, None)

    return asyncio.create_task(end())


def session_gauges(name: str, server: Any) -> str:
    """How many sessions an OpenEnv server has and may have."""
    held, most = server.active_sessions, server.max_concurrent_envs
    return gauges(
        {
            f"{name}_sessions": ("Sessions that are open", held),
            f"{name}_sessions_limit": ("Sessions that may be open at once", most),
        }
    )


def gauges(values: Mapping[str, tuple[str, float]]) -> str:
    """Name → (what it is, value) as gauges of Prometheus's text format."""
    return "".join(
        f"# HELP {name} {text}.\n# TYPE {name} gauge\n{name} {value:g}\n" for name, (text, value) in values.items()
    )
