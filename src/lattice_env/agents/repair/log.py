"""What TeX said in its log: each error, the file and line where TeX was, and the text around its stop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

WIDE = 10_000
"""The width of the lines that the pinned build's log has; TeX's own default is 79."""

MOST_HEAD, MOST_TAIL = 4 << 20, 4 << 20
"""How much of a long log is read: TeX stops at the first error, so its end tells."""

_OPENED = re.compile(r"\((?P<quoted>\"[^\"\n]+\")|\((?P<plain>[^\s()\"\[\]{}]+)|(?P<open>\()|(?P<close>\))")
_ERROR = re.compile(r"^(?:(?:\./)?(?P<file>[^\n:]{1,255}):(?P<line>\d+): |! ?)(?! *==>)(?P<message>.+)$")
_STOP = re.compile(r"^l\.(?P<line>\d+) ?(?P<before>.*)$")
_RUNAWAY = re.compile(r"^Runaway (?P<what>argument|definition|preamble|text)\?$")
_CONTINUES = re.compile(r"^\([^)]*\) {2,}")
_FRAME = re.compile(r"^(?:<[^>]*>|\\\S* ?->|l\.\d+)")


@dataclass(frozen=True)
class Stop:
    """One error as TeX told it; `file` and `line` are empty and 0 where TeX was in none."""

    message: str
    file: str
    line: int
    before: str = ""
    """The source line up to where TeX stopped."""
    after: str = ""
    """The rest of it."""
    frame: str = ""
    """The innermost thing that TeX was expanding, up to where it stopped: its last word is the culprit."""
    runaway: str = ""
    """The beginning of an argument that never ended."""


def join_wrapped(text: str, width: int) -> list[str]:
    """The lines of a log, with those joined that TeX broke at `width` characters."""
    lines: list[str] = []
    joining = False
    for line in text.split("\n"):
        if joining:
            lines[-1] += line
        else:
            lines.append(line)
        joining = len(line) == width
    return lines


def read_log(text: str, *, width: int = WIDE) -> list[Stop]:
    """The errors of a log in the order in which they came."""
    if len(text) > MOST_HEAD + MOST_TAIL:
        text = text[:MOST_HEAD] + "\n" + text[-MOST_TAIL:]
    return list(_read(join_wrapped(text, width)))


def _read(lines: list[str]) -> Iterator[Stop]:
    stack: list[str] = []
    runaway = ""
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if _RUNAWAY.match(line):
            runaway = lines[index] if index < len(lines) else ""
            index += 1
        elif found := _ERROR.match(line):
            yield _stop(found, lines[index : index + 40], stack, runaway)
            runaway = ""
            index = _past(lines, index)
        else:
            follow(line, stack)


def _past(lines: list[str], index: int) -> int:
    """The index behind an error's context, whose brackets are the document's and open no file."""
    for number in range(index, min(index + 40, len(lines))):
        if _STOP.match(lines[number]):
            return number + 2
        if _ERROR.match(lines[number]):
            return index
    return index


def follow(line: str, stack: list[str]) -> None:
    """Open and close on `stack` the files whose brackets a line of the log holds; other brackets as empty names."""
    for match in _OPENED.finditer(line):
        if match["close"]:
            if stack:
                stack.pop()
        else:
            name = (match["quoted"] or match["plain"] or "").strip('"')
            stack.append(name.removeprefix("./") if _is_path(name) else "")


def _is_path(name: str) -> bool:
    return name.startswith(("./", "/")) or bool(re.fullmatch(r"[\w./+-]+\.[A-Za-z]{2,4}", name))


def _stop(found: re.Match[str], rest: list[str], stack: list[str], runaway: str) -> Stop:
    message = found["message"]
    for line in rest:
        if not _CONTINUES.match(line):
            break
        message += " " + _CONTINUES.sub("", line)
    file, line_number = found["file"] or "", int(found["line"] or 0)
    before = after = ""
    for place, line in enumerate(rest):
        if stopped := _STOP.match(line):
            line_number = line_number or int(stopped["line"])
            before = stopped["before"]
            after = rest[place + 1].strip() if place + 1 < len(rest) else ""
            break
    file = file or next((name for name in reversed(stack) if name), "")
    frame = next((line for line in rest if _FRAME.match(line)), "")
    frame = re.sub(r"^(?:<[^>]*>|l\.\d+) ?", "", frame)
    return Stop(" ".join(message.split()), file, line_number, before, after, frame.rstrip(), runaway)
