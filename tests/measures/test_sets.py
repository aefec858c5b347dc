"""Set-based measures: the papers' numbers, and the definitions written out again as plain loops.
Credit in one direction: answers below or above the right class, by hand and by the definition. The
counts of CoPHE by plain loops; Table 1 of Falis et al. 2021 is a case file.
"""

import math
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score

from hiermeasures import Hierarchy, evaluate, explain
from tests.conftest import hierarchy_of, instances
from tests.evaluation.test_equal_to_explain import random_instances

CHAIN = hierarchy_of("A>B B>C")


def closure(labels, related):
    return set(labels) | {a for c in labels for a in related(c)}


class TestRoot:
    def test_a_real_root_counts_and_a_virtual_one_does_not(self):
        real = hierarchy_of("R>A R>B")
        virtual = hierarchy_of("A>a B>b")
        assert explain(real, {"A"}, {"B"})["hF"] == 0.5
        assert explain(virtual, {"A"}, {"B"})["hF"] == 0
        assert explain(virtual, {"A"}, {"B"}, count_root=True)["hF"] == 0.5


class TestDefinitions:
    @given(instances())
    def test_h_loss_counts_the_first_errors_on_each_way_down(self, instance):
        h, true, predicted = instance
        t, p = closure(true, h.ancestors), closure(predicted, h.ancestors)
        first = [
            c for c in t ^ p if not h.parents(c) or any(a in t and a in p for a in h.parents(c))
        ]
        assert explain(h, true, predicted)["H_loss"] == len(first)

    @given(instances(), st.data())
    def test_with_class_weights_each_first_error_costs_what_its_class_weighs(self, instance, data):
        h, true, predicted = instance
        weights = data.draw(
            st.lists(st.sampled_from([0.0, 0.5, 2.0]), min_size=len(h), max_size=len(h))
        )
        h = h.with_class_weights(dict(zip(h.nodes, weights, strict=True)))
        t, p = closure(true, h.ancestors), closure(predicted, h.ancestors)
        cost = sum(
            h.class_weight(c)
            for c in t ^ p
            if not h.parents(c) or any(a in t and a in p for a in h.parents(c))
        )
        assert explain(h, true, predicted, class_weights="given")["H_loss"] == pytest.approx(cost)
        for engine in ("kernels", "explain"):
            report = evaluate(
                h, [true], [predicted], measures=["H_loss"], class_weights="given", engine=engine
            )
            assert report["H_loss"] == pytest.approx(cost)

    def test_h_loss_with_costs_by_hand(self):
        # Costs that are shared among the children: 1/2 for A and B, 1/4 for A1 and A2. A2 for A1
        # costs both, 1/4 + 1/4; B for A1 costs A and B, for A1 is below an error.
        h = hierarchy_of("R>A R>B A>A1 A>A2")
        h = h.with_class_weights({"R": 1, "A": 0.5, "B": 0.5, "A1": 0.25, "A2": 0.25})
        x = explain(h, {"A1"}, {"A2"}, class_weights="given")
        assert x["H_loss"] == 0.5
        assert "w(c)" in x.derivation("H_loss").latex
        assert explain(h, {"A1"}, {"B"}, class_weights="given")["H_loss"] == 1


TREE = hierarchy_of("R>A A>B B>C A>D R>E")
HOW = ("wrong", "right", "ignored")
COMBINATIONS = [{"too_specific": s, "too_general": g} for s, g in product(HOW, HOW)]
AUGMENTED = ("hP", "hR", "hF", "SDL", "path_accuracy")
FLAT = ("precision", "recall", "f1", "accuracy", "hamming")


def explained(h, true, predicted, **options):
    """`explain` of classes, or of the letters of a word."""
    return explain(h, set(true), set(predicted), **options)


def values(h, true, predicted, keys, **options):
    x = explained(h, true, predicted, **options)
    return [pytest.approx(x[key], nan_ok=True) for key in keys]


