"""`/metrics` on an application: what a pool has done, and a pool that ends with its server."""

from __future__ import annotations

import asyncio

import pytest

from lattice_env.adapters.metrics import add_metrics, add_pool, gauges
from lattice_env.verification import BusyError, VerifierPool

pytestmark = pytest.mark.openenv


def test_a_pool_s_metrics_are_served_and_the_pool_ends_with_the_server(tmp_path):
    from fastapi import FastAPI
    from starlette.testclient import TestClient

    app, pool = FastAPI(), VerifierPool(workers=1)
    add_pool(app, pool, lambda: gauges({"rooms": ("Rooms that are taken", 3)}))

    @app.get("/verdict")
    async def verdict():
        return {"error": (await pool.verify(tmp_path, {})).facts["error"]}

    with TestClient(app) as client:
        assert "task.json" in client.get("/verdict").json()["error"]
        reply = client.get("/metrics")
        assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert 'lattice_verify_verdicts_total{status="infra_error"} 1\n' in reply.text
        assert "# TYPE rooms gauge\nrooms 3\n" in reply.text
    with pytest.raises(BusyError, match="draining"):
        asyncio.run(pool.verify(tmp_path, {}))


def test_sources_are_asked_anew_each_time():
    from fastapi import FastAPI
    from starlette.testclient import TestClient

    app, told = FastAPI(), iter(["one 1\n", "one 2\n"])
    add_metrics(app, lambda: next(told))
    client = TestClient(app)
    assert [client.get("/metrics").text for _ in range(2)] == ["one 1\n", "one 2\n"]
