"""The array engine gives what `explain` gives: on random trees and DAGs, for every measure, under
all options at once.

Averages are held to sums and means that are written out here, over the structures that `explain`
builds.
"""

import math
from collections import Counter
from contextlib import contextmanager
from itertools import chain
from typing import get_args
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiermeasures import Hierarchy, explain
from hiermeasures.evaluation import evaluate
from hiermeasures.evaluation.kernel_registry import Kernel
from hiermeasures.hierarchy.options import DECLARED, Options
from hiermeasures.measures import CATALOGUE
from tests.conftest import edge_lists

# Values of the options that are numbers; what leaves all work to `explain` is rarer than what
# kernels compute.
NUMBERS = {
    "dmax": [0.5, 1.5, 3.0, 5.0],
    "max_pair_distance": [None, None, 1.0, 2.0],
    "alpha_p": [None, None, None, 0, 1, 2],
    "beta_p": [None, None, None, 1, 2],
    "alpha_t": [None, None, None, 0, 1, 2],
    "beta_t": [None, None, None, 1, 2],
    "max_level": [None, 0, 1, 2],
    "rank": [None, 0, 1, 2],
    "hops": [0.0, 1.0, 1.5, 3.0],
    "weight_base": [0.5, 2.0],
    "max_ancestor_distance": [None] * 7 + [1, 2, 3],
    "zero_division": [0.0, 0.25, 1.0],
}


def values_of(field):
    """Some values of an option: those listed above, or all that its type allows."""
    if field in NUMBERS:
        return NUMBERS[field]
    kinds = get_args(DECLARED[field].annotation) or (DECLARED[field].annotation,)
    return list(
        chain.from_iterable(
            (True, False) if kind is bool else (None,) if kind is type(None) else (kind,)
            for kind in kinds
        )
    )


def usable(options):
    """Where edges weigh what classes do, positive class weights, as not all information is."""
    informed = options["edge_weights"] == "classes" and options["class_weights"] in (
        "information",
        "leaves",
    )
    return {**options, "class_weights": "depth"} if informed else options


ALL_OPTIONS = st.fixed_dictionaries({f: st.sampled_from(values_of(f)) for f in DECLARED}).map(
    usable
)


@st.composite
def batches(draw, dag, max_nodes=10, max_classes=4, instances=3):
    """A random hierarchy, perhaps with a virtual root and weighted edges, and some instances."""
    edges = draw(edge_lists(max_nodes, dag))
    if draw(st.booleans()):
        edges = [(*edge, draw(st.sampled_from([0.1, 0.2, 0.3, 0.5, 1.0, 2.0]))) for edge in edges]
    if draw(st.booleans()):
        edges = [edge for edge in edges if edge[0] != "n0"] or edges
    h = Hierarchy.from_edges(edges)
    if draw(st.booleans()):
        h = h.with_class_weights({c: draw(st.sampled_from([0.0, 0.25, 1.0, 2.5])) for c in h.nodes})
    labels = st.sets(st.sampled_from(h.nodes), max_size=max_classes)
    pairs = draw(st.lists(st.tuples(labels, labels), min_size=1, max_size=instances))
    return h, [t for t, _ in pairs], [p for _, p in pairs]


# --- averages, written out ----------------------------------------------------------------------


def mean(values):
    defined = [v for v in values if not math.isnan(v)]
    return sum(defined) / len(defined) if defined else math.nan


def over(part, whole, agree, options, perfect=1.0):
    if whole:
        return part / whole
    return perfect if agree else options.zero_division


def precision_recall_f1(shared, predicted, true, options):
    agree = predicted == true == 0
    parts = ((shared, predicted), (shared, true), (2 * shared, predicted + true))
    return [over(part, whole, agree, options) for part, whole in parts]


def sets_of(x):
    """The measures that are precision, recall and F1 of two sets, and the sets."""
    chosen = x.lca.extended if x.options.graphs == "extended" else x.lca.minimal
    return {
        ("precision", "recall", "f1"): x.flat,
        ("hP", "hR", "hF"): x.augmented,
        ("hP_desc", "hR_desc", "hF_desc"): x.descendants,
        ("C_P", "C_R", "C_F1"): x.structure("path_constrained"),
        ("P_LCA", "R_LCA", "F_LCA"): chosen.overlap,
        ("P_LCA_ext", "R_LCA_ext", "F_LCA_ext"): x.lca.extended.overlap,
    }


def hits(sets):
    """Return the shared classes; of path-constrained sets, only those whose ancestors are there."""
    return sets.true & sets.predicted - getattr(sets, "without_ancestor", frozenset())


COPHE = ("CoPHE_P", "CoPHE_R", "CoPHE_F1")
BEST_MATCHES = ("Wu_Palmer", "Leacock_Chodorow", "Resnik", "Lin", "Jiang_Conrath")


