"""Times the areas under all per-instance curves on Hierarchical WikiVitals' tree, and checks a
sample against scikit-learn.

    python benchmarks/probability_curves.py [--instances 2003] [--sample 4]

The tree and the true labels are read from ../shared/data/hwv; without them a random tree with as
many classes on each level stands in. Probabilities are synthetic: a conditional softmax over random
logits that lean towards the true path.
"""

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np

from hiermeasures import Hierarchy
from hiermeasures.evaluation.scores import ProbabilityTable, file_sweep, instance_areas

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "hwv"
CLASSES_PER_LEVEL = (11, 109, 381, 437, 244, 4)  # Plaud et al. 2024, Table 1


def wikivitals() -> tuple[Hierarchy, list[set[str]]]:
    """The real tree and the labels of its 2,003 test instances."""
    lines = (DATA / "hwv.taxonomy").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip()]
    hierarchy = Hierarchy.from_edges((row[0], child) for row in rows for child in row[1:])
    labels = [
        set(json.loads(line)["label"])
        for line in (DATA / "hwv_test_labels.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return hierarchy, labels


def lookalike(rng: np.random.Generator) -> tuple[Hierarchy, list[set[str]]]:
    """A random tree with as many classes on each level, and 2,003 random leaves of it."""
    edges, above = [], ["root"]
    for level, size in enumerate(CLASSES_PER_LEVEL, start=1):
        here = [f"{level}.{i}" for i in range(size)]
        edges += [(above[int(rng.integers(len(above)))], c) for c in here]
        above = here
    hierarchy = Hierarchy.from_edges(edges)
    leaves = sorted(hierarchy.leaves)
    return hierarchy, [{leaves[int(i)]} for i in rng.integers(len(leaves), size=2003)]


def synthetic(
    hierarchy: Hierarchy, labels: list[set[str]], rng: np.random.Generator
) -> ProbabilityTable:
    """A conditional softmax over standard normal logits, the true path's raised by 2."""
    logits = rng.normal(size=(len(labels), len(hierarchy)))
    for i, classes in enumerate(labels):
        path = {a for c in classes for a in hierarchy.up(c)}
        logits[i, [hierarchy.index(c) for c in path]] += 2
    return ProbabilityTable.of(hierarchy, logits, kind="conditional_softmax")


def plain_area(chance: np.ndarray, truth: np.ndarray) -> float:
    """The area by scikit-learn at every distinct probability; `chance` must be coherent, the root
    left out.
    """
    from sklearn.metrics import auc, precision_score, recall_score

    taus = [*np.unique(chance)[::-1], 0.0]
    precision = [precision_score(truth, chance > tau, zero_division=1) for tau in taus]
    recall = [recall_score(truth, chance > tau) for tau in taus]
    return float(auc(recall, precision))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=2003)
    parser.add_argument(
        "--sample", type=int, default=4, help="instances compared with scikit-learn"
    )
    settings = parser.parse_args()
    rng = np.random.default_rng(7)
    hierarchy, labels = wikivitals() if DATA.exists() else lookalike(rng)
    labels = [labels[i % len(labels)] for i in range(settings.instances)]
    begin = time.perf_counter()
    table = synthetic(hierarchy, labels, rng)
    built = time.perf_counter()
    areas = instance_areas(table, labels)
    done = time.perf_counter()
    print(f"{hierarchy!r}, {len(table):,} instances, {os.cpu_count()} cores")
    print(f"probabilities by conditional softmax   {built - begin:8.3f} s")
    print(
        f"all per-instance areas                 {done - built:8.3f} s   mean area {areas.mean:.4f}"
    )
    others = {"sweep of 101 thresholds": lambda: file_sweep(table, labels)}
    for name, work in others.items():
        begin = time.perf_counter()
        work()
        print(f"{name:38} {time.perf_counter() - begin:8.3f} s")
    chosen = rng.choice(len(table), size=min(settings.sample, len(table)), replace=False)
    begin = time.perf_counter()
    worst = 0.0
    for i in chosen:
        truth = np.zeros(len(hierarchy), bool)
        truth[[hierarchy.index(a) for c in labels[i] for a in hierarchy.up(c)]] = True
        worst = max(worst, abs(plain_area(table.values[i, 1:], truth[1:]) - areas.areas[i]))
    spent = time.perf_counter() - begin
    print(
        f"scikit-learn, {len(chosen)} instances            {spent:8.3f} s   largest difference "
        f"{worst:.1e}"
    )
    print(
        f"ratio per instance                     "
        f"{spent / len(chosen) / ((done - built) / len(table)):8,.0f} x"
    )


if __name__ == "__main__":
    main()
