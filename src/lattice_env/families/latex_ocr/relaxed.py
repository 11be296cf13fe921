"""The ways in which two formulas may differ in MathML and yet print the same, declared one by one.

Each has an example, and a test prints both sides with TeX and compares the pixels. What is not in the table is a
difference. A rule sees one row of siblings at a time, from the inside out, and hears whether the row
is sure to stand in display style, as the outermost one is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .mathml import Node, node

Row = list[Node]
Rule = Callable[[Row, str], Row]

DISPLAY, ANY = "display", "any"

ROWS = ("math", "mrow", "mtd", "msqrt", "mpadded", "mphantom")
"""Elements whose children stand in a row; those of others have places with meanings."""
BARS = ("|", "‖")
SIMPLE = ("mi", "mn", "mo")
PRIME = "\u2032"
PRIMES = {PRIME: 1, "\u2033": 2, "\u2034": 3, "\u2057": 4}
SCRIPTED = ("munder", "mover", "munderover", "msub", "msup", "msubsup")
LARGE = tuple(map(chr, (0x2211, 0x220F, 0x2210, 0x222B, 0x222C, 0x222D, 0x222E, 0x22C0, 0x22C1, 0x22C2, 0x22C3)))
"""Sums, products, integrals and the large lattice and set operators."""
APPLY = "\u2061"


@dataclass(frozen=True)
class Relaxed:
    """One way: its rule, and two formulas that differ in it alone."""

    name: str
    rule: Rule
    one: str
    other: str


def _groups(row: Row, _style: str) -> Row:
    found: Row = []
    for item in row:
        found += item.children if item.tag == "mrow" and not item.attributes and not _is_fence(item) else [item]
    return [item for item in found if item != node("mspace")]


def _fences(row: Row, _style: str) -> Row:
    found: Row = []
    for item in row:
        inside = item.children[1:-1]
        plain = _is_fence(item) and all(child.tag in SIMPLE and len(child.text) == 1 for child in inside)
        first, last = (item.children[0], item.children[-1]) if plain else (item, item)
        bars = first.text in BARS or last.text in BARS
        if not plain or (bars and (not inside or inside[0].tag == "mo" or inside[-1].tag == "mo")):
            found.append(item)
        else:
            found += [_fence(first), *inside, _fence(last)]
    return found


def _is_fence(item: Node) -> bool:
    """Whether an item is what stands between `\\left` and `\\right`, with no space that its place gives it."""
    ends = (item.children[0], item.children[-1]) if len(item.children) > 1 else ()
    return item.tag == "mrow" and bool(ends) and all(end.tag == "mo" and not end.attributes for end in ends)


def _fence(sign: Node) -> Node:
    plain = {"stretchy": "false"} | ({"lspace": "0", "rspace": "0"} if sign.text in BARS else {})
    return node("mo", text=sign.text, **plain)


def _bars(row: Row, _style: str) -> Row:
    found = list(row)
    for index, item in enumerate(row):
        beside = row[index + 1 : index + 2] if item.has(form="prefix") else row[max(0, index - 1) : index]
        sided = item.has(form="prefix") or item.has(form="postfix")
        if item.text in BARS and sided and beside and beside[0].tag != "mo":
            found[index] = _fence(item)
    return found


def _display_style(row: Row, style: str) -> Row:
    if style != DISPLAY:
        return row
    found: Row = []
    for item in row:
        whole = item.tag == "mrow" and item.has(displaystyle="true", scriptlevel="0") and len(row) == 1
        found += item.children if whole else [item.without("displaystyle") if _is_display_fraction(item) else item]
    return found


def _is_display_fraction(item: Node) -> bool:
    return item.tag == "mfrac" and item.has(displaystyle="true")


def _alphabets(row: Row, _style: str) -> Row:
    found: Row = []
    for item in row:
        split = item.tag == "mi" and len(item.text) > 1
        found += [_letter(sign) for sign in item.text] if split else [item]
    return found


def _letter(sign: str) -> Node:
    """A letter of its own alphabet: an upright one has to say so when it stands alone."""
    return node("mi", text=sign, mathvariant="normal") if sign.isascii() else node("mi", text=sign)


def _digits(row: Row, _style: str) -> Row:
    return _merged(row, "mn")


def _texts(row: Row, _style: str) -> Row:
    return _merged(row, "mtext")


def _merged(row: Row, tag: str) -> Row:
    found: Row = []
    for item in row:
        plain = item.tag == tag and not item.attributes and not item.children
        if plain and found and found[-1].tag == tag and not found[-1].attributes and not found[-1].children:
            found[-1] = node(tag, text=found[-1].text + item.text)
        else:
            found.append(item)
    return found


def _primes(row: Row, _style: str) -> Row:
    found: Row = []
    for item in row:
        found += [node("mo", text=PRIME)] * PRIMES[item.text] if item.text in PRIMES else [item]
    return found


def _limits(row: Row, style: str) -> Row:
    if style != DISPLAY:
        return row
    return [_moved(item) if item.tag in ("munder", "mover", "munderover") else item for item in row]


def _moved(item: Node) -> Node:
    return item._replace(children=(item.children[0].without("movablelimits"), *item.children[1:]))


def _large(row: Row, _style: str) -> Row:
    found: Row = []
    for item in row:
        scripted = item.tag in SCRIPTED and item.children[0].text in LARGE
        base = item.children[0].without("lspace", "rspace") if scripted else item
        plain = item.without("lspace", "rspace") if item.text in LARGE else item
        found.append(item._replace(children=(base, *item.children[1:])) if scripted else plain)
    return found


def _arguments(row: Row, _style: str) -> Row:
    return [item.without("lspace") if item.text == APPLY else item for item in row]


RELAXED = (
    Relaxed("groups that change no spacing", _groups, "{ab}c", "abc"),
    Relaxed("empty groups", _groups, "{}x", "x"),
    Relaxed("fences that need not grow", _fences, r"y = \left( x \right)", "y = (x)"),
    Relaxed("sided bars", _bars, r"\lVert x \rVert", r"\| x \|"),
    Relaxed("display style in a display", _display_style, r"\dfrac{a}{b}", r"\frac{a}{b}"),
    Relaxed("an alphabet's letters one by one", _alphabets, r"\mathbf{AB}", r"\mathbf{A}\mathbf{B}"),
    Relaxed("a number's digits one by one", _digits, "{1}2", "12"),
    Relaxed("primes one by one", _primes, "x''", r"x^{\prime\prime}"),
    Relaxed("limits where they are anyway", _limits, r"\sum\limits_{i} a", r"\sum_i a"),
    Relaxed("a function's argument in braces", _arguments, r"\sin{x}", r"\sin x"),
    Relaxed("a large operator before a group", _large, r"\sum {x}", r"\sum x"),
    Relaxed("a text's space outside of it", _texts, r"\text{if }x", r"\text{if}\ x"),
)
"""All of them."""
RULES: Sequence[Rule] = tuple(dict.fromkeys(way.rule for way in RELAXED))


def relax(tree: Node, rules: Sequence[Rule] = RULES) -> Node:
    """The tree as all trees that print like it by these rules are."""
    return _relaxed(tree, rules, DISPLAY)


def _relaxed(tree: Node, rules: Sequence[Rule], style: str) -> Node:
    passed_on = style if tree.tag in ("math", "mrow") else ANY
    row = [_relaxed(child, rules, passed_on) for child in tree.children]
    row = _by_rules(row, rules, style) if tree.tag in ROWS else [_place(item, rules) for item in row]
    return Node(tree.tag, tree.attributes, tuple(row), tree.text.replace("\xa0", " "))


def _by_rules(row: Row, rules: Sequence[Rule], style: str) -> Row:
    for rule in rules:
        row = rule(row, style)
    return row


def _place(item: Node, rules: Sequence[Rule]) -> Node:
    """What stands in a place of its own, such as an exponent: a row of one is that one, and one may become a row."""
    plain = item.tag == "mrow" and not item.attributes and not _is_fence(item)
    row = list(item.children) if plain else _by_rules([item], rules, ANY)
    return row[0] if len(row) == 1 else node("mrow", *row)
