"""The oracle: reaches the expected document through the four tools alone, as an agent could that knew the answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.verifier.edit_spec import EditSpec, Site, lines_of

from .session import MOST_QUERY, Session

_HIT = re.compile(r"page (\d+), line (\d+): ")
LONGEST_BLOCK = 8
"""Most neighbouring lines that are replaced by one edit."""


def play_oracle(session: Session) -> None:
    """Find every site by searching for what stands there, read the pages that searching misses, edit, submit."""
    spec = session.spec
    seen: set[tuple[int, int]] = set()
    for site in spec.sites:
        if _place(spec, site) not in seen:
            seen |= _search(session, _query(spec, site))
        if _place(spec, site) not in seen:
            page = _place(spec, site)[0]
            session.act("read_page", {"page": page})
            seen |= {_place(spec, other) for other in spec.sites if _place(spec, other)[0] == page}
    for page, old, new in edits(spec):
        session.act("edit_text", {"page": page, "old_text": old, "new_text": new})
    session.act("submit", {})


def _place(spec: EditSpec, site: Site) -> tuple[int, int]:
    return spec.editable.index(site.page) + 1, site.line


def _query(spec: EditSpec, site: Site) -> str:
    """What has to be looked for: the longest run of text that this line loses."""
    before = lines_of(spec.initial[site.page])[site.line - 1]
    after = lines_of(spec.original[site.page])[site.line - 1]
    words = [word for word in before.split(" ") if word and word not in after.split(" ")]
    return max(words, key=len, default=before.strip())[:MOST_QUERY]


def _search(session: Session, query: str) -> set[tuple[int, int]]:
    answer = session.act("search_doc", {"query": query}).text
    return {(int(found[1]), int(found[2])) for line in answer.split("\n") if (found := _HIT.match(line))}


def edits(spec: EditSpec) -> Iterator[tuple[int, str, str]]:
    """Page, old text, new text of every edit: neighbouring sites together, and no more text than is there once."""
    for number, page in enumerate(spec.editable, 1):
        before, after = lines_of(spec.initial[page]), lines_of(spec.original[page])
        lines = sorted(site.line - 1 for site in spec.sites if site.page == page)
        text = "\n".join(before)
        for start, end in _blocks(lines):
            low, high = start, end
            while text.count("\n".join(before[low:high])) > 1 and (low > 0 or high < len(before)):
                low, high = max(0, low - 1), min(len(before), high + 1)
            old = "\n".join(before[low:high])
            before[start:end] = after[start:end]
            yield number, old, "\n".join(before[low:high])
            text = "\n".join(before)


def _blocks(lines: list[int]) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring lines, each `start` to `end`; one line between two sites does not part them."""
    start = end = -1
    for line in lines:
        if start >= 0 and line <= end + 1 and line + 1 - start <= LONGEST_BLOCK:
            end = line + 1
            continue
        if start >= 0:
            yield start, end
        start, end = line, line + 1
    if start >= 0:
        yield start, end
