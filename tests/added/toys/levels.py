"""A measure with a structure of its own, in the one module that it costs: on which level the
deepest classes are.

test_added.py puts it into the folder of the measures.
"""

from dataclasses import dataclass

from hiermeasures.hierarchy.options import Options
from hiermeasures.measures.catalogue import Derivation, Family, Instance, Measure, Structure


@dataclass(frozen=True)
class Levels:
    """The level of the deepest class of each side; 0 where there is none."""

    true: int
    predicted: int


def levels(instance: Instance) -> Levels:
    level = instance.hierarchy.level
    return Levels(
        *(max(map(level, side), default=0) for side in (instance.true, instance.predicted))
    )


def changes(before: Levels, after: Levels, options: Options) -> list[str]:
    moved = f"the deepest prediction is on level {after.predicted} instead of {before.predicted}"
    return [moved] if before.predicted != after.predicted else []


def derive(built: Levels, value: float, options: Options) -> Derivation:
    return Derivation(
        f"|{built.true} - {built.predicted}| = {value:g}",
        f"Levels {built.true} and {built.predicted}.",
    )


FAMILY = Family(
    key="levels",
    title="Levels",
    description="How deep each side goes.",
    rank=9,
    exercises=("level_gap",),
)
LEVELS = Structure(
    key="levels",
    family=FAMILY,
    build=levels,
    columns=("true", "predicted"),
    meanings=("level of the deepest true class", "level of the deepest predicted class"),
    row=lambda built, options: (built.true, built.predicted),
    changes=changes,
)
MEASURES = (
    Measure(
        key="level_gap",
        function="level_gap_error",
        symbol="L",
        name="Level gap",
        structure=LEVELS,
        read=lambda c, options: abs(c.true - c.predicted),
        formula="|l(Y) - l(P)|",
        derive=derive,
        description="How many levels the deepest classes of the two sides are apart.",
        source="made up",
        better="lower",
        high=None,
        pooled="never",
    ),
)
