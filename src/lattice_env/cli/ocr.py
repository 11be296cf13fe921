"""`lattice-env ocr`."""

from __future__ import annotations

import json as json_format
from pathlib import Path

import cyclopts
from rich.progress import Progress
from rich.table import Table

from lattice_env.errors import MissingTool, UsageError
from lattice_env.families.latex_ocr.corpus import Formula, make_corpus
from lattice_env.families.latex_ocr.folder import archive, corpus_files
from lattice_env.families.latex_ocr.labels import LABELLED, WITHOUT_TEX, measure, read_labels
from lattice_env.families.latex_ocr.render import render as print_formulas
from lattice_env.families.latex_ocr.settings import REWARDS
from lattice_env.packages.harbor import write_files
from lattice_env.verifier.verdict import InfraError

from .places import err
from .places import out as stdout

app = cyclopts.App(name="ocr", help="LaTeX OCR: make pictures of formulas for its server, and measure its rewards.")


@app.command
def build_data(*, out: Path, count: int = 400, seed: int = 0, json: bool = False) -> int:
    """Print formulas with TeX into OUT/train and OUT/test: pictures, and labels.jsonl with their LaTeX.

    The displayed formulas of the seed papers come first, formulas of a grammar after them, in three fonts and four
    sizes. No formula of one split has the normal form of one in the other. The same arguments give the same
    formulas, and with the same TeX the same bytes. Serve the folder with LATEX_OCR_DATASET=OUT.

    Parameters
    ----------
    out
        The folder to make, or a .zip of it; it must not exist yet.
    count
        How many formulas to print.
    seed
        Another seed, other formulas of the grammar.
    json
        Print what was made as JSON instead of a line.
    """
    if count < 1 or out.exists():
        message = f"--count must be at least 1, not {count}" if count < 1 else f"{out} is there already"
        raise UsageError(message)
    formulas = make_corpus(count, seed)
    files = corpus_files(formulas, _printed(formulas))
    if out.suffix == ".zip":
        out.write_bytes(archive(files))
    else:
        write_files(files, out)
    made = {split: sum(path.startswith(f"{split}/") for path in files) - 1 for split in ("train", "test")}
    made |= {"unprinted": count - made["train"] - made["test"]}
    print(json_format.dumps(made) if json else ", ".join(f"{name}: {number}" for name, number in made.items()))
    return 0


def _printed(formulas: list[Formula]) -> list[bytes | None]:
    """The pictures, with progress on stderr."""
    with Progress(console=err()) as progress:
        bar = progress.add_task("printing formulas", total=len(formulas))
        try:
            return print_formulas(formulas, report=lambda done: progress.update(bar, completed=done))
        except InfraError as error:
            raise MissingTool(str(error), hint="lattice-env doctor says what is missing") from error


@app.command
def labels(*, file: Path | None = None, render: bool = False, json: bool = False) -> int:
    """Tell how each reward judges answers that are labelled right or wrong.

    For each reward: how many right and wrong answers it pays in full, and its means over both. Needs the extra `ocr`.

    Parameters
    ----------
    file
        JSON lines with answer, target and right; the set that comes with this package if not given.
    render
        The reward that prints both with TeX too.
    json
        Print JSON instead of a table.
    """
    try:
        rows = measure(read_labels(file or LABELLED), REWARDS if render else WITHOUT_TEX)
    except InfraError as error:
        raise MissingTool(str(error), hint="lattice-env doctor says what is missing") from error
    if json:
        print(json_format.dumps(rows, indent=1))
        return 0
    table = Table("reward", "answers", "of", "paid in full", "mean")
    for row in rows:
        table.add_row(*(str(cell) for cell in row.values()))
    stdout().print(table)
    return 0
