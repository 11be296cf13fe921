"""The policy `rules`: repairs that can be settled without guessing; where two are possible, none is made."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.agents.repair.edits import Edit, edit_between
from lattice_env.agents.repair.guard import check_edit
from lattice_env.agents.repair.policy import GiveUp, Situation
from lattice_env.verifier.latex import decode

from . import (
    bibliography,
    braces,
    characters,
    commands,
    delimiters,
    displays,
    environments,
    files,
    lists,
    mathematics,
    preamble,
    tables,
)
from .scene import Change, Rule, Scene, spliced

RULES: dict[str, tuple[Rule, ...]] = {
    "missing-package": (files.package,),
    "missing-figure": (files.figure,),
    "missing-file": (files.source, files.figure),
    "encoding": (characters.unicode_symbol,),
    "undefined-command": (
        commands.backslash_in_path,
        characters.verbatim_argument,
        commands.late_package,
        commands.misspelt,
        commands.missing_package,
    ),
    "environment": (
        environments.lost_brace,
        environments.undefined,
        commands.missing_package,
        environments.algorithm_blocks,
        environments.nesting,
        displays.nested,
        mathematics.unclosed_inline,
        displays.unclosed_display,
        environments.verbatim_end,
        braces.missing_opening,
        braces.extra_closing,
        mathematics.odd_dollar,
    ),
    "missing-item": (environments.nesting, lists.item_outside, lists.first_item),
    "missing-math": (
        mathematics.text_font,
        delimiters.limits,
        environments.nesting,
        characters.verbatim_argument,
        displays.blank_line,
        displays.nested,
        delimiters.left_right,
        braces.extra_closing,
        braces.missing_opening,
        mathematics.unclosed_inline,
        displays.unclosed_display,
        mathematics.odd_dollar,
        mathematics.bare_script,
        braces.unclosed,
        bibliography.characters,
    ),
    "alignment": (
        environments.nesting,
        displays.lone_tab,
        tables.column_letter,
        tables.before_span,
        tables.rows,
        tables.row_end,
        tables.rule_outside,
        mathematics.primitive,
        characters.special,
        bibliography.characters,
    ),
    "script": (delimiters.double_script,),
    "definition": (preamble.parameter_count, preamble.definition, characters.special, bibliography.characters),
    "braces": (
        environments.lost_brace,
        environments.verbatim_end,
        environments.nesting,
        braces.option_bracket,
        braces.extra_closing,
        braces.missing_opening,
        braces.unclosed,
        displays.blank_line,
        delimiters.left_right,
        bibliography.characters,
    ),
    "option-clash": (preamble.loaded_twice,),
    "option": (
        files.language,
        braces.option_bracket,
        preamble.float_option,
        preamble.option,
        preamble.unknown_option,
        preamble.dimension,
    ),
    "dimension": (braces.option_bracket, preamble.dimension),
    "preamble": (
        preamble.package_order,
        preamble.package_place,
        preamble.bare_command,
        environments.start_of_document,
    ),
    "conditional": (lists.conditional, mathematics.primitive),
    "verbatim": (characters.unclosed_verb, characters.verbatim_argument),
    "special-character": (characters.special, bibliography.characters),
    "bibliography": (
        files.bibliography,
        bibliography.second,
        bibliography.letter_case,
        bibliography.repeated,
        bibliography.syntax,
    ),
    "semantic": (preamble.title, lists.caption, lists.line_end, lists.semicolon),
    "unknown": (environments.lost_brace, environments.nesting),
    "cut-short": (environments.verbatim_end, environments.end_of_document, environments.nesting, braces.unclosed),
}
"""What is tried for each class of failure, in this order."""


def rules(situation: Situation) -> Edit | GiveUp:
    """The edit of the first rule that settles the failure and passes the guard; a refused one is not tried again."""
    scene = Scene(situation)
    refused = {edit for edit, _ in situation.refused}
    for change in _changes(scene):
        edit = _edit(situation, change)
        if edit and edit not in refused and check_edit(situation.files, edit) is None:
            return edit
    return GiveUp(f"no rule settles {situation.failure.kind} without a guess")


def _changes(scene: Scene) -> Iterator[Change]:
    for rule in RULES.get(scene.failure.kind, ()):
        yield from rule(scene)


def _edit(situation: Situation, change: Change) -> Edit | None:
    text = decode(situation.files[change.file])
    new = spliced(text, change.splices)
    return edit_between(situation.files, change.file, new, change.why) if new != text else None
