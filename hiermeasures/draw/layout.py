"""The part of a hierarchy that is drawn, and the positions of its classes.

Only classes near the true and predicted ones are drawn in a large hierarchy. Values always use the
whole hierarchy. Classes are in layers by level, with the root on top. Edges cross as little as
possible, and parents are above the middle of their children. The layout is pure geometry in drawing
units (pixels at zoom 1), for the screen and for exports.
"""

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, zip_longest

from hiermeasures.hierarchy.hierarchy import Hierarchy

WHOLE = 40  # a hierarchy with at most this number of classes is drawn whole
MOST_DRAWN = 300  # the largest number of classes to draw
READABLE = 32  # classes that are readable at a glance


@dataclass(frozen=True)
class Neighbourhood:
    """The drawn classes, in order, with the number of hidden children of each.

    `unfolded` are the classes with children that you asked to see.
    """

    hierarchy: Hierarchy
    nodes: tuple[str, ...]
    folded_children: dict[str, int]
    unfolded: frozenset[str] = frozenset()

    @property
    def folded(self) -> int:
        return len(self.hierarchy) - len(self.nodes)

    def shows(self, labels: Iterable[str]) -> bool:
        drawn = set(self.nodes)
        return all(c in drawn and self.hierarchy.ancestors(c) <= drawn for c in labels)


def neighbourhood(
    hierarchy: Hierarchy,
    selected: Iterable[str],
    limit: int = MOST_DRAWN,
    *,
    unfolded: Iterable[str] = (),
    whole: int = WHOLE,
) -> Neighbourhood:
    """Choose the classes to draw.

    These are all classes, if the hierarchy has at most `whole` and `limit` of them. Otherwise they
    are the root, the selected classes with their ancestors, and the children of unfolded classes.
    If these are few (READABLE), the classes below and next to the selected ones and their ancestors
    follow. If no class is selected, whole levels from the top follow. A class is drawn only with
    all its ancestors, so the root is always on top.
    """
    if len(hierarchy) <= min(limit, whole):
        return Neighbourhood(hierarchy, hierarchy.nodes, {})
    chosen, opened = (sorted(set(labels), key=hierarchy.index) for labels in (selected, unfolded))
    drawn = {hierarchy.root}
    _draw(drawn, hierarchy, chosen, limit)
    _draw(drawn, hierarchy, (c for label in opened for c in hierarchy.children(label)), limit)
    _draw(
        drawn,
        hierarchy,
        _kin(hierarchy, chosen) if chosen else _top(hierarchy),
        min(limit, READABLE),
    )
    nodes = tuple(sorted(drawn, key=hierarchy.index))
    hidden = {v: sum(c not in drawn for c in hierarchy.children(v)) for v in nodes}
    return Neighbourhood(
        hierarchy, nodes, {v: n for v, n in hidden.items() if n}, frozenset(opened)
    )


def next_neighbourhood(
    before: Neighbourhood | None, hierarchy: Hierarchy, selected: Iterable[str]
) -> Neighbourhood:
    """Return the neighbourhood after a click.

    It is the current one if this one still shows the selected classes, so no class moves. Otherwise
    it is a new one with the same unfolded classes, also after an edit.
    """
    chosen = frozenset(selected)
    if before is None:
        return neighbourhood(hierarchy, chosen)
    if before.hierarchy is not hierarchy:
        return neighbourhood(
            hierarchy, chosen, unfolded=before.unfolded.intersection(hierarchy.nodes)
        )
    return (
        before
        if before.shows(chosen)
        else neighbourhood(hierarchy, chosen, unfolded=before.unfolded)
    )


def unfold(near: Neighbourhood, selected: Iterable[str], label: str) -> Neighbourhood:
    h, opened = near.hierarchy, near.unfolded | {label}
    limit = MOST_DRAWN if len(h) > WHOLE else len(near.nodes) + near.folded_children.get(label, 0)
    return neighbourhood(h, selected, limit, unfolded=opened)


def in_sight(hierarchy: Hierarchy, chosen: frozenset[str]) -> list[str]:
    if not chosen:
        return [hierarchy.root, *hierarchy.children(hierarchy.root)[:3]]
    return sorted(chosen.union(*map(hierarchy.ancestors, chosen)), key=hierarchy.index)


def _draw(drawn: set[str], hierarchy: Hierarchy, labels: Iterable[str], limit: int) -> None:
    for label in labels:
        if len(drawn) >= limit:
            return
        if label not in drawn:
            more = {label, *hierarchy.ancestors(label)} - drawn
            if len(drawn) + len(more) <= limit:
                drawn |= more


def _top(hierarchy: Hierarchy) -> list[str]:
    """Return the root, all classes of level 1, and more levels while all are readable together."""
    by_level: dict[int, list[str]] = {}
    for label in hierarchy.nodes:
        by_level.setdefault(hierarchy.level(label), []).append(label)
    top: list[str] = []
    for level in sorted(by_level):
        if level > 1 and len(top) + len(by_level[level]) > READABLE:
            break
        top += by_level[level]
    return top


