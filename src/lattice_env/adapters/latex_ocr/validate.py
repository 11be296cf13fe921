"""`latex-ocr-validate`: plays a policy against a running server, and tells what it earned."""

from __future__ import annotations

import argparse
import json
import os
import sys
import urllib.request
from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any

from websockets.exceptions import WebSocketException

from lattice_env.errors import LatticeError, UsageError

from .light import LightClient, Reply
from .server import complain

Policy = Callable[[Reply], str]
"""What is shown → an answer."""
SECONDS = 120


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="latex-ocr-validate", description=__doc__)
    parser.add_argument("--base-url", default="http://localhost:8000", help="the server (http://localhost:8000)")
    parser.add_argument("--split", default="test", help="the split to play (test)")
    parser.add_argument("--num", type=int, default=3, help="how many rows, from the first (3)")
    parser.add_argument("--model", default=os.environ.get("LATEX_OCR_MODEL", ""), help="its name at the endpoint")
    parser.add_argument(
        "--endpoint",
        default=os.environ.get("OPENAI_BASE_URL", ""),
        help="an OpenAI-compatible endpoint (OPENAI_BASE_URL, key OPENAI_API_KEY); without it, answers are empty",
    )
    parser.add_argument("--json", action="store_true", help="print the episodes as JSON")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print; exit codes as those of `lattice-env`."""
    options = parse(arguments)
    try:
        policy = model_policy(options.endpoint, options.model) if options.endpoint else answer_nothing
        rows = play(options.base_url, options.split, options.num, policy)
    except LatticeError as error:
        return complain(error)
    except (OSError, WebSocketException) as error:
        return complain(UsageError(f"{options.base_url}: {error}", hint="is latex-ocr-server running there?"))
    exact, rewards = sum(row["exact_match"] for row in rows), [row["reward"] for row in rows]
    told = {"episodes": len(rows), "exact": exact, "mean_reward": round(mean(rewards), 4) if rows else None}
    print(json.dumps({**told, "rows": rows}) if options.json else json.dumps(told))  # noqa: T201
    return 0


def play(base_url: str, split: str, count: int, policy: Policy) -> list[dict[str, Any]]:
    """Play the first rows of a split in one session; what each earned. A stream's rows come as they come."""
    rows: list[dict[str, Any]] = []
    with urllib.request.urlopen(f"{base_url}/healthz", timeout=SECONDS) as reply:  # noqa: S310 - the user's own address
        streams = json.load(reply)["mode"] == "stream"
    with LightClient(base_url, timeout=SECONDS) as client:
        for index in range(count):
            shown = client.reset(split=split, index=None if streams else index)
            if shown.done:
                break
            judged = client.step(policy(shown))
            names = ("task_id", "predicted_latex", "target_latex", "exact_match", "char_error_rate")
            rows.append({"reward": judged.reward, **{name: judged.observation[name] for name in names}})
    return rows


def answer_nothing(_shown: Reply) -> str:
    """The policy that sees nothing."""
    return ""


def model_policy(endpoint: str, model: str) -> Policy:
    """A policy that asks a model which sees pictures; LatticeError where it cannot be asked."""

    def answer(shown: Reply) -> str:
        url = f"data:image/png;base64,{shown.observation['image_base64']}"
        content = [
            {"type": "text", "text": shown.observation["prompt"]},
            {"type": "image_url", "image_url": {"url": url}},
        ]
        body = {"model": model, "messages": [{"role": "user", "content": content}], "temperature": 0}
        headers = {
            "content-type": "application/json",
            "authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}",
        }
        request = urllib.request.Request(  # noqa: S310 - the user's own address
            f"{endpoint.rstrip('/')}/chat/completions", json.dumps(body).encode(), headers
        )
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as reply:  # noqa: S310 - the same
                return str(json.load(reply)["choices"][0]["message"]["content"] or "")
        except (OSError, ValueError, LookupError) as error:
            message = f"the model at {endpoint} gives no answer: {error}"
            raise LatticeError(message) from error

    return answer


if __name__ == "__main__":
    sys.exit(main())
