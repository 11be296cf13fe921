"""From a commit that repaired a paper to a task: the child is the paper, the reverse of its diff the fault."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lattice_env.families.paper.make import task_of
from lattice_env.families.paper.operator import (
    MINED,
    Example,
    Mutation,
    Operator,
    Paper,
    mutate,
    operators,
    paper_of_seed,
)
from lattice_env.keys import Choices
from lattice_env.model import PaperSeed, Task
from lattice_env.verifier.build import build
from lattice_env.verifier.diagnostics import Diagnostic
from lattice_env.verifier.facts import Outcome
from lattice_env.verifier.latex import Document, decode
from lattice_env.verifier.selftests import Replacement
from lattice_env.verifier.spec import Spec
from lattice_env.verifier.store import Store
from lattice_env.verifier.toolchain import toolchain

from .candidates import SOURCES, Project, projects
from .history import History, Step
from .licence import Licence, licence_of
from .overlay import Overlay, mend
from .reduce import Edits, hunks, reduced, words_of

TIER = 2
"""Of a fault that no operator makes."""
_MOST_DECOYS = 8
_UNUSUAL = re.compile(
    r"\\(?:ensuremath|phantom|mbox|texorpdfstring|protect|hspace|vspace|kern|raisebox|smash|mathrm|mathop|xspace|noindent"
    r"|emph|textbf|textit|texttt|footnote|cite[pt]?|ref|eqref|citealt)\*?(?:\[[^\]\n]*\])*\{[^{}\n]{2,60}\}"
)
"""Constructs that may serve as a decoy: correct in the repaired paper, and short enough to be known by their text."""


@dataclass(frozen=True)
class Found:
    """What came of one commit: a task, or why there is none."""

    task: Task[Spec] | None
    reason: str
    hunks: int
    edit: str = ""
    """SHA-256 of the fault's texts, by which the same repair is known in another commit."""


def make_mined(history: History, step: Step, store: Store, *, private: bool) -> Found:
    """The task of a commit, from the first of its papers that gives one."""
    tree, found = history.tree(step.commit), Found(None, "no paper around the change", 0)
    for project in projects(history, step, tree):
        licence = licence_of(history, step.commit, tree, project.folder, private=private)
        if licence is None:
            return Found(None, "no licence that allows it", 0)
        found = _from_project(history, step, project, licence, store)
        if found.task:
            return found
    return found


def _from_project(history: History, step: Step, project: Project, licence: Licence, store: Store) -> Found:
    texts = {path: decode(project.files[path]) for path in project.before}
    edits = hunks(texts, project.before)
    if not store.outcome(mutate(project.files, Mutation(edits), step.commit), project.root).reason:
        return Found(None, "the paper built before the change", len(edits))
    mended = mend(project.files, project.root, store, words_of(edits, texts))
    if mended.reason:
        return Found(None, mended.reason, len(edits))
    seed = _seed(history, project, licence, mended.overlay)
    edits = shifted(edits, mended.overlay, project, seed)
    task, reason, edits = _from_seed(seed, step, edits, store)
    if task is None:
        return Found(None, reason, len(edits))
    texts = {path: decode(seed.files[path]) for path in project.before}
    digest = hashlib.sha256(json.dumps([[texts[e.file][e.start : e.end], e.new] for e in edits]).encode()).hexdigest()
    return Found(_with_provenance(task, history, step, licence, mended.overlay), "", len(edits), digest)


def _from_seed(seed: PaperSeed, step: Step, edits: Edits, store: Store) -> tuple[Task[Spec] | None, str, Edits]:
    """The task of the edits that matter, why there is none, and those edits."""

    def faulty(faults: Edits) -> Outcome:
        return store.outcome(mutate(seed.files, Mutation(faults), step.commit), seed.root)

    if not faulty(edits).reason:
        return None, "with the overlay the paper built before the change", edits
    texts = {path: decode(seed.files[path]) for path in seed.editable}
    edits = reduced(edits, texts, lambda faults: not faulty(faults).reason)
    outcome = faulty(edits)
    if outcome.reason not in ("tex", "bibliography") or not outcome.diagnostics:
        return None, "the hunks that matter are no fault by themselves", edits
    if build(seed.files, seed.root, toolchain()).pdf != build(seed.files, seed.root, toolchain()).pdf:
        return None, "the repaired paper does not build twice into the same bytes", edits
    operator, mutation = classify(seed, edits, outcome.diagnostics[0])
    task = task_of(seed, operator, mutation, step.commit, store)
    return task, "" if task else "no decoy is free", edits


