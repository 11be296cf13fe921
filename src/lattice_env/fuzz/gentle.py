"""Blows that the static gates let through, so that TeX gets to read what they leave."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from lattice_env.keys import Choices
from lattice_env.verifier.build import PRODUCTS
from lattice_env.verifier.latex import Document, decode, is_utf8

from .blow import Arena, Blow, random_bytes, size_up_to, some_folder
from .contents import ODD, PIECES

_WORD = re.compile(r"(?<=[a-z,] )[a-z]{4,}(?= [a-z])")


def _writing(change: Callable[[str, Choices], str]) -> Blow:
    """A blow at the root document's text, where it is still there."""

    def blow(arena: Arena, choose: Choices) -> None:
        path = arena.workspace / arena.package.spec.root
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            encoding = "utf-8" if is_utf8(data) else "latin-1"
            path.write_bytes(change(decode(data), choose).encode(encoding, "replace"))

    return blow


def _at_word(text: str, choose: Choices, make: Callable[[str], str]) -> str:
    """`text` with one word of its running text made into something else."""
    document = Document("main.tex", text)
    words = [match for match in _WORD.finditer(document.code) if match.start() > document.body_start]
    if not words:
        return text
    match = choose.choice(words)
    return text[: match.start()] + make(match[0]) + text[match.end() :]


def _swap(text: str, choose: Choices) -> str:
    other = choose.choice(["paper", "other", "reader", "slowly", "Zebra", "wwwwwwwwww", "x"])
    return _at_word(text, choose, lambda _: other)


def _dress(text: str, choose: Choices) -> str:
    """A word in plain commands, well made or not."""
    shapes = [
        r"\emph{%s}",
        r"$%s$",
        r"\textbf{%s}",
        r"%s\footnote{x}",
        r"%s\ref{none}",
        r"%s~\cite{none}",
        r"$%s^{2}_{3}$",
        r"\emph{%s",
    ]
    shapes += [
        r"%s}",
        r"%s & x",
        r"%s_x",
        r"%s \[ x \]",
        r"%s\item x",
        r"%s\\[9999cm]",
        r"%s\hspace{16383pt}",
        r"\textbf{\textit{%s}}",
    ]
    shape = choose.choice(shapes)
    return _at_word(text, choose, lambda word: shape.replace("%s", word))


def _lengthen(text: str, choose: Choices) -> str:
    """A word of up to sixty thousand letters: one token."""
    count = size_up_to(choose, 60_000)
    return _at_word(text, choose, lambda word: word[:1] * count)


def _flood(text: str, choose: Choices) -> str:
    """Paragraph upon paragraph of nothing: white space is no edit."""
    space = choose.choice(["\n", " ", "\n\n", "\t", "\n \n"])
    return _at_word(text, choose, lambda word: word + space * size_up_to(choose, 20_000))


def _comment(text: str, choose: Choices) -> str:
    """A comment, of pieces or of odd bytes, behind a line."""
    lines = text.split("\n")
    number = choose.below(len(lines))
    said = choose.choice(
        [" ".join(choose.choice(PIECES) for _ in range(4)), decode(choose.choice(ODD)), "x" * size_up_to(choose, 5000)]
    )
    lines[number] += " %" + "".join(said.splitlines())
    return "\n".join(lines)


def _letter(text: str, choose: Choices) -> str:
    letter = decode(choose.choice(ODD))[:1]
    return _at_word(text, choose, lambda word: word[:2] + letter + word[2:])


def _note(arena: Arena, choose: Choices) -> None:
    folder = some_folder(arena, choose)
    if folder is not None:
        (folder / choose.choice(["notes.md", "todo.txt"])).write_bytes(random_bytes(choose, size_up_to(choose, 3000)))


def _product(arena: Arena, choose: Choices) -> None:
    """What a build would write, there before it: bytes, or lines that LaTeX would read."""
    stem = arena.package.spec.root.rpartition(".")[0]
    place = arena.workspace / f"{stem}.{choose.choice(PRODUCTS)}"
    lines = [
        random_bytes(choose, 200),
        b"\\newlabel{sec:x}{{9}{9}{}{}{}}\n",
        b"\\batchmode\\end\n",
        b"%PDF-1.5\n%%EOF\n",
    ]
    if some_folder(arena, choose) and not os.path.lexists(place):
        place.write_bytes(choose.choice(lines))


GENTLE: dict[str, Blow] = {
    "swap-word": _writing(_swap),
    "dress-word": _writing(_dress),
    "lengthen-word": _writing(_lengthen),
    "flood-space": _writing(_flood),
    "comment": _writing(_comment),
    "letter": _writing(_letter),
    "note": _note,
    "product": _product,
}
