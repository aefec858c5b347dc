"""Our numbers beside those of other tools, where docs/coming-from says that they are the same, or
how many are not.
"""

import json
import re
from collections import Counter
from itertools import combinations, permutations, product
from pathlib import Path

import networkx as nx
import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.debug.worlds import trees
from hiermeasures.verify import load_cases, verify
from tests.conftest import needs_data


def test_the_confusion_matrix_on_every_small_tree_is_that_of_the_authors_package():
    peer = pytest.importorskip("hierarchical_confusion_matrix")
    choices = {"path_derivation": "benevolent", "path_ties": "names"}
    compared = 0
    for h in (world.hierarchy for size in (2, 3, 4, 5) for world in trees(size)):
        graph = nx.relabel_nodes(nx.DiGraph(h.edges), {h.root: "root"})
        path = {name: next(h.paths_from_root(name)) for name in h.nodes}
        for true, predicted in product(_unrelated(h), _one_or_two(h.nodes)):
            x = explain(
                h, true, predicted, predicted_paths=[path[name] for name in predicted], **choices
            )
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
    return [
        s
        for s in _one_or_two(classes)
        if not any(a in h.ancestors(b) for a, b in permutations(s, 2))
    ]


# and the flat measure of the same ratio
LCA = {"P_LCA": "precision", "R_LCA": "recall", "F_LCA": "f1"}


@pytest.fixture(scope="module")
def hemkit():
    """The instances that HEMKit was run on, by their place."""
    printed = json.loads(needs_data("hemkit/lca_random.json").read_text(encoding="utf-8"))[
        "instances"
    ]
    return dict(enumerate(printed, 1))


@pytest.fixture(scope="module")
def differing(hemkit):
    """The instances whose values are others than ours, by their place, explained."""
    ours = {
        k: explain(Hierarchy.from_edges(i["edges"]), i["true"], i["predicted"])
        for k, i in hemkit.items()
    }
    return {
        k: x
        for k, x in ours.items()
        if [x[m] for m in LCA] != pytest.approx([hemkit[k][m] for m in LCA], abs=1e-6)
    }


def test_lca_scores_on_random_hierarchies_beside_what_hemkit_printed(hemkit, differing):
    counts = Counter((i["kind"], k not in differing) for k, i in hemkit.items())
    of_kind = {("tree", True): 299, ("tree", False): 1, ("dag", True): 276, ("dag", False): 24}
    assert counts == of_kind  # as the page says
    single = Counter(
        (i["kind"], k not in differing)
        for k, i in hemkit.items()
        if len(i["true"] + i["predicted"]) == 2
    )
    assert single == {("tree", True): 71, ("dag", True): 78, ("dag", False): 7}
    apart = [hemkit[k]["F_LCA"] - x["F_LCA"] for k, x in differing.items()]
    assert (sum(d < -1e-6 for d in apart), sum(d > 1e-6 for d in apart)) == (22, 2)


def test_the_page_for_hemkit_lists_all_instances_that_differ(differing):
    page = (Path(__file__).parents[1] / "docs" / "coming-from" / "hemkit.md").read_text(
        encoding="utf-8"
    )
    rows = re.findall(r"^\| .+ \| ([\d, ]+) \|$", page, re.M)
    assert sorted(int(place) for row in rows for place in row.split(",")) == sorted(differing)


def test_the_cases_of_hemkit_are_instances_with_what_it_printed(hemkit, differing):
    library = load_cases()
    cells = {(c.case, c.quantity): c.printed for c in verify(paper="hemkit").cells}
    cases = [case for case in library.cases.values() if case.paper == "hemkit"]
    for case in cases:
        instance = hemkit[int(case.part)]
        assert int(case.part) in differing
        assert sorted(case.hierarchy.edges) == sorted(map(tuple, instance["edges"]))
        assert (case.true, case.predicted) == (set(instance["true"]), set(instance["predicted"]))
        assert [cells[case.key, m] for m in LCA] == [f"{instance[m]:.6g}" for m in LCA]
    assert len(cells) == 3 * len(cases) > 0
