"""Named conventions: what programs and papers compute under the names that they print, read from
protocols.yaml.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hiermeasures.core.data_file import data_file
from hiermeasures.core.errors import InputError, unknown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.forensics.decisions import Scores
from hiermeasures.forensics.grid import OTHER_NAMES, Convention, measures
from hiermeasures.forensics.search import values_of


@dataclass(frozen=True)
class Protocol:
    """A program or paper: where its conventions were read, and the convention of each number that
    it prints.

    `note` says what they leave out; `field` is the community in which it is used.
    """

    key: str
    title: str
    source: str
    read: str
    numbers: Mapping[str, Convention]
    note: str
    field: str = ""

    def values(self, hierarchy: Hierarchy, y_true: Sequence[Any], y_pred: Sequence[Any] | Scores) -> dict[str, float]:
        """Compute its numbers over rows of labels, or over scores where its conventions name a
        decision.

        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
        >>> protocol("hiclass").values(h, [{"T1"}], [{"P1"}])["f1_micro"]
        0.5
        """
        if not self.numbers:
            raise InputError(f"{self.key} prints no number of two sets of labels: {self.note}")
        return dict(zip(self.numbers, values_of(hierarchy, y_true, y_pred, list(self.numbers.values())), strict=True))


@lru_cache(maxsize=1)
def protocols() -> Mapping[str, Protocol]:
    """The protocols by key."""
    found = {}
    for key, entry in data_file(__package__, "protocols.yaml").items():
        numbers = {name: Convention.parse(text) for name, text in entry.pop("numbers").items()}
        found[key] = Protocol(key=key, numbers=numbers, **entry)
    return found


def protocol(name: str) -> Protocol:
    """Return a protocol by its key, or that of one convention by its id; InputError names the
    nearest for an unknown one.

    >>> protocol("F|average:micro").numbers["F|average:micro"]["ancestors"]
    'both'
    """
    if name not in protocols() and name.partition("|")[0] in (*measures(), *OTHER_NAMES):
        said = Convention.parse(name)
        return Protocol(said.id, "A convention", said.sentence(), "", {said.id: said}, "")
    if name not in protocols():
        raise InputError(unknown("protocol", name, protocols()))
    return protocols()[name]
