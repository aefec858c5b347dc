"""Expressions that a person writes: arithmetic and comparisons over named values.

Case files, lessons, claims, the conditions of `find` and own measures use them. The length, depth
and number of values of an expression are limited. The caller gives names their values, and decides
if they take arguments. docs/expressions.md is made from the tables in this module.
"""

import keyword
import math
import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from hiermeasures.hierarchy.elementwise import (
    divide,
    is_array,
    known_maximum,
    log,
    maximum,
    minimum,
    quiet,
    sqrt,
    where,
)
from hiermeasures.hierarchy.errors import InputError, shown, unknown

if TYPE_CHECKING:
    import numpy as np

# characters, brackets within brackets, names and numbers
MAX_LENGTH, MAX_DEPTH, MAX_VALUES = (300, 20, 60)
MAX_NUMBER = 1e100  # of any part, so sums and squares of values stay finite
_ALL_WHOLE = 2.0**52  # larger floats have no digits after the point
_CLOSE = 1e-9
_NEEDED, _TOO_DEEP = (
    "a name, a number or a bracket",
    f"an expression may have at most {MAX_DEPTH} brackets inside each other",
)


class ExpressionError(InputError):
    """An error in an expression. `reason` explains it, and `start` and `end` are its characters."""

    def __init__(self, text: str, start: int, end: int, reason: str) -> None:
        place = f" (character {start + 1})" if text else ""
        named = shown(text) in reason  # the reason quotes the whole text, so no place is needed
        super().__init__(reason if text and named else f"{shown(text)}: {reason}{place}")
        self.text, self.start, self.end, self.reason = text, start, max(end, start + 1), reason

    @property
    def underlined(self) -> str:
        """The text near the error, with marks under the error on a second line."""
        first = max(0, self.start - 40)
        last = min(len(self.text), self.start + max(20, min(self.end - self.start, 60)))
        here = "".join(c if c.isprintable() else "·" for c in self.text[first:last])
        before, after = "…" * (first > 0), "…" * (last < len(self.text))
        marks = min(self.end - self.start, 60)
        return f"{before}{here}{after}\n{' ' * (len(before) + self.start - first)}{'^' * marks}"


# --- functions and operators ----------------------------------------------------------------------


def truncated(value: float, digits: float) -> float:
    """Cut a finite number after some digits, without rounding."""
    if abs(value) >= _ALL_WHOLE:
        return value
    scale = 10.0 ** min(max(int(digits), 0), 12)
    return math.trunc(value * scale + math.copysign(_CLOSE, value)) / scale


def _rounded(value: float, digits: float) -> float:
    return round(value, min(max(int(digits), 0), 12))


@dataclass(frozen=True)
class Function:
    """A function for expressions: its syntax, its result, and its number of arguments."""

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
    "sqrt": Function(
        "sqrt(a)", "the square root, undefined for negative numbers", range(1, 2), sqrt
    ),
    "log": Function(
        "log(a)", "the natural logarithm, undefined for 0 and negative numbers", range(1, 2), log
    ),
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
_PART = re.compile(
    r"(?u:\s*)(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![\w.])"
    r"|(?P<name>[A-Za-z]\w*(?:\.[A-Za-z]\w*)?)(?![\w.])"
    r"|(?P<sign>[=!<>]=|\*(?!\*)|/(?!/)|<(?!<)|>(?!>)|[-+(),])"
    r"|(?P<other>[\w.]+|\*\*|//|<<|>>|.))?",
    re.ASCII | re.DOTALL,
)
_INSTEAD = {
    "=": "write == for equal",
    **dict.fromkeys(("**", "^"), "powers are not allowed. Write a * a"),
}
# larger numbers bind more tightly
BINDING = {"or": 1, "and": 2, "not": 3, "compare": 4, "+": 5, "-": 5, "*": 6, "/": 6, "neg": 7}
Argument = str | frozenset[str]  # a class or a set of classes
TOTAL = "total"  # a call that adds up an expression over several classes


