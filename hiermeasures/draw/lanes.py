"""Paths along the edges of a drawing: a distance is the edges that one walks.

Several paths may take the same edge. Then each has a lane of its own next to the others.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import hypot
from typing import Literal, NamedTuple

from hiermeasures.draw.layout import Point

LANE = 6.0  # between the middles of two lanes, in drawing units
MOST_LANES = 4  # with more paths over an edge, those up share a lane, and so do those down


class PathEdge(NamedTuple):
    """An edge of a path, as (parent, child).

    A path walks it up from the predicted class ("predicted") or down to the true one ("true"). In a
    scene it has points, from parent to child.
    """

    parent: str
    child: str
    side: Literal["true", "predicted"]
    points: tuple[Point, ...] = ()


Path = tuple[PathEdge, ...]


def place_paths(
    paths: Sequence[Path], edges: Callable[[str, str], Sequence[Point]]
) -> tuple[Path, ...]:
    """Return paths with points in lanes. `edges` returns the points of an edge, parent first."""
    users: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for k, path in enumerate(paths):
        for edge in path:
            users[edge[:2]].append((k, edge.side))

    def placed(k: int, edge: PathEdge) -> PathEdge:
        points = edges(edge.parent, edge.child)
        return edge._replace(points=_beside(points, _offset(users[edge[:2]], (k, edge.side))))

    return tuple(tuple(placed(k, edge) for edge in path) for k, path in enumerate(paths))


def _offset(users: Sequence[tuple[int, str]], user: tuple[int, str]) -> float:
    lanes: Sequence[object] = users
    lane: object = user
    if len(users) > MOST_LANES:
        lanes, lane = sorted({side for _, side in users}), user[1]
    return (lanes.index(lane) - (len(lanes) - 1) / 2) * LANE


def _beside(points: Sequence[Point], offset: float) -> tuple[Point, ...]:
    """Return a line next to another one. With a positive offset it is on the right of one that
    leads down.
    """
    across = []
    for (x, y), (next_x, next_y) in pairwise(points):
        length = hypot(next_x - x, next_y - y) or 1.0
        across.append(((next_y - y) / length, (x - next_x) / length))
    moved = []
    for (x, y), (ax, ay), (bx, by) in zip(
        points, [across[0], *across], [*across, across[-1]], strict=True
    ):
        length = hypot(ax + bx, ay + by) or 1.0
        moved.append((x + offset * (ax + bx) / length, y + offset * (ay + by) / length))
    return tuple(moved)


def place_text(path: Path, others: Iterable[Path], cost: Callable[[Point], float]) -> Point:
    """Return the place of a path's text, on an edge that few others take and near its middle.

    `cost` counts what a text would cover at a place.
    """
    shared = [edge[:2] for other in others for edge in other]
    ends = [point for edge in path for point in edge.points]
    middle = sum(x for x, _ in ends) / len(ends), sum(y for _, y in ends) / len(ends)

    def badness(candidate: tuple[PathEdge, Point]) -> tuple[float, Point]:
        edge, place = candidate
        away = hypot(place[0] - middle[0], place[1] - middle[1])
        return round(cost(place) + 5 * shared.count(edge[:2]) + away / 50, 3), place

    candidates = [
        (edge, _along(edge.points, share)) for edge in path for share in (0.5, 0.4, 0.6, 0.3, 0.7)
    ]
    return min(candidates, key=badness)[1]


def describe(paths: Iterable[Path]) -> str:
    """Return the words that the legend adds for paths, or "" if there is none."""
    walked = [path for path in paths if path]
    several = any(len(path) >= len({c for edge in path for c in edge[:2]}) for path in walked)
    sides = {edge.side for path in walked for edge in path}
    ways = ": up from predicted, down to true" if len(sides) > 1 else ""
    return ways + (". All shortest paths are drawn" if several else "")


def _along(points: Sequence[Point], share: float) -> Point:
    """Return the point at a share of the way along a line."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    left = share * sum(lengths)
    for (a, b), length in zip(pairwise(points), lengths, strict=True):
        if left <= length:
            part = left / (length or 1.0)
            return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
        left -= length
    return points[-1]
