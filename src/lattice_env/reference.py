"""Reference pages made from the registries: `python3 -m lattice_env.reference` writes them, a test holds them to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lattice_env.analysis.preferences.project import SCHEMAS
from lattice_env.families.doc_edit.baselines import FLOORS
from lattice_env.families.doc_edit.levels import LEVELS
from lattice_env.families.doc_edit.session import TOOLS
from lattice_env.families.paper import FAMILIES
from lattice_env.families.paper.operator import BUILD_REPAIR, Operator, operators
from lattice_env.sessions.schema import schema_page

PAGE = Path("docs/reference/operators.md")
LEVELS_PAGE = Path("docs/reference/doc-edit.md")

DOCMUT = (
    "TEX-BRC-DRP TEX-BRC-STR TEX-ENV-REN TEX-ENV-UNC TEX-MTH-DLR TEX-MTH-DSP TEX-CLS-DRP TEX-ITM-MSN TEX-PKG-DRP"
    " TEX-CMD-TRP TEX-ARG-DRP TEX-MTH-REL TEX-MTH-OPS TEX-ENV-SWP TEX-LBL-DUP TEX-REF-UDF TEX-LVL-SFT TEX-UNT-CHG"
    " TEX-FNT-SWP TEX-PKG-ORD TEX-FNT-SPEC TEX-SHL-ESC TEX-HYP-DRV TEX-GLS-UDF TEX-CSV-FMT"
).split()
"""DocMut's LaTeX operators, in its order."""

WITHOUT = {
    "TEX-PKG-ORD": "hyperref loaded first changes nothing that is printed; LAT-PKG-ORD moves cleveref instead",
    "TEX-FNT-SPEC": "no paper for pdfLaTeX loads fontspec; LAT-ENG-FNT adds it, which is the fault that is meant",
    "TEX-CSV-FMT": "the form that it injects compiles, and no seed reads a CSV file",
    "TEX-SHL-ESC": "it puts a block of foreign text into every paper alike",
    "TEX-GLS-UDF": "it puts a line of foreign text into every paper alike",
    "TEX-BRC-STR": "a group left open in the body is closed by TeX at the end, with a remark in the log",
    "TEX-MTH-DSP": "LAT-MTH-BLK and LAT-MTH-NST break displays; few papers use the plain brackets",
    "TEX-HYP-DRV": "its form is an undefined command in every paper",
    "TEX-LBL-DUP": "a copy beside the first shows nothing; LAT-REF-DUP puts it where it shows",
}
"""Why a code of DocMut has no operator here."""

_HEAD = """\
# Operators

Made from the registry by `python3 -m lattice_env.reference`. {count} operators in {families} families. Each lists
all of its places in a paper; the guard keeps a mutant only if the pinned build shows what is declared here.
Codes `TEX-*` are DocMut's, with its tiers.

"""


def operators_page() -> str:
    """The page of all operators, family by family, and what became of each of DocMut's."""
    found = operators()
    used = [name for name in FAMILIES if any(op.family == name for op in found.values())]
    parts = [_HEAD.format(count=len(found), families=len(used))]
    for family in used:
        parts.append(f"## {family}\n\n")
        parts += [_entry(operator) for operator in found.values() if operator.family == family]
    parts.append("## DocMut's codes without an operator\n\n")
    parts += [f"- `{code}`: {WITHOUT[code]}.\n" for code in DOCMUT if code not in found]
    return "".join(parts)


def _entry(operator: Operator) -> str:
    return "".join(_lines(operator))


def _lines(operator: Operator) -> Iterator[str]:
    yield f"### {operator.code}\n\n{operator.summary} Tier {operator.tier}; {operator.category}.\n\n"
    if operator.family == BUILD_REPAIR:
        yield f"First error: `{operator.diagnostic}`\n\n"
    else:
        yield f"Other than the original's: {', '.join(operator.changes)}\n\n"
    for name, text in (("before", operator.example.before), ("after", operator.example.after)):
        yield f"{name}\n````latex\n{text.rstrip()}\n````\n"
    yield "\n"


