"""Reads seeds: `seed.json` beside a `project/` folder; draws figures, borrows styles, checks everything."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import SeedError
from lattice_env.model import Files, PaperSeed
from lattice_env.verifier.build import is_product
from lattice_env.verifier.intake import check_files, read_submission
from lattice_env.verifier.latex import Document, decode
from lattice_env.verifier.spec import BIBLIOGRAPHIES, ENGINES
from lattice_env.verifier.verdict import Finding

from .placeholders import draw_placeholder

BUNDLED = Path(__file__).parent / "papers"
"""The papers that come with this package."""

_SHAPE: dict[str, type] = {
    "name": str,
    "title": str,
    "root": str,
    "engine": str,
    "bibliography": str,
    "licence": str,
    "redistributable": bool,
    "editable": list,
    "placeholders": list,
    "styles": list,
    "decoys": list,
    "references": dict,
}
_ITEMS: dict[str, dict[str, type]] = {
    "editable": {},
    "styles": {},
    "placeholders": {"path": str, "width": int, "height": int, "text": str},
    "decoys": {"file": str, "text": str, "why": str},
}
"""What the lists hold: text, or objects with these keys."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


def load_seeds(seeds_dir: Path | None = None, styles_dir: Path | None = None) -> list[PaperSeed]:
    """The bundled seeds, then those of `seeds_dir`, each by name; SeedError names the first that is not whole.

    A seed whose borrowed styles are not in `styles_dir` is listed all the same, with the reason in
    `unavailable`.
    """
    seeds = [seed for folder in (BUNDLED, seeds_dir) if folder for seed in load_folder(folder, styles_dir)]
    names = [seed.name for seed in seeds]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        message = f"two seeds are called {twice[0]}"
        raise SeedError(message, hint="rename the one in --seeds-dir")
    return seeds


def load_folder(parent: Path, styles_dir: Path | None = None) -> list[PaperSeed]:
    """The seeds of one folder, by name; SeedError names the first that is not whole."""
    return [load_seed(folder, styles_dir) for folder in _seed_folders(parent)]


def _seed_folders(parent: Path) -> list[Path]:
    if not parent.is_dir():
        message = f"{parent}: no such folder of seeds"
        raise SeedError(message)
    found = sorted(path for path in parent.iterdir() if (path / "seed.json").is_file())
    if not found:
        message = f"{parent}: no seed here"
        raise SeedError(message, hint="a seed is a folder with seed.json and project/")
    return found


def load_seed(folder: Path, styles_dir: Path | None = None) -> PaperSeed:
    """One seed, complete: its files, its figures drawn, its styles put in."""
    body = _read_recipe(folder / "seed.json")
    files, missing = _read_files(folder, body, styles_dir)
    decoys = tuple((item["file"], item["text"]) for item in body["decoys"])
    names = ("name", "title", "root", "engine", "bibliography", "licence", "redistributable")
    seed = PaperSeed(
        **{name: body[name] for name in names},
        editable=tuple(sorted(body["editable"])),
        decoys=decoys,
        files=files,
        unavailable=f"needs {', '.join(missing)} from --styles-dir" if missing else "",
    )
    _check(seed, folder)
    return seed


def _read_recipe(path: Path) -> dict[str, Any]:
    try:
        body = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        message = f"{path}: {error}"
        raise SeedError(message) from error
    if not isinstance(body, dict):
        message = f"{path}: not an object"
        raise SeedError(message)
    recipe = cast("dict[str, Any]", body)
    _check_shape(recipe, path)
    for name, allowed in (("engine", ENGINES), ("bibliography", BIBLIOGRAPHIES)):
        if recipe[name] not in allowed:
            message = f"{path}: {name} must be one of {', '.join(allowed)}, not {recipe[name]!r}"
            raise SeedError(message)
    return recipe


def _check_shape(recipe: Mapping[str, Any], path: Path) -> None:
    """SeedError unless every key is there, no other, and each holds what it must."""
    if recipe.keys() != _SHAPE.keys():
        message = f"{path}: keys missing or unknown: {', '.join(sorted(recipe.keys() ^ _SHAPE.keys()))}"
        raise SeedError(message)
    for name, kind in _SHAPE.items():
        if type(recipe[name]) is not kind:
            message = f"{path}: {name} must be {kind.__name__}, not {recipe[name]!r}"
            raise SeedError(message)
    for name, keys in _ITEMS.items():
        for item in recipe[name]:
            if not _is_item(item, keys):
                message = f"{path}: {name} holds {item!r}, which is not {keys or 'text'}"
                raise SeedError(message)


def _is_item(item: object, keys: Mapping[str, type]) -> bool:
    if not keys:
        return isinstance(item, str)
    if not isinstance(item, dict):
        return False
    fields = cast("dict[str, object]", item)
    return fields.keys() == keys.keys() and all(type(fields[name]) is kind for name, kind in keys.items())


def _read_files(folder: Path, body: Mapping[str, Any], styles_dir: Path | None) -> tuple[Files, list[str]]:
    """The seed's files, and the styles that could not be had."""
    submission = read_submission(folder / "project")
    _refuse(folder / "project", submission.findings)
    hidden = (path for path in submission.files if any(part.startswith(".") for part in path.split("/")))
    products = (path for path in submission.files if is_product(path, body["root"]))
    files = {path: submission.files[path] for path in submission.files.keys() - {*hidden, *products}}
    for item in body["placeholders"]:
        files[item["path"]] = draw_placeholder(item["width"], item["height"], item["text"])
    missing: list[str] = []
    for name in body["styles"]:
        style = styles_dir / name if styles_dir else None
        if style is not None and style.is_file():
            files[name] = style.read_bytes()
        else:
            missing.append(name)
    _refuse(folder / "project", check_files(files))
    return dict(sorted(files.items())), missing


def _refuse(place: Path, problems: Sequence[Finding]) -> None:
    """SeedError for the first problem with the files of a seed."""
    if problems:
        first = problems[0]
        message = f"{place / first.file}: {first.code} {first.text}"
        raise SeedError(message)


def _check(seed: PaperSeed, folder: Path) -> None:
    """SeedError unless the seed is a LaTeX project whose parts fit together."""
    place = folder / "project"
    if not _NAME.fullmatch(seed.name):
        message = f"{folder / 'seed.json'}: name {seed.name!r} is not lower case, digits and hyphens"
        raise SeedError(message)
    if "/" in seed.root or seed.root not in seed.files:
        message = f"{place / seed.root}: the root document is not there"
        raise SeedError(message, hint="root names a file at the top of project/")
    if "\\documentclass" not in Document(seed.root, decode(seed.files[seed.root])).code:
        message = f"{place / seed.root}: no \\documentclass: not a LaTeX project"
        raise SeedError(message)
    for path in seed.editable:
        if path not in seed.files:
            message = f"{place / path}: named editable, and not there"
            raise SeedError(message)
    for path, text in seed.decoys:
        count = decode(seed.files[path]).count(text) if path in seed.editable else 0
        if count != 1:
            message = f"{place / path}: the decoy {text!r} stands there {count} times, not once"
            raise SeedError(message)
    if not seed.decoys:
        message = f"{folder / 'seed.json'}: a seed needs at least one decoy"
        raise SeedError(message)
