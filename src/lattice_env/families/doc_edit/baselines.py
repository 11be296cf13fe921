"""Programs that edit without thinking, through the same tools: how much of a level can be had that way.

They are given what the instruction tells, and for corrupted documents more than that: the wrong texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from lattice_env.keys import Choices

from .changes import Change, forms_of
from .document import ECHO
from .draws import Values
from .oracle import play_oracle
from .session import Session

Baseline = Callable[[Session, Change], None]

RANDOM_EDITS = 6


def play_nop(session: Session, _change: Change) -> None:
    """Submit at once."""
    session.act("submit", {})


def play_random(session: Session, _change: Change) -> None:
    """Change a digit here and there."""
    choices = Choices("random", session.spec.task)
    for _ in range(RANDOM_EDITS):
        page = 1 + choices.below(len(session.spec.editable))
        words = [word for word in session.act("read_page", {"page": page}).text.split() if any(map(str.isdigit, word))]
        if words:
            word = choices.choice(words)
            new = re.sub(r"\d", lambda _: str(choices.below(10)), word)
            session.act("edit_text", {"page": page, "old_text": word, "new_text": new})
    session.act("submit", {})


def play_direct(session: Session, change: Change) -> None:
    """Put the new value where the old one stands as the instruction writes it; of wrong values, mend those at home."""
    if change.changed:
        old, new = (forms_of(change.ground, change.changed, values[change.changed])[0] for values in _values(change))
        _replace_all(session, [(old, new)])
    else:
        marks = change.after.marks
        at_home = [
            (wrong, right)
            for page, line, wrong, right in change.wrong
            if not any(mark.role == ECHO for mark in marks[page][line])
        ]
        _replace_all(session, at_home)
    session.act("submit", {})


def play_regex(session: Session, change: Change) -> None:
    """Put the new value for the old one in every format, wherever that stands."""
    if change.changed:
        old, new = (forms_of(change.ground, change.changed, values[change.changed]) for values in _values(change))
        _replace_all(session, zip(old, new, strict=True))
    else:
        _replace_all(session, [(wrong, right) for _, _, wrong, right in change.wrong])
    session.act("submit", {})


def play_blank(session: Session, _change: Change) -> None:
    """Empty every page."""
    for page in range(1, len(session.spec.editable) + 1):
        text = session.act("read_page", {"page": page}).text
        if text:
            session.act("edit_text", {"page": page, "old_text": text, "new_text": ""})
    session.act("submit", {})


def _values(change: Change) -> tuple[Values, Values]:
    return change.ground.values, change.values


_HIT = re.compile(r"page (\d+), line (\d+): (.*)")


def _replace_all(session: Session, pairs: Iterable[tuple[str, str]]) -> None:
    """Search, and replace in every line that is found, each as a whole line."""
    for old, new in dict.fromkeys(pairs):
        whole = re.compile(rf"(?<![\w.,]){re.escape(old)}(?!\w|[.,]\d)", re.IGNORECASE)
        for line in session.act("search_doc", {"query": old}).text.split("\n"):
            found = _HIT.match(line)
            if not found:
                continue
            text = found[3]
            better = whole.sub(lambda _, new=new: new, text)
            if better != text:
                arguments = {"page": int(found[1]), "old_text": text, "new_text": better}
                session.act("edit_text", arguments)


BASELINES: Mapping[str, Baseline] = {
    "nop": play_nop,
    "random": play_random,
    "direct-only": play_direct,
    "regex": play_regex,
    "blank": play_blank,
    "oracle": lambda session, _: play_oracle(session),
}
"""All baselines by name, from the least."""

_ALL = {"note": 1.0, "letter": 1.0, "file": 0.9, "binder": 0.8, "archive": 0.7}
FLOORS: Mapping[str, Mapping[str, float]] = {
    "direct-only": _ALL,
    "regex": _ALL,
    "random": dict.fromkeys(_ALL, 0.0),
    "blank": dict.fromkeys(_ALL, 0.0),
}
"""The most that a baseline may earn on a task of a level; a task on which it earns more is not offered."""
