"""Classes, counts and long names as text on the HTML page."""

import re

from markupsafe import Markup, escape

from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.text import printable
from hiermeasures.hierarchy.hierarchy import Hierarchy

LONGEST = 60  # letters of a label
SHORT_WORD, LONGEST_PART = 12, 20  # letters of a word, or of its part, that never break
# a part ends after a sign, or before a capital letter
BREAK = re.compile(r"(?<=[_\-./:|])(?=[^_\-./:|])|(?<=[a-z])(?=[A-Z])")


def name_class(h: Hierarchy, label: str) -> str:
    """Return a label with its title."""
    title = h.caption(label)[1] if label in h else ""
    return shown_label(label, LONGEST) + (f" ({shown_label(title, LONGEST)})" if title else "")


def write_number(number: float) -> str:
    """Return a count, with at most two decimals.

    >>> write_number(1234.0), write_number(0.5)
    ('1,234', '0.5')
    """
    return f"{round(number, 2):,.15g}"


def break_words(text: str) -> Markup:
    """Return a text as HTML. Long words can break between their parts.

    >>> break_words("a long system__name_of_parts")
    Markup('a long system__<wbr>name_<wbr>of_<wbr>parts')
    """
    return Markup(" ").join(map(_break_word, printable(text).split(" ")))


def _break_word(word: str) -> Markup:
    if len(word) <= SHORT_WORD:
        return escape(word)
    pieces = (
        piece[k : k + LONGEST_PART]
        for piece in BREAK.split(word)
        for k in range(0, len(piece), LONGEST_PART)
    )
    return Markup("<wbr>").join(pieces)
