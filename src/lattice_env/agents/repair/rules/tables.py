"""Tables: rows with too many cells or no end, rules outside, letters that name no column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from lattice_env.verifier.latex import Document, group_end

from .paragraphs import blank_verbs
from .scene import Change, Scene

_BEGIN = re.compile(r"\\begin\{(tabular[x*]?|longtable|array)\}(?:\[[^\]]*\])?")
_SPAN = re.compile(r"\\multicolumn\s*\{(\d+)\}")
_RULE = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|cmidrule(?:\([^)]*\))?\{[^}]*\}|cline\{[^}]*\}|addlinespace(?:\[[^\]]*\])?)"
)
_COLUMN = re.compile(r"[lcrXS](?:\[[^\]]*\])?|[pmb]\{[^{}]*\}")


@dataclass(frozen=True)
class Table:
    """One table: its columns' specification, and its rows."""

    spec: tuple[int, int]
    body: tuple[int, int]
    columns: tuple[str, ...]
    rows: tuple[tuple[int, int], ...]


def tables(document: Document) -> Iterator[Table]:
    """All tables of a source whose specification can be read."""
    for match in _BEGIN.finditer(document.code):
        start = match.end()
        if match[1] in ("tabularx", "tabular*"):
            start = group_end(document.code, start) or start
        end = group_end(document.code, start) if document.code[start : start + 1] == "{" else None
        close = document.code.find(rf"\end{{{match[1]}}}", end or start)
        if end is None or close < 0:
            continue
        spec = re.sub(r"[@!><]\{[^{}]*\}", "", document.code[start + 1 : end - 1])
        yield Table(
            (start + 1, end - 1), (end, close), tuple(_COLUMN.findall(spec)), tuple(_rows(document.code, end, close))
        )


