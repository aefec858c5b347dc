"""Expressions that a person writes: arithmetic and comparisons over named values, and nothing else.

Case files, the conditions of `find` and own measures are written in them. Python's parser reads an
expression that is bounded in length, depth and number of values; of its tree a few kinds of parts
are taken, and it is never run as Python. What names mean is decided by who asks.
docs/expressions.md is made from the tables here.
"""

import ast
import keyword
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from hiermeasures.hierarchy.elementwise import (
    divide,
    is_array,
    known_maximum,
    maximum,
    minimum,
    quiet,
    sqrt,
    where,
)
from hiermeasures.hierarchy.errors import InputError, shown, unknown

if TYPE_CHECKING:
    import numpy as np

# characters; brackets within brackets; names and numbers
MAX_LENGTH, MAX_DEPTH, MAX_VALUES = (300, 20, 60)
MAX_NUMBER = 1e100  # of any part, so that no sum or square of values is infinite
_ALL_WHOLE = 2.0**52  # from here on a float has no digits after the point
_CLOSE = 1e-9
_NEEDED, _TOO_DEEP = (
    "a name, a number or a bracket",
    f"an expression is at most {MAX_DEPTH} brackets deep",
)


class ExpressionError(InputError):
    """An invalid expression: `reason` explains the error at its characters `start` to `end`."""

    def __init__(self, text: str, start: int, end: int, reason: str) -> None:
        super().__init__(f"{shown(text)}: {reason}" + (f" (character {start + 1})" if text else ""))
        self.text, self.start, self.end, self.reason = text, start, max(end, start + 1), reason

    @property
    def underlined(self) -> str:
        """The expression, or its part near the fault, with marks below the fault."""
        first = max(0, self.start - 40)
        last = min(len(self.text), self.start + max(20, min(self.end - self.start, 60)))
        here = "".join(c if c.isprintable() else "·" for c in self.text[first:last])
        before, after = "…" * (first > 0), "…" * (last < len(self.text))
        marks = min(self.end - self.start, 60)
        return f"{before}{here}{after}\n{' ' * (len(before) + self.start - first)}{'^' * marks}"


# --- what there is --------------------------------------------------------------------------------


def truncated(value: float, digits: float) -> float:
    """Cut a finite number after some digits, as a table that does not round prints it."""
    if abs(value) >= _ALL_WHOLE:
        return value
    scale = 10.0 ** min(max(int(digits), 0), 12)
    return math.trunc(value * scale + math.copysign(_CLOSE, value)) / scale


def _rounded(value: float, digits: float) -> float:
    return round(value, min(max(int(digits), 0), 12))


@dataclass(frozen=True)
class Function:
    """A function of expressions: its syntax, its result, and its number of arguments."""

    form: str
    meaning: str
    takes: range
    over: Callable[..., Any]


def _each(function: Callable[[float, float], float]) -> Callable[..., Any]:
    def of(value: float, digits: float) -> float:
        return (
            function(value, digits) if math.isfinite(value) and math.isfinite(digits) else math.nan
        )

    def over(value: Any, digits: Any) -> Any:
        if not (is_array(value) or is_array(digits)):
            return of(value, digits)
        import numpy as np

        return np.vectorize(of, otypes=[float])(value, digits)

    return over


FUNCTIONS: dict[str, Function] = {
    "min": Function(
        "min(a, b, …)", "the smallest", range(1, MAX_VALUES), lambda *v: reduce(minimum, v)
    ),
    "max": Function(
        "max(a, b, …)", "the largest", range(1, MAX_VALUES), lambda *v: reduce(maximum, v)
    ),
    "abs": Function("abs(a)", "without its sign", range(1, 2), abs),
    "sqrt": Function("sqrt(a)", "the square root; undefined below 0", range(1, 2), sqrt),
    "rounded": Function("rounded(a, n)", "rounded to n digits", range(2, 3), _each(_rounded)),
    "truncated": Function("truncated(a, n)", "cut after n digits", range(2, 3), _each(truncated)),
}
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: abs(a - b) < _CLOSE,
    "!=": lambda a, b: abs(a - b) >= _CLOSE,
    "<": lambda a, b: a < b - _CLOSE,
    "<=": lambda a, b: a <= b + _CLOSE,
    ">": lambda a, b: a > b + _CLOSE,
    ">=": lambda a, b: a >= b - _CLOSE,
}
OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "neg": operator.neg,
    "and": lambda *v: reduce(operator.and_, v),
    "or": lambda *v: reduce(operator.or_, v),
    "not": lambda v: v ^ True,
    **{name: function.over for name, function in FUNCTIONS.items()},
}
WORDS = ("and", "or", "not")
_SIGNS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.USub: "neg", ast.And: "and", ast.Or: "or",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_PART = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![\w.])"
    r"|(?P<name>[A-Za-z]\w*(?:\.[A-Za-z]\w*)?)(?![\w.])"
    r"|(?P<sign>[=!<>]=|\*(?!\*)|/(?!/)|<(?!<)|>(?!>)|[-+(),\s])"
    r"|[\w.]+|\*\*|//|<<|>>|.",  # what there is not
    re.ASCII | re.DOTALL,
)
_INSTEAD = {
    "=": "write == for equal",
    **dict.fromkeys(("**", "^"), "there are no powers; write a * a"),
}


