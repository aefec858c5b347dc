"""Confusion matrices on the HTML page: the top classes of each system, and the part of each."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hiermeasures.draw.matrix import MatrixPicture
from hiermeasures.evaluation.confusion_matrix import Matrix, axis
from hiermeasures.evaluation.confusion_picture import ConfusionPicture, sum_small
from hiermeasures.evaluation.html_report.page import PagePart
from hiermeasures.evaluation.html_report.wording import name_class
from hiermeasures.evaluation.outside import base_of

if TYPE_CHECKING:
    from hiermeasures.evaluation import Report

MOST_SHOWN = 25  # classes of a matrix
MOST_MATRICES = 100
ABOUT = "Rows are true classes, columns predicted ones. A class counts with everything below it."


def describe_matrices(reports: Mapping[str, "Report"], leading: Sequence[str] = ()) -> PagePart:
    """Return the confusion matrices of all systems, in the order of the reports.

    If two systems are `leading`, or if there are only two, their difference also has a matrix.

    Each top class has a matrix of its part. The page ends these when it would have more than
    MOST_MATRICES matrices.
    """
    h = base_of(next(iter(reports.values())).hierarchy)
    tops = [top for top in h.children(h.root) if h.children(top)]
    detailed = MOST_MATRICES // (1 + len(tops))
    chosen: list[tuple[tuple[str, ...], tuple[Report, ...]]] = [
        ((name,), (report,)) for name, report in reports.items()
    ]
    pair = tuple(leading) if len(leading) == 2 else tuple(reports)
    if len(pair) == 2:
        # a single chosen system comes before the difference
        chosen.insert(int(len(leading) == 1), (pair, tuple(reports[name] for name in pair)))
    parts = []
    for k, (names, sides) in enumerate(chosen):
        details = [
            PagePart(name_class(h, top), matrices=[_draw_matrix(names, sides, top)])
            for top in (tops if k < detailed else ())
        ]
        whole = _draw_matrix(names, sides)
        title = " − ".join(map(str, names))
        parts.append(PagePart(title, matrices=[whole], parts=details, open=not k))
    notes = [ABOUT]
    if len(chosen) > detailed and tops:
        notes.append("To keep the page small, some systems show only the matrix of top classes.")
    if len(parts) == 1:
        first = parts[0]
        return PagePart(
            "Confusion matrix", notes, matrices=first.matrices, parts=first.parts, open=True
        )
    return PagePart("Confusion matrices", notes, parts=parts, open=True)


def _draw_matrix(
    names: Sequence[str], reports: Sequence["Report"], below: str | None = None
) -> MatrixPicture:
    """Draw the matrix of one system, or of the difference of two.

    It shows the top classes, or the part `below` a class.
    """
    labels = frozenset().union(*(report.paired.labels for report in reports))
    both = axis(reports[0].hierarchy, below=below, labels=labels, once=True)
    first, *others = (Matrix.count(report.paired, both, both) for report in reports)
    matrix = first - others[0] if others else first
    return ConfusionPicture(
        sum_small(matrix, MOST_SHOWN), tuple(filter(None, map(str, names)))
    ).draw()