class TestByHand:
    """Ancestor sets of TREE: A is {R, A}, B {R, A, B}, C {R, A, B, C}, E {R, E}."""

    def test_one_of_two_labels_is_answered_above_and_one_below(self):
        # In the tree R>A>B>C, R>E>F: true {B, F}, {R, A, B, E, F}; predicted {C, E}, {R, A, B, C,
        # E}.
        h = hierarchy_of("R>A A>B B>C R>E E>F")
        found = {
            tuple(o.values()): values(h, "BF", "CE", ("hP", "hR", "f1"), **o) for o in COMBINATIONS
        }
        assert found["wrong", "wrong"] == [4 / 5, 4 / 5, 0]
        assert found["right", "wrong"] == [5 / 5, 5 / 6, 1 / 2]  # {B, F} and {B, E}
        assert found["wrong", "right"] == [5 / 6, 5 / 5, 1 / 2]  # {B, E} and {C, E}
        assert found["right", "right"] == [1, 1, 1]
        assert found["ignored", "wrong"] == [4 / 4, 4 / 5, 0]  # {F} and {E}
        assert found["ignored", "right"] == [5 / 5, 5 / 5, 1]  # {E} and {E}
        assert found["ignored", "ignored"][:2] == [1, 1]
        assert math.isnan(explained(h, "BF", "CE", **COMBINATIONS[-1])["f1"])

    def test_the_root_says_nothing_on_either_side(self):
        for how in ("right", "ignored"):
            keys = AUGMENTED + FLAT
            assert values(TREE, "C", "R", keys, too_general=how) == values(TREE, "C", "R", keys)
            assert values(TREE, "R", "C", keys, too_specific=how) == values(TREE, "R", "C", keys)
        # A top below a root that was added is a class as any other.
        forest = hierarchy_of("A>B C>D")
        assert values(forest, "B", "A", ("hR", "f1"), too_general="right") == [1, 1]
        assert values(
            forest, "B", {forest.root}, ("hR", "f1"), too_general="right", count_root=True
        ) == [1 / 3, 0]

    def test_what_is_left_out_is_no_instance_of_an_average_and_counted(self):
        # {A} answered C is left out; {E} answered E is right; {E} answered D is wrong.
        report = evaluate(
            TREE, ["A", "E", "E"], ["C", "E", "D"], measures=FLAT, too_specific="ignored"
        )
        assert [report[key] for key in ("precision", "f1", "accuracy")] == [1 / 2] * 3
        assert report.undefined["f1"] == 1
        micro = report.averaged("micro")
        assert (micro["precision"], micro["recall"]) == (1 / 2, 1 / 2)
        assert micro["hamming"] == 2 / 12

    def test_where_all_instances_are_left_out_there_is_no_micro_average(self):
        report = evaluate(TREE, [{"A"}, {"C"}], [{"C"}, {"A"}], measures=FLAT, **COMBINATIONS[-1])
        assert all(math.isnan(report.averaged("micro")[key]) for key in FLAT)
        one = Hierarchy.from_edges([], ["A"])  # of which no class counts; but nothing is left out
        assert values(one, "A", "A", FLAT, count_root=False) == [1, 1, 1, 1, 0]


# --- the definition, in plain loops -------------------------------------------------------------


def brute(h, true, predicted, options):
    """The two augmented and the two flat sets."""
    up = {c: {c} | {a for a in h.nodes if c in h.descendants(a)} for c in h.nodes}

    def direction(own, other):
        """The labels below a most specific class of the other side, with these."""
        specific = [
            t for t in other if t != h.root and not any(t in up[u] and t != u for u in other)
        ]
        return {c: {t for t in specific if t in up[c] and t != c} for c in own}

    labels = {"T": set(true), "P": set(predicted)}
    sets = {side: set().union(*(up[c] for c in labels[side])) for side in "TP"}
    grown, flat = {s: set(sets[s]) for s in "TP"}, {s: set(labels[s]) for s in "TP"}
    for own, other, option in (("P", "T", "too_specific"), ("T", "P", "too_general")):
        how = options[option]
        for c, above in direction(labels[own], labels[other]).items():
            if not above or how == "wrong":
                continue
            flat[own].discard(c)
            for a in up[c] - sets[other]:
                grown[other].add(a) if how == "right" else grown[own].discard(a)
            for t in above:
                if how == "right":
                    flat[own].add(t)
                elif t not in labels[own]:
                    flat[other].discard(t)
    return grown, flat


