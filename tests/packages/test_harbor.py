"""Harbor's own code finds nothing wrong with a package, and reads from it what was meant."""

from __future__ import annotations

import json

import pytest

from lattice_env.packages import write_package

pytestmark = [pytest.mark.tex, pytest.mark.harbor]

TASKS = [("otter", "TEX-CMD-TRP"), ("heron", "LAT-REF-SWP")]
"""A task of each family."""


@pytest.fixture(params=TASKS, ids=lambda pair: pair[1])
def folder(request, make, tmp_path):
    pytest.importorskip("harbor")
    task = make(*request.param)
    write_package(task, tmp_path / "tasks" / task.name)
    return tmp_path / "tasks" / task.name


@pytest.fixture
def loaded(folder):
    """The package, as Harbor's own model of a task."""
    from harbor.models.task.task import Task

    return Task(folder)


def test_harbors_lint_finds_nothing(folder, capsys):
    import typer
    from harbor.cli.lint import lint_command

    with pytest.raises(typer.Exit) as ended:
        lint_command([folder], json_output=True)
    assert json.loads(capsys.readouterr().out) == []
    assert ended.value.exit_code == 0


def test_harbors_lint_is_awake(folder, capsys):
    import typer
    from harbor.cli.lint import lint_command

    table = folder / "task.toml"
    table.write_text(table.read_text("utf-8").replace("workdir =", "workdri ="), "utf-8")
    with pytest.raises(typer.Exit) as ended:
        lint_command([folder], json_output=True)
    assert "workdri" in capsys.readouterr().out
    assert ended.value.exit_code == 1


def test_harbor_run_does_not_pass_the_folder_over(folder):
    from harbor.models.task.task import Task

    children = [child for child in sorted(folder.parent.iterdir()) if Task.is_valid_dir(child)]
    assert children == [folder]


def test_harbor_reads_the_name_and_the_instruction(folder, loaded):
    assert loaded.name == f"lattice/{folder.name}"
    assert loaded.short_name == folder.name
    assert loaded.instruction == (folder / "instruction.md").read_text("utf-8")


def test_harbor_reads_a_task_without_a_network_judged_apart(loaded):
    config = loaded.config
    assert config.environment.network_mode.value == "no-network"
    assert config.verifier.environment_mode.value == "separate"
    assert config.artifacts == ["/app"]


def test_harbor_reads_the_resources(loaded):
    environment = loaded.config.environment
    assert (environment.cpus, environment.memory_mb, environment.storage_mb) == (1, 4096, 10240)
    assert environment.workdir == "/app"
    assert environment.build_timeout_sec == 1800
    assert loaded.config.agent.timeout_sec == 1200
    assert loaded.config.verifier.timeout_sec == 300


def test_harbor_reads_what_kind_of_task_it_is(folder, loaded):
    metadata = loaded.config.metadata
    assert folder.name.startswith(metadata["family"])
    assert metadata["id"][:10] == folder.name[-10:]
    assert metadata["tier"] in range(1, 6)
