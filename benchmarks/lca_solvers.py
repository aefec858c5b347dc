"""The exact and the greedy LCA solver on random instances.

You see how often greedy is optimal, and by how much it falls short.

    python benchmarks/lca_solvers.py [--instances 300] [--write docs/lca-solvers.md]

The program prints a table, or writes the page with it. Every run has equal random instances. Only
the times change.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hiermeasures import Hierarchy, explain
from hiermeasures.measures.lca_solvers import AUTO_WORK, EXACT_WORK


def tree(rng: random.Random, n: int) -> Hierarchy:
    """Return a tree with each class under a random earlier one."""
    return Hierarchy.from_edges([(f"n{rng.randrange(i)}", f"n{i}") for i in range(1, n)])


def bunches(rng: random.Random, n: int) -> Hierarchy:
    """Return a DAG with siblings in bunches and a second parent for every third class."""
    edges = {(f"n{rng.randrange(i // 8, i)}", f"n{i}") for i in range(1, n)}
    edges |= {(f"n{rng.randrange(i // 8, i)}", f"n{i}") for i in range(3, n, 3)}
    return Hierarchy.from_edges(sorted(edges))


def layers(rng: random.Random, n: int, depth: int, several: float, parents: int = 2) -> Hierarchy:
    """Return a DAG in layers of equal width.

    A share of the classes has several parents, all in the layer above.
    """
    width = (n - 1) // depth
    rows = [["root"]] + [[f"{d}.{i}" for i in range(width)] for d in range(1, depth + 1)]
    edges = []
    for above, row in pairwise(rows):
        for label in row:
            count = min(len(above), parents if rng.random() < several else 1)
            edges += [(parent, label) for parent in rng.sample(above, count)]
    return Hierarchy.from_edges(edges)


@dataclass(frozen=True)
class Family:
    """A kind of random instance. Classes come only from the leaves, or from everywhere."""

    name: str
    make: Callable[[random.Random], Hierarchy]
    classes: int
    leaves: bool


FAMILIES = (
    Family("tree, 1,000 classes, 5 + 5", lambda r: tree(r, 1000), 5, False),
    Family("tree, 30 classes, 4 + 4", lambda r: tree(r, 30), 4, False),
    Family("DAG in bunches, 1,000 classes, 5 + 5", lambda r: bunches(r, 1000), 5, False),
    Family("DAG in bunches, 30 classes, 4 + 4", lambda r: bunches(r, 30), 4, False),
    Family(
        "10 layers, 60% with 2 parents, 1,000 classes, 3 + 3 leaves",
        lambda r: layers(r, 1000, 10, 0.6),
        3,
        True,
    ),
    Family(
        "5 layers, all with 2 parents, 60 classes, 4 + 4 leaves",
        lambda r: layers(r, 60, 5, 1.0),
        4,
        True,
    ),
    Family(
        "5 layers, all with 3 parents, 30 classes, 4 + 4 leaves",
        lambda r: layers(r, 30, 5, 1.0, 3),
        4,
        True,
    ),
    Family(
        "10 layers, all with 2 parents, 1,000 classes, 5 + 5 leaves",
        lambda r: layers(r, 1000, 10, 1.0),
        5,
        True,
    ),
    Family(
        "20 layers, all with 2 parents, 1,000 classes, 5 + 5 leaves",
        lambda r: layers(r, 1000, 20, 1.0),
        5,
        True,
    ),
)


@dataclass(frozen=True)
class Result:
    """The result of one solver on an instance.

    It keeps only numbers, so that garbage collection does not count in the times.
    """

    f1: float
    lcas: int
    optimal: bool
    seconds: float


@dataclass(frozen=True)
class Run:
    """One instance under the three settings."""

    exact: Result
    greedy: Result
    auto: Result

    @property
    def as_few(self) -> bool:
        return self.greedy.lcas == self.exact.lcas

    @property
    def shortfall(self) -> float:
        return self.exact.f1 - self.greedy.f1


def solved(h: Hierarchy, true: list[str], predicted: list[str], solver: str) -> Result:
    """Return the structure, built without stored costs, and its processor time."""
    fresh = Hierarchy.from_edges([*h.edges])
    start = time.process_time()
    x = explain(fresh, true, predicted, solver=solver)
    graphs = x.lca.minimal
    seconds = time.process_time() - start
    return Result(x["F_LCA"], len(graphs.lcas), graphs.optimal, seconds)


def runs(family: Family, instances: int) -> list[Run]:
    rng = random.Random(family.name)
    found = []
    for k in range(instances):
        if k % 10 == 0:
            h = family.make(rng)
            pool = sorted(h.leaves if family.leaves else h.nodes[1:])
        true, predicted = rng.sample(pool, family.classes), rng.sample(pool, family.classes)
        found.append(
            Run(*(solved(h, true, predicted, solver) for solver in ("exact", "greedy", "auto")))
        )
    return found


HEADER = (
    "instances",
    "proven by exact",
    "of these within auto",
    "greedy optimal",
    "greedy needs more LCAs",
    "F_LCA short, mean where short",
    "F_LCA short, largest",
    "auto, median ms",
    "auto, slowest ms",
    "greedy, median ms",
)


def row(found: list[Run]) -> list[str]:
    """Return the figures of a family.

    Greedy is compared only with proven results. If it needs more LCAs, its F_LCA is not comparable.
    """
    proven = [r for r in found if r.exact.optimal]
    comparable = [r for r in proven if r.as_few]
    short = [r.shortfall for r in comparable if r.shortfall > 1e-12]
    assert not any(r.shortfall < -1e-12 for r in comparable), "greedy beat exact with as few LCAs"
    auto = [r.auto.seconds * 1e3 for r in found]
    return [
        str(len(found)),
        share(len(proven), len(found)),
        share(sum(r.auto.optimal for r in proven), len(proven)),
        share(len(comparable) - len(short), len(proven)),
        share(len(proven) - len(comparable), len(proven)),
        f"{statistics.mean(short):.3f}" if short else "–",
        f"{max(short):.3f}" if short else "–",
        f"{statistics.median(auto):.1f}",
        f"{max(auto):.1f}",
        f"{statistics.median(r.greedy.seconds * 1e3 for r in found):.1f}",
    ]


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "–"


PAGE = """# Exact and greedy LCA graphs

