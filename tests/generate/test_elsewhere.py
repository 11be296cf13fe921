"""Another day, folder, home, language, time zone, mask and hash seed: the same bytes.

`LATTICE_LIMIT=0 pytest -m slow tests/generate/test_elsewhere.py` is the full check, on every bundled seed and operator:
hours. The clock is moved by libfaketime (Debian: `apt-get install faketime`), for this process and all that it starts.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.tex

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"

PLACES = {
    "kathmandu": ({"TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONHASHSEED": "7"}, "2031-12-31 23:59:30", 0o077),
    "chatham": ({"TZ": "Pacific/Chatham", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "99"}, "1999-02-28 00:00:01", 0o002),
    "here": ({"TZ": "America/St_Johns", "LC_ALL": "POSIX", "PYTHONUTF8": "1"}, "", 0o022),
}
"""Settings, the clock at the start (empty: as it is), the mask of new files."""


@pytest.fixture
def elsewhere(command, clock, tmp_path):
    """A function: run `generate` in another place with a store of its own; its output folder."""

    def run(name, *words, seeds):
        environment, start, mask = PLACES[name]
        home = tmp_path / name / "a home"
        home.mkdir(parents=True)
        out = tmp_path / name / "here" / "out"
        line, settings = command(out, *words, store=home / "store", seeds=seeds)
        settings["env"] |= {"HOME": str(home), **environment}
        settings["cwd"] = str(home)
        if start and clock:
            settings["env"] |= {"LD_PRELOAD": str(clock), "FAKETIME": f"@{start}"}
        done = subprocess.run(
            line, **settings, umask=mask, capture_output=True, text=True, timeout=24 * 3600, check=False
        )
        assert done.returncode == 0, done.stderr
        return out

    return run


@pytest.mark.parametrize("name", PLACES)
def test_another_place_makes_the_same_bytes(elsewhere, name, plan, whole, tree):
    assert tree(elsewhere(name, *plan, "--jobs", "1", seeds=PAPERS)) == tree(whole)


def test_the_clock_is_moved(clock):
    """Without libfaketime the places differ in all but the day; `make test` installs it."""
    if clock is None and os.environ.get("CI") != "true":
        pytest.skip("no libfaketime on this machine: apt-get install faketime")
    settings = {"LD_PRELOAD": str(clock), "FAKETIME": "@2031-12-31 23:59:30", "TZ": "UTC"}
    done = subprocess.run(["/bin/date", "+%Y"], env=settings, capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout in ("2031\n", "2032\n")


@pytest.mark.slow
def test_all_seeds_make_the_same_bytes_in_three_places(elsewhere, tree):
    limit = os.environ.get("LATTICE_LIMIT", "24")
    words = [] if limit == "0" else ["--limit", limit]
    runs = [tree(elsewhere(name, *words, seeds=None)) for name in PLACES]
    assert runs[0]
    assert runs[0] == runs[1] == runs[2]
