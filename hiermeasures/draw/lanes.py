"""Paths along the edges of a drawing, which show distances.

If several paths use the same edge, each path has its own lane.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist, hypot
from typing import Literal, NamedTuple

from hiermeasures.draw.layout import Point

LANE = 6.0  # between the middles of two lanes, in drawing units
MOST_SPREAD = 60  # with more paths, you see one at a time
MOST_LANES = 4  # with more paths on an edge, all paths up share a lane, and all paths down


class PathEdge(NamedTuple):
    """An edge of a path, as (parent, child).

    A path goes up from the predicted class (`side` "predicted"), or down to the true class ("true").
    In a scene, `points` are the points of its lane from parent to child. Without points the path is
    on the edge itself.
    """

    parent: str
    child: str
    side: Literal["true", "predicted"]
    points: tuple[Point, ...] = ()


Path = tuple[PathEdge, ...]


Edges = Callable[[str, str], Sequence[Point]]  # the points of an edge, parent first


def place_paths(paths: Sequence[Path], edges: Edges) -> tuple[Path, ...]:
    """Put paths into lanes. With more than MOST_SPREAD paths, all of them stay on the edges."""
    users: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for k, path in enumerate(paths):
        for edge in path:
            users[edge[:2]].append((k, edge.side))

    def placed(k: int, edge: PathEdge) -> PathEdge:
        offset = _offset(users[edge[:2]], (k, edge.side))
        return edge._replace(points=_beside(edges(*edge[:2]), offset)) if offset else edge

    if len(paths) > MOST_SPREAD:
        return tuple(paths)
    return tuple(tuple(placed(k, edge) for edge in path) for k, path in enumerate(paths))


def _offset(users: Sequence[tuple[int, str]], user: tuple[int, str]) -> float:
    lanes: Sequence[object] = users
    lane: object = user
    if len(users) > MOST_LANES:
        lanes, lane = sorted({side for _, side in users}), user[1]
    return (lanes.index(lane) - (len(lanes) - 1) / 2) * LANE


def _beside(points: Sequence[Point], offset: float) -> tuple[Point, ...]:
    """Return a line next to another one. With a positive offset it is right of a line downwards."""
    across = []
    for (x, y), (next_x, next_y) in pairwise(points):
        length = hypot(next_x - x, next_y - y) or 1.0
        across.append(((next_y - y) / length, (x - next_x) / length))
    moved = []
    for (x, y), (ax, ay), (bx, by) in zip(
        points, [across[0], *across], [*across, across[-1]], strict=True
    ):
        share = offset / (hypot(ax + bx, ay + by) or 1.0)
        moved.append((round(x + share * (ax + bx), 1), round(y + share * (ay + by), 1)))
    return tuple(moved)


def place_texts(
    paths: Sequence[Path], edges: Edges, cost: Callable[[Point, Sequence[Point]], float]
) -> Iterator[Point | None]:
    """Yield the position of the text of each path, or None for an empty path.

    The text is near the middle of the path, on an edge that few other paths use. `cost` measures
    the overlap of a text at a position with the drawing and with earlier texts. If there are very
    many paths, their texts are at the lower ends, because you see one path at a time.
    """
    takers = Counter(edge[:2] for path in paths for edge in path)
    before: list[Point] = []
    for path in paths:
        lines = {edge: edge.points or edges(*edge[:2]) for edge in path}
        if not lines or len(paths) > MOST_SPREAD:
            yield _along(lines[path[-1]], 0.5) if lines else None
            continue
        ends = [point for line in lines.values() for point in line]
        middle = sum(x for x, _ in ends) / len(ends), sum(y for _, y in ends) / len(ends)
        candidates = [
            (round(cost(place, before) + 5 * takers[edge[:2]] + dist(place, middle) / 50, 3), place)
            for edge, line in lines.items()
            for place in (_along(line, share) for share in (0.5, 0.4, 0.6, 0.3, 0.7))
        ]
        before.append(min(candidates)[1])
        yield before[-1]


def describe(paths: Iterable[Path]) -> str:
    """Return the words for paths in the legend, or "" without paths."""
    walked = [path for path in paths if path]
    several = any(len(path) >= len({c for edge in path for c in edge[:2]}) for path in walked)
    sides = {edge.side for path in walked for edge in path}
    ways = ": edges up (dashed) and down" if len(sides) > 1 else ""
    return ways + (". All shortest paths are drawn" if several else "")


def _along(points: Sequence[Point], share: float) -> Point:
    """Return the point on a line after a share of its length."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    left = share * sum(lengths)
    for (a, b), length in zip(pairwise(points), lengths, strict=True):
        if left <= length:
            part = left / (length or 1.0)
            return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
        left -= length
    return points[-1]
