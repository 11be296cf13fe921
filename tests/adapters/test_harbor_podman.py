"""Harbor's podman with a container that has no network, where a task asks for none."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.harbor


@pytest.fixture
def environment(installed, tmp_path):
    """A function: an environment of a task with a network mode, not started."""
    from harbor.models.task.config import EnvironmentConfig, NetworkPolicy
    from harbor.models.trial.paths import TrialPaths

    from lattice_env.adapters.harbor_podman import OfflinePodman

    def made(network):
        (tmp_path / "Dockerfile").write_text("FROM x\n", "utf-8")
        return OfflinePodman(
            environment_dir=tmp_path,
            environment_name="task",
            session_id="task__env",
            trial_paths=TrialPaths(trial_dir=tmp_path / "trial"),
            task_env_config=EnvironmentConfig(),
            network_policy=NetworkPolicy(network_mode=network),
        )

    return made


@pytest.mark.parametrize(("network", "offline"), [("no-network", True), ("public", False)])
def test_a_task_without_a_network_gets_a_container_without_one(environment, network, offline):
    from harbor.environments.docker import COMPOSE_NO_NETWORK_PATH

    box = environment(network)
    assert box.capabilities.disable_internet
    assert (box._docker_compose_paths[-1] == COMPOSE_NO_NETWORK_PATH) is offline  # noqa: SLF001 - what is overridden
    assert COMPOSE_NO_NETWORK_PATH.read_text("utf-8").split() == ["services:", "main:", "network_mode:", "none"]


@pytest.mark.parametrize(
    ("main", "offline"), [("network_mode: service:document", False), ("networks: [inner]", False), ("init: true", True)]
)
def test_a_network_that_a_task_s_compose_file_names_is_left_as_it_is(environment, tmp_path, main, offline):
    from harbor.environments.docker import COMPOSE_NO_NETWORK_PATH

    (tmp_path / "docker-compose.yaml").write_text(f"services:\n  main:\n    {main}\n", "utf-8")
    paths = environment("no-network")._docker_compose_paths  # noqa: SLF001 - what is overridden
    assert (COMPOSE_NO_NETWORK_PATH in paths) is offline
