"""The view of the hierarchical confusion matrix.

Paths are coloured edges. Every counted class has a badge with the letters of its cell. The table
shows the cells of every predicted path. The steps show how paths are matched and counted.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

from hiermeasures.draw import panel, scene
from hiermeasures.draw.panel import Cell, Column, PanelTable, Row, Text, WalkStep, path_text
from hiermeasures.draw.scene import Badge, LegendEntry, Mark, Overlay
from hiermeasures.draw.views.sets import classes_alone
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import Path, named
from hiermeasures.measures.confusion import HierarchicalConfusion, PathCells

CELLS = {
    "TP": "true positive",
    "TN": "true negative",
    "FP": "false positive",
    "FN": "false negative",
}
SEVERAL = "cells"
ALL_PATHS = "all"
LEGEND = (
    scene.edge_legend("true path", "predicted path", "both paths")
    | {cell: LegendEntry("badge", cell, words, faint=cell == "TN") for cell, words in CELLS.items()}
    | {SEVERAL: LegendEntry("badge", "TP¹ FN²", "cells by path: True, False, Positive, Negative")}
    | panel.STEP_LEGEND
)


def confusion_overlay(
    matrix: HierarchicalConfusion, explanation: Explanation, path: int | None = None
) -> Overlay:
    if path is None or path >= len(matrix.paths):
        return paths_overlay(explanation, matrix.paths, matrix.unmatched)
    return paths_overlay(explanation, [matrix.paths[path]], (), numbered_from=path)


def paths_overlay(
    explanation: Explanation,
    paths: Sequence[PathCells],
    unmatched: Iterable[Path] = (),
    *,
    only: Iterable[str] = CELLS,
    focus: frozenset[str] = frozenset(),
    numbered_from: int = 0,
) -> Overlay:
    unmatched = tuple(unmatched)
    true_paths = [*(p.true_path for p in paths if p.true_path), *unmatched]
    predicted_paths = [p.predicted_path for p in paths]
    every_true, every_predicted = _on_paths(
        explanation.confusion.paths, explanation.confusion.unmatched
    )
    marks = scene.marks_of(  # given classes keep their marks if their paths are not shown
        explanation,
        (explanation.true & every_true).union(*true_paths),
        (explanation.predicted & every_predicted).union(*predicted_paths),
    )
    badges = _badges(paths, unmatched, tuple(only), numbered_from)
    for c in badges:
        marks.setdefault(c, Mark(ringed=True))
    words = scene.words_in("path", "on") | {Mark(ringed=True): "next to the paths"}
    edges = scene.edge_marks(
        *(chain.from_iterable(map(pairwise, side)) for side in (true_paths, predicted_paths))
    )
    return Overlay("Confusion cells", marks, words, badges, edges=edges, focus=focus, legend=LEGEND)


def _on_paths(
    paths: Sequence[PathCells], unmatched: Sequence[Path]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the classes on true and on predicted paths."""
    true = chain(*(p.true_path for p in paths if p.true_path), *unmatched)
    return frozenset(true), frozenset(chain(*(p.predicted_path for p in paths)))


def _badges(
    paths: Sequence[PathCells], unmatched: Sequence[Path], only: Sequence[str], numbered_from: int
) -> dict[str, Badge]:
    found: dict[str, list[tuple[str, int]]] = {}
    for number, cells in enumerate(paths, numbered_from + 1):
        for cell in only:
            for c in getattr(cells, cell.lower()):
                found.setdefault(c, []).append((cell, number))
    for path in unmatched if "FN" in only else ():
        for c in path[1:]:
            found.setdefault(c, []).append(("FN", 0))
    return {c: _badge(cells) for c, cells in found.items()}


def _badge(cells: list[tuple[str, int]]) -> Badge:
    where = ", ".join(
        f"{CELLS[cell]} of {f'path {n}' if n else 'a true path left over'}" for cell, n in cells
    )
    paths: dict[str, list[int]] = {}
    for cell, n in cells:
        paths.setdefault(cell, []).append(n)
    if len(paths) == 1:
        times = f"×{len(cells)}" if len(cells) > 1 else ""
        return Badge(cells[0][0] + times, cells[0][0], where)
    text = " ".join(cell + "·".join(map(superscript, numbers)) for cell, numbers in paths.items())
    return Badge(text, SEVERAL, where)


def superscript(number: int) -> str:
    """Return the number of a path as superscript digits, or "" for 0."""
    return str(number).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")) if number else ""


def confusion_table(
    matrix: HierarchicalConfusion,
    explanation: Explanation,
    path: int | None,
    upto: int | None = None,
) -> PanelTable:
    columns = [Column("", "number"), Column("predicted path"), Column("compared with")]
    columns += [Column(name, about=f"{words}s") for name, words in CELLS.items()]
    how = {
        None: "The paths were given.",
        "greedy": "The paths are derived from the labels by greedy cover.",
        "benevolent": "The paths are derived from the labels. Each one agrees best with the "
        "other side.",
    }[matrix.derived]
    choosable = upto is None and len(matrix.paths) + len(matrix.unmatched) > 1
    note = f"{how} Choose a row to see only its path." if choosable else how
    rows = list(_path_rows(matrix, explanation, upto, path if choosable else None, choosable))
    if len(rows) > 1 and upto is None:
        counts = (matrix.tp, matrix.tn, matrix.fp, matrix.fn)
        sums = (Text(str(n), says="summed over the paths") for n in counts)
        key = ALL_PATHS if choosable else None
        rows.append(Row(("Σ", "all paths", "", *sums), (), key, choosable and path is None))
    return PanelTable(
        "The confusion cells of every predicted path", tuple(columns), tuple(rows), note
    )


