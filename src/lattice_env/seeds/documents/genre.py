"""Genres: a folder with `genre.toml` and section templates is all that a kind of document is."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import SeedError, TemplateError, UsageError

from .facts import TYPES, Fact, check_sampler
from .formats import FORMATS
from .formulas import Formula, formula_kind, parse_formula
from .templates import Problem, Slot, Template, parse_template

FOLDER = Path(__file__).parent / "genres"
POOLS = ("seed", "held-out")
HEADER = "page-header"
"""The kind whose templates, one line each, stand on top of every page."""
KNOBS = ("fillers", "appendices")
BUILT_IN = {"rounding": "text", "page": "count", "pages": "count"}
"""Facts that every genre has: the rule of rounding, and in page headers the page and how many there are."""

_SHAPE: Mapping[str, type] = {
    "name": str,
    "title": str,
    "licence": str,
    "rounding": str,
    "lists": dict,
    "groups": dict,
    "facts": dict,
    "sections": list,
}
_FACT: Mapping[str, type] = {
    "type": str,
    "label": str,
    "sample": dict,
    "formula": str,
    "change": bool,
    "decoy": bool,
}
_SECTION: Mapping[str, type | tuple[type, ...]] = {
    "kind": str,
    "count": (int, str),
    "echo": bool,
    "requires": list,
    "forbids": list,
}


@dataclass(frozen=True)
class Section:
    """One kind of section at its place in the document."""

    kind: str
    count: int | str
    """How many, or the knob that says how many."""
    echo: bool
    """Whether the values that it shows are echoes of what stands elsewhere."""
    requires: tuple[str, ...]
    forbids: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Genre:
    """A kind of document: facts, formulas, the order of its sections, and templates for them."""

    name: str
    title: str
    licence: str
    rounding: str
    lists: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, tuple[int, int]]
    facts: Mapping[str, Fact]
    sections: tuple[Section, ...]
    templates: Mapping[str, tuple[Template, ...]]
    digest: str
    """SHA-256 over the folder's files."""
    redistributable: bool = True

    def type_of(self, name: str) -> str:
        """The type of a fact, built-in ones included; KeyError for an unknown name."""
        return BUILT_IN[name] if name in BUILT_IN else self.facts[name].type

    @cached_property
    def order(self) -> tuple[Fact, ...]:
        """The facts with formulas, each behind those that it is computed from."""
        return tuple(self.facts[name] for name in _order(self.facts, self.name) if self.facts[name].formula)

    @cached_property
    def distances(self) -> Mapping[str, Mapping[str, int]]:
        """For each fact, every fact that depends on it → the longest way there; itself at 0."""
        return {name: self._distances_from(name) for name in self.facts}

    def _distances_from(self, start: str) -> Mapping[str, int]:
        found = {start: 0}
        for fact in self.order:
            assert fact.formula  # noqa: S101 - `order` holds facts with formulas only
            far = [found[name] for name in fact.formula.names if name in found]
            if far:
                found[fact.name] = max(far) + 1
        return found


def genre_names() -> list[str]:
    """The bundled genres."""
    return sorted(path.name for path in FOLDER.iterdir() if (path / "genre.toml").is_file())


def load_genres() -> dict[str, Genre]:
    """All bundled genres by name."""
    return {name: load_genre(name) for name in genre_names()}


@cache
def load_genre(name: str | Path) -> Genre:
    """A bundled genre by name, or one in a folder; UsageError for an unknown name, SeedError for a broken one."""
    if isinstance(name, Path):
        return read_genre(name)
    if name not in genre_names():
        message = f"no genre is called {name!r}"
        raise UsageError(message, hint=f"known: {', '.join(genre_names())}")
    return read_genre(FOLDER / name)


def read_genre(folder: Path) -> Genre:
    """The genre in a folder, checked whole: facts, formulas, sections, and every template of its pools."""
    genre = replace(read_schema(folder), templates=_templates(folder))
    _check_templates(genre, folder)
    return genre


