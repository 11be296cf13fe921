"""Documents as tasks: made from a recipe of a few words, and judged from the pages that an attempt leaves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import Field, model_validator
from verifiers.v1.utils.loaders import harness_class

from lattice_env.errors import LatticeError, UnprovedError, UsageError
from lattice_env.families.doc_edit.attempt import Attempt, judge, read_attempt, remade_spec
from lattice_env.families.doc_edit.instruction import write_prompt
from lattice_env.families.doc_edit.make import make_task
from lattice_env.families.doc_edit.oracle import play_oracle
from lattice_env.families.doc_edit.recipe import Knobs, check_knobs, recipe_json, recipes
from lattice_env.families.doc_edit.session import Session
from lattice_env.verifier.edit_spec import FAMILIES, EditSpec

from .toolset import DocEditToolset, DocEditToolsetConfig, EditState

KEPT = "doc_edit"
"""Where a trace keeps the attempt, in `info`: what a trace's state holds is not saved."""


class DocEditTaskConfig(vf.TaskConfig):
    """How the four tools reach the agent."""

    tools: Literal["process", "mcp"] = "process"
    """`process`: the package's own loop. `mcp`: a server of each rollout, for other harnesses; far dearer."""
    server: DocEditToolsetConfig = DocEditToolsetConfig()
    """Where the server of `mcp` runs."""


class DocEditConfig(vf.TasksetConfig):
    """Which documents, and how hard."""

    task: DocEditTaskConfig = DocEditTaskConfig()
    num_examples: int = 100
    seed: int | str = 0
    families: list[str] = Field(default_factory=lambda: list(FAMILIES))
    genres: list[str] = Field(default_factory=list)
    """All that there are where it is empty; so with `locales` and `levels`."""
    locales: list[str] = Field(default_factory=list)
    levels: list[str] = Field(default_factory=list)
    n_fillers: int | None = None
    """Length; None leaves it to the level. So with `n_appendices` and `max_turns`."""
    n_appendices: int | None = None
    max_turns: int | None = None
    templates: str = "seed"
    """The pool of section templates: `seed`, or `all` with the held-out ones."""

    @property
    def knobs(self) -> Knobs:
        """The same as the engine has it."""
        lists = {name: tuple(getattr(self, name)) for name in ("families", "genres", "locales", "levels")}
        plain = ("num_examples", "seed", "n_fillers", "n_appendices", "max_turns", "templates")
        return Knobs(**lists, **{name: getattr(self, name) for name in plain})

    @model_validator(mode="after")
    def _check(self) -> DocEditConfig:
        try:
            check_knobs(self.knobs)
        except UsageError as error:
            message = f"{error} ({error.hint})" if error.hint else str(error)
            raise ValueError(message) from error
        return self


class DocEditData(vf.TaskData):
    """A task in a few words."""

    recipe: str
    """What the document is made from, with the identity of the task: never the pages themselves."""


class DocEditTask(vf.Task[DocEditData, EditState, DocEditTaskConfig]):
    """One document and what is asked for it."""

    @cached_property
    def spec(self) -> EditSpec:
        """The document as it is and as it must become; RecipeError where another one is made here."""
        return remade_spec(self.data.recipe)

    @property
    def key(self) -> str:
        """The task's identity, wherever it stands in a run."""
        assert self.data.id is not None  # noqa: S101 - `load` sets it
        return self.data.id

    @classmethod
    def toolsets(cls, config: DocEditTaskConfig) -> list[vf.Toolset[Any]]:
        """The server of `mcp`."""
        return [DocEditToolset(config.server)] if config.tools == "mcp" else []

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Nothing; TaskError for a harness that has no tools with these settings, or could make the answer."""
        assert trace.agent is not None  # noqa: S101 - a trace is made with its agent
        harness = trace.agent.config.harness
        if harness is None:  # vf-validate: no agent
            return
        found = harness_class(harness.id)
        in_process = found.__module__.partition(".")[0] == __name__.partition(".")[0]
        if in_process == (self.config.tools == "mcp"):
            wanted = "process" if in_process else "mcp"
            message = f"the harness {harness.id} has no tools here: --env.taskset.task.tools {wanted}"
            raise vf.TaskError(message)
        if found.EXECUTES_CODE and isinstance(trace.agent.config.runtime, vf.SubprocessConfig):
            message = (
                f"the harness {harness.id} runs programs on this machine, where lattice_env can make the answer: "
                "--env.agent.runtime.type docker, or --env.agent.harness.id null"
            )
            raise vf.TaskError(message)

    async def finalize(self, trace: vf.Trace) -> None:
        """Keep what judging needs where a saved trace has it."""
        trace.info[KEPT] = trace.state.attempt or Attempt().to_json()

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether a program that knows the answer earns 1 through the four tools."""
        session = Session(self.spec)
        play_oracle(session)
        return session.submitted and session.verdict().reward == 1

    @vf.stop
    async def attempt_over(self, trace: vf.Trace) -> bool:
        """Whether it was submitted, or the turns are used: tools behind MCP end a run here."""
        return trace.state.over

    @vf.reward(weight=1.0)
    async def consistency_reward(self, trace: vf.Trace) -> float:
        """Sites that read as expected over sites, less 0.1 for each collateral line, from 0 to 1."""
        return self._components(trace)["consistency_reward"]

    @vf.metric
    async def doc_edit(self, trace: vf.Trace) -> dict[str, float]:
        """What the verdict tells beside the reward, and what was done."""
        return {name: value for name, value in self._components(trace).items() if name != "consistency_reward"}

    def _components(self, trace: vf.Trace) -> dict[str, float]:
        verdict = judge(self.spec, read_attempt(trace.info.get(KEPT)))
        return {"consistency_reward": verdict.reward, **verdict.components}


class DocEditTaskset(vf.Taskset[DocEditTask, DocEditConfig]):
    """Proved tasks, in the order of their recipes."""

    def load(self) -> Iterator[DocEditTask]:
        """Make and prove each task when it is asked for; a recipe that nothing can be proved of is passed over."""
        made = 0
        for recipe in islice(recipes(self.config.knobs), self.config.num_examples):
            try:
                spec = make_task(recipe).task.spec
            except UnprovedError:
                continue
            made += 1
            data = DocEditData(
                id=spec.task,
                name=f"{spec.family}-{spec.task[:10]}",
                prompt=write_prompt(spec.request, len(spec.editable), spec.max_turns),
                recipe=recipe_json(recipe, spec.task),
            )
            yield DocEditTask(data, self.config.task)
        if not made:
            message = "nothing that is asked for can be proved"
            raise LatticeError(message, hint="more turns, or another level")
