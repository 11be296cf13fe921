"""The scripts: they parse, they agree with what they repeat, and they take nothing half-made for whole."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lattice_env.verifier import toolchain

ROOT = Path(__file__).parents[1]
SCRIPTS = ("scripts/setup", "scripts/setup-openenv", "scripts/test", "scripts/lint", ".ci/run")


def run_bash(text, *, cwd=ROOT, **environment):
    """What a bash that has read `scripts/setup` prints, in an environment of our own."""
    return subprocess.run(
        ["/usr/bin/env", "bash", "-c", f'source "{ROOT}/scripts/setup"\ncd "{cwd}"\n{text}'],
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )


def lines_of(text):
    return run_bash(text).stdout.split()


def write_python(path, version):
    """A Python of the version given, as far as `find_python` asks; None for one that does not run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = f"echo {path}" if version and version >= (3, 12) else f"exit {1 if version else 127}"
    write_program(path, text)


def write_program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_parses_and_is_executable(script):
    assert os.access(ROOT / script, os.X_OK)
    subprocess.run(["bash", "-n", ROOT / script], check=True, timeout=30)


def test_ci_calls_make_test_and_nothing_else():
    lines = (ROOT / ".ci/run").read_text("utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]


def test_packages_are_those_of_the_debian_image():
    text = (ROOT / "src/lattice_env/docker/debian.Dockerfile").read_text("utf-8")
    listed = re.search(r"--no-install-recommends(.*?)&&", text.replace("\\\n", " "), re.DOTALL)
    assert listed
    assert {*lines_of('printf "%s\\n" "${PACKAGES[@]}"'), "python3"} == set(listed[1].split())


def test_tools_and_folders_are_those_of_the_toolchain():
    needed = set(toolchain.TOOLS) - set(toolchain.OPTIONAL)
    assert set(lines_of('printf "%s\\n" "${TOOLS[@]}"')) == needed
    assert lines_of('printf "%s\\n" "${TOOL_DIRS[@]}"') == list(toolchain.SYSTEM_DIRS)


def test_real_python_is_found_and_is_new_enough():
    found = run_bash("find_python", PATH=f"{Path(sys.executable).parent}:/usr/bin:/bin").stdout.strip()
    version = [found, "-c", "import sys; print(sys.version_info >= (3, 12), sys.prefix == sys.base_prefix)"]
    assert subprocess.run(version, capture_output=True, timeout=30, check=True).stdout.split() == [
        b"True",
        b"True",
    ]


def test_old_and_broken_pythons_are_passed_over(tmp_path):
    write_python(tmp_path / "bin/python3", (3, 11))
    write_python(tmp_path / "bin/python3.12", None)
    write_python(tmp_path / "bin/python3.13", (3, 13))
    done = run_bash("find_python", PATH=f"{tmp_path}/bin:/usr/bin:/bin", HOME=str(tmp_path))
    assert done.stdout.strip() == f"{tmp_path}/bin/python3.13"


@pytest.mark.parametrize("variable", ["HOME", "PYENV_ROOT"])
def test_pyenv_versions_are_found_behind_broken_shims(tmp_path, variable):
    for name in ("python3", "python3.12", "python3.13", "python3.14"):
        write_python(tmp_path / "shims" / name, None)
    root = tmp_path if variable == "PYENV_ROOT" else tmp_path / ".pyenv"
    write_python(root / "versions/3.9.1/bin/python3", (3, 9))
    write_python(root / "versions/3.12.1/bin/python3", (3, 12))
    done = run_bash("find_python", PATH=f"{tmp_path}/shims:/usr/bin:/bin", **{variable: str(tmp_path)})
    assert done.stdout.strip() == f"{root}/versions/3.12.1/bin/python3"


def test_no_python_is_an_error_that_says_what_to_install(tmp_path):
    for name in ("python3", "python3.12", "python3.13", "python3.14"):
        write_python(tmp_path / "bin" / name, None)
    done = run_bash("make_venv", cwd=tmp_path, PATH=f"{tmp_path}/bin:/usr/bin:/bin", HOME=str(tmp_path))
    assert done.returncode == 3
    assert "python.org" in done.stderr


UV = """case "$1" in
  --version) echo uv 9 ;;
  sync) echo sync >>calls; mkdir -p .venv/bin; ln -sf /bin/sh .venv/bin/python; {then} ;;
esac"""


@pytest.fixture
def folder(tmp_path):
    """Runs `scripts/setup` in a folder of its own, with a uv that only writes down that it was called."""
    for name in ("uv.lock", "pyproject.toml", "scripts/setup"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "scripts/setup").chmod(0o755)
    write_python(tmp_path / "bin/python3", (3, 12))
    write_program(tmp_path / "bin/apt-get", "exit 1")
    write_program(tmp_path / "bin/dpkg-query", 'shift 3; for name; do echo "$name installed"; done')
    return tmp_path


def run_setup(folder, *, then=":"):
    write_program(folder / "bin/uv", UV.format(then=then))
    environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder)}
    command = [folder / "scripts/setup"]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=30, check=False)


