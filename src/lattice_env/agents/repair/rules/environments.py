"""Environments that do not nest: misnamed, never closed, never begun, crossed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from lattice_env.verifier.latex import Document

from .scene import Change, Scene, indentation
from .spelling import nearest

_MARK = re.compile(r"\\(begin|end)\s*\{([A-Za-z@]+\*?)\}")
_BARE = re.compile(r"\\(?:begin|end)\{[A-Za-z]+\*?(?=\s|$)", re.MULTILINE)
_BLOCK_OPENERS = "If For ForAll While Loop Repeat Function Procedure".split()
_WITH_ARGUMENTS = {
    "tabular",
    "tabular*",
    "tabularx",
    "longtable",
    "minipage",
    "array",
    "subfigure",
    "subtable",
    "multicols",
    "thebibliography",
    "alignat",
    "algorithmic",
    "wrapfigure",
    "lstlisting",
    "tikzpicture",
}


PROSE = 6
"""This many words of small letters in a line are prose."""


@dataclass(frozen=True)
class Mark:
    """One `\\begin{name}` or `\\end{name}`."""

    kind: str
    name: str
    start: int
    end: int


def marks(document: Document) -> list[Mark]:
    """All live beginnings and ends of a source, in order; those behind the document's end are not live."""
    return [Mark(m[1], m[2], m.start(), m.end()) for m in _MARK.finditer(document.code)]


def lost_brace(scene: Scene) -> Iterator[Change]:
    """`\\end{name` without its last brace at the end of a line."""
    for document in scene.documents.values():
        for match in _BARE.finditer(document.code):
            yield Change(document.path, ((match.end(), match.end(), "}"),), f"{match[0]} has no closing brace")


def nesting(scene: Scene) -> Iterator[Change]:
    """The first place of a source where environments do not nest."""
    for document in scene.documents.values():
        if document.path.endswith((".tex", ".ltx")):
            yield from _first_fault(scene, document)


def _first_fault(scene: Scene, document: Document) -> Iterator[Change]:
    found = marks(document)
    counts = Counter((mark.kind, mark.name) for mark in found)
    open_: list[Mark] = []
    for place, mark in enumerate(found):
        if mark.kind == "begin":
            open_.append(mark)
        elif open_ and open_[-1].name == mark.name:
            open_.pop()
        else:
            yield from _fault(scene, document, open_, found, place, counts)
            return
    if open_:
        yield from _close(document, open_[-1])


def _fault(
    scene: Scene, document: Document, open_: list[Mark], found: list[Mark], place: int, counts: Counter[tuple[str, str]]
) -> Iterator[Change]:
    mark, top = found[place], open_[-1] if open_ else None
    following = found[place + 1] if place + 1 < len(found) else None
    is_open = any(other.name == mark.name for other in open_)
    if top and following and following.kind == "end" and is_open and following.name == top.name:
        between = document.code[mark.end : following.start]
        if not between.strip():
            yield _renamed(document, [(mark, top.name), (following, mark.name)], "the two end in the wrong order")
            return
    if top and not is_open and _is_misnamed(scene, mark.name, top.name, counts):
        yield _renamed(document, [(mark, top.name)], f"it closes {top.name}")
    elif top and is_open:
        yield from _close(document, top)
    else:
        yield from _begin(scene, document, mark)


def _is_misnamed(scene: Scene, name: str, meant: str, counts: Counter[tuple[str, str]]) -> bool:
    if nearest(name, [meant]):
        return counts["begin", meant] > counts["end", meant]
    return (
        name not in scene.environments and counts["begin", name] == 0 and counts["begin", meant] > counts["end", meant]
    )


def _renamed(document: Document, names: list[tuple[Mark, str]], why: str) -> Change:
    splices = tuple((mark.start, mark.end, f"\\{mark.kind}{{{name}}}") for mark, name in names)
    return Change(document.path, splices, f"\\end{{{names[0][0].name}}}: {why}")


def _close(document: Document, mark: Mark) -> Iterator[Change]:
    """The missing end, where the indentation says that the environment ends."""
    if mark.name == "document":
        yield from end_of_document_in(document)
        return
    target = block_end(document, mark.start)
    if target is not None:
        depth = mark.start - document.line_span(mark.start)[0]
        pad = document.text[document.line_span(mark.start)[0] :][:depth]
        text = f"{pad if not pad.strip() else ''}\\end{{{mark.name}}}\n"
        yield Change(document.path, ((target, target, text),), f"{mark.name} is never closed")


def block_end(document: Document, start: int) -> int | None:
    """Where the indented block that begins at `start` ends, at the start of a line; None where nothing is indented."""
    lines = document.text.split("\n")
    first = document.line_of(start) - 1
    base, offset = indentation(lines[first]), document.line_span(start)[1]
    target, seen = None, False
    for line in lines[first + 1 :]:
        if line.strip():
            if indentation(line) <= base:
                break
            seen = True
        offset += len(line) + 1
        if line.strip():
            target = offset
    return target if seen and target is not None and target <= len(document.text) else None


