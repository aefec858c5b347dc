"""Where the labels of a class went, against plain Python on random hierarchies."""

import random
from collections import defaultdict
from fractions import Fraction

import pytest

from hiermeasures.evaluation import encode
from hiermeasures.evaluation.destinations import find_destinations
from hiermeasures.evaluation.mistakes import pair_all
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures.mistakes import pair_labels


def make_hierarchy(rng: random.Random, parents: int) -> Hierarchy:
    """Return 14 classes, each with up to this many parents."""
    edges = [
        (f"c{p}", f"c{k}")
        for k in range(1, 14)
        for p in rng.sample(range(k), min(k, rng.randint(1, parents)))
    ]
    return Hierarchy.from_edges(edges)


def group(
    h: Hierarchy, label: str, true: str, predicted: str | None
) -> list[tuple[str, str | None]]:
    """The relation and branches of a pair, by the sets of ancestors."""
    if predicted is None:
        return [("nothing", None)]
    if predicted == true:
        return [("right", None)]
    if predicted == label or predicted in h.ancestors(label):
        return [("above", predicted)]
    up = h.ancestors(predicted) | {predicted}
    if label in up:
        return [("inside", c) for c in up if label in h.parents(c)]
    above = h.ancestors(label)
    return [("outside", c) for c in up - above if above & {*h.parents(c)}]


@pytest.mark.parametrize("parents", [1, 3])
@pytest.mark.parametrize("seed", range(8))
def test_counts_and_instances_are_those_of_plain_python(parents: int, seed: int) -> None:
    rng = random.Random(seed)
    h = make_hierarchy(rng, parents)
    true, predicted = (
        [set(rng.sample(h.nodes, rng.randint(0, 3))) for _ in range(40)] for _ in "TP"
    )
    paired = pair_all(h, encode(h, true), encode(h, predicted))
    for label in h.nodes:
        counts, there = defaultdict[object, Fraction](Fraction), defaultdict[object, set[int]](set)
        for k, sides in enumerate(zip(true, predicted, strict=True)):
            for pair in pair_labels(h, *sides):
                if pair.true is None or (
                    label != pair.true and label not in h.ancestors(pair.true)
                ):
                    continue
                groups = group(h, label, pair.true, pair.predicted)
                for each in groups:
                    counts[each] += pair.count / len(groups)
                    there[each].add(k)
        found = find_destinations(paired, label)
        assert {(to.relation, to.branch): to.count for to in found} == pytest.approx(
            {each: float(count) for each, count in counts.items()}
        )
        assert all(set(to.instances.tolist()) == there[to.relation, to.branch] for to in found)
        assert [to.count for to in found] == sorted((to.count for to in found), reverse=True)