def expected_micro(xs, options):
    found = {key: mean([x[key] for x in xs]) for key in CATALOGUE}
    for keys in sets_of(xs[0]):
        both = [sets_of(x)[keys] for x in xs]
        shared = sum(len(hits(s)) for s in both)
        sizes = (sum(len(s.predicted) for s in both), sum(len(s.true) for s in both))
        found |= dict(zip(keys, precision_recall_f1(shared, *sizes, options), strict=True))
    tables = [x.counts for x in xs]
    tp, fp, fn = (sum(getattr(t, cell) for t in tables) for cell in ("tp", "fp", "fn"))
    found |= dict(zip(COPHE, precision_recall_f1(tp, tp + fp, tp + fn, options), strict=True))
    wrong = sum(len(x.flat.true ^ x.flat.predicted) for x in xs)
    found["hamming"] = over(wrong, sum(x.flat.classes for x in xs), not wrong, options, perfect=0.0)
    if any(x.true | x.predicted for x in xs) and not any(
        s.classes or s.true | s.predicted for s in map(flat_of, xs)
    ):
        # all is left out
        found |= dict.fromkeys(("precision", "recall", "f1", "hamming"), math.nan)
    ranks = [x.structure("ranks") for x in xs]
    tp, fp, fn = (
        sum(len(classes(s)) for s in ranks) for classes in (right, wrong_at_rank, missed_at_rank)
    )
    found |= {
        "rank_P": over(tp, tp + fp, False, options),
        "rank_R": over(tp, tp + fn, False, options),
        "rank_F": over(2 * tp, 2 * tp + fp + fn, False, options),
        "over_prediction": sum(len(below_a_true_class(x)) for x in xs)
        / sum(len(s.predicted) for s in ranks),
        "under_prediction": sum(len(s.above) for s in ranks) / sum(len(s.predicted) for s in ranks),
    }
    for key, name in (("MGIA", "MGIA"), ("own_accuracy", "own")):
        found[key] = expected_pairing_accuracy(
            [x for x in xs if x.pairing(name).feasible], name, options
        )
    tp, mi, ru = (
        sum(getattr(x.structure("weighted"), name) for x in xs) for name in ("tp", "mi", "ru")
    )
    for key, part, whole, other in (("wP", tp, tp + mi, ru), ("wR", tp, tp + ru, mi)):
        found[key] = over(part, whole, other == 0, options)
    found |= {
        "wF": over(2 * tp, 2 * tp + mi + ru, True, options),
        "simGIC": over(tp, tp + mi + ru, True, options),
    }
    for key in BEST_MATCHES:
        matches = [match for x in xs for match in x.structure(key.lower()).matches]
        found[key] = sum(match.compared.value for match in matches) / len(matches)
    return (
        found | expected_icm_norm(xs, options) | expected_cells([x.confusion for x in xs], options)
    )


def flat_of(x):
    return x.flat


def right(sets):
    return sets.true & sets.predicted


def wrong_at_rank(sets):
    return sets.predicted - sets.true - sets.above


def below_a_true_class(x):
    sets = x.structure("ranks")
    return {p for p in sets.predicted for t in sets.true if p in x.hierarchy.descendants(t)}


def missed_at_rank(sets):
    return sets.true - sets.predicted


def expected_icm_norm(xs, options):
    """Of the means of ICM and of ICM of the truth with itself; without instances there are none."""
    sides = [x.structure("contrast") for x in xs]
    icm = sum(s.tp - s.mi - s.ru for s in sides)
    itself = sum(s.weight(s.true) for s in sides)
    wrong = sum(s.mi for s in sides)
    return {"ICM_norm": max(0.0, over(icm + itself, 2 * itself, not wrong, options))}


def expected_pairing_accuracy(xs, name, options):
    if not xs:
        return math.nan
    classes = sum(
        len(x.true | x.predicted if options.normaliser == "union" else x.true ^ x.predicted)
        for x in xs
    )
    error, most = sum(x.pairing(name).fnerror for x in xs), classes * options.dmax
    return over(most - error, most, error == 0, options)


def expected_cells(matrices, options):
    tp, tn, fp, fn = (sum(getattr(m, cell) for m in matrices) for cell in ("tp", "tn", "fp", "fn"))
    right = fp == fn == 0
    sensitivity, specificity = (
        over(tp, tp + fn, not fp, options),
        over(tn, tn + fp, not fn, options),
    )
    spread = sensitivity + specificity - 1
    threshold = (math.sqrt(sensitivity * (1 - specificity)) + specificity - 1) / (spread or 1)
    return {
        **dict(zip(("HCM_TP", "HCM_TN", "HCM_FP", "HCM_FN"), (tp, tn, fp, fn), strict=True)),
        "HCM_ACC": over(tp + tn, tp + tn + fp + fn, right, options),
        "HCM_PPV": over(tp, tp + fp, not fn, options),
        "HCM_TPR": sensitivity,
        "HCM_TNR": specificity,
        "HCM_FNR": over(fn, fn + tp, not fp, options, perfect=0.0),
        "HCM_FPR": over(fp, fp + tn, not fn, options, perfect=0.0),
        "HCM_PT": threshold if abs(spread) > 1e-12 else options.zero_division,
        "HCM_F1": over(2 * tp, 2 * tp + fp + fn, right, options),
        "HCM_MCC": over(
            tp * tn - fp * fn,
            math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
            right,
            options,
        ),
    }


