"""`report.html`: what a person reads of a run, whole in one file."""

from __future__ import annotations

import base64
import html
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from lattice_env.verifier import sandbox
from lattice_env.verifier.toolchain import toolchain
from lattice_env.verifier.verdict import InfraError

from .trace import REPORT, write_file

MOST_PAGES = 12
DOTS = 60
"""Dots per inch of the pages."""

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.status { display: inline-block; padding: .1rem .6rem; border-radius: .3rem; color: #fff; background: #8a1c1c; }
.status.success { background: #1b6e3a; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .3rem .6rem; }
tr { border-bottom: 1px solid #ddd; } code, pre { font: 13px/1.45 ui-monospace, monospace; }
.side { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.side pre { margin: 0; padding: .5rem; background: #f6f6f6; white-space: pre-wrap; overflow-wrap: anywhere; }
.old { background: #fbdcdc; } .new { background: #d9f2e0; } .pages img { border: 1px solid #ccc; margin: .3rem; }
@media (max-width: 40rem) { .side { grid-template-columns: 1fr; } }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #e6e6e6; } .side pre { background: #222; }
tr { border-color: #333; } .old { background: #4a2020; } .new { background: #1d4029; } }
"""

type Line = Mapping[str, Any]


def write_report(folder: Path, lines: Sequence[Mapping[str, object]], *, before: bytes, after: bytes) -> None:
    """The page about a run: what failed, what was changed, the pages of both PDFs (empty for none), what is left."""
    steps = cast("Sequence[Line]", lines)
    write_file(folder, REPORT, "\n".join(_page(steps, before, after)).encode())


def _page(lines: Sequence[Line], before: bytes, after: bytes) -> Iterator[str]:
    end = lines[-1]
    yield "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    yield f"<title>Repair of {_text(end['root'])}</title><style>{_STYLE}</style>"
    yield f"<h1>Repair of <code>{_text(end['root'] or 'no root')}</code></h1>"
    yield f"<p><span class='status {_text(end['status'])}'>{_text(end['status'])}</span> {_text(end['reason'])}</p>"
    yield f"<p>{end['compiles']} builds, {end['edits']} edits, {end['installs']} packages, {end['seconds']} s.</p>"
    yield "<h2>What failed</h2>"
    yield f"<p>{_text(end['first']) or 'Nothing: the paper built as it was.'}</p>"
    yield "<h2>What was changed</h2>"
    changes = [line for line in lines if line["event"] in ("edit", "install")]
    yield from (_change(line, lines) for line in changes)
    yield "" if changes else "<p>Nothing.</p>"
    yield "<h2>What is left</h2>"
    yield f"<p>{_text(end['last']) or ('Nothing.' if after else _text(end['reason']))}</p>"
    yield "<h2>Pages</h2><div class=side><div><h3>Before</h3>"
    yield from _before(before, failed=bool(end["first"]))
    yield "</div><div><h3>After</h3>"
    yield from _pages(after) if after else ["<p>None: the run did not end with a PDF.</p>"]
    yield "</div></div><h2>Steps</h2><table><tr><th>step<th>what<th>time"
    yield from (f"<tr><td>{line['step']}<td>{_step(line)}<td>{line['at']} s" for line in lines)
    yield "</table></html>"


def _before(pdf: bytes, *, failed: bool) -> Iterator[str]:
    """The pages of the paper as it was; where its build failed, with what they are worth."""
    if failed and pdf:
        yield "<p>One pass of TeX that went on past its errors: what it skipped is missing, references are open.</p>"
    yield from _pages(pdf) if pdf else ["<p>None: TeX made no page of the paper as it was.</p>"]


def _text(value: object) -> str:
    return html.escape(str(value))


def _change(line: Line, lines: Sequence[Line]) -> str:
    if line["event"] == "install":
        return f"<p>Installed <b>{_text(line['package'])}</b>, which holds <code>{_text(line['file'])}</code>.</p>"
    edit = line["edit"]
    undone = any(other["event"] == "revert" and other["step"] > line["step"] for other in lines)
    state = " (taken back)" if undone else ""
    title = f"<p><code>{_text(edit['file'])}:{edit['first']}</code> {_text(edit['why'])}{state}</p>"
    old, new = _sides(str(line["diff"]))
    return f"{title}<div class=side><pre>{old}</pre><pre>{new}</pre></div>"


def _sides(diff: str) -> tuple[str, str]:
    """A unified diff as two columns."""
    left: list[str] = []
    right: list[str] = []
    for text in diff.split("\n")[2:]:
        mark, rest = text[:1], _text(text[1:])
        if mark == "-":
            left.append(f"<span class=old>{rest}</span>")
        elif mark == "+":
            right.append(f"<span class=new>{rest}</span>")
        elif mark == " ":
            left.append(rest)
            right.append(rest)
    return "\n".join(left), "\n".join(right)


def _step(line: Line) -> str:
    match line["event"]:
        case "compile":
            failure = line["failure"]
            shown = (
                f"{failure['file']}:{failure['line']}: {failure['message']}" if failure else "a PDF without an error"
            )
            return f"build of <code>{_text(line['root'])}</code>: {_text(shown)}"
        case "edit":
            return f"edit of <code>{_text(line['edit']['file'])}</code>"
        case "refused":
            return f"an edit was refused ({_text(line['code'])}): {_text(line['reason'])}"
        case "install":
            return f"package {_text(line['package'])}"
        case event:
            return f"{_text(event)} {_text(line.get('reason', ''))}"


def _pages(pdf: bytes) -> Iterator[str]:
    """The pages of a PDF as pictures; a sentence where they cannot be drawn."""
    try:
        tools = toolchain()
        with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
            tree = Path(scratch) / "tree"
            (Path(scratch) / "home").mkdir()
            tree.mkdir()
            (tree / "paper.pdf").write_bytes(pdf)
            command = [tools.path("pdftoppm"), "-png", "-r", str(DOTS), "-l", str(MOST_PAGES), "paper.pdf", "page"]
            sandbox.run(command, tree, tools, Path(scratch) / "output.txt")
            pictures = [path.read_bytes() for path in sorted(tree.glob("page*.png"))]
    except (InfraError, OSError) as error:
        yield f"<p>The pages cannot be drawn here: {_text(error)}</p>"
        return
    yield "<div class=pages>"
    for number, data in enumerate(pictures, 1):
        yield f"<img alt='page {number}' src='data:image/png;base64,{base64.b64encode(data).decode()}'>"
    yield "</div>"
