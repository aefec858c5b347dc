"""Colour refinement (Weisfeiler and Leman): it distinguishes the nodes of a graph by structure alone.

So neither names nor the order of edges decide between equally good choices. Colours are
pseudo-random numbers. A link (a, b, role) of three nodes means that b is above a. The colour of the
role is the kind of the link. Links are three sequences of equal length. The kernels compile these
functions, so colours are below 2⁶² and all sums fit into 64 bits.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

Links = tuple[Sequence[int], Sequence[int], Sequence[int]]
ALL = (1 << 62) - 1
UPWARD, DOWNWARD = 0x224BAED4963EE407, 0x1FB21C651E98DF25


class Colours(Protocol):
    """The colour of each node, as a list or an array of numbers."""

    def __len__(self) -> int: ...
    def __getitem__(self, node: int, /) -> int: ...
    def __setitem__(self, node: int, colour: int, /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...
    def copy(self) -> "Colours": ...


def mix(x: int) -> int:
    """Return a pseudo-random number below 2⁶² that depends only on `x`."""
    for _ in range(2):
        x = ((x & 0x7FFFFFFF) * 0x5851F42D + (x >> 31) * 0x7A3D70A5 + 0x14057B7EF767814F) & ALL
        x ^= x >> 29
    return x


def refine(colour: Colours, links: Links) -> int:
    """Give nodes with different neighbours different colours, in place.

    It returns the number of different colours.
    """
    below, above, role = links
    many, before = len(colour) - len(find_repeated(colour)), 0
    while before < many < len(colour):
        around = [0] * len(colour)
        for k in range(len(below)):
            a, b, kind = below[k], above[k], colour[role[k]] >> 1
            around[b] = (around[b] + mix(((colour[a] + kind) & ALL) ^ UPWARD)) & ALL
            around[a] = (around[a] + mix(((colour[b] + kind) & ALL) ^ DOWNWARD)) & ALL
        for k in range(len(colour)):
            colour[k] = mix((colour[k] + around[k]) & ALL)
        before, many = many, len(colour) - len(find_repeated(colour))
    return many


def find_repeated(colour: Colours) -> list[int]:
    """Return the colours that several nodes share. A colour of n nodes appears n - 1 times."""
    ordered = sorted(colour)
    return [ordered[k] for k in range(1, len(ordered)) if ordered[k] == ordered[k - 1]]


def tell_apart(colour: Colours, links: Links) -> None:
    """Refine colours in place until all nodes have different colours.

    It marks nodes that share a colour, and refines again. Connected parts of such nodes get
    different marks, because two parts with equal colours are interchangeable. If this separates no
    nodes, it marks a single node.
    """
    many = refine(colour, links)
    while many < len(colour):
        repeated = find_repeated(colour)
        alike = [colour[k] in repeated for k in range(len(colour))]
        marked = colour.copy()
        mark_parts(marked, links, alike)
        reached = refine(marked, links)
        if reached == many:
            marked = colour.copy()
            for k in range(len(colour)):
                if colour[k] == repeated[0]:
                    marked[k] = mix(colour[k])
                    break
            reached = refine(marked, links)
        for k in range(len(colour)):
            colour[k] = marked[k]
        many = reached


def mark_parts(colour: Colours, links: Links, alike: Sequence[bool]) -> None:
    """Mark nodes with shared colours, in place. Each connected part of them gets its own mark."""
    part = list(range(len(colour)))
    changed = True
    while changed:
        changed = False
        for k in range(len(links[0])):
            for a, b in ((links[0][k], links[1][k]), (links[1][k], links[2][k])):
                if alike[a] and alike[b] and part[a] != part[b]:
                    part[a] = part[b] = min(part[a], part[b])
                    changed = True
    kind = [0] * len(part)
    for k in range(len(part)):
        kind[part[k]] = (kind[part[k]] + mix(colour[k])) & ALL
    for k in range(len(part)):
        if alike[k]:
            met = 0
            for j in range(part[k]):
                met += alike[j] and part[j] == j and kind[j] == kind[part[k]]
            colour[k] = (colour[k] + mix((kind[part[k]] + met) & ALL)) & ALL
