"""Section templates: plain text with typed placeholders, `{order_total:usd}`, `{item.qty:int>6}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from lattice_env.errors import TemplateError

ROW = re.compile(r"@([a-z][a-z0-9_]*) ")
"""How a line begins that is repeated for each member of a group."""
_SLOT = re.compile(r"\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?):([a-z]+)(?:([<>])([1-9]\d{0,2}))?\}")


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

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All placeholders, in order."""
        return tuple(part for line in self.lines for part in line.parts if isinstance(part, Slot))


def parse_template(text: str, where: str, *, kind: str = "", pool: str = "", name: str = "") -> Template:
    """The template in a text; TemplateError with `where`, line and column for a brace that opens no placeholder."""
    if not text.isascii():
        line = next(number for number, line in enumerate(text.split("\n"), 1) if not line.isascii())
        message = f"{where}:{line}: not ASCII"
        raise TemplateError(message)
    lines = text.strip("\n").split("\n")
    return Template(kind, pool, name, tuple(_line(line, number, where) for number, line in enumerate(lines, 1)))


def _line(text: str, number: int, where: str) -> TemplateLine:
    text = text.rstrip()
    row = ROW.match(text)
    start = row.end() if row else 0
    return TemplateLine(tuple(_parts(text, start, number, where)), row.group(1) if row else "")


def _parts(text: str, start: int, number: int, where: str) -> Iterator[str | Slot]:
    for found in _SLOT.finditer(text, start):
        yield from _literal(text, start, found.start(), number, where)
        fact, style, align, width = found.groups()
        yield Slot(fact, style, align or "", int(width or 0), number, found.start() + 1)
        start = found.end()
    yield from _literal(text, start, len(text), number, where)


def _literal(text: str, start: int, end: int, number: int, where: str) -> Iterator[str]:
    literal = text[start:end]
    brace = re.search(r"[{}]", literal)
    if brace:
        message = f"{where}:{number}:{start + brace.start() + 1}: a brace that belongs to no placeholder"
        raise TemplateError(message, hint="a placeholder is {fact:format}, {fact:format<20} or {fact:format>12}")
    if literal:
        yield literal
