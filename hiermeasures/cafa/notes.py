"""Notes on a file of predictions, beside CAFA's tables: lines whose terms are not in the ontology
under this name, and targets without truth. It is counted, so that pieces of a file join.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hiermeasures.core.errors import listed
from hiermeasures.engine.exact import sum_of_fields
from hiermeasures.formats.annotations import Annotations
from hiermeasures.formats.ontology import Ontology
from hiermeasures.measures.catalogue import counted

FIRST = 3  # names in a note


@dataclass(frozen=True, eq=False)
class Noticed:
    """Of a file or a piece of it: the number of its lines, the lines for each term that is not
    simply one of the ontology, and the targets without truth: a hash of 64 bits for each, and the
    first few by name.
    """

    lines: int
    times: Mapping[str, int]
    left_out: np.ndarray
    first: tuple[str, ...]

    @classmethod
    def of(cls, file: Annotations, known: pd.Index, ontology: Ontology) -> "Noticed":
        """`known` are the targets with truth."""
        left = file.targets[known.get_indexer(pd.Index(file.targets)) < 0]  # `isin` takes ten times as long
        hashes = pd.util.hash_array(left.astype(object), categorize=False) if len(left) else np.zeros(0, np.uint64)
        return cls(len(file), times_of(file, ontology), np.unique(hashes), tuple(sorted(left.tolist())[:FIRST]))

    def __add__(self, other: "Noticed") -> "Noticed":
        times = sum_of_fields(self.times, other.times)
        first = tuple(sorted({*self.first, *other.first})[:FIRST])
        return Noticed(self.lines + other.lines, times, np.union1d(self.left_out, other.left_out), first)

    def notes(self, name: str, ontology: Ontology, *, evaluated: bool) -> Iterator[str]:
        """In sentences; `evaluated` says whether the file has a score for a target with truth."""
        yield from term_notes(name, self.times, ontology)
        if count := len(self.left_out):
            names = listed(self.first, FIRST, count)
            yield f"{name}: {counted(count, 'target')} without truth ({names}) left out"
        if not evaluated:
            yield f"{name}: no prediction for a target with truth; not evaluated"


NOTHING = Noticed(0, {}, np.zeros(0, np.uint64), ())
"""Of no lines."""


def terms_of(ontology: Ontology, term: str) -> tuple[str, ...]:
    """The terms that an id stands for; none where it is unknown or obsolete."""
    return (term,) if term in ontology.namespace_of else ontology.alternative.get(term, ())


def times_of(file: Annotations, ontology: Ontology) -> dict[str, int]:
    """The number of lines of each term that is unknown, obsolete, or an alternative id."""
    odd = [i for i, term in enumerate(file.terms) if str(term) not in ontology.namespace_of]
    times = np.bincount(file.term, minlength=len(file.terms))
    return {str(file.terms[i]): int(times[i]) for i in odd}


def term_notes(name: str, times: Mapping[str, int], ontology: Ontology) -> Iterator[str]:
    """Name in sentences what is unknown, obsolete or called by another name."""
    kinds: dict[str, list[str]] = {"unknown": [], "obsolete": [], "alternative": []}
    for term in times:
        known = "obsolete" if term in ontology.obsolete else "unknown"
        kinds["alternative" if terms_of(ontology, term) else known].append(term)
    ends = {"unknown": "left out", "obsolete": "left out", "alternative": "read as the terms they stand for"}
    for kind, terms in kinds.items():
        if terms:
            what = counted(len(terms), f"{kind} {'id' if kind == 'alternative' else 'term'}")
            lines = counted(sum(times[term] for term in terms), "line")
            yield f"{name}: {lines} with {what} ({listed(terms, FIRST)}) {ends[kind]}"
