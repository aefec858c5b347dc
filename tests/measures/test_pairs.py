"""Pair-based measures: Problem 1 solved again as a linear programme. The paper's tables are case
files.
"""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from hiermeasures import Hierarchy, explain
from hiermeasures.measures.catalogue import latex_text
from hiermeasures.verify.library import own_cases
from tests.conftest import hierarchy_of, instances

FIGURE_11A = own_cases().case("kosmopoulos2015/figure-11a").hierarchy


def figure(name, **options):
    case = own_cases().case(f"kosmopoulos2015/figure-{name}")
    return explain(case.hierarchy, case.true, case.predicted, **options)


def pairs_of(network):
    return {(pair.predicted, pair.true) for pair in network.pairs}


class TestNetworks:
    """The capacity intervals of Figures 3–6, with m predicted and n true classes."""

    H = hierarchy_of("R>P1 R>P2 R>T1 R>T2 R>T3")

    def intervals(self, name, true=("T1", "T2", "T3"), **options):
        network = explain(self.H, true, {"P1", "P2"}, **options).pairing(name)
        found = {(e.tail.label, e.head.label): (e.lower, e.upper) for e in network.edges}
        assert len(found) == len(network.edges)
        return found

    def test_figure_3_with_bounds_of_your_own(self):
        found = self.intervals("own", alpha_p=1, beta_p=2, alpha_t=0, beta_t=4)
        assert found["source", "P1"] == (1, 2)
        assert found["T1", "sink"] == (0, 4)
        assert found["P1", "T1"] == (0, 1)
        assert found["P1", "DT"] == (0, 2)
        assert found["DP", "T1"] == (0, 4)
        assert found["source", "DP"] == (0, 4 * 3)
        assert found["DT", "sink"] == (0, 2 * 2)
        assert found["sink", "source"] == (0, 4 * 3 + 2 * 2)

    def test_figure_6_mgia(self):
        found = self.intervals("MGIA")
        assert (found["source", "P1"], found["T1", "sink"]) == ((1, 3), (1, 2))
        assert found["P1", "DT"] == found["DP", "T1"] == found["P1", "T1"] == (0, 1)
        assert (found["source", "DP"], found["DT", "sink"]) == ((0, 3), (0, 2))
        assert found["sink", "source"] == (2, 2 * (3 + 1))

    def test_figure_4_tie_and_its_default_classes_cost_infinity(self):
        network = explain(self.H, {"T1"}, {"P1"}).pairing("TIE")
        found = {
            (e.tail.label, e.head.label): (e.lower, e.upper, e.cost, e.flow) for e in network.edges
        }
        assert found == {
            ("source", "P1"): (1, 1, 0, 1),
            ("source", "DP"): (0, 1, 0, 0),
            ("P1", "T1"): (0, 1, 2, 1),
            ("P1", "DT"): (0, 1, math.inf, 0),
            ("DP", "T1"): (0, 1, math.inf, 0),
            ("T1", "sink"): (1, 1, 0, 1),
            ("DT", "sink"): (0, 1, 0, 0),
            ("sink", "source"): (1, 2, 0, 1),
        }


class TestChoice:
    def test_of_two_equally_near_classes_the_first_in_the_hierarchy_is_paired(self):
        network = figure("11a").pairing("GIE")
        assert (pairs_of(network), network.unique) == ({("P1", "T1"), ("P2", None)}, False)
        assert figure("11a").pairing("MGIA").unique

    def test_a_right_class_pairs_with_itself_where_that_costs_no_more(self):
        # a–a and b–c cost 0 + 2, a–c and b–a cost 1 + 1
        x = explain(hierarchy_of("b>a a>c"), {"a", "c"}, {"a", "b"})
        assert pairs_of(x.pairing("GIE")) == {("a", "a"), ("b", "c")}
        assert not x.pairing("GIE").unique

    def test_mgia_drops_the_pair_of_a_nearest_class_whose_both_ends_are_in_other_pairs(self):
        # P0–T1 1, T1–P1 2, P1–T2 3: each class's nearest would cost 1 + 2 + 3
        h = hierarchy_of("T2>x x>y y>P1 P1>z z>T1 T1>P0")
        x = explain(h, {"T1", "T2"}, {"P0", "P1"})
        assert x["MGIA_error"] == 1 + 3
        assert pairs_of(x.pairing("MGIA")) == {("P0", "T1"), ("P1", "T2")}

    def test_weights_that_add_up_alike_tie_though_their_sums_differ_in_the_last_digit(self):
        h = Hierarchy.from_edges(
            [("R", "T1", 0.1), ("R", "P1", 0.2), ("R", "P2", 0.2), ("R", "T2", 0.7)]
        )
        # 0.3 + 0.9 both ways
        assert not explain(h, {"T1", "T2"}, {"P1", "P2"}).pairing("GIE").unique


