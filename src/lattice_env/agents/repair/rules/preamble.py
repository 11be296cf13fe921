"""Definitions, options and what stands before the document begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lattice_env.verifier.latex import Document

from . import known
from .scene import Change, Scene
from .spelling import nearest

_DEFINITION = re.compile(
    r"\\(?P<how>(?:re)?newcommand|providecommand)\*?\{?\\(?P<name>[A-Za-z]+)\}?(?P<count>\[(\d)\])?(?:\[[^\]]*\])?\{(?P<body>.*)\}",
)
COLOURS = """
    black white red green blue cyan magenta yellow gray darkgray lightgray brown lime olive orange pink purple
    teal violet
""".split()
MODELS = "rgb RGB HTML gray cmyk cmy hsb Gray HSB wave Hsb".split()
UNITS = "pt mm cm in ex em bp pc dd cc sp mu".split()
KEYS = """
    width height scale angle trim clip keepaspectratio page totalheight origin draft margin top bottom left
    right hmargin vmargin textwidth textheight paper a4paper letterpaper colorlinks hidelinks linkcolor
    citecolor urlcolor pdftitle pdfauthor bookmarks breaklinks font labelfont textfont justification
    singlelinecheck skip position format labelsep table-format round-mode round-precision group-separator
    backend style maxbibnames sorting language basicstyle numbers frame captionpos columns breaklines
    keywordstyle commentstyle xleftmargin aboveskip belowskip
""".split()
PICTURE_KEYS = """
    very thick | very thin | ultra thick | semithick | dashed | dotted | rounded corners | circle |
    rectangle | anchor | above | below | left | right | above right | above left | below right | below left
    | inner sep | outer sep | minimum width | minimum height | minimum size | font | align | text width |
    node distance | line width | color | scale | bend left | bend right | midway | near start | near end |
    xshift | yshift | shape | label | pos | sloped | auto | swap | draw | fill | thick | thin | on grid |
    every node