@dataclass(frozen=True)
class Node:
    """A part of an expression.

    Attributes
    ----------
    op : str
        "number", "name", "neg", an operator, a function, "compare" for a chain of comparisons,
        "and", "or" or "not".
    text : str
        The text of the part.
    start : int
        The position of its first character in the expression.
    parts : tuple of Node
        The parts that it combines.
    relations : tuple of str
        The signs of a chain of comparisons.
    arguments : tuple, optional
        The arguments of a name.
    """

    op: str
    text: str
    start: int
    parts: tuple["Node", ...] = ()
    relations: tuple[str, ...] = ()
    arguments: tuple[Argument, ...] | None = None

    @property
    def is_condition(self) -> bool:
        return self.op == "compare" or self.op in WORDS

    @property
    def place(self) -> tuple[int, int]:
        """The position of the first character, and of the first character after the part."""
        return self.start, self.start + len(self.text)

    @property
    def name(self) -> str:
        """The name without its arguments."""
        return self.text.partition("(")[0].rstrip()


class Expression:
    """An expression that is parsed once and evaluated for any values of its names.

    Parameters
    ----------
    text : str
    calls : collection of str
        Names that may have classes or sets of classes as arguments, as in ``LCA(a, {b, c})``. A
        name with its arguments counts as one name. The argument of ``total`` is a number.
    claim : bool
        True also allows a claim such as ``hF = 0.57``. `printed` is then the text after the sign.

    Raises
    ------
    ExpressionError
        For a text that is not an expression. The message names the position of the error.

    Examples
    --------
    >>> Expression("1 - error / 15")({"error": 12.0})
    0.19999999999999996
    >>> Expression("0 < near < far")({"near": 1.0, "far": 2.0})
    True
    >>> Expression("LCA(a, {b, c})", calls=["LCA"]).root.arguments == ("a", frozenset({"b", "c"}))
    True
    """

    def __init__(self, text: str, calls: Collection[str] = (), *, claim: bool = False) -> None:
        reader = _ExpressionReader(text, calls)
        self.text, self.root = text, reader.read_chain()
        self.printed: str | None = None
        if claim and reader.part == "=":
            self.printed = text[reader.end :].strip()
        elif reader.kind:
            raise reader.misplaced()
        self.used: Mapping[str, Node] = reader.used  # each name, at its first position
        self.names = frozenset(self.used)

    @property
    def is_condition(self) -> bool:
        """True if the value is true or false, False if it is a number."""
        return self.root.is_condition

    def fault(self, reason: str, start: int = 0, end: int | None = None) -> ExpressionError:
        """Return an error for the characters from `start` to `end`, by default all."""
        return ExpressionError(self.text, start, len(self.text) if end is None else end, reason)

    def must_be(self, *, condition: bool) -> None:
        """Raise ExpressionError if it is not a condition, or not a number."""
        if self.is_condition != condition:
            raise self.fault(_wrong_kind(condition))

    def __call__(self, values: Mapping[str, float]) -> Any:
        """Return the value for some values of the names.

        Returns
        -------
        float or bool
            A condition with an undefined value is False.

        Raises
        ------
        InputError
            If a part is undefined, as in 1/0, or larger than 1e100.
        """
        given = {name: float(values[name]) for name in self.used}
        parts: list[float] = []
        value = _over(self.root, given, divide, parts)
        defined = all(abs(number) <= MAX_NUMBER for number in given.values())
        if defined and any(map(math.isnan, parts)):
            raise InputError(f"the expression {shown(self.text)} is undefined here")
        return value and defined if self.is_condition else value

    def depends_on(self, names: Collection[str]) -> bool:
        """Return whether the value changes with these names, tested at seven points.

        >>> Expression("a - b").depends_on({"a"}), Expression("a - a + b").depends_on({"a"})
        (True, False)
        """
        found = set()
        for k, scale in enumerate((0.01, 0.1, 1.0, 1.0, 10.0, 10.0, 1000.0), 1):
            values = dict.fromkeys(self.used, 0.5)
            for n, name in enumerate(sorted(self.used.keys() & names), 1):
                values[name] = scale * (k * n * 0.6180339887 % 1)
            with suppress(InputError):  # undefined at this point
                found.add(round(self(values), 9))
        return len(found) > 1

    def over(self, columns: "Mapping[str, np.ndarray]", n: int) -> "np.ndarray":
        """Evaluate a condition for n rows. The result is an array of n booleans.

        A row is False if a part is undefined.

        >>> import numpy as np
        >>> Expression("a > 1 and a / b == 2").over({"a": np.array([1.0, 4.0]), "b": np.array([0.0, 2.0])}, 2)
        array([False,  True])
        """
        self.must_be(condition=True)
        import numpy as np

        parts: list[Any] = []
        with np.errstate(all="ignore"):
            holds = _over(self.root, columns, divide, parts)
        undefined = np.any(np.broadcast_arrays(*map(np.isnan, parts)), axis=0)
        return np.broadcast_to(holds & ~undefined, n)

    def numbers(self, columns: Mapping[str, Any], divide: Callable[[Any, Any], Any]) -> Any:
        """Evaluate a number elementwise.

        The result is nan if a part is undefined or larger than 1e100. `divide` handles division
        by 0.
        """
        self.must_be(condition=False)
        with quiet(*columns.values()):
            return _over(self.root, columns, divide, [])

    def margin(self, columns: "Mapping[str, np.ndarray]", n: int) -> "np.ndarray":
        """Return the distance of n rows from making a condition false.

        For a comparison it is the difference of its two sides. For "and" it is the smallest one,
        and for "or" the largest. Equations are ignored, and a condition with only equations has
        the distance 0. If the condition is false, the distance is negative or nan.

        >>> import numpy as np
        >>> Expression("a > 1 and b < 1").margin({"a": np.array([3.0]), "b": np.array([0.5])}, 1)
        array([0.5])
        """
        import numpy as np

        with np.errstate(all="ignore"):
            found = np.broadcast_to(_margin(self.root, columns), n)
        return np.where(np.isinf(found), 0.0, found)

    def latex(self, name: Callable[[str], str]) -> str:
        r"""Return a number as LaTeX. `name` returns the LaTeX of a name.

        >>> Expression("2*(a + b) / c").latex(str)
        '\\frac{2 \\cdot \\left(a + b\\right)}{c}'
        """
        return _latex(self.root, name)


