"""A task's self-tests: submissions as data, each with the reward that its verifier must give."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .intake import Submission, read_submission
from .judge import verify
from .latex import decode, encode
from .spec import SpecError, TaskSpec
from .store import Store
from .verdict import INFRA_ERROR, Verdict

KINDS = ("oracle", "nop", "cheat", "twin", "probe")


@dataclass(frozen=True)
class Replacement:
    """Characters `start` to `end` of a shipped file, replaced by `new`."""

    file: str
    start: int
    end: int
    new: str


@dataclass(frozen=True)
class Case:
    """One submission, told as what it does to the shipped workspace, and what it must earn."""

    name: str
    kind: str
    low: float
    high: float
    """The reward lies between `low` and `high`, both included."""
    code: str = ""
    """The red line, or the gate, that must be among the reasons."""
    edits: tuple[Replacement, ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    """(path, text) of files put into the workspace."""
    removed: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    """(path, target) of symbolic links put into the workspace, or in the place of a file."""

    def files(self, workspace: Mapping[str, bytes]) -> dict[str, bytes]:
        """The workspace as this case submits it."""
        files = dict(workspace)
        for path in {edit.file for edit in self.edits}:
            text = replace(decode(files[path]), (edit for edit in self.edits if edit.file == path))
            files[path] = encode(text, files[path])
        files |= {path: text.encode() for path, text in self.added}
        gone = {*self.removed, *(path for path, _ in self.links)}
        return {path: data for path, data in files.items() if path not in gone}

    def submission(self, workspace: Mapping[str, bytes]) -> Submission:
        """What this case submits, read from a folder where it is more than files."""
        files = self.files(workspace)
        if not self.links:
            return Submission(files)
        with tempfile.TemporaryDirectory(prefix="lattice-") as folder:
            for path, data in files.items():
                place = Path(folder, path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
            for path, target in self.links:
                place = Path(folder, path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(target)
            return read_submission(Path(folder))


@dataclass(frozen=True)
class Result:
    """What became of one case."""

    case: Case
    verdict: Verdict

    @property
    def held(self) -> bool:
        """Whether the verifier said what it must; an `infra_error` never does."""
        reward = self.verdict.reward
        if self.verdict.status == INFRA_ERROR or reward is None:
            return False
        coded = not self.case.code or self.case.code in self.verdict.codes()
        return self.case.low <= reward <= self.case.high and coded

    def explain(self) -> str:
        """One line: what was expected, and what came."""
        wanted = f"{self.case.low:g}" if self.case.low == self.case.high else f"{self.case.low:g} to {self.case.high:g}"
        coded = f" with {self.case.code}" if self.case.code else ""
        found = ", ".join(sorted(self.verdict.codes())) or str(self.verdict.facts.get("error", "no reason"))
        return f"{self.case.name}: expected {wanted}{coded}, got {self.verdict.reward} ({found})"


def replace(text: str, edits: Iterable[Replacement]) -> str:
    """`text` with all edits made; their offsets are those of `text` itself."""
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def cases_json(cases: Iterable[Case]) -> str:
    """Cases as JSON, ending in a newline: the content of one file of a package's `selftests/`."""
    return json.dumps([asdict(case) for case in cases], indent=1, sort_keys=True) + "\n"


def read_cases(folder: Path) -> list[Case]:
    """The cases of a package's `selftests/` folder, file by file; SpecError where one does not parse."""
    try:
        paths = sorted(folder.glob("*.json"))
        return [_case(body) for path in paths for body in json.loads(path.read_text("utf-8"))]
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        message = f"{folder}: {error!r}"
        raise SpecError(message) from error


def _case(body: dict[str, Any]) -> Case:
    edits = tuple(Replacement(**edit) for edit in body.pop("edits"))
    added = tuple((path, text) for path, text in body.pop("added"))
    removed = tuple(body.pop("removed"))
    links = tuple((path, target) for path, target in body.pop("links"))
    case = Case(**body, edits=edits, added=added, removed=removed, links=links)
    if case.kind not in KINDS:
        message = f"kind {case.kind!r} is none of {', '.join(KINDS)}"
        raise ValueError(message)
    return case


def run(spec: TaskSpec, workspace: Mapping[str, bytes], cases: Iterable[Case], store: Store) -> Iterator[Result]:
    """Judge every case in turn."""
    for case in cases:
        yield Result(case, verify(spec, case.submission(workspace), store))
