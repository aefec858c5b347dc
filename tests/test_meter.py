"""A meter gives, to the last bit, what one evaluation of all its instances gives, however they came
to it.
"""

import copy
import pickle

import numpy as np
import pytest

from hiermeasures import Hierarchy, InputError, Meter, evaluate

MEASURES = [
    "hF",
    "F_LCA",
    "GIE",
    "MGIA",
    "H_loss",
    "HCM_F1",
    "CoPHE_F1",
    "hamming",
    "SP",
    "mine=0.5*hF + GIE/3",
]
AVERAGES = ("samples", "micro", "macro")


def weighted_dag(random):
    """Thirty classes with uneven edge weights, whose sums depend on the order of adding."""
    edges = {(int(random.integers(max(0, i - 6), i)), i) for i in range(1, 30) for _ in range(2)}
    return Hierarchy.from_edges(
        [(f"n{a}", f"n{b}", float(random.uniform(0.1, 1))) for a, b in sorted(edges)]
    )


RANDOM = np.random.default_rng(7)
H = weighted_dag(RANDOM)
TRUE, PREDICTED = (
    [set(RANDOM.choice(H.nodes, RANDOM.integers(0, 4)).tolist()) for _ in range(40)]
    for _ in range(2)
)


def bits(report):
    """Everything that a report without instances says, floats to the last bit; and the sums."""
    return (
        len(report),
        report.partial.values,
        {average: repr(report.averaged(average)) for average in AVERAGES},
        repr(report.counts),
        repr(report.undefined),
        report.measures_by_level.to_csv(),
        report.per_class.to_csv(),
    )


def test_meters_that_were_sent_and_merged_give_the_bits_of_one_evaluation():
    meters = [Meter(H, measures=MEASURES) for _ in range(3)]
    for k, meter in enumerate(meters):
        for start in (0, 20):
            meter.update(TRUE[start + k : start + 20 : 3], PREDICTED[start + k : start + 20 : 3])
            meter.compute()  # looking does not change it
    first, *others = (pickle.loads(pickle.dumps(meter)) for meter in meters)
    for other in others:
        first.merge(other)
    instances = [i for k in range(3) for start in (0, 20) for i in range(start + k, start + 20, 3)]
    whole = evaluate(
        H, [TRUE[i] for i in instances], [PREDICTED[i] for i in instances], measures=MEASURES
    )
    assert bits(first.report()) == bits(whole)
    assert repr(first.compute()) == repr(whole.values)


def test_values_by_hand():
    h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")])
    meter = Meter(h, measures="hP", average="micro")
    meter.update(["C"], ["A"])  # {R, A, C} against {R, A}: 2 of 2
    assert meter.compute() == {"hP": 1.0}
    before = copy.deepcopy(meter)
    meter.update(["B"], ["A"])  # {R, B} against {R, A}: 1 of 2
    assert (meter.compute(), len(meter)) == ({"hP": 3 / 4}, 2)
    before.merge(meter)
    assert (before.compute(), len(before)) == ({"hP": 5 / 6}, 3)
    assert (meter.compute(), len(meter)) == ({"hP": 3 / 4}, 2)  # what is merged in stays as it is
    meter.reset()
    assert (repr(meter.compute()), len(meter)) == ("{'hP': nan}", 0)
    meter.update(["C"], ["C"])
    assert meter.compute() == {"hP": 1.0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"measures": ["hf"]}, "'hF'"),
        ({"average": "mean"}, "unknown average 'mean'"),
        ({"unknown": "ignore"}, "Give 'fail' or 'drop'"),
        ({"dmx": 3}, "'dmax'"),
        ({"hierarchy": [("A", "B")]}, "hiermeasures.Hierarchy"),
    ],
)
def test_a_meter_is_checked_when_it_is_made(arguments, message):
    with pytest.raises(InputError, match=message):
        Meter(**{"hierarchy": H, **arguments})


def test_a_batch_with_a_fault_is_not_added():
    meter = Meter(H, measures=["hF"])
    with pytest.raises(InputError, match="'n99' in y_pred"):
        meter.update([["n1"], ["n2"]], [["n1"], ["n99"]])
    with pytest.raises(InputError, match="y_true has 1 instances, y_pred 2"):
        meter.update([["n1"]], [["n1"], ["n2"]])
    with pytest.raises(InputError, match="a meter is merged with a meter, not with dict"):
        meter.merge(meter.compute())
    with pytest.raises(InputError, match="different options"):
        meter.merge(Meter(H, measures=["hF"], dmax=3))
    assert len(meter) == 0
