"""Leacock–Chodorow similarity (1998): the logarithm of a path's share of the longest path.

It counts edges and ignores their weights.
"""

import math

from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.best_match import PairValue, count_steps_up, declare_measure
from hiermeasures.measures.catalogue import Instance, cited, mark_term


def compare_path(instance: Instance, a: str, b: str) -> PairValue:
    """Compare the shortest path through a common ancestor, in classes, with twice the depth."""
    up, down = (count_steps_up(instance.hierarchy, c) for c in (a, b))
    edges, top = min((up[c] + down[c], c) for c in up.keys() & down.keys())
    depth = max(instance.hierarchy.depth, 1)
    value = math.log(2 * depth / (edges + 1))
    return PairValue(
        value,
        rf"-\ln \frac{{{mark_term('path', edges)} + 1}}{{2 \cdot {depth}}}",
        f"the shortest path has {write_count(edges, 'edge')}, and the hierarchy is {depth} deep",
        ancestor=top,
    )


MEASURES = (
    declare_measure(
        cat.names(
            "Leacock_Chodorow",
            "leacock_chodorow_score",
            r"\mathrm{LCh}",
            "Leacock–Chodorow similarity",
        ),
        compare_path,
        "higher",
        low=None,
        high=None,
        perfect_varies=True,
        formula=r"-\ln \frac{d(\hat{y}, y) + 1}{2 D}",
        description="The negative logarithm of a fraction: the length of the shortest path in "
        "classes, divided by twice the depth D of the hierarchy in edges. The similarity of a "
        "class with itself is ln 2D.",
        source=cited("@leacock1998"),
        options=("max_ancestor_distance",),
    ),
)
