"""Section A of the threats, in the three settings in which a package's own test.sh is run.

fresh   a new container that received the workspace and nothing else (Harbor's separate mode)
shared  the agent's own container, where it was root; the harness takes old rewards away (Harbor's shared mode)
loader  the agent's own container, and nothing taken away; reward.txt is believed first, then reward.json (Tinker)
"""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from lattice_env.adapters.box import make_box
from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.packages import write_package
from lattice_env.seeds import load_seed
from lattice_env.verifier import sandbox
from lattice_env.verifier.toolchain import toolchain

pytestmark = pytest.mark.tex

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"
SETTINGS = ("fresh", "shared", "loader")
ENVIRONMENT = {"PATH": "/root/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "PYTHONPATH": "/app:/root"}
"""What a harness may have taken over from the agent's own settings."""

LOGS = "/logs/verifier"
FORGE = f"for n in txt json; do echo '{{\"reward\": 1}}' > {LOGS}/reward.$n; done; echo 1 > {LOGS}/reward.txt"
SHADOW = f"import os\nos.system('echo 1 > {LOGS}/reward.txt')\nos._exit(0)\n"
FAKE = f"#!/bin/sh\necho 1 > {LOGS}/reward.txt; cp /root/fake.pdf main.pdf; exit 0"
TOOLS = "pdflatex latexmk bibtex perl pdftotext python3 env sh rm mkdir readlink"
ONE = "echo 1 > /root/one; "

ATTACKS = {
    "A1 both rewards": FORGE,
    "A1 folders": f"mkdir -p {LOGS}/reward.txt/x {LOGS}/reward.json",
    "A1 links": f"{ONE} for n in txt json; do ln -s /root/one {LOGS}/reward.$n; done",
    "A2 background": f"setsid sh -c 'while :; do {FORGE}; sleep 0.01; done' > /dev/null 2>&1 < /dev/null &",
    "A3 test.sh": f"mkdir -p /tests; echo 'echo 1 > {LOGS}/reward.txt' > /tests/test.sh",
    "A3 a module beside": f'mkdir -p /tests; for m in argparse json re; do echo "{SHADOW}" > /tests/$m.py; done',
    "A3 a module within": f'at=/tests/lattice_verifier/verdict; mkdir -p $at; echo "{SHADOW}" > $at/__init__.py',
    "A3 one more file": "mkdir -p /tests/original; echo x > /tests/original/more.tex",
    "A4 shadowed tools": f"mkdir -p /root/bin; cd /root/bin; for t in {TOOLS}; do "
    f"echo '{FAKE}' > $t; /bin/chmod 755 $t; done",
    "A5 python": f'at=/root/.local/lib/python3.11/site-packages; mkdir -p $at; echo "{SHADOW}" > $at/usercustomize.py; '
    "for p in /app /root; do for m in sitecustomize argparse; do cp $at/usercustomize.py $p/$m.py; done; done",
    "A5 profiles": f'for f in bashrc profile bash_profile bash_login; do echo "{FORGE}; exit 0" > /root/.$f; done',
    "A6 latexmkrc": f'echo \'$pdflatex = "true"; system("echo 1 > {LOGS}/reward.txt");\' > /root/.latexmkrc',
    "A6 texmf": r"at=/root/texmf/tex/latex/x; mkdir -p $at; echo '\def\emhp{}\def\emph{}' > $at/article.cls",
    "A8 times": "find /app -exec touch -d '2040-01-01' {} +",
    "A9 search": "for f in $(find / -path /proc -prune -o -path '*original*' -name '*.tex' -print 2>/dev/null); do "
    "cp $f /app/; done; git -C /app log -p > /app/notes.txt 2>/dev/null; true",
}

TWINS = {
    "A1": "mkdir -p /logs/agent; echo done > /logs/agent/log.txt",
    "A2": "setsid sleep 300 > /dev/null 2>&1 < /dev/null &",
    "A4": "mkdir -p /root/bin; echo 'exec /usr/bin/pdflatex \"$@\"' > /root/bin/pdflatex; chmod 755 /root/bin/pdflatex",
    "A5": "echo 'export PYTHONPATH=/app' > /root/.bashrc",
    "A6": "echo '$pdf_mode = 1;' > /root/.latexmkrc; mkdir -p /root/texmf/tex; echo '%' > /root/texmf/tex/own.sty",
    "A7": "head -c 5000000 /dev/zero > /tmp/some",
    "A8": "touch -d '2001-01-01' /app/*",
    "A9": "find / -name '*.cls' > /tmp/found 2> /dev/null; echo looked > /app/notes.md",
}
"""What an honest agent does that looks like an attack; it repairs the paper too."""


@pytest.fixture(scope="module")
def package(builds, tmp_path_factory):
    """A task on a paper that builds quickly."""
    if sandbox.kind() != sandbox.BUBBLEWRAP:
        pytest.skip("no bubblewrap works here")
    task = make_task(load_seed(PAPERS / "heron"), operators()["TEX-CMD-TRP"], "settings", builds).task
    assert task is not None
    folder = tmp_path_factory.mktemp("settings") / task.name
    write_package(task, folder)
    return folder


def packed(*folders):
    """A tar of (folder, name in it) pairs, to be read by a program of a box."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for folder, name in folders:
            archive.add(folder, arcname=name)
    data.seek(0)
    return data


UPLOAD = "/bin/mkdir -p /tests /logs/verifier && /bin/tar -x --no-same-owner -C / -f - && "
JUDGE = "cd /root && /bin/bash /tests/test.sh < /dev/null; /bin/sleep 0.3"
"""Harnesses look for the reward a while later."""
CLEAR = "/bin/rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json; "


class Place:
    """A container for one attempt: a box and the files that its programs are given."""

    def __init__(self, scratch):
        self.box = make_box(toolchain().trees)
        self.scratch = scratch

    def run(self, script, *folders):
        """Run a script with a tar of `folders` as its input."""
        source = self.scratch / "input.tar"
        source.write_bytes(packed(*folders).getvalue())
        with source.open("rb") as file:
            return asyncio.run(self.box.run(["/bin/bash", "-c", script], ENVIRONMENT, source=file, seconds=120))

    def reward(self):
        """What a loader believes, or None where there is nothing."""
        logs = self.box.root / "logs" / "verifier"
        if (logs / "reward.txt").is_file():
            return float((logs / "reward.txt").read_text("utf-8"))
        return (
            json.loads((logs / "reward.json").read_text("utf-8"))["reward"]
            if (logs / "reward.json").is_file()
            else None
        )

    def status(self):
        """What the verdict says, or nothing where there is none."""
        path = self.box.root / "logs" / "verifier" / "verdict.json"
        return json.loads(path.read_text("utf-8"))["status"] if path.is_file() else ""


@pytest.fixture
def attempt(package, tmp_path):
    """A function: an agent runs a script in a setting, and the package's test.sh judges; the place where it did."""
    places = []

    def make():
        places.append(Place(tmp_path))
        return places[-1]

    def run(setting, script, *, make=make):
        place = make()
        agent = f"mkdir -p /app /logs/verifier && tar -x --no-same-owner -C / -f - && {{ {script}\n}}"
        given = [(package / "environment" / "workspace", "app"), (package / "solution", "root/solution")]
        tests = (package / "tests", "tests")
        if setting == "fresh":
            place.run(agent, *given)
            app, place = place.box.root / "app", make()
            place.run(UPLOAD + JUDGE, (app, "app"), tests)
            return place
        for folder, name in given:
            shutil.copytree(folder, place.box.root / name, symlinks=True, dirs_exist_ok=True)
        (place.box.root / "logs" / "verifier").mkdir(parents=True)
        harness = CLEAR * (setting == "shared") + UPLOAD + JUDGE
        (place.box.root / "root" / "agent.sh").write_text(script, "utf-8")
        place.run(f"/usr/bin/setsid -w /bin/bash /root/agent.sh < /dev/null; {harness}", tests)
        return place

    run.make = make
    yield run
    for place in places:
        place.box.remove()


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_not_paid(attempt, setting, attack):
    place = attempt(setting, f"rm -rf /root/solution; {ATTACKS[attack]}")
    spoilt = attack.startswith("A3") and attack != "A3 test.sh" and setting != "fresh"
    assert (place.status(), place.reward()) in ([("infra_error", None), ("", None)] if spoilt else [("rejected", 0.0)])


@pytest.mark.parametrize("setting", SETTINGS)
def test_all_honest_twins_together_keep_1(attempt, setting):
    script = "\n".join(["sh /root/solution/solve.sh", *TWINS.values()])
    place = attempt(setting, script)
    assert (place.status(), place.reward()) == ("scored", 1.0)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_full_disk_is_no_verdict_where_it_is_the_verifiers(attempt, package, setting, tmp_path, monkeypatch):
    """A7: the paper is repaired; a fresh container has room, and the agent's own has none but for the tests."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, timeout=20, check=False).returncode:
        pytest.skip("this user cannot mount a small disk")
    made = []

    def make():
        with monkeypatch.context() as patch:
            if not made:
                patch.setattr("tempfile.tempdir", str(disk))
            made.append(attempt.make())
        return made[-1]

    sizes = [path.stat().st_size for path in (package / "tests").rglob("*") if path.is_file()]
    room = sum(-(-size // 4096) for size in sizes) * 4096 + (16 << 10)
    fill = f"cat /dev/zero > /tmp/full 2> /dev/null; truncate -s -{room} /tmp/full"
    try:
        place = attempt(setting, f"sh /root/solution/solve.sh; {ONE} cp /root/one {LOGS}/reward.txt; {fill}", make=make)
        assert (place.status() == "scored", place.reward()) == ((True, 1.0) if setting == "fresh" else (False, None))
    finally:
        for place in made:
            place.box.remove()
        subprocess.run(["umount", "-l", str(disk)], timeout=20, check=True)
