"""Random hierarchies with random probabilities of several kinds."""

import numpy as np
from hypothesis import strategies as st

from hiermeasures import Hierarchy
from hiermeasures.evaluation.scores import NodeProbabilities, ProbabilityTable
from tests.conftest import edge_lists, hierarchy_of

FIGURE = hierarchy_of("r>1 r>2 1>3 1>4 1>5")
FIGURE_2 = NodeProbabilities.of(FIGURE, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35})
FIGURE_4 = NodeProbabilities.of(FIGURE, {"1": 0.9, "2": 0.1, "3": 0.55, "4": 0.0, "5": 0.35})

NUMBERS = st.integers(0, 2**32 - 1)


@st.composite
def any_tables(draw, max_nodes=9, dag=True, rows=4, coarse=True):
    """Arbitrary probabilities, most of them incoherent; coarse ones have many ties and zeros."""
    h = Hierarchy.from_edges(draw(edge_lists(max_nodes, dag)))
    rng = np.random.default_rng(draw(NUMBERS))
    values = rng.integers(0, 5, (rows, len(h))) / 4 if coarse else rng.random((rows, len(h)))
    return ProbabilityTable.of(h, values)


@st.composite
def single_paths(draw, max_nodes=7, dag=False, stopping=True):
    """Probabilities of one most specific true class, all of them above 0 but some."""
    h = Hierarchy.from_edges(draw(edge_lists(max_nodes, dag)))
    rng = np.random.default_rng(draw(NUMBERS))
    weight = {c: int(rng.integers(0, 5)) for c in h.nodes if stopping or c in h.leaves}
    weight[sorted(h.leaves)[0]] += 1
    total = sum(weight.values())
    chance = dict.fromkeys(h.nodes, 0.0)
    for c, w in weight.items():
        for a in h.up(c):
            chance[a] += w / total
    return NodeProbabilities.of(h, {c: min(v, 1.0) for c, v in chance.items()})


def labels_of(table, seed):
    """True labels of a table's instances: one to three classes each, the root not among them."""
    rng = np.random.default_rng(seed)
    classes = table.hierarchy.nodes[1:] or table.hierarchy.nodes
    return [
        {classes[int(k)] for k in rng.integers(0, len(classes), rng.integers(1, 4))}
        for _ in range(len(table))
    ]
