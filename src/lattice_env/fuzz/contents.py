"""Blows at what files hold: bytes that are no text, text that is no LaTeX, LaTeX that never ends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lattice_env.keys import Choices
from lattice_env.verifier.latex import decode, encode, tokens

from .blow import Arena, Blow, random_bytes, regular_files, size_up_to, some_file

MOST_INSERTED = 60_000
"""Bytes that one blow puts in; more than a paper may grow by is another blow's affair."""

PIECES = r"""
\iffalse \fi \else \iftrue \if \ifx \endinput \begin{document} \end{document} \begin{verbatim} \end{verbatim}
\begin{comment} \end{comment} \begin{filecontents} \begin{lstlisting} \verb| \verb \lstinline[ \url{ \url[
\href{ \path{ { } [ ] ( $ $$ % %& # & ~ ^ _ ^^ ^^5c ^^M ^^^^ \ \\ \\[ \label[ \label{ \label \ref{ \ref \cite{
\cite[ \newcommand\a[1]{ \newcommand{\a}[1]{ \newcommand \def \def\a \let \let\ \csname \endcsname
\csname\endcsname \usepackage[ \usepackage{ \documentclass{ \input{ \input[ \includegraphics[ \write18 \input|
\catcode`\%=12 \makeatletter @a{ @@ @article{ @article(x, @string \item \section* \begin{figure} \end{figure}
\par " ' ` | = - \newenvironment{ \renewcommand\ref[1]{ \setcounter{ \batchmode \immediate\write \openout
\AtBeginDocument{ \emph \emph{
""".split()
"""What the verifier's readers look for, whole and cut off."""

ODD = [
    *(
        b"\0",
        b"\x0b",
        b"\x0c",
        b"\x1b[31m",
        b"\x7f",
        b"\r",
        b"\n\r",
        b"\x1c\x1d\x1e",
        b"\xff",
        b"\xfe\xff",
        b"\xc0\xaf",
        b"\xed\xa0\x80",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xf4\x90\x80\x80",
        b"\xe2\x80\xa8",
        b"\xc2\x85",
        b"\xe2\x80\xae",
        b"\xcc\x81" * 40,
        "ﬁ𝓪½İß".encode(),
    ),
    *("\U000e0001".encode(), "\uffff".encode(), "Å".encode(), "A\u030a".encode(), b"\xa0", b"\xe9"),
]
"""Bytes that decoders, splitters of lines and comparers of names trip over."""


def _changing(change: Callable[[bytes, Choices, Arena], bytes]) -> Blow:
    def blow(arena: Arena, choose: Choices) -> None:
        path = some_file(arena, choose)
        if path is not None:
            path.write_bytes(change(path.read_bytes(), choose, arena))

    return blow


def _inserting(make: Callable[[Choices], bytes]) -> Blow:
    def change(data: bytes, choose: Choices, arena: Arena) -> bytes:
        place = choose.below(len(data) + 1)
        return data[:place] + make(choose) + data[place:]

    return _changing(change)


def _spoil(data: bytes, choose: Choices, arena: Arena) -> bytes:
    """A stretch replaced by random bytes."""
    start = choose.below(len(data) + 1)
    size = size_up_to(choose, 4096)
    return data[:start] + random_bytes(choose, size) + data[start + size :]


def _flip(data: bytes, choose: Choices, arena: Arena) -> bytes:
    """A few single bytes changed."""
    flipped = bytearray(data)
    for _ in range(size_up_to(choose, 64) if data else 0):
        flipped[choose.below(len(data))] = choose.below(256)
    return bytes(flipped)


def _truncate(data: bytes, choose: Choices, arena: Arena) -> bytes:
    return data[: choose.below(len(data) + 1)]


def _splice(data: bytes, choose: Choices, arena: Arena) -> bytes:
    """The head of one file and the tail of another, shipped or original."""
    spec = arena.package.spec
    others = [*arena.package.workspace.values(), *spec.original.values()]
    other = choose.choice(others)
    return data[: choose.below(len(data) + 1)] + other[choose.below(len(other) + 1) :]


def _shuffle(data: bytes, choose: Choices, arena: Arena) -> bytes:
    """Its lines in another order, or some of them twice or gone."""
    lines = data.split(b"\n")
    way = choose.below(3)
    if way == 0:
        return b"\n".join(choose.shuffled(lines))
    copies = [choose.below(3) if choose.below(8) == 0 else 1 for _ in lines]
    if way == 1:
        copies = [max(count, 1) for count in copies]
    return b"\n".join(line for line, count in zip(lines, copies, strict=True) for _ in range(count))


