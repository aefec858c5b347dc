"""Expressions that a person writes: arithmetic and comparisons over named values, and nothing else.

Case files, the conditions of `find` and own measures are written in them. An expression is read by
the parser here, is bounded in length, depth and number of values, and is never run as Python; what
its names mean is decided by who asks. docs/expressions.md is made from the tables here.
"""

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from hiermeasures.core.elementwise import (
    divide,
    is_array,
    is_finite,
    known_maximum,
    maximum,
    minimum,
    quiet,
    sqrt,
    where,
)
from hiermeasures.core.errors import InputError, shown, unknown

if TYPE_CHECKING:
    import numpy as np

MAX_LENGTH, MAX_DEPTH, MAX_VALUES = 300, 20, 60  # characters; brackets within brackets; names and numbers
_CLOSE = 1e-9
_NEEDED = "a name, a number or a bracket"


class ExpressionError(InputError):
    """An unusable expression: `reason` is what is wrong with its characters `start` to `end`."""

    def __init__(self, text: str, start: int, end: int, reason: str) -> None:
        super().__init__(f"{shown(text)}: {reason}" + (f" (character {start + 1})" if text else ""))
        self.text, self.start, self.end, self.reason = text, start, max(end, start + 1), reason

    @property
    def underlined(self) -> str:
        """The expression, or what of it is near the fault, with marks below the fault."""
        first = max(0, self.start - 40)
        last = min(len(self.text), self.start + max(20, min(self.end - self.start, 60)))
        here = "".join(c if c.isprintable() else "·" for c in self.text[first:last])
        before, after = "…" * (first > 0), "…" * (last < len(self.text))
        marks = min(self.end - self.start, 60)
        return f"{before}{here}{after}\n{' ' * (len(before) + self.start - first)}{'^' * marks}"


# --- what there is --------------------------------------------------------------------------------


def truncated(value: float, digits: float) -> float:
    """A number cut after some digits: what a table that does not round would print."""
    scale = 10.0 ** min(max(int(digits), 0), 12)
    return math.trunc(value * scale + math.copysign(_CLOSE, value)) / scale


def _rounded(value: float, digits: float) -> float:
    return round(value, min(max(int(digits), 0), 12))


@dataclass(frozen=True)
class Function:
    """A function of expressions: how it is written, what it gives, how many values it takes."""

    form: str
    meaning: str
    takes: range
    over: Callable[..., Any]


def _each(function: Callable[[float, float], float]) -> Callable[..., Any]:
    def of(value: float, digits: float) -> float:
        return function(value, digits) if math.isfinite(value) and math.isfinite(digits) else math.nan

    def over(value: Any, digits: Any) -> Any:
        if not (is_array(value) or is_array(digits)):
            return of(value, digits)
        import numpy as np

        return np.vectorize(of, otypes=[float])(value, digits)

    return over


FUNCTIONS: dict[str, Function] = {
    "min": Function("min(a, b, …)", "the smallest", range(1, MAX_VALUES), lambda *v: reduce(minimum, v)),
    "max": Function("max(a, b, …)", "the largest", range(1, MAX_VALUES), lambda *v: reduce(maximum, v)),
    "abs": Function("abs(a)", "without its sign", range(1, 2), abs),
    "sqrt": Function("sqrt(a)", "the square root; undefined below 0", range(1, 2), sqrt),
    "rounded": Function("rounded(a, n)", "rounded to n digits", range(2, 3), _each(_rounded)),
    "truncated": Function("truncated(a, n)", "cut after n digits", range(2, 3), _each(truncated)),
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": divide,
}
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: abs(a - b) < _CLOSE,
    "!=": lambda a, b: abs(a - b) >= _CLOSE,
    "<": lambda a, b: a < b - _CLOSE,
    "<=": lambda a, b: a <= b + _CLOSE,
    ">": lambda a, b: a > b + _CLOSE,
    ">=": lambda a, b: a >= b - _CLOSE,
}
WORDS = ("and", "or", "not")
_NO_NAMES = (*WORDS, "True", "False", "None")


@dataclass(frozen=True)
class Node:
    """A part of an expression, from character `start` to `end`: a "number", a "name", "neg", an
    operator, a function, a chain of comparisons ("compare", with its `relations`), "and", "or" or
    "not".
    """

    op: str
    start: int
    end: int
    parts: tuple["Node", ...] = ()
    name: str = ""
    number: float = 0.0
    relations: tuple[str, ...] = ()

    @property
    def is_condition(self) -> bool:
        return self.op == "compare" or self.op in WORDS


