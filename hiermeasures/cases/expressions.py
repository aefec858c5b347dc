"""Small expressions in case files: arithmetic and comparisons over named values, and nothing else.

An expression is parsed and walked by the code here; it is never run as Python.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from hiermeasures.errors import InputError, shown, unknown

MAX_LENGTH = 300
_CLOSE = 1e-9


def truncated(value: float, digits: float) -> float:
    """A number cut after some digits: what a table that does not round would print."""
    scale = 10.0 ** min(max(int(digits), 0), 12)
    return math.trunc(value * scale + math.copysign(_CLOSE, value)) / scale


_ARITHMETIC: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARISONS: dict[type, Callable[[float, float], bool]] = {
    ast.Eq: lambda a, b: abs(a - b) < _CLOSE,
    ast.NotEq: lambda a, b: abs(a - b) >= _CLOSE,
    ast.Lt: lambda a, b: a < b - _CLOSE,
    ast.LtE: lambda a, b: a <= b + _CLOSE,
    ast.Gt: lambda a, b: a > b + _CLOSE,
    ast.GtE: lambda a, b: a >= b - _CLOSE,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sqrt": math.sqrt,
    "truncated": truncated,
    "rounded": lambda value, digits: round(value, int(digits)),
}


class Expression:
    """An expression, parsed once and worked out for any values of its names.

    >>> Expression("1 - error / 15")({"error": 12.0})
    0.19999999999999996
    >>> Expression("0 < near < far")({"near": 1.0, "far": 2.0})
    True
    """

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > MAX_LENGTH:
            raise InputError(f"an expression of more than {MAX_LENGTH} characters")
        try:
            self._body = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise InputError(f"{shown(text)} is no expression") from None
        self.names = frozenset(self._checked(self._body))

    def __call__(self, values: Mapping[str, float]) -> Any:
        try:
            return self._value(self._body, values)
        except (ZeroDivisionError, OverflowError, ValueError, TypeError):
            raise InputError(f"the expression {shown(self.text)} has no value here") from None

    def over(self, columns: Mapping[str, np.ndarray], n: int) -> np.ndarray:
        """A condition worked out for n rows at once, as booleans; where it has no number it does not hold.

        >>> Expression("a > 1 and a / b == 2").over({"a": np.array([1.0, 4.0]), "b": np.array([0.0, 2.0])}, 2)
        array([False,  True])
        """
        with np.errstate(all="ignore"):
            found = np.broadcast_to(self._value_over(self._body, columns), n)
        if found.dtype != bool:
            raise InputError(f"{shown(self.text)} is a number, not a condition")
        return found

    def _checked(self, node: ast.AST) -> set[str]:
        """The names used; InputError for anything that is not arithmetic, a comparison or a known function."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            return set()
        if isinstance(node, ast.Name):
            return {node.id}
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            return self._checked(node.left) | self._checked(node.right)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
            return self._checked(node.operand)
        if isinstance(node, ast.BoolOp):
            return set().union(*map(self._checked, node.values))
        if isinstance(node, ast.Compare) and all(type(op) in _COMPARISONS for op in node.ops):
            return set().union(*map(self._checked, (node.left, *node.comparators)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id not in _FUNCTIONS:
                raise InputError(unknown("function", node.func.id, _FUNCTIONS))
            return set().union(*map(self._checked, node.args))
        raise InputError(f"{shown(self.text)} holds something other than arithmetic and comparisons")

    def _value(self, node: Any, values: Mapping[str, float]) -> Any:
        if isinstance(node, ast.Constant):
            return float(node.value)  # type: ignore[arg-type]
        if isinstance(node, ast.Name):
            return values[node.id]
        if isinstance(node, ast.BinOp):
            return _ARITHMETIC[type(node.op)](self._value(node.left, values), self._value(node.right, values))
        if isinstance(node, ast.UnaryOp):
            inner = self._value(node.operand, values)
            return -inner if isinstance(node.op, ast.USub) else not inner
        if isinstance(node, ast.BoolOp):
            parts = (self._value(part, values) for part in node.values)
            return all(parts) if isinstance(node.op, ast.And) else any(parts)
        if isinstance(node, ast.Compare):
            terms = [self._value(term, values) for term in (node.left, *node.comparators)]
            return all(_COMPARISONS[type(op)](a, b) for op, a, b in zip(node.ops, terms, terms[1:], strict=False))
        return _FUNCTIONS[node.func.id](*(self._value(argument, values) for argument in node.args))

    def _value_over(self, node: Any, columns: Mapping[str, np.ndarray]) -> Any:
        def of(inner: Any) -> Any:
            return self._value_over(inner, columns)

        if isinstance(node, ast.Constant):
            return np.float64(node.value)  # type: ignore[arg-type]
        if isinstance(node, ast.Name):
            return columns[node.id]
        if isinstance(node, ast.BinOp):
            return _ARITHMETIC[type(node.op)](of(node.left), of(node.right))
        if isinstance(node, ast.UnaryOp):
            return -of(node.operand) if isinstance(node.op, ast.USub) else ~self._truth(of(node.operand))
        if isinstance(node, ast.BoolOp):
            combine = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
            return reduce(combine, (self._truth(of(part)) for part in node.values))
        if isinstance(node, ast.Compare):
            terms = [of(term) for term in (node.left, *node.comparators)]
            pairs = zip(node.ops, terms, terms[1:], strict=False)
            return reduce(np.logical_and, (np.asarray(_COMPARISONS[type(op)](a, b)) for op, a, b in pairs))
        return _over(node.func.id, [of(argument) for argument in node.args], self.text)

    def _truth(self, value: Any) -> np.ndarray:
        found = np.asarray(value)
        if found.dtype != bool:
            raise InputError(f"{shown(self.text)} joins a number, where a condition is needed")
        return found


def _over(name: str, arguments: list[Any], text: str) -> Any:
    """A function of expressions, elementwise."""
    if name in ("min", "max") and arguments:
        return reduce(np.minimum if name == "min" else np.maximum, arguments)
    if name in ("abs", "sqrt") and len(arguments) == 1:
        return np.abs(arguments[0]) if name == "abs" else np.sqrt(arguments[0])
    if name in ("truncated", "rounded") and len(arguments) == 2:
        return np.vectorize(_FUNCTIONS[name], otypes=[float])(*arguments)
    raise InputError(f"the expression {shown(text)} gives {name} a number of values that it does not take")
