"""The four tools over the pages of one document: `search_doc`, `read_page`, `edit_text`, `submit`.

Every call costs a turn, refused ones too, and a refusal says why. After `submit`, or after the last turn, nothing
changes any more. There is no way back to the start. This file travels, with `lattice_env.actions`, in packages whose
document is behind a server: it imports nothing else but the standard library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from lattice_env.actions import Parameter, RefusedError, Reply, Tool, check_call, refusal

MOST_HITS = 12
MOST_QUERY, MOST_TEXT = 200, 4000
"""Longest query and longest text of an edit, in characters."""


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "search_doc",
            "Find text on all pages, whatever its case; at most 12 hits, each with its page and line.",
            {"query": Parameter(str, "the text to look for")},
        ),
        Tool("read_page", "Read one page whole.", {"page": Parameter(int, "the page, from 1")}),
        Tool(
            "edit_text",
            "Replace text on one page. The old text must stand there exactly, and once.",
            {
                "page": Parameter(int, "the page, from 1"),
                "old_text": Parameter(str, "the exact text that stands there once"),
                "new_text": Parameter(str, "what stands there afterwards"),
            },
        ),
        Tool("submit", "End the attempt: the document as it stands is judged.", {}),
    )
}


class Desk:
    """One attempt at a document. It is used once: nothing in it can be set back."""

    def __init__(self, pages: Sequence[str], max_turns: int) -> None:
        self.max_turns = max_turns
        self.submitted = False
        self.counts: Counter[str] = Counter()
        """Calls by tool, and `refused` and `num_edits`."""
        self.turns = 0
        self._pages = list(pages)
        self._lowered = [page.lower() for page in self._pages]
        self._tools: Mapping[str, Callable[..., str]] = {
            "search_doc": self._search_doc,
            "read_page": self._read_page,
            "edit_text": self._edit_text,
            "submit": self._submit,
        }

    @property
    def over(self) -> bool:
        """Whether nothing can be done any more."""
        return self.submitted or self.turns >= self.max_turns

    def act(self, name: str, arguments: object) -> Reply:
        """What a tool answers; it costs a turn whatever it answers.

        `arguments` are an object of JSON; anything else, a text that is no JSON among them, is refused.
        """
        if self.over:
            why = "it was submitted" if self.submitted else f"all {self.max_turns} turns are used"
            return Reply(f"Refused: the attempt is over, {why}.", refused=True)
        self.turns += 1
        try:
            checked = check_call(TOOLS, name, arguments)
            self.counts[name] += 1
            return Reply(self._tools[name](**checked))
        except RefusedError as error:
            self.counts["refused"] += 1
            return refusal(error)

    def turn(self, calls: Sequence[tuple[str, object]]) -> list[Reply]:
        """The answers to what an agent calls in one turn: one call; more, or none, are refused and cost the turn."""
        if len(calls) == 1:
            return [self.act(*calls[0])]
        self.turns += not self.over
        self.counts["refused"] += 1
        return [Reply("Refused: one tool a turn.", refused=True) for _ in calls]

    @property
    def pages(self) -> Sequence[str]:
        """The pages as they stand, each without its last line end."""
        return tuple(self._pages)

    def metrics(self) -> dict[str, float]:
        """What was done: edits, turns, refusals, calls by tool, and whether it was submitted."""
        calls = {f"{name}_calls": float(self.counts[name]) for name in TOOLS}
        return {
            "num_edits": float(self.counts["num_edits"]),
            "num_turns": float(self.turns),
            "refused_calls": float(self.counts["refused"]),
            "submitted": float(self.submitted),
            **calls,
        }

    def _search_doc(self, query: str) -> str:
        if not query.strip():
            raise RefusedError("the query is empty.")
        if len(query) > MOST_QUERY:
            message = f"the query is longer than {MOST_QUERY} characters."
            raise RefusedError(message)
        hits: list[str] = []
        for page, line, text in self._hits(query.lower()):
            if len(hits) == MOST_HITS:
                hits.append(f"There are more than these {MOST_HITS}; a longer query finds fewer.")
                break
            hits.append(f"page {page}, line {line}: {text}")
        return "\n".join(hits) if hits else "No hits."

    def _hits(self, query: str) -> Iterator[tuple[int, int, str]]:
        """Page, line and text of every line that holds the query; a query of several lines is at its first."""
        for number, lowered in enumerate(self._lowered, 1):
            page, at = self._pages[number - 1], lowered.find(query)
            line, start = 1, 0
            while at >= 0:
                line += lowered.count("\n", start, at)
                end = lowered.find("\n", at)
                if len(lowered) == len(page):
                    yield number, line, page[page.rfind("\n", 0, at) + 1 : end if end >= 0 else None]
                else:  # a character whose small form is longer has moved everything behind it
                    yield number, line, page.split("\n", line)[line - 1]
                start = end
                at = lowered.find(query, end + 1) if end >= 0 else -1

    def _read_page(self, page: int) -> str:
        return self._pages[self._index(page)]

    def _edit_text(self, page: int, old_text: str, new_text: str) -> str:
        index = self._index(page)
        _check_texts(old_text, new_text)
        text = self._pages[index]
        at = text.find(old_text)
        if at < 0:
            message = f"old_text is not found on page {page}; it must be exactly as it stands there."
            raise RefusedError(message)
        if text.find(old_text, at + 1) >= 0:
            message = f"old_text is found {_places(text, old_text)} on page {page}; it must be there once."
            raise RefusedError(message)
        self._pages[index] = text[:at] + new_text + text[at + len(old_text) :]
        self._lowered[index] = self._pages[index].lower()
        self.counts["num_edits"] += 1
        return f"Replaced on page {page}, line {text.count(chr(10), 0, at) + 1}."

    def _submit(self) -> str:
        self.submitted = True
        return "Submitted."

    def _index(self, page: int) -> int:
        if not 1 <= page <= len(self._pages):
            message = f"there is no page {page}: the pages are 1 to {len(self._pages)}."
            raise RefusedError(message)
        return page - 1


def _check_texts(old_text: str, new_text: str) -> None:
    """RefusedError for texts that no edit has."""
    if not old_text:
        raise RefusedError("old_text is empty.")
    if old_text == new_text:
        raise RefusedError("old_text and new_text are the same.")
    for word, text in (("old_text", old_text), ("new_text", new_text)):
        if len(text) > MOST_TEXT:
            message = f"{word} is longer than {MOST_TEXT} characters."
            raise RefusedError(message)
        if not text.isascii() and any("\ud800" <= mark <= "\udfff" for mark in text):
            message = f"{word} holds half a character."
            raise RefusedError(message)
        if not text.isprintable() and any(mark < " " and mark not in "\n\t" for mark in text):
            message = f"{word} holds a control character."
            raise RefusedError(message)


def _places(text: str, old: str) -> str:
    """How often, and in which lines."""
    lines: list[str] = []
    count, at = 0, text.find(old)
    while at >= 0:
        count += 1
        lines.append(str(text.count("\n", 0, at) + 1))
        at = text.find(old, at + 1)
    shown = ", ".join(dict.fromkeys(lines[:10])) + (", …" if count > 10 else "")  # noqa: PLR2004 - enough to see where
    return f"{count} times (line {shown})"
