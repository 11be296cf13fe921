"""The validator of section templates: every finding with its place and what to do; nothing enters a pool without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lattice_env.errors import TemplateError, UsageError

from .genre import HEADER, POOLS, Genre, load_genre, read_schema, template_problems
from .locale import load_locales
from .templates import Problem, Slot, Template, numbered_lines, parse_template, syntax_problems
from .wording import wording_problems

MOST_COLUMNS = 96
"""Columns of a rendered line."""
MOST_LINES = 30
"""Lines of a section: it must fit on a page below the header."""

WIDEST = {
    "usd": 18,
    "code": 16,
    "plain": 13,
    "iso": 10,
    "long": 18,
    "short": 10,
    "abbr": 12,
    "int": 5,
    "words": 26,
    "percent": 8,
    "spelled": 14,
    "id": 16,
    "email": 46,
    "text": 32,
}
"""Columns that a value of each format is reckoned to take at most."""


@dataclass(frozen=True)
class Finding:
    """What is wrong at one place of a file, and what to do."""

    file: str
    line: int
    column: int
    what: str
    hint: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.what}"


def check_files(paths: Sequence[Path], *, genre: str = "", kind: str = "") -> tuple[int, list[Finding]]:
    """How many templates there are in files and folders, and all findings in them.

    The genre and the kind are those of the folders that a file lies in, `<genre>/templates/<pool>/<kind>/<name>.txt`,
    unless they are given. Raises UsageError for a path that is not there, or whose genre nobody knows.
    """
    files = [file for path in paths for file in template_files(path)]
    return len(files), [finding for file in files for finding in check_file(file, genre=genre, kind=kind)]


def template_files(path: Path) -> list[Path]:
    """A file, or all templates below a folder; UsageError where there is none."""
    found = sorted(path.rglob("*.txt")) if path.is_dir() else [path] if path.is_file() else []
    if not found:
        message = f"{path}: no template is there"
        raise UsageError(message, hint="name a .txt file, or a folder that holds some")
    return found


def check_file(path: Path, *, genre: str = "", kind: str = "") -> list[Finding]:
    """All findings in the template of one file."""
    schema = _schema(path, genre)
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        return [Finding(str(path), 1, 1, f"cannot be read: {error}", "write it as ASCII text")]
    pool = path.resolve().parent.parent.name
    kind = kind or path.resolve().parent.name
    problems = check_text(schema, text, kind, pool if pool in POOLS else POOLS[0])
    return [Finding(str(path), each.line, each.column, each.what, each.hint) for each in problems]


def _schema(path: Path, genre: str) -> Genre:
    if genre:
        return load_genre(genre)
    for folder in path.resolve().parents:
        if (folder / "genre.toml").is_file():
            return _schema_in(folder)
    message = f"{path}: in no genre's folder"
    raise UsageError(message, hint="give --genre and --kind, or put it into GENRE/templates/POOL/KIND/")


@cache
def _schema_in(folder: Path) -> Genre:
    return read_schema(folder)


def check_text(genre: Genre, text: str, kind: str, pool: str = POOLS[0]) -> list[Problem]:
    """All problems of a template in the order of their places: syntax, names, echoes, wording, layout."""
    found = [*syntax_problems(text), *wording_problems(text), *_layout_problems(text, kind)]
    try:
        template = parse_template(text, kind, kind=kind, pool=pool)
    except TemplateError:
        # Its placeholders are judged once they can be read.
        return sorted(found, key=_place)
    found += template_problems(genre, template)
    found += _width_problems(genre, template, text)
    return sorted(found, key=_place)


def _place(problem: Problem) -> tuple[int, int]:
    return problem.line, problem.column


def _layout_problems(text: str, kind: str) -> Iterator[Problem]:
    lines = numbered_lines(text)
    if not text.strip():
        yield Problem(1, 1, "the template is empty", "write a heading in capitals, a blank line, and the section")
        return
    if kind == HEADER:
        return
    first, heading = lines[0]
    if not heading.isupper() or "{" in heading:
        yield Problem(
            first, 1, "the first line is no heading", "begin with a heading in capitals, without placeholders"
        )
    if len(lines) > 1 and lines[1][1].strip():
        yield Problem(lines[1][0], 1, "no blank line below the heading", "leave the second line blank")
    if len(lines) > MOST_LINES:
        yield Problem(
            lines[MOST_LINES][0], 1, f"more than {MOST_LINES} lines", "a section fits on one page: shorten it"
        )


def _width_problems(genre: Genre, template: Template, text: str) -> Iterator[Problem]:
    for (number, _), line in zip(numbered_lines(text), template.lines, strict=True):
        width = sum(len(part) if isinstance(part, str) else _widest(genre, part) for part in line.parts)
        if width > MOST_COLUMNS:
            what = f"the line may take {width} columns once it has values, and {MOST_COLUMNS} are the most"
            yield Problem(number, 1, what, "break it in two")


def _widest(genre: Genre, slot: Slot) -> int:
    """Columns that a placeholder takes at most."""
    fact = genre.facts.get(slot.fact)
    widest = WIDEST.get(slot.style, 0)
    if slot.fact == "rounding":
        widest = len(genre.rounding)
    elif fact and fact.sampler == "const":
        widest = len(fact.arguments["const"])
    elif fact and fact.sampler == "pattern":
        widest = len(fact.arguments["pattern"])
    elif fact and fact.sampler == "choose" and fact.type == "text":
        words = fact.arguments["choose"]
        widest = max(map(len, genre.lists[words] if isinstance(words, str) else words))
    elif fact and fact.sampler == "locale":
        widest = _longest_name(fact.arguments["locale"])
    return max(widest, slot.width)


@cache
def _longest_name(words: str) -> int:
    return max(len(name) for locale in load_locales().values() for name in locale.words(words))
