"""Displays: blank lines in them, mathematics opened within them, displays that never end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from lattice_env.verifier.latex import Document

from .environments import block_end
from .paragraphs import Stretch, displays
from .scene import Change, Scene


def blank_line(scene: Scene) -> Iterator[Change]:
    """A blank line in a display."""
    for document in scene.documents.values():
        for body in displays(document):
            found = re.search(r"\n[ \t]*(?=\n)", document.text[body.start : body.end])
            if found and document.code[body.start : body.end].count("\n\n") <= 1:
                start = body.start + found.start()
                yield Change(document.path, ((start, body.start + found.end(), ""),), f"a blank line in {body.name}")


def nested(scene: Scene) -> Iterator[Change]:
    """Mathematics opened within a display: the inner marks go, or the outer ones where the rows are the inner's."""
    for document in scene.documents.values():
        for body in displays(document):
            yield from _nested_marks(document, body)
            yield from _nested_display(document, body)


def _nested_marks(document: Document, body: Stretch) -> Iterator[Change]:
    code = document.code[body.start : body.end]
    flat = re.sub(r"\\(?:text|mbox|intertext|textrm)\{[^{}]*\}", lambda match: " " * len(match[0]), code)
    for pattern in (r"(?<!\\)(\$)[^$]*(?<!\\)(\$)", r"(?<!\\)(\\\[[ \t]*).*?([ \t]*\\\])"):
        found = re.search(pattern, flat, re.DOTALL)
        if found:
            spans = tuple((body.start + found.start(n), body.start + found.end(n), "") for n in (1, 2))
            yield Change(document.path, spans, f"a formula is opened again within {body.name}")


def _nested_display(document: Document, body: Stretch) -> Iterator[Change]:
    code = document.code[body.start : body.end]
    inner = re.search(
        r"(?P<gap>\n?[ \t]*)\\begin\{(?P<name>(?:align|gather|equation|multline)\*?)\}(?P<after>[ \t]*\n?[ \t]*)", code
    )
    if not inner:
        return
    end = re.search(rf"[ \t]*\n?[ \t]*\\end\{{{re.escape(inner['name'])}\}}", code)
    if not end:
        return
    rows = code[inner.end() : end.start()]
    outer_begin = document.code.rfind("\\begin", 0, body.start)
    outer_end = body.end + len(f"\\end{{{body.name}}}")
    if "\\\\" in rows or "&" in rows:
        whole = (outer_begin, body.start + len(inner["gap"]), ""), (body.start + end.end(), outer_end, "")
        if not code[: inner.start()].strip() and not code[end.end() :].strip():
            yield Change(document.path, whole, f"{inner['name']} needs no {body.name} around it")
    else:
        start = body.start + inner.start() + len(inner["gap"])
        splices = ((start, body.start + inner.end(), ""), (body.start + end.start(), body.start + end.end(), ""))
        yield Change(document.path, splices, f"{inner['name']} stands within {body.name} and has one row")


def lone_tab(scene: Scene) -> Iterator[Change]:
    """An `&` in a display of one row."""
    document, stop = scene.here, scene.stopped()
    if document is None or stop is None or document.text[stop - 1 : stop] != "&":
        return
    if any(body.start <= stop <= body.end and body.name.rstrip("*") == "equation" for body in displays(document)):
        code = document.code[scene.line_start(document, scene.failure.line) :]
        if "aligned" not in code.split("\\end{equation")[0]:
            yield Change(document.path, ((stop - 1, stop, ""),), "an equation has no columns")


def unclosed_display(scene: Scene) -> Iterator[Change]:
    """A `\\[` without its `\\]`: closed on a line of its own where its indented block ends."""
    document = scene.here
    if document is None:
        return
    flat = re.sub(r"\\\\", "  ", document.code)
    marks = list(re.finditer(r"\\([\[\]])", flat))
    for one, two in zip_longest(marks, marks[1:]):
        if one[1] == "[" and (two is None or two[1] == "["):
            target = block_end(document, one.start())
            if target is not None:
                pad = " " * (one.start() - document.line_span(one.start())[0])
                yield Change(document.path, ((target, target, f"{pad}\\]\n"),), "a display is not closed")
            return