def _kin(hierarchy: Hierarchy, selected: list[str]) -> Iterator[str]:
    """Yield the classes below the selected ones, next to them, and next to their ancestors.

    Lower ancestors come first.
    """
    for parents in (
        selected,
        [parent for label in selected for parent in hierarchy.parents(label)],
    ):
        for siblings in zip_longest(
            *(hierarchy.children(parent) for parent in dict.fromkeys(parents))
        ):
            yield from (c for c in siblings if c is not None)
    above = {c for label in selected for c in hierarchy.ancestors(label)}
    for ancestor in sorted(above, key=hierarchy.index, reverse=True):
        yield from hierarchy.children(ancestor)


Edge = tuple[str, str]
Point = tuple[float, float]

LAYER_HEIGHT = 92.0
ROW_HEIGHT = 40.0
GAP = 26.0
BEND_WIDTH = 14.0
CLEARANCE = 8.0
WIDEST_LAYER = 1500.0
TALLEST_STACK = 10
ORDER_SWEEPS = 12
PLACE_SWEEPS = 24


@dataclass(frozen=True)
class Layout:
    positions: dict[str, Point]
    bends: dict[Edge, tuple[Point, ...]]


def layered(
    levels: Mapping[str, int],
    edges: Sequence[Edge],
    width: Callable[[str], float] = lambda label: 40.0,
    *,
    layer_height: float = LAYER_HEIGHT,
) -> Layout:
    """Compute the positions of classes with given levels (0 on top).

    Each edge must go down at least one level. The order of `levels` and `edges` decides all ties, so
    equal input gives equal output. Empty levels take no room. If a layer is wider than a screen,
    leaves with the same parents are stacked.
    """
    if not levels:
        return Layout({}, {})
    rank = {level: i for i, level in enumerate(sorted(set(levels.values())))}
    layer_of = {label: rank[level] for label, level in levels.items()}
    stacks = _stacks(layer_of, edges, width)
    layer_of = {v: layer for v, layer in layer_of.items() if v in stacks}
    chains: Chains = {
        (u, v): [u, *(((u, v), i) for i in range(layer_of[u] + 1, layer_of[v])), v]
        for u, v in edges
        if u in layer_of and v in layer_of
    }
    layers = _ordered(layer_of, chains)
    widths = {
        v: max(map(width, stacks[v])) if isinstance(v, str) else BEND_WIDTH
        for layer in layers
        for v in layer
    }
    x, top = _placed(layers, chains, widths), 0.0
    y: dict[Vertex, float] = {}
    for layer in layers:
        y |= dict.fromkeys(layer, top)
        tallest = max((len(stacks[v]) for v in layer if isinstance(v, str)), default=1)
        top += layer_height + (tallest - 1) * ROW_HEIGHT
    centre = (min(x[v] for v in layer_of) + max(x[v] for v in layer_of)) / 2
    at = {v: (round(x[v] - centre, 1), y[v]) for layer in layers for v in layer}
    tops = {v: at[v] for v in layer_of}
    bends = {
        edge: () if _clear(edge, tops, widths) else tuple(at[v] for v in chain[1:-1])
        for edge, chain in chains.items()
        if len(chain) > 2
    }
    return _unstacked(tops, bends, edges, stacks, width)


# A vertex is a class (its label) or a bend of a long edge (the edge and the layer of the bend). A
# chain is an edge as vertices on consecutive layers.
Vertex = str | tuple[Edge, int]
Chains = dict[Edge, list[Vertex]]
Around = dict[Vertex, list[Vertex]]


def _stacks(
    layer_of: Mapping[str, int], edges: Sequence[Edge], width: Callable[[str], float]
) -> dict[str, tuple[str, ...]]:
    """Return stacks of classes by their top class. Most stacks have one class."""
    breadth: dict[int, float] = {}
    for v, layer in layer_of.items():
        breadth[layer] = breadth.get(layer, 0) + width(v) + GAP
    parents: dict[str, tuple[str, ...]] = {}
    for u, v in edges:
        parents[v] = (*parents.get(v, ()), u)
    inner = {u for u, _ in edges}
    alike: dict[tuple[object, ...], list[str]] = {}
    for v, layer in layer_of.items():
        alone = v in inner or v not in parents or breadth[layer] <= WIDEST_LAYER
        alike.setdefault((v,) if alone else (layer, parents[v]), []).append(v)
    chunks = (
        tuple(group[i : i + TALLEST_STACK])
        for group in alike.values()
        for i in range(0, len(group), TALLEST_STACK)
    )
    return {chunk[0]: chunk for chunk in chunks}


