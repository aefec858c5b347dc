"""Which graphs are right where a question asks for a minimal LCA graph: all that Problem 2 leaves, and no others."""

from random import Random

from hiermeasures import Hierarchy, explain
from hiermeasures.lessons.equally_good import minimal_graphs
from tests.measures.everything import Everything


def test_every_minimal_graph_is_found_and_no_other() -> None:
    random, several = Random(7), 0
    for _ in range(250):
        size = random.randint(4, 8)
        edges = {(random.randrange(child), child) for child in range(1, size)}
        edges |= {tuple(sorted(random.sample(range(size), 2))) for _ in range(random.randint(0, 5))}
        h = Hierarchy.from_edges([(str(a), str(b)) for a, b in sorted(edges)])
        true, predicted = (random.sample(h.nodes[1:], random.randint(1, 2)) for _ in range(2))
        everything = Everything(h, true, predicted)
        pairs = everything.minimal()
        best = max(map(everything.f1, pairs))
        x = explain(h, true, predicted, solver="exact")
        for place, side in enumerate(("true", "predicted")):
            expected = {pair[place] for pair in pairs if everything.f1(pair) == best}
            assert set(minimal_graphs(x, side)) == expected
            several += len(expected) > 1
    assert several > 10