class Expression:
    """An expression, parsed once and worked out for any values of its names.

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
        self.root = _Parser(text).whole()
        named = sorted((node for node in _walk(self.root) if node.op == "name"), key=lambda node: -node.start)
        self.used = dict(reversed({node.name: node for node in named}.items()))  # each where it stands first
        self.names = frozenset(self.used)

    @property
    def is_condition(self) -> bool:
        """True for an expression that is true or false, and no number."""
        return self.root.is_condition

    def __call__(self, values: Mapping[str, float]) -> Any:
        """Its value, a float or a bool; InputError where a part of it has none, as 1/0."""
        try:
            return _over(self.root, {k: float(v) for k, v in values.items()}, divide, _must_have_value)
        except FloatingPointError:
            raise InputError(f"the expression {shown(self.text)} has no value here") from None

    def over(self, columns: "Mapping[str, np.ndarray]", n: int) -> "np.ndarray":
        """A condition worked out for n rows at once, as booleans; where it has no number it does
        not hold.

        >>> import numpy as np
        >>> Expression("a > 1 and a / b == 2").over({"a": np.array([1.0, 4.0]), "b": np.array([0.0, 2.0])}, 2)
        array([False,  True])
        """
        if not self.is_condition:
            raise ExpressionError(self.text, 0, len(self.text), "is a number, and a condition is needed")
        import numpy as np

        with np.errstate(all="ignore"):
            return np.broadcast_to(_over(self.root, columns, divide), n)

    def numbers(self, columns: Mapping[str, Any], divide: Callable[[Any, Any], Any]) -> Any:
        """A number, elementwise, nan where not finite; `divide` says what a division by 0 gives."""
        if self.is_condition:
            raise ExpressionError(self.text, 0, len(self.text), "is a condition, and a number is needed")
        with quiet(*columns.values()):
            found = _over(self.root, columns, divide)
        return where(is_finite(found), found, math.nan)

    def margin(self, columns: "Mapping[str, np.ndarray]", n: int) -> "np.ndarray":
        """Return how far a condition holds for n rows: the difference of the two sides of a
        comparison, the least where all have to hold, the greatest where one is enough. What asks
        for equals does not count, and alone gives 0. Negative or nan where the condition does not
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
        r"""A number as LaTeX; `name` gives what stands for a name.

        >>> Expression("2*(a + b) / c").latex(str)
        '\\frac{2 \\cdot \\left(a + b\\right)}{c}'
        """
        return _latex(self.root, name)


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for part in node.parts:
        yield from _walk(part)


