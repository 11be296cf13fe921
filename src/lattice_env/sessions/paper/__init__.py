"""Paper repair as a session: files, the pinned build, its pages, places on them, and no shell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lattice_env.actions import Action, RefusedError, Reply
from lattice_env.sessions.bench import Bench
from lattice_env.sessions.workspace import Workspace
from lattice_env.verifier.build import Built, job_name
from lattice_env.verifier.latex import decode
from lattice_env.verifier.spec import Spec

from .builds import Builds
from .inspection import inspect
from .synctex import Recorded
from .tools import CLIPPED, MOST_HITS, MOST_LINES, MOST_SHOWN, TOOLS

MOST_STEPS = 200
"""The most steps that an agent may be given at a paper."""


@dataclass
class PaperSession:
    """One attempt at a paper."""

    spec: Spec
    bench: Bench
    _builds: Builds = field(init=False)
    _recorded: Recorded = field(init=False)

    def __post_init__(self) -> None:
        self._builds = Builds(self.spec.root, self.bench.machine.building)
        self._recorded = Recorded(self.bench.home / "synctex", self.spec.root, self.bench.machine.building)
        self.facts = self.bench.facts
        self.tools = TOOLS
        self.most_steps = MOST_STEPS
        self._acts: Mapping[str, Callable[..., Reply]] = {
            "list_files": self._list_files,
            "read": self._read,
            "search": self._search,
            "edit": self._edit,
            "write": self._write,
            "compile": self._compile,
            "pdf_text": self._pdf_text,
            "synctex": self._synctex,
            "synctex_inverse": self._synctex_inverse,
            "check": self._check,
            "submit": _submit,
            "defer": _defer,
        }

    def begin(self) -> Reply:
        """The task's instruction, with the workspace in the place of the folder that a container has."""
        text = (self.bench.package.folder / "instruction.md").read_text("utf-8")
        return Reply(text.replace("in `/app`", "in the workspace"))

    def act(self, action: Action) -> Reply:
        """What an action is answered, with the seconds of the builds that it took."""
        self._workspace.check()
        before = self._builds.seconds + self._recorded.seconds
        try:
            reply = self._acts[action.name](**action.arguments)
        except RefusedError as error:
            reply = Reply(f"Refused: {error}", refused=True)
        return replace(reply, building=self._builds.seconds + self._recorded.seconds - before)

    def judge(self) -> Mapping[str, Any]:
        """What the package's verifier says of the paper."""
        return self.bench.judge()

    def solution(self) -> Sequence[Action]:
        """The files as they are right, written whole, and the submission."""
        right = ((path, data) for path, data in self.spec.original.items() if data != self.spec.initial[path])
        return [*(Action("write", {"path": path, "text": decode(data)}) for path, data in right), Action("submit")]

    @property
    def _workspace(self) -> Workspace:
        return self.bench.workspace

    def _list_files(self) -> Reply:
        return Reply("\n".join(f"{path} ({size} bytes)" for path, size in self._workspace.names()) or "No files.")

    def _text(self, path: str) -> str:
        """A file of the workspace; of the last build, what it wrote beside the sources."""
        last = self._builds.last
        if last and path in last.products:
            return last.products[path]
        return self._workspace.text(path)

    def _read(self, path: str, from_line: int = 1, to_line: int = 0) -> Reply:
        lines = self._text(path).split("\n")
        last = min(to_line or len(lines), len(lines), from_line + MOST_LINES - 1)
        if not 1 <= from_line <= len(lines) or (to_line and to_line < from_line):
            message = f"{path} has the lines 1 to {len(lines)}."
            raise RefusedError(message)
        text = "\n".join(lines[from_line - 1 : last])
        if len(text) > MOST_SHOWN:
            return Reply(f"{text[:MOST_SHOWN]}\n{CLIPPED}")
        return Reply(text if last == (to_line or len(lines)) else f"{text}\n{CLIPPED}")

    def _search(self, text: str) -> Reply:
        if not text.strip() or "\n" in text:
            raise RefusedError("search for some text of one line.")
        hits: list[str] = []
        for path, data in sorted(self._workspace.files().items()):
            if b"\0" in data or text.lower() not in (whole := decode(data)).lower():
                continue
            lines = enumerate(whole.split("\n"), 1)
            hits += [f"{path}:{number}: {line[:200]}" for number, line in lines if text.lower() in line.lower()]
        shown = hits[:MOST_HITS]
        if len(hits) > MOST_HITS:
            shown.append(f"{len(hits) - MOST_HITS} more; a longer text finds fewer.")
        return Reply("\n".join(shown) or "No hits.")

    def _edit(self, path: str, old: str, new: str) -> Reply:
        text = self._workspace.text(path)
        if not old or old == new:
            raise RefusedError("old is empty." if not old else "old and new are the same.")
        at = text.find(old)
        if at < 0:
            message = f"old is not found in {path}; it must be exactly as it stands there."
            raise RefusedError(message)
        if text.find(old, at + 1) >= 0:
            message = f"old is found more than once in {path}; take more of what stands around it."
            raise RefusedError(message)
        self._workspace.replace(path, text[:at] + new + text[at + len(old) :])
        return Reply(f"Replaced at {path}:{text.count(chr(10), 0, at) + 1}.", changed=(path,))

    def _write(self, path: str, text: str) -> Reply:
        there = self._workspace.write(path, text)
        return Reply(f"{'Replaced' if there else 'Made'} {path}: {len(text)} characters.", changed=(path,))

    def _compile(self) -> Reply:
        built = self._builds.build(self._workspace.files())
        log = f"{job_name(self.spec.root)}.log"
        return Reply(f"{self._builds.report(built)}\nThe log is {log}.")

    def _built(self) -> Built:
        """The build of the sources as they stand; RefusedError where it fails."""
        built = self._builds.build(self._workspace.files())
        if built.reason:
            raise RefusedError("the paper does not build: compile says why.")
        return built

    def _pdf_text(self, page: int = 0) -> Reply:
        pages = self._built().text.removesuffix("\f").split("\f")
        if not 0 <= page <= len(pages):
            message = f"the pages are 1 to {len(pages)}."
            raise RefusedError(message)
        text = pages[page - 1] if page else "\n".join(pages)
        return Reply(text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}\n{CLIPPED}")

    def _synctex(self, path: str, line: int) -> Reply:
        lines = self._workspace.text(path).count("\n") + 1
        if not 1 <= line <= lines:
            message = f"{path} has the lines 1 to {lines}."
            raise RefusedError(message)
        return Reply(self._recorded.forward(self._workspace.files(), path, line))

    def _synctex_inverse(self, page: int, x: int, y: int) -> Reply:
        if page < 1 or not (0 <= x <= CLIPPED_AT and 0 <= y <= CLIPPED_AT):
            raise RefusedError("a place is a page from 1, and points from its upper left corner.")
        return Reply(self._recorded.inverse(self._workspace.files(), page, x, y))

    def _check(self) -> Reply:
        return Reply(inspect(self._workspace.files()))


CLIPPED_AT = 20_000
"""Points: longer than the longest side of a page in PDF."""


def _submit(claim: str = "") -> Reply:
    """The end, with a claim that the episode compares with the verdict."""
    return Reply(f"Submitted, as {claim}." if claim else "Submitted.", ended=True)


def _defer(reason: str) -> Reply:
    return Reply(f"Given up: {reason[:200]}", ended=True)
