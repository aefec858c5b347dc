"""Time of `explain` with everything on: every measure and every derivation of one instance.

    python benchmarks/explain.py

The papers' figures come from the case library. The large hierarchy is a random DAG of 1,000 classes,
with 5 true and 5 predicted ones.
"""

import random
import statistics
import time

from hiermeasures import Hierarchy, explain
from hiermeasures.measures import CATALOGUE
from hiermeasures.verify import load_cases


def seconds(hierarchy, true, predicted, **more):
    """Return the time for all values and derivations, including the structures."""
    start = time.perf_counter()
    x = explain(hierarchy, true, predicted, **more)
    for key in CATALOGUE:
        x[key], x.derivation(key)
    return time.perf_counter() - start


def random_dag(n, rng):
    """Return a random DAG: two parents for every third class, siblings in bunches."""
    edges = [(f"n{rng.randrange(max(0, i // 8), i)}", f"n{i}") for i in range(1, n)]
    edges += [(f"n{rng.randrange(max(0, i // 8), i)}", f"n{i}") for i in range(3, n, 3)]
    return Hierarchy.from_edges(set(edges))


def main():
    figures = [case for case in load_cases().cases.values() if case.true or case.predicted]
    times = [
        statistics.median(seconds(c.hierarchy, c.true, c.predicted) for _ in range(5))
        for c in figures
    ]
    print(
        f"papers' figures ({len(figures)}): median {statistics.median(times) * 1e3:.1f} ms, "
        f"slowest {max(times) * 1e3:.1f} ms"
    )
    rng = random.Random(0)
    times = []
    for _ in range(20):
        h = random_dag(1000, rng)
        times.append(seconds(h, set(rng.sample(h.nodes, 5)), set(rng.sample(h.nodes, 5))))
    print(
        f"DAG of 1,000 classes, 5 + 5 ({len(times)}): median {statistics.median(times) * 1e3:.1f} "
        f"ms, slowest {max(times) * 1e3:.1f} ms"
    )


if __name__ == "__main__":
    main()
