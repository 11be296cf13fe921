"""Characters that mean something to TeX and were meant as text, and those that TeX has no letter for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.verifier.latex import Document

from .paragraphs import blank_verbs, displays
from .scene import Change, Scene

_NAMED = """\u03b1 alpha \u03b2 beta \u03b3 gamma \u03b4 delta \u03b5 varepsilon \u03f5 epsilon \u03b6 zeta \u03b7 eta
    \u03b8 theta \u03b9 iota \u03ba kappa \u03bb lambda \u03bc mu \u00b5 mu \u03bd nu \u03be xi \u03c0 pi
    \u03c1 rho \u03c3 sigma \u03c4 tau \u03c5 upsilon \u03c6 varphi \u03d5 phi \u03c7 chi \u03c8 psi \u03c9
    omega \u0393 Gamma \u0394 Delta \u0398 Theta \u039b Lambda \u039e Xi \u03a0 Pi \u03a3 Sigma \u03a6 Phi
    \u03a8 Psi \u03a9 Omega \u2264 le \u2265 ge \u2260 ne \u2248 approx \u2261 equiv \u223c sim \u221d propto
    \u2208 in \u2209 notin \u2282 subset \u2286 subseteq \u222a cup \u2229 cap \u221e infty \u2202 partial
    \u2207 nabla \u2211 sum \u220f prod \u222b int \u221a sqrt \u00d7 times \u00b7 cdot \u22c5 cdot \u00b1 pm
    \u2192 to \u2190 leftarrow \u21d2 Rightarrow \u2200 forall \u2203 exists \u2205 emptyset \u2113 ell \u2227
    land \u2228 lor \u00ac neg \u27e8 langle \u27e9 rangle \u226a ll \u226b gg \u21a6 mapsto \u2295 oplus
    \u2297 otimes \u2026 dots \u2016 Vert \u2243 simeq \u2245 cong \u22a5 perp \u2225 parallel \u2218 circ
    \u2032 prime""".split()
SYMBOLS = dict(zip(_NAMED[::2], _NAMED[1::2], strict=True))
"""A character of Unicode and the symbol of mathematics that it is."""

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


def unicode_symbol(scene: Scene) -> Iterator[Change]:
    """A character that TeX has no letter for: the symbol that it is; an invisible one goes."""
    found = re.search(r"Unicode character .*\(U\+([0-9A-F]{4,6})\)", scene.failure.message)
    if not found:
        return
    letter = chr(int(found[1], 16))
    for document in (*scene.documents.values(), *scene.bibliographies.values()):
        for match in re.finditer(re.escape(letter), document.live):
            new = _spelt(document, match.start(), letter, scene)
            if new is not None:
                yield Change(document.path, ((match.start(), match.end(), new),), f"U+{found[1]} is no letter of TeX's")
            return


def _spelt(document: Document, place: int, letter: str, scene: Scene) -> str | None:
    text = document.text
    if letter in INVISIBLE:
        return ""
    in_formula = _in_formula(document, place)
    if letter == "\u2212":
        digits = text[place - 1 : place].isdigit() and text[place + 1 : place + 2].isdigit()
        return "-" if in_formula else ("--" if digits else "$-$")
    if letter in "\u2010\u2011":
        return "-"
    if letter not in SYMBOLS:
        return None
    symbol = f"\\{SYMBOLS[letter]}"
    for one, other in (("le", "leq"), ("ge", "geq"), ("ne", "neq"), ("to", "rightarrow"), ("epsilon", "varepsilon")):
        if symbol == f"\\{one}" and scene.used[other] and not scene.used[one]:
            symbol = f"\\{other}"
    space = " " if text[place + 1 : place + 2].isalpha() else ""
    return f"{symbol}{space}" if in_formula else f"${symbol}$"


def _in_formula(document: Document, place: int) -> bool:
    if any(body.start <= place <= body.end for body in displays(document)):
        return True
    start = max((match.end() for match in re.finditer(r"\n[ \t]*\n", document.code[:place])), default=0)
    return blank_verbs(document.live[start:place]).count("$") % 2 == 1


def special(scene: Scene) -> Iterator[Change]:
    """An `&` or `#` in running text that has no backslash."""
    message, document = scene.failure.message, scene.here
    letter = "&" if "alignment tab character &" in message else "#" if "parameter" in message else ""
    if document is None or not letter or not scene.failure.line:
        return
    if re.match(r"\\(?:re)?newcommand|\\def|\\newenvironment", scene.failure.source):
        return
    stop = scene.stopped()
    if stop is not None and document.text[stop - 1 : stop] == letter:
        places = [stop - 1]
    else:
        start, end = document.line_span(scene.line_start(document, scene.failure.line))
        line = document.code[start:end]
        places = [start + match.start() for match in re.finditer(rf"(?<!\\){letter}", line)]
    inside = [body for body in displays(document) if places and body.start <= places[0] <= body.end]
    if len(places) == 1 and not inside:
        yield Change(document.path, ((places[0], places[0], "\\"),), f"{letter} in text has no backslash")


def verbatim_argument(scene: Scene) -> Iterator[Change]:
    """`\\verb` where it cannot stand, in an argument: typewriter type with its characters escaped, the same letters."""
    document = scene.here
    if document is None:
        return
    low = scene.line_start(document, max(scene.failure.line - 12, 1))
    high = scene.line_start(document, scene.failure.line + 2)
    for match in re.compile(r"\\verb(?![A-Za-z])(?P<mark>[^\sA-Za-z*])(?P<body>[^\n]*?)(?P=mark)").finditer(
        document.text, low, high
    ):
        if document.mask[match.start()] != "L":
            continue
        if _is_argument(document, match.start()):
            new = f"\\texttt{{{escaped(match['body'])}}}"
            yield Change(document.path, ((match.start(), match.end(), new),), "\\verb cannot stand in an argument")


def _is_argument(document: Document, place: int) -> bool:
    start = max((found.end() for found in re.finditer(r"\n[ \t]*\n", document.code[:place])), default=0)
    depth = 0
    for letter in blank_verbs(document.code[start:place]):
        depth += (letter == "{") - (letter == "}")
    return depth > 0


def escaped(text: str) -> str:
    """`text` so that LaTeX prints it."""
    names = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(names.get(letter, f"\\{letter}" if letter in "_&#%${}" else letter) for letter in text)


def unclosed_verb(scene: Scene) -> Iterator[Change]:
    """A `\\verb` that its line never closes: closed where its code ends, before a space or the sentence's end."""
    document = scene.here
    if document is None or "ended by end of line" not in scene.failure.message:
        return
    start, end = document.line_span(scene.line_start(document, scene.failure.line))
    found = re.search(r"\\verb([^\sA-Za-z*])([^\n]*)$", document.text[start:end].rstrip("\n"))
    if not found or found[1] in found[2]:
        return
    body = re.match(r"\\?[^\s]*?(?:\{[^{}\s]*\})?(?=[\s]|$|[.,;:](?:\s|$))", found[2])
    spaced = re.match(r"\S+ (?:[=<>]+|[-+*/]) \S*?(?=[.,;:]?(?:\s|$))", found[2])
    stretch = spaced or body
    if stretch and stretch[0]:
        at = start + found.start(2) + stretch.end()
        yield Change(document.path, ((at, at, found[1]),), "\\verb is never closed")
