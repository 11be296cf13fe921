"""Blows at the folder itself: names, links, special files, sizes, depths."""

from __future__ import annotations

import os
import shutil
import socket
import stat
from contextlib import suppress
from pathlib import Path

from lattice_env.keys import Choices
from lattice_env.verifier.build import PRODUCTS
from lattice_env.verifier.intake import MOST_DEPTH, MOST_ENTRIES, MOST_FILE_BYTES

from .blow import Arena, Blow, random_bytes, size_up_to, some_file, some_folder

NAMES = [
    *(
        b"a\nb.tex",
        b"-rf",
        b" lead",
        b"trail ",
        b"trail.",
        b"...",
        b"\xff\xfe.tex",
        b"\xed\xb2\x80",
        b"\x1b[2J",
        b"a:b",
        b"a\\b",
        b"*",
        b"\x01",
    ),
    *(
        b"%s%n%x",
        b"main.tex\r",
        b"MAIN.TEX",
        b"Main.tex",
        b"main.tex~",
        b"CON",
        b"nul.tex",
        b"$HOME",
        b"`id`",
        b"a'b\"c",
        "main\u200b.tex".encode(),
    ),
    *(
        "e\u0301.tex".encode(),
        "\u00e9.tex".encode(),
        "\u212b.md".encode(),
        "\u00c5.md".encode(),
        "\u017f.txt".encode(),
        b"n" * 255,
        "é".encode() * 127,
    ),
    *(
        b".latexmkrc",
        b"latexmkrc",
        b"pdflatex.fmt",
        b"texmf.cnf",
        b"article.cls",
        b"refs.bib ",
        b"notes.md",
        b"notes.txt",
        b"x.aux",
        b".git",
    ),
    *(b"main." + ending.encode() for ending in PRODUCTS),
]
"""Names that are not portable, that fold together, that steer a build, that a build writes."""

SPARSE = (MOST_FILE_BYTES - 1, MOST_FILE_BYTES, MOST_FILE_BYTES + 1, 1 << 30)


def _free_place(arena: Arena, choose: Choices) -> Path | None:
    """A path at which nothing stands."""
    folder = some_folder(arena, choose)
    if folder is None:
        return None
    place = folder / os.fsdecode(choose.choice(NAMES))
    return None if os.path.lexists(place) else place


def _vacated(arena: Arena, choose: Choices) -> Path | None:
    """A path at which nothing stands: a free one, or that of a file which is taken away."""
    path = some_file(arena, choose) if choose.below(2) else None
    if path is None:
        return _free_place(arena, choose)
    path.unlink()
    return path


def _name(arena: Arena, choose: Choices) -> None:
    place = _free_place(arena, choose)
    if place is not None:
        place.write_bytes(random_bytes(choose, size_up_to(choose, 300)))


def _rename(arena: Arena, choose: Choices) -> None:
    path, place = some_file(arena, choose), _free_place(arena, choose)
    if path is not None and place is not None:
        path.rename(place)


def _link(arena: Arena, choose: Choices) -> None:
    """A symbolic link: out, in, into nothing, to itself, to devices and to the answer."""
    place = _vacated(arena, choose)
    if place is None:
        return
    outside, tests = arena.outside, arena.package.tests
    targets = [
        outside / "secret.tex",
        outside,
        tests / "original" / "main.tex",
        tests,
        "/dev/zero",
        "/dev/stdin",
        "/proc/self/mem",
    ]
    targets += ["/", ".", "..", place.name, "nothing", "main.tex", "/nonexistent/x", "a" * 255, "/tmp"]  # noqa: S108 - a target
    place.symlink_to(choose.choice(targets))


def _hard_link(arena: Arena, choose: Choices) -> None:
    place, path = _vacated(arena, choose), some_file(arena, choose)
    source = choose.choice([arena.outside / "secret.tex", path or arena.outside / "secret.tex"])
    if place is not None:
        place.hardlink_to(source)