class _ExpressionReader:
    """A reader that goes through the text of an expression part by part.

    `part` is the text of the next part, between `start` and `end`. `kind` is the group of _PART
    that it matches, or "" at the end.
    """

    def __init__(self, text: str, calls: Collection[str]) -> None:
        self.text, self.calls = text, calls
        self.used: dict[str, Node] = {}
        self.kind = self.part = ""
        self.start = self.end = self.last = self.values = 0
        longest = MAX_LENGTH * (20 if calls else 1)
        if len(text) > longest:
            raise self.fault(
                f"an expression may have at most {longest} characters", longest, len(text)
            )
        if not text.strip():
            raise self.fault("write an expression, such as 0.5*hF + 0.5*F_LCA", 0, len(text))
        self.step()

    def fault(self, reason: str, start: int | None = None, end: int | None = None) -> InputError:
        """Return an error for the characters from `start` to `end`, by default the next part."""
        return ExpressionError(
            self.text,
            self.start if start is None else start,
            self.end if end is None else end,
            reason,
        )

    def misplaced(self, opening: int | None = None) -> InputError:
        """Return an error for a next part that cannot follow.

        `opening` is the position of a bracket that is open.
        """
        if not self.kind and opening is not None:
            return self.fault("'(' was never closed", opening, opening + 1)
        if self.part == ")":
            return self.fault("unmatched ')'")
        if self.part == ",":
            return self.fault("commas are only allowed between the values of a function")
        if self.part in _INSTEAD:
            return self.fault(_INSTEAD[self.part])
        operator = "an operator, such as +," if opening is None else "an operator or a comma"
        return self.fault(f"{operator} is missing before {shown(self.part, 30)}")

    def step(self) -> None:
        """Go to the next part. Refuse unknown symbols and too many values."""
        self.last = self.end
        found = _PART.match(self.text, self.end)
        self.kind = (found and found.lastgroup) or ""
        if found is None or not self.kind:
            self.part, self.start, self.end = "", self.last, self.last
            return
        self.part, (self.start, self.end) = found[self.kind], found.span(self.kind)
        self.values += self.kind in ("number", "name") and self.part not in WORDS
        is_other = self.kind == "other" and self.part != "="
        if is_other or (keyword.iskeyword(self.part) and self.part not in WORDS):
            nothing = f"{shown(self.part, 30)} has no meaning in an expression"
            raise self.fault(_INSTEAD.get(self.part, nothing))
        if self.values > MAX_VALUES:
            raise self.fault(f"an expression may have at most {MAX_VALUES} names and numbers")

    def read_chain(self, least: int = 1, depth: int = 0) -> Node:
        """Read values, and the operators between them that bind at least as tightly as `least`."""
        start, left = self.start, self.read_value(least, depth)
        while True:
            sign = "compare" if self.part in COMPARISONS else self.part
            if sign == "not" or BINDING.get(sign, 0) < least:
                return left
            parts, relations = [left], []
            while self.part == sign or (sign == "compare" and self.part in COMPARISONS):
                relations.append(self.part)
                self.step()
                parts.append(self.read_chain(BINDING[sign] + 1, depth))
                if sign in "+-*/":  # two parts each
                    break
            left = self.node(sign, start, parts, relations if sign == "compare" else ())

    def read_value(self, least: int, depth: int) -> Node:
        """Read a number, a name, a bracket or a function, or one of these after a sign."""
        start, part, kind = self.start, self.part, self.kind
        if depth > MAX_DEPTH:
            raise self.fault(_TOO_DEEP)
        if part == "-" or (part == "not" and least <= BINDING["not"]):
            op = "neg" if part == "-" else part
            self.step()
            return self.node(op, start, [self.read_chain(BINDING[op], depth + 1)])
        if kind == "number":
            self.check_number()
            self.step()
            return self.node("number", start)
        if kind == "name" and part not in WORDS:
            self.step()
            return self.read_name(part, start, depth)
        if part == "(":
            self.step()
            inner = self.read_chain(1, depth + 1)
            if self.part != ")":
                raise self.misplaced(start)
            self.step()
            return inner
        end = len(self.text.rstrip())
        if not kind:
            raise self.fault(f"{_NEEDED} is missing at the end", end, end)
        raise self.fault(f"{_NEEDED} is missing before {shown(part, 30)}")

    def check_number(self) -> None:
        if self.part.isdigit() and self.part[0] == "0" and self.part.strip("0"):
            raise self.fault(f"write {self.part.lstrip('0')}, without the leading zero")
        if not float(self.part) <= MAX_NUMBER:
            raise self.fault(f"this number is too large. The largest number is {MAX_NUMBER:g}")

    def read_name(self, name: str, start: int, depth: int) -> Node:
        """Read the part after a name: the values of a function, or arguments."""
        arguments, here = None, (start, self.last)
        if name in FUNCTIONS:
            parts = self.read_function(depth) if self.part == "(" else []
            if len(parts) not in FUNCTIONS[name].takes:
                form = FUNCTIONS[name].form
                raise self.fault(f"write {name} as {form}", start, self.last)
            return self.node(name, start, parts)
        if self.part == "(":
            if name not in self.calls:
                raise self.fault(unknown("function", name, [*FUNCTIONS, *self.calls]), *here)
            arguments = self.read_summed(depth) if name == TOTAL else self.read_arguments()
        node = Node("name", self.text[start : self.last], start, arguments=arguments)
        return self.used.setdefault(node.text, node)

    def read_summed(self, depth: int) -> tuple[str, ...]:
        """Read the number that is added up over classes. `used` does not contain its names."""
        opening, outside = self.start, self.used
        self.used = {}
        parts = self.read_function(depth)
        self.used = outside
        if len(parts) != 1 or parts[0].is_condition:
            raise self.fault(f"write {TOTAL} as {TOTAL}(a number)", opening, self.last)
        return (parts[0].text,)

    def read_function(self, depth: int) -> list[Node]:
        opening = self.start
        self.step()
        parts = [] if self.part == ")" else [self.read_chain(1, depth + 1)]
        while self.part == ",":
            self.step()
            parts.append(self.read_chain(1, depth + 1))
        if self.part != ")":
            raise self.misplaced(opening)
        self.step()
        return parts

    def read_arguments(self) -> tuple[Argument, ...]:
        opening = self.start
        texts, self.end = split_arguments(self.text, self.end)
        if self.end == len(self.text):
            raise self.fault("'(' was never closed", opening, opening + 1)
        try:
            found = tuple(map(_argument, texts)) if texts != [""] else ()
        except ValueError:
            reason = "arguments must be classes, or sets such as {A, B}, separated by commas"
            raise self.fault(reason, opening, self.end + 1) from None
        self.end += 1
        self.step()
        return found

    def node(
        self, op: str, start: int, parts: Sequence[Node] = (), relations: Sequence[str] = ()
    ) -> Node:
        """Return a node for the text since `start`. Refuse parts of the wrong kind."""
        for part in parts:
            if part.is_condition != (op in WORDS):
                raise self.fault(_wrong_kind(op in WORDS), *part.place)
        return Node(op, self.text[start : self.last], start, tuple(parts), tuple(relations))


