"""A doc-edit task for the eye: before and after side by side, sites and decoys marked."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lattice_env.verifier.edit_spec import EditSpec, lines_of

_SITE, _DECOY, _FACTS = "bold green", "yellow", "cyan"


def show_document(name: str, spec: EditSpec, console: Console) -> None:
    """The request, then every page: each line that changes in two columns, each decoy in its colour."""
    console.print(Text(f"{name}: {spec.operator}, {spec.genre}, {spec.locale}, {spec.level}"), soft_wrap=True)
    console.print(Text(spec.request), soft_wrap=True)
    for page in spec.editable:
        table = Table("", "before", "after", "", title=page, show_lines=False, pad_edge=False)
        for row in _rows(spec, page):
            table.add_row(*row)
        console.print(table)


def _rows(spec: EditSpec, page: str) -> Iterator[tuple[Text, ...]]:
    sites = {site.line: site for site in spec.sites if site.page == page}
    decoys: dict[int, list[str]] = {}
    for decoy in spec.decoys:
        if decoy.page == page:
            decoys.setdefault(decoy.line, []).append(decoy.text)
    lines = zip(lines_of(spec.initial[page]), lines_of(spec.original[page]), strict=True)
    for number, (before, after) in enumerate(lines, 1):
        site = sites.get(number)
        shown = [Text(before), Text(after if site else "")]
        for text in shown:
            text.highlight_words(decoys.get(number, ()), _DECOY)
        facts = " ".join(f"{value.fact}:{value.style}:{value.hop}" for value in site.shows) if site else ""
        if site:
            shown = [Text(before, "red"), Text(after, _SITE)]
        yield Text(str(number)), *shown, Text(facts, _FACTS)
