"""Lists, floats, pictures and the rest of what a paper is built of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .environments import usual_option
from .scene import Change, Scene, indentation

_GOES_ON = re.compile(r"(?:[,;]|[,;]?\s(?:and|or))$")
_ITEM_BEHIND = re.compile(
    r"(?P<end>[ \t]*\\end\{(?:itemize|enumerate|description)\}[ \t]*\n)"
    r"(?P<item>[ \t]*\\item(?![A-Za-z])[^\n]*\n(?:(?![ \t]*\n|\\begin|\\end|\\item|\\section)[^\n]*\n)*)"
)


def first_item(scene: Scene) -> Iterator[Change]:
    """A list that begins with text no item holds."""
    for document in scene.documents.values():
        for match in re.finditer(
            r"\\begin\{(itemize|enumerate|description)\}(?:\[[^\]]*\])?\s*(?=[^\\\s%\[])", document.code
        ):
            yield Change(document.path, ((match.end(), match.end(), "\\item "),), f"{match[1]} begins without an item")


def item_outside(scene: Scene) -> Iterator[Change]:
    """An item right behind the end of its list, where the last one inside says that another follows.

    Elsewhere its place, and with it the number of each item, would be a guess.
    """
    for document in scene.documents.values():
        for match in _ITEM_BEHIND.finditer(document.code):
            if not _GOES_ON.search(document.code[: match.start()].rstrip()):
                continue
            lines = document.text[match.start("item") : match.end("item")].split("\n")
            taken = 1
            while taken < len(lines) - 1 and indentation(lines[taken]) > indentation(lines[0]):
                taken += 1
            item = "\n".join(lines[:taken]) + "\n"
            span = (
                match.start(),
                match.start("item") + len(item),
                item + document.text[match.start("end") : match.end("end")],
            )
            yield Change(document.path, (span,), "an item stands behind the end of its list")


def caption(scene: Scene) -> Iterator[Change]:
    """A caption in a `center`: the float that it was, by what it holds, placed as all others are."""
    document = scene.here
    if document is None or "outside float" not in scene.failure.message:
        return
    for match in re.finditer(r"\\begin\{center\}(.*?)\\end\{center\}", document.code, re.DOTALL):
        if r"\caption" not in match[1]:
            continue
        kind = "table" if r"\begin{tabular" in match[1] else "figure" if r"\includegraphics" in match[1] else ""
        option = usual_option(scene, kind)
        if kind and option is not None:
            splices = (
                (match.start(), match.start() + len("\\begin{center}"), f"\\begin{{{kind}}}{option}"),
                (match.end() - len("\\end{center}"), match.end(), f"\\end{{{kind}}}"),
            )
            yield Change(document.path, splices, f"a caption stands in a {kind}")


def line_end(scene: Scene) -> Iterator[Change]:
    """A line that is ended where none has begun: behind a heading or a blank line."""
    if "no line here to end" not in scene.failure.message:
        return
    for document in scene.documents.values():
        for match in re.finditer(r"(\\(?:label|section|subsection)\{[^{}]*\})([ \t]*\\\\)[ \t]*(?=\n)", document.code):
            yield Change(document.path, ((*match.span(2), ""),), "no line has begun here")


def semicolon(scene: Scene) -> Iterator[Change]:
    """A path of a picture that lacks its semicolon, before the next one."""
    document = scene.here
    if document is None or "tikz" not in scene.failure.message:
        return
    for match in re.finditer(
        r"([^\s;{}\]])[ \t]*\n\s*\\(?:draw|node|path|fill|coordinate|foreach|end\{tikzpicture\})", document.code
    ):
        line = document.code[document.line_span(match.start(1))[0] : match.end(1)]
        picture = document.code.rfind(r"\begin{tikzpicture}", 0, match.start())
        if picture > document.code.rfind(r"\end{tikzpicture}", 0, match.start()) and not line.strip().startswith(
            r"\begin"
        ):
            yield Change(document.path, ((match.end(1), match.end(1), ";"),), "a path has no semicolon")


def conditional(scene: Scene) -> Iterator[Change]:
    """An `\\fi` that ends nothing, where TeX stopped at it."""
    document, stop = scene.here, scene.stopped()
    if document is None or stop is None or not re.match(r"Extra \\fi", scene.failure.message):
        return
    if document.text[stop - 3 : stop] == "\\fi":
        yield Change(document.path, ((stop - 3, stop, ""),), "there is no conditional to end")
