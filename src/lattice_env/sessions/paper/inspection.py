"""What can be said of a paper without building it: labels and entries that nothing uses, uses of none, words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from lattice_env.families.paper.references import citations, references
from lattice_env.verifier.latex import Document, decode

_LABEL = re.compile(r"\\label\s*(?:\[[^\]]*\]\s*)?\{\s*([^{}]*[^{}\s])\s*\}")
_ENTRY = re.compile(r"^\s*@(?!comment|string|preamble)\w+\s*[{(]\s*([^,\s{}()]+)\s*,", re.MULTILINE | re.IGNORECASE)
_ITEM = re.compile(r"\\bibitem\s*(?:\[[^\]]*\]\s*)?\{([^{}]+)\}")
_NOCITE = re.compile(r"\\nocite\s*\{([^{}]*)\}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_COMMAND = re.compile(
    r"\\(?:begin|end|label|ref|cite\w*|input|include\w*|usepackage|documentclass)\*?(?:\[[^\]]*\])?\{[^{}]*\}|\\[A-Za-z@]+\*?"
)
MOST_NAMED = 40


def inspect(files: Mapping[str, bytes]) -> str:
    """The report on a paper's sources."""
    documents = [Document(path, decode(data)) for path, data in sorted(files.items()) if path.endswith(".tex")]
    labels = {match[1] for document in documents for match in _LABEL.finditer(document.code)}
    used = {key.text for document in documents for key in references(document)}
    cited = {key.text for document in documents for key in citations(document)}
    entries = set(_entries(files)) | {match[1] for document in documents for match in _ITEM.finditer(document.code)}
    named = {key.strip() for d in documents for match in _NOCITE.finditer(d.code) for key in match[1].split(",")}
    unused = set[str]() if "*" in named else entries - cited - named
    return "\n".join(
        (
            _line("labels that nothing refers to", labels - used),
            _line("references to no label", used - labels),
            _line("entries that nothing cites", unused),
            _line("citations of no entry", cited - entries),
            f"words: {sum(map(_words, documents))}",
        )
    )


def _entries(files: Mapping[str, bytes]) -> Iterator[str]:
    for path, data in files.items():
        if path.endswith(".bib"):
            yield from (match[1] for match in _ENTRY.finditer(decode(data)))


def _line(what: str, names: Iterable[str]) -> str:
    found = sorted(names)
    more = f", and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return f"{what}: {', '.join(name[:80] for name in found[:MOST_NAMED]) or 'none'}{more}"


def _words(document: Document) -> int:
    """Words of two letters and more behind the preamble, commands left out."""
    return len(_WORD.findall(_COMMAND.sub(" ", document.code[document.body_start :])))