def count_calls(folder):
    calls = folder / "calls"
    return len(calls.read_text("utf-8").split()) if calls.exists() else 0


def test_second_run_does_and_says_nothing(folder):
    assert run_setup(folder).returncode == 0
    again = run_setup(folder)
    assert (again.returncode, again.stderr, count_calls(folder)) == (0, "", 1)


@pytest.mark.parametrize("name", ["uv.lock", "pyproject.toml"])
def test_changed_lock_is_synced_in_place(folder, name):
    run_setup(folder)
    (folder / ".venv/kept").touch()
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    run_setup(folder)
    assert count_calls(folder) == 2
    assert (folder / ".venv/kept").exists()


def test_killed_run_is_made_anew(folder):
    killed = run_setup(folder, then="touch .venv/half; kill -9 $PPID")
    assert killed.returncode != 0
    assert (folder / ".venv/half").exists()
    assert run_setup(folder).returncode == 0
    assert not (folder / ".venv/half").exists()


def test_failed_sync_is_tried_twice_and_names_its_log(folder):
    failed = run_setup(folder, then="echo no network; exit 2")
    assert failed.returncode == 1
    assert count_calls(folder) == 2
    log = re.search(r"is in (\S+uv\.log)", failed.stderr)
    assert log
    assert "no network" in Path(log[1]).read_text("utf-8")
    assert run_setup(folder).returncode == 0


def test_missing_packages_alone_are_installed_and_tried_twice(folder):
    run_setup(folder)
    half = "case $name in biber) echo biber half-configured ;; *) echo $name installed ;; esac"
    write_program(folder / "bin/dpkg-query", f"shift 3; for name; do {half}; done")
    write_program(folder / "bin/id", "echo 0")
    write_program(folder / "bin/dpkg", "exit 0")
    write_program(folder / "bin/apt-get", f'echo "$@" >>{folder}/asked; case "$*" in *install*) exit 1 ;; esac')
    failed = run_setup(folder)
    assert failed.returncode == 1
    assert "apt-get.log" in failed.stderr
    installs = [line for line in (folder / "asked").read_text("utf-8").splitlines() if "install" in line]
    assert len(installs) == 2
    assert all(line.endswith("install -y --no-install-recommends biber") for line in installs)


def test_packages_that_only_root_may_install_are_named(folder):
    run_setup(folder)
    write_program(folder / "bin/dpkg-query", "exit 1")
    write_program(folder / "bin/id", "echo 1000")
    write_program(folder / "bin/sudo", "exit 1")
    failed = run_setup(folder)
    assert failed.returncode == 3
    assert "sudo apt-get install" in failed.stderr
    assert "texlive-latex-base" in failed.stderr


def test_without_apt_get_what_is_missing_is_named():
    done = run_bash("explain_tools latexmk pdftotext")
    assert done.returncode == 3
    assert all(word in done.stderr for word in ("missing: latexmk pdftotext", "poppler", "mactex"))
    assert "mactex" not in run_bash("explain_tools pdftotext").stderr


def test_venv_of_another_place_is_made_anew(folder):
    run_setup(folder)
    (folder / ".venv/kept").touch()
    stamp = folder / ".venv/.setup-stamp"
    stamp.write_text(stamp.read_text("utf-8").replace(str(folder), "/elsewhere", 1), encoding="utf-8")
    run_setup(folder)
    assert not (folder / ".venv/kept").exists()


def run_lint(folder, *, failing="", **environment):
    """What `scripts/lint` says in a folder whose linters write down that they ran."""
    (folder / "scripts").mkdir()
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / "scripts/lint").write_bytes((ROOT / "scripts/lint").read_bytes())
    for name in ("ruff", "pyright", "lint-imports"):
        write_program(folder / ".venv/bin" / name, f"echo {name} $1; exit {int(name == failing)}")
    for name in ("bash", "dirname"):
        (folder / name).symlink_to(shutil.which(name))
    command = [folder / "bash", folder / "scripts/lint"]
    environment = {"PATH": str(folder), **environment}
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=30, check=False)


def test_all_linters_run_and_the_failing_one_is_named(tmp_path):
    write_program(tmp_path / "node", "exit 0")
    done = run_lint(tmp_path, failing="ruff")
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["lint: ruff check failed", "lint: ruff format --check failed"]
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "ruff",
        "ruff",
        "pyright",
        "pyright",
        "lint-imports",
    ]


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_without_node_pyright_is_skipped_by_name_but_fails_in_ci(tmp_path, ci, code):
    done = run_lint(tmp_path, CI=ci)
    assert done.returncode == code
    assert "pyright" in done.stderr
    assert "pyright" not in done.stdout