UNMET = {  # measure, true and predicted classes, options
    "TIE T1 P1,P2": "α_p = 1|: the predicted classes P1, P2 need 2 partners, but 1 true class has "
    "room for 1 (β_t = 1)",
    "TIE T1,P2 P1": "α_t = 1|: the true classes P2, T1 need 2 partners, but 1 predicted class has "
    "room for 1 (β_p = 1)",
    "TIE T1 P1 max_pair_distance=1.5": (
        "α_p = 1|: the predicted class P1 needs 1 partner, but the instance has no true class within "
        "distance 1.5"
    ),
    "all_pairs - P1": "α_p = 1|: the predicted class P1 needs 1 partner, but the instance has no "
    "true class",
    "own_pairing T1 P1 alpha_p=2 beta_p=1": "α_p = 2|, because β_p = 1 allows at most 1 pair",
    "own_pairing T1,P2 P1 alpha_t=2 beta_t=5 beta_p=5 default_classes=0": (
        "α_t = 2|: the true classes P2, T1 need 4 partners, but 1 predicted class has room for 2 "
        "(β_p = 5)"
    ),
}


class TestEmptyAndInfeasible:
    @pytest.mark.parametrize(("true", "predicted"), [(("T1", "P1"), ()), ((), ("T1", "P1"))])
    def test_one_empty_side_leaves_every_class_alone(self, true, predicted):
        x = explain(FIGURE_11A, true, predicted)
        assert (x["GIE"], x["MGIA_error"], x["MGIA"]) == (10, 10, 0)
        assert math.isnan(x["TIE"])
        assert math.isnan(x["all_pairs"])

    @pytest.mark.parametrize(("asked", "reason"), UNMET.items())
    def test_bounds_that_cannot_be_met_are_named_in_a_sentence(self, asked, reason):
        key, *sides, options = (*asked.split(" ", 3), "")[:4]
        options = {
            name: float(value) for name, value in (each.split("=") for each in options.split())
        }
        x = explain(
            FIGURE_11A, *([c for c in side.split(",") if c != "-"] for side in sides), **options
        )
        assert math.isnan(x[key])
        assert (
            x.derivation(key).sentence
            == f"The value is undefined: {reason.replace('|', ' cannot be met')}."
        )


class TestDerivations:
    def test_a_class_name_cannot_act_in_a_formula(self):
        escaped = r"\text{\}\textbackslash{}href\{x\}\textdollar{}\textless{}b\textgreater{}}"
        assert latex_text(r"}\href{x}$<b>") == escaped
        assert latex_text("a\nb\x00c") == r"\text{a b c}"


# --- Problem 1, from the definition -------------------------------------------------------------


def least_cost(distances, alpha_p, beta_p, alpha_t, beta_t, dmax, longest):
    """The least cost of Problem 1 as a linear programme, or nan: a number for each pair of classes,
    and one for the default pairs of each class.
    """
    m, n = distances.shape
    if not m + n:
        return 0.0
    degrees = np.zeros((m + n, m * n + m + n))
    for i in range(m):
        degrees[i, i * n : (i + 1) * n] = 1
    for j in range(n):
        degrees[m + j, j : m * n : n] = 1
    degrees[:, m * n :] = np.eye(m + n)
    least, most = [alpha_p] * m + [alpha_t] * n, [beta_p] * m + [beta_t] * n
    pairs = [(0, int(d <= longest)) for d in distances.ravel()]
    alone = (0, 0 if dmax == math.inf else None)
    found = linprog(
        [*distances.ravel(), *[0 if dmax == math.inf else dmax] * (m + n)],
        A_ub=np.vstack([degrees, -degrees]),
        b_ub=[*most, *(-bound for bound in least)],
        bounds=[*pairs, *[alone] * (m + n)],
    )
    return found.fun if found.status == 0 else math.nan


