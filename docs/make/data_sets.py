"""Properties of averages over a data set.

They are about one more instance, a better answer, repeated instances and constant answers. Each is
tried under every average on small random data sets, the smallest first, and on known ones. Some are
proved for the mean over instances (`samples`), if each instance has a value. Then the property
contains its proof.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from hiermeasures.debug.properties import BY_CELL, better, no_worse, the_same
from hiermeasures.debug.search import chosen_measures, number_text
from hiermeasures.debug.worlds import World, random_world
from hiermeasures.evaluation import evaluate
from hiermeasures.evaluation.averages import AVERAGES, Average
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import Measure

Rows = tuple[tuple[int, int], ...]  # true and predicted classes of each instance, as masks
Relation = Callable[..., np.ndarray]


@dataclass(frozen=True)
class DataProperty:
    """One property of an average.

    `data` makes the data sets to compare. `relation` tells from a measure and their values if the
    property is kept. Data sets that it is not about count as kept. `proof` is for the mean over
    instances. With `of_perfect`, it is only for measures with one perfect value, the best one.
    """

    key: str
    name: str
    says: str
    data: Callable[[Random, World], tuple[Rows, ...]]
    relation: Relation
    proof: str = ""
    of_perfect: bool = False
    known: Callable[[], Iterable[tuple[World, tuple[Rows, ...]]]] = tuple


def _some(rng: Random, world: World, least: int) -> int:
    size = min(world.classes, max(least, rng.choice((1, 1, 1, 2, 3))))
    return sum(1 << c for c in rng.sample(range(world.classes), size))


def _rows(rng: Random, world: World, most: int = 3) -> Rows:
    return tuple((_some(rng, world, 1), _some(rng, world, 1)) for _ in range(rng.randint(1, most)))


def _another_perfect(rng: Random, world: World) -> tuple[Rows, ...]:
    rows, true = _rows(rng, world), _some(rng, world, 1)
    return rows, (*rows, (true, true))


def _another_answer(rng: Random, world: World) -> tuple[Rows, ...]:
    (true, predicted), *others = _rows(rng, world)
    other = (true, _some(rng, world, 1))
    return ((true, predicted), *others), (other, *others), ((true, predicted),), (other,)


def _two_systems(rng: Random, world: World) -> tuple[Rows, ...]:
    one = _rows(rng, world)
    other = tuple((true, _some(rng, world, 1)) for true, _ in one)
    same = (_some(rng, world, 1), _some(rng, world, 1))
    return one, other, (*one, same), (*other, same)


def _twice(rng: Random, world: World) -> tuple[Rows, ...]:
    rows = _rows(rng, world)
    return rows, rows + rows


def _more_of_a_class(rng: Random, world: World) -> tuple[Rows, ...]:
    rows = _rows(rng, world)
    return rows, rows + tuple(row for row in rows if row[0] == rows[0][0])


def _constant(rng: Random, world: World) -> tuple[Rows, ...]:
    true = [row[0] for row in _rows(rng, world)]
    return tuple(tuple((t, 1 << c) for t in true) for c in rng.sample(range(world.classes), 2))


# --- known data sets, larger than the random ones -----------------------------------------------


def _named(edges: str, *data: Sequence[tuple[str, str]]) -> tuple[World, tuple[Rows, ...]]:
    world = World.of(Hierarchy.from_edges(tuple(edge.split(">")) for edge in edges.split()))
    return world, tuple(
        tuple((world.mask(t.split()), world.mask(p.split())) for t, p in rows) for rows in data
    )


def _many(letter: str, n: int) -> str:
    return " ".join(f"{letter}{k}" for k in range(n))


def _crowded_answers() -> Iterator[tuple[World, tuple[Rows, ...]]]:
    """Return a wrong answer, and an answer that is right among many wrong classes.

    The second one is better by itself. Next to an instance with many classes it is worse, if
    classes are summed.
    """
    for wrong in (6, 9, 12):
        edges = "R>s s>t t>u R>v v>w " + " ".join(f"R>x{k}" for k in range(12))
        large, crowd = (_many("x", 9), _many("x", 9)), f"u {_many('x', wrong)}"
        for poor in ("w", "v"):
            yield _named(
                edges, [("u", poor), large], [("u", crowd), large], [("u", poor)], [("u", crowd)]
            )


def _short_and_long_answers() -> Iterator[tuple[World, tuple[Rows, ...]]]:
    """Return two answers: two of two right, or three of five right.

    If many wrong classes are added to both, their order changes.
    """
    edges = "R>t R>a0 R>a1 R>a2 " + " ".join(f"R>x{k}" for k in range(9))
    one, other = ("a0 a1 a2", "a0 a1"), ("a0 a1 a2", "a0 a1 a2 x0 x1")
    same = ("t", _many("x", 9))
    yield _named(edges, [one], [other], [one, same], [other, same])


# --- relations ----------------------------------------------------------------------------------


def _order_kept(
    m: Measure, one: np.ndarray, other: np.ndarray, one_more: np.ndarray, other_more: np.ndarray
) -> np.ndarray:
    kept: np.ndarray = ~(better(m, one, other) & better(m, other_more, one_more))
    kept &= ~(better(m, other, one) & better(m, one_more, other_more))
    return kept


def _follows(
    m: Measure, all_: np.ndarray, other: np.ndarray, single: np.ndarray, single_other: np.ndarray
) -> np.ndarray:
    kept: np.ndarray = ~better(m, single, single_other) | no_worse(m, all_, other)
    return kept


_DECLARED = (
    DataProperty(
        "another_perfect_answer_helps",
        "Another perfect answer helps",
        "One more instance with a perfect answer does not make the value worse.",
        _another_perfect,
        no_worse,
        "The mean of some values and the best value is between the two.",
        of_perfect=True,
    ),
    DataProperty(
        "improving_an_instance_helps",
        "Improving an instance helps",
        "A better answer to one instance does not make the value of all instances worse.",
        _another_answer,
        _follows,
        "One of the summed values gets better, and the others stay the same.",
        known=_crowded_answers,
    ),
    DataProperty(
        "same_answers_keep_the_order",
        "The same answers keep the order",
        "One more instance with equal answers does not change the order of two systems.",
        _two_systems,
        _order_kept,
        "Both sums grow by the same value and are divided by the same number.",
        known=_short_and_long_answers,
    ),
    DataProperty(
        "twice_the_data_changes_nothing",
        "Twice the data changes nothing",
        "If every instance occurs twice, the value stays the same.",
        _twice,
        the_same,
        "The sum and the number of instances are both doubled.",
    ),
    DataProperty(
        "class_frequency_changes_nothing",
        "Class frequency changes nothing",
        "If all instances with one set of true classes occur twice, the value stays the same.",
        _more_of_a_class,
        the_same,
    ),
    DataProperty(
        "constant_answers_are_equal",
        "Constant answers are equal",
        "Each of two systems always predicts one class. Both get the same value. If this "
        "constant baseline is true for them, it is true for random answers too.",
        _constant,
        the_same,
    ),
)
DATA_PROPERTIES: dict[str, DataProperty] = {declared.key: declared for declared in _DECLARED}


@dataclass
class DataVerdict:
    """The verdict on one property, measure and average.

    It has the number of data sets with all values, the smallest one that broke the property with
    its values, and the proof, if any.
    """

    tried: int = 0
    example: tuple[World, tuple[Rows, ...]] | None = None
    values: tuple[float, ...] = ()
    proof: str = field(default="", compare=False)

    @property
    def mark(self) -> str:
        if self.example is not None:
            return "✗"
        return "–" if not self.tried else "✓ theorem" if self.proof else "✓"

    @property
    def pictures(self) -> str:
        """The example in one line: the hierarchy and the instances of each data set."""
        if self.example is None:
            return ""
        world, data = self.example
        return f"{world.edges}; " + " → ".join(
            " ".join(_row(world, row) for row in rows) for rows in data
        )

    @property
    def change(self) -> str:
        return " → ".join(map(number_text, self.values))


def _row(world: World, row: tuple[int, int]) -> str:
    true, predicted = (",".join(world.named(mask)) for mask in row)
    return f"[{true} | {predicted}]"


def study_data(
    measures: Iterable[str | Measure] | None = None,
    *,
    tries: int = 100,
    seed: int = 0,
    options: Options | None = None,
) -> dict[str, dict[str, dict[Average, DataVerdict]]]:
    """Return the verdicts by property, measure and average. Equal seeds give equal verdicts.

    Examples
    --------
    >>> found = study_data(["hP"], tries=20)["improving_an_instance_helps"]["hP"]
    >>> found["samples"].mark
    '✓ theorem'
    """
    declared, rng = chosen_measures(measures), Random(seed)
    worlds = sorted(
        (random_world(rng, rng.randint(3, 6), k % 2 == 0) for k in range(tries)),
        key=lambda w: w.size,
    )
    found = {
        p.key: {m.key: {a: DataVerdict(proof=_proof(p, m, a)) for a in AVERAGES} for m in declared}
        for p in DATA_PROPERTIES.values()
    }
    for p in DATA_PROPERTIES.values():
        for world, data in (*((world, p.data(rng, world)) for world in worlds), *p.known()):
            values = [_values(world, rows, declared, options) for rows in data]
            for m in declared:
                for average, verdict in found[p.key][m.key].items():
                    _judge(p, m, verdict, (world, data), [v[m.key, average] for v in values])
    return found


def _values(
    world: World, rows: Rows, measures: Sequence[Measure], options: Options | None
) -> dict[tuple[str, str], float]:
    sides = [[world.named(row[k]) for row in rows] for k in (0, 1)]
    averages = evaluate(world.hierarchy, *sides, measures=measures, options=options).averages
    return {
        (m.key, average): float(averages.loc[m.key, average])
        for m in measures
        for average in AVERAGES
    }


def _judge(
    p: DataProperty,
    m: Measure,
    verdict: DataVerdict,
    example: tuple[World, tuple[Rows, ...]],
    values: list[float],
) -> None:
    if verdict.example is not None or np.isnan(values).any():
        return
    verdict.tried += 1
    if not bool(p.relation(m, *np.array(values))):
        verdict.example, verdict.values = example, tuple(values)


# on some instances. The mean leaves these out
WITHOUT_VALUES = {"TIE", "all_pairs", "own_pairing", "own_accuracy"}


def _proof(p: DataProperty, m: Measure, average: str) -> str:
    """Return the proof for this measure, or "". It needs a mean of instances that all have values."""
    meant = average == "samples" and m.pooled != "always" and m.key not in WITHOUT_VALUES
    perfect = all((key, m.key) in BY_CELL for key in ("perfect_is_best", "perfect_is_the_same"))
    return p.proof if meant and (perfect or not p.of_perfect) else ""
