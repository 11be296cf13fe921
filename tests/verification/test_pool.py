"""Verdicts from an event loop: bounded, refused rather than queued for ever, never a reward that was not earned."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import lattice_env
from lattice_env import BusyError, VerifierPool, verify_async
from lattice_env.verification import pool as module

FOREVER = 3600


def seconds(count):
    return {"seconds": str(count).encode()}


def counted(text, name):
    """A number of the metrics."""
    return float(re.search(rf"^lattice_verify_{re.escape(name)} (\S+)$", text, re.MULTILINE)[1])


@pytest.fixture
def slow(monkeypatch):
    """Verdicts that take as long as a test says."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    import slow_judge

    monkeypatch.setattr(module, "judge", slow_judge.judge)


def test_a_verdict_is_the_verifier_s(tasks, solved):
    async def main():
        async with VerifierPool(workers=1) as pool:
            for name, folder in tasks.items():
                good, bad = await asyncio.gather(
                    pool.verify(folder, solved(name)), verify_async(folder, solved(name, "nop"), pool=pool)
                )
                assert (good.reward, bad.reward) == (1, 0)
            return pool.metrics()

    text = asyncio.run(main())
    assert counted(text, 'verdicts_total{status="scored"}') == 3
    assert counted(text, 'verdicts_total{status="rejected"}') == 3
    assert counted(text, "seconds_count") == counted(text, 'seconds_bucket{le="+Inf"}') == 6
    assert counted(text, "waiting") == counted(text, "running") == 0


def test_without_a_pool_one_is_made_and_found_again(tasks, solved):
    async def main():
        name = min(tasks)
        first = await verify_async(tasks[name], solved(name))
        made = module._POOLS[asyncio.get_running_loop()]  # noqa: SLF001 - there is one
        second = await verify_async(tasks[name], solved(name))
        assert module._POOLS[asyncio.get_running_loop()] is made  # noqa: SLF001 - and no other
        await made.drain()
        return first, second

    first, second = asyncio.run(main())
    assert first == second
    assert first.reward == 1


def test_a_process_that_never_drained_its_pool_ends_all_the_same(tasks, solved):
    name = min(tasks)
    text = f"""if __name__ == "__main__":
    import asyncio, pathlib, lattice_env
    folder = pathlib.Path({str(tasks[name])!r})
    print(asyncio.run(lattice_env.verify_async(folder, folder / "environment" / "workspace")).reward)
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "0.0\n"), done.stderr


def test_importing_the_package_alone_loads_no_pool():
    text = "import sys, lattice_env; print('lattice_env.verification' in sys.modules, 'asyncio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False False\n"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = lattice_env.nonsense


def test_ten_thousand_requests_at_once_are_all_served_by_two_workers(slow):
    async def main():
        async with VerifierPool(workers=2) as pool:
            found = asyncio.gather(*(pool.verify(Path("x"), seconds(0)) for _ in range(10_000)))
            await asyncio.sleep(0.01)
            assert counted(pool.metrics(), "running") <= 2
            return await found, pool.metrics()

    verdicts, text = asyncio.run(main())
    assert len(verdicts) == 10_000
    assert counted(text, 'verdicts_total{status="infra_error"}') == 10_000


def test_ten_thousand_requests_at_a_full_pool_are_refused_at_once(slow):
    async def main():
        async with VerifierPool(workers=1, most_waiting=10) as pool:
            asked = (pool.verify(Path("x"), seconds(0.01)) for _ in range(10_000))
            found = await asyncio.gather(*asked, return_exceptions=True)
            assert counted(pool.metrics(), "refused_total") == sum(isinstance(each, BusyError) for each in found)
            return found

    found = asyncio.run(main())
    refused = [each for each in found if isinstance(each, BusyError)]
    assert 9_900 <= len(refused) < 10_000
    assert "requests wait" in str(refused[0])


def test_a_request_that_takes_too_long_has_no_reward_and_frees_its_worker(slow):
    async def main():
        async with VerifierPool(workers=1, seconds=0.5) as pool:
            long, waiting = await asyncio.gather(
                pool.verify(Path("x"), seconds(FOREVER)), pool.verify(Path("x"), seconds(0))
            )
            after = await pool.verify(Path("x"), seconds(0), seconds=60)
            return long, waiting, after, pool.metrics()

    long, waiting, after, text = asyncio.run(main())
    for verdict in (long, waiting):
        assert (verdict.status, verdict.reward) == ("infra_error", None)
        assert verdict.facts["error"] == "no verdict within 0.5 s"
    assert after.facts["error"] == "slept"
    assert counted(text, "timeouts_total") == 2
    assert counted(text, "worker_deaths_total") == 1


def test_a_worker_that_is_killed_again_and_again_is_no_reward(slow):
    async def main():
        async with VerifierPool(workers=1) as pool:
            return await pool.verify(Path("x"), {"kill": b""}), await pool.verify(Path("x"), seconds(0))

    killed, after = asyncio.run(main())
    assert (killed.status, killed.reward) == ("infra_error", None)
    assert "workers were killed" in killed.facts["error"]
    assert after.facts["error"] == "slept"


def test_callers_that_vanish_hold_nothing_up(slow):
    async def main():
        async with VerifierPool(workers=1) as pool:
            tasks = [asyncio.create_task(pool.verify(Path("x"), seconds(0.3))) for _ in range(100)]
            await asyncio.sleep(0.1)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert all(task.cancelled() for task in tasks)
            after = await pool.verify(Path("x"), seconds(0))
            return after, pool.metrics()

    after, text = asyncio.run(main())
    assert after.facts["error"] == "slept"
    assert counted(text, "abandoned_total") == 100
    assert counted(text, "waiting") == counted(text, "running") == 0


def test_a_pool_that_drains_ends_what_it_has_and_takes_no_more(slow):
    async def main():
        pool = VerifierPool(workers=1)
        drained = pool.drain_on_sigterm()
        here = [asyncio.create_task(pool.verify(Path("x"), seconds(0.2))) for _ in range(3)]
        await asyncio.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.05)
        with pytest.raises(BusyError, match="draining"):
            await pool.verify(Path("x"), seconds(0))
        found = await asyncio.gather(*here)
        await asyncio.wait_for(drained.wait(), 30)
        asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
        return found

    assert [verdict.facts["error"] for verdict in asyncio.run(main())] == ["slept"] * 3


def test_a_drain_that_is_bounded_ends_what_takes_longer(slow):
    async def main():
        pool = VerifierPool(workers=1)
        here = [asyncio.create_task(pool.verify(Path("x"), seconds(FOREVER))) for _ in range(3)]
        await asyncio.sleep(0.1)
        await pool.drain(0.1)
        return await asyncio.gather(*here)

    for verdict in asyncio.run(main()):
        assert (verdict.status, verdict.reward) == ("infra_error", None)


def test_metrics_are_in_prometheus_s_format():
    counts = module.Metrics(2)
    counts.count("scored", 0.07)
    counts.count("rejected", 3000)
    text = counts.text(1)
    assert re.fullmatch(r'(# (HELP|TYPE) \w+ [^\n]+\n|\w+(\{\w+="[^"]+"\})? [\d.]+\n)+', text)
    assert counted(text, 'seconds_bucket{le="0.05"}') == 0
    assert counted(text, 'seconds_bucket{le="0.1"}') == 1
    assert counted(text, 'seconds_bucket{le="120"}') == 1
    assert counted(text, 'seconds_bucket{le="+Inf"}') == 2
    assert counted(text, "worker_deaths_total") == 1
