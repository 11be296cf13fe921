"""What the agent is told: what has changed or what holds, the rules, and how it gets at the pages."""

from __future__ import annotations

from textwrap import fill

from lattice_env.seeds.documents.formats import FORMATS, write_value
from lattice_env.seeds.documents.genre import Genre
from lattice_env.seeds.documents.templates import Slot

from .changes import Change
from .draws import fact_of, index_of, instance

WIDE = 116
"""Columns of an instruction."""

_UPDATE = """\
In this {title}, {label} has changed: it was {old}; it is now {new}.

Bring the whole document up to date: every place that states this value, and every value that is computed from it,
each in the format that its place has. Leave everything else as it is: what belongs to earlier or superseded papers,
to other parties or to other matters stays, also where it looks the same.
{rounding}"""
_AUDIT = """\
In this {title}, between one and three stated values do not agree with what they are computed from.

{inputs}
Find the values that disagree with them, and correct each in the format that its place has. Leave everything else as it
is: what belongs to earlier or superseded papers, to other parties or to other matters stays.
{rounding}"""
_FILES = """\
The document is {pages} pages of plain text: `/app/page-01.txt` and so on, one file a page. Edit them in place. Change
no line that need not change, and add no page; other files are ignored. There is no network. Your work is what stands
in `/app` when you end; a program compares it line by line. A right line counts where it belongs; each other line that
is changed, added or lost costs.
"""
_TOOLS = """\
The document has {pages} pages of plain text, which you reach through four tools only: search_doc(query) finds text on
all pages, at most 12 hits; read_page(page) shows one page; edit_text(page, old_text, new_text) replaces text that must
stand there exactly and once; submit() ends. One tool a turn; there are {turns} turns, and every call costs one. A
program compares the document line by line. A right line counts where it belongs; each other line that is changed,
added or lost costs. Submit when you are done.
"""


def write_request(change: Change) -> str:
    """What is asked, without a word on how the pages are reached."""
    ground = change.ground
    genre = ground.genre
    if not change.changed:
        inputs = ", ".join(dict.fromkeys(_general_label(genre, name) for name in _inputs(genre)))
        inputs = fill(f"These are right wherever they stand: {inputs}.", WIDE)
        return _AUDIT.format(title=genre.title, inputs=inputs, rounding=genre.rounding)
    name = change.changed
    style = FORMATS[genre.facts[fact_of(name)].type][0]
    old, new = (write_value(values[name], style, ground.locale) for values in (ground.values, change.values))
    return _UPDATE.format(title=genre.title, label=_label(change, name), old=old, new=new, rounding=genre.rounding)


def write_instruction(request: str, pages: int) -> str:
    """`instruction.md`: the request, and where the pages lie as files."""
    return f"{request}\n\n{_FILES.format(pages=pages)}"


def write_prompt(request: str, pages: int, max_turns: int) -> str:
    """What an agent with the four tools is told: the request, and what the tools do."""
    return f"{request}\n\n{_TOOLS.format(pages=pages, turns=max_turns)}"


def _inputs(genre: Genre) -> list[str]:
    """The drawn facts that something is computed from."""
    return [name for name, fact in genre.facts.items() if not fact.formula and len(genre.distances[name]) > 1]


def _label(change: Change, name: str) -> str:
    """A fact as its genre calls it, with the values of its placeholders."""
    ground = change.ground
    parts = ground.genre.facts[fact_of(name)].label.lines[0].parts
    return "".join(
        write_value(ground.values[instance(part.fact, index_of(name))], part.style, ground.locale)
        if isinstance(part, Slot)
        else part
        for part in parts
    )


def _general_label(genre: Genre, name: str) -> str:
    """A fact as its genre calls it, for all members of its group at once."""
    fact = genre.facts[name]
    first = fact.label.lines[0].parts[0]
    text = first if isinstance(first, str) else name
    return f"{text.removesuffix(' of ').removesuffix(' for ').strip()} of each {fact.group}" if fact.group else text
