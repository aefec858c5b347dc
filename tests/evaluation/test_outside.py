"""Answers that are not classes: what they count as does not depend on other instances, and parts of
a data set with some of them join.
"""

import numpy as np
import pytest

from hiermeasures import Hierarchy, evaluate, from_bytes, merge, to_bytes
from hiermeasures.evaluation.answers import Rules, fit
from hiermeasures.evaluation.files import Systems
from hiermeasures.read.one_table import read_column

EDGES = [("B", "T1"), ("B", "P1"), ("B", "P2"), ("C", "D"), ("C", "P1")]
HIERARCHIES = {
    "a real root": Hierarchy.from_edges([("A", "B"), ("A", "C"), *EDGES]),
    "a virtual root": Hierarchy.from_edges(EDGES),
}
TRUE = [["T1"], ["P1", "D"], ["D"], ["B"], ["C"], ["T1"]]
PREDICTED = [["P1", "P2"], ["D"], ["T1"], ["T1"], ["C"], ["T1"]]
OPTIONS = [
    {}, {"count_root": False}, {"count_root": True}, {"rank": 1}, {"max_level": 1}, {"negatives": "descendants"},
    {"edge_weights": "level"}, {"edge_weights": "exponential"}, {"class_weights": "leaves"},
    {"class_weights": "depth"}, {"max_ancestor_distance": 1},
]  # fmt: skip


@pytest.mark.parametrize("h", HIERARCHIES.values(), ids=HIERARCHIES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_an_unknown_answer_changes_no_value_of_another_instance(h, options):
    alone = evaluate(h, TRUE, PREDICTED, measures="all", **options)
    unknown = [*PREDICTED, ["x", "y"]]
    beside = evaluate(h, [*TRUE, ["D"]], unknown, measures="all", unknown="wrong", **options)
    for key, values in alone.per_instance.items():
        np.testing.assert_allclose(beside.per_instance[key].to_numpy()[:-1], values, err_msg=key)


@pytest.mark.parametrize("h", HIERARCHIES.values(), ids=HIERARCHIES)
def test_an_instance_explained_has_the_value_of_the_report(h):
    report = evaluate(
        h, [*TRUE, ["D"]], [*PREDICTED, ["x", "y"]], measures=["HCM_TN", "hF"], unknown="wrong"
    )
    for after in range(len(report)):
        place, x = report.worst("hF", after=after)
        assert x["HCM_TN"] == report.per_instance["HCM_TN"].iloc[place]


@pytest.mark.parametrize("unknown", ["wrong", "prefix", "nearest"])
@pytest.mark.parametrize("h", HIERARCHIES.values(), ids=HIERARCHIES)
def test_parts_with_unknown_answers_join_to_what_one_run_gives(h, unknown):
    cut = [
        (TRUE[:2], [["P1"], ["x", "y"]]),
        (TRUE[2:4], PREDICTED[2:4]),
        (TRUE[4:], [["z"], ["T1"]]),
    ]

    def partials(true, predicted):
        rules = Rules.of(unknown)
        fitted = fit(read_column(true, "t"), {"p": read_column(predicted, "p")}, rules, h)
        return Systems(**vars(fitted), ids={}).partials(measures="all")["p"]

    parts = [from_bytes(h, to_bytes(partials(*each))) for each in cut]
    predicted = [labels for _, some in cut for labels in some]
    whole = evaluate(h, TRUE, predicted, measures="all", unknown=unknown)
    for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1]):
        joined = merge([parts[k] for k in order]).report()
        assert joined.values == pytest.approx(whole.values, abs=0, nan_ok=True)
        assert joined.signature == whole.signature
        assert joined.averaged("macro") == pytest.approx(whole.averaged("macro"), nan_ok=True)
