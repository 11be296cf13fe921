"""`lattice-env templates`: the pools of section templates that documents are made from."""

from __future__ import annotations

import json as codec
import os
from dataclasses import asdict
from pathlib import Path

import cyclopts
from rich.text import Text

from lattice_env.authoring import Attempt, Endpoint, Order
from lattice_env.authoring import author as write_templates
from lattice_env.errors import UsageError
from lattice_env.seeds.documents.checks import Finding, check_files
from lattice_env.seeds.documents.genre import FOLDER, Genre, genre_names, load_genre

from .places import err
from .places import out as stdout

templates = cyclopts.App(name="templates", help="Check section templates of documents, or have a model write some.")


@templates.command
def check(*files: Path, genre: str = "", kind: str = "", json: bool = False) -> int:
    """Check section templates: every finding with its place, and what to do.

    Exit code 0 if there is none, 1 if there is one, 2 for a path that is not there.

    Parameters
    ----------
    files
        Template files, or folders that hold some; the bundled pools if none is given.
    genre
        The genre (purchase-order, …); read off the folder if not given: GENRE/templates/POOL/KIND/NAME.txt.
    kind
        The kind of section (cover-letter, …); the name of the file's folder if not given.
    json
        Print JSON: the number of templates, and the findings.
    """
    count, findings = check_files(files or (FOLDER,), genre=genre, kind=kind)
    if json:
        print(codec.dumps({"templates": count, "findings": [asdict(each) for each in findings]}, indent=1))
    else:
        for each in findings:
            _print(each)
    err().print(f"{count} templates, {len(findings)} findings", markup=False)
    return int(bool(findings))


@templates.command
def author(
    *,
    genre: str,
    kind: str,
    base_url: str,
    model: str,
    out: Path,
    count: int = 1,
    pool: str = "seed",
    rounds: int = 4,
    api_key_var: str = "",
    timeout: float = 120.0,
    json: bool = False,
) -> int:
    """Have a model write section templates; what the validator finds goes back to it, and only lawful ones are kept.

    Exit code 0 if all were written, 1 if some were given up, 3 if the endpoint gives no answer.

    Parameters
    ----------
    genre
        A bundled genre (purchase-order, …), or a folder with genre.toml.
    kind
        The kind of section (cover-letter, filler, …).
    base_url
        The OpenAI-compatible endpoint up to /v1, as in http://localhost:8000/v1.
    model
        The model's name there.
    out
        Templates are written to OUT/POOL/KIND/, each named for its text.
    count
        How many sections are to be written.
    pool
        The pool that they are for: seed or held-out.
    rounds
        How often the model may try each section.
    api_key_var
        The environment variable that holds the endpoint's key; no key is sent if not given.
    timeout
        Seconds that one answer may take.
    json
        Print JSON: for each section its file, the rounds, and what was still wrong.
    """
    endpoint = Endpoint(base_url, model, _key(api_key_var), timeout)
    order = Order(_genre(genre), kind, count, pool, rounds)
    attempts = write_templates(order, endpoint, out, _report)
    if json:
        print(codec.dumps([_row(attempt) for attempt in attempts], indent=1))
    else:
        for attempt in attempts:
            if attempt.file:
                print(attempt.file)
    return int(any(attempt.file is None for attempt in attempts))


def _print(finding: Finding) -> None:
    stdout().print(Text(f"{finding}\n  {finding.hint}"), soft_wrap=True)


def _key(name: str) -> str:
    if name and not os.environ.get(name):
        message = f"the environment has no {name}"
        raise UsageError(message, hint=f"export {name}=…, or leave --api-key-var out")
    return os.environ[name] if name else ""


def _genre(name: str) -> Genre:
    folder = Path(name)
    return load_genre(folder.resolve() if name not in genre_names() and (folder / "genre.toml").is_file() else name)


def _report(attempt: Attempt) -> None:
    rounds = f"{attempt.rounds} round{'s' * (attempt.rounds != 1)}"
    if attempt.file:
        err().print(f"{attempt.file.name}: written after {rounds}", markup=False)
        return
    err().print(f"given up after {rounds}:", markup=False)
    for each in attempt.problems:
        err().print(f"  {each.line}:{each.column}: {each.what}", markup=False)


def _row(attempt: Attempt) -> dict[str, object]:
    problems = [asdict(each) for each in attempt.problems]
    return {"file": str(attempt.file) if attempt.file else None, "rounds": attempt.rounds, "problems": problems}
