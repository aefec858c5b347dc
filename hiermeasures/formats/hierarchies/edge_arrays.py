"""Edge lists as arrays, where there is NumPy: pairs of names, perhaps with weights. Whatever else a
line holds is Unusual, and left to edge_list.py, which also says what is wrong with it.
"""

import re

import numpy as np

from hiermeasures.core.class_weights import ATTRIBUTES
from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import WIDEST_RATIO, Hierarchy
from hiermeasures.formats.byte_tokens import Names, TooLong
from hiermeasures.formats.hierarchies.building import build_numbered
from hiermeasures.formats.hierarchies.edge_columns import column_name, edge_weight, header_direction
from hiermeasures.formats.hierarchies.format import content_lines
from hiermeasures.formats.rows import Cells, Cut, as_bytes, by_numpy
from hiermeasures.formats.source import Limits, Source, Unusual

_SILENT = re.compile(r"\A(?:[ \t]*+(?:#[^\n]*+)?\n)++")  # comments and blank lines at the top
_IS_ORDINARY = np.zeros(256, bool)
_IS_ORDINARY[np.frombuffer(b"0123456789 \t\n\0", np.uint8)] = True  # zeros are behind the text


def read(text: str, delimiter: str, source: Source, limits: Limits, *, whole_numbers: bool = False) -> Hierarchy:
    """The hierarchy of an edge list; with `whole_numbers` of pairs of these alone."""
    cells = _cells(text, delimiter)
    if whole_numbers and (not _IS_ORDINARY[cells.text].all() or cells.widths.max(initial=0) > 2):
        raise Unusual
    weighing: dict[int, str] = {}  # the columns of class weights
    if direction := header_direction(titles := cells.row(0)):
        weighing = {k: name for k, name in enumerate(map(column_name, titles)) if name in ATTRIBUTES}
        cells = cells.below(0)
    above, below, third = (cells.column(k) for k in [k for k in range(5) if k not in weighing][:3])
    if direction < 0:
        above, below = below, above
    is_edge = (above >= 0) & (below >= 0)
    given = cells.count(cells.filled) - sum(cells.column(k) >= 0 for k in weighing)
    if not (is_edge.all() or weighing) or (given != np.where(is_edge, 2 + (third >= 0), 1)).any():
        raise Unusual
    edges, alone = np.column_stack([above, below])[is_edge].ravel(), np.maximum(above, below)[~is_edge]
    ends, names = np.concatenate([edges, alone]), Names(limits.label)
    try:
        number = names.of(cells.text, cells.starts[ends], cells.ends[ends])
    except TooLong:
        raise Unusual from None
    parent, child = number[: len(edges) : 2], number[1 : len(edges) : 2]
    if (parent == child).any():
        raise Unusual
    weight = _edge_weights(cells, third[is_edge], source) if (third >= 0).any() else None
    h = build_numbered(list(names), parent.tolist(), child.tolist(), source, limits, weight=weight)
    if not weighing:
        return h
    weighed = np.empty(len(cells), np.int64)  # the class that each row weighs
    weighed[is_edge], weighed[~is_edge] = child, number[len(edges) :]
    with source.named():
        return h.with_class_attributes(_class_weights(cells, weighed, list(names), weighing))


def _cells(text: str, delimiter: str) -> Cells:
    """The names on each line that says something."""
    text = _SILENT.sub("", text, count=1).rstrip("\n")
    if "#" in text or "\n\n" in text:
        text = "\n".join(line for _, line in content_lines(text))
    try:
        data = as_bytes(text.encode() + b"\n")
    except UnicodeEncodeError:
        raise Unusual from None
    cells = by_numpy(data, Cut(None if delimiter == " " else delimiter, delimiter in ",;", delimiter != " "))
    if not cells.widths.all() or len(cells) < np.count_nonzero(data == ord("\n")):
        raise Unusual
    return cells


def _edge_weights(cells: Cells, places: np.ndarray, source: Source) -> list[float]:
    """The numbers in some cells; 1 where the place is −1, no cell."""
    given, found = np.flatnonzero(places >= 0), np.ones(len(places))
    texts, which = _different(cells, places[given])
    try:
        found[given] = np.array([edge_weight(text, source) for text in texts])[which]
    except InputError:
        raise Unusual from None
    if found.max() > WIDEST_RATIO * found.min():
        raise Unusual
    weights: list[float] = found.tolist()
    return weights


def _class_weights(
    cells: Cells, weighed: np.ndarray, names: list[str], weighing: dict[int, str]
) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for column, key in weighing.items():
        place = cells.column(column)
        rows = np.flatnonzero(place >= 0)
        texts, which = _different(cells, place[rows])
        of_class = np.full(len(names), -1)
        of_class[weighed[rows]] = which
        if (of_class[weighed[rows]] != which).any():  # two weights of a class
            raise Unusual
        for k in np.flatnonzero(of_class >= 0).tolist():
            found.setdefault(names[k], {})[key] = texts[of_class[k]]
    return found


def _different(cells: Cells, places: np.ndarray) -> tuple[list[str], np.ndarray]:
    """The different texts of some cells, and which of them each has."""
    texts = Names(len(cells.text))
    which = texts.of(cells.text, cells.starts[places], cells.ends[places])
    return list(texts), which
