"""The same scripts at our own host of episodes, over packages on disk: the same rewards, judged in another process."""

from __future__ import annotations

from lattice_env.packages import write_package
from lattice_env.sessions.host import Host

FULL = {"steps": 1000}
"""More steps than any task has turns: what ends an attempt is the task's own limit."""


def earned(host, package, calls):
    """The reward of a script, which gives up where it ends without a submission; what is no step ends it too."""
    assert host.take({"op": "reset", "task": str(package), "budget": FULL})["ok"]
    for name, arguments in [*calls, ("defer", {"reason": "the script is over"})]:
        reply = host.take({"op": "step", "action": {"type": name, **arguments}})
        assert reply["ok"], reply
        if reply["terminated"] or reply["truncated"]:
            break
    return reply["reward"]


def test_our_host_pays_the_same(plan, tmp_path):
    host = Host(tmp_path / "episodes")
    for made, entry in plan.made:
        package = tmp_path / entry["name"]
        write_package(made.task, package)
        found = {name: earned(host, package, calls) for name, calls in entry["scripts"].items()}
        assert found == entry["earned"]