def expected_macro(xs, options):
    """The mean over the classes on either side; measures without counts per class have none."""
    found = dict.fromkeys(CATALOGUE, math.nan) | expected_cells([x.confusion for x in xs], options)
    found |= expected_icm_norm(xs, options)
    if options.max_ancestor_distance is not None:  # each instance has classes of its own
        return found
    counts = {keys: Counter() for keys in (*list(sets_of(xs[0]))[:4], COPHE)}
    for x in xs:
        for keys, s in list(sets_of(x).items())[:4]:
            for side, classes in (
                ("shared", hits(s)),
                ("predicted", s.predicted),
                ("true", s.true),
            ):
                counts[keys].update((c, side) for c in classes)
        for c in x.counts.classes:
            counts[COPHE] += Counter(
                {
                    (c.label, "shared"): min(c.true, c.predicted),
                    (c.label, "predicted"): c.predicted,
                    (c.label, "true"): c.true,
                }
            )
    for keys, of in counts.items():
        classes = sorted({c for c, _ in of})
        per_class = [
            precision_recall_f1(of[c, "shared"], of[c, "predicted"], of[c, "true"], options)
            for c in classes
        ]
        found |= {key: mean([values[k] for values in per_class]) for k, key in enumerate(keys)}
    return found


# --- tests --------------------------------------------------------------------------------------


@contextmanager
def on_a_cold_machine(cold):
    """Where slow kernels are said to be uncompiled, LCA graphs of trees have their own kernel."""
    if not cold:
        yield
        return
    with mock.patch.object(Kernel, "ready", False):
        yield


MACHINES = st.booleans().map(on_a_cold_machine)


def assert_equal_to_explain(h, true, predicted, given_options):
    options = Options.make(given_options)
    if options.edge_weights == "classes" and h.class_weights is not None:
        h = h.with_class_weights([[w + 0.25 for w in row] for row in h.class_weights])
    report = evaluate(h, true, predicted, measures=CATALOGUE, n_jobs=1, options=options)
    xs = [
        explain(report.hierarchy, t, p, options=options)
        for t, p in zip(true, predicted, strict=True)
    ]
    changed = {name: getattr(options, name) for name in options.changed}

    def same(found, expected, what):
        close = pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)
        assert found == close, (what, h.edges, true, predicted, changed)

    values = report.instance_values()
    for k, x in enumerate(xs):
        same({key: float(values[key][k]) for key in CATALOGUE}, dict(x), k)
    micro = expected_micro(xs, options)
    summed = {key: micro[key] for key in CATALOGUE if key.startswith("HCM_")}
    summed |= expected_icm_norm(xs, options)
    same(
        report.averaged("samples"),
        {key: mean([x[key] for x in xs]) for key in CATALOGUE} | summed,
        "samples",
    )
    same(report.averaged("micro"), micro, "micro")
    same(report.averaged("macro"), expected_macro(xs, options), "macro")


@pytest.mark.parametrize("dag", [False, True], ids=["trees", "dags"])
@given(data=st.data(), options=ALL_OPTIONS)
def test_every_instance_and_every_average_under_all_options_at_once(dag, data, options):
    with data.draw(MACHINES):
        assert_equal_to_explain(*data.draw(batches(dag)), options)


@pytest.mark.parametrize("dag", [False, True], ids=["trees", "dags"])
@given(data=st.data())
def test_with_the_options_as_they_are(dag, data):
    with data.draw(MACHINES):
        assert_equal_to_explain(*data.draw(batches(dag, max_nodes=20, max_classes=5)), {})


def random_instances(random, most=12, many=12):
    """A random tree or DAG, perhaps with a virtual root and weighted edges, and instances."""
    n, dag, weighted = random.randint(2, most), random.random() < 0.5, random.random() < 0.4
    edges = {
        (f"n{random.randrange(i)}", f"n{i}")
        for i in range(1, n)
        for _ in range(1 + dag * random.randrange(3))
    }
    if random.random() < 0.3:
        edges = {edge for edge in edges if edge[0] != "n0"} or edges
    h = Hierarchy.from_edges(
        [(*e, random.choice([0.1, 0.3, 0.5, 2.0])) if weighted else e for e in sorted(edges)]
    )
    if random.random() < 0.5:
        h = h.with_class_weights({c: random.choice([0.0, 0.25, 1.0, 2.5]) for c in h.nodes})
    return h, *(
        [set(random.sample(h.nodes, random.randint(0, min(4, len(h.nodes))))) for _ in range(many)]
        for _ in "tp"
    )


def test_every_option_is_drawn():
    assert {field for field in DECLARED if len(values_of(field)) > 1} == set(DECLARED)


@pytest.mark.slow
@pytest.mark.parametrize("dag", [False, True], ids=["trees", "dags"])
@given(data=st.data(), options=ALL_OPTIONS)
@settings(max_examples=1000)
def test_larger_hierarchies_under_all_options_at_once(dag, data, options):
    with data.draw(MACHINES):
        assert_equal_to_explain(
            *data.draw(batches(dag, max_nodes=20, max_classes=6, instances=4)), options
        )
