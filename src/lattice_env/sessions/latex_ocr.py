"""LaTeX OCR as a session: one picture, one answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lattice_env.actions import DEFER, Action, Parameter, Reply, Tool
from lattice_env.families.latex_ocr.settings import PROMPT
from lattice_env.verifier.formula_spec import PICTURE, FormulaSpec

from .bench import Bench

ANSWER = Tool("answer", "Give the answer; the attempt ends.", {"latex": Parameter(str, "the formula's LaTeX source")})
TOOLS = {tool.name: tool for tool in (ANSWER, DEFER)}


@dataclass
class OcrSession:
    """One attempt at a picture."""

    spec: FormulaSpec
    bench: Bench

    def __post_init__(self) -> None:
        self.facts = self.bench.facts
        self.tools: Mapping[str, Tool] = TOOLS
        self.most_steps = 3
        """One for the answer, and two for answers that are refused."""

    def begin(self) -> Reply:
        """The prompt and the picture."""
        return Reply(PROMPT, picture=self.bench.package.workspace[PICTURE])

    def act(self, action: Action) -> Reply:
        """The end, with the answer in its file where one is given."""
        if action.name == DEFER.name:
            return Reply("The attempt is given up.", ended=True)
        self.bench.workspace.replace(self.spec.root, action.arguments["latex"])
        return Reply("Answered.", changed=(self.spec.root,), ended=True)

    def judge(self) -> Mapping[str, Any]:
        """What the package's verifier says of the answer's file."""
        return self.bench.judge()

    def solution(self) -> Sequence[Action]:
        """The LaTeX that the picture was printed from."""
        return [Action(ANSWER.name, {"latex": self.spec.target})]
