"""A hierarchy as the options ask for it: with what its classes and its edges weigh, and cut at a
distance.

`explain` and the array engine both begin with it. Where classes get their weights from is in
hiermeasures.core.class_weights; that of edges in hiermeasures.core.hierarchy. The cut is the long
distance problem (Kosmopoulos et al. 2015, Section 3.5): every family then works on the cut
hierarchy as on any other.
"""

from dataclasses import replace

from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.options import Options
from hiermeasures.measures.catalogue import Instance

ARTIFICIAL_ANCESTOR = "0"


def apply_weights(hierarchy: Hierarchy, options: Options) -> Hierarchy:
    """The hierarchy with the class weights and the edge weights that the options ask for.

    Raises
    ------
    InputError
        Where information is asked for, which needs true labels to be counted, and the hierarchy has
        none; and where edges are to weigh what classes weigh, and these are no positive numbers, or
        differ too much.
    """
    hierarchy = apply_class_weights(hierarchy, options)
    if options.edge_weights == "given":
        return hierarchy
    return hierarchy.with_weights(options.edge_weights, options.weight_base)


def apply_class_weights(hierarchy: Hierarchy, options: Options) -> Hierarchy:
    """The hierarchy with the class weights that the options ask for; raises as `apply_weights`."""
    asked = options.class_weights
    if asked == "one":
        return hierarchy if hierarchy.class_weights is None else hierarchy.with_class_weights(None)
    if asked == "leaves" or asked == "depth":
        return hierarchy.with_class_weights(asked)
    if asked == "information" and hierarchy.class_weights is None:
        raise InputError(
            "information is counted over the true labels of many instances: evaluate them, or give the hierarchy the "
            "weights of hiermeasures.engine.information"
        )
    return hierarchy


def cut_at_distance(instance: Instance) -> Instance:
    """The instance in a hierarchy that reaches no farther than `max_ancestor_distance` above its
    classes.

    Ancestors beyond that distance k of every class are cut. Where a true and a predicted class are
    then left without a common ancestor, one artificial ancestor joins them, no farther than k from
    each; an ancestor at distance k itself stays only where it already joins a true and a predicted
    class. Figure 17(b) is Figure 17(a) with k = 2. Without such a pair only the cut remains, and
    one top is left or a virtual root joins several. Below a class everything stays as it is.
    """
    k = instance.options.max_ancestor_distance
    if k is None:
        return instance
    if instance.true_paths is not None or instance.predicted_paths is not None:
        raise InputError("max_ancestor_distance cuts the hierarchy, so paths cannot be given; leave out one of the two")
    h = instance.hierarchy
    within = {c: {a: d for a, d in h.up(c).items() if d <= k} for c in instance.true | instance.predicted}
    apart = [(t, p) for t in instance.true for p in instance.predicted if within[t].keys().isdisjoint(within[p])]
    if not apart and all(len(within[c]) == len(h.up(c)) for c in within):
        return instance
    kept = _kept(instance, within, float(k), bool(apart))
    kept |= frozenset[str]().union(*(h.descendants(c) for c in within))
    edges = [(p, c, h.weight(p, c)) for c in kept for p in h.parents(c) if p in kept]
    if apart:
        edges += _joining(h, within, {c for pair in apart for c in pair}, kept, float(k))
    edges.sort(key=lambda e: (h.index(e[0]) if e[0] in h else -1, h.index(e[1])))
    cut = Hierarchy.from_edges(edges, sorted(kept, key=h.index))
    if h.class_weights is not None:
        places = [h.index(c) if c in h else None for c in cut.nodes]
        cut = cut.with_class_weights([[0.0 if k is None else row[k] for k in places] for row in h.class_weights])
    return replace(instance, hierarchy=cut, uncut=h)


def _kept(instance: Instance, within: dict[str, dict[str, float]], k: float, apart: bool) -> frozenset[str]:
    """The classes that stay: nearer than k to a label, or within k of one on each side."""
    everything = frozenset[str]().union(*within.values()) if within else frozenset({instance.hierarchy.root})
    if not apart:
        return everything
    nearer = {a for ways in within.values() for a, d in ways.items() if d < k}
    from_true = {a for t in instance.true for a in within[t]}
    from_predicted = {a for p in instance.predicted for a in within[p]}
    return everything & (nearer | (from_true & from_predicted))


def _joining(
    h: Hierarchy, within: dict[str, dict[str, float]], lonely: set[str], kept: frozenset[str], k: float
) -> list[tuple[str, str, float]]:
    """Edges from the artificial ancestor: to where a way up reaches k, and to every other top."""
    zero = artificial_name(h)
    joined: dict[str, float] = {}
    for c in lonely:
        up = h.up(c)
        for a, d in within[c].items():
            if d < k and (a == h.root or any(up[p] >= k for p in h.parents(a))):
                joined[a] = min(joined.get(a, k), k - d)
    for a in kept:
        if a not in joined and not any(p in kept for p in h.parents(a)):
            joined[a] = 1.0
    return [(zero, a, w) for a, w in joined.items()]


def artificial_name(h: Hierarchy) -> str:
    """Name of the artificial ancestor: the paper's 0, primed where a class has that name already."""
    name = ARTIFICIAL_ANCESTOR
    while name in h:
        name += "′"
    return name
