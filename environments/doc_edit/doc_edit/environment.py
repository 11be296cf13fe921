"""One agent on this machine: the loop is in process, so there is nothing that a sandbox would hold."""

from __future__ import annotations

import verifiers.v1 as vf


class DocEditEnvConfig(vf.SingleAgentEnvConfig):
    """The defaults of a run; the turns are the task's own."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class DocEditEnv(vf.SingleAgentEnv, vf.Env[DocEditEnvConfig]):
    """One attempt of one agent at one document."""
