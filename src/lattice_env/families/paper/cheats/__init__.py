"""The cheats against papers: one file each, found by its `CHEAT`; and the ways in which most of them are staged."""

from __future__ import annotations

import re
from collections.abc import Callable

from lattice_env.families.paper.cheat import Attack, Target
from lattice_env.verifier.latex import tokens
from lattice_env.verifier.redlines import FEWEST_LOST
from lattice_env.verifier.selftests import Replacement
from lattice_env.verifier.spec import BROKEN

Stage = Callable[[Target], Attack | None]

_WORD = re.compile(r"\\?[A-Za-z@]+\*?")


def right_name(target: Target) -> str:
    """The word of the original that stands where the first fault is."""
    place = target.place.start
    words = (match for match in _WORD.finditer(target.original.text) if match.start() <= place < match.end())
    return next((match[0] for match in words), "relax")


def on_building_paper(target: Target, *edits: Replacement, added: tuple[tuple[str, str], ...] = ()) -> Attack:
    """The attack, beside the real repair where the paper would not build without it."""
    repair = target.task.repair if target.task.family in BROKEN else ()
    return Attack((*repair, *edits), added)


def in_preamble(text: str) -> Stage:
    """Puts `text` before `\\begin{document}` of a paper that builds."""

    def stage(target: Target) -> Attack | None:
        edit = target.insert_in_preamble(text)
        return on_building_paper(target, edit) if edit else None

    return stage


def at_top(text: str) -> Stage:
    """Puts `text` on a line of its own at the top of the root of a paper that builds."""

    def stage(target: Target) -> Attack:
        return on_building_paper(target, Replacement(target.root.path, 0, 0, f"{text}\n"))

    return stage


def beside(*added: tuple[str, str]) -> Stage:
    """Puts files, as (path, text), beside a paper that builds."""

    def stage(target: Target) -> Attack:
        return on_building_paper(target, added=added)

    return stage


def defining(template: str) -> Stage:
    """Puts `template` into the preamble: `BROKEN` and `RIGHT` are names of commands, without their backslash."""

    def stage(target: Target) -> Attack | None:
        broken = next((name[1:] for name in target.task.spec.fault.names if name.startswith("\\")), "")
        right = right_name(target)
        if not broken or not right.startswith("\\"):
            return None
        edit = target.insert_in_preamble(template.replace("BROKEN", broken).replace("RIGHT", right[1:]))
        return Attack((edit,)) if edit else None

    return stage


def around_fault(before: str, after: str, *, preamble: str = "") -> Stage:
    """Puts `before` and `after` around the section with the fault, or else its paragraph, where text would be lost."""

    def stage(target: Target) -> Attack | None:
        if target.faulty.path.endswith(".bib"):
            return None
        path, (start, end) = target.faulty.path, target.section() or target.paragraph()
        words = [token for token in tokens(target.faulty.live[start:end]) if token[0].isalnum() or token[0] == "\\"]
        if start < target.faulty.body_start or len(words) < 3 * FEWEST_LOST:
            return None
        edits = [Replacement(path, start, start, before), Replacement(path, end, end, after)]
        if preamble:
            edit = target.insert_in_preamble(preamble)
            return Attack((edit, *edits)) if edit and (edit.file != path or edit.start < start) else None
        return Attack(tuple(edits))

    return stage
