"""Read printed strings and compare them with our values.

A cell keeps its printed text. A number agrees if it rounds or truncates to the printed digits. Sets
and paths must be equal.
"""

import math
import re
from dataclasses import dataclass
from typing import Any

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.expressions import Expression

Path = tuple[str, ...]

_NUMBER = re.compile(
    r"(?P<sign>[-−]?)(?P<whole>\d{1,12})(?:(?P<point>[.,])(?P<digits>\d{1,17}))?", re.ASCII
)
_BRACKETED = re.compile(r"(?P<first>[^()]+?) *\((?P<second>[^()]+)\)")
_SET = re.compile(r"\{([^{}]*)\}")
_CLOSE = 1e-9


@dataclass(frozen=True)
class PrintedNumber:
    """A printed number with its digits after the point. `exact` is True for a calculation."""

    value: float
    digits: int = 0
    comma: bool = False
    exact: bool = False
    of_maximum: bool = False


@dataclass(frozen=True)
class CountedNodes:
    """A printed count with the nodes of each path. Paths can share nodes."""

    count: int
    nodes: tuple[frozenset[str], ...]


Printed = PrintedNumber | CountedNodes | frozenset[str] | frozenset[Path] | bool
SENTENCES = {"holds": True, "does not hold": False}


def number(text: str) -> PrintedNumber:
    """Read a printed number: `0.66`, `0,33`, or a calculation such as `1/2` and `6 + Max`.

    >>> number("0.50")
    PrintedNumber(value=0.5, digits=2, comma=False, exact=False, of_maximum=False)
    """
    text = text.strip()
    if match := _NUMBER.fullmatch(text):
        digits = match["digits"] or ""
        value = float(f"{match['whole']}.{digits or '0'}") * (-1 if match["sign"] else 1)
        return PrintedNumber(value, len(digits), comma=match["point"] == ",")
    try:
        exact = Expression(text.replace("−", "-"))
        if exact.root.op not in "+-*/":
            raise exact.fault("a number in another notation")
        value, more = (exact({"Max": maximum}) for maximum in (0.0, 1.0))
    except (InputError, KeyError):  # not a calculation, without a value, or over other names
        raise InputError(
            f"{shown(text)} is not a number. Write 0.66, 0,33 or a calculation such as 1/2"
        ) from None
    return PrintedNumber(value, exact=True, of_maximum=more != value)


def bracketed(text: str) -> tuple[str, str]:
    """Return the two numbers of a cell such as `0.73(4)`.

    >>> bracketed("0.73(4)")
    ('0.73', '4')
    """
    match = _BRACKETED.fullmatch(text.strip())
    if match is None:
        raise InputError(
            f"{shown(text)} is not two numbers. Write the second in brackets, such as 0.73(4)"
        )
    return match["first"], match["second"]


def nodes(text: str) -> frozenset[str]:
    """Read a printed set such as `{3, 3.2.1}`. `{}` is empty."""
    match = _SET.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{shown(text)} is not a set of classes. Write {{A, B}}")
    return _names(match[1])


def paths(text: str) -> frozenset[Path]:
    """Read printed paths such as `A, B, P1; A, C, P1`."""
    found = [tuple(step.strip() for step in path.split(",")) for path in text.split(";")]
    if not all(step for path in found for step in path):
        raise InputError(f"{shown(text)} is not a path. Write A, B, C")
    return frozenset(found)


def counted_nodes(text: str) -> CountedNodes:
    """Read a count with the nodes of each path, such as `8 {B, C, E, J}{A, E, G}` or `0`."""
    count, _, rest = text.strip().partition(" ")
    groups = tuple(_names(group) for group in _SET.findall(rest))
    if not (count.isascii() and count.isdigit()) or _SET.sub("", rest).strip():
        raise InputError(
            f"{shown(text)} is not a count with sets of classes. Write it as 3 {{A, D, I}}"
        )
    return CountedNodes(int(count), tuple(group for group in groups if group))


def sentence(text: str) -> bool:
    """Read the verdict on a condition, `holds` or `does not hold`."""
    if text.strip() not in SENTENCES:
        raise InputError(f"{shown(text)} is not a verdict. Write {' or '.join(SENTENCES)}")
    return SENTENCES[text.strip()]


def agrees(
    value: Any, printed: Printed, *, rounded_whole: bool = False, maximum: float = 0.0
) -> bool:
    """Return whether our value agrees with a printed one.

    With `rounded_whole`, a number without decimals may be rounded, like per cent. Otherwise 0, 1
    and 7 are exact. `maximum` is the value of `Max` in `6 + Max`: D_max.

    >>> agrees(2 / 3, number("0.66")), agrees(2 / 3, number("0.67")), agrees(1 / 3, number("0"))
    (True, True, False)
    """
    if isinstance(printed, bool):
        return bool(value) == printed
    if isinstance(printed, frozenset):
        return frozenset(value) == printed
    if isinstance(printed, CountedNodes):
        ours = sorted(sorted(group) for group in value.nodes if group)
        return value.count == printed.count and ours == sorted(
            sorted(group) for group in printed.nodes
        )
    return bool(agree(float(value), printed, rounded_whole=rounded_whole, maximum=maximum))


def agree(
    values: Any, printed: PrintedNumber, *, rounded_whole: bool = False, maximum: float = 0.0
) -> Any:
    """Compare a number or an array with a printed number, like `agrees`."""
    target = printed.value + (maximum if printed.of_maximum else 0.0)
    if printed.exact or (printed.digits == 0 and not rounded_whole):
        return abs(values - target) < _CLOSE
    return rounds(values, printed) | truncates(values, printed)


def rounds(values: Any, printed: PrintedNumber) -> Any:
    return abs(values - printed.value) <= 0.5 * 10.0**-printed.digits + _CLOSE


def truncates(values: Any, printed: PrintedNumber) -> Any:
    """Return whether values truncate to the printed one."""
    same_side = (values * printed.value > 0) | (printed.value == 0)
    beyond = abs(values) - abs(printed.value)
    return same_side & (beyond > -_CLOSE) & (beyond < 10.0**-printed.digits - _CLOSE)


def truncated_only(value: Any, printed: Any) -> bool:
    """Return whether a value agrees with a printed number only if digits are cut off."""
    if not isinstance(printed, PrintedNumber) or printed.exact or printed.digits == 0:
        return False
    return bool(truncates(value, printed)) and not bool(rounds(value, printed))


def as_text(value: Any) -> str:
    """Return our value as papers write it.

    Numbers have four decimals, or more if these would be 0.

    >>> as_text(2 / 3), as_text(frozenset({"B", "A"})), as_text(7.0), as_text(6.574e-6)
    ('0.6667', '{A, B}', '7', '0.0000066')
    """
    if isinstance(value, CountedNodes):
        return f"{value.count} " + "".join(as_text(group) for group in value.nodes)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return next(words for words, holds in SENTENCES.items() if holds == value)
    if isinstance(value, frozenset | set):
        if any(isinstance(item, tuple) for item in value):
            return "; ".join(", ".join(path) for path in sorted(value))
        return "{" + ", ".join(sorted(value)) + "}"
    if isinstance(value, float) and math.isnan(value):
        return "undefined"
    size = abs(float(value))
    decimals = 1 - math.floor(math.log10(size)) if 1e-12 < size < 5e-5 else 4
    return f"{float(value):.{decimals}f}".rstrip("0").rstrip(".")


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(",") if name.strip())
