"""The files that the evaluation of scored terms opens with: a small ontology of utensils with two namespaces, what is
true of them, and the scores of three systems with habits of their own.

Everything is drawn from one seed, so that it is the same everywhere.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.ontology import read_ontology

TITLE = "Built-in example"
SEED = 2013
TARGETS = 120

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
    """How often a system finds a true term, and how often this very term and not one above it; how many other terms it
    names at most; and its highest score.
    """

    finds: float
    exact: float
    others: int
    sure: float


SYSTEMS = {"bold": Habits(0.95, 0.75, 6, 1.0), "wary": Habits(0.65, 0.6, 2, 0.75), "coarse": Habits(0.85, 0.3, 3, 0.9)}


def example_files() -> dict[str, str]:
    """The texts by the names of the files: the ontology, the truth, and a file in `predictions/` for each system."""
    ontology = "\n".join([HEADER, *_stanzas("use", USE), *_stanzas("material", MATERIAL), PART_OF])
    rng = np.random.default_rng(SEED)
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
