"""Cheapest flows in small networks, and parts of graphs that are strongly connected.

Plain Python, because importing networkx takes longer than solving the network of an instance.
Costs are whole numbers, so that all sums are exact.
"""

from collections.abc import Hashable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count


class FlowNetwork:
    """A directed network with room for flow on its edges.

    Arc 2k is the k-th edge that was added. Arc 2k + 1 leads back and has the edge's flow as its
    room.
    """

    def __init__(self) -> None:
        self.room: list[int] = []
        self._cost: list[int] = []
        self._head: list[int] = []
        self._arcs: list[list[int]] = []
        self._number: dict[Hashable, int] = {}

    def add_edge(
        self, tail: Hashable, head: Hashable, room: int, cost: int = 0, flow: int = 0
    ) -> None:
        """Add an edge that can take `room` more units and give `flow` units back."""
        for arc_cost, node, room_left in ((cost, head, room), (-cost, tail, flow)):
            other = tail if node == head else head
            self._arcs[self._place(other)].append(len(self.room))
            self._head.append(self._place(node))
            self._cost.append(arc_cost)
            self.room.append(room_left)

    def _place(self, node: Hashable) -> int:
        if node not in self._number:
            self._number[node] = len(self._arcs)
            self._arcs.append([])
        return self._number[node]

    def send(self, source: Hashable, sink: Hashable, most: int) -> int:
        """Send up to `most` units at the least cost, and return how many were sent.

        No edge may have a negative cost or a flow at the beginning. The units take the cheapest
        paths one after another. Prices of nodes keep the costs that Dijkstra's algorithm sees from
        becoming negative.
        """
        start, end = self._place(source), self._place(sink)
        price, sent = [0] * len(self._arcs), 0
        while sent < most and self._raise_prices(price, start, end):
            while sent < most and (path := self._find_path(start, end, price)):
                units = min(most - sent, *(self.room[arc] for arc in path))
                self._push(path, units)
                sent += units
        return sent

    def exchange(self, source: Hashable, sink: Hashable) -> bool:
        """Send one unit along any path, and return whether there is one."""
        path = self._find_path(self._place(source), self._place(sink), None)
        self._push(path, 1)
        return bool(path)

    def _push(self, path: list[int], units: int) -> None:
        for arc in path:
            self.room[arc] -= units
            self.room[arc ^ 1] += units

    def _raise_prices(self, price: list[int], start: int, end: int) -> bool:
        """Add each node's distance from the start, but no more than the end's. Return False if
        the end cannot be reached.
        """
        distance: dict[int, int] = {}
        waiting, order = [(0, 0, start)], count(1)
        while waiting and end not in distance:
            so_far, _, node = heappop(waiting)
            if node in distance:
                continue
            distance[node] = so_far
            for arc in self._arcs[node]:
                head = self._head[arc]
                if self.room[arc] and head not in distance:
                    step = self._cost[arc] + price[node] - price[head]
                    heappush(waiting, (so_far + step, next(order), head))
        if end not in distance:
            return False
        for node in range(len(price)):
            price[node] += distance.get(node, distance[end])
        return True

    def _find_path(self, start: int, end: int, price: list[int] | None) -> list[int]:
        """Return the arcs of a path with room; with prices, of one on which no arc costs more than
        the prices differ. It is empty if there is none.
        """
        reached, waiting = {start: -1}, [start]
        while waiting and end not in reached:
            node = waiting.pop()
            for arc in self._arcs[node]:
                head = self._head[arc]
                if not self.room[arc] or head in reached:
                    continue
                if price is None or self._cost[arc] + price[node] == price[head]:
                    reached[head] = arc
                    waiting.append(head)
        return list(self._back(reached, end)) if end in reached else []

    def _back(self, reached: dict[int, int], end: int) -> Iterator[int]:
        while (arc := reached[end]) >= 0:
            yield arc
            end = self._head[arc ^ 1]

    def nodes_before(self, sink: Hashable) -> set[Hashable]:
        """Return the nodes from which a path with room leads to the sink, and the sink."""
        found, waiting = {self._place(sink)}, [self._place(sink)]
        while waiting:
            for arc in self._arcs[waiting.pop()]:
                tail = self._head[arc]
                if self.room[arc ^ 1] and tail not in found:
                    found.add(tail)
                    waiting.append(tail)
        return {node for node, place in self._number.items() if place in found}


def strong_components(edges: Iterable[tuple[Hashable, Hashable]]) -> dict[Hashable, int]:
    """Return the number of each node's strongly connected component (Kosaraju's algorithm).

    >>> part = strong_components([("A", "B"), ("B", "A"), ("B", "C")])
    >>> part["A"] == part["B"], part["A"] == part["C"]
    (True, False)
    """
    below: dict[Hashable, list[Hashable]] = {}
    above: dict[Hashable, list[Hashable]] = {}
    for tail, head in edges:
        for node in (tail, head):
            below.setdefault(node, [])
            above.setdefault(node, [])
        below[tail].append(head)
        above[head].append(tail)
    done: dict[Hashable, int] = {}
    for node in below:
        _finish(node, below, done, 0)
    component: dict[Hashable, int] = {}
    for number, node in enumerate(reversed(list(done))):
        _finish(node, above, component, number)
    return component


def _finish(
    start: Hashable,
    neighbours: dict[Hashable, list[Hashable]],
    done: dict[Hashable, int],
    number: int,
) -> None:
    """Note the number of all nodes that are reached, each after those behind it."""
    if start in done:
        return
    entered, open_nodes = {start}, [(start, iter(neighbours[start]))]
    while open_nodes:
        node, others = open_nodes[-1]
        unseen = next((n for n in others if n not in entered and n not in done), None)
        if unseen is None:
            done[node] = number
            open_nodes.pop()
        else:
            entered.add(unseen)
            open_nodes.append((unseen, iter(neighbours[unseen])))
