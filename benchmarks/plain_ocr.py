"""The peer of the OCR server: the same contract as a first version would have it, and nothing made quick.

Each reset decodes the picture and encodes it again, the score is a table in pure Python, and OpenEnv calls both
in a thread. `python -m benchmarks.plain_ocr PORT` serves it; with `ours` behind the port, the real one.
"""

from __future__ import annotations

import io
import os
import sys
from base64 import b64encode
from typing import Any

import uvicorn
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import State
from PIL import Image

from lattice_env.adapters.latex_ocr.app import make_app_of, serve
from lattice_env.adapters.latex_ocr.models import LatexOCRAction, LatexOCRObservation
from lattice_env.adapters.latex_ocr.server import socket_settings

SERVED = serve({"LATEX_OCR_DATASET": "builtin"})
ROWS = [SERVED.source.splits["train"].row(index) for index in range(SERVED.source.splits["train"].size)]


class Plain(Environment[LatexOCRAction, LatexOCRObservation, State]):
    """One session."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    target = ""

    def reset(self, index: int = 0, **_kwargs: Any) -> LatexOCRObservation:
        """Show row `index`."""
        row = ROWS[index]
        self.target, written = row.latex, io.BytesIO()
        Image.open(io.BytesIO(row.picture)).convert("RGB").save(written, format="PNG")
        return LatexOCRObservation(image_base64=b64encode(written.getvalue()).decode(), index=index)

    def step(self, action: LatexOCRAction, **_kwargs: Any) -> LatexOCRObservation:
        """Score the answer."""
        answer, target = ("".join(text.split()) for text in (action.latex, self.target))
        rate = table_distance(answer, target) / max(len(answer), len(target), 1)
        reward = 0.6 * (1 - rate) + 0.4 * (answer == target)
        return LatexOCRObservation(done=True, reward=reward, target_latex=self.target, char_error_rate=rate)

    @property
    def state(self) -> State:
        """Nothing."""
        return State()


def table_distance(a: str, b: str) -> int:
    """The edit distance, a cell at a time."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
    return row[-1]


def main() -> None:
    """Serve until killed."""
    ours = sys.argv[2:] == ["ours"]
    plain = create_fastapi_app(Plain, LatexOCRAction, LatexOCRObservation, max_concurrent_envs=16)
    print(os.getpid(), flush=True)
    if ours:
        uvicorn.run(make_app_of(SERVED), port=int(sys.argv[1]), **socket_settings(20))
    else:
        uvicorn.run(plain, port=int(sys.argv[1]), log_level="warning")


if __name__ == "__main__":
    main()
