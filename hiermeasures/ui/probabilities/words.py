"""Sets of classes and ranges of thresholds as words, and sets in formulas."""

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference import ThresholdRange
from hiermeasures.measures.catalogue import latex_text


def latex_set(h: Hierarchy, classes: frozenset[str], most: int = 4) -> str:
    """A set of classes in a formula; nothing in a label acts as a command."""
    ordered = sorted(classes, key=h.index)
    if not ordered:
        return r"\text{nothing}"
    return (
        r"\{"
        + ", ".join(latex_text(c, 16) for c in ordered[:most])
        + (r", \dots" if len(ordered) > most else "")
        + r"\}"
    )


def braces(h: Hierarchy, classes: frozenset[str], most: int = 8) -> str:
    """A set of classes as text, in the hierarchy's order.

    >>> braces(Hierarchy.from_nested({"r": {"1": ["5"]}}), frozenset({"5", "1"}))
    '{1, 5}'
    """
    if not classes:
        return "nothing"
    ordered = sorted(classes, key=h.index)
    more = f", and {len(ordered) - most} more" if len(ordered) > most else ""
    return "{" + ", ".join(ordered[:most]) + more + "}"


def range_words(r: ThresholdRange | None) -> str:
    """A range of thresholds, or a dash where there is none."""
    return f"{r.low:.3g}–{r.high:.3g}" if r else "–"
