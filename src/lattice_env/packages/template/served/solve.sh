#!/bin/sh
# lattice-env canary 4b8f1a6e-93d2-4c57-a0e8-6d2f7c19b35a: tasks of a benchmark, not to be trained on unasked
# The reference repair: makes the calls of calls.json at the document's server.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec python3 -I -S - "$here/calls.json" "${1:-http://127.0.0.1:8000/mcp}" <<'PYTHON'
import json
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path


def ask(number, method, params):
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(sys.argv[2], body, headers)
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.load(reply)["result"]


for left in range(60, -1, -1):
    try:
        ask(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "solve", "version": "1"}})
        break
    except urllib.error.URLError:
        if not left:
            raise
        time.sleep(0.5)
for number, (name, arguments) in enumerate(json.loads(Path(sys.argv[1]).read_text("utf-8")), 1):
    print(ask(number, "tools/call", {"name": name, "arguments": arguments})["content"][0]["text"][:100])
PYTHON
