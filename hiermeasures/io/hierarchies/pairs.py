"""Edge lists read as arrays: `parent child` on every line, perhaps with the weight of the edge or of the child; no
class stands alone but with a weight. Everything else is left to the reader of the format.
"""

from dataclasses import dataclass

import numpy as np

from hiermeasures.class_weights import HEAVIEST
from hiermeasures.errors import InputError
from hiermeasures.hierarchy import WIDEST_RATIO, Hierarchy
from hiermeasures.io.cells import Cells, cells_in, check_plain
from hiermeasures.io.hierarchies.building import check_nodes
from hiermeasures.io.source import Limits, Source
from hiermeasures.io.words import (
    NEWLINE,
    PADDING,
    Names,
    Unusual,
    as_bytes,
    counted_by_line,
    encoded,
    lines_in,
    trimmed,
    words_in,
)


@dataclass(frozen=True)
class Pairs:
    """Edges by the numbers of their labels, in the order of the text, with weights of edges and of classes, if any."""

    labels: list[str]
    parent: np.ndarray
    child: np.ndarray
    weight: np.ndarray | None = None
    class_weight: np.ndarray | None = None


def content_of(text: str) -> np.ndarray:
    """The lines that say something, as bytes: no blank lines, no comments. `content_lines` of format.py is the same."""
    data = encoded(text)
    lines = as_bytes(data if data.endswith(b"\n") else data + b"\n")
    if b"#" not in data and b"\n\n" not in data and not data.startswith(b"\n"):
        return lines
    starts, ends = lines_in(lines)
    begin, _ = trimmed(lines, starts, ends)
    says = (begin < ends) & (lines[begin] != ord("#"))
    if not says.any():
        raise Unusual
    return np.concatenate([lines[:-PADDING][np.repeat(says, ends + 1 - starts)], np.zeros(PADDING, np.uint8)])


def pairs(
    lines: np.ndarray, separator: str, limits: Limits, *, upwards: bool = False, weight_of_class: int | None = None
) -> Pairs:
    """The two names on each line, between blanks or around another separator; Unusual where a line holds anything else
    but the weight of the edge.

    Quotes are those of CSV between commas and semicolons, and ordinary characters elsewhere. `upwards`: the child
    stands first. `weight_of_class`: the column with what the child weighs, which each line then has.
    """
    if len(lines) == PADDING:
        raise Unusual
    if separator == " ":
        starts, ends = words_in(lines)
        cells = Cells(lines, starts, ends, counted_by_line(lines, starts), 0)
    else:
        cells = cells_in(lines, separator, quoted=separator != "\t")
    if separator in ",;":
        check_plain(cells, np.arange(len(cells.starts)))
        if len(cells.widths) != np.count_nonzero(lines == NEWLINE) or cells.longest > limits.label:
            raise Unusual
    if weight_of_class is not None:
        return _with_class_weights(cells, limits, upwards, weight_of_class)
    if not len(cells.starts) or cells.widths.min() < 2 or cells.widths.max() > 3 or not cells.filled.all():
        raise Unusual
    weighed = np.flatnonzero(cells.widths == 3)
    weight = np.ones(len(cells.widths)) if len(weighed) else None
    if weight is not None:
        weight[weighed] = _values(cells, cells.first[weighed] + 2, limits)[1]
    return pairs_of(cells, cells.first + int(upwards), cells.first + int(not upwards), limits, weight)


def pairs_of(
    cells: Cells, parent: np.ndarray, child: np.ndarray, limits: Limits, weight: np.ndarray | None = None
) -> Pairs:
    """The edges from some cells to others, in this order."""
    names, both = Names(limits), np.column_stack([parent, child]).ravel()
    numbers = names.of(cells.text, cells.starts[both], cells.ends[both]).astype(np.int64)
    return check_pairs(Pairs(list(names), numbers[::2], numbers[1::2], weight))


def _with_class_weights(cells: Cells, limits: Limits, upwards: bool, column: int) -> Pairs:
    """The same where a column holds what the child weighs; a line without a parent is a class that has none."""
    width = column + 1
    if not len(cells.widths) or (cells.widths != width).any():
        raise Unusual
    table = np.arange(len(cells.starts)).reshape(-1, width)
    child = table[:, 0 if upwards else 1]
    is_edge = cells.filled[table[:, 1 if upwards else 0]]
    if not cells.filled[table[:, 2:]][is_edge].all() or not cells.filled[child].all():
        raise Unusual
    if not cells.filled[table[~is_edge, column]].all() or cells.filled[table[~is_edge, 2:column]].any():
        raise Unusual
    names = Names(limits)
    both = table[is_edge][:, [1, 0] if upwards else [0, 1]].ravel()
    numbers = names.of(cells.text, cells.starts[both], cells.ends[both]).astype(np.int64)
    alone = child[~is_edge]
    tops = names.of(cells.text, cells.starts[alone], cells.ends[alone])
    of_child = np.zeros(len(table), np.int64)
    of_child[is_edge], of_child[~is_edge] = numbers[1::2], tops
    same, values = _values(cells, table[:, column], limits)
    of_class, text_of_class = np.full(len(names), np.nan), np.zeros(len(names), np.int64)
    of_class[of_child], text_of_class[of_child] = values, same
    if (text_of_class[of_child] != same).any() or not ((of_class >= 0) & (of_class <= HEAVIEST)).all():
        raise Unusual
    weight = _values(cells, table[is_edge, 2], limits)[1] if column == 3 else None
    return check_pairs(Pairs(list(names), numbers[::2], numbers[1::2], weight, of_class))


def _values(cells: Cells, places: np.ndarray, limits: Limits) -> tuple[np.ndarray, np.ndarray]:
    """The numbers in some cells: which cells say the same, and what they say."""
    texts = Names(limits)
    which = texts.of(cells.text, cells.starts[places], cells.ends[places])
    try:
        return which, np.array([float(text) for text in texts], np.float64)[which]
    except ValueError:
        raise Unusual from None


def check_pairs(found: Pairs) -> Pairs:
    """Unusual for what the reader of the format has to refuse."""
    if (found.parent == found.child).any():
        raise Unusual
    if found.weight is not None and len(found.weight):
        low, high = found.weight.min(), found.weight.max()
        if not (low > 0 and high < np.inf and high <= WIDEST_RATIO * low):
            raise Unusual
    return found


def build_pairs(found: Pairs, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of some pairs; an InputError says where it went wrong."""
    try:
        h = Hierarchy.from_numbered(found.labels, found.parent, found.child, found.weight)
    except InputError as error:
        raise source.error(str(error)) from None
    if found.class_weight is not None:
        weights = np.zeros((2, len(h)))
        weights[:, [h.numbering[label] for label in found.labels]] = found.class_weight
        h = h.with_class_weights(weights)
    return check_nodes(h, source, limits)
