"""Run the self-tests of this task: `python3 -I -S selftest.py [--workspace DIR]`."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.pycache_prefix = "/dev/null"  # compiled files that lie here already are not read
TESTS = Path(__file__).resolve().parent
sys.path.append(str(TESTS))  # behind the standard library: nothing that lies here stands in for a part of it

from lattice_verifier.entry import selftest_main  # noqa: E402 - the path comes first

if __name__ == "__main__":
    sys.exit(selftest_main(TESTS, sys.argv[1:]))
