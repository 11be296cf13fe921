"""Verdicts of episodes from a pool: the package's own, however many threads ask, and no reward that was not earned."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from lattice_env.adapters import pooled
from lattice_env.adapters.pooled import PooledJudge
from lattice_env.sessions.judging import judge_workspace
from lattice_env.verification import VerifierPool


@pytest.fixture
def attempt(document_task, tmp_path):
    """A function: the words of a judge for the untouched workspace of a task, with folders of their own."""

    def make(name="one"):
        folders = [tmp_path / name / part for part in ("home", "out")]
        return (document_task, document_task / "environment" / "workspace", *folders)

    return make


def judged(attempts, **options):
    """The verdicts of threads that ask all at once, and the pool's metrics."""

    async def main():
        async with VerifierPool(workers=2, **options) as pool:
            pool.attach()
            judge, loop = PooledJudge(pool), asyncio.get_running_loop()
            with ThreadPoolExecutor(len(attempts)) as threads:
                asked = [loop.run_in_executor(threads, judge, *words) for words in attempts]
                return await asyncio.gather(*asked), pool.metrics()

    return asyncio.run(main())


def test_threads_that_ask_at_once_get_the_package_s_own_verdict(attempt):
    verdicts, metrics = judged([attempt(str(number)) for number in range(6)])
    own = judge_workspace(*attempt("own"))
    assert verdicts == [own] * 6
    assert 'verdicts_total{status="rejected"} 6' in metrics
    pool_s, own_s = ((attempt(name)[3] / "reward.json").read_text("utf-8") for name in ("0", "own"))
    assert json.loads(pool_s) == json.loads(own_s)


def test_a_package_with_another_version_of_the_verifier_is_judged_by_its_own(attempt, monkeypatch):
    monkeypatch.setattr(pooled, "verifier_digest", lambda: "0" * 64)
    verdicts, metrics = judged([attempt("a"), attempt("b")])
    assert [verdict["status"] for verdict in verdicts] == ["rejected"] * 2
    assert 'verdicts_total{status="rejected"} 0' in metrics


def test_a_pool_that_takes_no_more_is_no_reward(attempt):
    names = [str(number) for number in range(6)]
    verdicts, metrics = judged([attempt(name) for name in names], most_waiting=0)
    refused = [verdict for verdict in verdicts if verdict["status"] == "infra_error"]
    assert 1 <= len(refused) <= 4
    assert f"refused_total {len(refused)}" in metrics
    assert {(verdict["reward"], verdict["error"]) for verdict in refused} == {
        (None, "the verifiers are busy: 0 requests wait")
    }


def test_a_verdict_that_takes_too_long_is_no_reward(attempt):
    (late,), _ = judged([attempt()], seconds=0.0)
    assert (late["status"], late["reward"], late["error"]) == ("infra_error", None, "no verdict within 0 s")
    assert not (attempt()[3] / "reward.txt").exists()
