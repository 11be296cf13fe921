"""Harbor over podman without the image of its network sidecar: `-e lattice_env.adapters.harbor_podman:OfflinePodman`.

For tasks whose `network_mode` is `no-network`, as all of ours are: their containers get no network but loopback.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, override

import yaml

# Harbor ships types but no `py.typed`.
# pyright: reportMissingTypeStubs=false
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.environments.docker import COMPOSE_NO_NETWORK_PATH
from harbor.environments.podman import PodmanEnvironment


class OfflinePodman(PodmanEnvironment):
    """Harbor's podman, with `network_mode: none` in the place of a sidecar that guards the way out."""

    @staticmethod
    @override
    def _requires_egress_control(**_: Any) -> bool:
        return False

    @property
    @override
    def capabilities(self) -> EnvironmentCapabilities:
        return super().capabilities.model_copy(update={"disable_internet": True})

    @property
    @override
    def _docker_compose_paths(self) -> list[Path]:
        paths = super()._docker_compose_paths
        closed = self._network_disabled and not self._has_own_network
        return [*paths, COMPOSE_NO_NETWORK_PATH] if closed else paths

    @property
    def _has_own_network(self) -> bool:
        """Whether the task's Compose file says what network its main box has, which Harbor's Docker leaves as it is."""
        place = self._environment_docker_compose_path
        body: dict[str, Any] = yaml.safe_load(place.read_text("utf-8")) if place.is_file() else {}
        main: dict[str, Any] = body.get("services", {}).get("main", {})
        return bool({"network_mode", "networks"} & main.keys())
