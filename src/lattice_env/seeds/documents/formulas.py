"""Formulas over facts: names, numbers, `+ - * /`, parentheses and `sum(group.fact)`; evaluated in decimals."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from lattice_env.errors import SeedError

from .formats import Value

CENT = Decimal("0.01")
NUMBERS = ("money", "rate", "count", "number")

Lookup = Callable[[str], Any]
"""The value of a fact by name; the list of a group's values for a name within `sum`."""
Node = Callable[[Lookup], Any]

_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + timedelta(days=int(b)) if isinstance(a, date) else a + b,
    ast.Sub: lambda a, b: a - timedelta(days=int(b)) if isinstance(a, date) else a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}


@dataclass(frozen=True)
class Formula:
    """A formula that was checked: what it needs, and how it is evaluated."""

    text: str
    names: frozenset[str]
    """Facts that it uses, those within `sum` included."""
    evaluate: Node


def parse_formula(text: str, types: Mapping[str, str], where: str) -> Formula:
    """The formula in a text over facts of these types; SeedError for syntax, an unknown name or a wrong type."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        message = f"{where}: {text!r} is no formula: {error.msg}"
        raise SeedError(message) from error
    names: set[str] = set()
    kind, node = _compiled(tree, types, names, f"{where}: {text!r}")
    del kind
    return Formula(text, frozenset(names), node)


def formula_kind(text: str, types: Mapping[str, str], where: str) -> str:
    """`date` or `number`: what a formula yields."""
    kind, _ = _compiled(ast.parse(text, mode="eval").body, types, set(), f"{where}: {text!r}")
    return kind


def rounded(value: Any, kind: str) -> Value:
    """A formula's result as a value of its fact's type: money to the cent, halves away from zero."""
    if kind == "money":
        return Decimal(value).quantize(CENT, ROUND_HALF_UP)
    if kind == "count":
        return int(Decimal(value).to_integral_value(ROUND_HALF_UP))
    return value


def _compiled(tree: ast.expr, types: Mapping[str, str], names: set[str], where: str) -> tuple[str, Node]:
    """The kind (`number` or `date`) and the evaluator of a tree."""
    if isinstance(tree, ast.Constant) and type(tree.value) in (int, float):
        number = Decimal(str(tree.value))
        return "number", lambda _: number
    if isinstance(tree, ast.BinOp) and type(tree.op) in _OPERATORS:
        return _operation(tree, types, names, where)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "sum" and len(tree.args) == 1:
        name = _name(tree.args[0], types, names, where)
        if "." not in name or types[name] not in NUMBERS:
            message = f"{where}: sum takes the numbers of a group, not {name}"
            raise SeedError(message)
        return "number", lambda look: sum(look(f"*{name}"), Decimal(0))
    name = _name(tree, types, names, where)
    if types[name] not in (*NUMBERS, "date"):
        message = f"{where}: {name} is {types[name]}, which cannot be computed with"
        raise SeedError(message)
    return ("date" if types[name] == "date" else "number"), lambda look: look(name)


def _operation(tree: ast.BinOp, types: Mapping[str, str], names: set[str], where: str) -> tuple[str, Node]:
    left_kind, left = _compiled(tree.left, types, names, where)
    right_kind, right = _compiled(tree.right, types, names, where)
    shifts = isinstance(tree.op, ast.Add | ast.Sub)
    if right_kind == "date" or (left_kind == "date" and not shifts):
        message = f"{where}: a date can only have days added or taken away"
        raise SeedError(message)
    operate = _OPERATORS[type(tree.op)]
    return left_kind, lambda look: operate(left(look), right(look))


def _name(tree: ast.expr, types: Mapping[str, str], names: set[str], where: str) -> str:
    name = ast.unparse(tree)
    if not isinstance(tree, ast.Name | ast.Attribute) or name not in types:
        message = f"{where}: {name} is no fact"
        raise SeedError(message)
    names.add(name)
    return name
