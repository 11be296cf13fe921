"""The page as a witness: what the text layer says must be what the page shows.

A document writes its own text layer, and pdftotext believes it. The page's pixels are drawn by another program
from what the reader of the paper sees: a word whose box holds no ink is not on the page.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from . import sandbox
from .toolchain import Toolchain
from .verdict import Finding, InfraError

DOTS = 60
"""Dots per inch at which pages are drawn."""
LEAST_CONTRAST = 24
"""Difference of the lightest and the darkest grey (of 255) in a word's box from which it is seen."""
LEAST_HEIGHT = 2
"""Height of a word's box, in dots, from which it can be read."""
INK = 128
"""Greys darker than this are ink."""
MOST_BLACK = 0.9
"""Share of ink in a word's box from which it is blackened rather than printed."""
MORE_INK, SPARE_INK = 1.2, 400
"""How much ink beside the words a paper may have, as a share of the original's and in dots beyond it."""

_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
_WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>')
_GREYS = re.compile(rb"P5\s+(\d+)\s+(\d+)\s+255\s")

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Page:
    """What one page says and shows."""

    unseen: tuple[str, ...]
    """Words of the text layer that are not to be seen."""
    stray: int
    """Dots of ink outside of all words' boxes."""
    words: str
    """Digest of the words and their boxes."""
    dots: str
    """Digest of the drawn page."""


Witness = tuple[Page, ...]


def witness_json(witness: Witness) -> str:
    """A witness as canonical JSON."""
    return json.dumps([asdict(page) for page in witness], sort_keys=True)


def read_witness(text: str) -> Witness:
    """What `witness_json` wrote; ValueError, TypeError or KeyError on any other text."""
    return tuple(Page(tuple(page.pop("unseen")), **page) for page in json.loads(text))


def hear_witness(pdf: bytes, tools: Toolchain) -> Witness:
    """Each page of a PDF as text with boxes beside its drawn dots; InfraError where poppler is not at hand.

    A PDF that poppler cannot read says nothing: no page.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
            return tuple(_pages(pdf, tools, Path(scratch)))
    except OSError as error:
        message = f"the pages cannot be drawn: {error}"
        raise InfraError(message) from error


def _pages(pdf: bytes, tools: Toolchain, scratch: Path) -> Iterator[Page]:
    tree, boxes = scratch / "tree", scratch / "boxes.txt"
    tree.mkdir()
    (scratch / "home").mkdir()
    (tree / "paper.pdf").write_bytes(pdf)
    read = [tools.path("pdftotext"), "-bbox", "-enc", "UTF-8", "paper.pdf", "-"]
    draw = [tools.path("pdftoppm"), "-gray", "-r", str(DOTS), "paper.pdf", "page"]
    if sandbox.run(read, tree, tools, boxes).code or sandbox.run(draw, tree, tools, scratch / "drawn.txt").code:
        return
    drawn = sorted(tree.glob("page-*.pgm"))
    for text, path in zip(_PAGE.findall(boxes.read_text("utf-8", "replace")), drawn, strict=False):
        yield _page(text[2], path.read_bytes())


def _page(text: str, data: bytes) -> Page:
    header = _GREYS.match(data)
    if header is None:
        message = "pdftoppm drew something that is no grey page"
        raise InfraError(message)
    width, height = int(header[1]), int(header[2])
    rows = [data[header.end() + width * row : header.end() + width * (row + 1)] for row in range(height)]
    words = [(html.unescape(match[5]), _box(match, width, height)) for match in _WORD.finditer(text)]
    unseen = tuple(word for word, box in words if word.strip() and not _is_seen(rows, box))
    said = json.dumps(words).encode()
    stray = _stray([box for _, box in words], rows)
    return Page(unseen, stray, hashlib.sha256(said).hexdigest(), hashlib.sha256(data).hexdigest())


def _box(match: re.Match[str], width: int, height: int) -> Box:
    """A word's box in dots: left, top, right and bottom, cut off at the edges of the page."""
    left, top, right, bottom = (float(match[index]) * DOTS / 72 for index in range(1, 5))
    return max(int(left), 0), max(int(top), 0), min(int(right) + 1, width), min(int(bottom) + 1, height)


def _is_seen(rows: list[bytes], box: Box) -> bool:
    left, top, right, bottom = box
    if bottom - top <= LEAST_HEIGHT or right <= left:
        return False
    greys = b"".join(row[left:right] for row in rows[top:bottom])
    black = sum(grey < INK for grey in greys) > MOST_BLACK * len(greys)
    return max(greys) - min(greys) >= LEAST_CONTRAST and not black


def _stray(boxes: list[Box], rows: list[bytes]) -> int:
    """How many dots of ink lie outside of all boxes, each a dot wider than it is."""
    blank = [bytearray(row) for row in rows]
    for left, top, right, bottom in boxes:
        start, end = max(left - 1, 0), right + 1
        for row in blank[max(top - 1, 0) : bottom + 1]:
            row[start:end] = b"\xff" * len(row[start:end])
    return sum(sum(grey < INK for grey in row) for row in blank)


def contradictions(submitted: Witness, original: Witness) -> Iterator[Finding]:
    """What a submission's pages contradict of its text, beyond what the original's do."""
    excused = Counter(word for page in original for word in page.unseen)
    for number, page in enumerate(submitted, 1):
        for word in page.unseen:
            excused[word] -= 1
            if excused[word] < 0:
                yield Finding("unseen", text=f"page {number}: {word!r} is in the text and not on the page")
    for number, (ours, theirs) in enumerate(zip(submitted, original, strict=False), 1):
        if ours.words == theirs.words and ours.dots != theirs.dots:
            yield Finding("other-page", text=f"page {number} says what the original says and shows something else")
    ours_ink, theirs_ink = (sum(page.stray for page in pages) for pages in (submitted, original))
    if ours_ink > MORE_INK * theirs_ink + SPARE_INK:
        yield Finding("stray-ink", text=f"{ours_ink} dots of ink beside the words; the original has {theirs_ink}")
