"""LCA measures on random hierarchies against trying everything, which is everything.py's. What the
paper prints of its figures, the case files check.
"""

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, explain
from hiermeasures.measures import lca_solvers
from hiermeasures.measures.lca import PATHS_LISTED
from hiermeasures.verify.library import own_cases
from tests.conftest import hierarchy_of
from tests.measures.everything import Everything

MOST_CHOICES = 3000

# --- instances ----------------------------------------------------------------------------------


@st.composite
def instances(draw, most=4, dag=True, weighted=None, nodes=10):
    """A hierarchy of few classes, at times a forest, with up to `most` classes on either side."""
    n = draw(st.integers(2, nodes))
    weight = (
        st.sampled_from([1, 1, 2, 0.5])
        if (draw(st.booleans()) if weighted is None else weighted)
        else st.just(1)
    )
    edges = []
    for child in range(1, n):
        if draw(st.integers(0, 9)):
            count = draw(st.sampled_from([1, 1, 2, 3])) if dag else 1
            parents = draw(
                st.sets(st.integers(0, child - 1), min_size=1, max_size=min(count, child))
            )
            edges += [(f"n{parent}", f"n{child}", draw(weight)) for parent in sorted(parents)]
    h = Hierarchy.from_edges(edges, [f"n{i}" for i in range(n)])
    labels = st.sets(st.sampled_from(h.nodes), min_size=1, max_size=most)
    return h, draw(labels), draw(labels)


@st.composite
def layered(draw, most=4):
    """A DAG in layers, where many ways of equal cost cross; classes of the lowest layers."""
    layers = [["n0"]]
    edges = []
    for depth in range(draw(st.integers(3, 5))):
        layer = [f"n{depth}{i}" for i in range(draw(st.integers(2, 4)))]
        for child in layer:
            above = layers[-1]
            edges += [
                (parent, child)
                for parent in sorted(
                    draw(st.sets(st.sampled_from(above), min_size=1, max_size=min(3, len(above))))
                )
            ]
        layers.append(layer)
    labels = st.sets(st.sampled_from(layers[-1] + layers[-2]), min_size=1, max_size=most)
    return Hierarchy.from_edges(edges), draw(labels), draw(labels)


def uncounted(h: Hierarchy) -> set[str]:
    return {h.root} if h.virtual_root else set()


# --- random hierarchies -------------------------------------------------------------------------


@given(instances())
def test_lca_sets_and_best_matches_are_those_of_the_definitions(instance):
    h, true, predicted = instance
    every, x = Everything(h, true, predicted), explain(h, true, predicted).lca
    assert (x.true, x.predicted) == every.sides
    for side, matches in enumerate((x.true_matches, x.predicted_matches)):
        others = every.sides[1 - side]
        assert {m.label for m in matches} == every.sides[side]
        for m in matches:
            assert m.best == every.best(m.label, others)
            assert m.lcas == every.lcas(m.label, others)
            for partner, lcas in m.meetings.items():
                assert (m.distance, lcas) == every.pair(m.label, partner)
    assert x.lca_true == set().union(*every.own(0).values())
    assert x.lca_predicted == set().union(*every.own(1).values())


@given(instances())
def test_extended_graphs_have_the_nodes_and_paths_of_definition_5(instance):
    h, true, predicted = instance
    every, x = Everything(h, true, predicted), explain(h, true, predicted).lca
    assert x.extended.true.nodes == every.extended(0)
    assert x.extended.predicted.nodes == every.extended(1)
    for (label, lca), listed in x.ways.items():
        paths = every.cheapest(label, lca)
        assert set(listed) <= set(paths)
        assert len(set(listed)) == len(listed) == min(len(paths), PATHS_LISTED)
    for graph in (x.extended.true, x.extended.predicted):
        assert set().union(graph.classes, *graph.edges) == graph.nodes


@given(st.one_of(instances(), layered()))
def test_exact_minimal_graphs_are_the_best_of_all_choices(instance):
    h, true, predicted = instance
    every = Everything(h, true, predicted, uncounted(h))
    x = explain(h, true, predicted, solver="exact")
    assume(every.fewer_choices(MOST_CHOICES))
    choices = set(every.minimal())
    best = min(choices, key=every.order)
    assert x["F_LCA"] == pytest.approx(float(every.f1(best)))
    found = x.lca.minimal.true.nodes, x.lca.minimal.predicted.nodes
    assert found in choices
    assert every.order(found) == every.order(best)
    assert x.lca.minimal.optimal


