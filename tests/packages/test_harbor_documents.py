"""Harbor's own code over both forms of a doc-edit package: its linter finds nothing, and it reads what was meant."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from lattice_env.families.doc_edit.make import make_task
from lattice_env.families.doc_edit.recipe import Knobs, recipes
from lattice_env.packages import behind_server, write_package

pytestmark = pytest.mark.harbor

FORMS = {"files": lambda task: task, "served": behind_server}
COMPOSE = """\
#!{python}
import json, sys, yaml
assert sys.argv[1] == "compose", sys.argv
print("2.40" if "version" in sys.argv else json.dumps(yaml.safe_load(open(sys.argv[sys.argv.index("-f") + 1]))))
"""
"""What `docker compose config` prints of a file that refers to no other and names no variable: the same, as JSON."""


def _has_compose():
    """Whether Docker's Compose plugin answers; podman's own `docker` has none."""
    docker = shutil.which("docker")
    return (
        docker is not None
        and not subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode
    )


@pytest.fixture(params=FORMS)
def folder(request, tmp_path, monkeypatch):
    """A package; where there is no Docker to print Compose files for the linter, a stand-in prints them."""
    pytest.importorskip("harbor")
    if not _has_compose():
        stand_in = tmp_path / "bin" / "docker"
        stand_in.parent.mkdir()
        stand_in.write_text(COMPOSE.format(python=sys.executable), "utf-8")
        stand_in.chmod(0o755)
        monkeypatch.setenv("PATH", f"{stand_in.parent}:{os.environ['PATH']}")
    task = FORMS[request.param](make_task(next(recipes(Knobs(seed="lint", levels=("file",))))).task)
    write_package(task, tmp_path / "tasks" / task.name)
    return tmp_path / "tasks" / task.name


def lint(folder, capsys):
    """Harbor's findings, and the exit code of its command."""
    import typer
    from harbor.cli.lint import lint_command

    with pytest.raises(typer.Exit) as ended:
        lint_command([folder], json_output=True)
    return json.loads(capsys.readouterr().out), ended.value.exit_code


def test_harbors_lint_finds_nothing_in_either_form(folder, capsys):
    assert lint(folder, capsys) == ([], 0)


def test_harbors_lint_is_awake(folder, capsys):
    table = folder / "task.toml"
    table.write_text(table.read_text("utf-8").replace("workdir =", "workdri ="), "utf-8")
    findings, code = lint(folder, capsys)
    assert ("workdri" in str(findings), code) == (True, 1)


def test_harbor_reads_the_separate_verifier_the_server_and_what_is_collected(folder):
    from harbor.models.task.task import Task

    config = Task(folder).config
    assert config.verifier.environment_mode.value == "separate"
    assert config.environment.network_mode.value == "no-network"
    if (folder / "environment" / "docker-compose.yaml").exists():
        (server,) = config.environment.mcp_servers
        (collected,) = config.artifacts
        assert (server.transport, server.url) == ("streamable-http", "http://127.0.0.1:8000/mcp")
        assert (collected.source, collected.service) == ("/app", "document")
    else:
        assert (config.environment.mcp_servers, config.artifacts) == ([], ["/app"])
