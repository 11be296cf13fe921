"""The real command line in a process of its own, and runs of it to compare with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"
PLAN = ["--seed", "otter", "--seed", "heron"]
PLAN += [word for code in ("TEX-CMD-TRP", "LAT-REF-SWP", "TEX-ENV-REN") for word in ("--operator", code)]
PLAN += ["--limit", "4"]


@pytest.fixture(scope="session")
def command(tmp_path_factory, builds):
    """A function: the words and the settings with which a process of `lattice-env generate` is started."""
    home = tmp_path_factory.mktemp("home")

    def make(out, *words, store=None, seeds=PAPERS):
        options = ["--out", str(out), "--store", str(store or builds.folder), *words]
        options += ["--seeds-dir", str(seeds)] if seeds else []
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8"}
        return [sys.executable, "-m", "lattice_env", "generate", *options], {"env": environment, "cwd": str(home)}

    return make


@pytest.fixture(scope="session")
def generate(command):
    """A function: run `lattice-env generate` to its end."""

    def run(out, *words, **options):
        line, settings = command(out, *words, **options)
        return subprocess.run(line, **settings, capture_output=True, text=True, timeout=240, check=False)

    return run


@pytest.fixture(scope="session")
def begin(command):
    """A function: start `lattice-env generate` at the head of a process group of its own."""

    def start(out, *words, **options):
        line, settings = command(out, *words, **options)
        return subprocess.Popen(
            line, **settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    return start


@pytest.fixture(scope="session")
def plan():
    """A small plan: two papers, three operators, four tasks of both families."""
    return PLAN


@pytest.fixture(scope="session")
def whole(tmp_path_factory, generate):
    """The folder of an uninterrupted run of the small plan with one job; not to be changed."""
    out = tmp_path_factory.mktemp("whole") / "out"
    done = generate(out, *PLAN, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture
def half(whole, tmp_path):
    """A function: the folder of a run of the small plan that was killed after some of its rows."""

    def make(count):
        out = tmp_path / "half"
        manifest = json.loads((whole / "manifest.json").read_text("utf-8"))
        rows = [row | {"builds": 0, "seconds": 0.0} for row in manifest["tasks"][:count]]
        lines = [{"plan": manifest["plan"]}, *rows]
        out.mkdir()
        for row in rows:
            shutil.copytree(whole / row["task"], out / row["task"])
        (out / "_progress.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return out

    return make


@pytest.fixture(scope="session")
def tree():
    """A function: every file below a folder with its bytes, and whether it can be run."""

    def read(folder):
        paths = sorted(path for path in folder.rglob("*") if not path.is_dir())
        return {str(path.relative_to(folder)): (path.read_bytes(), os.access(path, os.X_OK)) for path in paths}

    return read


@pytest.fixture(scope="session")
def clock():
    """The library that moves a process's clock, or None; `LATTICE_FAKETIME` says where it is if not in /usr/lib."""
    places = [os.environ.get("LATTICE_FAKETIME", ""), *map(str, Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))]
    return next((place for place in places if place and Path(place).is_file()), None)


@pytest.fixture
def disk(tmp_path):
    """A function: a disk of so many bytes, or the same one made larger."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = []

    def mount(size):
        options = f"remount,size={size}" if mounted else f"size={size}"
        try:
            line = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
            done = subprocess.run(line, capture_output=True, timeout=20, check=False)
        except OSError:
            pytest.skip("no mount on this machine")
        if done.returncode:
            pytest.skip("this user cannot mount a small disk")
        mounted.append(size)
        return folder

    yield mount
    if mounted:
        subprocess.run(["umount", "-l", str(folder)], timeout=20, check=True)


@pytest.fixture
def seeds(tmp_path):
    """A function: a folder of private seeds with one paper, in which `old` is replaced by `new`."""

    def make(old, new, *, name="heron", file="heron.tex"):
        folder = tmp_path / "private"
        shutil.copytree(PAPERS / name, folder / name)
        path = folder / name / "project" / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")
        return folder

    return make