def _path_rows(
    matrix: HierarchicalConfusion,
    explanation: Explanation,
    upto: int | None,
    chosen: int | None,
    choosable: bool,
) -> Iterator[Row]:
    """Yield a row for each path. Within a walk, only the first `upto` paths have cells."""

    def cell(labels: Iterable[str]) -> Cell:
        classes = panel.in_order(explanation, labels)
        return (f"{len(classes)}:", *panel.chips(classes)) if classes else Text("–", faint=True)

    compared = len(matrix.paths) if upto is None else upto
    for i, p in enumerate(matrix.paths):
        cells: tuple[Cell, ...] = ("",) * 5
        if i < compared:
            nothing = Text("no true class left", faint=True)
            true_path = path_text(p.true_path) if p.true_path else nothing
            cells = (true_path, *map(cell, (p.tp, p.tn, p.fp, p.fn)))
        classes = tuple(dict.fromkeys((*p.predicted_path, *(p.true_path or ()))))
        key, marked = str(i) if choosable else None, i == (chosen if upto is None else upto)
        yield Row((str(i + 1), path_text(p.predicted_path), *cells), classes, key, marked)
    for unmatched in matrix.unmatched if upto is None else ():
        nothing = Text("no prediction left", faint=True)
        missed = cell(unmatched[1:])
        yield Row(("", nothing, path_text(unmatched), "", "", "", missed), unmatched)


def walk(matrix: HierarchicalConfusion, explanation: Explanation) -> Iterator[WalkStep]:
    """Yield the steps that match and count the paths."""
    result = partial(confusion_overlay, matrix, explanation)

    def counted_to(upto: int | None) -> Callable[[], PanelTable]:
        return partial(confusion_table, matrix, explanation, None, upto)

    yield WalkStep(
        "Start", _about_paths(matrix), partial(classes_alone, explanation), counted_to(0)
    )
    for i, cells in enumerate(matrix.paths):
        ends = [p.true_path[-1] for p in matrix.paths[i:] if p.true_path] + [
            path[-1] for path in matrix.unmatched
        ]
        alone = partial(paths_overlay, explanation, [cells], numbered_from=i)
        matching = partial(alone, only=(), focus=frozenset(cells.common_path))
        yield WalkStep(
            f"Path {i + 1}: matching", _about_match(cells, ends), matching, counted_to(i)
        )
        yield WalkStep(f"Path {i + 1}: counting", _about_cells(cells), alone, counted_to(i + 1))
    for path in matrix.unmatched:
        missed = (
            f"{path_text(path)} counts as missed: {write_count(len(path) - 1, 'false negative')}."
        )
        sentence = f"No predicted path is left for {path[-1]}. Its path {missed}"
        yield WalkStep("True classes left over", sentence, result, counted_to(len(matrix.paths)))
    sums = f"{matrix.tp} TP, {matrix.tn} TN, {matrix.fp} FP, {matrix.fn} FN"
    yield WalkStep("Result", f"Summed over the paths: {sums}.", result, counted_to(None))


def _about_paths(matrix: HierarchicalConfusion) -> str:
    how = {
        None: "The paths were given.",
        "greedy": "A greedy cover turns the labels into paths. Each step takes the path with the most "
        "labels that are not covered yet.",
        "benevolent": "Each most specific predicted class has the path that agrees best with the true "
        "side.",
    }[matrix.derived]
    paths = write_count(len(matrix.paths), "predicted path is", "predicted paths are")
    return f"{how} {paths} compared with one true path each. The pairs that share most come first."


def _about_match(cells: PathCells, open_classes: list[str]) -> str:
    taken = f"{path_text(cells.predicted_path)} is next. "
    if cells.true_path is None:
        return taken + "No true class is left for the comparison."
    end = cells.true_path[-1]
    others = [c for c in open_classes if c != end]
    shared = f"They share {path_text(cells.common_path)}"
    why = (
        f"No other open class ({named(others)}) shares more" if others else "No other class is open"
    )
    return f"{taken}It is compared with {path_text(cells.true_path)}. {shared}. {why}."


def _about_cells(cells: PathCells) -> str:
    if cells.true_path is None:
        return f"No true path is left, so the whole path is wrong: FP {named(cells.fp)}."
    return (
        f"On both paths, below the root: TP {named(cells.tp)}. On the predicted path only: FP "
        f"{named(cells.fp)}. On the true path only: FN {named(cells.fn)}. Next to the common path "
        f"and below its end, rightly not predicted: TN {named(cells.tn)}."
    )


CONFUSION = panel.View(
    key="confusion",
    title="confusion",
    overlay=lambda explanation, at: confusion_overlay(explanation.confusion, explanation, at.path),
    panel=lambda explanation, at, overlay: confusion_table(
        explanation.confusion, explanation, at.path
    ),
    walk=lambda explanation, at: tuple(walk(explanation.confusion, explanation)),
    choose_row=lambda at, key: replace(at, path=None if key == ALL_PATHS else int(key)),
)
