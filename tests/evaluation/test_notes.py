"""A report says what its numbers leave out: dropped labels, rows with other ways, instances without
a value, and labels for which a measure is not made.
"""

import math
import pickle

import numpy as np
import pytest

from hiermeasures import compare, evaluate, explain, from_bytes, merge, partial, to_bytes
from tests.conftest import hierarchy_of

H = hierarchy_of("R>a a>b R>c c>d")
ASKED = ("C_F1", "C_P", "C_R", "inconsistency")


def test_print_says_how_many_labels_were_dropped_in_how_many_instances_of_which_side():
    report = evaluate(
        H, [{"b"}, {"d"}, {"z"}], [{"b", "x"}, {"d"}, {"q", "x"}], unknown="drop", measures="hF"
    )
    assert report["hF"] == 1.0  # the invented ones cost nothing
    printed = str(report)
    assert "1 unknown label left out, 1 time" in printed
    assert "2 unknown labels left out, 3 times" in printed


def test_what_was_left_out_is_said_of_joined_parts_as_of_the_whole():
    shop = hierarchy_of("Electronics>Accessories Home>Accessories")
    rows = [["Electronics", "Accessories"], ["Home", "Accessories"], ["Home", "Gone"]]
    arguments = {"measures": ["hF", "TIE"], "unknown": "drop"}
    whole = evaluate(shop, np.array(rows), np.array(rows[::-1]), **arguments)
    parts = [
        partial(shop, np.array([t]), np.array([p]), **arguments)
        for t, p in zip(rows, rows[::-1], strict=True)
    ]
    parts = [from_bytes(shop, to_bytes(pickle.loads(pickle.dumps(part)))) for part in parts]
    assert (
        merge(parts).report().notes
        == (parts[0] + parts[1] + parts[2]).report().notes
        == whole.notes
    )
    assert (
        evaluate(shop, np.array(rows[:1]), np.array(rows[2:]), **arguments)
        .__add__(evaluate(shop, np.array(rows[1:]), np.array(rows[1::-1]), **arguments))
        .notes
        == whole.notes
    )
    assert len(whole.notes) == 2


def test_a_mean_over_fewer_instances_carries_their_number():
    # Two predicted classes and one true cannot be paired one to one, nor can none and one.
    report = evaluate(H, [{"b"}, {"d"}, {"b"}], [{"d"}, {"d"}, {"b", "d"}], measures=["hF", "TIE"])
    assert report["TIE"] == 2.0
    (line,) = (line for line in str(report).splitlines() if "TIE " in line and "better" in line)
    assert line.split()[:3] == ["TIE", "2.0000", "2"]
    assert "n=2" in report._repr_mimebundle_()["text/html"]
    whole = evaluate(H, [{"b"}], [{"d"}], measures=["hF", "TIE"])
    assert not any("n=" in cell for cell in whole.cells(str).values())
    both = compare(
        H,
        [{"b"}, {"d"}],
        {"one": [{"d"}, {"b", "d"}], "two": [{"b"}, {"d"}]},
        measures=["hF", "TIE"],
    )
    assert [cells[1].split(" (")[0] for _, cells in both.score_rows()] == ["4.0000 n=1", "0.0000"]
    assert "one: the mean of TIE leaves out 1 instance" in both.as_text()


@pytest.mark.parametrize("engine", ["kernels", "explain"])
def test_gold_against_gold_of_leaf_labels_is_no_number(engine):
    gold = [{"b"}, {"d"}, {"c"}]
    report = evaluate(H, gold, gold, measures=[*ASKED, "hF"], engine=engine)
    assert report["inconsistency"] == 2 / 3  # the values themselves stay what they are
    printed = str(report)
    assert "No value of C_F1, C_P, C_R, inconsistency: labels are not whole paths." in printed
    assert {report.cells(str)[key] for key in ASKED} == {"–"}
    whole = [{"a", "b"}, {"c", "d"}, {"c"}]
    for true, predicted in ((whole, gold), (gold, whole), (whole, whole)):
        assert not evaluate(H, true, predicted, measures=ASKED, engine=engine).cautions


def test_one_instance_says_so_too():
    x = explain(H, {"b"}, {"b"})
    assert (x.caution("C_F1"), x.caution("hF")) == ("labels are not whole paths", "")
    assert x.derivation("inconsistency").sentence.endswith(
        "Neither the true nor the predicted labels are whole paths."
    )
    assert not explain(H, {"b"}, {"a", "b"}).caution("C_F1")
    assert math.isclose(x["C_F1"], 2 / 5)