def _rows(code: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    for match in re.compile(r"\\\\").finditer(code, start, end):
        yield position, match.start()
        position = match.end()
    if code[position:end].strip():
        yield position, end


def cells(code: str) -> int:
    """How many columns a row takes."""
    flat = blank_verbs(_RULE.sub("", code))
    return flat.count("&") + 1 + sum(int(span) - 1 for span in _SPAN.findall(code))


def rows(scene: Scene) -> Iterator[Change]:
    """A row with more cells than the table has columns, or a table with fewer columns than its rows have cells."""
    document = scene.here
    if document is None or "Extra alignment tab" not in scene.failure.message:
        return
    stop = scene.line_start(document, scene.failure.line)
    for table in tables(document):
        if not table.body[0] <= stop + 200 or not stop <= table.body[1]:
            continue
        full = [row for row in table.rows if _RULE.sub("", document.code[slice(*row)]).strip()]
        counts = Counter(cells(document.code[slice(*row)]) for row in full)
        width = len(table.columns)
        if len(full) > 1 and counts[width + 1] > len(full) / 2 and counts[width + 1] > counts[width]:
            yield from _widened(document, table)
        for row in full:
            if cells(document.code[slice(*row)]) > width:
                yield from _narrowed(document, row, width)


def _widened(document: Document, table: Table) -> Iterator[Change]:
    """One column more of the kind that all but the first have."""
    kinds = Counter(table.columns[1:])
    if len(kinds) == 1 or (kinds and kinds.most_common(1)[0][1] >= len(table.columns) - 2 and len(kinds) <= 2):  # noqa: PLR2004 - the rest
        kind, at = kinds.most_common(1)[0][0], table.spec[1]
        yield Change(document.path, ((at, at, kind),), "the rows have one cell more than the table has columns")


def _narrowed(document: Document, row: tuple[int, int], width: int) -> Iterator[Change]:
    code = document.code[slice(*row)]
    lines = [line for line in code.split("\n") if _RULE.sub("", line).strip()]
    if len(lines) == 2 and all(cells(line) == width for line in lines):  # noqa: PLR2004 - two rows in one
        at = row[0] + code.index(lines[0]) + len(lines[0].rstrip())
        yield Change(document.path, ((at, at, " \\\\"),), "two rows have no end between them")
        return
    if cells(code) != width + 1:
        return
    empty = list(re.finditer(r"&[ \t]*(?=&|\s*$)", code))
    spans = [match for match in _SPAN.finditer(code) if int(match[1]) > 1]
    rules = [
        tuple(map(int, pair))
        for pair in re.findall(r"\\cmidrule(?:\([^)]*\))?\{(\d+)-(\d+)\}", document.code[row[1] : row[1] + 120])
    ]
    if spans and (wrong := _wrong_span(code, spans, rules)):
        at = row[0] + wrong.start(1)
        yield Change(
            document.path, ((at, at + len(wrong[1]), str(int(wrong[1]) - 1)),), "a cell spans a column too many"
        )
    elif empty:
        last = empty[-1]
        yield Change(document.path, ((row[0] + last.start(), row[0] + last.end(), ""),), "an empty cell too many")


def _wrong_span(code: str, spans: list[re.Match[str]], rules: list[tuple[int, ...]]) -> re.Match[str] | None:
    """The span that the rules under the row contradict; the only one there is, where there are no rules."""
    column = 1
    found: list[re.Match[str]] = []
    starts = {rule[0]: rule[1] for rule in rules}
    for cell in re.split(r"(?<!\\)&", code):
        span = _SPAN.search(cell)
        size = int(span[1]) if span else 1
        if span and column in starts and starts[column] - column + 1 == size - 1:
            found.append(next(one for one in spans if one[0] == span[0]))
        column += size
    if len(found) == 1 or (found and found[0][0] != found[-1][0]):
        return found[0]
    return spans[0] if len(spans) == 1 and not rules else None


def row_end(scene: Scene) -> Iterator[Change]:
    """The end that the row before a rule has not."""
    for document in scene.documents.values():
        for table in tables(document):
            body = document.code[slice(*table.body)]
            for match in re.finditer(r"(?P<row>[^\n]*\S)[ \t]*\n\s*\\(?:midrule|bottomrule|hline|cmidrule)", body):
                row = match["row"].strip()
                if (
                    "&" in row
                    and not re.search(r"\\\\(?:\[[^\]]*\])?$|\\tabularnewline$", row)
                    and not _RULE.search(row)
                ):
                    at = table.body[0] + match.end("row")
                    yield Change(document.path, ((at, at, " \\\\"),), "the row before a rule has no end")


def rule_outside(scene: Scene) -> Iterator[Change]:
    """A rule right behind its table: moved in."""
    for document in scene.documents.values():
        found = re.search(r"([ \t]*)\\end\{(tabular[x*]?)\}\n[ \t]*(\\(?:bottomrule|hline))[ \t]*(?=\n)", document.code)
        if found:
            rule, end = found[3], f"{found[1]}\\end{{{found[2]}}}"
            inner = re.search(r"\n([ \t]*)\S[^\n]*\n$", document.text[: found.start()])
            new = f"{inner[1] if inner else found[1]}{rule}\n{end}"
            yield Change(document.path, ((found.start(), found.end(), new),), f"{rule} stands behind its table")


def before_span(scene: Scene) -> Iterator[Change]:
    """Something in a cell before its `\\multicolumn`: a font goes, another cell is parted from it."""
    document = scene.here
    if document is None or "Misplaced \\omit" not in scene.failure.message:
        return
    start, end = document.line_span(scene.line_start(document, scene.failure.line))
    for match in re.finditer(r"(?:^|&)\s*([^&\s][^&]*?)(\s*)(?=\\multicolumn)", document.code[start:end]):
        if re.fullmatch(r"\\[a-z]+", match[1]):
            yield Change(
                document.path,
                ((start + match.start(1), start + match.end(2), ""),),
                f"{match[1]} stands before \\multicolumn",
            )
        else:
            at = start + match.end(1)
            why = "a cell is not parted from the one that spans"
            yield Change(document.path, ((at, start + match.end(2), " & "),), why)


def column_letter(scene: Scene) -> Iterator[Change]:
    """A letter in a specification that names no kind of column, between columns that are all of one kind."""
    document = scene.here
    if document is None or not re.search(r"pream-token|Illegal character in array", scene.failure.message):
        return
    own = set(re.findall(r"\\newcolumntype\{(\w)\}", scene.code))
    for table in tables(document):
        spec = document.code[slice(*table.spec)]
        flat = re.sub(r"\{[^{}]*\}|\[[^\]]*\]", lambda match: " " * len(match[0]), spec)
        for match in re.finditer(r"[A-Za-z]", flat):
            if match[0] in "lcrpmbXS" or match[0] in own:
                continue
            around = {flat[i : i + 1] for i in (match.start() - 1, match.end())} & set("lcr")
            rest = Counter(letter for letter in flat[1:] if letter in "lcr")
            kind = rest.most_common(1)[0][0] if rest else next(iter(around), "")
            if kind:
                at = table.spec[0] + match.start()
                yield Change(document.path, ((at, at + 1, kind),), f"{match[0]} names no kind of column")