@dataclass(frozen=True)
class Node:
    """A part of an expression, written as `text`: a "number", a "name", "neg", an operator, a
    function, a chain of comparisons ("compare", with its `relations`), "and", "or" or "not".
    """

    op: str
    text: str
    parts: tuple["Node", ...] = ()
    relations: tuple[str, ...] = ()

    @property
    def is_condition(self) -> bool:
        return self.op == "compare" or self.op in WORDS


class Expression:
    """An expression, parsed once and evaluated for any values of its names.

    Raises
    ------
    ExpressionError
        Where the text is none; it says where.

    Examples
    --------
    >>> Expression("1 - error / 15")({"error": 12.0})
    0.19999999999999996
    >>> Expression("0 < near < far")({"near": 1.0, "far": 2.0})
    True
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.used: dict[str, tuple[int, int]] = {}  # its names, each where it stands first
        self._first = len(text) - len(text.lstrip())
        self._check_words()
        self.root = self._node(self._tree())
        self.names = frozenset(self.used)

    @property
    def is_condition(self) -> bool:
        """True for an expression that is true or false, and no number."""
        return self.root.is_condition

    def fault(self, reason: str, start: int = 0, end: int | None = None) -> ExpressionError:
        """An error about the characters from `start` to `end`, by default all."""
        return ExpressionError(self.text, start, len(self.text) if end is None else end, reason)

    def must_be(self, *, condition: bool) -> None:
        """Refuse a number where a condition is needed, or the reverse."""
        self._of_kind(self.root, (0, len(self.text)), condition)

    def __call__(self, values: Mapping[str, float]) -> Any:
        """Return its value, a float or a bool. A condition about undefined values is False.

        InputError if a part of it has no value, as 1/0, or one beyond 1e100.
        """
        given = {name: _bounded(float(values[name])) for name in self.used}
        try:
            value = _over(self.root, given, divide, _must_have_value)
        except FloatingPointError:
            raise InputError(f"the expression {shown(self.text)} has no value here") from None
        return value and not any(map(math.isnan, given.values())) if self.is_condition else value

    def over(self, columns: "Mapping[str, np.ndarray]", n: int) -> "np.ndarray":
        """Evaluate a condition for n rows, as booleans; False for rows where a part has no value.

        >>> import numpy as np
        >>> Expression("a > 1 and a / b == 2").over({"a": np.array([1.0, 4.0]), "b": np.array([0.0, 2.0])}, 2)
        array([False,  True])
        """
        self.must_be(condition=True)
        import numpy as np

        given = {name: _bounded(columns[name]) for name in self.used}
        undefined = [np.isnan(values) for values in given.values()]
        with np.errstate(all="ignore"):
            holds = _over(
                self.root, given, divide, lambda value, parts: undefined.append(np.isnan(value))
            )
        return np.broadcast_to(holds & ~np.any(np.broadcast_arrays(*undefined), axis=0), n)

    def numbers(self, columns: Mapping[str, Any], divide: Callable[[Any, Any], Any]) -> Any:
        """Return a number, elementwise, nan where a part has no value or one beyond 1e100; `divide`
        handles division by 0.
        """
        self.must_be(condition=False)
        with quiet(*columns.values()):
            return _over(self.root, columns, divide)

    def margin(self, columns: "Mapping[str, np.ndarray]", n: int) -> "np.ndarray":
        """Return how far a condition holds for n rows: the difference of the two sides of a
        comparison, the least where all have to hold, the greatest where one is enough. What asks
        for equals does not count, and alone gives 0. Negative or nan if the condition does not
        hold.

        >>> import numpy as np
        >>> Expression("a > 1 and b < 1").margin({"a": np.array([3.0]), "b": np.array([0.5])}, 1)
        array([0.5])
        """
        import numpy as np

        with np.errstate(all="ignore"):
            found = np.broadcast_to(_margin(self.root, columns), n)
        return np.where(np.isinf(found), 0.0, found)

    def latex(self, name: Callable[[str], str]) -> str:
        r"""Return a number as LaTeX; `name` gives the LaTeX of a name.

        >>> Expression("2*(a + b) / c").latex(str)
        '\\frac{2 \\cdot \\left(a + b\\right)}{c}'
        """
        return _latex(self.root, name)

    # --- reading --------------------------------------------------------------------------------

    def _check_words(self) -> None:
        """Refuse unknown symbols, missing ones, and expressions that are too long or too deep."""
        if len(self.text) > MAX_LENGTH:
            raise self.fault(f"an expression has at most {MAX_LENGTH} characters", MAX_LENGTH)
        if not self.text.strip():
            raise self.fault("an expression is needed, such as 0.5*hF + 0.5*F_LCA")
        values = depth = 0
        before = ""
        for found in _PART.finditer(self.text):
            part, kind = found[0], found.lastgroup
            if part.isspace():
                continue
            values += kind in ("number", "name") and part not in WORDS
            depth += (part == "(") - (part == ")")
            if kind is None or (keyword.iskeyword(part) and part not in WORDS):
                reason = _INSTEAD.get(part, f"{shown(part, 30)} has no meaning in an expression")
            elif values > MAX_VALUES:
                reason = f"an expression has at most {MAX_VALUES} names and numbers"
            elif depth > MAX_DEPTH:
                reason = _TOO_DEEP
            elif kind == "number" and part.isdigit() and part[0] == "0" and part.strip("0"):
                reason = f"write {part.lstrip('0')}, without the zero in front"
            else:
                reason = _missing(before, part, depth)
            if reason:
                raise self.fault(reason, *found.span())
            before = part

    def _tree(self) -> ast.expr:
        """Python's tree of the text, in which any white space is a blank and none comes first."""
        try:
            return ast.parse(re.sub(r"\s", " ", self.text[self._first :]), mode="eval").body
        except SyntaxError as error:
            if not error.offset:  # the end, whose place Python does not say
                raise self.fault(
                    f"{_NEEDED} is missing at the end", *[len(self.text.rstrip())] * 2
                ) from None
            start, end = (
                self._first + (place or 0) - 1 for place in (error.offset, error.end_offset)
            )
            why = "" if error.msg.startswith("invalid syntax") else f": {error.msg}"
            raise self.fault(f"this cannot be read{why}", start, end) from None

    def _node(self, tree: ast.expr, depth: int = 0) -> Node:
        """The part that a tree stands for; ExpressionError where there is no such part."""
        at = self._place(tree)
        text = self.text[slice(*at)]
        if depth > MAX_DEPTH + MAX_VALUES:
            raise self.fault(_TOO_DEEP, *at)

        def read(*parts: ast.expr, condition: bool = False) -> tuple[Node, ...]:
            return tuple(
                self._of_kind(self._node(part, depth + 1), self._place(part), condition)
                for part in parts
            )

        match tree:
            case ast.Constant():
                if float(text) <= MAX_NUMBER:
                    return Node("number", text)
                raise self.fault(f"this number is too large; the largest is {MAX_NUMBER:g}", *at)
            case ast.Name() | ast.Attribute() if text not in FUNCTIONS:
                self.used.setdefault(text, at)
                return Node("name", text)
            case ast.UnaryOp(op=ast.USub(), operand=part):
                return Node("neg", text, read(part))
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return Node("not", text, read(part, condition=True))
            case ast.BinOp(left=left, op=sign, right=right):
                return Node(_SIGNS[type(sign)], text, read(left, right))
            case ast.BoolOp(op=sign, values=parts):
                return Node(_SIGNS[type(sign)], text, read(*parts, condition=True))
            case ast.Compare(left=first, ops=signs, comparators=others):
                return Node(
                    "compare",
                    text,
                    read(first, *others),
                    tuple(_SIGNS[type(sign)] for sign in signs),
                )
            case ast.Call(func=ast.Name(id=name) as called, args=parts):
                if name not in FUNCTIONS:
                    raise self.fault(unknown("function", name, FUNCTIONS), *self._place(called))
                if len(parts) not in FUNCTIONS[name].takes:
                    raise self.fault(f"{name} is written {FUNCTIONS[name].form}", *at)
                return Node(name, text, read(*parts))
            case ast.Tuple():
                raise self.fault("a comma stands between the values of a function only", *at)
        raise self.fault(f"{_NEEDED} is needed here", *at)

    def _place(self, tree: ast.expr) -> tuple[int, int]:
        return self._first + tree.col_offset, self._first + (tree.end_col_offset or 0)

    def _of_kind(self, node: Node, at: tuple[int, int], condition: bool) -> Node:
        if node.is_condition == condition:
            return node
        words = "a number, and a condition" if condition else "a condition, and a number"
        raise self.fault(f"this is {words} is needed", *at)


