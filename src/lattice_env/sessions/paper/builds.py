"""The builds of an attempt at a paper: the pinned build, once for each state of the sources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from lattice_env.verifier.build import Built, build, is_product, job_name
from lattice_env.verifier.store import digest
from lattice_env.verifier.toolchain import toolchain

MOST_KEPT = 4
"""States of the sources whose builds are kept."""
MOST_WARNINGS, MOST_ERRORS = 10, 5
WIDE = 300
"""The longest line of a build's report."""

_WARNING = re.compile(r"^(?:LaTeX|Package \S+|Class \S+|pdfTeX) [Ww]arning(?::| \([^)]*\):).*$", re.MULTILINE)
_PAGES = re.compile(r"^Output written on .*\((\d+) pages?, (\d+) bytes\)", re.MULTILINE)
_FOLDER = re.compile(r"^PWD (\S.*)$", re.MULTILINE)


@dataclass
class Builds:
    """Builds a root, or remembers that it did."""

    root: str
    turn: AbstractContextManager[object]
    """Entered for each build."""
    seconds: float = 0.0
    """Of all builds that were run."""
    last: Built | None = None
    _kept: dict[str, Built] = field(default_factory=dict[str, Built])

    def build(self, files: Mapping[str, bytes]) -> Built:
        """The pinned build of the files; InfraError where the machine, not the paper, is at fault."""
        sources = {path: data for path, data in files.items() if not is_product(path, self.root)}
        key = digest(sources)
        found = self._kept.pop(key, None)
        if found is None:
            with self.turn:
                found = _placeless(build(sources, self.root, toolchain()))
            self.seconds += found.seconds
        self._kept[key] = found
        if len(self._kept) > MOST_KEPT:
            self._kept.pop(next(iter(self._kept)))
        self.last = found
        return found

    def report(self, built: Built) -> str:
        """What an agent is told of a build, the first error first."""
        log = built.products.get(f"{job_name(self.root)}.log", "")
        lines = _success(log) if not built.reason else _failure(built)
        return "\n".join(line[:WIDE] for line in lines)


def _placeless(built: Built) -> Built:
    """A build whose products do not tell in which scratch folder it ran."""
    found = next((match[1] for text in built.products.values() if (match := _FOLDER.search(text))), "")
    if not found:
        return built
    return replace(built, products={path: text.replace(found, "/build") for path, text in built.products.items()})


def _success(log: str) -> list[str]:
    pages = _PAGES.search(log)
    lines = [f"Built: {pages[1]} pages, {pages[2]} bytes." if pages else "Built."]
    warnings = list(dict.fromkeys(match[0] for match in _WARNING.finditer(log)))
    lines += [f"warning: {text}" for text in warnings[:MOST_WARNINGS]]
    if len(warnings) > MOST_WARNINGS:
        lines.append(f"{len(warnings) - MOST_WARNINGS} more warnings; they are in the log.")
    return lines


def _failure(built: Built) -> list[str]:
    errors = [item for item in built.diagnostics if "Emergency stop" not in item.message] or list(built.diagnostics)
    lines = [f"{item}" for item in errors[:MOST_ERRORS]] or ["no message"]
    lines[0] = f"First error: {lines[0]}"
    if errors and errors[0].source:
        lines.insert(1, errors[0].source)
    if len(errors) > MOST_ERRORS:
        lines.append(f"{len(errors) - MOST_ERRORS} more errors; they are in the log.")
    return [*lines, f"The build failed: {built.reason}. There is no PDF."]
