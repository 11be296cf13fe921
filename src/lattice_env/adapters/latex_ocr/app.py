"""The FastAPI application: OpenEnv's routes, `/healthz`, and errors that say what was wrong."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.types import ConcurrencyConfig

from lattice_env.adapters.metrics import add_metrics, session_gauges
from lattice_env.errors import EpisodeError, LatticeError
from lattice_env.families.latex_ocr.settings import read_settings
from lattice_env.families.latex_ocr.source import open_source

from .environment import NAME, LatexOCREnvironment, Served
from .models import LatexOCRAction, LatexOCRObservation, LatexOCRState

IDLE_SECONDS = 3600.0
"""How long a session that is made over HTTP, or a socket that says nothing, keeps its slot."""
WEB = "ENABLE_WEB_INTERFACE"


def make_app() -> FastAPI:
    """The application that this process's environment variables describe; its data is loaded now."""
    return make_app_of(serve(os.environ), web=os.environ.get(WEB, "").lower() in ("1", "true", "yes"))


def serve(environment: Mapping[str, str]) -> Served:
    """The data and the settings of an environment; LatticeError where it cannot be served."""
    settings = read_settings(environment)
    return Served(settings, open_source(settings))


def make_app_of(served: Served, *, web: bool = False) -> FastAPI:
    """An application that serves `served`, with the playground at `/web` or without."""
    app = FastAPI(title="LaTeX OCR", version="1.0.0")
    limits = ConcurrencyConfig(max_concurrent_envs=served.settings.max_sessions, session_timeout=IDLE_SECONDS)
    server = HTTPEnvServer(
        partial(LatexOCREnvironment, served),
        LatexOCRAction,
        LatexOCRObservation,
        concurrency_config=limits,
        env_name=NAME,
        state_cls=LatexOCRState,
    )
    app.add_exception_handler(LatticeError, _refuse)
    _add_health(app, server, served)
    add_metrics(app, lambda: session_gauges("latex_ocr", server))
    if web:
        from .playground import mount_playground  # noqa: PLC0415 - gradio takes seconds to import

        mount_playground(app, served)
    server.register_routes(app, mode=os.environ.get("OPENENV_MODE", "simulation"))
    return app


async def _refuse(_request: Request, error: Exception) -> JSONResponse:
    code = error.code if isinstance(error, EpisodeError) else "bad-data"
    return JSONResponse({"detail": str(error), "code": code}, status_code=400)


def _add_health(app: FastAPI, server: HTTPEnvServer, served: Served) -> None:
    splits = {name: split.size for name, split in served.source.splits.items()}

    @app.get("/healthz", tags=["Health"])
    async def healthz() -> dict[str, object]:  # pyright: ignore[reportUnusedFunction] - the route uses it
        """What is served, and how many sessions are at it."""
        sessions = {"active": server.active_sessions, "max": server.max_concurrent_envs}
        facts = {"dataset": served.source.name, "splits": splits, "mode": served.settings.mode}
        return {"status": "ok", **facts, "reward": served.settings.reward, "sessions": sessions}