Finding the best minimal LCA graphs is hard. You can choose how with the option `solver`:

| solver | what it does |
|---|---|
| `auto` (default) | searches exactly for up to {auto:,} steps, then uses greedy |
| `exact` | searches all choices, for up to {exact:,} steps |
| `greedy` | runs Algorithms 1 and 2 of [Kosmopoulos et al. 2015](references.md#kosmopoulos2015) |

The structure shows which solver ran and if its result is proven. Problem 2 of the paper asks for graphs with as few LCAs as possible and, among those, the best F_LCA.

## How good and how fast

Both solvers ran on the same random instances (`python benchmarks/lca_solvers.py --write docs/lca-solvers.md`):

{table}

- *Proven by exact*: the share of instances for which the exact search finished. The next five columns are about these.
- *Greedy optimal*: as few LCAs and an equal F_LCA. If greedy needs more LCAs, its F_LCA answers another problem and is not compared.
- *Short*: the difference between the exact F_LCA and greedy's, with equally many LCAs.
- Times are for the whole structure (LCA sets, all paths, extended and minimal graphs, steps), as processor time on one core.

## What the search does

- A choice of LCAs must contain, for each class, one of its own LCAs. This is a minimum hitting set. The search tries every smallest one.
- The choice fixes the connections: each class is connected with each of its own LCAs in the choice, as in Algorithm 2. A chosen LCA may belong to no class of one side. It is then connected to that side by one path from one of the nearest classes below it, which are the best matches through it
  (constraint v). Algorithm 2 leaves this out. Without it, Figures 14 and 16(a) do not give the printed recall. The published numbers would also allow only one LCA per class.
- Each connection gets one cheapest path. Paths are compared node by node while they are built, so the search never lists exponentially many.
- If several results have an equal F_LCA, the search prefers fewer nodes in both graphs together, then sizes that differ least, then the smaller predicted graph. Any remaining results have equal values, whatever the names of the classes.
- If you exchange true and predicted classes, precision and recall are exchanged. The exception is two choices that mirror each other: no rule without names and sides could choose between them.
- If a search may reach its limit, and for greedy, nodes are numbered by structure (colour refinement over classes, LCAs and paths). So neither greedy's graphs nor the point where `auto` switches depend on names or the order of edges. Only parts of a DAG that are as regular as a cube (alike from everywhere and yet different) depend on the order of the hierarchy.

## What we know about greedy

- With as few LCAs as exact, its F_LCA is never higher, because exact also compares its result.
- The bottom-up pass of Algorithm 1 never removes anything. After the top-down pass, each remaining LCA was necessary among at least as
  many others, and it stays necessary among fewer.
- Algorithm 2 prefers the path with most nodes in common with the other selected paths, which depends on the order. Here the nodes that
  are on every path of some connection are known from the start. Without this, Figure 15 would give an F_LCA of 0.22, not the printed 0.25.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--instances", type=int, default=300, help="random instances of each family"
    )
    parser.add_argument(
        "--write", type=Path, help="write the page to this file instead of printing the table"
    )
    arguments = parser.parse_args()
    lines = ["| | " + " | ".join(HEADER) + " |", "|---" * (len(HEADER) + 1) + "|"]
    for family in FAMILIES:
        lines.append(
            f"| {family.name} | " + " | ".join(row(runs(family, arguments.instances))) + " |"
        )
        print(lines[-1], flush=True)
    if arguments.write:
        arguments.write.write_text(
            PAGE.format(exact=EXACT_WORK, auto=AUTO_WORK, table="\n".join(lines)), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
