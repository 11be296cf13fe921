"""The machine's report: it never raises, tells needed from optional, and believes no silent engine."""

import json
import sys
import time
from pathlib import Path

import pytest

from lattice_env import doctor
from lattice_env.cli.doctor import doctor as command
from lattice_env.cli.places import store_folder
from lattice_env.verifier import sandbox, toolchain
from lattice_env.verifier.verdict import InfraError


def part(name):
    return next(part for part in doctor.examine(store_folder()) if part.name == name)


@pytest.fixture
def tools(monkeypatch, tmp_path):
    """A machine that has only the programs written into the folder given."""

    def find(name):
        path = tmp_path / name
        return str(path) if path.exists() else None

    def missing():
        message = "not on this machine: latexmk"
        raise InfraError(message)

    monkeypatch.setattr(doctor, "find_tool", find)
    monkeypatch.setattr(doctor, "toolchain", missing)
    monkeypatch.setattr(sandbox, "kind", lambda: sandbox.LIMITS)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return tmp_path


def write_program(path: Path, text: str):
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def test_programs_are_the_toolchain():
    names = {program.name: program.needed for program in doctor.PROGRAMS}
    assert set(names) == set(toolchain.TOOLS)
    assert [name for name, needed in names.items() if not needed] == list(toolchain.OPTIONAL)


def test_names_are_unique():
    names = [part.name for part in doctor.examine(store_folder())]
    assert len(names) == len(set(names))


def test_empty_machine_is_not_ready_and_says_what_to_do(tools):
    parts = doctor.examine(store_folder())
    assert not doctor.is_ready(parts)
    assert {part.name for part in parts if part.ok} == {"Python", "store of builds", "Harbor"}
    assert all(part.without and part.hint and not part.found for part in parts if not part.ok)


def test_missing_optional_parts_leave_a_machine_ready():
    absent = doctor.Part("podman", "", ok=False, needed=False, without="x", hint="y")
    assert doctor.is_ready([absent])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("echo 27.1", "27.1"),
        ("echo 'WARNING: no swap' >&2; echo 27.1", "27.1"),
        ("echo 'Cannot connect' >&2; exit 1", ""),
        ("echo 'Cannot connect' >&2; exit 0", ""),
        ("echo; exit 0", ""),
    ],
)
def test_docker_counts_only_with_an_engine(tools, text, found):
    write_program(tools / "docker", text)
    engine = part("Docker engine")
    assert (engine.found, engine.ok) == (found, bool(found))


def test_client_without_engine_is_told_apart(tools):
    absent = part("Docker engine").hint
    write_program(tools / "docker", "exit 1")
    assert part("Docker engine").hint != absent


def test_hanging_program_is_ended_with_its_children(tools, monkeypatch):
    monkeypatch.setattr(doctor, "_SECONDS", 0.3)
    write_program(tools / "podman", f"(sleep 2; touch {tools}/alive) & sleep 60")
    began = time.monotonic()
    assert not part("podman").ok
    assert time.monotonic() - began < 2
    time.sleep(2.5)
    assert not (tools / "alive").exists()


def test_program_that_cannot_start_is_there_but_mute(tools):
    (tools / "latexmk").write_bytes(b"\x7fELF")
    assert part("latexmk").found == str(tools / "latexmk")


def test_pdftotext_tells_its_version_on_stderr(tools):
    write_program(tools / "pdftotext", "echo pdftotext version 1 >&2")
    assert part("pdftotext").found == "pdftotext version 1"


def test_broken_bubblewrap_brings_up_user_namespaces(tools):
    write_program(tools / "bwrap", "echo bubblewrap 1")
    names = {part.name: part for part in doctor.examine(store_folder())}
    assert not names["bubblewrap"].ok
    assert "user namespaces" in names["bubblewrap"].hint
    assert ("user namespaces" in names) == (sys.platform == "linux")


def test_store_under_a_file_cannot_be_kept(tools, monkeypatch):
    write_program(tools / "file", "")
    monkeypatch.setenv("HOME", str(tools / "file"))
    assert not part("store of builds").ok


def test_harbor_is_optional(tools, monkeypatch):
    def absent(name):
        raise doctor.importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(doctor.importlib.metadata, "version", absent)
    harbor = part("Harbor")
    assert (harbor.found, harbor.ok, harbor.needed) == ("", False, False)


def test_command_prints_json_and_ends_with_3(tools, capsys):
    assert command(json=True) == 3
    report = json.loads(capsys.readouterr().out)
    assert report["ready"] is False
    assert set(report["parts"][0]) == {"name", "found", "ok", "needed", "without", "hint"}


def test_command_prints_brackets_as_they_are(monkeypatch, capsys):
    lacking = doctor.Part("Harbor", "", ok=False, needed=False, without="no agents", hint="pip install 'x[harbor]'")
    monkeypatch.setattr("lattice_env.cli.doctor.examine", lambda _store: [lacking])
    assert command() == 0
    assert "x[harbor]" in capsys.readouterr().out