@pytest.mark.parametrize("solver", ["exact", "greedy"])
@given(st.one_of(instances(), layered()))
def test_minimal_graphs_keep_the_constraints_of_problem_2(solver, instance):
    h, true, predicted = instance
    every, x = Everything(h, true, predicted), explain(h, true, predicted, solver=solver).lca
    chosen = set(x.minimal.lcas)
    if solver == "exact":
        assert len(chosen) == len(every.smallest_sets()[0])  # (iii)
    for side, (graph, extended) in enumerate(
        ((x.minimal.true, x.extended.true), (x.minimal.predicted, x.extended.predicted))
    ):
        assert graph.nodes <= extended.nodes
        assert set(graph.edges) <= set(extended.edges)
        assert every.sides[side] <= graph.nodes  # (i)
        assert chosen <= graph.nodes  # (ii), with the next line
        assert all(chosen & own for own in every.own(side).values())

        def joined(label, lca, edges=frozenset(graph.edges)):
            return any(
                {(p, c) for c, p in pairwise(path)} <= edges for path in every.cheapest(label, lca)
            )

        for label, own in every.own(side).items():
            assert any(joined(label, a) for a in own & chosen)  # (iv)
        for a in chosen:
            assert any(joined(label, a) for label in every.sides[side] if a in h.up(label))  # (v)


@given(layered())
def test_greedy_with_as_few_lcas_is_never_better_than_exact(instance):
    h, true, predicted = instance
    exact, greedy = (explain(h, true, predicted, solver=s) for s in ("exact", "greedy"))
    assert len(greedy.lca.minimal.lcas) >= len(exact.lca.minimal.lcas)
    if len(greedy.lca.minimal.lcas) == len(exact.lca.minimal.lcas):
        assert greedy["F_LCA"] <= exact["F_LCA"] + 1e-12


def test_of_two_choices_that_mirror_each_other_the_smaller_predicted_graph_is_taken():
    # T is one edge below A and two below B, P two below A and one below B. With A the graphs are
    # {T, A} and {P, Y, A}, with B {T, Z, B} and {P, B}: F_LCA is 2 · 1 / 5 either way. Exchanging
    # the sides and the names A and B changes nothing, so that a rule that favours neither side
    # would have to choose by name.
    h = hierarchy_of("R>A R>B A>T A>Y Y>P B>P B>Z Z>T")
    for true, predicted in ("TP", "PT"):
        x = explain(h, {true}, {predicted})
        assert (x["P_LCA"], x["R_LCA"], x["F_LCA"]) == (1 / 2, 1 / 3, 0.4)


@given(instances(), st.sampled_from(["exact", "greedy"]))
def test_what_is_redundant_and_what_is_chosen_make_up_the_extended_graphs(instance, solver):
    h, true, predicted = instance
    x = explain(h, true, predicted, solver=solver).lca
    assert set(x.minimal.lcas) | x.minimal.redundant_lcas == x.lca_true | x.lca_predicted
    assert x.minimal.true.nodes | x.minimal.redundant_true == x.extended.true.nodes
    assert x.minimal.predicted.nodes | x.minimal.redundant_predicted == x.extended.predicted.nodes
    assert not x.minimal.redundant_true & x.minimal.true.nodes
    assert {r.label for r in x.ranking if r.chosen} == set(x.minimal.lcas)
    assert [r.connects for r in x.ranking] == sorted((r.connects for r in x.ranking), reverse=True)


@given(instances(), st.sampled_from(["exact", "greedy"]))
def test_the_steps_lead_from_the_classes_to_the_minimal_graphs(instance, solver):
    h, true, predicted = instance
    x = explain(h, true, predicted, solver=solver).lca
    own = {("true", m.label): m.lcas for m in x.true_matches} | {
        ("predicted", m.label): m.lcas for m in x.predicted_matches
    }
    chosen: list[str] = []
    graphs = {"true": set(x.true), "predicted": set(x.predicted)}
    for step in x.minimal.steps:
        if step.action == "choose":
            chosen.append(step.lca)
        elif step.action == "remove":
            chosen.remove(step.lca)
        elif step.action == "connect":
            graphs[step.path.side] |= set(step.path.path)
        assert list(step.chosen) == chosen
        still_open = {key for key, lcas in own.items() if not lcas & set(chosen)}
        assert {("true", n) for n in step.open_true} | {
            ("predicted", n) for n in step.open_predicted
        } == still_open
        assert (step.true_nodes, step.predicted_nodes) == (graphs["true"], graphs["predicted"])
        assert step.sentence.endswith(".")
    assert set(chosen) == set(x.minimal.lcas)
    assert (x.minimal.true.nodes, x.minimal.predicted.nodes) == (
        graphs["true"],
        graphs["predicted"],
    )


# --- the paper ----------------------------------------------------------------------------------