"""


def parameter_count(scene: Scene) -> Iterator[Change]:
    """A definition that uses arguments it does not take: their number, or the one argument it takes."""
    document = scene.here
    if document is None or "Illegal parameter number" not in scene.failure.message:
        return
    start, end = document.line_span(scene.line_start(document, scene.failure.line))
    found = _DEFINITION.search(document.code, start, end)
    if not found:
        return
    used = [int(number) for number in re.findall(r"#(\d)", found["body"])]
    takes = int(found["count"][1]) if found["count"] else 0
    if used and not takes:
        at = found.end("name") + (document.code[found.end("name")] == "}")
        yield Change(document.path, ((at, at, f"[{max(used)}]"),), f"\\{found['name']} uses {max(used)} arguments")
    spare = [number for number in range(1, takes + 1) if number not in used]
    wrong = [match for match in re.finditer(r"#(\d)", found["body"]) if int(match[1]) > takes]
    if takes and len(wrong) == 1 and len(spare) == 1:
        at = found.start("body") + wrong[0].start(1)
        yield Change(document.path, ((at, at + 1, str(spare[0])),), f"\\{found['name']} takes {takes} arguments")


def definition(scene: Scene) -> Iterator[Change]:
    """A new command called a renewed one, or a second definition under a name where the paper uses one undefined."""
    document, message = scene.here, scene.failure.message
    if document is None or not scene.failure.line:
        return
    start, end = document.line_span(scene.line_start(document, scene.failure.line))
    renewed = re.compile(r"\\renew(?=command|environment)").search(document.code, start, end)
    if "undefined" in message and renewed:
        yield Change(
            document.path, ((renewed.start(), renewed.end(), "\\new"),), "nothing of this name is there to renew"
        )
    taken = re.search(r"Command \\(\w+) already defined", message)
    if taken:
        yield from _second_definition(scene, document, start, end, taken[1])


def _second_definition(scene: Scene, document: Document, start: int, end: int, name: str) -> Iterator[Change]:
    theorem = re.compile(rf"\\newtheorem\*?\{{({name})\}}").search(document.code, start, end)
    command = re.compile(rf"\\(?:newcommand|DeclareMathOperator)\*?\{{?\\({name})(?![A-Za-z])").search(
        document.code, start, end
    )
    if theorem:
        own = set(known.defined_environments(scene.code))
        lost = {
            name for name in re.findall(r"\\begin\{([A-Za-z]+)\}", scene.code) if name not in scene.environments | own
        }
        found, place = lost - _usual_environments(), theorem.span(1)
    elif command:
        lost = {word for word in scene.used if word not in scene.commands and len(word) > 1 and "@" not in word}
        found, place = {word for word in lost if not _is_builtin(word)}, command.span(1)
    else:
        return
    if len(found) == 1:
        meant = found.pop()
        yield Change(document.path, ((*place, meant),), f"{meant} is used and not defined, {name} is defined twice")


def _usual_environments() -> set[str]:
    return set("document figure table tabular equation align itemize enumerate abstract proof center array".split())


def _is_builtin(word: str) -> bool:
    """Whether TeX itself or a package in use may know the word: primitives are defined nowhere."""
    return word in PRIMITIVES or word.endswith("name")


PRIMITIVES = set(
    """
    hbox vbox vskip hskip kern penalty noindent indent par relax def edef let expandafter ifx fi else
    advance the hfil vfil vfill mathop mathbin mathrel mathord setbox box copy raise lower vrule hrule
    leavevmode parindent parskip baselineskip csname endcsname begingroup endgroup left right over limits
    nolimits displaystyle textstyle scriptstyle hsize vsize documentclass usepackage section subsection
    begin end hyphenpenalty tolerance emergencystretch linewidth columnwidth textwidth textheight tabcolsep
    arraystretch topsep itemsep parsep bibsep abovecaptionskip belowcaptionskip LaTeX protect hyphenation
    clubpenalty widowpenalty looseness break goodbreak nobreak string number romannumeral ifnum ifdim ifcase
    or input endinput
    """.split()
)


def package_place(scene: Scene) -> Iterator[Change]:
    """A package loaded behind the beginning of the document: moved before it."""
    document = scene.here
    if document is None or "only in preamble" not in scene.failure.message:
        return
    start, end = document.line_span(scene.line_start(document, scene.failure.line))
    line = document.text[start:end]
    begin = re.search(r"^\\begin\{document\}", document.code, re.MULTILINE)
    if re.fullmatch(r"\\usepackage(\[[^\]]*\])?\{[\w,-]+\}\s*", line) and begin and begin.start() < start:
        loads = [
            m for m in re.finditer(r"^\\usepackage[^\n]*\n", document.code, re.MULTILINE) if m.start() < begin.start()
        ]
        late = [m for m in loads if re.search(r"\{cleveref\}", m[0])]
        at = late[0].start() if late else (loads[-1].end() if loads else begin.start())
        yield Change(document.path, ((at, at, line), (start, end, "")), "a package is loaded in the preamble")


def loaded_twice(scene: Scene) -> Iterator[Change]:
    """A package named without options in a list beside others, and again with its options: the first one goes."""
    found = re.search(r"Option clash for package ([\w-]+)", scene.failure.message)
    if not found:
        return
    for document in scene.documents.values():
        for match in re.finditer(r"\\usepackage\{([^{}]*)\}", document.code):
            names = match[1].split(",")
            if found[1] in names and len(names) > 1:
                rest = ",".join(name for name in names if name != found[1])
                yield Change(document.path, ((*match.span(1), rest),), f"{found[1]} is loaded again, with its options")
            elif names == [found[1]] and len(re.findall(rf"\\usepackage\[[^\]]*\]\{{{found[1]}\}}", scene.code)) == 1:
                start, end = document.line_span(match.start())
                if document.text[start:end].strip() == match[0]:
                    yield Change(document.path, ((start, end, ""),), f"{found[1]} is loaded again, with its options")


CHOSEN = ("natbib", "cleveref", "xcolor", "caption", "geometry", "hyperref")
"""Packages that papers load with options of their choice."""


def option(scene: Scene) -> Iterator[Change]:
    """An option, key, colour, counter, unit of a name that one near miss alone can mean."""
    message = scene.failure.message
    for pattern, names in _choices(scene):
        found = re.search(pattern, message)
        if found:
            yield from _renamed(
                scene, found[1], nearest(found[1], names, rank=lambda name: 0 if name in scene.code else 1)
            )
            return


def _choices(scene: Scene) -> Iterator[tuple[str, Sequence[str]]]:
    own = re.findall(r"\\definecolor\{(\w+)\}|\\colorlet\{(\w+)\}", scene.code)
    yield r"Undefined color `(\w+)'", [*COLOURS, *(name for pair in own for name in pair if name)]
    yield r"Undefined color model `(\w+)'", MODELS
    counters = re.findall(r"\\newcounter\{(\w+)\}", scene.code)
    known_counters = (
        "tocdepth secnumdepth page section subsection chapter figure table equation footnote enumi enumii".split()
    )
    yield r"No counter '(\w+)' defined", [*known_counters, *counters]
    yield r"I do not know the key '/(?:tikz|pgf)/([^']+)'", [" ".join(name.split()) for name in PICTURE_KEYS.split("|")]
    yield r"(?:keyval|caption|kvoptions|xkeyval) Error: [`'\"]?([\w-]+)[`'\"]? undefined", KEYS


def _renamed(scene: Scene, old: str, new: str) -> Iterator[Change]:
    """The only place where `old` stands as a word, with `new`; the failing line's where there are several."""
    if not new:
        return
    for document in scene.documents.values():
        places = list(re.finditer(rf"(?<![\w\\-]){re.escape(old)}(?![\w-])", document.code))
        if len(places) > 1 and document is scene.here:
            places = [place for place in places if document.line_of(place.start()) == scene.failure.line]
        if len(places) == 1:
            yield Change(document.path, ((*places[0].span(), new),), f"{old} is {new} misspelt")
            return


