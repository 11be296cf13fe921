"""Work done on a Ray cluster. A node that is lost loses what it had under way, which Ray gives to another."""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lattice_env.errors import LatticeError
from lattice_env.extras import need
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.toolchain import toolchain
from lattice_env.verifier.verdict import InfraError

from . import scratch

MOST_RETRIES = 3
"""How often work is given away anew: its node is lost, its worker is killed, or that machine cannot judge."""


CONNECT_SECONDS = 10

NICENESS = "RAY_worker_niceness"
"""Ray's own setting: its workers give way to everything else (15) if nothing is said, and a build that hardly gets to
run is no verdict. A cluster that is started elsewhere needs it in the environment of `ray start`."""


class NodeError(LatticeError):
    """A node of the cluster is not like the machine that asked it."""


@dataclass(frozen=True)
class Installed:
    """What decides bytes: the verifier and the toolchain of a machine, empty where it has no TeX."""

    verifier: str
    toolchain: str


@cache
def installed() -> Installed:
    """What is installed here."""
    try:
        return Installed(verifier_digest(), toolchain().fingerprint)
    except InfraError:
        return Installed(verifier_digest(), "")


@dataclass(frozen=True)
class RayPending[T]:
    """What a piece of work on a cluster will come to."""

    ray: Any
    reference: Any

    def result(self) -> T:
        """Its result, fetched from where it was done; LatticeError where no node survives it."""
        try:
            return self.ray.get(self.reference)
        except self.ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except self.ray.exceptions.RayError as error:
            message = f"the cluster lost a task {MOST_RETRIES + 1} times: {str(error).splitlines()[0]}"
            raise LatticeError(message, hint="--resume goes on where this run ended") from error


class RayExecutor:
    """Does work on a cluster: the one at `address`, or one of `jobs` workers that is started for this run.

    Every node must have this version of the package and, for papers, this machine's toolchain; one that has not is
    an error, never another result.
    """

    def __init__(self, jobs: int, address: str | None) -> None:
        self._ray: Any = need("ray", "ray")
        if address:
            _check_answers(address)
        os.environ.setdefault(NICENESS, "0")
        started = {"address": address} if address else {"num_cpus": jobs, "include_dashboard": False}
        try:
            self._ray.init(log_to_driver=False, logging_level="ERROR", **started)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise _silent(address or "this machine", error) from error
        self.workers = max(1, int(self._ray.cluster_resources().get("CPU", 0)))
        remote = self._ray.remote(num_cpus=1, max_retries=MOST_RETRIES, retry_exceptions=[LatticeError])
        self._call = remote(_call)

    def submit[*Ts, T](self, work: Callable[[*Ts], T], *words: *Ts) -> RayPending[T]:
        """Have `work(*words)` done on any node."""
        return RayPending(self._ray, self._call.remote(installed(), work, *words))

    def close(self) -> None:
        """Leave the cluster, or end it if it was started for this run."""
        self._ray.shutdown()
        scratch.sweep()


def _check_answers(address: str) -> None:
    """LatticeError where nobody listens: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdigit():  # `auto`, which Ray looks up itself
        return
    try:
        socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
    except OSError as error:
        raise _silent(address, error) from error


def _silent(place: str, error: Exception) -> LatticeError:
    message = f"no Ray cluster answers at {place}: {str(error).splitlines()[0]}"
    return LatticeError(message, hint="ray start --head starts one; ray status shows it")


def _call(asked: Installed, work: Callable[..., Any], *words: Any) -> Any:
    """Do a piece of work on a node that is like the machine that asks."""
    if asked != installed():
        what = "version of lattice-env" if asked.verifier != installed().verifier else "toolchain"
        message = f"the node {platform.node()} has another {what} than the machine that asks it"
        raise NodeError(message, hint="the same image on every node")
    _settle()
    return work(*words)


@cache
def _settle() -> Path:
    """Sweep up behind workers that are no more, and make this one a temporary folder of its own, once."""
    scratch.sweep()
    return scratch.claim()
