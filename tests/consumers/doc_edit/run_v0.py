"""verifiers v0 over doc-edit's package, with a scripted model: `python run_v0.py PLAN KNOBS`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import verifiers as vf
from endpoint import serve


async def run(plan, knobs, url):
    """What every script earns on every task, and its metrics."""
    env = vf.load_environment("doc-edit-v0", **knobs)
    by_prompt = {entry["prompt"]: entry for entry in plan}
    client = vf.ClientConfig(api_base_url=url, api_key_var="SCRIPTED_KEY")
    found = {}
    for row in env.get_dataset():
        entry = by_prompt[row["prompt"][0]["content"]]
        for name in entry["scripts"]:
            out = await env.run_rollout(row, client=client, model=name, sampling_args={})
            assert not out.get("error"), out["error"]
            found.setdefault(entry["name"], {})[name] = [out["reward"], dict(out["metrics"])]
    return found


def main(plan, knobs):
    """Print what was earned."""
    os.environ["SCRIPTED_KEY"] = "none"
    with serve({entry["prompt"]: entry["scripts"] for entry in plan}) as url:
        print(json.dumps(asyncio.run(run(plan, knobs, url))))


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text("utf-8")), json.loads(sys.argv[2]))
