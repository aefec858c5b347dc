"""A report says what its numbers leave out: dropped labels, rows with other ways, instances without
a value, and labels for which a measure is not made.
"""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, compare, evaluate, explain, from_bytes, merge, partial, to_bytes
from hiermeasures.engine import encode
from hiermeasures.measures import CATALOGUE
from tests.conftest import edge_lists, hierarchy_of

H = hierarchy_of("R>a a>b R>c c>d")
ASKED = ("C_F1", "C_P", "C_R", "inconsistency")
RATES_AND_WAYS = ("over_prediction", "under_prediction", "SP_up", "SP_down", "LCA_height", "hop_accuracy")


def test_print_says_how_many_labels_were_dropped_in_how_many_instances_of_which_side():
    report = evaluate(H, [{"b"}, {"d"}, {"z"}], [{"b", "x"}, {"d"}, {"q", "x"}], unknown="drop", measures="hF")
    assert report["hF"] == 1.0  # the invented ones cost nothing
    printed = str(report)
    assert (
        "True: 1 unknown label, 1 time in all, left out: 'z'; 1 instance is scored as if this label was not" in printed
    )
    assert "Predicted: 2 unknown labels, 3 times in all, left out: 'x'; 'q'; 2 instances are scored as if" in printed


def test_several_unknown_labels_of_an_instance_are_one_instance_in_every_form():
    for labels in ([["x", "y", "b"], ["x"], ["b"]], np.array([["x", "y"], ["x", ""], ["a", "b"]])):
        encoded = encode(H, labels, unknown="drop")
        assert (encoded.lost.incomplete, sum(u.count for u in encoded.unknown)) == (2, 3)


def test_what_was_left_out_is_said_of_joined_parts_as_of_the_whole():
    shop = hierarchy_of("Electronics>Accessories Home>Accessories")
    rows = [["Electronics", "Accessories"], ["Home", "Accessories"], ["Home", "Gone"]]
    arguments = {"measures": ["hF", "TIE"], "unknown": "drop"}
    whole = evaluate(shop, np.array(rows), np.array(rows[::-1]), **arguments)
    parts = [partial(shop, np.array([t]), np.array([p]), **arguments) for t, p in zip(rows, rows[::-1], strict=True)]
    parts = [from_bytes(shop, to_bytes(pickle.loads(pickle.dumps(part)))) for part in parts]
    assert merge(parts).report().notes == (parts[0] + parts[1] + parts[2]).report().notes == whole.notes
    assert (
        evaluate(shop, np.array(rows[:1]), np.array(rows[2:]), **arguments)
        .__add__(evaluate(shop, np.array(rows[1:]), np.array(rows[1::-1]), **arguments))
        .notes
        == whole.notes
    )
    assert len(whole.notes) == 4


def test_rows_of_levels_that_are_not_the_only_way_to_their_class_are_noted():
    h = hierarchy_of("Electronics>Accessories Home>Accessories Home>Sofas Accessories>Cases")
    true = np.array([["Electronics", "Accessories", ""], ["Home", "Sofas", ""], ["Home", "Accessories", "Cases"]])
    predicted = np.array([["Home", "Accessories", ""], ["Home", "Sofas", ""], ["Accessories", "", ""]])
    report = evaluate(h, true, predicted, measures="accuracy")
    assert report["accuracy"] == 2 / 3
    assert report.notes[0].startswith("true: 2 rows of levels end in a class to which another way leads")
    assert report.notes[1].startswith("predicted: 1 row of levels ends in a class to which another way leads")
    assert not evaluate(h, [{"Accessories"}], [{"Accessories"}], measures="accuracy").notes


@given(st.data())
def test_a_row_is_noted_where_its_class_has_several_paths(data):
    h = Hierarchy.from_edges(data.draw(edge_lists(7)))
    ways = data.draw(st.lists(st.sampled_from([p for c in h.nodes for p in h.paths_from_root(c)]), min_size=1))
    rows = np.array([[*way, *[""] * (h.depth + 1 - len(way))] for way in ways])
    several = sum(len(list(h.paths_from_root(way[-1]))) > 1 for way in ways)
    assert encode(h, rows).lost.other_ways == several


def test_a_mean_over_fewer_instances_carries_their_number():
    # Two predicted classes and one true cannot be paired one to one, nor can none and one.
    report = evaluate(H, [{"b"}, {"d"}, {"b"}], [{"d"}, {"d"}, {"b", "d"}], measures=["hF", "TIE"])
    assert report["TIE"] == 2.0
    (line,) = (line for line in str(report).splitlines() if "TIE " in line and "better" in line)
    assert line.split()[:3] == ["TIE", "2.0000", "2"]
    assert "n=2" in report._repr_mimebundle_()["text/html"]
    whole = evaluate(H, [{"b"}], [{"d"}], measures=["hF", "TIE"])
    assert not any("n=" in cell for cell in whole.cells(str).values())
    both = compare(H, [{"b"}, {"d"}], {"one": [{"d"}, {"b", "d"}], "two": [{"b"}, {"d"}]}, measures=["hF", "TIE"])
    assert [cells[1].split(" (")[0] for _, cells in both.score_rows()] == ["4.0000 n=1", "0.0000"]
    assert "one: left out of a mean, for having no value: TIE 1" in both.as_text()


def test_measures_for_whole_paths_rates_and_ways_are_evaluated_only_where_they_are_asked_for():
    asked = (*ASKED, *RATES_AND_WAYS)
    assert set(CATALOGUE) - set(evaluate(H, [{"b"}], [{"b"}], measures="all").measures) == set(asked)
    assert evaluate(H, [{"b"}], [{"b"}], measures=asked).measures == asked


@pytest.mark.parametrize("explain_up_to", [0, 100])
def test_gold_against_gold_of_leaf_labels_is_no_number(explain_up_to):
    gold = [{"b"}, {"d"}, {"c"}]
    report = evaluate(H, gold, gold, measures=[*ASKED, "hF"], explain_up_to=explain_up_to)
    assert report["inconsistency"] == 2 / 3  # the values themselves stay what they are
    printed = str(report)
    assert "No value of C_F1, C_P, C_R, inconsistency: labels are not whole paths." in printed
    assert {report.cells(str)[key] for key in ASKED} == {"–"}
    whole = [{"a", "b"}, {"c", "d"}, {"c"}]
    for true, predicted in ((whole, gold), (gold, whole), (whole, whole)):
        assert not evaluate(H, true, predicted, measures=ASKED, explain_up_to=explain_up_to).cautions


def test_one_instance_says_so_too():
    x = explain(H, {"b"}, {"b"})
    assert (x.caution("C_F1"), x.caution("hF")) == ("labels are not whole paths", "")
    assert x.derivation("inconsistency").sentence.endswith("Labels are not whole paths, the true ones neither.")
    assert not explain(H, {"b"}, {"a", "b"}).caution("C_F1")
    assert math.isclose(x["C_F1"], 2 / 5)
