"""Judge a workspace of this task: `python3 -I -S verify.py --workspace DIR [--out DIR]`."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.pycache_prefix = "/dev/null"  # compiled files that lie here already are not read
TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS))

from lattice_verifier.entry import verify_main  # noqa: E402 - the path comes first

if __name__ == "__main__":
    sys.exit(verify_main(TESTS, sys.argv[1:]))
