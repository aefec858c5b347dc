"""Formulas as MathML, from the LaTeX of the catalogue.

The converter follows LaTeX letter by letter. It corrects parts that browsers set differently:
words, operators, bars, primes, and upper indices of letters with a hat.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal
from xml.etree import ElementTree

from hiermeasures.measures.catalogue import BETWEEN, CLOSE, OPEN, plain_text

Part = list[Any]
"""An element: tag, text, parts, attributes. Empty ones at the end are left out."""

# Attributes that a formula needs. None of them can hold a URL or a script.
KEPT = {
    "accent",
    "display",
    "displaystyle",
    "fence",
    "form",
    "mathvariant",
    "separator",
    "stretchy",
    "width",
}
TEXT_MACRO = re.compile(r"\\text\{((?:[^{}\\]|\\[a-zA-Z]+\{\}|\\.)*)\}")
TEXT_PLACE = "TEXT"  # placeholder for a text, since the converter knows no escapes

ROWS = {"math", "mrow", "mstyle", "msqrt"}  # whose parts are one after another
MARK = re.compile(f"{OPEN}([^{BETWEEN}]*){BETWEEN}")  # the converter keeps its key as a colour
Attributes = Mapping[str, str]
OPERATORS: Mapping[str, tuple[str, Attributes]] = {
    "\u29f5": ("\u2216", {}),  # set minus; no common font has the converter's sign
    ":": (":", {"lspace": "0.278em", "rspace": "0.278em"}),
    "\u25b3": ("\u25b3", {}),
    "\u2032": ("\u2032", {}),
}
"""Operators that the converter takes for letters, as they are set."""
BAR = {"stretchy": "false", "lspace": "0", "rspace": "0"}  # as in |A|
WORD = {"mathvariant": "normal"}
PRIME, MINUS, EQUALS, SUM = (["mo", sign] for sign in "\u2032\u2212=\u2211")
LIMITS = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
LOWERED = {"voffset": "-0.25em", "height": "0.5em"}  # a prime is raised already
LETTER = {"height": "0.78em"}  # where an upper index looks for the end of a letter with a hat
HAT = {"width": "0", "height": "1em"}  # room for the hat of such a letter
SLANTED, ASIDE = "FTVWY", {"width": "0.16em"}  # letters whose top reaches into an upper index


@lru_cache(maxsize=512)
def mathml(latex: str, display: Literal["block", "inline"] = "block") -> Part:
    r"""Return a formula as MathML in lists. element.js creates elements by tag, so text is never
    markup. An element of a marked term has the term's key as data-term. Do not change the lists,
    because the next call reuses them.

    >>> mathml(r"Y_{\mathrm{aug}}")[2][0][2]
    [['msub', '', [['mi', 'Y'], ['mi', 'aug', [], {'mathvariant': 'normal'}]]]]
    """
    from latex2mathml.converter import convert  # optional dependency

    texts = (plain_text(text) for text in TEXT_MACRO.findall(latex))
    plain = TEXT_MACRO.sub(lambda found: rf"\text{{{TEXT_PLACE}}}", latex)
    converted = convert(MARK.sub(r"{\\color{\1}", plain).replace(CLOSE, "}"), display=display)
    return _part(ElementTree.fromstring(converted), texts)


def find_terms(part: Part) -> list[str]:
    """Return the keys of the marked terms in a formula, each once."""
    own = [part[-1]["data-term"]] if part[-1:] and "data-term" in part[-1] else []
    return list(dict.fromkeys(own + [k for p in part[2:3] for each in p for k in find_terms(each)]))


def write_mathml(latex: str, display: Literal["block", "inline"] = "block") -> str:
    """Return a formula as MathML in markup."""
    made = _element(mathml(latex, display))
    made.set("xmlns", "http://www.w3.org/1998/Math/MathML")
    return ElementTree.tostring(made, encoding="unicode")


def _element(part: Part) -> ElementTree.Element:
    whole: Part = [*part, *("", [], {})[len(part) - 1 :]]
    tag, text, parts, attributes = whole
    made = ElementTree.Element(tag, attributes)
    made.text = text
    made.extend(map(_element, parts))
    return made


def _part(element: ElementTree.Element, texts: Iterator[str]) -> Part:
    tag = element.tag.rpartition("}")[2]
    if key := element.get("mathcolor"):
        return [
            "mrow",
            "",
            _in_order([_part(child, texts) for child in element]),
            {"data-term": key},
        ]
    attributes: Attributes = {k: value for k, value in element.attrib.items() if k in KEPT}
    text = next(texts) if tag == "mtext" and element.text == TEXT_PLACE else element.text or ""
    if tag == "mi" and text in OPERATORS:
        tag, (text, attributes) = "mo", OPERATORS[text]
    parts = [_part(child, texts) for child in element]
    if tag in ROWS:
        parts = _in_order(parts)
    if tag == "mrow" and len(parts) == 1 and parts[0][0] in ("mrow", "mi") and not attributes:
        return parts[0]
    if parts and parts[0] == SUM:  # the converter puts the limits of a sum in a group beside it
        tag = LIMITS.get(tag, tag)
    found = [tag, text, parts, dict(BAR if tag == "mo" and text == "|" else attributes)]
    while not found[-1]:
        found.pop()
    return _with_upper_index(found) if tag in ("msup", "msubsup") else found


def _in_order(parts: list[Part]) -> list[Part]:
    """Return the parts of a row. Upright letters become one word. A minus sign after an equals sign
    belongs to a number. A bar gets a gap after the letter before it.
    """
    joined: list[Part] = []
    for part in parts:
        before = joined[-1] if joined else [""]
        if _is_upright(part) and _is_upright(before):
            joined[-1] = ["mi", before[1] + part[1], [], WORD]
        elif part == MINUS and before == EQUALS:
            joined.append([*MINUS, [], {"form": "prefix"}])
        elif (
            part[:2] == ["mo", "|"] and before[0] in ("mi", "mover") and _letter(before) in SLANTED
        ):
            joined += [["mspace", "", [], {"width": "0.1em"}], part]
        else:
            joined.append(part)
    return joined


def _is_upright(part: Part) -> bool:
    return bool(part[0] == "mi" and part[-1] == WORD)


def _with_upper_index(found: Part) -> Part:
    """Return a letter and its indices, with the upper index at the right height."""
    tag, text, (letter, *lower, upper) = found
    if upper == PRIME:
        upper = ["mpadded", "", [upper], LOWERED]
    if _letter(letter) in SLANTED:
        upper = ["mrow", "", [["mspace", "", [], ASIDE], upper]]
    if letter[-1] != {"accent": "true"}:
        return [tag, text, [letter, *lower, upper]]
    letter = ["mpadded", "", [letter], LETTER]
    return ["mrow", "", [[tag, text, [letter, *lower, upper]], ["mspace", "", [], HAT]]]


def _letter(part: Part) -> str:
    """Return the letter of a part, with or without a hat."""
    while len(part) > 2 and part[2]:
        part = part[2][0]
    return str(part[1]) if part[0] == "mi" else "none"
