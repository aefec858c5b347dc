"""Our numbers beside those of other tools, where docs/coming-from says that they are the same, or how many are not."""

import json
from collections import Counter
from itertools import combinations, permutations, product

import networkx as nx
import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.behaviour.worlds import trees
from tests.conftest import needs_data


def test_the_confusion_matrix_on_every_small_tree_is_that_of_the_authors_package():
    peer = pytest.importorskip("hierarchical_confusion_matrix")
    choices = {"path_derivation": "benevolent", "path_ties": "names"}
    compared = 0
    for h in (world.hierarchy for size in (2, 3, 4, 5) for world in trees(size)):
        graph = nx.relabel_nodes(nx.DiGraph(h.edges), {h.root: "root"})
        path = {name: next(h.paths_from_root(name)) for name in h.nodes}
        for true, predicted in product(_unrelated(h), _one_or_two(h.nodes)):
            x = explain(h, true, predicted, predicted_paths=[path[name] for name in predicted], **choices)
            ours = [x.confusion.tp, x.confusion.tn, x.confusion.fp, x.confusion.fn]
            given = [["root", *path[name][1:]] for name in predicted]
            assert ours == list(peer.determineHierarchicalConfusionMatrix(graph, list(true), given))
            compared += 1
    assert compared == 1173  # as the page says


def _one_or_two(names):
    return [set_ for n in (1, 2) for set_ in combinations(names, n)]


def _unrelated(h):
    """One or two classes, none above another."""
    classes = [name for name in h.nodes if name != h.root]
    return [s for s in _one_or_two(classes) if not any(a in h.ancestors(b) for a, b in permutations(s, 2))]


def test_lca_scores_on_random_hierarchies_beside_what_hemkit_printed():
    printed = json.loads(needs_data("hemkit/lca_random.json").read_text(encoding="utf-8"))["instances"]
    same = Counter()
    for case in printed:
        x = explain(Hierarchy.from_edges(case["edges"]), case["true"], case["predicted"])
        keys = ("P_LCA", "R_LCA", "F_LCA")
        same[case["kind"], [x[key] for key in keys] == pytest.approx([case[key] for key in keys], abs=1e-6)] += 1
    assert same == {("tree", True): 299, ("tree", False): 1, ("dag", True): 276, ("dag", False): 24}  # as the page says
