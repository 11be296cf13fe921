"""What the model is told: the rules, the genre's facts, an example, and what was wrong with its last try."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lattice_env.seeds.documents.checks import MOST_COLUMNS, MOST_LINES
from lattice_env.seeds.documents.facts import Fact
from lattice_env.seeds.documents.formats import FORMATS
from lattice_env.seeds.documents.genre import HEADER, Genre, matches
from lattice_env.seeds.documents.templates import Problem, Slot, Template

from .chat import Message

MOST_SHOWN = 12
"""Headings of known sections that the model is told to keep away from."""
_FENCE = re.compile(r"```[a-z]*\n(.*?)```", re.DOTALL)

_RULES = f"""\
You write section templates for business documents. A template is plain ASCII text with hard line breaks; its values
stand in placeholders {{fact:format}}, or {{fact:format<20}} and {{fact:format>12}} padded for tables.

- The first line is a heading in capitals; the second is blank. At most {MOST_LINES} lines, none over {MOST_COLUMNS} \
columns with its values.
- No digits and no number words outside placeholders; no currency signs or names. Every value is a placeholder.
- Facts of a group (group.name): a line that begins with `@group ` is repeated for each member; in other lines all
  such facts speak of one member. One line, one group.
- Facts marked decoy belong to other matters: the prose must say so (superseded, another party's, an older paper).
- Natural, varied business English. Two facts side by side must be true whatever their values are.
- Answer with the template alone, between ``` and ```.
"""


def first_messages(genre: Genre, kind: str, known: Sequence[str]) -> Iterator[Message]:
    """The rules, and what is asked for; `known` are the sections that there are."""
    yield {"role": "system", "content": _RULES}
    section = next((item for item in genre.sections if item.kind == kind), None)
    forbids = section.forbids if section else ()
    facts = [fact for fact in genre.facts.values() if not any(matches(fact.name, pattern) for pattern in forbids)]
    parts = [
        f"Write one section of kind {kind} for a {genre.title}.",
        "Facts: name (formats): what it is\n" + "\n".join(map(_fact_line, facts)),
        f"rounding (text): the rule of rounding, a sentence: {genre.rounding}",
    ]
    if kind == HEADER:
        parts.append("It is one line without heading, printed on every page; it may show {page:int} and {pages:int}.")
    if section and section.requires:
        parts.append(f"It must show: {', '.join(section.requires)}.")
    if section and not section.requires:
        parts.append("Show a few facts, not all.")
    if known:
        headings = ", ".join(text.strip().split("\n")[0] for text in known[-MOST_SHOWN:])
        parts.append(f"An example of the kind:\n```\n{known[0].strip()}\n```")
        parts.append(f"Write about something else than these: {headings}.")
    yield {"role": "user", "content": "\n\n".join(parts)}


def read_reply(reply: str) -> str:
    """The template in what the model said: what is fenced, else all of it; no blanks at line ends, one newline last."""
    fenced = _FENCE.search(reply)
    lines = (fenced[1] if fenced else reply).strip("\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def review(problems: Sequence[Problem]) -> str:
    """The findings as the model is told them."""
    lines = [f"line {each.line}, column {each.column}: {each.what}; {each.hint}" for each in problems]
    return "\n".join(["These are wrong. Answer with the whole template, corrected:", *lines])


def _fact_line(fact: Fact) -> str:
    formats = ", ".join(FORMATS[fact.type])
    return f"{fact.name} ({formats}): {_label(fact.label)}{', a decoy' if fact.decoy else ''}"


def _label(label: Template) -> str:
    return "".join(f"({part.fact})" if isinstance(part, Slot) else part for part in label.lines[0].parts)