def _begin(scene: Scene, document: Document, mark: Mark) -> Iterator[Change]:
    """The missing beginning, before the indented block that its end closes; not where it had arguments to guess."""
    if mark.name in _WITH_ARGUMENTS or mark.name == "document":
        return
    lines = document.text.split("\n")
    last = document.line_of(mark.start) - 1
    base, first = indentation(lines[last]), last
    while first > 0 and (indentation(lines[first - 1]) > base):
        first -= 1
    while first < last and not lines[first].strip():
        first += 1
    if first == last:
        return
    option = usual_option(scene, mark.name)
    if option is not None:
        start = scene.line_start(document, first + 1)
        text = f"{' ' * base}\\begin{{{mark.name}}}{option}\n"
        yield Change(document.path, ((start, start, text),), f"{mark.name} ends and never began")


def usual_option(scene: Scene, name: str) -> str | None:
    """The option that all other environments of this name have, if they agree; None if not."""
    options = Counter(re.findall(rf"\\begin\{{{re.escape(name)}\}}(\[[^\]\n]*\]|)", scene.code))
    if not options:
        return ""
    return next(iter(options)) if len(options) == 1 else None


def end_of_document(scene: Scene) -> Iterator[Change]:
    """The end of a document that has none."""
    yield from end_of_document_in(scene.root)


def end_of_document_in(document: Document) -> Iterator[Change]:
    """The end of this document, where it begins and does not end."""
    if r"\begin{document}" in document.code and r"\end{document}" not in document.text:
        end = len(document.text)
        text = "\\end{document}\n" if document.text.endswith("\n") else "\n\\end{document}\n"
        yield Change(document.path, ((end, end, text),), "the document begins and does not end")


def start_of_document(scene: Scene) -> Iterator[Change]:
    """The beginning of a document that has none, before the first thing that belongs in it."""
    document = scene.root
    if r"\begin{document}" in document.text:
        return
    found = re.search(
        r"^\\(?:maketitle|begin\{(?:abstract|frontmatter|titlepage)\}|section|chapter|tableofcontents)",
        document.code,
        re.MULTILINE,
    )
    if found:
        yield Change(
            document.path, ((found.start(), found.start(), "\\begin{document}\n"),), "the document never begins"
        )


def undefined(scene: Scene) -> Iterator[Change]:
    """Both ends of an environment misspelt: the name that one near miss alone can mean."""
    found = re.search(r"Environment (\S+) undefined", scene.failure.message)
    if not found:
        return
    uses = Counter(re.findall(r"\\begin\s*\{([A-Za-z@]+\*?)\}", scene.code))
    if uses[found[1]] > 1:
        return
    meant = nearest(found[1], scene.environments | set(uses), rank=lambda name: 0 if uses[name] else 1)
    if not meant or (meant[0] != found[1][0]):
        return
    for document in scene.documents.values():
        ends = [mark for mark in marks(document) if mark.name == found[1]]
        if ends:
            splices = tuple((mark.start, mark.end, f"\\{mark.kind}{{{meant}}}") for mark in ends)
            yield Change(document.path, splices, f"{found[1]} is {meant} misspelt")


def verbatim_end(scene: Scene) -> Iterator[Change]:
    """The end of a verbatim text that runs to the end of its file: before the blank line, or what is no code."""
    for document in scene.documents.values():
        for match in re.finditer(r"\\begin\{(verbatim|lstlisting)\}", document.text):
            rest = document.text[match.end() :]
            if document.mask[match.start()] != "L" or rf"\end{{{match[1]}}}" in rest.split(rf"\begin{{{match[1]}}}")[0]:
                continue
            blank = re.search(r"\n[ \t]*\n", rest)
            first = rest.find("\n") + 1
            target = _end_of_code(rest[first : blank.start() + 1] if blank else rest[first:])
            if target:
                target += match.end() + first
                text = f"\\end{{{match[1]}}}\n"
                yield Change(document.path, ((target, target, text),), f"{match[1]} is never closed")


def _end_of_code(text: str) -> int | None:
    """How far a text is code: to the first line of prose with a command in it; None where prose has none."""
    position = 0
    for line in text.split("\n"):
        words = re.findall(r"(?<![\w\\])[a-z]{2,}(?![\w(=])", line)
        if len(words) >= PROSE and "  " not in line.strip():
            return position if re.search(r"\\[A-Za-z#$%&]|\$", line) else None
        position += len(line) + 1
    return min(position, len(text))


def algorithm_blocks(scene: Scene) -> Iterator[Change]:
    """The end of a block of an algorithm, where the indentation says that it ends."""
    document = scene.here
    if document is None:
        return
    for spell in (str, str.upper):
        open_: list[tuple[str, int]] = []
        names = "|".join(spell(name) for name in _BLOCK_OPENERS)
        for match in re.finditer(rf"\\({spell('End')})?({names})(?![A-Za-z])|\\end\{{algorithmic\}}", document.code):
            if match[0].startswith("\\end{"):
                if open_:
                    yield from _close_block(document, *open_[-1], spell("End"))
                open_.clear()
            elif match[1]:
                if open_ and open_[-1][0] == match[2]:
                    open_.pop()
                elif open_:
                    yield from _close_block(document, *open_[-1], spell("End"))
                    return
            else:
                open_.append((match[2], match.start()))


def _close_block(document: Document, name: str, start: int, prefix: str) -> Iterator[Change]:
    target = block_end(document, start)
    if target is not None:
        pad = " " * indentation(document.text.split("\n")[document.line_of(start) - 1])
        yield Change(document.path, ((target, target, f"{pad}\\{prefix}{name}\n"),), f"{name} is never closed")
