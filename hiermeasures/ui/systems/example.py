"""The data set that the Systems page opens with: a small tree, its instances, and four systems with habits of their
own.

Everything is drawn from one seed, so that it is the same everywhere.
"""

import numpy as np

from hiermeasures.hierarchy import Hierarchy

TITLE = "Built-in example"
SEED = 2015
INSTANCES = 240

MUSEUM = {
    "Collection": {
        "Painting": {
            "Portrait": ["Self-portrait", "Group portrait"],
            "Landscape": ["Seascape", "Mountains", "City view"],
            "Still life": None,
        },
        "Sculpture": {"Statue": ["Bronze", "Marble"], "Relief": None},
        "Paper": {"Print": ["Woodcut", "Etching", "Lithograph"], "Drawing": ["Chalk", "Ink"], "Photograph": None},
        "Object": {
            "Vessel": ["Vase", "Bowl", "Jug"],
            "Furniture": ["Chair", "Cabinet"],
            "Instrument": ["Lute", "Violin"],
        },
    }
}

LabelSets = list[frozenset[str]]


def example() -> tuple[Hierarchy, list[str], LabelSets, dict[str, LabelSets]]:
    """The hierarchy, the ids, the true classes, and every system's predicted classes."""
    h = Hierarchy.from_nested(MUSEUM)
    rng = np.random.default_rng(SEED)
    leaves = sorted(h.leaves, key=h.index)
    # A few classes are common and most are rare, as in real collections.
    share = 1 / np.arange(2, len(leaves) + 2)
    rng.shuffle(share)
    share /= share.sum()
    sizes = rng.choice([1, 2, 3], INSTANCES, p=[0.7, 0.25, 0.05])
    true = [frozenset(rng.choice(leaves, size, replace=False, p=share).tolist()) for size in sizes]
    habits = {"cautious": _cautious, "near miss": _near_miss, "generous": _generous, "all or nothing": _all_or_nothing}
    systems = {name: [habit(h, t, leaves, rng) for t in true] for name, habit in habits.items()}
    return h, [f"M{k:04d}" for k in range(1, INSTANCES + 1)], true, systems


def _cautious(h: Hierarchy, true: frozenset[str], leaves: list[str], rng: np.random.Generator) -> frozenset[str]:
    """Says the class above where it is unsure."""
    return frozenset(t if rng.random() < 0.5 else h.parents(t)[0] for t in sorted(true))


def _near_miss(h: Hierarchy, true: frozenset[str], leaves: list[str], rng: np.random.Generator) -> frozenset[str]:
    """Confuses siblings, hardly anything else."""
    return frozenset(t if rng.random() < 0.64 else _one(sorted(h.siblings(t)), rng) for t in sorted(true))


def _generous(h: Hierarchy, true: frozenset[str], leaves: list[str], rng: np.random.Generator) -> frozenset[str]:
    """Finds most true classes, and adds classes that are not true."""
    found = {t for t in sorted(true) if rng.random() < 0.88}
    return frozenset(found | {_one(leaves, rng) for _ in range(rng.choice([0, 1, 2], p=[0.35, 0.4, 0.25]))})


def _all_or_nothing(h: Hierarchy, true: frozenset[str], leaves: list[str], rng: np.random.Generator) -> frozenset[str]:
    """Right in full, or somewhere else altogether."""
    return true if rng.random() < 0.63 else frozenset({_one(leaves, rng)})


def _one(labels: list[str], rng: np.random.Generator) -> str:
    return labels[rng.integers(len(labels))]
