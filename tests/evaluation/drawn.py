"""Random hierarchies and labels for tests of counts."""

import random

from hiermeasures import Hierarchy

Labels = list[set[str]]


def draw_hierarchy(rnd: random.Random, parents: int) -> Hierarchy:
    """Return a tree (`parents` is 1) or a DAG of 2 to 14 classes."""
    n = rnd.randint(2, 14)
    return Hierarchy.from_edges(
        (f"c{above}", f"c{k}")
        for k in range(1, n)
        for above in rnd.sample(range(k), min(k, rnd.randint(1, parents)))
    )


def draw_labels(rnd: random.Random, names: list[str], n: int) -> Labels:
    """Return n sets of up to five labels."""
    most = min(5, len(names))
    return [set(rnd.sample(names, rnd.randint(0, most))) for _ in range(n)]
