"""Scrubbing: what must not leave the machine is replaced in every text that does."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lattice_env.extras import need

from .names import author_blocks, name_pattern
from .project import EXTRA, Person

_KEY_BLOCK = re.compile(r"-----BEGIN [^-\n]*-----.*?(?:-----END [^-\n]*-----|\Z)", re.DOTALL)
_URL = re.compile(
    r"(?i:(?:https?|ftps?|sftp|ssh|git|file|mailto|doi|data)://?[^\s{}\\]*(?:\\[#%&_~][^\s{}\\]*)*|www\.[^\s{}]+)"
    r"|(?<![\w@.-])(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?/[^\s{}]+"
)
_EMAIL = re.compile(
    r"(?:\{[^{}@]+\}|\\\{[^{}@]+\\\}|(?:[\w.+-]|\\[_&%#-])+)\s*(?:@|\\@|\{@\}|\[at\]|\(at\)|\\textbar?at\b)\s*"
    r"[\w-]+(?:(?:\.|\s*(?:\[dot\]|\(dot\))\s*|\\-)[\w-]+)+",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:/home/|/Users/|/root/|[A-Z]:\\+Users\\+|~/)[^\s{}\"']*")
_ORCID = re.compile(r"\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b")
_WORD = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
_SMALLEST_SECRET = 4
"""Characters of the shortest text that is taken out as a secret: shorter ones would take words to pieces."""


KINDS = ("author", "secret", "email", "url", "path", "orcid", "name", "file")
Span = tuple[int, int, str]
"""From, to, and the kind of what stands there."""


@dataclass(frozen=True)
class Scrubber:
    """Replaces what must not be shown: these names and paths, and what looks like an address or a secret."""

    names: re.Pattern[str] | None
    paths: re.Pattern[str] | None

    def scrub(self, *parts: str) -> tuple[str, ...]:
        """Consecutive parts of one text, with secrets, addresses, names and paths replaced by their kind in brackets.

        They are looked for in the whole text: an address that is cut by the end of a passage goes from both parts.
        """
        text, position, scrubbed = "".join(parts), 0, list[str]()
        spans = merged(self._spans(text))
        for part in parts:
            scrubbed.append(self._render(text, position, position + len(part), spans))
            position += len(part)
        return tuple(scrubbed)

    def scrub_text(self, text: str) -> str:
        """One text by itself, scrubbed."""
        return self.scrub(text)[0]

    def scrub_path(self, path: str) -> str:
        """A path that may be shown, without the names in it."""
        return self.names.sub("[name]", path) if self.names else path

    def _render(self, text: str, start: int, end: int, spans: Iterable[Span]) -> str:
        kept: list[str] = []
        for begin, stop, kind in spans:
            if begin < end and start < stop:
                kept += [text[start : max(start, begin)], f"[{kind}]"]
                start = min(stop, end)
        return "".join([*kept, text[start:end]])

    def _spans(self, text: str) -> Iterator[Span]:
        """Everything that must not be shown; author blocks go whole, whoever is named there."""
        for start, end in author_blocks(text):
            yield start, end, "author"
        for secret in find_secrets(text):
            yield from ((*match.span(), "secret") for match in re.finditer(re.escape(secret), text))
        patterns = {"secret": _KEY_BLOCK, "email": _EMAIL, "url": _URL, "path": _PATH, "orcid": _ORCID}
        for kind, pattern in {**patterns, "name": self.names, "file": self.paths}.items():
            if pattern:
                yield from ((*match.span(), kind) for match in pattern.finditer(text))


def merged(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that share text made one, of the kind of the longest."""
    found: list[Span] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1], span[2])):
        if found and start < found[-1][1]:
            first, last, other = found[-1]
            longest = kind if end - start > last - first else other
            found[-1] = (first, max(last, end), longest)
        elif start < end:
            found.append((start, end, kind))
    return found


def make_scrubber(people: Iterable[Person], printed: Iterable[str], files: Iterable[str]) -> Scrubber:
    """A scrubber for these people, these names from author blocks, and the paths of these files."""
    shown = sorted(set(files), key=lambda path: (-len(path), path))
    paths = [re.escape(path) for path in shown]
    paths += [rf"{re.escape(path.rpartition('.')[0])}(?=\}})" for path in shown if "." in path]
    pattern = re.compile(rf"(?<![\w/.-])(?:{'|'.join(paths)})(?![\w/-])") if paths else None
    return Scrubber(name_pattern(people, printed), pattern)


def find_secrets(text: str) -> frozenset[str]:
    """What detect-secrets takes for a key, a token or a password; nothing is asked of any service."""
    return frozenset[str]().union(*map(_secrets_of_line, text.splitlines()))


@functools.lru_cache(maxsize=1 << 16)
def _secrets_of_line(line: str) -> frozenset[str]:
    found = (secret.strip() for detect in _detectors() for secret in detect(line))
    return frozenset(secret for secret in found if len(secret) >= _SMALLEST_SECRET)


@functools.cache
def _detectors() -> tuple[Callable[[str], Iterable[str]], ...]:
    """A function a plugin. The library's own scan is not used, since it may verify what it finds by asking for it."""
    kinds: dict[str, Any] = need("detect_secrets.core.plugins.util", EXTRA).get_mapping_from_secret_type_to_class()
    plugins = [kind() for _, kind in sorted(kinds.items())]
    return tuple(_by_entropy(p) if hasattr(p, "entropy_limit") else p.analyze_string for p in plugins)


def _by_entropy(plugin: Any) -> Callable[[str], Iterable[str]]:
    """Long words, quoted or not, that are more random than a word is; both letters and digits must be in them."""

    def detect(line: str) -> Iterable[str]:
        words = (word for word in _WORD.findall(line) if re.search(r"\d", word) and re.search(r"[A-Za-z]", word))
        return [word for word in words if plugin.calculate_shannon_entropy(word) > plugin.entropy_limit]

    return detect
