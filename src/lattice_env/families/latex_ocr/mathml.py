"""Formulas as canonical MathML trees, by the converter `math-core`."""

from __future__ import annotations

import functools
import html
import re
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from lattice_env.extras import need
from lattice_env.verifier.answer import tokens

LONGEST = 20_000
"""Characters of the longest formula that is converted."""
DEEPEST = 60
"""Elements in each other: deeper than any formula, and shallow enough for functions that call themselves."""
UNSEEN = frozenset(
    r"\def \gdef \edef \xdef \let \futurelet \newcommand \renewcommand \providecommand \newenvironment"
    r" \DeclareMathOperator \csname \catcode \expandafter \input \include \require \class \id \style \href \url"
    r" \label \tag \ref \eqref".split()
)
"""Commands that define, or that do something else than print: no transcription needs one."""

_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos|#\w+);)(\w+;)")


class Node(NamedTuple):
    """An element of MathML: its attributes sorted, its text only where it has no children."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    children: tuple[Node, ...]
    text: str

    def has(self, **attributes: str) -> bool:
        """Whether each attribute has this value."""
        return set(attributes.items()) <= set(self.attributes)

    def without(self, *names: str) -> Node:
        """The node without some attributes."""
        return self._replace(attributes=tuple(pair for pair in self.attributes if pair[0] not in names))


def node(tag: str, *children: Node, text: str = "", **attributes: str) -> Node:
    """A node of these parts."""
    return Node(tag, tuple(sorted(attributes.items())), children, text)


def parse(latex: str) -> Node | None:
    """The tree of a displayed formula; None where it is no mathematics that the converter knows."""
    if len(latex) > LONGEST or not UNSEEN.isdisjoint(tokens(latex)):
        return None
    library: Any = need("math_core", "ocr")
    try:
        text = _converter().convert_with_local_state(latex, displaystyle=True)
        tree = _tree(ET.fromstring(_ENTITY.sub(_plain, text)), 0)  # noqa: S314 - the converter's own, no DTD
    except (library.LatexError, ET.ParseError, ValueError):
        return None
    return tree._replace(attributes=())


@functools.cache
def _converter() -> Any:
    return need("math_core", "ocr").LatexToMathML(fancy_error=False, max_expansions=1)


def _plain(match: re.Match[str]) -> str:
    return html.unescape(f"&{match[1]}")


def _tree(element: ET.Element, depth: int) -> Node:
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    children = tuple(_tree(child, depth + 1) for child in element)
    text = "" if children else element.text or ""
    return Node(element.tag, tuple(sorted(element.attrib.items())), children, text)
