"""What the verifier says: a status, a reward or none, and every reason."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

SCORED, REJECTED, INFRA_ERROR = "scored", "rejected", "infra_error"
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


class InfraError(Exception):
    """The machine, not the submission, stood in the way: no reward may be written."""


@dataclass(frozen=True)
class Finding:
    """One reason, with its place: `code` is a red line's code, or the name of a gate's reason."""

    code: str
    file: str = ""
    line: int = 0
    text: str = ""

    def to_json(self) -> dict[str, object]:
        """The finding as plain data."""
        return {"code": self.code, "file": self.file, "line": self.line, "text": self.text[:200]}


@dataclass(frozen=True)
class GateResult:
    """What became of one gate: `state` is passed, failed or skipped."""

    name: str
    state: str
    reasons: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, name: str, findings: Iterable[Finding]) -> GateResult:
        """A gate that was looked through: passed where nothing was found; what was found twice is said once."""
        reasons = tuple(dict.fromkeys(findings))
        return cls(name, FAILED if reasons else PASSED, reasons)

    def to_json(self) -> dict[str, object]:
        """The gate as plain data."""
        reasons = [reason.to_json() for reason in self.reasons]
        return {"name": self.name, "state": self.state, "reasons": reasons}


@dataclass(frozen=True)
class Verdict:
    """The outcome of one verification; the same inputs give the same bytes.

    Raises ValueError when it is made with a reward that its status does not allow: a `scored` verdict
    needs gates and a grade, a `rejected` one is worth 0, an `infra_error` has no reward.
    """

    status: str
    reward: float | None
    gates: tuple[GateResult, ...] = ()
    red_lines: tuple[Finding, ...] = ()
    components: Mapping[str, float] = field(default_factory=dict[str, float])
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    """What was judged and with what: task, family, digests, sandbox, toolchain, diagnostics."""

    def __post_init__(self) -> None:
        rejected = any(gate.state == FAILED for gate in self.gates) or bool(self.red_lines)
        lawful = {
            SCORED: bool(self.gates) and bool(self.components) and not rejected,
            REJECTED: rejected and self.reward == 0,
            INFRA_ERROR: self.reward is None,
        }
        if not lawful.get(self.status, False):
            message = f"a verdict cannot be {self.status!r} with reward {self.reward!r} and these gates"
            raise ValueError(message)
        if self.status == SCORED and not _is_grade(self.reward):
            message = f"a scored verdict needs a reward in [0, 1], not {self.reward!r}"
            raise ValueError(message)

    def codes(self) -> frozenset[str]:
        """Every red line's code and every failed gate's name."""
        failed = (gate.name for gate in self.gates if gate.state == FAILED)
        return frozenset(failed) | {finding.code for finding in self.red_lines}

    def to_json(self) -> str:
        """The verdict as canonical JSON, ending in a newline."""
        body = {
            **self.facts,
            "status": self.status,
            "reward": self.reward,
            "components": dict(self.components),
            "gates": [gate.to_json() for gate in self.gates],
            "redLines": [finding.to_json() for finding in self.red_lines],
        }
        return json.dumps(body, indent=1, sort_keys=True, allow_nan=False) + "\n"

    def reward_json(self) -> str:
        """The flat object of finite numbers that Harbor and every other consumer reads."""
        body = {"reward": self.reward, **self.components}
        return json.dumps(body, sort_keys=True, allow_nan=False) + "\n"

    def details_json(self) -> str:
        """The verdict as the tree that Harbor's viewer draws: gates, red lines and grade, each with its criteria.

        Only a verdict with a reward has one.
        """
        passed = [gate.state for gate in self.gates].count(FAILED) == 0
        red_lines = [_criterion(line.code, 0.0, line.code, (line,)) for line in self.red_lines]
        parts = [_criterion(name, value, value, ()) for name, value in self.components.items()]
        body = {
            "gates": (float(passed), [_gate_criterion(gate) for gate in self.gates]),
            "red lines": (float(not red_lines), red_lines),
            "grade": (self.reward, parts),
        }
        tree = {
            name: {"kind": "programmatic", "score": score, "criteria": criteria}
            for name, (score, criteria) in body.items()
        }
        return json.dumps(tree, indent=1, allow_nan=False) + "\n"


def _gate_criterion(gate: GateResult) -> dict[str, object]:
    body = _criterion(gate.name, float(gate.state == PASSED), gate.state, gate.reasons)
    return body | ({"error": "an earlier gate failed"} if gate.state == SKIPPED else {})


def _criterion(name: str, value: float, raw: object, reasons: tuple[Finding, ...]) -> dict[str, object]:
    """One line of the tree; `reasoning` is every reason on a line of its own."""
    body: dict[str, object] = {"name": name, "value": value, "weight": 1.0, "raw": raw}
    lines = [f"{reason.file}:{reason.line} {reason.code} {reason.text[:200]}".strip(" :") for reason in reasons]
    return body | ({"reasoning": "\n".join(lines)} if lines else {})


def _is_grade(reward: float | None) -> bool:
    return reward is not None and math.isfinite(reward) and 0 <= reward <= 1
