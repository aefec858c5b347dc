"""No value depends on what classes are called, or on the order of edges and labels."""

from itertools import permutations

import pytest

from hiermeasures import evaluate, explain
from tests.conftest import hierarchy_of


def both_engines(h, true, predicted, key, **options):
    found = evaluate(h, [true], [predicted], measures=[key], n_jobs=1, **options)[key]
    assert found == pytest.approx(explain(h, true, predicted, **options)[key])
    return found


def test_the_confusion_matrix_does_not_see_classes_change_their_names():
    # The paths to n2 and to n3 are right: TP n2, n1, n3. The path to n4 is left over: FP n1, n4. F1 = 6 / (6 + 2).
    for a, b, c in permutations(["n0", "n1", "n2"]):
        h = hierarchy_of(f"{a}>{b} {a}>{c} {b}>n3 {b}>n4")
        assert both_engines(h, {a, c, "n3"}, {c, "n3", "n4"}, "HCM_F1") == 0.75


def test_the_confusion_matrix_does_not_see_the_order_of_edges():
    # The path to n4 by n2 agrees with the true n0 n1 n2: TP n1, n2; FP n4. F1 = 4 / (4 + 1).
    for edges in permutations(["n0>n1", "n1>n2", "n1>n3", "n2>n4", "n3>n4"]):
        assert both_engines(hierarchy_of(" ".join(edges)), {"n2"}, {"n1", "n4"}, "HCM_F1") == 0.8


def test_paths_may_be_matched_in_the_order_of_names_as_in_the_authors_evaluation():
    # Both paths share R A with the true one. By name the path to Z is compared first, by structure the shorter one.
    h = hierarchy_of("R>A A>T A>X X>Z A>B")
    first = {ties: explain(h, {"T"}, {"Z", "B"}, path_ties=ties).confusion.paths[0] for ties in ("names", "structure")}
    assert first["names"].predicted_path == ("R", "A", "X", "Z")
    assert first["structure"].predicted_path == ("R", "A", "B")
