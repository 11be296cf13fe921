"""Print the fingerprint of the toolchain of the machine that runs this, as JSON: `python3 -I -S fingerprint.py`."""

import json
import platform
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from lattice_verifier.toolchain import toolchain  # noqa: E402 - the path comes first

if __name__ == "__main__":
    tools = toolchain()
    body = {"fingerprint": tools.fingerprint, "machine": platform.machine(), "tools": dict(tools.tools)}
    print(json.dumps(body, indent=1, sort_keys=True))
