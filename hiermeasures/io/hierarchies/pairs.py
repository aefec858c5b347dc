"""Edge lists that are nothing but pairs, read as arrays: `parent child` on every line, no comment, no weight, no class
that stands alone. Everything else is left to the reader of the format.
"""

from typing import NamedTuple

import numpy as np

from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.cells import cells_in
from hiermeasures.io.hierarchies.building import check_nodes
from hiermeasures.io.source import Limits, Source
from hiermeasures.io.words import Names, Unusual, as_bytes, counted_by_line, words_in


class Pairs(NamedTuple):
    """Edges by the numbers of their labels, in the order of the text."""

    labels: list[str]
    parent: np.ndarray
    child: np.ndarray


def pairs(text: str, separator: str, limits: Limits, *, upwards: bool = False) -> Pairs:
    """The two names on each line, between blanks or around another separator; Unusual where a line holds anything else.

    Comments and quotes are names here. `upwards`: the child stands first.
    """
    lines = as_bytes(text.encode("utf-8", "replace") + (b"" if text.endswith("\n") else b"\n"))
    if separator == " ":
        starts, ends = words_in(lines)
        widths = counted_by_line(lines, starts)
    else:
        cells = cells_in(lines, separator)
        starts, ends, widths = cells.starts, cells.ends, cells.widths
    if not len(starts) or (widths != 2).any() or (starts == ends).any():
        raise Unusual
    if upwards:
        starts, ends = (places.reshape(-1, 2)[:, ::-1].ravel() for places in (starts, ends))
    names = Names(limits)
    numbers = names.of(lines, starts, ends).astype(np.int64)
    parent, child = numbers[::2], numbers[1::2]
    if (parent == child).any():
        raise Unusual
    return Pairs(list(names), parent, child)


def build_pairs(found: Pairs, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of some pairs; an InputError says where it went wrong."""
    try:
        h = Hierarchy.from_numbered(*found)
    except InputError as error:
        raise source.error(str(error)) from None
    return check_nodes(h, source, limits)