def _reword(data: bytes, choose: Choices, arena: Arena) -> bytes:
    """Some tokens replaced by others of the file; white space is lost, as in an agent's careless rewrite."""
    found = tokens(decode(data))
    for _ in range(size_up_to(choose, 30) if found else 0):
        found[choose.below(len(found))] = choose.choice(found)
    return encode(" ".join(found), data)


def _recode(data: bytes, choose: Choices, arena: Arena) -> bytes:
    encoding = choose.choice(["utf-16", "utf-32-be", "latin-1", "utf-8-sig", "cp037", "utf-7"])
    return decode(data).encode(encoding, "replace")


def _ends(data: bytes, choose: Choices, arena: Arena) -> bytes:
    """Other ends of lines."""
    return data.replace(b"\n", choose.choice([b"\r", b"\r\n", b"\x0c", b"\xe2\x80\xa8", b"\n\n", b"", b"\x85"]))


def _piece(choose: Choices) -> bytes:
    """One piece, over and over."""
    piece = (choose.choice(PIECES) + choose.choice(["", " ", "\n"])).encode()
    return piece * max(size_up_to(choose, MOST_INSERTED) // len(piece), 1)


def _soup(choose: Choices) -> bytes:
    """Many pieces in any order."""
    count = size_up_to(choose, 3000)
    return "".join(choose.choice(PIECES) + choose.choice(["", " ", "\n", "x"]) for _ in range(count)).encode()


def _run(choose: Choices) -> bytes:
    """A piece, and a run of one character behind it: the food of patterns that backtrack."""
    run = choose.choice([" ", "\n", "a", "*", "{", "[", "%", "\\", "\t", "@", ",", "(", "\u00e9", "0"])
    return (choose.choice(PIECES) + run * size_up_to(choose, MOST_INSERTED)).encode()[:MOST_INSERTED]


def _line(choose: Choices) -> bytes:
    """A huge line of words."""
    return b" ".join(
        choose.choice([b"word", b"a", b"\\emph{x}", b"1", b"%"]) for _ in range(size_up_to(choose, 12_000))
    )


def _odd(choose: Choices) -> bytes:
    return choose.choice(ODD) * size_up_to(choose, 200)


def _balance(choose: Choices, mark: str) -> bytes:
    return mark.encode() * size_up_to(choose, 20_000)


def _nest(choose: Choices) -> bytes:
    """Switched-off parts in one another, closed too rarely or too often."""
    depth = size_up_to(choose, 4000)
    ends = choose.choice(["\\fi", "\\else", "\\fi ", "%\\fi\n", ""])
    return ("\\iffalse\n" * depth + ends * choose.below(2 * depth + 1)).encode()


def _grow(data: bytes, choose: Choices, arena: Arena) -> bytes:
    """The file many times over, up to two megabytes."""
    return data * min(1 + choose.below(200), (2 << 20) // max(len(data), 1) + 1)


def _empty(data: bytes, choose: Choices, arena: Arena) -> bytes:
    return choose.choice([b"", b"\0", b"\n", b"\\", b"%", b"{", b"\xff"])


def repair(arena: Arena, choose: Choices) -> None:
    """The reference repair, so that what else is done to the workspace might be paid for."""
    for path, data in arena.package.spec.original.items():
        if arena.workspace / path in regular_files(arena.workspace):
            (arena.workspace / path).write_bytes(data)


CONTENTS: dict[str, Blow] = {
    "spoil": _changing(_spoil),
    "flip": _changing(_flip),
    "truncate": _changing(_truncate),
    "splice": _changing(_splice),
    "shuffle": _changing(_shuffle),
    "reword": _changing(_reword),
    "recode": _changing(_recode),
    "line-ends": _changing(_ends),
    "grow": _changing(_grow),
    "empty": _changing(_empty),
    "piece": _inserting(_piece),
    "soup": _inserting(_soup),
    "run": _inserting(_run),
    "line": _inserting(_line),
    "odd": _inserting(_odd),
    "open-braces": _inserting(partial(_balance, mark="{")),
    "closed-braces": _inserting(partial(_balance, mark="}")),
    "nested-iffalse": _inserting(_nest),
}
