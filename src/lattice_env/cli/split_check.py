"""`lattice-env split-check`."""

from __future__ import annotations

import json as json_format
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text as Words

from lattice_env.analysis.texts import Text, read_texts, seed_text
from lattice_env.errors import UsageError
from lattice_env.seeds import BUNDLED, load_folder

from .places import err, out

if TYPE_CHECKING:
    from lattice_env.analysis.leakage import SplitCheck

SHOWN = 90
"""Characters of a shared run that a table shows."""


def split_check(
    *,
    private_seeds_dir: Path | None = None,
    public_seeds_dir: list[Path] | None = None,
    private_texts: Path | None = None,
    public_texts: list[Path] | None = None,
    template: list[Path] | None = None,
    styles_dir: Path | None = None,
    tokens: bool = False,
    json: bool = False,
) -> int:
    """Find private seeds, or any private texts, that are public already.

    A private text leaks if more than half of the smaller side's word 4-grams stand in a public one too. Text that
    three public texts share, or that --template names, is a template's and is not counted. Exit code 1 on a leak.

    Parameters
    ----------
    private_seeds_dir
        A folder of private seeds, each a folder with seed.json and project/; compared by their live LaTeX.
    public_seeds_dir
        A folder of public seeds beside the bundled ones; repeatable.
    private_texts
        Private texts instead of seeds: a folder with a text a file, or a file with a text a line.
    public_texts
        What they are compared with, in the same form; repeatable.
    template
        Text that says nothing: a folder or file of it; repeatable.
    styles_dir
        A folder of conference style files for the seeds that borrow them.
    tokens
        Compare LaTeX tokens, signs and braces included, instead of words: for formulas.
    json
        Print JSON instead of a table.
    """
    if (private_seeds_dir is None) == (private_texts is None):
        message = "one of --private-seeds-dir and --private-texts is needed, and only one"
        raise UsageError(message)
    if private_seeds_dir:
        folders = [BUNDLED, *(public_seeds_dir or [])]
        private = [seed_text(seed) for seed in load_folder(private_seeds_dir, styles_dir)]
        public = [seed_text(seed) for folder in folders for seed in load_folder(folder, styles_dir)]
    else:
        private = _read([private_texts] if private_texts else [], tokens=tokens)
        public = _read(public_texts or [], tokens=tokens)
        if not public:
            message = "--private-texts needs --public-texts"
            raise UsageError(message)
    return _check(private, public, _read(template or [], tokens=tokens), as_json=json)


def _read(places: Sequence[Path], *, tokens: bool) -> list[Text]:
    return [text for place in places for text in read_texts(place, tokens=tokens)]


def _check(private: Sequence[Text], public: Sequence[Text], templates: Sequence[Text], *, as_json: bool) -> int:
    """Compare, print, and tell by the exit code."""
    from lattice_env.analysis.leakage import check_split  # noqa: PLC0415 - an extra, with numpy

    err().print(f"comparing {len(private)} private texts with {len(public)} public ones", markup=False)
    found = check_split(private, public, templates=templates)
    if as_json:
        print(json_format.dumps(asdict(found), indent=1, sort_keys=True))
    else:
        _show(found)
    return int(bool(found.leaks))


def _show(found: SplitCheck) -> None:
    table = Table("private", "public", title=f"{len(found.leaks)} leaks")
    for name in ("share", "with template", "shared run"):
        table.add_column(name, justify="right")
    table.add_column("begins at, in both")
    table.add_column("the run")
    for leak in found.leaks:
        run = leak.run
        told = (
            (f"{run.length} words", f"{run.private_place}\n{run.public_place}", run.text[:SHOWN]) if run else ("",) * 3
        )
        shares = (f"{leak.share:.2f}", f"{leak.whole_share:.2f}" + " (hardly more than template)" * leak.hollow)
        table.add_row(*map(Words, (leak.private, leak.public, *shares, *told)))
    if found.leaks:
        out().print(table)
    how = "all pairs" if found.exhaustive else f"{found.compared} pairs that MinHash proposed"
    lines = [f"{len(found.leaks)} leaks: {found.private} private and {found.public} public texts, {how} compared"]
    lines.append(f"{found.template} n-grams are a template's and were not counted")
    lines += [f"  {name}: {part:.0%} of it" for name, part in found.template_shares.items()]
    out().print("\n".join(lines), markup=False)