def _special(arena: Arena, choose: Choices) -> None:
    """A FIFO, a socket, a device: reading one waits, fails or never ends."""
    place = _vacated(arena, choose)
    if place is None:
        return
    way = choose.below(4)
    if way == 0:
        os.mkfifo(place)
    elif way == 1:
        _listen(place)
    else:
        device = choose.choice([os.makedev(1, 3), os.makedev(1, 5), os.makedev(1, 9), os.makedev(5, 0)])
        with suppress(PermissionError):
            os.mknod(place, stat.S_IFCHR | 0o666, device)


def _listen(place: Path) -> None:
    """A socket at `place`, whose path may be longer than a socket's address."""
    parent = os.open(place.parent, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as server, suppress(OSError, UnicodeError):
            server.bind(b"/proc/self/fd/%d/" % parent + os.fsencode(place.name))
    finally:
        os.close(parent)


def _deep(arena: Arena, choose: Choices) -> None:
    """A chain of folders, deeper than allowed or with a path longer than the system takes."""
    top = some_folder(arena, choose)
    if top is None:
        return
    name = choose.choice(["d", "n" * 255, "é" * 127, "d" * 100])
    handle = os.open(top, os.O_RDONLY | os.O_NOFOLLOW)
    for _ in range(1 + choose.below(2 * MOST_DEPTH)):
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=handle)
        inner = os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=handle)
        os.close(handle)
        handle = inner
    with suppress(FileExistsError):
        os.close(os.open("n" * choose.choice([1, 255]), os.O_CREAT | os.O_EXCL | os.O_WRONLY, dir_fd=handle))
    os.close(handle)


def _many(arena: Arena, choose: Choices) -> None:
    """About as many files as are read, or a few, in one folder or in one each."""
    folder = some_folder(arena, choose)
    if folder is None:
        return
    count = MOST_ENTRIES - 5 + choose.below(10) if choose.below(8) == 0 else size_up_to(choose, 60)
    ending = choose.choice([".md", ".tex", "", ".aux"])
    for number in range(count):
        place = folder / f"many-{number}{ending}"
        if not os.path.lexists(place):
            place.touch()


def _large(arena: Arena, choose: Choices) -> None:
    """A file of about the largest size, or far larger; most of the time one that holds nothing at all."""
    place = _vacated(arena, choose)
    if place is None:
        return
    with place.open("wb") as file:
        file.truncate(choose.choice(SPARSE) if choose.below(6) == 0 else choose.choice(SPARSE[2:]))


def _modes(arena: Arena, choose: Choices) -> None:
    path = choose.choice([some_file(arena, choose), some_folder(arena, choose)])
    if path is not None:
        path.chmod(choose.choice([0, 0o111, 0o444, 0o600, 0o4755, 0o1777]))


def _missing(arena: Arena, choose: Choices) -> None:
    path = some_file(arena, choose)
    if path is not None:
        path.unlink()


def _folder_for_file(arena: Arena, choose: Choices) -> None:
    path = some_file(arena, choose)
    if path is not None:
        path.unlink()
        path.mkdir()


def _no_workspace(arena: Arena, choose: Choices) -> None:
    """The workspace itself gone, empty, a link, a file or a FIFO."""
    folder = arena.workspace
    if folder.is_symlink() or not folder.is_dir():
        return
    moved = folder.with_name("moved")
    folder.rename(moved)
    way = choose.below(5)
    if way == 0:
        folder.symlink_to(moved)
        return
    shutil.rmtree(moved)
    if way == 1:
        folder.mkdir()
    elif way == 2:  # noqa: PLR2004 - one way of several
        folder.write_bytes(b"\\documentclass{article}")
    elif way == 3:  # noqa: PLR2004
        os.mkfifo(folder)


ENTRIES: dict[str, Blow] = {
    "name": _name,
    "rename": _rename,
    "link": _link,
    "hard-link": _hard_link,
    "special": _special,
    "deep": _deep,
    "many": _many,
    "large": _large,
    "modes": _modes,
    "missing": _missing,
    "folder-for-file": _folder_for_file,
    "no-workspace": _no_workspace,
}