def unknown_option(scene: Scene) -> Iterator[Change]:
    """An option that its package does not know: the one that it misspells, or, where it is like none, none.

    One that stands alone and is misspelt may be meant, or may have come by mistake: which of both is a guess, unless
    the package is one that papers load for its options.
    """
    found = re.search(r"Unknown option `([^']+)' for package `([\w-]+)'", scene.failure.message)
    if not found:
        return
    option, package = found.groups()
    meant = nearest(option, known.package_options(package))
    for document in scene.documents.values():
        for match in re.finditer(r"\\usepackage(\[([^\]]*)\])\{([^{}]*)\}", document.code):
            names = [name.strip() for name in match[2].split(",")]
            # graphicx hands its options on to graphics.
            if option not in names or (package not in match[3] and package.rstrip("s") not in match[3]):
                continue
            if meant and len(names) == 1 and package not in CHOSEN:
                return
            rest = ",".join(meant if name == option else name for name in names if meant or name != option)
            new = f"[{rest}]" if rest else ""
            why = f"{option} is {meant} misspelt" if meant else f"{package} has no option {option}"
            yield Change(document.path, ((*match.span(1), new),), why)


def float_option(scene: Scene) -> Iterator[Change]:
    """A letter that places no float: the option that all other floats of the paper have."""
    found = re.search(r"Unknown float option `(.)'", scene.failure.message)
    match = re.match(r"\\begin\{\w+\*?\}\[([^\]]*)\]", scene.failure.source)
    if not found or not match or scene.here is None:
        return
    others = re.findall(r"\\begin\{(?:figure|table|algorithm)\*?\}\[([^\]]*)\]", scene.code)
    usual = {other for other in others if other != match[1]}
    if len(usual) == 1:
        start = scene.line_start(scene.here, scene.failure.line)
        at = scene.here.code.index(match[0], start) + match.start(1)
        yield Change(scene.here.path, ((at, at + len(match[1]), usual.pop()),), "no float is placed so")


