"""Tell the nodes of a graph apart by structure alone, so that neither names nor the order of edges
break a tie: colour refinement (Weisfeiler and Leman), with pseudo-random numbers as colours.

A link (a, b, role) of three nodes says that b is above a; the colour of the role tells kinds of links
apart. Links are three equally long sequences. The functions are compiled for the kernels, too: colours
are below 2⁶², so that nothing exceeds 64 bits.
"""

from collections.abc import Sequence
from typing import Protocol

Links = tuple[Sequence[int], Sequence[int], Sequence[int]]
ALL = (1 << 62) - 1
UPWARD, DOWNWARD = 0x224BAED4963EE407, 0x1FB21C651E98DF25


class Colours(Protocol):
    """Numbers of nodes, as a list or an array."""

    def __len__(self) -> int: ...
    def __getitem__(self, node: int, /) -> int: ...
    def __setitem__(self, node: int, colour: int, /) -> None: ...
    def copy(self) -> "Colours": ...


def mix(x: int) -> int:
    """Return a pseudo-random number below 2⁶² for another."""
    for _ in range(2):
        x = ((x & 0x7FFFFFFF) * 0x5851F42D + (x >> 31) * 0x7A3D70A5 + 0x14057B7EF767814F) & ALL
        x ^= x >> 29
    return x


def refine(colour: Colours, links: Links) -> int:
    """Give nodes with different surroundings different colours, in place; return their number."""
    below, above, role = links
    many, before = count_colours(colour), 0
    while before < many < len(colour):
        around = [0] * len(colour)
        for k in range(len(below)):
            a, b, kind = below[k], above[k], mix(colour[role[k]])
            around[b] = (around[b] + mix(((colour[a] + kind) & ALL) ^ UPWARD)) & ALL
            around[a] = (around[a] + mix(((colour[b] + kind) & ALL) ^ DOWNWARD)) & ALL
        for k in range(len(colour)):
            colour[k] = mix((colour[k] + around[k]) & ALL)
        before, many = many, count_colours(colour)
    return many


def count_colours(colour: Colours) -> int:
    """Return the number of different colours."""
    ordered = sorted([colour[k] for k in range(len(colour))])
    many = 1
    for k in range(1, len(ordered)):
        many += ordered[k] != ordered[k - 1]
    return many


def tell_apart(colour: Colours, links: Links) -> None:
    """Mark nodes that share a refined colour and refine again, in place, until all differ.

    Connected parts of such nodes get different marks: two parts with equal colours are
    interchangeable. Where that tells no node from another, one node is marked.
    """
    many = refine(colour, links)
    while many < len(colour):
        alike = find_alike(colour)
        marked = colour.copy()
        mark_parts(marked, links, alike)
        reached = refine(marked, links)
        if reached == many:
            first = min([(colour[k], k) for k in range(len(colour)) if alike[k]])[1]
            marked = colour.copy()
            marked[first] = mix(marked[first])
            reached = refine(marked, links)
        for k in range(len(colour)):
            colour[k] = marked[k]
        many = reached


def find_alike(colour: Colours) -> list[bool]:
    """Return for each node whether another has its colour."""
    ordered = sorted([(colour[k], k) for k in range(len(colour))])
    alike = [False] * len(colour)
    for k in range(1, len(ordered)):
        if ordered[k][0] == ordered[k - 1][0]:
            alike[ordered[k][1]] = alike[ordered[k - 1][1]] = True
    return alike


def mark_parts(colour: Colours, links: Links, alike: Sequence[bool]) -> None:
    """Mark nodes that are alike, in place: with a different mark for each connected part of them."""
    part = [k if alike[k] else -1 for k in range(len(colour))]
    changed = True
    while changed:
        changed = False
        for k in range(len(links[0])):
            joined = links[0][k], links[1][k], links[2][k]
            first = min([part[node] for node in joined if alike[node]] + [len(part)])
            for node in joined:
                if part[node] > first:
                    part[node] = first
                    changed = True
    kind = [0] * len(part)
    for k in range(len(part)):
        if alike[k]:
            kind[part[k]] = (kind[part[k]] + mix(colour[k])) & ALL
    for k in range(len(part)):
        if alike[k]:
            met = 0
            for j in range(part[k]):
                met += part[j] == j and kind[j] == kind[part[k]]
            colour[k] = (colour[k] + mix((kind[part[k]] + met) & ALL)) & ALL