def shifted(edits: Edits, overlay: Overlay, project: Project, seed: PaperSeed) -> Edits:
    """The edits where the overlay put a line's beginning into the root: offsets behind it move."""
    if not overlay.commands:
        return edits
    text, whole = decode(project.files[project.root]), decode(seed.files[project.root])
    place, shift = Document(project.root, text).code.index("\\documentclass"), len(whole) - len(text)

    def moved(edit: Replacement) -> Replacement:
        behind = edit.file == project.root and edit.start >= place
        return replace(edit, start=edit.start + shift, end=edit.end + shift) if behind else edit

    return tuple(map(moved, edits))


def _seed(history: History, project: Project, licence: Licence, overlay: Overlay) -> PaperSeed:
    files = overlay.put_on(project.files, project.root)
    if licence.text and "LICENSE" not in files:
        files = dict(sorted({**files, "LICENSE": licence.text}.items()))
    editable = tuple(path for path in project.files if path.endswith(SOURCES))
    code = "".join(Document(path, decode(files[path])).code for path in editable)
    biber = re.search(r"\\usepackage\s*(?:\[(?![^\]]*backend\s*=\s*bibtex)[^\]]*\])?\s*\{biblatex\}", code)
    return PaperSeed(
        name=f"mined-{re.sub(r'[^a-z0-9]+', '-', history.name.lower()).strip('-')}",
        title=history.name,
        root=project.root,
        engine="pdflatex",
        bibliography="biber" if biber else "bibtex",
        licence=licence.name,
        redistributable=licence.redistributable,
        editable=editable,
        decoys=_decoys(editable, files, project.root),
        files=files,
    )


def _decoys(editable: Sequence[str], files: dict[str, bytes], root: str) -> tuple[tuple[str, str], ...]:
    """Constructs of the body that stand there once, and that no repair needs to touch; keyed by the paper's text."""
    found: list[tuple[str, str]] = []
    for path in editable:
        document = Document(path, decode(files[path]))
        if path.endswith(".tex"):
            texts = dict.fromkeys(match[0] for match in _UNUSUAL.finditer(document.code, document.body_start))
            found += [(path, text) for text in texts if document.text.count(text) == 1]
    return tuple(Choices("decoys", root, *editable).shuffled(found)[:_MOST_DECOYS])


def classify(seed: PaperSeed, edits: Edits, first: Diagnostic) -> tuple[Operator, Mutation]:
    """The operator that makes exactly this fault, or one named after the first error; and the fault as its mutation."""
    start = mutate(seed.files, Mutation(edits), MINED)
    paper = paper_of_seed(seed)
    diagnostic = re.escape(first.message)
    for operator in operators().values():
        made = _same_fault(operator, paper, edits) if operator.diagnostic else None
        if made and _applies(seed, made, operator.code) == start:
            return replace(operator, family=MINED, diagnostic=diagnostic), made
    summary = "A fault from the history of a paper."
    code = f"GIT-{first.kind.upper()}"
    fallback = Operator(code, MINED, TIER, first.kind, summary, _no_sites, Example("", "", ""), diagnostic)
    return fallback, Mutation(edits, _broken_names(seed, edits))


def _no_sites(_paper: Paper) -> Iterator[Mutation]:
    return iter(())


def _same_fault(operator: Operator, paper: Paper, edits: Edits) -> Mutation | None:
    """All places of an operator that lie within the edits, as one fault."""
    inside = [
        site
        for site in operator.sites(paper)
        if all(any(e.file == s.file and e.start <= s.start and s.end <= e.end for e in edits) for s in site.edits)
    ]
    parts = [edit for site in inside for edit in site.edits]
    names = tuple(dict.fromkeys(name for site in inside for name in site.names))
    apart = all(a.file != b.file or a.end <= b.start for a, b in pairwise(parts))
    return Mutation(tuple(parts), names) if parts and apart else None


def _applies(seed: PaperSeed, mutation: Mutation, code: str) -> dict[str, bytes]:
    return mutate(seed.files, mutation, code)


def _broken_names(seed: PaperSeed, edits: Edits) -> tuple[str, ...]:
    """Control sequences that the fault brings in and that nothing in the repaired paper has."""
    known = {word for path in seed.editable for word in Document(path, decode(seed.files[path])).controls}
    words = (word for edit in edits for word in re.findall(r"\\[A-Za-z@]+", edit.new))
    return tuple(dict.fromkeys(word for word in words if word not in known))


def _with_provenance(task: Task[Spec], history: History, step: Step, licence: Licence, overlay: Overlay) -> Task[Spec]:
    return replace(
        task,
        provenance={
            "repository": history.source,
            "commit": step.commit,
            "parent": step.parent,
            "author": history.author(step.commit),
            "licence_rule": licence.rule,
            "public_history": "true" if licence.rule != "private" else "false",
            "overlay": "; ".join(overlay.record) or "none",
        },
    )
