"""Reference pages made from the registries: `python3 -m lattice_env.reference` writes them, a test holds them to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lattice_env.families.paper import FAMILIES
from lattice_env.families.paper.operator import BUILD_REPAIR, Operator, operators

PAGE = Path("docs/reference/operators.md")

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


def main() -> None:
    """Write the page."""
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(operators_page(), "utf-8")


if __name__ == "__main__":
    main()
