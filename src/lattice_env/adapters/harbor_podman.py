"""Harbor over podman without the image of its network sidecar: `-e lattice_env.adapters.harbor_podman:OfflinePodman`.

For tasks whose `network_mode` is `no-network`, as all of ours are: their containers get no network but loopback.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, override

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
        return [*paths, COMPOSE_NO_NETWORK_PATH] if self._network_disabled else paths
