"""An image's fingerprint is what the verifier finds in it; without an engine the command says so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from lattice_env.errors import LatticeError, MissingTool, UsageError
from lattice_env.packages.harbor import DOCKER, VERIFIER
from lattice_env.packages.image import build_image, find_engine, image_fingerprint, image_names, own_fingerprint
from lattice_env.verifier.toolchain import toolchain


@pytest.fixture
def engine(tmp_path):
    """A function: an engine that is a shell script."""

    def make(script):
        path = tmp_path / "engine"
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.mark.tex
def test_what_an_image_is_asked_gives_what_the_verifier_finds(tmp_path):
    shutil.copytree(VERIFIER, tmp_path / "lattice_verifier", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(DOCKER / "fingerprint.py", tmp_path)
    line = [sys.executable, "-I", "-S", str(tmp_path / "fingerprint.py")]
    done = subprocess.run(line, capture_output=True, env={"HOME": "/nonexistent"}, cwd="/", check=True)
    assert json.loads(done.stdout)["fingerprint"] == toolchain().fingerprint == own_fingerprint()
    assert not list(tmp_path.rglob("__pycache__"))


@pytest.mark.tex
def test_a_fingerprint_asks_nothing_of_user_locale_clock_or_folder(tmp_path):
    script = "from lattice_env.verifier.toolchain import toolchain; print(toolchain().fingerprint)"
    settings = {"HOME": str(tmp_path), "LC_ALL": "C", "TZ": "Asia/Kathmandu", "TEXMFHOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=os.environ | settings, cwd=tmp_path, check=True
    )
    assert done.stdout.decode().strip() == toolchain().fingerprint


def test_every_image_has_a_base_that_stays_the_same():
    assert image_names() == ["debian", "texlive"]
    assert "@sha256:" in (DOCKER / "texlive.Dockerfile").read_text("utf-8")
    text = (DOCKER / "debian.Dockerfile").read_text("utf-8")
    assert "snapshot.debian.org" in text
    assert "BASE=debian:bookworm-2" in text


def test_an_unknown_image_and_an_unknown_engine_are_usage_errors():
    with pytest.raises(UsageError, match="no image is called 'windows'"):
        build_image("windows", "x", "/bin/false", arguments={})
    with pytest.raises(UsageError, match="no engine is called"):
        find_engine("runc")


def test_a_machine_without_an_engine_that_answers_lacks_a_tool(monkeypatch, engine):
    path = engine("exit 1")
    monkeypatch.setattr("lattice_env.packages.image.find_tool", lambda _: path)
    with pytest.raises(MissingTool, match="no container engine answers"):
        find_engine()


def test_an_engine_that_fails_is_an_error(engine):
    with pytest.raises(LatticeError, match="failed with exit code 7"):
        build_image("debian", "x", engine("exit 7"), arguments={"BASE": "localhost/base"})


def test_an_image_that_was_changed_since_it_was_built_is_refused(engine):
    script = """case "$*" in *fingerprint.py*) echo '{"fingerprint": "aa"}';; *) echo '{"fingerprint": "bb"}';; esac"""
    with pytest.raises(LatticeError, match="its toolchain is aa, and was bb when it was built"):
        image_fingerprint("x", engine(script))


def test_an_image_that_says_nothing_of_itself_is_asked_alone(engine):
    script = """case "$*" in *fingerprint.py*) echo '{"fingerprint": "aa"}';; *) echo '{}';; esac"""
    assert image_fingerprint("x", engine(script)) == "aa"
