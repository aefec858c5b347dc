"""A batch gives the same report however it is cut and however many threads share it; and says how
far it is.
"""

import subprocess
import sys
import threading

import numpy as np
import pytest

from hiermeasures import Hierarchy, InputError
from hiermeasures.evaluation import batch, evaluate, kernel_registry
from hiermeasures.measures import CATALOGUE


def random_batch(n=300, seed=0):
    """A DAG of 40 classes and n instances."""
    random = np.random.default_rng(seed)
    edges = {
        (f"n{random.integers(max(0, i - 8), i)}", f"n{i}") for i in range(1, 40) for _ in range(2)
    }
    h = Hierarchy.from_edges(sorted(edges))

    def sets():
        return [set(random.choice(h.nodes, random.integers(0, 4))) for _ in range(n)]

    return h, sets(), sets()


H, TRUE, PREDICTED = random_batch()


def same(a, b):
    """True if two reports agree, bit for bit."""
    assert a.counts == b.counts
    for average in ("samples", "micro", "macro"):
        assert repr(a.averaged(average)) == repr(b.averaged(average))
    assert a.measures_by_level.equals(b.measures_by_level)
    assert a.per_class.equals(b.per_class)
    assert a.undefined == b.undefined
    assert len(a) == len(b)


def test_ten_pieces_joined_are_the_whole():
    whole = evaluate(H, TRUE, PREDICTED)
    pieces = [evaluate(H, TRUE[k : k + 30], PREDICTED[k : k + 30]) for k in range(0, 300, 30)]
    joined = pieces[0]
    for piece in pieces[1:]:
        joined = joined + piece
    same(whole, joined)
    assert whole.per_instance.equals(joined.per_instance)


@pytest.mark.parametrize(
    "arguments", [{"n_jobs": 1}, {"n_jobs": 2}, {"n_jobs": 2, "chunk": 7}, {"chunk": 1000}]
)
def test_threads_and_chunks_do_not_change_a_bit(arguments):
    a, b = evaluate(H, TRUE, PREDICTED), evaluate(H, TRUE, PREDICTED, **arguments)
    same(a, b)
    assert a.per_instance.equals(b.per_instance)


def test_the_lists_of_ancestors_may_be_made_for_a_chunk_at_a_time(monkeypatch):
    whole = evaluate(H, TRUE, PREDICTED)
    whole_list = kernel_registry.list_ancestry
    monkeypatch.setattr(
        kernel_registry, "list_ancestry", lambda *given, most=10: whole_list(*given, most=most)
    )
    same(whole, evaluate(H, TRUE, PREDICTED, chunk=64))


@pytest.mark.parametrize("options", [{}, {"count_root": False}, {"zero_division": 1.0}])
def test_classes_of_few_instances_are_counted_without_a_kernel_and_alike(monkeypatch, options):
    keys = ["f1", "hF", "hF_desc"]
    by_kernel = evaluate(H, TRUE, PREDICTED, measures=keys, **options).class_counts
    monkeypatch.setattr(batch, "FEW_COUNTED", len(TRUE))
    monkeypatch.setattr(batch, "has_kernel", None)
    by_builder = evaluate(H, TRUE, PREDICTED, measures=keys, **options).class_counts
    assert by_builder.keys() == by_kernel.keys() == {"flat", "augmented", "descendants"}
    for key, counts in by_kernel.items():
        np.testing.assert_array_equal(by_builder[key], counts, strict=True)


def test_averages_by_hand():
    h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")], root_name="R")
    # Augmented: {R, A, C} against {R, A}: shared 2 of 2 predicted, 3 true. {R, B} against {R, A}:
    # shared 1 of 2 and 2.
    report = evaluate(h, [{"C"}, {"B"}], [{"A"}, {"A"}], measures=["hP", "hR", "SDL"])
    assert report.averaged("samples") == pytest.approx(
        {"hP": (1 + 1 / 2) / 2, "hR": (2 / 3 + 1 / 2) / 2, "SDL": (1 + 2) / 2}
    )
    assert report.averaged("micro") == pytest.approx({"hP": 3 / 4, "hR": 3 / 5, "SDL": 1.5})
    # Per class, predicted: R 2 of 2, A 1 of 2, B and C never (0 by zero_division). True: R 2 of 2,
    # A 1 of 1, B 0, C 0.
    macro = report.averaged("macro")
    assert (macro["hP"], macro["hR"]) == pytest.approx(((1 + 1 / 2) / 4, (1 + 1) / 4))
    # Levels: R; then A and B, predicted 2 with 1 right, true 2; then C, true once and never
    # predicted.
    assert report.measures_by_level["hP"].tolist() == [1.0, 0.5, 0.0]
    assert report.measures_by_level["hR"].tolist() == [1.0, 0.5, 0.0]
    assert report.per_class.loc[
        "A", ["augmented_true", "augmented_predicted", "augmented_shared"]
    ].tolist() == [1, 2, 1]


def test_an_interrupt_stops_all_threads_and_passes():
    def interrupt(done, total):
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        evaluate(H, TRUE * 20, PREDICTED * 20, chunk=10, progress=interrupt)
    assert threading.active_count() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_pred": [{"n1"}]}, "y_true has 2 instances, y_pred 1"),
        ({"ids": ["a"]}, "1 ids for 2 instances"),
        ({"measures": ["hf"]}, "'hF'"),
        ({"average": "mean"}, "unknown average 'mean'"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"chunk": 0}, "chunk"),
        ({"dmx": 3}, "'dmax'"),
        ({"averge": "micro"}, "'average'"),
        ({"y_true": [{"n1"}, {"n100"}]}, "'n100' in y_true"),
    ],
)
def test_bad_input_is_said_plainly(arguments, message):
    given = {"y_true": [{"n1"}, {"n2"}], "y_pred": [{"n1"}, {"n2"}], **arguments}
    with pytest.raises(InputError, match=message):
        evaluate(H, given.pop("y_true"), given.pop("y_pred"), **given)


def test_every_measure_but_those_by_best_matches_is_evaluated_by_a_kernel():
    pytest.importorskip("numba")
    by_explain = {"Wu_Palmer", "Leacock_Chodorow", "Resnik", "Lin", "Jiang_Conrath"}
    others = [key for key in CATALOGUE if key not in by_explain]
    report = evaluate(H, TRUE, PREDICTED, measures=others)
    assert list(report.values) == others
    assert set(report.partial.explained.values()) == {0}


def test_importing_the_library_does_not_import_numba():
    loaded = "bool(sys.modules.get('numba')) or 'pandas' in sys.modules"
    code = f"import sys, hiermeasures, hiermeasures.evaluation; sys.exit({loaded})"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_misspelt_item_of_labels_is_refused_with_the_nearest():
    h = Hierarchy.from_edges([("A", "B")])
    with pytest.raises(InputError, match=r"'unknwn'.*'unknown'"):
        evaluate(h, ["B"], ["B"], labels={"unknwn": "drop"})
