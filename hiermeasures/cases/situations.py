"""The situations of Table 9 of Kosmopoulos et al. 2015 beside the properties that speak of the
same: what the paper judged by hand, and what the search of every small hierarchy finds.

The printed signs are read from the case file of the table, which checks each of them by a criterion
of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from hiermeasures.behaviour.search import Verdict
from hiermeasures.cases.format import SituationsFile
from hiermeasures.cases.library import own_cases

PAPER, TABLE = "kosmopoulos2015", "Table 9"


@dataclass(frozen=True)
class Situation:
    """A row of the table; `property` is the key of the property that speaks of it, "" where none
    can, and `note` says why, or what else is to be known.
    """

    name: str
    property: str = ""
    note: str = ""


_FAR = "Between classes 2 · D_max edges apart and more, GIE and MGIA leave both alone, and see no difference any more."

SITUATIONS = (
    Situation("Alternative paths", "second_way_changes_nothing"),
    Situation("Over-specialization", "too_deep_costs", _FAR),
    Situation("Under-specialization", "too_high_costs", _FAR),
    Situation(
        "Pairing Problem",
        note="Speaks of an option: that the error of a class left over does not depend on D_max. A property compares "
        "instances under one and the same. What it means to ask for, that a further error costs, is "
        "`unrelated_error_always_costs`, which all five break.",
    ),
    Situation(
        "Long Distance Problem",
        note="Speaks of classes 12 and more edges apart, where no search of every hierarchy comes.",
    ),
    Situation(
        "Multiple Path Count",
        note="Compares the error of two wrong classes with twice that of one: a sum over predictions, and a property "
        "compares two of them.",
    ),
)


@dataclass(frozen=True)
class Judgement:
    """The printed sign of a measure in a situation."""

    situation: Situation
    sign: str

    def agrees(self, verdict: Verdict) -> bool | None:
        """Compare with a verdict of the property; None where no pair of instances has values."""
        return verdict.holds == (self.sign == "+") if verdict.tested else None


@cache
def printed() -> Mapping[str, Mapping[str, str]]:
    """Return the signs of the table by situation and measure, "+", "−" or "*"."""
    files = (f.entries for f in own_cases().files if f.paper == PAPER and isinstance(f.entries, SituationsFile))
    entries = next(file for file in files if file.table == TABLE)
    return {
        row.situation: {m: sign.replace("-", "−") for m, sign in zip(entries.columns, row.printed, strict=True)}
        for row in entries.situations
    }


def judgement(prop: str, measure: str) -> Judgement | None:
    situation = next((s for s in SITUATIONS if prop and s.property == prop), None)
    sign = printed()[situation.name].get(measure) if situation else None
    return Judgement(situation, sign) if situation and sign else None