def bounds_by_definition(name, m, n, options):
    """(α_p, β_p, α_t, β_t, D_max or infinity); m predicted and n true classes."""
    dmax = options.get("dmax", 5)
    if name == "own":
        given = (options.get(k, 1) for k in ("alpha_p", "beta_p", "alpha_t", "beta_t"))
        return *given, dmax if options.get("default_classes", True) else math.inf
    return {
        "TIE": (1, 1, 1, 1, math.inf),
        "GIE": (1, 1, 1, 1, dmax),
        "all_pairs": (n, n, m, m, math.inf),
        "MGIA": (1, n, 1, m, dmax),
    }[name]


WEIGHTS = (1, 1, 1, 2, 0.5, 0.1, 0.2, 0.3, 1 / 3)
BOUND = st.integers(0, 3)
OWN = st.fixed_dictionaries(
    {},
    optional={
        "alpha_p": BOUND,
        "beta_p": BOUND,
        "alpha_t": BOUND,
        "beta_t": BOUND,
        "default_classes": st.booleans(),
    },
)
GENERAL = st.fixed_dictionaries(
    {},
    optional={
        "dmax": st.sampled_from([0.3, 1, 2, 3]),
        "max_pair_distance": st.sampled_from([0.5, 1, 2, 3]),
        "path": st.just("any"),
    },
)


def check_against_the_definition(h, true, predicted, name, options):
    network = explain(h, true, predicted, **options).pairing(name)
    path = options.get("path", "ancestor")
    distances = np.array(
        [[h.distance(p, t, path) for t in network.true] for p in network.predicted], float
    )
    bounds = bounds_by_definition(name, len(predicted), len(true), options)
    distances = distances.reshape(len(predicted), len(true))
    least = least_cost(distances, *bounds, options.get("max_pair_distance", math.inf))
    assert network.fnerror == pytest.approx(least, abs=1e-9, nan_ok=True)
    assert network.feasible == (not math.isnan(least))
    if network.feasible:
        check_constraints(network, bounds)
        check_flow(network)
    else:
        assert "cannot be met" in network.infeasible


def check_constraints(network, bounds):
    """Constraints (i)–(iii) of Problem 1, counted over the pairs."""
    alpha_p, beta_p, alpha_t, beta_t, dmax = bounds
    times = Counter((pair.predicted, pair.true) for pair in network.pairs)
    assert (None, None) not in times
    assert all(times[p, t] == 1 for p, t in times if p is not None and t is not None)
    of_p, of_t = (
        Counter(pair.predicted for pair in network.pairs),
        Counter(pair.true for pair in network.pairs),
    )
    assert all(alpha_p <= of_p[p] <= beta_p for p in network.predicted)
    assert all(alpha_t <= of_t[t] <= beta_t for t in network.true)
    assert all(
        pair.cost == dmax for pair in network.pairs if pair.predicted is None or pair.true is None
    )


def check_flow(network):
    """Capacity intervals and conservation hold, and the flow costs what the pairs cost."""
    balance = Counter()
    for edge in network.edges:
        assert edge.lower <= edge.flow <= edge.upper
        assert {edge.tail, edge.head} <= set(network.nodes)
        balance[edge.tail] -= edge.flow
        balance[edge.head] += edge.flow
    assert not any(balance.values())
    assert math.fsum(e.cost * e.flow for e in network.edges if e.flow) == pytest.approx(
        network.fnerror
    )


@given(instances(10, weights=WEIGHTS), st.sampled_from(["TIE", "GIE", "own"]), GENERAL)
def test_one_to_one_pairings_cost_the_least(instance, name, options):
    check_against_the_definition(*instance, name, options)


@given(instances(10, empty=False, weights=WEIGHTS), st.sampled_from(["MGIA", "all_pairs"]), GENERAL)
def test_pairings_with_several_partners_cost_the_least(instance, name, options):
    check_against_the_definition(*instance, name, options)


@given(instances(10, weights=WEIGHTS), OWN, GENERAL)
def test_own_bounds_are_met_at_the_least_cost_or_said_to_be_impossible(instance, own, general):
    check_against_the_definition(*instance, "own", {**general, **own})
