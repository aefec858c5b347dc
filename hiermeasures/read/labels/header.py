"""Decide whether the first row of a label file names its columns.

A first cell such as `LABEL_0`, `y` or `true` can name a column or a class. It names a column, with
three exceptions: it occurs again below, the cells below are numbered like it, or the hierarchy has
such a class.
"""

import re
from collections.abc import Container, Sequence

ID = re.compile(
    r"id|ids|uid|key|index|isbn|.*[ _-]id"
    r"|(instance|doc(ument)?|item|example|sample|record)s?([ _-]?(id|no|nr|number))?"
)
_CLEAR = (
    r"((y|true|gold|pred|predicted|target)[ _-])?(labels?|class(es)?|categor(y|ies))"
    r"|(y|true|gold|pred|predicted|target)[ _-](topics?|tags?|codes?)"
    r"|y[ _-](true|pred)|predict(ed|ions?)|truth|targets?"
)
_NOUN = r"topics?|tags?|codes?"
_SHORT = r"y|true|gold|pred"
LABEL = re.compile(f"{_CLEAR}|{_NOUN}|{_SHORT}")
LEVEL = re.compile(r"(levels?|l|depth|tier|labels?|class|category|cat)[ _-]?\d+")
_NUMBERED = re.compile(r"(.*?)\d+")


def plain_name(name: str) -> str:
    """Return a column's name as the patterns of this module expect it."""
    return name.strip().lower()


def names_columns(cells: Sequence[str]) -> bool:
    """Return True if a row could be a header: its cells differ, and one is a usual column name."""
    names = [plain_name(cell) for cell in cells]
    usual = any(pattern.fullmatch(name) for name in names for pattern in (ID, LABEL, LEVEL))
    return usual and len(set(names)) == len(names)


def find_header(rows: Sequence[Sequence[str]], classes: Container[str] = ()) -> bool | None:
    """Decide whether the first row is a header.

    Parameters
    ----------
    rows : sequence of rows of cells
        The first rows of a table.
    classes : container of str
        Names that are known to be classes.

    Returns
    -------
    bool or None
        None if the first row can be either.

    Examples
    --------
    >>> find_header([["label"], ["A"]]), find_header([["LABEL_0"], ["LABEL_1"]])
    (True, False)
    >>> find_header([["true"], ["false"]]) is None, find_header([["true"], ["false"]], {"true"})
    (True, False)
    """
    if not rows or not names_columns(rows[0]):
        return False
    first, is_wide = rows[0], len(rows[0]) > 1
    names = [plain_name(cell) for cell in first]
    are_classes = [
        cell in classes or _continues(cell, [row[k] for row in rows[1:] if len(row) > k])
        for k, cell in enumerate(first)
    ]
    clear = re.compile(f"{_CLEAR}|{_NOUN}|{ID.pattern}" if is_wide else _CLEAR)
    if any(
        clear.fullmatch(name) for name, known in zip(names, are_classes, strict=True) if not known
    ):
        return True
    if any(are_classes):
        return False
    if is_wide and any(LEVEL.fullmatch(name) for name in names):
        return True
    return True if classes else None


def _continues(cell: str, below: Sequence[str]) -> bool:
    """Return True if a cell occurs again below, or if a cell below is numbered like it."""
    numbered = _NUMBERED.fullmatch(cell)
    alike = re.compile(re.escape(numbered[1]) + r"\d+(\s.*)?") if numbered else None
    return any(cell == other or (alike and alike.fullmatch(other)) for other in below)