def _unstacked(
    tops: Mapping[str, Point],
    bends: dict[Edge, tuple[Point, ...]],
    edges: Sequence[Edge],
    stacks: Mapping[str, tuple[str, ...]],
    width: Callable[[str], float],
) -> Layout:
    """Return the positions of the classes of stacks, aligned left next to a vertical line."""
    positions = dict(tops)
    line: dict[str, Point] = {}  # by class in a stack: where its line begins
    for top, stack in stacks.items():
        if len(stack) > 1:
            x, y = tops[top]
            left = x - max(map(width, stack)) / 2
            positions |= {
                v: (round(left + width(v) / 2, 1), y + i * ROW_HEIGHT) for i, v in enumerate(stack)
            }
            line |= dict.fromkeys(stack, (round(left - GAP / 4, 1), y - ROW_HEIGHT / 2))
    first = {v: stack[0] for stack in stacks.values() for v in stack}
    hung = {
        (u, v): (*bends.get((u, first[v]), ()), line[v], (line[v][0], positions[v][1]))
        for u, v in edges
        if v in line
    }
    return Layout(positions, bends | hung)


def _neighbours(chains: Chains) -> tuple[Around, Around]:
    above: Around = {}
    below: Around = {}
    for chain in chains.values():
        for u, v in pairwise(chain):
            below.setdefault(u, []).append(v)
            above.setdefault(v, []).append(u)
    return above, below


def _ordered(layer_of: Mapping[str, int], chains: Chains) -> list[list[Vertex]]:
    """Order the layers by barycentre sweeps, and return the order with the fewest crossings.

    The first order is depth-first from the top. It has no crossings in a tree.
    """
    above, below = _neighbours(chains)
    layers: list[list[Vertex]] = [[] for _ in range(max(layer_of.values()) + 1)]
    depth: dict[Vertex, int] = {
        v: layer_of[e[0]] + i for e, chain in chains.items() for i, v in enumerate(chain)
    }
    depth.update(layer_of)
    seen: set[Vertex] = set()
    for start in sorted(layer_of, key=lambda label: layer_of[label]):
        pending: list[Vertex] = [start]
        while pending:
            v = pending.pop()
            if v not in seen:
                seen.add(v)
                layers[depth[v]].append(v)
                pending.extend(reversed(below.get(v, ())))
    best, fewest = [list(layer) for layer in layers], _crossings(layers, below)
    for sweep in range(ORDER_SWEEPS):
        if not fewest:
            break
        around, fixed = (above, layers) if sweep % 2 == 0 else (below, layers[::-1])
        for previous, layer in pairwise(fixed):
            place = {v: i for i, v in enumerate(previous)}
            here = {v: i for i, v in enumerate(layer)}
            layer.sort(
                key=lambda v: (_mean([place[n] for n in around.get(v, ())], here[v]), here[v])
            )
        crossings = _crossings(layers, below)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    return best


def _crossings(layers: list[list[Vertex]], below: Around) -> int:
    """Count the pairs of edges that cross, by insertion into a sorted list."""
    total = 0
    for upper, lower in pairwise(layers):
        place = {v: i for i, v in enumerate(lower)}
        seen: list[int] = []
        for u in upper:
            ends = sorted(place[v] for v in below.get(u, ()))
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _placed(
    layers: list[list[Vertex]], chains: Chains, widths: Mapping[Vertex, float]
) -> dict[Vertex, float]:
    """Return the x coordinates of vertices, as near to their neighbours as order and gaps allow."""
    above, below = _neighbours(chains)
    x: dict[Vertex, float] = {}
    numbered: list[tuple[list[Vertex], list[float]]] = []
    for layer in layers:
        between = ((widths[v] + widths[w]) / 2 + GAP for v, w in pairwise(layer))
        numbered.append((layer, list(accumulate(between, initial=0.0))))
    for layer, offset in numbered:
        x |= {v: o - offset[-1] / 2 for v, o in zip(layer, offset, strict=True)}
    for sweep in range(PLACE_SWEEPS):
        around, order = (below, numbered[::-1]) if sweep % 2 == 1 else (above, numbered)
        for layer, offset in order:
            preferred = [_mean([x[n] for n in around.get(v, ())], x[v]) for v in layer]
            x |= dict(zip(layer, _apart(preferred, offset), strict=True))
    return x


def _apart(preferred: Sequence[float], offset: Sequence[float]) -> list[float]:
    """Return the positions nearest to the preferred ones (least squares) that keep order and gaps.

    Without the gaps this is isotonic regression. It is solved by pooling neighbours that violate the
    order.
    """
    pools: list[tuple[float, int]] = []  # mean, size
    for place, off in zip(preferred, offset, strict=True):
        mean, size = place - off, 1
        while pools and pools[-1][0] > mean:
            other, n = pools.pop()
            mean, size = (mean * size + other * n) / (size + n), size + n
        pools.append((mean, size))
    flat = [mean for mean, size in pools for _ in range(size)]
    return [place + off for place, off in zip(flat, offset, strict=True)]


def _clear(edge: Edge, positions: Mapping[str, Point], widths: Mapping[Vertex, float]) -> bool:
    """Return whether a straight line for an edge avoids all classes between its ends."""
    (x1, y1), (x2, y2) = positions[edge[0]], positions[edge[1]]
    return all(
        abs(x1 + (x2 - x1) * (y - y1) / (y2 - y1) - x) > widths[v] / 2 + CLEARANCE
        for v, (x, y) in positions.items()
        if y1 < y < y2
    )


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
