"""`python3 -m lattice_env` is `lattice-env`."""

import sys

from lattice_env.cli import main

if __name__ == "__main__":
    sys.exit(main())
