"""Other names in the field for what is read off weighted sums, and the conditions under which it is
the same.
"""

from dataclasses import dataclass
from functools import cache

from hiermeasures.core.data_file import data_file
from hiermeasures.measures.references import cited


@dataclass(frozen=True)
class OtherName:
    """One claim: `measures` (keys, or none where the catalogue has no measure for it), read off the
    sums by `formula`, are `called` so by their `source`, where `condition` holds (empty: always).
    """

    key: str
    called: str
    source: str
    formula: str
    measures: tuple[str, ...] = ()
    condition: str = ""

    @property
    def when(self) -> str:
        return self.condition or "always, with the weights of the source"


@cache
def other_names() -> tuple[OtherName, ...]:
    """Return the names of other_names.yaml."""
    entries = data_file(__package__, "other_names.yaml")
    return tuple(
        OtherName(**e | {"source": cited(e["source"]), "measures": tuple(e.get("measures", ()))}) for e in entries
    )
