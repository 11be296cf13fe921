"""Judge a workspace of this task: `python3 -I -S verify.py --workspace DIR [--out DIR]`."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.pycache_prefix = "/dev/null"  # compiled files that lie here already are not read
TESTS = Path(__file__).resolve().parent
CODE = TESTS / "lattice_verifier"

strange = [path.name for path in CODE.iterdir() if path.suffix != ".py" or not path.is_file()]
if set(strange) - {"__pycache__"}:  # a folder or a library of a module's name would be imported in its place
    sys.exit(f"infra_error: {CODE}: not as the task was made: {', '.join(sorted(strange))}")
sys.path.append(str(TESTS))  # behind the standard library: nothing that lies here stands in for a part of it

from lattice_verifier.entry import verify_main  # noqa: E402 - the path comes first

if __name__ == "__main__":
    sys.exit(verify_main(TESTS, sys.argv[1:]))
