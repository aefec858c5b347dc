"""Edits of one class: the numbers of `explain` after it, which edits there are, and on which of
them measures disagree. The sentence of why a value changed names what changed in the structure.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, explain
from hiermeasures.debug.what_if import ClassEdit, edits_of, what_if, why
from hiermeasures.evaluation.warm import all_at_once, make_kernels_ready
from hiermeasures.measures import CATALOGUE, explain_instance
from hiermeasures.measures.own import own_measure
from tests.conftest import FIGURE_11A, instances

SHOWN = ("hF", "F_LCA", "MGIA", "GIE", "SP")


@pytest.fixture(scope="module")
def kernels():
    make_kernels_ready(wait=True)


def figure_11a(edits=None):
    x = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
    edits = edits_of(x.instance, FIGURE_11A.nodes) if edits is None else edits
    return what_if(x, [CATALOGUE[key] for key in SHOWN], edits)


class TestFigure11a:
    """T = {T1}, P = {P1, P2}, all three below B; D_max is 5. Augmented: {A, B, T1} and {A, B, P1,
    P2}, so hF is 4/7.
    """

    @pytest.mark.parametrize(
        ("edit", "changes"),
        [
            # hF 6/8; both graphs gain T1: {B, T1} and {B, P1, P2, T1}, 2·2/6. T1 pairs with itself,
            # and P1 and P2 with T1 as before (MGIA) or each with a default class (GIE): 0 + 5 + 5.
            # SP sums 0 more.
            (ClassEdit("predicted", "T1"), (3 / 4 - 4 / 7, 2 / 3 - 2 / 5, 0, 3, 0)),
            # hF 4/8; C meets T1 in A, so A and B are shared: 2·2/8. MGIA pairs C with T1 at 3: 1 −
            # 7/(4·5), after 1 − 4/(3·5). GIE leaves C to a default class, SP sums its distance 3.
            (ClassEdit("predicted", "C"), (1 / 2 - 4 / 7, 1 / 2 - 2 / 5, 13 / 20 - 11 / 15, 5, 3)),
            # hF 4/6, F_LCA 2·1/4, MGIA 1 − 2/(2·5), GIE 2, SP 2.
            (
                ClassEdit("predicted", removed="P1"),
                (2 / 3 - 4 / 7, 1 / 2 - 2 / 5, 4 / 5 - 11 / 15, -5, -2),
            ),
            # P2 moved below C, to C itself: C meets T1 in A. hF stays 4/7: {A, B, C, P1}. F_LCA:
            # {A, B, C, P1} and {A, B, T1}, 2·2/7. MGIA 1 − (2 + 3)/15. GIE 2 + 5. SP 2 + 3.
            (ClassEdit("predicted", "C", "P2"), (0, 4 / 7 - 2 / 5, 2 / 3 - 11 / 15, 0, 1)),
        ],
    )
    def test_its_edits_by_hand(self, edit, changes):
        found = figure_11a([edit])
        assert [found.change(0, key).amount for key in SHOWN] == pytest.approx(changes)

    def test_the_right_class_comes_best_for_hf_and_is_a_conflict_with_gie(self):
        x = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
        found = figure_11a(
            edits_of(x.instance, FIGURE_11A.nodes, sides=["predicted"], kinds=["add", "remove"])
        )
        names = [found.edits[k].name for k in found.ranked("best", "hF")]
        assert names == ["+ T1", "− P1", "− P2", "+ A", "+ B", "+ C"]
        assert [found.edits[k].name for k in found.ranked("conflict", "hF")][:3] == [
            "+ T1",
            "+ B",
            "+ C",
        ]

    def test_a_right_class_and_a_wrong_one(self):
        x = explain(FIGURE_11A, {"T1"}, {"P1", "P2"}).instance
        edits = (
            ClassEdit("predicted", "T1"),
            ClassEdit("predicted", "C"),
            ClassEdit("predicted", removed="P1"),
            ClassEdit("predicted", "T1", "P1"),
            ClassEdit("predicted", "C", "P1"),
            ClassEdit("true", "C"),
        )
        assert [edit.right(x) for edit in edits] == [True, False, True, True, None, None]


def test_an_edit_that_leaves_no_class_is_none():
    h = Hierarchy.from_edges([("R", "a"), ("R", "b")])
    names = [e.name for e in edits_of(explain(h, {"a"}, ()).instance, h.nodes, sides=["true"])]
    assert names == ["+ R", "+ b", "a → R", "a → b"]


def test_what_is_too_much_is_counted():
    found = what_if(
        explain(FIGURE_11A, {"T1"}, {"P1"}),
        [CATALOGUE["hF"]],
        [ClassEdit("true", c) for c in "ABC"],
        most=2,
    )
    assert (len(found.edits), found.left_out) == (2, 1)


def assert_as_after_the_click(found):
    for k, edit in enumerate(found.edits):
        after = explain_instance(edit.made(found.instance))
        for key in CATALOGUE:
            assert found.after[key][k] == pytest.approx(after[key], abs=1e-9, nan_ok=True), (
                key,
                edit,
            )


@given(data=st.data(), dag=st.booleans())
def test_every_number_is_that_of_explain_after_the_click(data, dag, kernels):
    h, true, predicted = data.draw(instances(dag=dag))
    x = explain(h, true, predicted)
    edits = tuple(edits_of(x.instance, h.nodes))
    for engine in (None, all_at_once):
        assert_as_after_the_click(what_if(x, tuple(CATALOGUE.values()), edits, engine=engine))


def test_paths_that_came_with_the_instance_stay_on_the_side_that_is_not_edited():
    """R→a, b→c: the true path R a c was given. Predicting b leaves it, a true class takes it."""
    h = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c"), ("b", "c")])
    x = explain(h, {"c"}, {"a"}, true_paths=[("R", "b", "c")])
    found = what_if(
        x, tuple(CATALOGUE.values()), [ClassEdit("predicted", "b"), ClassEdit("true", "a")]
    )
    assert_as_after_the_click(found)
    kept = found.edits[0].made(x.instance)
    assert kept.true_paths == (("R", "b", "c"),)
    assert found.edits[1].made(x.instance).true_paths is None
    assert not math.isnan(found.after["HCM_F1"][0])


def test_explain_stops_when_its_time_is_over():
    x = explain(FIGURE_11A, {"T1"}, {"P1"})
    found = what_if(x, [CATALOGUE["hF"]], [ClassEdit("true", c) for c in "ABC"], seconds=0)
    assert (len(found.edits), len(found.after["hF"]), found.left_out) == (1, 1, 2)


def sentence(key, predicted, before=("P1", "P2"), h=FIGURE_11A):
    return why(CATALOGUE[key], explain(h, {"T1"}, before), explain(h, {"T1"}, predicted)).sentence


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_measure_has_a_sentence(key):
    assert sentence(key, ["P1", "C", "T1"]).endswith(".")
    assert sentence(key, []).endswith(".")


def test_a_measure_of_one_s_own_says_what_changed_in_each_structure_it_is_made_of():
    mine = own_measure("mine=0.5*SP + 0.5*F_LCA")
    found = why(mine, *(explain(FIGURE_11A, {"T1"}, p) for p in (["P1", "P2"], ["P1", "P2", "C"])))
    assert found.values == pytest.approx((0.5 * 4 + 0.5 * 0.4, 0.5 * 7 + 0.5 * 0.5))
    assert "summed now: C to T1 (3)" in found.sentence
    assert "C meets T1 in A, so A joins both graphs" in found.sentence
