"""Partial results, wherever they come from and however they are joined, give the report of one
evaluation to the last bit; and bytes from anywhere are either such a result or refused.
"""

import json
import pickle
from functools import reduce
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, evaluate, from_bytes, merge, partial, to_bytes
from hiermeasures.engine import PartialReport, partials, tasks
from tests.partial_bytes import rewritten, sealed
from tests.test_meter import AVERAGES, MEASURES, PREDICTED, TRUE, H, bits

REVERSED = Hierarchy.from_edges([(a, b, H.weight(a, b)) for a, b in reversed(H.edges)])
"""An equal hierarchy, whose classes have other numbers."""


def part(instances, **arguments):
    sides = ([labels[i] for i in instances] for labels in (TRUE, PREDICTED))
    return partial(**{"hierarchy": H, "measures": MEASURES, **arguments}, y_true=next(sides), y_pred=next(sides))


def whole(instances=range(40), **arguments):
    sides = ([labels[i] for i in instances] for labels in (TRUE, PREDICTED))
    return evaluate(H, *sides, **{"measures": MEASURES, **arguments})


@st.composite
def histories(draw):
    """Which instances go into which batch of which meter, and how meters are merged."""
    n = draw(st.integers(1, 40))
    instances = draw(st.permutations(range(n)))
    cuts = sorted(draw(st.sets(st.integers(1, max(n - 1, 1)), max_size=6)))
    batches = [instances[a:b] for a, b in zip([0, *cuts], [*cuts, n], strict=True)]
    meters = [draw(st.integers(0, 2)) for _ in batches]
    return instances, batches, meters, draw(st.permutations(range(3)))


@given(histories(), st.sampled_from([2, 8, 100]), st.sampled_from([3, 1000]))
def test_any_cutting_joined_in_any_order_gives_the_bits_of_one_evaluation(history, few, chunk):
    instances, batches, owners, order = history
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "FEW_INSTANCES", few)
        patch.setattr(partials, "CHUNK", chunk)
        sent = [to_bytes(part(batch, hierarchy=h)) for batch, h in zip(batches, (H, REVERSED) * 4, strict=False)]
        places = [[data for data, owner in zip(sent, owners, strict=True) if owner == k] for k in order]
        merged = [to_bytes(merge(from_bytes(H, data) for data in mine)) for mine in places if mine]
        joined = reduce(add, [from_bytes(h, data) for data, h in zip(merged, (H, REVERSED, H), strict=False)])
        assert bits(joined.report()) == bits(whole(instances))


def test_own_measures_options_and_averages_go_with_the_bytes():
    arguments = {"define": {"cost:lower": "GIE / 3"}, "measures": ["hF", "mine=hF/2"], "average": "macro", "dmax": 3}
    read = from_bytes(H, to_bytes(part(range(40), **arguments)))
    assert isinstance(read, PartialReport)
    assert bits(read.report()) == bits(whole(**arguments))
    assert repr(read.report().values) == repr(whole(**arguments).values)
    assert repr(read) == "PartialReport(hF, mine=hF/2, cost; 40 instances)"


OF_INSTANCES = {"instances", "kept", "per_instance", "instance_values"}
INNER = {"class_counter", "known_class_counts"}  # of which class_counts are made


def content(report, name):
    """Return a report's attribute in a form that compares: floats by all their digits."""
    value = getattr(report, name)
    if name == "partial":
        return value
    if name in ("averaged", "measure"):
        return {each: repr(value(each)) for each in (AVERAGES if name == "averaged" else report.measures)}
    if name == "class_counts":
        return {key: counts.tolist() for key, counts in value.items()}
    return value.to_csv() if hasattr(value, "to_csv") else repr(value)


