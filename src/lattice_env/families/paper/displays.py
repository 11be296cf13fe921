"""Numbered displays and their rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.verifier.latex import Document, Environment, environments

from .places import body
from .references import KINDS

_ROW = re.compile(r"\\\\|\\(begin|end)(?![A-Za-z@])|\\.|[{}]", re.DOTALL)
SINGLE = ("equation", "multline")
"""Displays that have one number, however many lines."""


def displays(document: Document) -> Iterator[Environment]:
    """Every numbered display of a body, in order."""
    for environment in environments(body(document)):
        if KINDS.get(environment.name) == "equation":
            yield environment


def rows(code: str, display: Environment) -> Iterator[tuple[int, int]]:
    """From and to of each row that can have a number; a `\\\\` in braces or an inner environment ends none."""
    depth, start = 0, display.body
    for match in _ROW.finditer(code, display.body, display.body_end if display.name not in SINGLE else display.body):
        if match[0] == "{" or match[1] == "begin":
            depth += 1
        elif match[0] == "}" or match[1] == "end":
            depth -= 1
        elif match[0] == r"\\" and depth == 0:
            yield start, match.start()
            start = match.end()
    yield start, display.body_end
