"""Arithmetic in scenario files and signals: ``"${0.1 * i}"``, ``link${i - 1}``, ``"${2 * pitch} deg"``.

A small evaluator over Python's syntax tree with a short list of what is allowed: numbers, names that the file defines
(the index of a ``repeat`` and the entries of ``parameters``), + - * / // % **, comparisons, ``a if c else b`` and a few
functions. No attributes, no indexing, no calls of anything else, no numbers beyond the range of a float.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from centrode.errors import InputError, nearest_name

_PATTERN = re.compile(r"\$(\$\{|\{([^{}]*)\})")
_LONGEST = 300
_MOST_NODES = 100
_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: math.pow,  # floats: no integers of a million digits
}
_COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(math, name)
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "floor", "ceil", "hypot")
} | {"abs": abs, "min": min, "max": max, "round": round, "rad": math.radians, "deg": math.degrees}
_CONSTANTS = {"pi": math.pi}
_LARGEST = 2**53


def substitute(text: str, names: Mapping[str, float]) -> Any:
    """Replace every ``${...}`` of a text; a text that is one expression becomes the number itself.

    ``$${`` stands for a literal ``${``.

    Raises:
        InputError: an expression that is not allowed or has no value.
    """
    if "$" not in text:
        return text
    whole = _PATTERN.fullmatch(text)
    if whole is not None and whole[2] is not None:
        return evaluate(whole[2], names)
    return _PATTERN.sub(lambda match: "${" if match[2] is None else _as_text(evaluate(match[2], names)), text)


def evaluate(expression: str, names: Mapping[str, float]) -> float | int:
    """Value of an expression."""
    if len(expression) > _LONGEST:
        raise InputError("expression too long", got=expression, expected=f"at most {_LONGEST} characters")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError("cannot read the expression", got=expression) from None
    if sum(1 for _ in ast.walk(tree)) > _MOST_NODES:
        raise InputError("expression too long", got=expression)
    try:
        value = _value(tree.body, {**_CONSTANTS, **names}, expression)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise InputError(f"the expression has no value: {error}", got=expression) from None
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError("the expression has no finite value", got=expression)
    return value


def _value(node: ast.AST, names: Mapping[str, float], source: str) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() as number):
            return _bounded(number, source)
        case ast.Name(id=name):
            if name not in names:
                nearest = nearest_name(name, [*names, *_FUNCTIONS])
                raise InputError("unknown name in an expression", got=name, nearest=nearest)
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names, source)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, names, source)
        case ast.BinOp(left=left, op=kind, right=right) if type(kind) in _BINARY:
            result = _BINARY[type(kind)](_value(left, names, source), _value(right, names, source))
            return _bounded(result, source)
        case ast.Compare(left=left, ops=[kind], comparators=[right]) if type(kind) in _COMPARE:
            return _COMPARE[type(kind)](_value(left, names, source), _value(right, names, source))
        case ast.IfExp(test=test, body=body, orelse=other):
            return _value(body if _value(test, names, source) else other, names, source)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            if any(isinstance(item, ast.Starred) for item in arguments):
                raise InputError("not allowed in an expression", got=source)
            return _bounded(_FUNCTIONS[name](*(_value(item, names, source) for item in arguments)), source)
    raise InputError(
        "not allowed in an expression",
        got=source,
        expected="numbers, names, + - * / // % **, comparisons and " + ", ".join(sorted(_FUNCTIONS)),
    )


def _bounded(value: Any, source: str) -> Any:
    if isinstance(value, int) and abs(value) > _LARGEST:
        return float(value)
    return value


def _as_text(value: float | int) -> str:
    """A number inside a longer text; 3.0 is written as 3 so that it can be part of a name."""
    return str(int(value)) if float(value).is_integer() and abs(value) <= _LARGEST else repr(float(value))
