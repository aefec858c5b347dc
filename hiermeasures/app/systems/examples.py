"""Data that the Systems page opens with, drawn from a seed each: labels of a museum's objects with
four systems, and scored terms of kitchen utensils in two namespaces with three systems, each system
with habits of its own.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.ontology import read_ontology

TITLE = "Built-in example"
KEPT = "example.npz"
MUSEUM_SEED, INSTANCES = 2015, 240
UTENSILS_SEED, TARGETS = 2013, 120

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
    rng = np.random.default_rng(MUSEUM_SEED)
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


def kept_rows() -> dict[str, dict[str, np.ndarray]]:
    """Return the columns of the example's instances by system and table, as `docs.make.example` has
    written them: to compute them takes seconds.
    """
    rows: dict[str, dict[str, np.ndarray]] = {}
    with np.load(Path(__file__).with_name(KEPT)) as kept:
        for name in kept.files:
            system, _, table = name.partition("|")
            rows.setdefault(system, {})[table] = kept[name]
    return rows


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


# --- scored terms ---------------------------------------------------------------------------------

# A term, the terms that it is a kind of, and those that it is a part of.
USE = """
use
cutting < use
peeling < cutting
slicing < cutting
grating < cutting
carving < slicing
heating < use
boiling < heating
frying < heating
baking < heating
steaming < boiling
deep-frying < frying boiling
mixing < use
stirring < mixing
whisking < mixing
kneading < mixing
measuring < use
weighing < measuring
timing < measuring
serving < use
ladling < serving
plating < serving
preparing < use
coring < cutting / preparing
tempering < stirring / heating
pouring < serving / measuring
"""
MATERIAL = """
material
metal < material
steel < metal
copper < metal
cast-iron < metal
wood < material
beech < wood
bamboo < wood
mineral < material
ceramic < mineral
glass < mineral
enamel < metal mineral
"""
HEADER = "format-version: 1.2\nontology: utensils\n"
PART_OF = "\n[Typedef]\nid: part_of\nname: part of\n"


@dataclass(frozen=True)
class Habits:
    """Habits of a system: how often it finds a true term, how often exactly and not one above it,
    how many other terms it names at most, and its highest score.
    """

    finds: float
    exact: float
    others: int
    sure: float


SYSTEMS = {"bold": Habits(0.95, 0.75, 6, 1.0), "wary": Habits(0.65, 0.6, 2, 0.75), "coarse": Habits(0.85, 0.3, 3, 0.9)}


def example_files() -> dict[str, str]:
    """Return texts by file name: the ontology, the truth, and `predictions/` of the systems."""
    ontology = "\n".join([HEADER, *_stanzas("use", USE), *_stanzas("material", MATERIAL), PART_OF])
    rng = np.random.default_rng(UTENSILS_SEED)
    namespaces = read_ontology(ontology.encode()).namespaces
    true: dict[str, list[tuple[Hierarchy, str]]] = {}
    for k in range(1, TARGETS + 1):
        use, material = namespaces["use"], namespaces["material"]
        labels = [(use, _any(use, rng)) for _ in range(1 + (rng.random() < 0.5) + (rng.random() < 0.2))]
        true[f"K{k:03d}"] = [*labels, (material, _any(material, rng))] if rng.random() < 0.8 else labels
    files = {"utensils.obo": ontology, "truth.tsv": _lines({t: {c: "" for _, c in true[t]} for t in true})}
    for name, habits in SYSTEMS.items():
        scores = {t: dict(_scores(labels, habits, rng)) for t, labels in true.items()}
        files[f"predictions/{name}.tsv"] = _lines({t: {c: f"{s:.3f}" for c, s in scores[t].items()} for t in true})
    return files


def example_archive() -> bytes:
    """The same files in a ZIP archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in example_files().items():
            archive.writestr(zipfile.ZipInfo(f"utensils/{name}"), text, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _stanzas(namespace: str, text: str) -> Iterator[str]:
    for line in text.split("\n"):
        term, _, above = line.partition(" < ")
        if term:
            kinds, _, wholes = above.partition(" / ")
            yield f"[Term]\nid: {term}\nname: {term.replace('-', ' ')}\nnamespace: {namespace}"
            yield from (f"is_a: {parent}" for parent in kinds.split())
            yield from (f"relationship: part_of {whole}" for whole in wholes.split())
            yield ""


def _any(h: Hierarchy, rng: np.random.Generator) -> str:
    """A term below the root, one near it less often."""
    return h.nodes[1 + int((len(h) - 1) * rng.random() ** 0.6)]


def _scores(true: list[tuple[Hierarchy, str]], habits: Habits, rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    for h, label in true:
        found = label if rng.random() < habits.exact else h.parents(label)[0]
        if rng.random() < habits.finds:
            yield found, habits.sure * (0.1 + 0.9 * rng.random() ** 0.7)
        for _ in range(int(rng.integers(habits.others + 1))):
            other = _any(h, rng)
            if other != found:
                yield other, 0.01 + 0.9 * habits.sure * rng.random() ** 1.6


def _lines(found: Mapping[str, Mapping[str, str]]) -> str:
    rows = [(target, term, *filter(None, [score])) for target, cells in found.items() for term, score in cells.items()]
    return "".join("\t".join(row) + "\n" for row in rows)