@pytest.mark.parametrize("few", [10, 1000])
def test_a_merged_report_has_everything_that_one_evaluation_has_but_instances(few, monkeypatch):
    monkeypatch.setattr(tasks, "FEW_INSTANCES", few)
    true = [[*labels, *["lost"] * (k % 7 == 0)] for k, labels in enumerate(TRUE)]
    predicted = [[*labels, *["gone"] * (k % 5 == 2)] for k, labels in enumerate(PREDICTED)]
    arguments = {"measures": MEASURES, "define": {"cost:lower": "GIE / 3"}, "unknown": "drop", "average": "macro"}
    whole = evaluate(H, true, predicted, **arguments)
    cuts = ((0, 15), (15, 22), (22, 40))
    merged = merge(
        from_bytes(H, to_bytes(partial(H, true[a:b], predicted[a:b], **arguments))) for a, b in cuts
    ).report()
    names = {name for name in dir(whole) if not name.startswith("_")}
    assert names >= OF_INSTANCES | INNER | {"values", "averages", "levels", "per_class", "undefined", "unknown_true"}
    for name in names - OF_INSTANCES - INNER:
        assert content(merged, name) == content(whole, name), name
    assert len(merged.unknown_true) == len(merged.unknown_predicted) == 1
    assert (len(merged), repr(merged)) == (len(whole), repr(whole))
    assert merged._repr_mimebundle_() == whole._repr_mimebundle_()
    for name in ("kept", "per_instance"):
        with pytest.raises(InputError, match="only sums were kept"):
            getattr(merged, name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hierarchy": Hierarchy.from_edges([("n1", "n2")])}, "different hierarchies"),
        ({"hierarchy": H.with_weights("constant")}, "the edges or weights are not"),
        ({"measures": ["hF", "GIE"]}, "different measures cannot be joined: only one of them has 'GIE'"),
        ({"dmax": 3}, "different options cannot be joined: dmax is 5.0 in one, 3.0 in the other"),
        ({"average": "macro"}, "different averages cannot be joined: samples and macro"),
        ({"define": {"mine": "hF/2"}}, "that define 'mine' differently"),
    ],
)
def test_what_does_not_fit_is_not_merged(arguments, message):
    known = {"hierarchy": H, "measures": ["hF"], "define": {"mine": "hF/3"}, "y_true": ["n1"], "y_pred": ["n2"]}
    with pytest.raises(InputError, match=message):
        merge([partial(**known), partial(**{**known, **arguments})])


def test_what_is_no_partial_result_is_refused():
    with pytest.raises(InputError, match="no partial results to merge"):
        merge([])
    with pytest.raises(InputError, match="such as `partial` makes, not Report"):
        merge([whole()])
    with pytest.raises(InputError, match="such as `partial` makes, not int"):
        to_bytes(1)
    with pytest.raises(InputError, match="counted over all instances together"):
        part(range(5), class_weights="information")
    with pytest.raises(InputError, match="y_true has 1 instances, y_pred 2"):
        partial(H, ["n1"], ["n1", "n2"])


# --- bytes from anywhere ------------------------------------------------------------------------

DATA = to_bytes(partial(H, TRUE[:6], PREDICTED[:6], measures=["hF", "GIE"]))


@pytest.mark.parametrize("data", [b"", b"hiermeasures", b"PAR1" * 100, pickle.dumps({"a": 1}), "text", None])
def test_other_bytes_are_refused(data):
    with pytest.raises(InputError, match=r"no partial result|end too early|read from bytes"):
        from_bytes(H, data)


def test_another_version_is_named():
    for version in (1, 7):
        with pytest.raises(InputError, match=f"has version {version} of its format; this release reads 4"):
            from_bytes(H, sealed(DATA[30:], version))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"sums__n": -1}, "damaged: sums.n cannot be read"),
        ({"more": 1}, "damaged: more cannot be read"),
        ({"average": "mean"}, "damaged: average cannot be read"),
        ({"waiting_true": [[1]]}, "labels are missing"),
        ({"sums__n": 1}, "labels are missing"),
        ({"sums__defined": {"hF": 10, "GIE": 0}}, "more values than instances"),
        ({"sums__values": {"hF": [1e308, 1e308], "GIE": []}}, "sums.values.hF.0 cannot be read"),
        ({"sums__values": {"hF": [0.0] * 100, "GIE": []}}, "values.hF cannot be read"),
        ({"sums__sums": {}}, "counts other things"),
        ({"counts": "9"}, "counts cannot be read"),
        ({"measures": ["hF"] * 2000}, "measures cannot be read"),
        ({"define": {"x": "__import__('os')"}}, "__import__"),
        ({"options": {"dmx": 1}}, "unknown option 'dmx'"),
        ({"options": {"dmax": [[1]]}}, "an option's value is a number, a word or nothing"),
        ({"options": json.loads("[" * 150 + "]" * 150)}, "options cannot be read"),
    ],
)
def test_words_that_do_not_fit_are_refused(words, message):
    with pytest.raises(InputError, match=message):
        from_bytes(H, rewritten(DATA, **words))
