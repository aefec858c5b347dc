"""Wu–Palmer similarity (1994), in trees and DAGs.

It counts edges and ignores their weights. In a DAG it uses the deepest common ancestor, and the
option `depth` defines the depth of a class. Paths up are the shortest, as in NLTK's
`wup_similarity`.
"""

from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.best_match import (
    PairValue,
    count_steps_up,
    declare_measure,
    find_common_ancestors,
)
from hiermeasures.measures.catalogue import Instance, cited, mark_term


def find_depth(instance: Instance, label: str) -> int:
    """Return the depth of a class, counted in classes. The root has 1 if it is counted, else 0."""
    h = instance.hierarchy
    longest = instance.options.depth == "longest"
    level = h.level(label) if longest else count_steps_up(h, label)[h.root]
    return level + instance.options.counts_root(h)


def compare_depths(instance: Instance, a: str, b: str) -> PairValue:
    """Compare the depth of the deepest common ancestor with the paths up to it."""
    up = [count_steps_up(instance.hierarchy, c) for c in (a, b)]
    common = find_common_ancestors(instance.hierarchy, a, b)
    depth, minus, top = max(
        (find_depth(instance, c), -sum(steps[c] for steps in up), c) for c in common
    )
    value = 2 * depth / (2 * depth - minus) if a != b else 1.0
    first, second = (steps[top] for steps in up)
    deep = mark_term("meeting", depth)
    ways = f"{mark_term('first', first)} + {mark_term('second', second)}"
    return PairValue(
        value,
        rf"\frac{{2 \cdot {deep}}}{{{ways} + 2 \cdot {deep}}}",
        f"they meet at {top}, at depth {depth}, after {first} and {write_count(second, 'edge')}",
        ancestor=top,
    )


MEASURES = (
    declare_measure(
        cat.names("Wu_Palmer", "wu_palmer_score", r"\mathrm{WuP}", "Wu–Palmer similarity"),
        compare_depths,
        "higher",
        formula=r"\frac{2 \cdot \mathrm{depth}(c)}{d(\hat{y}, c) + d(y, c) + 2 \cdot \mathrm{depth}(c)}",
        description="Twice the depth of the deepest common ancestor c, divided by the lengths of "
        "the paths from the root through c to both classes. A counted root has depth 1.",
        source=cited("@wu1994"),
        options=("depth", "count_root", "max_ancestor_distance"),
    ),
)
