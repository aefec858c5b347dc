"""GermEval 2019 through the array engine: the published counts of Riehl et al. 2023 and the
organizers' table.
"""

import pytest

from hiermeasures import Hierarchy
from hiermeasures.evaluation import evaluate
from tests.conftest import needs_data

BASELINE = "LT-UHH__baseline"
TWISTBYTES = "twistbytes__sklearn_hier_threshold_and_roots_baseline_thresholding"
KNOWCUP = "knowcup__DL_single_test"
CELLS = ["HCM_TP", "HCM_TN", "HCM_FP", "HCM_FN"]


def labels_of(folder, name, task):
    """Labels by id, by a plain loop; None for a line that names an id and an empty label."""
    found, inside = {}, False
    for line in (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        first, *rest = line.split("\t")
        if first.startswith("subtask_"):
            inside = first == f"subtask_{task}"
        elif inside:
            found[first] = {label for label in rest if label} or None
    return found


def germeval(system, task, folder=None):
    """The hierarchy of a task, true labels and a system's by instance; a missing line is empty."""
    folder = folder or needs_data("germeval2019")
    rows = [
        line.split("\t")
        for line in (folder / "hierarchy.txt").read_text(encoding="utf-8").splitlines()
    ]
    h = Hierarchy.from_edges(
        [tuple(row) for row in rows if len(row) == 2], [row[0] for row in rows]
    )
    if task == "a":
        h = Hierarchy.from_edges([], h.children(h.root))
    true, predicted = (
        labels_of(folder, "blurbs_test_label", task),
        labels_of(folder, f"submissions/{system}", task),
    )
    return h, list(true.values()), [predicted.get(key, set()) for key in true]


@pytest.mark.parametrize(
    ("system", "task", "expected"),
    [
        (BASELINE, "a", (3344, 29084, 544, 1126)),
        (KNOWCUP, "a", (3738, 29040, 647, 732)),
        (BASELINE, "b", (5183, 97128, 964, 9927)),
        (TWISTBYTES, "b", (9174, 130886, 4747, 5936)),
        (KNOWCUP, "b", (8135, 119968, 3204, 6975)),
    ],
)
def test_the_confusion_matrices_are_those_of_the_authors(system, task, expected):
    report = evaluate(*germeval(system, task), measures=CELLS, path_ties="names")
    assert tuple(int(report[key]) for key in CELLS) == expected


def test_in_task_a_the_authors_count_an_empty_label_as_a_false_positive():
    # Twistbytes' file has lines that end after the tab. Read as empty predictions they are no false
    # positives; the published 752 takes each of them for a label of its own.
    h, true, predicted = germeval(TWISTBYTES, "a")
    report = evaluate(h, true, predicted, measures=CELLS, path_ties="names")
    empty_labels = predicted.count(None)
    assert tuple(int(report[key]) for key in CELLS) == (3852, 29551, 752 - empty_labels, 618)
    assert empty_labels == 151
