"""Mistakes and the confusion matrix of a hierarchy, compared with `pandas.crosstab` of flat labels.

    python benchmarks/mistakes.py

Both work on the same labels in the same run. Ours begins with labels in arrays. `crosstab` begins
with a column of names on each side, the first label of each instance.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hiermeasures import Hierarchy
from hiermeasures.evaluation.confusion_matrix import confuse_systems
from hiermeasures.evaluation.encode import EncodedLabels, Sides, encode
from hiermeasures.evaluation.mistakes import PairedLabels, pair_all, tabulate_mistakes
from hiermeasures.read import align, read_hierarchy, read_labels

GERMEVAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "germeval2019"
MILLION = 1_000_000


def measure() -> list[dict[str, Any]]:
    """Measure processor time in seconds."""
    return [_compare(*case) for case in (_read_germeval(), _draw_million(1), _draw_million(4))]


def _compare(what: str, h: Hierarchy, systems: list[Sides]) -> dict[str, Any]:
    names = np.array([*h.nodes, ""], object)
    paired: list[PairedLabels] = []

    def pair() -> None:
        paired[:] = [pair_all(h, *sides) for sides in systems]

    def crosstab() -> None:
        for sides in systems:
            pd.crosstab(*(pd.Series(names[_take_first(side)]) for side in sides))

    def confuse(level: int) -> Callable[[], object]:
        return lambda: [confuse_systems({"": each}, level) for each in paired]

    return {
        "what": what,
        "pairs": _seconds(pair),
        "kinds": _seconds(lambda: [tabulate_mistakes(each) for each in paired]),
        "top": _seconds(confuse(1)),
        "all": _seconds(confuse(h.depth)),
        "crosstab": _seconds(crosstab),
    }


def _seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """Return the shortest processor time of some runs."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def _take_first(side: EncodedLabels) -> np.ndarray:
    """Return the first class of each instance, or −1."""
    return np.where(np.diff(side.ptr) > 0, np.append(side.idx, -1)[side.ptr[:-1]], -1)


def _read_germeval() -> tuple[str, Hierarchy, list[Sides]]:
    """Return the eight systems of GermEval 2019 B, or labels of the size."""
    if not GERMEVAL.exists():
        h = Hierarchy.from_edges(_list_edges((8, 7, 5)))
        systems = [_draw(h, 4157, 2, seed) for seed in range(8)]
        return "4,157 instances of 8 systems, 345 classes", h, systems
    h = read_hierarchy(GERMEVAL / "hierarchy.txt")
    truth = read_labels(GERMEVAL / "blurbs_test_label.txt", task="b")
    systems = []
    for file in sorted((GERMEVAL / "submissions").iterdir()):
        aligned = align(truth, read_labels(file, task="b"))
        systems.append((encode(h, list(aligned.true)), encode(h, list(aligned.predicted))))
    return f"GermEval 2019 B, 4,157 instances of {len(systems)} systems", h, systems


def _draw_million(labels: int) -> tuple[str, Hierarchy, list[Sides]]:
    h = Hierarchy.from_edges(_list_edges((20, 20, 24)))
    what = f"10⁶ instances, {labels} label{'s' * (labels > 1)} each, a tree of {len(h):,} classes"
    return what, h, [_draw(h, MILLION, labels, 0)]


def _list_edges(sizes: tuple[int, ...]) -> list[tuple[str, str]]:
    edges, above = [], ["R"]
    for size in sizes:
        below = [(name, f"{name}.{k}") for name in above for k in range(size)]
        edges += below
        above = [name for _, name in below]
    return edges


def _draw(h: Hierarchy, n: int, labels: int, seed: int) -> Sides:
    """Return labels. About half of them are right."""
    rng = np.random.default_rng(seed)
    leaves = np.sort([h.index(leaf) for leaf in h.leaves])
    true = rng.choice(leaves, (n, labels))
    predicted = np.where(rng.random(true.shape) < 0.5, true, rng.choice(leaves, true.shape))
    return _encode(true), _encode(predicted)


def _encode(numbers: np.ndarray) -> EncodedLabels:
    """Return rows of class numbers, each number once."""
    numbers = np.sort(numbers, axis=1)
    kept = np.diff(numbers, axis=1, prepend=-1) > 0
    ptr = np.append(0, np.cumsum(kept.sum(axis=1))).astype(np.int64)
    return EncodedLabels(ptr, numbers[kept].astype(np.int32))


def lines(found: list[dict[str, Any]]) -> list[str]:
    """Return the rows of a table in Markdown."""
    head = ["work", "pairs", "kinds", "top classes", "every class", "crosstab", "ratio"]
    rows = [
        [
            each["what"],
            *(_write_time(each[name]) for name in ("pairs", "kinds", "top", "all", "crosstab")),
            f"{each['crosstab'] / (each['pairs'] + each['all']):.1f} ×",
        ]
        for each in found
    ]
    body = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return [body[0], "|---|---:|---:|---:|---:|---:|---:|", *body[1:]]


def _write_time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


if __name__ == "__main__":
    print("\n".join(lines(measure())))
