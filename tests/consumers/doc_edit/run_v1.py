"""verifiers over doc-edit's package, with a scripted model: `python run_v1.py PLAN KNOBS process|mcp SCRIPT…`.

All of a plan's scripts where none is named.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import verifiers.v1 as vf
from endpoint import serve
from verifiers.v1.utils.loaders import load_environment


def environment(knobs, tools):
    """The package's environment, as vf-eval would make it."""
    agent = {"harness": {"id": "null"}} if tools == "mcp" else {}
    taskset = {"id": "doc-edit", **knobs, "task": {"tools": tools}}
    return load_environment(vf.resolve_env_config({"taskset": taskset, "agent": agent}))


def is_late(error):
    """Whether a server was not there in time: verifiers waits for its start, the harness a minute for its answer."""
    return error.type == "ToolsetError" or (error.type == "HarnessError" and "TimeoutError" in error.message)


async def attempt(env, task, context):
    """The trace of one rollout; where a busy machine did not start its server, or connect to it, in time: another."""
    for _ in range(8):
        episode = await env.run_slot(env.slots(task)[0], context)
        (trace,) = episode.traces
        if trace.ok:
            return trace
        assert all(is_late(error) for error in trace.errors), trace.errors
    raise AssertionError(trace.errors)


async def run(plan, knobs, tools, names, url):
    """What every script earns on every task, and its metrics."""
    env = environment(knobs, tools)
    by_name = {entry["name"]: entry for entry in plan}
    client = vf.EvalClientConfig(base_url=url, api_key_var="SCRIPTED_KEY")
    found = {}
    async with env.serving():
        for task in env.taskset:
            entry = by_name[task.data.name]
            assert (entry["prompt"], entry["recipe"]) == (task.data.prompt, task.data.recipe)
            for name in names or entry["scripts"]:
                trace = await attempt(env, task, vf.ModelContext(client=client, model=name))
                rewards = {key: reward.score for key, reward in trace.rewards.items()}
                found.setdefault(task.data.name, {})[name] = [rewards["consistency_reward"], trace.metrics]
    return found


def main(plan, knobs, tools, *names):
    """Print what was earned."""
    os.environ["SCRIPTED_KEY"] = "none"
    with serve({entry["prompt"]: entry["scripts"] for entry in plan}) as url:
        print(json.dumps(asyncio.run(run(plan, knobs, tools, names, url))))


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text("utf-8")), json.loads(sys.argv[2]), *sys.argv[3:])