def read_schema(folder: Path) -> Genre:
    """The genre in a folder without its templates, which may be wrong or not written yet."""
    place = folder / "genre.toml"
    try:
        body = tomllib.loads(place.read_text("ascii"))
    except (OSError, ValueError) as error:
        message = f"{place}: {error}"
        raise SeedError(message) from error
    _check_keys(body, _SHAPE, set(_SHAPE), str(place))
    if body["name"] != folder.name:
        message = f"{place}: name {body['name']!r} is not the folder's"
        raise SeedError(message)
    facts = _facts(body["facts"], str(place))
    genre = Genre(
        name=body["name"],
        title=body["title"],
        licence=body["licence"],
        rounding=body["rounding"],
        lists={name: tuple(words) for name, words in body["lists"].items()},
        groups={name: (low, high) for name, (low, high) in body["groups"].items()},
        facts=facts,
        sections=tuple(_section(item, str(place)) for item in body["sections"]),
        templates={},
        digest=_digest(folder),
    )
    _check_schema(genre, str(place))
    return genre


def _check_keys(
    body: object, shape: Mapping[str, type | tuple[type, ...]], needed: set[str], where: str
) -> Mapping[str, Any]:
    if not isinstance(body, dict):
        message = f"{where}: expected a table, found {body!r}"
        raise SeedError(message)
    table = cast("dict[str, Any]", body)
    wrong = sorted((table.keys() - shape.keys()) | (needed - table.keys()))
    if wrong:
        message = f"{where}: keys missing or unknown: {', '.join(wrong)}"
        raise SeedError(message)
    for name, value in table.items():
        if not isinstance(value, shape[name]):
            message = f"{where}: {name} cannot be {value!r}"
            raise SeedError(message)
    return table


def _facts(bodies: Mapping[str, Any], place: str) -> dict[str, Fact]:
    checked = {
        name: _check_keys(body, _FACT, {"type", "label"}, f"{place}: facts.{name}") for name, body in bodies.items()
    }
    types = {name: body["type"] for name, body in checked.items()}
    return {name: _fact(name, body, types, f"{place}: facts.{name}") for name, body in checked.items()}


def _fact(name: str, body: Mapping[str, Any], types: Mapping[str, str], where: str) -> Fact:
    kind, decoy = body["type"], body.get("decoy", False)
    if kind not in TYPES:
        message = f"{where}: type {kind!r} is none of {', '.join(TYPES)}"
        raise SeedError(message)
    if ("sample" in body) == ("formula" in body):
        message = f"{where}: a fact has either a sampler or a formula"
        raise SeedError(message)
    formula: Formula | None = None
    sampler = ""
    if "formula" in body:
        formula = parse_formula(body["formula"], types, where)
        if formula_kind(body["formula"], types, where) != ("date" if kind == "date" else "number"):
            message = f"{where}: the formula yields no {kind}"
            raise SeedError(message)
    else:
        sampler = check_sampler(body["sample"], kind, where, decoy=decoy)
    label = parse_template(body["label"], where)
    return Fact(name, kind, label, sampler, body.get("sample", {}), formula, body.get("change", False), decoy)


def _section(body: object, place: str) -> Section:
    table = _check_keys(body, _SECTION, {"kind", "count"}, f"{place}: sections")
    count = table["count"]
    if isinstance(count, str) and count not in KNOBS:
        message = f"{place}: sections: count {count!r} is no number and none of {', '.join(KNOBS)}"
        raise SeedError(message)
    requires, forbids = (tuple(map(str, table.get(name, ()))) for name in ("requires", "forbids"))
    return Section(table["kind"], count, table.get("echo", False), requires, forbids)


def _templates(folder: Path) -> dict[str, tuple[Template, ...]]:
    found: dict[str, list[Template]] = {}
    for pool in POOLS:
        for path in sorted((folder / "templates" / pool).glob("*/*.txt")):
            found.setdefault(path.parent.name, []).append(read_template(path))
    return {kind: tuple(templates) for kind, templates in found.items()}


def read_template(path: Path) -> Template:
    """The template in a file `<pool>/<kind>/<name>.txt`; TemplateError where it is none."""
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        message = f"{path}: {error}"
        raise TemplateError(message) from error
    pool, kind = path.parent.parent.name, path.parent.name
    return parse_template(text, str(path), kind=kind, pool=pool, name=path.stem)


def _digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in [folder / "genre.toml", *sorted(folder.glob("templates/*/*/*.txt"))]:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode())
    return total.hexdigest()


def _order(facts: Mapping[str, Fact], where: str) -> tuple[str, ...]:
    graph = {name: fact.formula.names if fact.formula else frozenset[str]() for name, fact in facts.items()}
    try:
        return tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        message = f"{where}: the formulas go in a circle: {' -> '.join(map(str, error.args[1]))}"
        raise SeedError(message) from error


