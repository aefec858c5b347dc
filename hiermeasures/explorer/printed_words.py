"""A figure's printed values by measure, and in words: the string, whether ours agrees, and why not."""

from collections import Counter
from collections.abc import Mapping

from hiermeasures.cases import CheckedCell
from hiermeasures.cases.printed import CountedNodes
from hiermeasures.cases.verification import STATUSES, Status
from hiermeasures.explorer.library import figures, library, published
from hiermeasures.explorer.state import Shown
from hiermeasures.measures import CATALOGUE

# Quantities of the case files that are measures under another name.
NAMES = {
    **{f"{name}(flat)": key for name, key in (("P", "precision"), ("R", "recall"), ("F1", "f1"))},
    **{f"{name}(augmented)": key for name, key in (("P", "hP"), ("R", "hR"), ("F1", "hF"))},
    **{f"{name}(counts)": f"CoPHE_{name}" for name in ("P", "R", "F1")},
    **{f"cell({cell})": f"HCM_{cell}" for cell in ("TP", "TN", "FP", "FN")},
}
SAME = 1e-9

STATUS_WORDS: Mapping[Status, str] = {
    "match": "which matches",
    "explained": "which differs and is explained",
    "unexplained": "which differs and is unexplained",
}


def printed_values(shown: Shown) -> dict[str, tuple[CheckedCell, ...]]:
    """The printed values of the figure by measure, whether it was changed since or not."""
    if shown.case not in figures():
        return {}
    found: dict[str, tuple[CheckedCell, ...]] = {}
    explained = library().case(shown.case).explained
    for cell in published(shown.case):
        key = NAMES.get(cell.quantity, cell.quantity)
        if key in CATALOGUE and abs(_value(cell) - explained[key]) < SAME:  # and not one under other options
            found[key] = (*found.get(key, ()), cell)
    return found


def _value(cell: CheckedCell) -> float:
    ours = cell.ours.count if isinstance(cell.ours, CountedNodes) else cell.ours
    return ours / 100 if per_cent(cell) else ours


def printed_text(cell: CheckedCell) -> str:
    """The string as it is printed; of a count with its classes the count.

    >>> [printed_text(cell) for cell in published("riehl2023/figure-4a1")]
    ['3', '5', '0', '0']
    """
    text = cell.printed.split()[0] if isinstance(cell.ours, CountedNodes) else cell.printed
    return f"{text} %" if per_cent(cell) else text


def differs(cells: tuple[CheckedCell, ...]) -> str:
    """The words on what is printed and differs from the value, with why, in words; "" where nothing
    does.
    """
    return printed_words(tuple(cell for cell in cells if cell.status != "match"))


def printed_words(cells: tuple[CheckedCell, ...]) -> str:
    """The printed values with their places, whether it agrees, and why not: "Table 1 prints 0.66,
    which matches."
    """
    prints = (f"{cell.source} prints {printed_text(cell)}, {STATUS_WORDS[cell.status]}." for cell in cells)
    return " ".join(dict.fromkeys((*prints, *(cell.explanation for cell in cells if cell.explanation))))


def printed_of(cells: tuple[CheckedCell, ...]) -> str:
    """The printed values with their places: "Table 1 prints 0.66" and the like."""
    return "; ".join(dict.fromkeys(f"{cell.source} prints {printed_text(cell)}" for cell in cells))


def counted(cells: tuple[CheckedCell, ...]) -> str:
    """The number of printed values, and what the check found.

    >>> counted(published("kosmopoulos2015/figure-11b")), counted(())
    ('10 printed values: 9 match, 1 explained', 'The figure in Cases')
    """
    found = Counter(cell.status for cell in cells)
    words = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    return f"{len(cells)} printed values: {words}" if cells else "The figure in Cases"


def per_cent(cell: CheckedCell) -> bool:
    """True where its column is in per cent."""
    return cell.column.endswith("%")
