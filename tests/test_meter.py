"""A meter gives, to the last bit, what one evaluation of all its instances gives, however they came to it."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, Meter, evaluate
from hiermeasures.batch import partials, tasks

MEASURES = ["hF", "F_LCA", "GIE", "MGIA", "H_loss", "HCM_F1", "CoPHE_F1", "hamming", "SP", "mine=0.5*hF + GIE/3"]
AVERAGES = ("samples", "micro", "macro")


def weighted_dag(random):
    """Thirty classes with edges of uneven weights, whose sums depend on the order in which they are added."""
    edges = {(int(random.integers(max(0, i - 6), i)), i) for i in range(1, 30) for _ in range(2)}
    return Hierarchy.from_edges([(f"n{a}", f"n{b}", float(random.uniform(0.1, 1))) for a, b in sorted(edges)])


RANDOM = np.random.default_rng(7)
H = weighted_dag(RANDOM)
TRUE, PREDICTED = ([set(RANDOM.choice(H.nodes, RANDOM.integers(0, 4)).tolist()) for _ in range(40)] for _ in range(2))


def bits(report):
    """Everything that a report without instances says, floats to the last bit; and the sums before they are rounded."""
    return (
        len(report),
        {key: sum(map(Fraction, parts)) for key, parts in report.partial.values.items()},
        {average: repr(report.averaged(average)) for average in AVERAGES},
        repr(report.counts),
        repr(report.undefined),
        report.levels.to_csv(),
        report.per_class.to_csv(),
    )


@st.composite
def histories(draw):
    """Which instances go into which batch of which meter, and in which order the meters are merged."""
    n = draw(st.integers(1, 40))
    instances = draw(st.permutations(range(n)))
    cuts = sorted(draw(st.sets(st.integers(1, max(n - 1, 1)), max_size=6)))
    batches = [instances[a:b] for a, b in zip([0, *cuts], [*cuts, n], strict=True)]
    meters = [draw(st.integers(0, 2)) for _ in batches]
    return instances, batches, meters, draw(st.permutations(range(3)))


@given(histories(), st.sampled_from([2, 8, 100]), st.sampled_from([3, 1000]))
def test_any_splitting_and_any_order_of_merging_give_the_same_bits(history, few, chunk):
    instances, batches, owners, order = history
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "FEW_INSTANCES", few)  # at most so many are left to `explain`
        patch.setattr(partials, "CHUNK", chunk)
        meters = [Meter(H, measures=MEASURES) for _ in range(3)]
        for batch, owner in zip(batches, owners, strict=True):
            meters[owner].update([TRUE[i] for i in batch], [PREDICTED[i] for i in batch])
            meters[owner].compute()  # looking does not change it
        meters = [pickle.loads(pickle.dumps(m)) for m in meters]
        first, *others = (meters[k] for k in order)
        for other in others:
            first.merge(other)
        whole = evaluate(H, [TRUE[i] for i in instances], [PREDICTED[i] for i in instances], measures=MEASURES)
        assert bits(first.report()) == bits(whole)
        assert repr(first.compute()) == repr(whole.values)


def test_values_by_hand():
    h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")])
    meter = Meter(h, measures="hP", average="micro")
    meter.update(["C"], ["A"])  # {R, A, C} against {R, A}: 2 of 2
    assert meter.compute() == {"hP": 1.0}
    meter.update(["B"], ["A"])  # {R, B} against {R, A}: 1 of 2
    assert meter.compute() == {"hP": 3 / 4}
    assert len(meter) == 2


def test_a_meter_that_was_reset_is_a_new_one():
    meter = Meter(H, measures=MEASURES)
    meter.update(TRUE[:20], PREDICTED[:20])
    meter.reset()
    assert len(meter) == 0
    meter.update(TRUE[20:], PREDICTED[20:])
    assert bits(meter.report()) == bits(evaluate(H, TRUE[20:], PREDICTED[20:], measures=MEASURES))


def test_what_is_merged_in_stays_as_it_is():
    meters = [Meter(H, measures=["hF"]) for _ in range(2)]
    for k, meter in enumerate(meters):
        meter.update(TRUE[k::2], PREDICTED[k::2])
    before = meters[1].compute()
    meters[0].merge(meters[1])
    meters[0].update(["n1"], ["n2"])
    assert meters[1].compute() == before
    assert (len(meters[0]), len(meters[1])) == (41, 20)


def test_a_copy_goes_its_own_way():
    meter = Meter(H, measures=["hF"], define={"mine": "0.5*hF + 0.25*hP"})
    meter.update(TRUE, PREDICTED)
    other = copy.deepcopy(meter)
    meter.update(["n1"], ["n1"])
    assert (len(meter), len(other)) == (41, 40)
    assert set(other.compute()) == {"hF", "mine"}


def test_a_meter_without_instances_has_no_values():
    assert repr(Meter(H, measures=["hF", "GIE"]).compute()) == "{'hF': nan, 'GIE': nan}"


def test_every_form_of_labels_goes_in():
    h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")])
    meter = Meter(h, measures=["accuracy"], classes=["A", "B", "C"])
    meter.update(np.eye(3), np.eye(3, dtype=bool))
    meter.update(pl.DataFrame({"C": [0], "A": [1], "B": [0]}), np.array([[1, 0, 0]]))
    assert meter.compute() == {"accuracy": 1.0}


def test_memory_does_not_grow_with_the_instances(monkeypatch):
    monkeypatch.setattr(tasks, "FEW_INSTANCES", 0)
    monkeypatch.setattr(partials, "CHUNK", 10)
    sizes = []
    meter = Meter(H, measures=["hF"])
    for _ in range(3):
        meter.update(TRUE, PREDICTED)
        sizes.append(len(pickle.dumps(meter)))
    assert max(sizes) - min(sizes) < 100


def test_dropped_labels_are_counted():
    meters = [Meter(H, measures=["hF"], unknown="drop") for _ in range(2)]
    meters[0].update([["n1", "n99"]], [["n1"]])
    meters[1].update([["n1"], ["n99"]], [["n1"], ["n1"]])
    meters[0].merge(meters[1])
    unknown = pickle.loads(pickle.dumps(meters[0])).report().unknown_true
    assert [(u.label, u.count, u.first_instance) for u in unknown] == [("n99", 2, 0)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"hierarchy": Hierarchy.from_edges([("R", "A")])},
            "different hierarchies cannot be joined: only one of them has 'A', 'R', 'n0'",
        ),
        (
            {"hierarchy": H.with_weights("constant")},
            "different hierarchies cannot be joined: the classes are the same, the edges or weights are not",
        ),
        ({"measures": ["hF", "GIE"]}, "different measures cannot be joined: only one of them has 'GIE'"),
        ({"dmax": 3}, "different options cannot be joined: dmax is 5.0 in one, 3.0 in the other"),
        ({"average": "macro"}, "different averages cannot be joined: samples and macro"),
        ({"define": {"mine": "hF/2"}}, "define 'mine' differently"),
    ],
)
def test_meters_that_do_not_fit_are_not_merged(arguments, message):
    meter = Meter(H, measures=["hF"], define={"mine": "hF/3"})
    meter.update(["n1"], ["n2"])
    before = meter.compute()
    with pytest.raises(InputError, match=message):
        meter.merge(Meter(**{"hierarchy": H, "measures": ["hF"], "define": {"mine": "hF/3"}, **arguments}))
    assert meter.compute() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"measures": ["hf"]}, "unknown measure 'hf'; nearest known: 'hF'"),
        ({"average": "mean"}, "unknown average 'mean'"),
        ({"unknown": "ignore"}, "can 'fail' or 'drop'"),
        ({"dmx": 3}, "unknown option 'dmx'; nearest known: 'dmax'"),
        ({"hierarchy": [("A", "B")]}, "hierarchy is a hiermeasures.Hierarchy, not list"),
    ],
)
def test_a_meter_is_checked_when_it_is_made(arguments, message):
    with pytest.raises(InputError, match=message):
        Meter(**{"hierarchy": H, **arguments})


def test_a_batch_with_a_fault_is_not_added():
    meter = Meter(H, measures=["hF"])
    with pytest.raises(InputError, match="unknown class 'n99' in y_pred, instance 1; nearest known"):
        meter.update([["n1"], ["n2"]], [["n1"], ["n99"]])
    with pytest.raises(InputError, match="y_true has 1 instances, y_pred 2"):
        meter.update([["n1"]], [["n1"], ["n2"]])
    with pytest.raises(InputError, match="a meter is merged with a meter, not with dict"):
        meter.merge(meter.compute())
    assert len(meter) == 0
