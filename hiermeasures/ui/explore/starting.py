"""What a drawing can start from: a blank root, or a template.

Hierarchies only; random ones are behaviour/random_hierarchies.py's, and how all are offered is decided in loading.py.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hiermeasures.hierarchy import Hierarchy


@dataclass(frozen=True)
class Start:
    """A hierarchy to start from: its title, a sentence about it, and how it is made."""

    key: str
    title: str
    about: str
    make: Callable[[], Hierarchy]


def blank() -> Hierarchy:
    """One class, A."""
    return Hierarchy.from_edges([], ["A"])


def binary_tree(depth: int = 3) -> Hierarchy:
    """A tree of two children each, in which the name of a class tells the turns that lead to it.

    >>> binary_tree(1).edges, len(binary_tree(3))
    ((('root', '0'), ('root', '1')), 15)
    """
    edges: list[tuple[str, str]] = []
    layer = [""]
    for _ in range(depth):
        edges += [(turns or "root", turns + turn) for turns in layer for turn in "01"]
        layer = [turns + turn for turns in layer for turn in "01"]
    return Hierarchy.from_edges(edges)


def icd9_364() -> Hierarchy:
    """The family 364 of ICD-9-CM, disorders of iris and ciliary body: codes with one digit after the point, and with
    two.
    """
    codes = {
        "364.0": "0 1 2 3 4 5",
        "364.1": "0 1",
        "364.2": "1 2 3 4",
        "364.3": "",
        "364.4": "1 2",
        "364.5": "1 2 3 4 5 6 7 9",
        "364.6": "0 1 2 3 4",
        "364.7": "0 1 2 3 4 5 6 7",
        "364.8": "1 9",
        "364.9": "",
    }
    return Hierarchy.from_edges(
        [*(("364", code) for code in codes), *((c, c + d) for c, digits in codes.items() for d in digits.split())]
    )


def animals() -> Hierarchy:
    """Animals by kinship and by where they live, so that a penguin has two parents and so has a whale."""
    return Hierarchy.from_nested(
        {
            "animal": {
                "mammal": {"dog": ["poodle", "terrier"], "cat": None, "bat": None, "whale": ["orca", "blue whale"]},
                "bird": {"owl": None, "eagle": None, "penguin": None},
                "fish": {"shark": None, "salmon": None},
                "swimmer": {"whale": None, "penguin": None, "fish": None},
                "flyer": {"bat": None, "owl": None, "eagle": None},
            }
        }
    )


STARTS: dict[str, Start] = {
    start.key: start
    for start in (
        Start("blank", "Blank root", "One class to add to.", blank),
        Start("binary", "Binary tree", "Fifteen classes on four levels.", binary_tree),
        Start("icd9", "ICD-9 364", "Disorders of the iris, three levels.", icd9_364),
        Start("animals", "Animals", "A DAG: a bat is a mammal and a flyer.", animals),
    )
}
