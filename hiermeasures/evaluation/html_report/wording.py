"""Classes and counts as text on the HTML page."""

from hiermeasures.draw.scene import shown_label
from hiermeasures.hierarchy.hierarchy import Hierarchy

LONGEST = 60  # letters of a label


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
