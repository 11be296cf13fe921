"""From a printed formula to a task package: its picture in the workspace, an empty file for the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lattice_env.errors import SeedError
from lattice_env.model import Family, Files, Task
from lattice_env.seeds import load_seeds
from lattice_env.verifier import Verdict, verify
from lattice_env.verifier.answer import tokens
from lattice_env.verifier.formula_spec import ANSWER, PICTURE, FormulaSpec, identity
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.selftests import Replacement
from lattice_env.verifier.store import Store, digest
from lattice_env.verifier.transcription import Knobs

from .selftests import make_cases
from .settings import BUILTIN, Settings
from .source import SHIPPED, open_source

NAME, VERSION, OPERATOR = "latex-ocr", 1, "transcribe"
OURS, UNSTATED = "Apache-2.0", "LicenseRef-unstated"
TIERS = (15, 40)
"""Tokens of the longest formula of a tier; what is longer is of the last."""
KINDS = (
    ("block", r"\begin{aligned}", r"\begin{gathered}", r"\begin{cases}"),
    ("matrix", r"\begin{"),
    ("fraction", r"\frac", r"\dfrac", r"\binom"),
    ("large operator", r"\sum", r"\prod", r"\int", r"\oint", r"\bigcup", r"\bigcap"),
    ("root or fence", r"\sqrt", r"\left"),
)
"""What a formula holds → its category: the first that fits, else `row`."""

INSTRUCTION = f"""\
The picture `/app/{PICTURE}` shows a formula. Write its LaTeX source into `/app/{ANSWER}`, which is empty, and nothing
else into it: no sentence, no second try. Dollar signs or one code fence around all of it do no harm, white space does
not count, and you need not define anything: amsmath, amssymb, bm and mathtools are there.

There is no network. A program compares what stands in `/app/{ANSWER}` when you end with the source that the picture was
printed from: all of the reward is for the same source, up to 0.6 of it for one that differs in few characters. What
prints nothing (comments, empty groups, phantoms) and a long answer cost.
"""


@dataclass(frozen=True)
class PrintedFormula:
    """A formula with its picture."""

    name: str
    latex: str
    picture: bytes
    """A PNG."""
    licence: str
    redistributable: bool

    @property
    def digest(self) -> str:
        """SHA-256 of the picture and the LaTeX."""
        return digest(self.files)

    @property
    def files(self) -> Files:
        """The picture, and the answer that is right."""
        return {PICTURE: self.picture, ANSWER: f"{self.latex.strip()}\n".encode()}


def load_formulas(dataset: str = BUILTIN) -> list[PrintedFormula]:
    """Every row of a data set; the built-in one knows where each formula comes from, and so its licence.

    Raises DatasetError or UsageError where the data set cannot be read, SeedError for a text that is none.
    """
    source, found = open_source(Settings(dataset=dataset)), list[PrintedFormula]()
    licences = _licences() if dataset == BUILTIN else {}
    for split in source.splits.values():
        for index in range(split.size):
            row, name = split.row(index), f"{split.name}-{index:06}"
            _check(row.latex, name)
            known = licences.get(name)
            found.append(PrintedFormula(name, row.latex, row.picture, known or UNSTATED, known is not None))
    return found


def _licences() -> dict[str, str]:
    """The licence of each row of the built-in corpus: its paper's, or ours for what the grammar made."""
    papers = {paper.name: paper.licence for paper in load_seeds()}
    origins = open_source(Settings(dataset=str(SHIPPED), text_column="origin"))
    rows = (
        (f"{split.name}-{i:06}", split.row(i).latex) for split in origins.splits.values() for i in range(split.size)
    )
    return {name: papers.get(origin, OURS) for name, origin in rows}


def _check(latex: str, name: str) -> None:
    try:
        latex.encode()
    except UnicodeEncodeError as error:
        message = f"{name}: its text is not Unicode"
        raise SeedError(message) from error
    if not latex.strip() or "\0" in latex:
        message = f"{name}: its text is empty, or holds NUL bytes"
        raise SeedError(message)


def make_task(seed: PrintedFormula) -> Task[FormulaSpec]:
    """The task of a formula."""
    start, original = {PICTURE: seed.picture, ANSWER: b""}, {ANSWER: seed.files[ANSWER]}
    knobs = Knobs()
    spec = FormulaSpec(
        task="",
        family=NAME,
        version=VERSION,
        operator=OPERATOR,
        **vars(knobs),
        editable=(ANSWER,),
        files={path: hashlib.sha256(data).hexdigest() for path, data in start.items()},
        verifier=verifier_digest(),
        initial={ANSWER: b""},
        original=original,
    )
    spec = replace(spec, task=identity(spec))
    task = Task(
        family=NAME,
        version=VERSION,
        seed=seed.name,
        operator=OPERATOR,
        category=_category(seed.latex),
        tier=1 + sum(len(tokens(seed.latex)) > most for most in TIERS),
        licence=seed.licence,
        redistributable=seed.redistributable,
        instruction=INSTRUCTION,
        start=start,
        solution=original,
        repair=(Replacement(ANSWER, 0, 0, original[ANSWER].decode()),),
        spec=spec,
        cases=(),
        diagnostic=f"{len(tokens(seed.latex))} tokens",
        medium="picture",
    )
    return replace(task, cases=make_cases(task))


def _category(latex: str) -> str:
    return next((name for name, *signs in KINDS if any(sign in latex for sign in signs)), "row")


def _make(seed: PrintedFormula, _salt: str, _store: Store) -> Iterator[Task[FormulaSpec]]:
    yield make_task(seed)


def _verify(spec: FormulaSpec, files: Files) -> Verdict:
    return verify(spec, Submission(files))


FAMILIES = {NAME: Family(NAME, VERSION, _make, _verify, make_cases, ("step",))}
"""The family by name. An agent in process has one action: to answer."""
