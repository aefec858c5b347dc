"""What a paper prints of a figure's values, in words: the string, whether ours agrees, and why not."""

from collections import Counter
from collections.abc import Mapping

from hiermeasures.cases import CheckedCell
from hiermeasures.cases.checked import STATUSES, Status
from hiermeasures.cases.printed import CountedNodes

STATUS_WORDS: Mapping[Status, str] = {
    "match": "which matches",
    "explained": "which differs and is explained",
    "unexplained": "which differs and is unexplained",
}


def printed_text(cell: CheckedCell) -> str:
    """The string as it is printed; of a count with its classes the count.

    >>> from hiermeasures.ui.library import published
    >>> [printed_text(cell) for cell in published("riehl2023/figure-4a1")]
    ['3', '5', '0', '0']
    """
    text = cell.printed.split()[0] if isinstance(cell.ours, CountedNodes) else cell.printed
    return f"{text} %" if per_cent(cell) else text


def differs(cells: tuple[CheckedCell, ...]) -> str:
    """What is printed and differs from the value, with why, in words; "" where nothing does."""
    return printed_words(tuple(cell for cell in cells if cell.status != "match"))


def printed_words(cells: tuple[CheckedCell, ...]) -> str:
    """Where what is printed, whether it agrees, and why not: "Table 1 prints 0.66, which matches." """
    prints = (f"{cell.source} prints {printed_text(cell)}, {STATUS_WORDS[cell.status]}." for cell in cells)
    return " ".join(dict.fromkeys((*prints, *(cell.explanation for cell in cells if cell.explanation))))


def counted(cells: tuple[CheckedCell, ...]) -> str:
    """How many values are printed, and what the check found.

    >>> from hiermeasures.ui.library import published
    >>> counted(published("kosmopoulos2015/figure-11b")), counted(())
    ('10 printed values: 9 match, 1 explained', 'The figure in Cases')
    """
    found = Counter(cell.status for cell in cells)
    words = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    return f"{len(cells)} printed values: {words}" if cells else "The figure in Cases"


def per_cent(cell: CheckedCell) -> bool:
    """Whether its column is in per cent."""
    return cell.column.endswith("%")