def split_arguments(text: str, start: int = 0) -> tuple[list[str], int]:
    """Split a text at the commas outside brackets, from the character `start` on.

    It stops at the end, or at a closing bracket without an opening one.

    Returns
    -------
    tuple of list of str, int
        The parts, and the position of the stop.

    Examples
    --------
    >>> split_arguments("a, {b, c}, min(d, e))")
    (['a', '{b, c}', 'min(d, e)'], 20)
    """
    parts, depth, at = [""], 0, start
    for at in range(start, len(text) + 1):
        letter = text[at : at + 1]
        if not letter or (letter == ")" and not depth):
            break
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts], at


def _argument(text: str) -> Argument:
    """Read a class or a set of classes. It raises ValueError for any other text."""
    inside = text[1:-1] if text.startswith("{") and text.endswith("}") else text
    if not text or "{" in inside or "}" in inside:
        raise ValueError
    if inside is text:
        return text
    return frozenset(name.strip() for name in inside.split(",") if name.strip())


def _wrong_kind(condition: bool) -> str:
    words = "a number, but a condition" if condition else "a condition, but a number"
    return f"this is {words} is needed"


# --- evaluation -----------------------------------------------------------------------------------


def _over(
    node: Node, columns: Mapping[str, Any], divide: Callable[[Any, Any], Any], seen: list[Any]
) -> Any:
    """Return the value of a node, elementwise. It is nan for a number larger than MAX_NUMBER.

    It adds the values of all parts that are numbers, and its own value, to `seen`.
    """
    parts = [_over(part, columns, divide, seen) for part in node.parts]
    if node.op == "compare":
        pairs = zip(node.relations, parts, parts[1:], strict=False)
        return reduce(operator.and_, (COMPARISONS[op](a, b) for op, a, b in pairs))
    if node.op == "number":
        value = float(node.text)
    elif node.op == "name":
        value = columns[node.text]
    else:
        value = (divide if node.op == "/" else OPERATIONS[node.op])(*parts)
    if node.is_condition:
        return value
    seen.append(_bounded(value))
    return seen[-1]


def _bounded(value: Any) -> Any:
    return where(abs(value) <= MAX_NUMBER, value, math.nan)


def _margin(node: Node, columns: Mapping[str, Any]) -> Any:
    """Return the distance from making a condition false, elementwise."""
    if node.op == "compare":
        sides = [_over(part, columns, divide, []) for part in node.parts]
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

_LOOSE = {"+": 1, "-": 1, "neg": 3, "*": 3}  # fractions, roots and functions need no brackets


def _latex(node: Node, name: Callable[[str], str]) -> str:
    def of(part: Node, least: int = 0) -> str:
        inner = _latex(part, name)
        return rf"\left({inner}\right)" if _LOOSE.get(part.op, 9) < least else inner

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