def _missing(before: str, part: str, depth: int) -> str:
    """Return what is missing between two neighbouring parts of an expression; "" if nothing is."""
    ends, begins = before == ")" or _is_value(before), part in ("(", "not") or _is_value(part)
    if ends and begins and not (part == "(" and before[0].isalpha()):
        operator = "an operator or a comma" if depth else "an operator, such as +,"
        return f"{operator} is missing before {shown(part, 30)}"
    if ends or begins or part == "-" or (before, part) == ("(", ")"):
        return ""
    return f"{_NEEDED} is missing before {shown(part, 30)}"


def _is_value(part: str) -> bool:
    return part not in WORDS and (part[:1].isalnum() or part[:1] == ".")


# --- working out ----------------------------------------------------------------------------------


def _over(
    node: Node,
    columns: Mapping[str, Any],
    divide: Callable[[Any, Any], Any],
    check: Callable[[Any, list[Any]], None] = lambda value, parts: None,
) -> Any:
    """Return the value of a node, elementwise: nan for a number beyond MAX_NUMBER. `check` sees each
    value that was worked out, and the values of its parts.
    """
    if node.op == "number":
        return float(node.text)
    if node.op == "name":
        return _bounded(columns[node.text])
    parts = [_over(part, columns, divide, check) for part in node.parts]
    if node.op == "compare":
        pairs = zip(node.relations, parts, parts[1:], strict=False)
        value = reduce(operator.and_, (COMPARISONS[op](a, b) for op, a, b in pairs))
    else:
        value = (divide if node.op == "/" else OPERATIONS[node.op])(*parts)
    value = value if node.is_condition else _bounded(value)
    check(value, parts)
    return value


