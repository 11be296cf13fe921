"""`/metrics` for any FastAPI application, and verifiers that end with it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from lattice_env.verification import VerifierPool

DRAIN_SECONDS = 30.0
"""How long a server that is asked to end (SIGTERM) waits for the verdicts that are under way."""


def add_metrics(app: Any, *sources: Callable[[], str]) -> None:
    """Serve at `/metrics` what each source says, in Prometheus's text format."""
    from starlette.responses import PlainTextResponse  # noqa: PLC0415 - with the extras that serve

    async def metrics(_request: Any) -> PlainTextResponse:
        text = "".join(source() for source in sources)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    app.add_route("/metrics", metrics, methods=["GET"])


def add_pool(app: Any, pool: VerifierPool, *sources: Callable[[], str]) -> None:
    """Serve a pool's metrics, and drain the pool when the application ends."""
    add_metrics(app, pool.metrics, *sources)
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(served: Any) -> AsyncGenerator[Any]:
        async with inner(served) as state:
            yield state
        await pool.drain(DRAIN_SECONDS)

    app.router.lifespan_context = lifespan


def gauges(values: Mapping[str, tuple[str, float]]) -> str:
    """Name → (what it is, value) as gauges of Prometheus's text format."""
    return "".join(
        f"# HELP {name} {text}.\n# TYPE {name} gauge\n{name} {value:g}\n" for name, (text, value) in values.items()
    )
