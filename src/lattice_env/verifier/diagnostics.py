"""What a build complained about, read from TeX's log and the bibliography program's.

A log is written by the document that is being judged: it explains a verdict and never decides one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

CLASSES = (
    (
        "shell-escape",
        r"must invoke LaTeX with the -?-?shell-escape|-shell-escape flag|runsystem|\\write18",
    ),
    (
        "engine",
        (
            r"requires either XeTeX|requires LuaTeX|cannot be used with pdf(?:La)?TeX|Wrong (?:DVI mode )?driver"
            r"|only works with (?:LuaTeX|XeTeX)"
        ),
    ),
    ("missing-package", r"File `[^']+\.(?:sty|cls)' not found"),
    ("option", r"You might have misspelt the name of the encoding"),
    (
        "missing-figure",
        (
            r"pdftex\.def Error: File `|Unknown graphics extension|Cannot determine size of graphic"
            r"|File `[^']+\.(?:pdf|png|jpe?g|eps|ps|svg|tiff?|gif|bmp)' not found|File `figs?\w*/[^']*' not found"
        ),
    ),
    ("missing-file", r"File `[^']*' not found|I can't find file|can't write on file"),
    (
        "font",
        (
            r"Font .* not loadable|Metric \(TFM\) file|Font .* not found|font expansion"
            r"|Corrupted NFSS|This NFSS system"
        ),
    ),
    ("encoding", r"Unicode character|Invalid UTF-8|Text line contains an invalid character"),
    ("undefined-command", r"Undefined control sequence"),
    (
        "environment",
        (
            r"\\begin\{[^}]*\}.* ended by|Environment \S+ undefined|\\begin\{document\} ended"
            r"|Extra (?:\}, or forgotten )?\\endgroup|Missing \\endgroup|Bad math environment"
            r"|Some blocks are not closed"
        ),
    ),
    ("missing-item", r"perhaps a missing \\item|Lonely \\item"),
    (
        "missing-math",
        (
            r"Missing \$ inserted|Display math should end|allowed only in math|invalid in math mode"
            r"|Missing delimiter|Limit controls|Erroneous nesting|forgotten \$|\\right|Extra \\middle|eqno"
        ),
    ),
    (
        "alignment",
        (
            r"alignment tab|Misplaced \\noalign|Misplaced \\omit|Misplaced \\cr|pream-token"
            r"|Illegal character in array"
        ),
    ),
    ("script", r"Double (?:super|sub)script"),
    ("definition", r"Illegal parameter number|already defined|Command \\\S+ undefined"),
    ("braces", r"Extra \}|Missing [{}]|Too many \}'s|Paragraph ended|File ended|Runaway|Argument of|Use of"),
    ("option-clash", r"Option clash"),
    (
        "option",
        (
            r"Unknown option|Unknown float option|keyval Error|pgfkeys Error|caption Error: \S+ undefined"
            r"|Undefined color|No counter|Couldn't load requested language|Incompatible package"
        ),
    ),
    ("dimension", r"Illegal unit|Missing number|Dimension too large|Missing \\endcsname"),
    ("preamble", r"Missing \\begin\{document\}|only in preamble|before \\documentclass|must be loaded"),
    ("conditional", r"Extra \\(?:fi|else|or)|Incomplete \\if"),
    ("verbatim", r"\\verb "),
    ("special-character", r"macro parameter character"),
    (
        "bibliography",
        (
            r"I was expecting|database file|style file|Repeated entry|BibTeX subsystem|Case mismatch"
            r"|bibstyle command|bibdata command|ERROR -"
        ),
    ),
    ("resource", r"TeX capacity exceeded|time ran out"),
    (
        "semantic",
        (
            r"No \\title given|Glossary entry|Invalid number|outside float|no line here to end"
            r"|Giving up on this path"
        ),
    ),
    ("cut-short", r"Emergency stop|no legal \\end"),
)
"""(class, what its messages match); the first that matches counts."""
UNKNOWN = "unknown"

_TEX = re.compile(r"^(?:\./)?(?P<file>[^\n:]{1,255}):(?P<line>\d+): (?! *==>)(?P<message>.*(?:\n\(.*)?)$", re.MULTILINE)
_BANG = re.compile(r"^! ?(?! *==>)(?P<message>.+)$", re.MULTILINE)
_BIBTEX = re.compile(
    r"^(?P<message>(?!I couldn't open|I found no).+?)\n?---line (?P<line>\d+) of file (?P<file>\S+)", re.MULTILINE
)
_BIBTEX_FILE = re.compile(r"^(?P<message>I couldn't open .+|I found no .+)$", re.MULTILINE)
_BIBER = re.compile(r"ERROR - (?P<message>.+)$", re.MULTILINE)
_SCRATCH = re.compile(r"/\S*/biber_tmp_\w+/[0-9a-f]+_\d+(\.\w+)")
"""A scratch file of biber, named after a digest and a process number that no other run would have."""
_AFTER = re.compile(r"^(l\.\d+ .*)$", re.MULTILINE)


@dataclass(frozen=True)
class Diagnostic:
    """One error: where, what, and its class (see CLASSES); line 0 where the tool gave none."""

    file: str
    line: int
    message: str
    kind: str
    source: str = ""
    """The source line up to where TeX stopped, as TeX shows it (`l.12 …`)."""

    def to_json(self) -> dict[str, object]:
        """The diagnostic as plain data."""
        return dict(vars(self))

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file else ""
        return f"{place}{self.message}"


def read_diagnostics(products: Mapping[str, str], job: str) -> tuple[Diagnostic, ...]:
    """The errors of one build, TeX's first, each in the order in which they came."""
    log, bibliography = products.get(f"{job}.log", ""), products.get(f"{job}.blg", "")
    found = [*_log_errors(log), *_bibliography_errors(bibliography)]
    return tuple(dict.fromkeys(found))[:20]


def first_line(diagnostics: tuple[Diagnostic, ...]) -> str:
    """The first error in one line; empty where there was none."""
    return str(diagnostics[0]) if diagnostics else ""


def classify(message: str) -> str:
    """The class of a message; UNKNOWN where none fits."""
    return next((name for name, pattern in CLASSES if re.search(pattern, message)), UNKNOWN)


def _log_errors(log: str) -> list[Diagnostic]:
    matches = sorted([*_TEX.finditer(log), *_BANG.finditer(log)], key=lambda match: match.start())
    return [_diagnostic(match, log) for match in matches]


def _diagnostic(match: re.Match[str], log: str) -> Diagnostic:
    parts = match.groupdict()
    message = " ".join(parts["message"].split())[:300]
    after = _AFTER.search(log, match.end(), match.end() + 2000)
    source = after[1][:200] if after else ""
    return Diagnostic(parts.get("file", ""), int(parts.get("line", 0)), message, classify(message), source)


def _bibliography_errors(log: str) -> list[Diagnostic]:
    found = [
        Diagnostic(match["file"], int(match["line"]), match["message"][:300], "bibliography")
        for match in _BIBTEX.finditer(log)
        if not match["message"].startswith("Warning--")
    ]
    for pattern in (_BIBTEX_FILE, _BIBER):
        messages = (_SCRATCH.sub(r"biber\1", match["message"])[:300] for match in pattern.finditer(log))
        found += [Diagnostic("", 0, message, "bibliography") for message in messages]
    return found
