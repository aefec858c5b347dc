"""The hierarchical confusion matrix on the hierarchy: paths as coloured edges, and every class of a cell with the
cell's letters.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import Path
from hiermeasures.measures.confusion import HierarchicalConfusion, PathCells
from hiermeasures.ui.graph.overlays.parts import Badge, KeyLine, Mark, Overlay, edge_key, edge_marks, marks_of, words_in

CELLS = {"TP": "true positive", "TN": "true negative", "FP": "false positive", "FN": "false negative"}
SEVERAL = "cells"
KEY = (
    edge_key("true path", "predicted path", "both paths")
    | {cell: KeyLine("badge", cell, words) for cell, words in CELLS.items()}
    | {SEVERAL: KeyLine("badge", "TP¹ FN²", "cells by path: True, False, Positive, Negative")}
    | {"focus": KeyLine("focus", "", "what this step is about")}
)


def confusion(matrix: HierarchicalConfusion, explanation: Explanation, path: int | None = None) -> Overlay:
    """The cells of one predicted path (counted from 0), or of all of them and the true paths left over."""
    if path is None or path >= len(matrix.paths):
        return drawn(explanation, matrix.paths, matrix.unmatched)
    return drawn(explanation, [matrix.paths[path]], (), numbered_from=path)


def drawn(
    explanation: Explanation,
    paths: Sequence[PathCells],
    unmatched: Iterable[Path] = (),
    *,
    only: Iterable[str] = CELLS,
    focus: frozenset[str] = frozenset(),
    numbered_from: int = 0,
) -> Overlay:
    """Some paths with some of their cells."""
    unmatched = tuple(unmatched)
    true_paths = [p.true_path for p in paths if p.true_path] + list(unmatched)
    predicted_paths = [p.predicted_path for p in paths]
    marks = marks_of(
        explanation, *(frozenset(c for way in ways for c in way) for ways in (true_paths, predicted_paths))
    )
    badges = _badges(paths, unmatched, tuple(only), numbered_from)
    for c in badges:
        marks.setdefault(c, Mark(ringed=True))
    words = words_in("path", "on") | {Mark(ringed=True): "beside the paths"}
    edges = edge_marks(*({e for way in ways for e in pairwise(way)} for ways in (true_paths, predicted_paths)))
    return Overlay("Confusion cells", marks, words, badges, (), edges, focus, KEY)


def _badges(
    paths: Sequence[PathCells], unmatched: Sequence[Path], only: Sequence[str], numbered_from: int
) -> dict[str, Badge]:
    """The cell of every class; by path where a class is in different cells."""
    found: dict[str, list[tuple[str, int]]] = {}
    for number, cells in enumerate(paths, numbered_from + 1):
        for cell in only:
            for c in getattr(cells, cell.lower()):
                found.setdefault(c, []).append((cell, number))
    for way in unmatched if "FN" in only else ():
        for c in way[1:]:
            found.setdefault(c, []).append(("FN", 0))
    return {c: _badge(cells) for c, cells in found.items()}


def _badge(cells: list[tuple[str, int]]) -> Badge:
    told = ", ".join(f"{CELLS[cell]} of {f'path {n}' if n else 'a true path left over'}" for cell, n in cells)
    paths: dict[str, list[int]] = {}
    for cell, n in cells:
        paths.setdefault(cell, []).append(n)
    if len(paths) == 1:
        times = f"×{len(cells)}" if len(cells) > 1 else ""
        return Badge(cells[0][0] + times, cells[0][0], told)
    return Badge(" ".join(cell + "·".join(map(superscript, numbers)) for cell, numbers in paths.items()), SEVERAL, told)


def superscript(number: int) -> str:
    """A path's number as raised digits; the empty text for 0.

    >>> superscript(12), superscript(0)
    ('¹²', '')
    """
    return str(number).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")) if number else ""
