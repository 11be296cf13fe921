"""From values to pages: which templates stand where, and for every line what it shows of which fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from lattice_env.keys import Choices
from lattice_env.seeds.documents.formats import Value, write_value
from lattice_env.seeds.documents.genre import BUILT_IN, HEADER, Genre
from lattice_env.seeds.documents.locale import Locale
from lattice_env.seeds.documents.templates import Slot, Template, TemplateLine

from .draws import Values, instance, members_of

PAGE_LINES = 34
"""Lines of a page, its header and the blank line below it included."""
KEEP = 4
"""A section whose heading would stand within the last lines of a page begins on the next."""

DIRECT, DERIVED, ECHO, PROTECTED, DECOY = "direct", "derived", "echo", "protected", "decoy"


class Mark(NamedTuple):  # a tuple: a document has hundreds
    """What a stretch of a line shows: the fact, in which format, and its part in the document."""

    start: int
    end: int
    fact: str
    style: str
    role: str
    """direct (drawn, at home), derived (computed, at home), echo, protected (never changes), decoy."""
    depth: int
    """The longest way from any drawn fact: 0 for what is drawn."""


class PlacedSlot(NamedTuple):
    """A placeholder whose fact is one fact of one document."""

    name: str
    """`order_total`, `item[2].qty`."""
    fact: str
    style: str
    align: str
    width: int


class PlacedLine(NamedTuple):
    """One line of a document before it has values."""

    text: str
    """The whole line, where it has no placeholder."""
    parts: tuple[str | PlacedSlot, ...] = ()
    echo: bool = False
    """Whether what it shows stands elsewhere too."""


BLANK = PlacedLine("")
Layout = tuple[tuple[PlacedLine, ...], ...]
"""Pages of placed lines: the same layout with other values is the same document, corrected."""


@dataclass(frozen=True)
class Document:
    """A rendered document: pages of lines, and for every line its marks."""

    pages: tuple[tuple[str, ...], ...]
    marks: tuple[tuple[tuple[Mark, ...], ...], ...]

    def files(self) -> dict[str, bytes]:
        """The pages as files by name."""
        return {page_name(number): ("\n".join(lines) + "\n").encode() for number, lines in enumerate(self.pages, 1)}


def page_name(number: int) -> str:
    """The file of a page."""
    return f"page-{number:02}.txt"


def make_layout(
    genre: Genre, values: Values, key: str, *, fillers: int, appendices: int, pools: Sequence[str]
) -> Layout:
    """Sections in the genre's order, a template for each from `pools`, flowed onto pages; keyed by `words`."""
    knobs = {"fillers": fillers, "appendices": appendices}
    top = Choices(key, "template", HEADER).choice(_pool(genre, HEADER, pools)).lines[0]
    header = (_placed(top, 0, echo=True), BLANK)
    pages = [[*header]]
    groups = {group: members_of(group, values) for group in genre.groups}
    for section in genre.sections:
        count = knobs[section.count] if isinstance(section.count, str) else section.count
        order = Choices(key, "template", section.kind).shuffled(_pool(genre, section.kind, pools))
        for number in range(count):
            template = order[number % len(order)]
            choices = Choices(key, "member", section.kind, str(number))
            spoken = tuple((group, len(members), choices.choice(members)) for group, members in groups.items())
            _flow(_expanded(template, spoken, section.echo), pages, header)
    return tuple(tuple(page) for page in pages)


def _pool(genre: Genre, kind: str, pools: Sequence[str]) -> list[Template]:
    return [template for template in genre.templates[kind] if template.pool in pools]


@lru_cache(4096)
def _expanded(template: Template, groups: tuple[tuple[str, int, int], ...], echo: bool) -> list[PlacedLine]:  # noqa: FBT001 - a key
    """The lines of a section, rows repeated; what else it says of a group, it says of one member.

    `groups` are (name, members, the member that is spoken of).
    """
    counts = {name: count for name, count, _ in groups}
    spoken = {name: member for name, _, member in groups}
    lines: list[PlacedLine] = []
    for line in template.lines:
        if line.group:
            lines += [_placed(line, index, echo=echo) for index in range(1, counts[line.group] + 1)]
        else:
            named = [part.fact.partition(".")[0] for part in line.parts if isinstance(part, Slot) and "." in part.fact]
            lines.append(_placed(line, spoken[named[0]] if named else 0, echo=echo))
    return lines