def _bounded(value: Any) -> Any:
    return where(abs(value) <= MAX_NUMBER, value, math.nan)


def _must_have_value(value: float, parts: list[float]) -> None:
    """Refuse a result that is no number within bounds: 1/0, 0/0, the root of −1, 1e60 * 1e60."""
    if math.isnan(value) and not any(map(math.isnan, parts)):
        raise FloatingPointError


def _margin(node: Node, columns: Mapping[str, Any]) -> Any:
    """Return how far a condition holds, elementwise."""
    if node.op == "compare":
        sides = [_over(part, columns, divide) for part in node.parts]
        pairs = zip(node.relations, sides, sides[1:], strict=False)
        return reduce(minimum, (_distance(op, a, b) for op, a, b in pairs))
    inner = [_margin(part, columns) for part in node.parts]
    if node.op == "not":
        return -inner[0]
    return reduce(minimum if node.op == "and" else known_maximum, inner)


def _distance(relation: str, a: Any, b: Any) -> Any:
    if relation == "==":
        return where(COMPARISONS["=="](a, b), math.inf, -abs(a - b))
    if relation == "!=":
        return abs(a - b)
    return a - b if relation in (">", ">=") else b - a


# --- LaTeX ----------------------------------------------------------------------------------------

_BINDING = {"+": 1, "-": 1, "neg": 3, "*": 3}  # how tightly; anything else holds together by itself


def _latex(node: Node, name: Callable[[str], str]) -> str:
    def of(part: Node, least: int = 0) -> str:
        inner = _latex(part, name)
        return rf"\left({inner}\right)" if _BINDING.get(part.op, 9) < least else inner

    if node.op == "number":
        return node.text
    if node.op == "name":
        return name(node.text)
    first, *more = node.parts
    if node.op == "neg":
        return f"-{of(first, 3)}"
    if node.op == "/":
        return rf"\frac{{{of(first)}}}{{{of(more[0])}}}"
    if node.op == "*":
        return rf"{of(first, 3)} \cdot {of(more[0], 4)}"
    if node.op in ("+", "-"):
        return f"{of(first, 1)} {node.op} {of(more[0], 4 if more[0].op == 'neg' else 2)}"
    if node.op == "sqrt":
        return rf"\sqrt{{{of(first)}}}"
    if node.op == "abs":
        return rf"\left|{of(first)}\right|"
    return rf"\mathrm{{{node.op}}}\left({', '.join(map(of, node.parts))}\right)"
