"""A formula as MathML, which browsers set themselves."""

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from hiermeasures.measures.catalogue import plain_text

# Attributes that a formula needs. None of them can name an address or a script.
KEPT = {"accent", "display", "displaystyle", "fence", "form", "mathvariant", "separator", "stretchy", "width"}
TEXT = re.compile(r"\\text\{((?:[^{}\\]|\\[a-zA-Z]+\{\}|\\.)*)\}")
PLACE = "TEXT"  # stands for a text while the formula is converted, which knows no escapes


def formula(latex: str) -> list[Any]:
    r"""The parts of a formula: tag, text, the parts in it, and attributes, without what is empty at
    the end. Made into elements by name, so that text stays text.

    >>> tag, text, (row,), attributes = formula(r"F = \text{a\_b}")
    >>> row
    ['mrow', '', [['mi', 'F'], ['mo', '='], ['mtext', 'a_b']]]
    """
    from latex2mathml.converter import convert  # of an extra

    texts = (plain_text(text) for text in TEXT.findall(latex))
    mathml = convert(TEXT.sub(lambda found: rf"\text{{{PLACE}}}", latex), display="block")
    return _part(ElementTree.fromstring(mathml), texts)


def _part(element: ElementTree.Element, texts: Iterator[str]) -> list[Any]:
    tag = element.tag.rpartition("}")[2]
    attributes = {name: value for name, value in element.attrib.items() if name in KEPT}
    if element.text == "|":  # around what it encloses: controls.js sets it without space on both sides
        attributes = {}
    text = next(texts) if tag == "mtext" and element.text == PLACE else element.text or ""
    found = [tag, text, [_part(child, texts) for child in element], attributes]
    while not found[-1]:
        found.pop()
    return found