def _placed(line: TemplateLine, member: int, *, echo: bool) -> PlacedLine:
    if not any(isinstance(part, Slot) for part in line.parts):
        return PlacedLine("".join(map(str, line.parts)))
    parts = (
        PlacedSlot(instance(part.fact, member), part.fact, part.style, part.align, part.width)
        if isinstance(part, Slot)
        else part
        for part in line.parts
    )
    return PlacedLine("", tuple(parts), echo)


def _flow(lines: list[PlacedLine], pages: list[list[PlacedLine]], header: tuple[PlacedLine, ...]) -> None:
    """Set a section behind what stands there, a blank line between."""
    if len(pages[-1]) > len(header):
        pages[-1].append(BLANK)
        if len(pages[-1]) + KEEP > PAGE_LINES:
            pages[-1].pop()
            pages.append([*header])
    for line in lines:
        if len(pages[-1]) == PAGE_LINES:
            pages.append([*header])
            if line == BLANK:
                continue
        pages[-1].append(line)


def render(genre: Genre, locale: Locale, layout: Layout, values: Values) -> Document:
    """The document of a layout with these values: every page, and what each of its lines shows."""
    writer = Writer(genre, locale, values)
    pages: list[tuple[str, ...]] = []
    marks: list[tuple[tuple[Mark, ...], ...]] = []
    for number, page in enumerate(layout, 1):
        writer.turn_to(number, len(layout))
        written = [writer.write(line) for line in page]
        pages.append(tuple(text for text, _ in written))
        marks.append(tuple(shown for _, shown in written))
    return Document(tuple(pages), tuple(marks))


class Writer:
    """Writes lines with one set of values; what it has written once it does not write again."""

    def __init__(self, genre: Genre, locale: Locale, values: Values) -> None:
        self._locale, self._parts = locale, _parts_of(genre)
        self._values: dict[str, Value] = {**values, "rounding": genre.rounding}
        self._written: dict[tuple[str, str], str] = {}

    def turn_to(self, page: int, pages: int) -> None:
        """What page headers say from now on."""
        self._values |= {"page": page, "pages": pages}
        self._written.pop(("page", "int"), None)

    def write(self, line: PlacedLine) -> tuple[str, tuple[Mark, ...]]:
        """A line, and what it shows."""
        if not line.parts:
            return line.text, ()
        text, marks = "", list[Mark]()
        for part in line.parts:
            if isinstance(part, str):
                text += part
                continue
            name, fact, style, align, width = part
            shown = self._written.get((name, style)) or self.text_of(name, style)
            cell = shown.rjust(width) if align == ">" else shown.ljust(width)
            start = len(text) + (len(cell) - len(shown) if align == ">" else 0)
            text += cell
            marks.append(Mark(start, start + len(shown), name, style, *self._parts[fact, line.echo]))
        return text.rstrip(), tuple(marks)

    def text_of(self, name: str, style: str) -> str:
        """A value in a format."""
        shown = self._written[name, style] = write_value(self._values[name], style, self._locale)
        return shown


@cache
def _parts_of(genre: Genre) -> dict[tuple[str, bool], tuple[str, int]]:
    """The role that each fact has where it is shown, at home and in an echo, and its depth."""
    return {(name, echo): _part(genre, name, echo=echo) for name in (*BUILT_IN, *genre.facts) for echo in (False, True)}


def _part(genre: Genre, name: str, *, echo: bool) -> tuple[str, int]:
    if name in BUILT_IN:
        return PROTECTED, 0
    fact = genre.facts[name]
    if fact.decoy:
        return DECOY, 0
    if not fact.change and not fact.formula:
        return PROTECTED, 0
    role = ECHO if echo else DERIVED if fact.formula else DIRECT
    return role, max(far.get(name, 0) for far in genre.distances.values())
