"""Two thousand tasks of doc-edit, of every genre, level and family, as `generate` writes them.

Each number of workers is a run of the command in processes of its own, with another order of hashes.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from lattice_env.families.doc_edit.levels import LEVELS
from lattice_env.families.doc_edit.oracle import play_oracle
from lattice_env.families.doc_edit.session import Session
from lattice_env.packages import read_package
from lattice_env.seeds.documents import genre_names, locale_names
from lattice_env.verifier import verify
from lattice_env.verifier.edit_spec import FAMILIES, lines_of
from lattice_env.verifier.intake import Submission

pytestmark = pytest.mark.slow

COUNT = 2000
COMMAND = Path(__file__).parents[2] / ".venv" / "bin" / "lattice-env"


def make(out, jobs):
    """A run of the command."""
    words = ["--limit", str(COUNT), "--salt", "two thousand", "--jobs", str(jobs), "--out", str(out)]
    chosen = [word for name in FAMILIES for word in ("--family", name)]
    environment = {**os.environ, "PYTHONHASHSEED": str(jobs)}
    subprocess.run([COMMAND, "generate", *chosen, *words], check=True, env=environment, capture_output=True)
    return out


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    """The tasks, made by one worker."""
    return make(tmp_path_factory.mktemp("tasks") / "one", 1)


def digests(folder):
    """Path → digest of every file."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


@pytest.mark.parametrize("jobs", [2, 3])
def test_another_run_with_more_workers_makes_the_same_bytes(tasks, tmp_path, jobs):
    assert digests(make(tmp_path / "out", jobs)) == digests(tasks)


def test_every_oracle_earns_one_and_no_nop_or_right_line_beside_a_stale_one_anything(tasks):
    seen, kinds = set(), Counter()
    for folder in sorted(path.parent for path in tasks.glob("[!_]*/task.toml")):
        spec = read_package(folder).spec
        seen.add(spec.task)
        kinds.update([spec.family, spec.level, spec.genre, spec.locale])
        oracle, nop = Session(spec), Session(spec)
        play_oracle(oracle)
        nop.act("submit", {})
        assert (oracle.submitted, oracle.verdict().reward) == (True, 1.0), folder
        verdict = nop.verdict()
        assert (verdict.reward, verdict.components["site_recall"]) == (0.0, 0.0), folder
        for files in (_beside(spec), _appended(spec)):
            assert verify(spec, Submission(files)).reward == 0.0, folder
    assert len(seen) == COUNT
    assert set(kinds) == {*FAMILIES, *LEVELS, *genre_names(), *locale_names()}
    assert all(kinds[name] >= COUNT // 10 for name in (*FAMILIES, *LEVELS, *genre_names(), *locale_names()))


def _right(spec, site):
    return lines_of(spec.original[site.page])[site.line - 1]


def _beside(spec):
    """The pages with every right line below the stale one."""
    files = {}
    for page in spec.editable:
        lines = lines_of(spec.initial[page])
        for site in sorted((site for site in spec.sites if site.page == page), key=lambda site: -site.line):
            lines.insert(site.line, _right(spec, site))
        files[page] = ("\n".join(lines) + "\n").encode()
    return files


def _appended(spec):
    """The pages with every right line at the end of the last."""
    last = spec.editable[-1]
    text = "".join(f"{_right(spec, site)}\n" for site in spec.sites)
    return {**spec.initial, last: spec.initial[last] + text.encode()}