def _check_schema(genre: Genre, place: str) -> None:
    """SeedError unless facts, formulas and groups fit together."""
    _order(genre.facts, place)
    groups = {fact.group for fact in genre.facts.values() if fact.group}
    odd = sorted(groups ^ {*genre.groups})
    if odd:
        message = f"{place}: groups without facts, or facts without a group: {', '.join(odd)}"
        raise SeedError(message)


def _check_templates(genre: Genre, folder: Path) -> None:
    """SeedError or TemplateError unless every kind has templates and all are lawful."""
    kinds = {section.kind for section in genre.sections} | {HEADER}
    for kind in sorted(kinds):
        if not any(template.pool == "seed" for template in genre.templates.get(kind, ())):
            message = f"{folder}: no template of the pool seed for {kind}"
            raise SeedError(message)
    for kind, templates in genre.templates.items():
        for template in templates:
            problem = next(template_problems(genre, template), None)
            if problem:
                place = folder / "templates" / template.pool / kind / f"{template.name}.txt"
                raise problem.error(str(place))


def template_problems(genre: Genre, template: Template) -> Iterator[Problem]:
    """What is wrong with a template of a genre: names, formats, groups, echoes, headers."""
    section = next((item for item in genre.sections if item.kind == template.kind), None)
    if section is None and template.kind != HEADER:
        kinds = ", ".join([*(item.kind for item in genre.sections), HEADER])
        yield Problem(1, 1, f"the genre {genre.name} has no section of kind {template.kind!r}", f"its kinds: {kinds}")
        return
    if template.kind == HEADER and len(template.lines) != 1:
        yield Problem(1, 1, f"a page header of {len(template.lines)} lines", "a page header is one line")
    for line in template.lines:
        slots = [part for part in line.parts if isinstance(part, Slot)]
        if line.group and line.group not in genre.groups:
            number = slots[0].line if slots else 1
            yield Problem(number, 1, f"no group is called {line.group!r}", f"its groups: {', '.join(genre.groups)}")
        for slot in slots:
            yield from _slot_problems(genre, template, slot)
            yield from _group_problems(line.group or _group(slots[0]), slot)
    if section:
        yield from _echo_problems(section, template)


def _echo_problems(section: Section, template: Template) -> Iterator[Problem]:
    shown = {slot.fact for slot in template.slots}
    for name in section.requires:
        if name not in shown:
            what = f"a section of kind {template.kind} must show {name}, and this one does not"
            yield Problem(1, 1, what, f"state {name} in any of its formats")
    for slot in template.slots:
        if any(matches(slot.fact, pattern) for pattern in section.forbids):
            what = f"a section of kind {template.kind} must not show {slot.fact}"
            yield Problem(slot.line, slot.column, what, "leave it out, or move it to another kind of section")


def _slot_problems(genre: Genre, template: Template, slot: Slot) -> Iterator[Problem]:
    """What is wrong with one placeholder: at most one thing."""
    if slot.fact not in genre.facts and slot.fact not in BUILT_IN:
        near = get_close_matches(slot.fact, [*genre.facts, *BUILT_IN])
        hint = f"did you mean {' or '.join(near)}?" if near else f"the facts are in genre.toml of {genre.name}"
        yield Problem(slot.line, slot.column, f"no fact is called {slot.fact!r}", hint)
    elif slot.fact in ("page", "pages") and template.kind != HEADER:
        yield Problem(slot.line, slot.column, f"{slot.fact} is for page headers", "leave it out")
    elif slot.style not in FORMATS[genre.type_of(slot.fact)]:
        formats = ", ".join(FORMATS[genre.type_of(slot.fact)])
        what = f"{slot.fact} has no format {slot.style!r}"
        yield Problem(slot.line, slot.column, what, f"its formats: {formats}")


def _group_problems(group: str, slot: Slot) -> Iterator[Problem]:
    """A line speaks of one group only: the one that it is repeated for, or that of its first placeholder."""
    own = _group(slot)
    if group and own and own != group:
        what = f"{slot.fact} is not of the group {group} that this line is about"
        yield Problem(slot.line, slot.column, what, "one line, one group: begin a new line")


def _group(slot: Slot) -> str:
    return slot.fact.partition(".")[0] if "." in slot.fact else ""


def matches(name: str, pattern: str) -> bool:
    """Whether a fact's name is the pattern, or in the group that `group.*` stands for."""
    return name == pattern or (pattern.endswith(".*") and name.startswith(pattern[:-1]))