def assert_ratios(x, keys, true, predicted):
    both = sum(c in predicted for c in true)
    precision = both / len(predicted) if predicted else float(not true)
    recall = both / len(true) if true else float(not predicted)
    f1 = 2 * both / (len(true) + len(predicted)) if true or predicted else 1.0
    assert [x[key] for key in keys] == pytest.approx([precision, recall, f1])


@pytest.mark.parametrize("dag", [False, True], ids=["trees", "dags"])
@given(data=st.data(), options=st.sampled_from(COMBINATIONS))
def test_sets_are_those_of_the_definition(dag, data, options):
    h, true, predicted = data.draw(instances(dag=dag))
    x = explain(h, true, predicted, count_root=True, **options)
    grown, flat = brute(h, true, predicted, options)
    assert (x.augmented.true, x.augmented.predicted) == (grown["T"], grown["P"])
    assert (x.flat.true, x.flat.predicted) == (flat["T"], flat["P"])
    assert_ratios(x, ("hP", "hR", "hF"), *grown.values())
    assert_ratios(
        x,
        ("hP_desc", "hR_desc", "hF_desc"),
        *(closure(side, h.descendants) for side in (true, predicted)),
    )
    if any(flat.values()) or not (true or predicted):  # else all is left out
        assert_ratios(x, ("precision", "recall", "f1"), *flat.values())
    drawn = [part.classes for part in x.augmented.parts]
    assert len(frozenset().union(*drawn)) == sum(map(len, drawn))  # each class in one part


@given(instances(), st.sampled_from(["too_specific", "too_general"]))
def test_no_score_falls_from_wrong_to_ignored_to_right(instance, option):
    """Proved in hiermeasures.measures.sets; here on random DAGs with up to four labels."""
    h, true, predicted = instance
    wrong, right, ignored = (explain(h, true, predicted, **{option: how}) for how in HOW)
    for key in ("hP", "hR", "hF", "precision", "recall", "f1"):
        assert wrong[key] <= right[key] + 1e-12
        assert math.isnan(ignored[key]) or wrong[key] - 1e-12 <= ignored[key] <= right[key] + 1e-12


def test_sctab_replaces_a_subtype_by_the_true_class_and_takes_the_mean_f1_of_classes():
    random = Random(3)
    for _ in range(10):
        h, *_ = random_instances(random)
        true, predicted = (
            [random.choice([c for c in h.nodes if c != h.root]) for _ in range(30)] for _ in "tp"
        )
        replaced = [t if t in h.ancestors(p) else p for t, p in zip(true, predicted, strict=True)]
        report = evaluate(
            h, true, predicted, measures=["f1", "accuracy"], average="macro", too_specific="right"
        )
        assert report["f1"] == pytest.approx(
            f1_score(true, replaced, average="macro", zero_division=0)
        )
        assert report.averaged("samples")["accuracy"] == pytest.approx(
            accuracy_score(true, replaced)
        )


@given(instances())
def test_each_label_class_counts_once_for_every_class_above_it_also_in_a_dag(instance):
    h, true, predicted = instance
    table = explain(h, true, predicted).counts
    tp = fp = fn = 0
    for c in h.nodes:
        below = {c} | h.descendants(c)
        t, p = len(below & true), len(below & predicted)
        tp, fp, fn = tp + min(t, p), fp + max(p - t, 0), fn + max(t - p, 0)
    assert (table.tp, table.fp, table.fn) == (tp, fp, fn)
