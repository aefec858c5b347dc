"""Text for the screen or a terminal.

Class labels and sentences are shown as plain characters, and never interpreted as Markdown, LaTeX or
HTML. Trees and tables of values become lines.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hiermeasures.hierarchy.elementwise import LARGE
from hiermeasures.hierarchy.words import capitalize

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


def escaped(text: str) -> str:
    r"""Escape a text for `st.markdown`, so that it shows every character as it is."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def printable(text: str) -> str:
    """Replace control and direction characters, because they could reverse a line.

    >>> printable("a\u202eb")
    'a\ufffdb'
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def sentence(fault: Exception | str) -> str:
    """Turn words or the message of an error into a sentence.

    A file name at the beginning stays unchanged.
    """
    words = str(fault).removesuffix(".")
    if words.partition(" ")[0].isalpha():
        words = capitalize(words)
    return words if words.endswith("…") else f"{words}."


def markdown_text(text: str) -> str:
    r"""Escape one of our sentences for `st.markdown`. It allows no formulas and no emphasis."""
    return re.sub(r"([*_$|<>~])", r"\\\1", text)


if TYPE_CHECKING:
    from hiermeasures.draw.layout import Neighbourhood
    from hiermeasures.measures import Measure

LONGEST = 60  # letters of a label
Values = Mapping[str, float] | Mapping[str, str]  # texts are shown unchanged


def as_text(value: float | str) -> str:
    """Return a value for a table: four decimals, or a dash if undefined. A text stays unchanged.

    >>> as_text(0.5), as_text(1e30)
    ('0.5000', '1e+30')
    """
    if isinstance(value, str):
        return value
    return "–" if math.isnan(value) else f"{value:.4f}" if abs(value) < LARGE else f"{value:.6g}"


def write_interval(low: float, high: float) -> str:
    """Return an interval in square brackets, or "" if it is undefined.

    >>> write_interval(0.25, 1), write_interval(math.nan, math.nan)
    ('[0.2500, 1.0000]', '')
    """
    return f"[{as_text(low)}, {as_text(high)}]" if low == low else ""


def about_intervals(confidence: float) -> str:
    """Return the sentence that explains intervals in square brackets."""
    return f"In square brackets: {100 * confidence:g} % confidence intervals (bootstrap)."


def round_count(count: float) -> str:
    """Return a count that may be a fraction, with at most one decimal.

    >>> round_count(1234.0), round_count(2 / 3)
    ('1,234', '0.7')
    """
    return f"{count:,.0f}" if abs(count - round(count)) < 0.05 else f"{count:,.1f}"


def decimals(value: float, places: int = 2, *, signed: bool = False) -> str:
    """Return a value as the tables of the page show it.

    >>> decimals(-0.5), decimals(float("nan")), decimals(0.25, 3, signed=True)
    ('−0.50', '–', '+0.250')
    """
    sign = "+" if signed else "-"
    return "–" if value != value else f"{value:{sign}.{places}f}".replace("-", "−")


def value_lines(
    measures: "Iterable[Measure]",
    columns: Sequence[Values],
    sentence: Callable[[str], str] = lambda key: "",
    heads: Sequence[str] = (),
) -> list[str]:
    """Return one line for each measure: its values, its direction, and perhaps a sentence.

    Each mapping in `columns` is a column of values. A column is as wide as its values and its head.
    """
    from hiermeasures.measures.catalogue import DIRECTIONS

    lines, width = [], _width(columns, heads)
    for m in measures:
        cells = "".join(f"{as_text(values[m.key]):>{width}}" for values in columns)
        lines.append(f"  {m.key:14}{cells}  {DIRECTIONS[m.better]:18}  {sentence(m.key)}".rstrip())
    return lines


def _width(columns: Sequence[Values], heads: Sequence[str]) -> int:
    cells = (as_text(value) for values in columns for value in values.values())
    return max([14, *(len(text) + 2 for text in (*heads, *cells))])


def family_lines(
    measures: "Iterable[Measure]",
    columns: Sequence[Values],
    sentence: Callable[[str], str] = lambda key: "",
    *,
    heads: Sequence[str] = (),
) -> list[str]:
    """Return the lines of measures, grouped under the titles of their families.

    `heads` are titles of the columns, above all lines.
    """
    from hiermeasures.measures.catalogue import by_family

    lines: list[str] = []
    if heads:
        width = _width(columns, heads)
        lines = ["", f"  {'':14}" + "".join(f"{head:>{width}}" for head in heads)]
    for family, members in by_family(measures).items():
        lines += ["", family.title, *value_lines(members, columns, sentence, heads)]
    return lines[1:]


def tree_lines(near: "Neighbourhood", words: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield the drawn part of a hierarchy as a tree of lines. Some classes have words after them."""
    from hiermeasures.draw.scene import shown_label

    h, drawn, told = near.hierarchy, set(near.nodes), set[str]()
    # a class or the number of hidden classes, the text before it, the text before its descendants
    ahead: list[tuple[str | int, str, str]] = [(h.root, "", "")]
    while ahead:
        entry, before, below = ahead.pop()
        if isinstance(entry, int):
            yield f"{before}… {entry:,} more"
            continue
        children: list[str | int] = [c for c in h.children(entry) if c in drawn]
        children += [n for n in (near.folded_children.get(entry, 0),) if n]
        again = entry in told and bool(children)
        notes = [
            *([words[entry]] if words and entry in words else []),
            *(["(as above)"] if again else []),
        ]
        called = h.caption(entry)[1]
        text = shown_label(entry, LONGEST) + (
            f" · {shown_label(called, LONGEST)}" if called else ""
        )
        yield "  ".join([before + text, *notes])
        told.add(entry)
        if not again:
            lines = [(c, f"{below}├─ ", f"{below}│  ") for c in children[:-1]]
            lines += [(c, f"{below}└─ ", f"{below}   ") for c in children[-1:]]
            ahead += reversed(lines)