FIGURES = own_cases().cases


@pytest.mark.parametrize("key", [key for key in FIGURES if re.search("/figure-1[1-8]", key)])
def test_greedy_gives_what_exact_gives_and_tables_1_to_8_print(key):
    exact, greedy = (FIGURES[key].explain(solver=solver) for solver in ("exact", "greedy"))
    assert [greedy[k] for k in ("P_LCA", "R_LCA", "F_LCA")] == [
        exact[k] for k in ("P_LCA", "R_LCA", "F_LCA")
    ]


# --- special cases ------------------------------------------------------------------------------


def test_with_one_side_empty_the_classes_alone_are_the_graph():
    h = hierarchy_of("A>B B>T1 B>P1")
    x = explain(h, {"T1", "P1"}, [], zero_division=0.5)
    assert x.lca.minimal.overlap.true == x.lca.extended.overlap.true == {"T1", "P1"}
    assert [x[k] for k in ("P_LCA", "R_LCA", "F_LCA", "SDL_LCA")] == [0.5, 0, 0, 2]
    assert "empty" in x.derivation("P_LCA").sentence
    assert x.lca.minimal.steps == ()


def test_classes_that_meet_in_a_virtual_root_share_nothing_unless_it_is_counted():
    """T1 and P1 lie in different trees: their graphs are T1-(root) and P1-(root)."""
    h = Hierarchy.from_edges([("A", "T1"), ("B", "P1")])
    x = explain(h, {"T1"}, {"P1"})
    assert x.lca.minimal.lcas == ("(root)",)
    assert (x["F_LCA"], x["SDL_LCA"]) == (0, 4)
    counted = explain(h, {"T1"}, {"P1"}, count_root=True)
    assert (counted["P_LCA"], counted["SDL_LCA"]) == (pytest.approx(1 / 3), 4)


def test_edge_weights_decide_which_ancestor_is_lowest():
    """Over C the way costs 0.5 + 0.5, over B 1 + 1: B is out though both are one edge away."""
    edges = [
        ("A", "B"),
        ("A", "C"),
        ("B", "T1", 1),
        ("B", "P1", 1),
        ("C", "T1", 0.5),
        ("C", "P1", 0.5),
    ]
    h = Hierarchy.from_edges(edges)
    assert explain(h, {"T1"}, {"P1"}).lca.lca_true == {"C"}
    assert explain(h, {"T1"}, {"P1"}, edge_weights="constant").lca.lca_true == {"B", "C"}


def ladder(rungs: int, name: str) -> list[tuple[str, str]]:
    """Edges from "top" down to a class, with two ways over every rung: 2 ** rungs cheapest ways."""
    edges, above = [], "top"
    for k in range(rungs):
        below = f"{name}{k}" if k < rungs - 1 else name
        edges += [
            (above, f"{below}l"),
            (above, f"{below}r"),
            (f"{below}l", below),
            (f"{below}r", below),
        ]
        above = below
    return edges


def test_exponentially_many_ways_are_counted_and_searched_without_spelling_them_out():
    h = Hierarchy.from_edges(ladder(40, "T") + ladder(40, "P"))
    x = explain(h, {"T"}, {"P"})
    assert len(x.lca.ways["T", "top"]) == PATHS_LISTED
    assert len(x.lca.extended.true.nodes) == 1 + 3 * 40
    assert [path.alternatives for path in x.lca.minimal.paths] == [2**40, 2**40]
    assert x.lca.minimal.optimal
    assert x["P_LCA"] == pytest.approx(1 / 81)


def test_a_search_that_is_too_large_falls_back_and_says_so():
    """Four classes hang from one ladder, so that the search gives up and greedy takes over."""
    edges = [*ladder(12, "X"), *[("X", c) for c in "TUPQ"]]
    edges += [
        (f"X{k}{side}", f"X{k + 1}{other}") for k in range(10) for side, other in ("lr", "rl")
    ]
    edges += [edge for c in "TUPQ" for edge in ladder(9, f"{c}'")]
    edges += [(f"X{k}", f"{c}'") for k, c in zip((1, 3, 5, 7), "TUPQ", strict=True)]
    h = Hierarchy.from_edges(edges)
    x = explain(h, {"T'", "U'", "T"}, {"P'", "Q'", "P"}, solver="auto")
    exact = explain(h, {"T'", "U'", "T"}, {"P'", "Q'", "P"}, solver="exact")
    assert exact["F_LCA"] >= x["F_LCA"]
    for found, most in ((x, lca_solvers.AUTO_WORK), (exact, lca_solvers.EXACT_WORK)):
        assert found.lca.minimal.optimal == (found.lca.minimal.work <= most)
