"""The four canonical objects of a built paper, and all else that judging needs of a build.

An honest rewording changes none of the four, and none can be had by deleting a reference:
labels (label → kind, printed number, caption or title), links (destinations in page order),
citations (keys in order) and entries (the bibliography as a multiset).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from . import pdf
from .build import Built, job_name
from .diagnostics import Diagnostic
from .latex import group_end
from .sandbox import BUILD
from .toolchain import Toolchain

_GONE = re.compile(r"(?:Reference|Citation) [`']([^']+)'.* undefined")
_CITATION = re.compile(r"\\(?:citation\{|abx@aux@cite\{(?:\d+\}\{)?)([^{}]*)\}")
_BIBCITE = re.compile(r"\\bibcite\{[^\n]*")
_LABEL = re.compile(r"\\newlabel\{([^{}]+)\}")


@dataclass(frozen=True)
class Outcome:
    """What one build comes down to: small, comparable, and kept by content."""

    reason: str
    """Empty, or why the build failed."""
    pdf_digest: str = ""
    pages: int = 0
    text: str = ""
    linked: bool = False
    """Whether the paper loads hyperref, so that `links` say something."""
    labels: tuple[tuple[str, str, str, str], ...] = ()
    """(label, kind, printed number, caption or title), sorted by label."""
    links: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    """Keys that LaTeX found undefined."""
    foreign: tuple[str, ...] = ()
    """Files that were read from neither the paper nor TeX's trees."""
    diagnostics: tuple[Diagnostic, ...] = ()

    def to_json(self) -> str:
        """The outcome as canonical JSON."""
        return json.dumps(asdict(self), sort_keys=True)


def read_outcome(text: str) -> Outcome:
    """The outcome that `to_json` wrote; ValueError, TypeError or KeyError on any other text."""
    fields = json.loads(text)
    for name in ("links", "citations", "entries", "undefined", "foreign"):
        fields[name] = tuple(fields[name])
    fields["labels"] = tuple((a, b, c, d) for a, b, c, d in fields["labels"])
    fields["diagnostics"] = tuple(Diagnostic(**item) for item in fields["diagnostics"])
    return Outcome(**fields)


def read_facts(built: Built, root: str, tools: Toolchain, *, probe: str = "") -> Outcome:
    """The facts of a build, read from its PDF and products."""
    if built.reason:
        return Outcome(built.reason, diagnostics=built.diagnostics)
    job = job_name(root, probe)
    try:
        objects = pdf.read_objects(built.pdf)
        page_count, links = len(pdf.pages(objects)), tuple(pdf.link_targets(objects))
    except (ValueError, RecursionError):
        return Outcome("no-pdf", diagnostics=built.diagnostics)
    aux = "".join(_aux_text(built.products, f"{job}.aux", frozenset()))
    inputs = _inputs(built.products.get(f"{job}.fls", ""))
    return Outcome(
        reason="",
        pdf_digest=hashlib.sha256(built.pdf).hexdigest(),
        pages=page_count,
        text=built.text,
        linked=any(path.endswith("/hyperref.sty") for path in inputs),
        labels=tuple(sorted(_labels(aux))),
        links=links,
        citations=tuple(key.strip() for keys in _CITATION.findall(aux) for key in keys.split(",")),
        entries=tuple(sorted(_entries(built.products.get(f"{job}.bbl", "")))) or tuple(_BIBCITE.findall(aux)),
        undefined=tuple(sorted(set(_GONE.findall(built.products.get(f"{job}.log", ""))))),
        foreign=tuple(sorted(path for path in set(inputs) if not _is_lawful(path, tools))),
        diagnostics=built.diagnostics,
    )


def _aux_text(products: Mapping[str, str], path: str, above: frozenset[str]) -> Iterator[str]:
    """The text of an `.aux` with those that it reads put in their places."""
    for line in products.get(path, "").splitlines(keepends=True):
        inner = re.match(r"\\@input\{([^{}]+)\}", line)
        if inner and inner[1] not in above:
            yield from _aux_text(products, inner[1], above | {path})
        else:
            yield line


def _labels(aux: str) -> Iterator[tuple[str, str, str, str]]:
    """(label, kind, number, title) of each `\\newlabel`, whose value is two groups or five."""
    for match in _LABEL.finditer(aux):
        groups = _groups(aux, match.end())
        if not groups:
            continue
        inner = list(_all_groups(groups))
        if match[1].endswith("@cref"):
            yield match[1], "cref", inner[0] if inner else "", ""
        elif inner:
            title, anchor = (inner[2], inner[3]) if len(inner) > 3 else ("", "")  # noqa: PLR2004
            yield match[1], anchor.split(".")[0], inner[0], " ".join(title.split())


def _groups(text: str, start: int) -> str:
    """What the brace group at `start` holds; empty where there is none."""
    end = group_end(text[start : start + 20_000], 0) if text[start : start + 1] == "{" else None
    return text[start + 1 : start + end - 1] if end else ""


def _all_groups(text: str) -> Iterator[str]:
    position = 0
    while position < len(text) and text[position] == "{":
        end = group_end(text, position)
        if end is None:
            return
        yield text[position + 1 : end - 1]
        position = end


def _entries(bbl: str) -> Iterator[str]:
    """Each entry of a `.bbl`, of BibTeX (`\\bibitem`) or of biber (`\\entry … \\endentry`)."""
    for body in re.findall(r"\\bibitem.*?(?=\\bibitem|\\end\{thebibliography\}|\Z)", bbl, re.DOTALL):
        yield " ".join(body.split())
    for body in re.findall(r"\\entry\{.*?\\endentry", bbl, re.DOTALL):
        yield " ".join(body.split())


def _inputs(fls: str) -> list[str]:
    return [line[6:] for line in fls.splitlines() if line.startswith("INPUT ")]


def _is_lawful(path: str, tools: Toolchain) -> bool:
    """Whether a build may read `path`: in its own tree, or in TeX's."""
    if ".." in path.split("/"):
        return False
    roots = (BUILD, *tools.trees, tools.formats, *tools.configs.split(":"))
    return not path.startswith("/") or path.startswith(tuple(f"{root}/" for root in roots)) or _own(path)


def _own(path: str) -> bool:
    """Whether `path` is a build's own folder outside bubblewrap, where it has no fixed name."""
    return bool(re.match(r"/(?:[^/]+/)*lattice-[a-z0-9_]{8}/tree/", path))
