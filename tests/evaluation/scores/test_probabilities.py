"""Distributions from every kind of input, and what is said about bad ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError
from hiermeasures.evaluation.scores import NodeProbabilities, ProbabilityTable, coherence
from hiermeasures.evaluation.scores.probabilities import greatest_below, least_above
from tests.conftest import edge_lists, hierarchy_of
from tests.evaluation.scores.strategies import FIGURE, FIGURE_2, NUMBERS, any_tables

DIAMOND = hierarchy_of("r>a r>b a>c b>c")


@st.composite
def logits(draw, dag=False):
    h = Hierarchy.from_edges(draw(edge_lists(dag=dag)))
    rng = np.random.default_rng(draw(NUMBERS))
    return h, rng.normal(scale=draw(st.sampled_from([1, 50])), size=(3, len(h)))


class TestConstruction:
    @given(logits())
    def test_conditional_softmax_is_equation_4_multiplied_along_the_path(self, drawn):
        h, values = drawn
        p = NodeProbabilities.of(
            h, dict(zip(h.nodes, values[0], strict=True)), kind="conditional_softmax"
        )
        for leaf in h.leaves:
            expected = 1.0
            for c in h.up(leaf):
                if c != h.root:
                    siblings = [values[0][h.index(d)] for d in h.children(h.parents(c)[0])]
                    expected /= sum(math.exp(min(b - values[0][h.index(c)], 700)) for b in siblings)
            assert p[leaf] == pytest.approx(expected, abs=1e-12)

    @given(logits(dag=True))
    def test_conditional_sigmoid_is_coherent_in_trees_and_dags(self, drawn):
        h, values = drawn
        table = ProbabilityTable.of(h, values, kind="conditional_sigmoid")
        assert all(coherence(table.row(i)).coherent for i in range(3))

    def test_a_class_of_a_dag_needs_all_its_ancestors(self):
        # 0.5 · 0.5 · 0.5, each ancestor once.
        p = NodeProbabilities.of(DIAMOND, {"a": 0.5, "b": 0.5, "c": 0.5}, kind="conditional")
        assert p["c"] == 0.125

    def test_leaves_sum_up_and_count_once_in_a_dag(self):
        p = NodeProbabilities.of(
            hierarchy_of("r>a r>b a>c b>c b>d a>e e>c"), {"c": 0.5, "d": 0.25}, kind="leaves"
        )
        assert dict(p) == {"r": 1, "a": 0.5, "b": 0.75, "c": 0.5, "d": 0.25, "e": 0.5}
        assert "sum to less than 1 (by 0.25 at most)" in p.notes[0]

    def test_a_column_may_be_missing_and_is_then_zero_and_named(self):
        p = NodeProbabilities.of(FIGURE, {"1": 0.5, "3": 0.25})
        assert p["2"] == 0
        assert p.notes == (
            "3 of the hierarchy's classes ('2', '4', '5') have no probability: it counts as 0",
        )

    def test_the_root_is_certain_whatever_a_file_says(self):
        p = NodeProbabilities.of(FIGURE, {"r": 0.5, "1": 0.75, "2": 0.25, "3": 0, "4": 0, "5": 0})
        assert p["r"] == 1
        assert "root 'r'" in p.notes[0]


class TestBadInput:
    @pytest.mark.parametrize(
        ("values", "classes", "settings", "message"),
        [
            (
                [[0.5, 1.2]],
                ["1", "2"],
                {},
                r"row 1 \(id '1'\), class '2': the probability 1.2 is not in \[0, 1\]",
            ),
            (
                [[0.5, 0.1], [-0.1, 2]],
                ["1", "2"],
                {"ids": ["a", "b"]},
                r"row 2 \(id 'b'\), class '1'.*1 more like it",
            ),
            ([[0.5, math.nan]], ["1", "2"], {}, "class '2'"),
            ([[0.5, math.inf]], ["1", "2"], {"kind": "conditional_softmax"}, "class '2'"),
            ([[0.5, 0.5]], ["1", "9"], {}, "class '9'"),
            ([[0.5, 0.5]], ["8", "9"], {"unknown_classes": "drop"}, "not classes of the hierarchy"),
            ([[0.5, 0.5]], ["1", "1"], {}, "named '1'"),
            ([[0.5, 0.5]], ["1"], {}, "2 columns, but 1 class"),
            ([[0.5]], ["1"], {"ids": ["a", "b"]}, "1 rows, but 2 ids"),
            ([[0.5], [0.5]], ["1"], {"ids": ["a", "a"]}, "the id 'a'"),
            ([[0.5]], ["1"], {"kind": "logits"}, "probabilities 'logits'"),
            ([[0.5]], ["1"], {"kind": "leaves"}, "expected, but '1'"),
            (
                [[0.5, 0.6]],
                ["2", "3"],
                {"kind": "leaves"},
                r"row 1 \(id '1'\): the leaves sum to 1.1",
            ),
            ([["x"]], ["1"], {}, "probabilities must be numbers"),
            ([[0.5], [0.5, 0.5]], ["1"], {}, "Give every row"),
            ([0.5], ["1"], {}, "need two dimensions"),
            ([[]], [], {}, "probabilities is empty"),
        ],
    )
    def test_is_named(self, values, classes, settings, message):
        with pytest.raises(InputError, match=message):
            ProbabilityTable.of(FIGURE, values, classes, **settings)

    def test_columns_that_are_no_classes_can_be_left_out_and_are_named(self):
        table = ProbabilityTable.of(FIGURE, [[0.5, 7.0]], ["1", "weight"], unknown_classes="drop")
        assert table.row(0)["1"] == 0.5
        assert "'weight'" in table.notes[0]

    def test_a_softmax_over_overlapping_siblings_is_refused(self):
        with pytest.raises(InputError, match="'c' has 2 parents"):
            NodeProbabilities.of(DIAMOND, {"a": 0, "b": 0, "c": 0}, kind="conditional_softmax")


class TestEditing:
    def test_sharing_keeps_siblings_summing_to_the_parent_and_conditionals_below(self):
        p = FIGURE_2.with_value("1", 0.5, siblings="share")
        assert p["2"] == 0.5
        assert p["5"] / p["1"] == pytest.approx(0.35 / 0.75)
        assert not coherence(p).sentences

    def test_renormalising_makes_any_children_fit_their_parent(self):
        p = NodeProbabilities.of(
            FIGURE, {"1": 0.8, "2": 0.8, "3": 0.9, "4": 0.1, "5": 0.0}
        ).renormalised()
        assert not coherence(p).sentences
        assert (p["1"], p["2"]) == (0.5, 0.5)
        assert (p["3"], p["4"]) == (pytest.approx(0.45), pytest.approx(0.05))

    @pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, "much"])
    def test_a_value_must_be_a_probability(self, value):
        with pytest.raises(InputError, match="class '1'"):
            FIGURE_2.with_value("1", value)


class TestCoherence:
    def test_a_child_above_its_parent_is_shown(self):
        found = coherence(
            NodeProbabilities.of(FIGURE, {"1": 0.5, "2": 0.5, "3": 0.6, "4": 0, "5": 0})
        )
        assert not found.coherent
        (fault,) = found.child_above_parent
        assert (fault.classes, fault.parent) == (("3",), "1")
        assert found.sentences[0] == "'3' (0.6) is likelier than its parent '1' (0.5)"

    def test_siblings_that_sum_over_their_parent_exclude_a_single_path_but_are_coherent(self):
        found = coherence(
            NodeProbabilities.of(FIGURE, {"1": 0.5, "2": 0.5, "3": 0.4, "4": 0.4, "5": 0})
        )
        assert (found.coherent, found.single_path) == (True, False)
        assert found.sentences == ("the children of '1' sum to 0.8, more than its own 0.5",)

    @given(any_tables())
    def test_both_readings_of_incoherent_probabilities_equal_plain_loops(self, table):
        h = table.hierarchy
        up, down = greatest_below(h, table.values), least_above(h, table.values)
        for i in range(len(table)):
            p = table.row(i)
            assert up[i].tolist() == [max(p[d] for d in {c} | h.descendants(c)) for c in h.nodes]
            assert down[i].tolist() == [min(p[a] for a in h.up(c)) for c in h.nodes]
