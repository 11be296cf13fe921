"""Section templates: plain text with typed placeholders, `{order_total:usd}`, `{item.qty:int>6}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from lattice_env.errors import TemplateError

SYNTAX = "a placeholder is {fact:format}, {fact:format<20} or {fact:format>12}"
ROW = re.compile(r"@([a-z][a-z0-9_]*) ")
"""How a line begins that is repeated for each member of a group."""
_SLOT = re.compile(r"\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?):([a-z]+)(?:([<>])([1-9]\d{0,2}))?\}")


@dataclass(frozen=True)
class Problem:
    """What is wrong at one place of a template, and the next step; line 1 and column 1 where it is the whole text."""

    line: int
    column: int
    what: str
    hint: str

    def error(self, where: str) -> TemplateError:
        """It as an error."""
        return TemplateError(f"{where}:{self.line}:{self.column}: {self.what}", hint=self.hint)


@dataclass(frozen=True)
class Slot:
    """One placeholder: a fact, the format in which it is shown, and how it is padded."""

    fact: str
    style: str
    align: str = ""
    width: int = 0
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class TemplateLine:
    """One line: text and placeholders in turn; `group` names the group that it is repeated for."""

    parts: tuple[str | Slot, ...]
    group: str = ""


@dataclass(frozen=True, eq=False)
class Template:
    """A section as it is written, before any value is known."""

    kind: str
    pool: str
    name: str
    lines: tuple[TemplateLine, ...]
    text: str = ""
    """The whole as it was written."""

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All placeholders, in order."""
        return tuple(part for line in self.lines for part in line.parts if isinstance(part, Slot))


def parse_template(text: str, where: str, *, kind: str = "", pool: str = "", name: str = "") -> Template:
    """The template in a text; TemplateError with `where`, line and column for a brace that opens no placeholder."""
    problem = next(syntax_problems(text), None)
    if problem:
        raise problem.error(where)
    return Template(kind, pool, name, tuple(_line(line, number) for number, line in numbered_lines(text)), text)


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """The lines of a template with their numbers; empty ones above and below it are not of it."""
    above = len(text) - len(text.lstrip("\n"))
    return list(enumerate(text.strip("\n").split("\n"), 1 + above))


def syntax_problems(text: str) -> Iterator[Problem]:
    """Every mark that is not ASCII, and every brace that belongs to no placeholder."""
    for number, line in numbered_lines(text):
        for place, mark in enumerate(line, 1):
            if not (mark.isascii() and mark.isprintable()):
                hint = "write it in printable ASCII: straight quotes, a plain hyphen, spaces for tabs"
                yield Problem(number, place, f"{mark!a} is not printable ASCII", hint)
        for place, literal in literals(line):
            for brace in re.finditer(r"[{}]", literal):
                yield Problem(number, place + brace.start(), "a brace that belongs to no placeholder", SYNTAX)


def literals(line: str) -> Iterator[tuple[int, str]]:
    """The stretches of a line outside placeholders, each with its first column."""
    row = ROW.match(line)
    start = row.end() if row else 0
    for found in _SLOT.finditer(line, start):
        yield start + 1, line[start : found.start()]
        start = found.end()
    yield start + 1, line[start:]


def _line(text: str, number: int) -> TemplateLine:
    text = text.rstrip()
    row = ROW.match(text)
    return TemplateLine(tuple(_parts(text, row.end() if row else 0, number)), row.group(1) if row else "")


def _parts(text: str, start: int, number: int) -> Iterator[str | Slot]:
    for found in _SLOT.finditer(text, start):
        if found.start() > start:
            yield text[start : found.start()]
        fact, style, align, width = found.groups()
        yield Slot(fact, style, align or "", int(width or 0), number, found.start() + 1)
        start = found.end()
    if start < len(text):
        yield text[start:]
