"""LaTeX OCR for verifiers: `vf-eval latex-ocr -m MODEL -n 18 -r 2 --no-push`.

verifiers' own OpenEnv taskset sends an observation as JSON text, so that a picture becomes text. This one shows the
picture as such, in process: the data and the reward are those of the server, and no server is needed.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import cache, cached_property

import httpx
import verifiers.v1 as vf
from pydantic import field_validator
from verifiers.v1.errors import MODEL_TRANSPORT_ERROR_EXIT_CODE
from verifiers.v1.types import ImageUrlContentPart, ImageUrlSource, TextContentPart, UserMessage

from lattice_env.families.latex_ocr.judge import MOST_CHARACTERS, Judgement, judge
from lattice_env.families.latex_ocr.settings import BUILTIN, CHARACTERS, PROMPT, REWARDS, Settings
from lattice_env.families.latex_ocr.source import Source, open_source

__all__ = ["LatexOCREnv", "LatexOCRHarness", "LatexOCRTaskset"]


class LatexOCRTaskConfig(vf.TaskConfig):
    """What an answer is paid; the names are those of the server's LATEX_OCR_* variables."""

    dataset: str = BUILTIN
    """`builtin`, a folder, a .zip of one, a Parquet file or a hub id."""
    reward: str = CHARACTERS
    exact_weight: float = 0.4
    overlong_ratio: float = 4.0
    overlong_floor: int = 80

    @field_validator("reward")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in REWARDS:
            message = f"none of {', '.join(REWARDS)}"
            raise ValueError(message)
        return name

    @property
    def settings(self) -> Settings:
        """The same as the server has it."""
        return Settings(
            dataset=self.dataset,
            reward=self.reward,
            exact_weight=self.exact_weight,
            overlong_ratio=self.overlong_ratio,
            overlong_floor=self.overlong_floor,
        )


class LatexOCRConfig(vf.TasksetConfig):
    """Which pictures."""

    task: LatexOCRTaskConfig = LatexOCRTaskConfig()
    split: str = "train"
    prompt: str = PROMPT


class LatexOCRData(vf.TaskData):
    """A picture, and the row that it is of: the target stays where it is."""

    split: str
    row: int


@cache
def _source(dataset: str) -> Source:
    return open_source(Settings(dataset=dataset))


class LatexOCRTask(vf.Task[LatexOCRData, vf.State, LatexOCRTaskConfig]):
    """One picture."""

    @cached_property
    def target(self) -> str:
        """The LaTeX that the picture was printed from."""
        return _source(self.config.dataset).splits[self.data.split].row(self.data.row).latex

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the right answer earns 1, and none less."""
        right, none = (judge(answer, self.target, self.config.settings).reward for answer in (self.target, ""))
        return right == 1 > none

    @vf.reward(weight=1.0)
    async def transcription(self, trace: vf.Trace) -> float:
        """What the server pays for this answer."""
        return self._judged(trace).reward

    @vf.metric
    async def latex_ocr(self, trace: vf.Trace) -> dict[str, float]:
        """The parts of the seed's reward, whichever pays, and equality where the converter knows both."""
        judged = self._judged(trace)
        parts = {name: float(value) for name, value in judged.characters.to_json().items() if name != "reward"}
        return parts | ({"equal": float(judged.equivalence.equal)} if judged.equivalence else {})

    def _judged(self, trace: vf.Trace) -> Judgement:
        # An answer beyond what the server takes is none; the guard leaves nothing of it either.
        return judge(trace.last_reply[:MOST_CHARACTERS], self.target, self.config.settings)


class LatexOCRTaskset(vf.Taskset[LatexOCRTask, LatexOCRConfig]):
    """The rows of a split, in their order."""

    def load(self) -> Iterator[LatexOCRTask]:
        """Each row's picture, as content of the first message."""
        split = _source(self.config.task.dataset).splits[self.config.split]
        for row in range(split.size):
            url = f"data:image/png;base64,{b64encode(split.row(row).picture).decode('ascii')}"
            content = [
                TextContentPart(text=self.config.prompt),
                ImageUrlContentPart(type="image_url", image_url=ImageUrlSource(url=url)),
            ]
            name = f"{split.name}-{row}"
            data = LatexOCRData(name=name, prompt=[UserMessage(content=content)], split=split.name, row=row)
            yield LatexOCRTask(data, self.config.task)


class LatexOCRHarnessConfig(vf.HarnessConfig):
    """Nothing to set."""

    id: vf.ID = "latex-ocr"


class LatexOCRHarness(vf.Harness[LatexOCRHarnessConfig]):
    """One call of the model; there is nothing else to do in one step."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: LatexOCRData,
    ) -> vf.ProgramResult:
        """Show the picture, take the answer."""
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        messages += [message.model_dump(exclude_none=True) for message in prompt]
        headers = {"Authorization": f"Bearer {secret}"}
        try:
            async with httpx.AsyncClient(headers=headers, timeout=None) as client:  # noqa: S113 - verifiers bounds it
                body = {"model": ctx.model, "messages": messages}
                answer = await client.post(f"{endpoint}/chat/completions", json=body)
        except httpx.TransportError as error:
            return vf.ProgramResult(MODEL_TRANSPORT_ERROR_EXIT_CODE, "", f"{type(error).__name__}: {error}")
        return vf.ProgramResult(int(answer.is_error), "", answer.text[-1000:] if answer.is_error else "")


class LatexOCREnvConfig(vf.SingleAgentEnvConfig):
    """The defaults of a run: one turn, on this machine, since nothing is run."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig(), max_turns=1)


class LatexOCREnv(vf.SingleAgentEnv, vf.Env[LatexOCREnvConfig]):
    """One attempt of one agent at one picture."""
