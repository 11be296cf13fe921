"""From a place in the sources to its place on a page, and back: TeX's own `synctex` over a build that records it.

The pinned build records nothing, so that its PDF is the verdict's; a second build with the same options and the
record beside is made when it is first asked for.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from lattice_env.actions import RefusedError
from lattice_env.verifier import sandbox
from lattice_env.verifier.build import EXACT_TIMES, is_product, job_name, write_tree
from lattice_env.verifier.store import digest
from lattice_env.verifier.toolchain import find_tool, toolchain
from lattice_env.verifier.verdict import InfraError

_PDFLATEX = "pdflatex -no-shell-escape -no-parse-first-line -synctex=1 -file-line-error %O %S"
_FIELD = re.compile(r"^(Page|x|y|h|v|W|H|Input|Line|Column):(.*)$", re.MULTILINE)
MOST_PLACES = 5


@dataclass
class Recorded:
    """The record of one state of the sources, in a folder of the episode's own."""

    folder: Path
    root: str
    turn: AbstractContextManager[object]
    """Entered for each build."""
    seconds: float = 0.0
    """Of all builds that were run."""
    _key: str = ""

    def forward(self, files: Mapping[str, bytes], path: str, line: int) -> str:
        """The places on pages that a line of a source went to."""
        job = self._recorded(files)
        found = self._ask(job, "view", "-i", f"{line}:0:{path}", "-o", f"{job}.pdf")
        places = [
            f"page {box['Page']}, x {float(box['h']):.1f}, y {float(box['v']):.1f}, "
            f"width {float(box['W']):.1f}, height {float(box['H']):.1f}"
            for box in found
            if {"Page", "h", "v", "W", "H"} <= box.keys()
        ]
        return "\n".join(dict.fromkeys(places[:MOST_PLACES])) or f"{path}:{line} is on no page."

    def inverse(self, files: Mapping[str, bytes], page: int, x: int, y: int) -> str:
        """The line of a source that a place on a page, in points from its upper left corner, came from."""
        job = self._recorded(files)
        found = self._ask(job, "edit", "-o", f"{page}:{x}:{y}:{job}.pdf")
        for box in found:
            if "Input" in box and "Line" in box:
                tree = str(self._tree)
                source = re.sub(rf"^(?:{re.escape(tree)}|{re.escape(sandbox.BUILD)})?/*(?:\./)*", "", box["Input"])
                return f"{source}:{box['Line']}"
        return "That place came from no source of the paper."

    @property
    def _tree(self) -> Path:
        return self.folder / "tree"

    def _recorded(self, files: Mapping[str, bytes]) -> str:
        """The name of what was built with its record; RefusedError where there is none."""
        sources = {path: data for path, data in files.items() if not is_product(path, self.root)}
        job, key = job_name(self.root), digest(sources)
        if key != self._key:
            self._key = ""
            with self.turn:
                self._build(sources, job)
            self._key = key
        if not (self._tree / f"{job}.synctex.gz").is_file():
            raise RefusedError("the build left no record of places.")
        return job

    def _build(self, sources: Mapping[str, bytes], job: str) -> None:
        started = time.monotonic()
        shutil.rmtree(self.folder, ignore_errors=True)
        write_tree(self._tree, sources)
        tools = toolchain()
        words = [tools.path("latexmk"), "-norc", "-pdf", "-bibtex", "-e", EXACT_TIMES]
        words += ["-interaction=nonstopmode", "-halt-on-error", f"-pdflatex={_PDFLATEX}", self.root]
        ended = sandbox.run(words, self._tree, tools, self.folder / "output.txt", sorted(sources))
        self.seconds += time.monotonic() - started
        if ended.code or not (self._tree / f"{job}.pdf").is_file():
            raise RefusedError("the paper does not build: compile says why.")

    def _ask(self, job: str, *words: str) -> list[dict[str, str]]:
        """What `synctex` answers, place by place."""
        program = find_tool("synctex")
        if program is None:
            message = "synctex is not on this machine"
            raise InfraError(message)
        with tempfile.NamedTemporaryFile(dir=self.folder, prefix=job, suffix=".txt") as answer:
            sandbox.run([program, *words], self._tree, toolchain(), Path(answer.name))
            text = Path(answer.name).read_text("utf-8", "replace")
        return list(_boxes(text))


def _boxes(text: str) -> list[dict[str, str]]:
    """The records of an answer: each begins with `Page` or with `Input`."""
    boxes: list[dict[str, str]] = []
    for match in _FIELD.finditer(text):
        if match[1] in ("Page", "Input") or not boxes:
            boxes.append({})
        boxes[-1][match[1]] = match[2].strip()
    return boxes
