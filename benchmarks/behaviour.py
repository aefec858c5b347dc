"""The search of small hierarchies on the array engine and by `explain`, and the time of what-if.

`explain` computes one instance after another, in the same run.

    python benchmarks/behaviour.py
"""

import random
import time
from typing import Any

from hiermeasures import Hierarchy, explain
from hiermeasures.debug import study
from hiermeasures.debug.search import EvaluatedWorlds
from hiermeasures.debug.what_if import edits_of, what_if
from hiermeasures.debug.worlds import dags
from hiermeasures.evaluation.warm import all_at_once, make_kernels_ready
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, explain_instance
from hiermeasures.measures.catalogue import Instance

MEASURES = tuple(CATALOGUE.values())
FIGURE_11A = [("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")]


def measure() -> dict[str, Any]:
    """Return all times in seconds.

    The search is measured in processor time, because other programs run on the machine.
    """
    make_kernels_ready(wait=True)
    return {"search": _search(), "what_if": [_edits(*case) for case in _cases()]}


def _search() -> dict[str, float]:
    """Measure both ways on every instance of the DAGs of 4 classes, and the whole search.

    The whole search is the default one.
    """
    worlds, options = dags(4), Options.make()
    instances = [
        Instance(w.hierarchy, frozenset(w.named(t)), frozenset(w.named(p)), options)
        for w in worlds
        for t, p in zip(*w.instances, strict=True)
    ]
    evaluated = EvaluatedWorlds(MEASURES, options, engine="kernels")
    evaluated.fill(worlds[0])
    start = time.process_time()
    for world in worlds:
        evaluated.fill(world)
    engine = time.process_time() - start
    start = time.process_time()
    for instance in instances:
        dict(explain_instance(instance))
    one_by_one = time.process_time() - start
    start = time.process_time()
    study(trees=5, dags=4)
    return {
        "instances": len(instances),
        "engine": engine,
        "explain": one_by_one,
        "study": time.process_time() - start,
    }


def _cases() -> list[tuple[str, Hierarchy, set[str], set[str]]]:
    found = [("Figure 11(a)", Hierarchy.from_edges(FIGURE_11A), {"T1"}, {"P1", "P2"})]
    for n in (50, 1000):
        rng = random.Random(n)
        h = Hierarchy.from_edges(
            [(f"c{rng.randrange(max(1, i // 3))}", f"c{i}") for i in range(1, n)]
        )
        found.append(
            (f"{n:,} classes", h, set(rng.sample(h.nodes, 3)), set(rng.sample(h.nodes, 3)))
        )
    return found


def _edits(name: str, h: Hierarchy, true: set[str], predicted: set[str]) -> dict[str, Any]:
    """Measure all measures of every edit of one class among up to 300 drawn classes."""
    x = explain(h, true, predicted)
    best, edits = float("inf"), 0
    for _ in range(5):
        start = time.perf_counter()
        edits = len(
            what_if(x, MEASURES, edits_of(x.instance, h.nodes[:300]), engine=all_at_once).edits
        )
        best = min(best, time.perf_counter() - start)
    return {"what": name, "edits": edits, "seconds": best}


def lines(found: dict[str, Any]) -> list[str]:
    """Return the times as Markdown."""
    search = found["search"]
    ratio = search["explain"] / search["engine"]
    of_all = f"All {len(MEASURES)} measures of the {search['instances']:,} instances of every DAG of 4 classes"
    engine, one_by_one = f"{1000 * search['engine']:.0f} ms", f"{search['explain']:.1f} s"
    return [
        f"{of_all} take {engine} of processor time on the array engine. `explain` takes "
        f"{one_by_one} for them, one by one: **{ratio:.0f} ×** as much. The search for all "
        f"properties on trees of up to 5 and DAGs of up to 4 classes takes {search['study']:.1f} s.",
        "",
        "| what if | edits | all measures |",
        "|---|---:|---:|",
        *(
            f"| {row['what']} | {row['edits']:,} | {1000 * row['seconds']:.0f} ms |"
            for row in found["what_if"]
        ),
    ]


if __name__ == "__main__":
    print("\n".join(lines(measure())))
