"""The classes of failure: what a message means, what may be done about it here, and when a person must decide."""

from __future__ import annotations

import posixpath
import re
from dataclasses import asdict, dataclass

from lattice_env.model import Files
from lattice_env.verifier.build import Built
from lattice_env.verifier.latex import Document, decode

from .log import Stop, read_log

INSTALL, EDIT, PERSON = "install", "edit", "person"


@dataclass(frozen=True)
class Class:
    """One class of failure."""

    name: str
    pattern: str
    """What its messages match."""
    action: str
    """INSTALL a package, EDIT a source, or leave it to a PERSON."""
    why: str = ""
    """Why a person must decide."""


CLASSES = (
    Class(
        "shell-escape",
        r"must invoke LaTeX with the -?-?shell-escape|-shell-escape flag|runsystem|\\write18",
        PERSON,
        "the paper asks for shell escape: whether its programs may run is for a person to say",
    ),
    Class(
        "engine",
        r"requires either XeTeX|requires LuaTeX|cannot be used with pdf(?:La)?TeX|Wrong (?:DVI mode )?driver"
        r"|only works with (?:LuaTeX|XeTeX)",
        PERSON,
        "a package is for another engine or driver: which one the paper is for, its authors know",
    ),
    Class("missing-package", r"File `[^']+\.(?:sty|cls)' not found", INSTALL),
    Class("option", r"You might have misspelt the name of the encoding", EDIT),
    Class(
        "missing-figure",
        r"pdftex\.def Error: File `|Unknown graphics extension|Cannot determine size of graphic"
        r"|File `[^']+\.(?:pdf|png|jpe?g|eps|ps|svg|tiff?|gif|bmp)' not found|File `figs?\w*/[^']*' not found",
        EDIT,
    ),
    Class("missing-file", r"File `[^']*' not found|I can't find file|can't write on file", EDIT),
    Class(
        "font",
        r"Font .* not loadable|Metric \(TFM\) file|Font .* not found|font expansion"
        r"|Corrupted NFSS|This NFSS system",
        PERSON,
        "a font or its encoding is not on this machine: another one would change every page",
    ),
    Class("encoding", r"Unicode character|Invalid UTF-8|Text line contains an invalid character", EDIT),
    Class("undefined-command", r"Undefined control sequence", EDIT),
    Class(
        "environment",
        r"\\begin\{[^}]*\}.* ended by|Environment \S+ undefined|\\begin\{document\} ended"
        r"|Extra (?:\}, or forgotten )?\\endgroup|Missing \\endgroup|Bad math environment"
        r"|Some blocks are not closed",
        EDIT,
    ),
    Class("missing-item", r"perhaps a missing \\item|Lonely \\item", EDIT),
    Class(
        "missing-math",
        r"Missing \$ inserted|Display math should end|allowed only in math|invalid in math mode"
        r"|Missing delimiter|Limit controls|Erroneous nesting|forgotten \$|\\right|Extra \\middle|eqno",
        EDIT,
    ),
    Class(
        "alignment",
        r"alignment tab|Misplaced \\noalign|Misplaced \\omit|Misplaced \\cr|pream-token"
        r"|Illegal character in array",
        EDIT,
    ),
    Class("script", r"Double (?:super|sub)script", EDIT),
    Class("definition", r"Illegal parameter number|already defined|Command \\\S+ undefined", EDIT),
    Class("braces", r"Extra \}|Missing [{}]|Too many \}'s|Paragraph ended|File ended|Runaway|Argument of|Use of", EDIT),
    Class("option-clash", r"Option clash", EDIT),
    Class(
        "option",
        r"Unknown option|Unknown float option|keyval Error|pgfkeys Error|caption Error: \S+ undefined"
        r"|Undefined color|No counter|Couldn't load requested language|Incompatible package",
        EDIT,
    ),
    Class("dimension", r"Illegal unit|Missing number|Dimension too large|Missing \\endcsname", EDIT),
    Class("preamble", r"Missing \\begin\{document\}|only in preamble|before \\documentclass|must be loaded", EDIT),
    Class("conditional", r"Extra \\(?:fi|else|or)|Incomplete \\if", EDIT),
    Class("verbatim", r"\\verb ", EDIT),
    Class("special-character", r"macro parameter character", EDIT),
    Class(
        "bibliography",
        r"I was expecting|database file|style file|Repeated entry|BibTeX subsystem|Case mismatch"
        r"|bibstyle command|bibdata command|ERROR -",
        EDIT,
    ),
    Class("resource", r"TeX capacity exceeded|time ran out", PERSON, "the build ran out of time or memory"),
    Class(
        "semantic",
        r"No \\title given|Glossary entry|Invalid number|outside float|no line here to end"
        r"|Giving up on this path",
        EDIT,
    ),
    Class("cut-short", r"Emergency stop|no legal \\end", EDIT),
)
"""What TeX and its companions print, first match first."""

UNKNOWN = Class("unknown", "", EDIT)

OF_REASON = {
    "resource": Class("resource", "", PERSON, "the build ran out of time, memory or room"),
    "no-pdf": Class("no-pdf", "", PERSON, "the build ended without an error and without a PDF"),
    "rewritten": Class("rewritten", "", PERSON, "the paper rewrote its own sources while it was built"),
}
"""Failures that no message tells."""


@dataclass(frozen=True)
class Failure:
    """The first failure of one build: its class, and the place where TeX met it."""

    kind: str
    message: str
    file: str
    """Below the project's folder; empty where TeX was in no file of the project."""
    line: int
    source: str
    """The text of that line."""
    stop: Stop
    action: str
    why: str

    @property
    def same(self) -> tuple[str, str, str]:
        """What two failures share that are the same one: class, file, content of the line."""
        return self.kind, self.file, self.source or self.message

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file else ""
        return f"{place}{self.message}"

    def to_json(self) -> dict[str, object]:
        """The failure as plain data."""
        body = asdict(self)
        del body["stop"]
        return body


def classify(message: str) -> Class:
    """The class of a message; UNKNOWN where none fits."""
    return next((one for one in CLASSES if re.search(one.pattern, message)), UNKNOWN)


def first_failure(built: Built, files: Files, base: str, job: str) -> Failure:
    """The failure that a failed build stopped at; `base` is the folder, below the project's, in which it ran."""
    if built.reason in OF_REASON:
        one = OF_REASON[built.reason]
        return Failure(one.name, one.why, "", 0, "", Stop(one.why, "", 0), one.action, one.why)
    stop = _first_stop(built, job)
    one = classify(stop.message)
    file = posixpath.normpath(posixpath.join(base, stop.file)) if stop.file else ""
    if file not in files:
        file = f"{file}.bib" if f"{file}.bib" in files else ""
    source = Document(file, decode(files[file])).line_text(stop.line) if file else ""
    return Failure(one.name, stop.message, file, stop.line, source, stop, one.action, one.why)


def _first_stop(built: Built, job: str) -> Stop:
    """TeX's first error; the bibliography program's where TeX had none, or what there is."""
    stops = read_log(built.products.get(f"{job}.log", ""))
    telling = [stop for stop in stops if not re.match(r"Emergency stop|==>", stop.message)]
    bibliography = [d for d in built.diagnostics if d.kind == "bibliography"]
    if built.reason == "bibliography" and bibliography:
        first = bibliography[0]
        return Stop(first.message, first.file, first.line)
    for stop in (*telling, *stops):
        return stop
    for first in built.diagnostics:
        return Stop(first.message, first.file, first.line)
    return Stop("the build failed and said nothing", "", 0)