# --- reading --------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)?)"
    r"|(?P<sign>==|!=|<=|>=|[-+*/<>(),]))",
    re.ASCII,
)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class _Parser:
    """Reads one expression; each method reads what its name says and gives its node."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > MAX_LENGTH:
            raise self.fault(MAX_LENGTH, len(text), f"an expression has at most {MAX_LENGTH} characters")
        if not text.strip():
            raise self.fault(0, 0, "an expression is needed, such as 0.5*hF + 0.5*F_LCA")
        self.tokens = list(self._tokens())
        self.at = self.depth = self.values = 0

    def fault(self, start: int, end: int, reason: str) -> ExpressionError:
        return ExpressionError(self.text, start, end, reason)

    def _tokens(self) -> Iterator[_Token]:
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None:
                at += len(self.text[at:]) - len(self.text[at:].lstrip())
                raise self.fault(at, at + 1, _about_sign(self.text[at]))
            yield _Token(str(match.lastgroup), match[match.lastgroup or 0], match.start(match.lastgroup or 0))
            at = match.end()
        yield _Token("end", "", end)

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self, *texts: str) -> _Token | None:
        """The next token, if it is one of these."""
        token = self.next
        if token.text not in texts or token.kind == "end":
            return None
        self.at += 1
        return token

    def whole(self) -> Node:
        node = self.either()
        token = self.next
        if token.kind == "end":
            return node
        if token.text == ")":
            raise self.fault(token.start, token.end, "this bracket closes none")
        if token.text == ",":
            raise self.fault(token.start, token.end, "a comma stands between the values of a function only")
        raise self.fault(token.start, token.end, f"an operator, such as +, is missing before {shown(token.text, 30)}")

    def either(self) -> Node:
        return self._joined("or", self.both)

    def both(self) -> Node:
        return self._joined("and", self.negated)

    def _joined(self, word: str, part: Callable[[], Node]) -> Node:
        parts = [part()]
        while self.take(word):
            parts.append(part())
        if len(parts) == 1:
            return parts[0]
        self.must(*parts, condition=True)
        return Node(word, parts[0].start, parts[-1].end, tuple(parts))

    def negated(self) -> Node:
        if token := self.take("not"):
            with_it = self._deeper(token, self.negated)
            self.must(with_it, condition=True)
            return Node("not", token.start, with_it.end, (with_it,))
        return self.compared()

    def compared(self) -> Node:
        terms, relations = [self.sum()], []
        while token := self.take(*COMPARISONS):
            relations.append(token.text)
            terms.append(self.sum())
        if not relations:
            return terms[0]
        self.must(*terms, condition=False)
        return Node("compare", terms[0].start, terms[-1].end, tuple(terms), relations=tuple(relations))

    def sum(self) -> Node:
        return self._chain(("+", "-"), self.product)

    def product(self) -> Node:
        return self._chain(("*", "/"), self.signed)

    def _chain(self, signs: tuple[str, ...], part: Callable[[], Node]) -> Node:
        node = part()
        while token := self.take(*signs):
            if token.text == "*" and self.next.text == "*":
                raise self.fault(token.start, self.next.end, "there are no powers; write a * a")
            other = part()
            self.must(node, other, condition=False)
            node = Node(token.text, node.start, other.end, (node, other))
        return node

    def signed(self) -> Node:
        if token := self.take("-"):
            inner = self._deeper(token, self.signed)
            self.must(inner, condition=False)
            return Node("neg", token.start, inner.end, (inner,))
        return self.value()

    def value(self) -> Node:
        token = self.next
        if token.kind == "end":
            raise self.fault(token.start, token.start, f"{_NEEDED} is missing at the end")
        if token.text == "(":
            self.at += 1
            inner = self._deeper(token, self.either)
            return replace(inner, start=token.start, end=self._closed(token))
        if token.kind not in ("number", "name") or token.text in _NO_NAMES:
            raise self.fault(token.start, token.end, f"{shown(token.text, 30)} stands where {_NEEDED} is needed")
        self.at += 1
        self.values += 1
        if self.values > MAX_VALUES:
            raise self.fault(token.start, token.end, f"an expression has at most {MAX_VALUES} names and numbers")
        if token.kind == "number" and not math.isfinite(float(token.text)):
            raise self.fault(token.start, token.end, "this number is too large")
        if token.kind == "number":
            return Node("number", token.start, token.end, name=token.text, number=float(token.text))
        if opening := self.take("("):
            return self._call(token, opening)
        return Node("name", token.start, token.end, name=token.text)

    def _call(self, token: _Token, opening: _Token) -> Node:
        if token.text not in FUNCTIONS:
            raise self.fault(token.start, token.end, unknown("function", token.text, FUNCTIONS))
        arguments = [] if self.next.text == ")" else [self._deeper(opening, self.either)]
        while self.take(","):
            arguments.append(self._deeper(opening, self.either))
        end = self._closed(opening)
        self.must(*arguments, condition=False)
        if len(arguments) not in FUNCTIONS[token.text].takes:
            raise self.fault(token.start, end, f"{token.text} is written {FUNCTIONS[token.text].form}")
        return Node(token.text, token.start, end, tuple(arguments))

    def _closed(self, opening: _Token) -> int:
        token = self.take(")")
        if token is None and self.next.kind == "end":
            raise self.fault(opening.start, opening.end, "this bracket is not closed")
        if token is None:
            missing = f"an operator or a closing bracket is missing before {shown(self.next.text, 30)}"
            raise self.fault(self.next.start, self.next.end, missing)
        return token.end

    def _deeper(self, token: _Token, read: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fault(token.start, token.end, f"an expression is at most {MAX_DEPTH} brackets deep")
        node = read()
        self.depth -= 1
        return node

    def must(self, *nodes: Node, condition: bool) -> None:
        """Refuse a number where a condition is needed, or the reverse."""
        for node in nodes:
            if node.is_condition == condition:
                continue
            words = "a number, and a condition" if condition else "a condition, and a number"
            raise self.fault(node.start, node.end, f"this is {words} is needed")


def _about_sign(sign: str) -> str:
    if sign == "=":
        return "write == for equal"
    if sign == "^":
        return "there are no powers; write a * a"
    return f"{shown(sign)} has no meaning in an expression"


# --- working out ----------------------------------------------------------------------------------


def _over(
    node: Node,
    columns: Mapping[str, Any],
    divide: Callable[[Any, Any], Any],
    check: Callable[[Any, list[Any]], None] = lambda value, parts: None,
) -> Any:
    """A node's value, elementwise; `check` sees each part's value and what it was made of."""
    if node.op == "number":
        return node.number
    if node.op == "name":
        return columns[node.name]
    parts = [_over(part, columns, divide, check) for part in node.parts]
    value = _joined(node, parts, divide)
    check(value, parts)
    return value


def _joined(node: Node, parts: list[Any], divide: Callable[[Any, Any], Any]) -> Any:
    if node.op == "neg":
        return -parts[0]
    if node.op == "/":
        return divide(*parts)
    if node.op in ARITHMETIC:
        return ARITHMETIC[node.op](*parts)
    if node.op == "compare":
        pairs = zip(node.relations, parts, parts[1:], strict=False)
        return reduce(operator.and_, (COMPARISONS[op](a, b) for op, a, b in pairs))
    if node.op == "not":
        return parts[0] ^ True
    if node.op in WORDS:
        return reduce(operator.and_ if node.op == "and" else operator.or_, parts)
    return FUNCTIONS[node.op].over(*parts)


def _must_have_value(value: float, parts: list[float]) -> None:
    """Refuse a result that is no finite number: 1/0, 0/0, the root of −1, overflow."""
    if (math.isnan(value) and not any(map(math.isnan, parts))) or (
        math.isinf(value) and all(map(math.isfinite, parts))
    ):
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
        return node.name
    if node.op == "name":
        return name(node.name)
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
