"""Table 9 of Kosmopoulos et al. 2015 beside the properties that speak of the same: what the paper
judged by hand, and what the search of every small hierarchy finds.

Signs, properties and notes are read from the case file of the table, which checks each sign by a
criterion of its own.
"""

from dataclasses import dataclass
from functools import cache

from hiermeasures.behaviour.search import Verdict
from hiermeasures.cases.format import SituationsFile
from hiermeasures.cases.library import own_cases


@dataclass(frozen=True)
class Judgement:
    """The printed sign of a measure in a situation."""

    situation: str
    sign: str

    def agrees(self, verdict: Verdict) -> bool | None:
        """Compare with a verdict of the property; None where no pair of instances has values."""
        return verdict.holds == (self.sign == "+") if verdict.tested else None


@cache
def table_9() -> SituationsFile:
    files = (file.entries for file in own_cases().files if file.paper == "kosmopoulos2015")
    return next(file for file in files if isinstance(file, SituationsFile) and file.table == "Table 9")


def judgement(prop: str, measure: str) -> Judgement | None:
    table = table_9()
    rows = (row for row in table.situations if prop and row.property == prop and measure in table.columns)
    return next((Judgement(row.situation, table.signs(row)[measure]) for row in rows), None)
