#!/bin/sh
# lattice-env canary 4b8f1a6e-93d2-4c57-a0e8-6d2f7c19b35a: tasks of a benchmark, not to be trained on unasked
# The reference repair: applies fix.json to /app.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec python3 -I -S - "$here/fix.json" "${1:-/app}" <<'PYTHON'
import json
import sys
from pathlib import Path

fix, app = json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2])
for name in sorted({edit["file"] for edit in fix["edits"]}):
    data = (app / name).read_bytes()
    encoding = fix["encodings"][name]
    text = data.decode(encoding)
    for edit in sorted((e for e in fix["edits"] if e["file"] == name), key=lambda e: (e["start"], e["end"]), reverse=True):
        text = text[: edit["start"]] + edit["new"] + text[edit["end"] :]
    (app / name).write_bytes(text.encode(encoding))
PYTHON
