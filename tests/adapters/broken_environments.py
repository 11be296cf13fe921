"""Machines that cannot judge, as environments that Harbor imports by name."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from lattice_env.adapters.harbor_local import LocalEnvironment


class _Changed(LocalEnvironment):
    """Our machine with some mounts more."""

    mounts: ClassVar[tuple[str, ...]]

    async def start(self, force_build):
        """Start, and from then on run everything with the mounts."""
        await super().start(force_build)
        self._box = replace(self._started, words=(*self._started.words, *self.mounts))


class WithoutPdftotext(_Changed):
    """An image without poppler-utils."""

    mounts = ("--ro-bind", "/dev/null", "/usr/bin/pdftotext", "--ro-bind", "/dev/null", "/bin/pdftotext")


class OtherYear(_Changed):
    """An image with another latexmk."""

    mounts = ("--ro-bind", "/usr/bin/perl", "/usr/bin/latexmk")


class ReadOnlyLogs(_Changed):
    """A machine on which no reward can be written."""

    mounts = ("--ro-bind", "/mnt", "/logs/verifier")


class SmallTransfers(LocalEnvironment):
    """A harness that carries no more than 1 MiB from the agent's box to the verifier's."""

    transfer_bytes = 1 << 20
