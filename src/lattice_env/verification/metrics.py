"""What a pool of verifiers has done and is doing, as Prometheus reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lattice_env.verifier.verdict import INFRA_ERROR, REJECTED, SCORED

BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 60.0, 120.0)
"""Upper bounds, in seconds, of the histogram of requests."""


@dataclass
class Metrics:
    """Counts of one pool since it began, and what it holds now."""

    workers: int
    verdicts: Counter[str] = field(default_factory=Counter[str])
    """By status."""
    refused: int = 0
    timeouts: int = 0
    abandoned: int = 0
    """Requests whose caller went away."""
    waiting: int = 0
    running: int = 0
    spans: Counter[float] = field(default_factory=Counter[float])
    """How many requests took at most a bucket's seconds and more than the bucket's below."""
    seconds: float = 0.0

    def count(self, status: str, seconds: float) -> None:
        """Count a request that ended with a verdict."""
        self.verdicts[status] += 1
        self.spans[next((bound for bound in BUCKETS if seconds <= bound), float("inf"))] += 1
        self.seconds += seconds

    def text(self, deaths: int) -> str:
        """All of it in Prometheus's text format; `deaths` is how many workers had to be replaced."""
        return "".join(f"{line}\n" for line in self._lines(deaths))

    def _lines(self, deaths: int) -> Iterator[str]:
        yield from _head("verdicts_total", "counter", "Verdicts by status")
        for status in (SCORED, REJECTED, INFRA_ERROR):
            yield f'lattice_verify_verdicts_total{{status="{status}"}} {self.verdicts[status]}'
        counters = {
            "refused_total": (self.refused, "Requests refused because too many were waiting, or the pool was draining"),
            "timeouts_total": (self.timeouts, "Requests without a verdict in their time"),
            "abandoned_total": (self.abandoned, "Requests whose caller went away"),
            "worker_deaths_total": (deaths, "Workers that were killed, or ended because they took too long"),
        }
        gauges = {
            "waiting": (self.waiting, "Requests that wait for a worker"),
            "running": (self.running, "Requests that a worker is at"),
            "workers": (self.workers, "Workers"),
        }
        for kind, values in (("counter", counters), ("gauge", gauges)):
            for name, (value, text) in values.items():
                yield from _head(name, kind, text)
                yield f"lattice_verify_{name} {value}"
        yield from self._histogram()

    def _histogram(self) -> Iterator[str]:
        yield from _head("seconds", "histogram", "Seconds from a request to its verdict, waiting included")
        total = 0
        for bound in (*BUCKETS, float("inf")):
            total += self.spans[bound]
            label = "+Inf" if bound == float("inf") else f"{bound:g}"
            yield f'lattice_verify_seconds_bucket{{le="{label}"}} {total}'
        yield f"lattice_verify_seconds_sum {self.seconds:.6f}"
        yield f"lattice_verify_seconds_count {total}"


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP lattice_verify_{name} {text}."
    yield f"# TYPE lattice_verify_{name} {kind}"