def bare_command(scene: Scene) -> Iterator[Change]:
    """A command of the preamble that has lost its backslash."""
    document = scene.here
    if document is None or "Missing \\begin{document}" not in scene.failure.message or not scene.failure.line:
        return
    start, end = document.line_span(scene.line_start(document, scene.failure.line))
    found = re.match(
        r"\s*(newcommand|renewcommand|usepackage|DeclareMathOperator|newtheorem|definecolor|setlength|hypersetup"
        r"|title|author|date|lstset|bibliographystyle|setcounter)(?=\*?[\[{])",
        document.text[start:end],
    )
    if found:
        at = start + found.start(1)
        yield Change(document.path, ((at, at, "\\"),), f"{found[1]} is a command")
        return
    line = document.text[start:end]
    if re.fullmatch(r"[A-Z][^\\{}$&#_^]*\n", line) and re.match(r"%|\\", document.text[end:].lstrip()[:1]):
        yield Change(document.path, ((start, start, "% "),), "prose in the preamble is a comment without its sign")


def title(scene: Scene) -> Iterator[Change]:
    """A title that is commented out, in a paper that has no other."""
    if "No \\title given" not in scene.failure.message:
        return
    for document in scene.documents.values():
        found = re.search(r"^%[ \t]?(?=\\title\{)", document.text, re.MULTILINE)
        if found:
            yield Change(document.path, ((*found.span(), ""),), "the title is commented out")


def dimension(scene: Scene) -> Iterator[Change]:
    """A length with a decimal comma, without its point, or with a misspelt unit."""
    document = scene.here
    if document is None or not scene.failure.line:
        return
    start, end = document.line_span(scene.line_start(document, scene.failure.line))
    line = document.code[start:end]
    for pattern, new, why in (
        (r"(?<==)(\d+),(\d+)(?=\\)", r"\1.\2", "a decimal comma"),
        (r"(?<==)0?(\d\d)(?=\\(?:text|line|column)width)", r"0.\1", "a decimal point is missing"),
    ):
        found = re.search(pattern, line)
        if found:
            yield Change(document.path, ((start + found.start(), start + found.end(), found.expand(new)),), why)
            return
    if "Illegal unit" in scene.failure.message:
        for match in re.finditer(r"(?<=\d)([a-z]{1,3})(?![A-Za-z])", line):
            meant = _unit(match[1])
            if match[1] not in UNITS and meant:
                yield Change(
                    document.path, ((start + match.start(1), start + match.end(1), meant),), f"{match[1]} is no unit"
                )
                return


def _unit(name: str) -> str:
    near = [
        unit
        for unit in ("pt", "mm", "cm", "em", "ex", "in")
        if sorted(unit) == sorted(name) or name in (unit + unit[-1], unit + "s", unit[0] * 2 + unit[1])
    ]
    return near[0] if len(near) == 1 else ""


def package_order(scene: Scene) -> Iterator[Change]:
    """The package cleveref before hyperref: moved right behind it."""
    if "cleveref must be loaded after hyperref" not in scene.failure.message:
        return
    for document in scene.documents.values():
        early = re.search(r"^\\usepackage(?:\[[^\]]*\])?\{cleveref\}[^\n]*\n", document.code, re.MULTILINE)
        late = re.search(r"^\\usepackage(?:\[[^\]]*\])?\{hyperref\}[^\n]*\n", document.code, re.MULTILINE)
        if early and late:
            text = document.text[early.start() : early.end()]
            yield Change(
                document.path,
                ((early.start(), early.end(), ""), (late.end(), late.end(), text)),
                "cleveref comes after hyperref",
            )