_ANNOTATIONS = """\
# Annotations

Made from the JSON schemas by `python3 -m lattice_env.reference`. What `lattice-env export-preferences` reads of a
project; the schemas themselves are in the package, in `lattice_env/analysis/preferences/schema/`.
"""


def annotations_page() -> str:
    """The page of the files that hold annotations and rounds, key by key."""
    parts = [_ANNOTATIONS]
    for name in ("annotations", "round"):
        schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
        parts.append(f"\n## `{schema['title']}`\n\n{schema['description']}\n")
        parts.append("\n| key | what | needed | |\n|---|---|---|---|\n")
        parts += _rows(schema, schema, "")
    return "".join(parts)


def _rows(schema: Mapping[str, Any], whole: Mapping[str, Any], prefix: str) -> Iterator[str]:
    """A row for each key of an object, then those of what it holds."""
    for name, given in schema["properties"].items():
        item = _resolved(given, whole)
        needed = "yes" if name in schema.get("required", ()) else ""
        yield f"| `{prefix}{name}` | {_kind(item, whole)} | {needed} | {item.get('description', '')} |\n"
        inner = _resolved(item.get("items", item), whole)
        if "properties" in inner:
            yield from _rows(inner, whole, f"{prefix}{name}{'[]' if 'items' in item else ''}.")


def _resolved(item: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**whole["$defs"][item["$ref"].rpartition("/")[2]], **item} if "$ref" in item else item


def _kind(item: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    """What a value may be, in a few words."""
    if "enum" in item or "const" in item:
        return ", ".join(f"`{json.dumps(value).strip(chr(34))}`" for value in item.get("enum", [item.get("const")]))
    if "items" in item:
        return f"list of {_kind(_resolved(item['items'], whole), whole)}"
    return "id" if "pattern" in item else item["type"]


_LEVELS_HEAD = """\
# Doc-edit: tools, levels, floors

Made from the registries by `python3 -m lattice_env.reference`.

"""


_LEVELS_KEY = """\
- hops: formulas between the changed fact and its farthest consequence; where a genre has no such fact, those that come
  nearest
- audited: wrong values in an audit; echoed: how many of them stand in echoes; lookalikes: how many are a decoy's value
"""


def levels_page() -> str:
    """The page of doc-edit's tools, of its levels, and of what baselines may earn on them."""
    return "".join([_LEVELS_HEAD, *_tool_lines(), *_level_lines(), *_floor_lines()])


def _tool_lines() -> Iterator[str]:
    yield "## Tools\n\n"
    for tool in TOOLS.values():
        yield f"- `{tool.name}({', '.join(tool.parameters)})`: {tool.summary}\n"


def _level_lines() -> Iterator[str]:
    yield "\n## Levels\n\n| level | what | fillers | appendices | hops | audited | echoed | lookalikes | turns |\n"
    yield f"|{'---|' * 9}\n"
    for level in LEVELS.values():
        ranges = (f"{low} to {high}" if low != high else str(low) for low, high in (level.hops, level.corrupted))
        cells = (level.name, level.summary, level.fillers, level.appendices, *ranges)
        shares = (f"{level.echoed} %", f"{level.lookalikes} %", level.max_turns)
        yield f"| {' | '.join(map(str, (*cells, *shares)))} |\n"
    yield f"\n{_LEVELS_KEY}"


def _floor_lines() -> Iterator[str]:
    yield "\n## Floors\n\nThe most that a baseline may earn; a task on which it earns more is not offered.\n\n"
    yield f"| baseline | {' | '.join(LEVELS)} |\n|{'---|' * (len(LEVELS) + 1)}\n"
    for name, floors in FLOORS.items():
        yield f"| {name} | {' | '.join(f'{floors[level]:g}' for level in LEVELS)} |\n"


PAGES: Mapping[Path, Callable[[], str]] = {
    PAGE: operators_page,
    LEVELS_PAGE: levels_page,
    Path("docs/reference/annotations.md"): annotations_page,
    Path("docs/reference/protocol.schema.json"): schema_page,
}
"""Every page, and what makes it."""


def main() -> None:
    """Write the pages."""
    for page, make in PAGES.items():
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(make(), "utf-8")


if __name__ == "__main__":
    main()
