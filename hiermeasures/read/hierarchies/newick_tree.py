"""Newick trees, without branch lengths and comments.

An inner node without a name, or with a support value, is called `mrca(A+B)`: the most recent common
ancestor of two leaves. A and B are the first two, by name, of the first leaves below its children.
The order of the children does not matter.
"""

import re
from collections import Counter

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import write_count
from hiermeasures.read.hierarchies.building import ParsedEdges, build
from hiermeasures.read.hierarchies.format import HierarchyFormat
from hiermeasures.read.source import Source

_EXTENSIONS = (".nwk", ".newick", ".tree", ".tre")
_TOKEN = re.compile(
    r"\[[^\]]*+\]|(?P<name>'(?:[^'\\]++|''|\\.)*+'|[^\s()\[\],:;']++)|(?P<mark>\S)", re.DOTALL
)
_NUMBER = re.compile(r"[0-9.]+(?:e-?[0-9]+)?(?:/[0-9.]+)*", re.IGNORECASE)


class _Nodes:
    """The nodes of a tree, parents first. Each has its parent's place, a name, and a start in the
    text.
    """

    def __init__(self, text: str, source: Source) -> None:
        self._text, self._source = text, source
        self.above, self.names, self.starts = [-1], [""], [0]
        self.has_lengths = False

    def add(self, above: int, start: int) -> int:
        self.above.append(above)
        self.names.append("")
        self.starts.append(start)
        return len(self.above) - 1

    def line(self, start: int) -> int:
        return self._text.count("\n", 0, start) + 1

    def error(self, reason: str, start: int) -> InputError:
        return self._source.error(reason, self.line(start))

    def check_names(self) -> None:
        twice = [name for name, times in Counter(filter(None, self.names)).items() if times > 1]
        if twice:
            last = len(self.names) - 1 - self.names[::-1].index(twice[0])
            raise self.error(
                f"the name {shown(twice[0])} occurs twice in the tree. Rename one.",
                self.starts[last],
            )


def read(text: str, source: Source) -> Hierarchy:
    if sum(map(text.count, "(),:; \t\n")) > 3 * source.limits.lines:
        raise source.error(f"has more than {3 * source.limits.lines:,} marks and blanks, the limit")
    nodes = _nodes(text, source)
    inner = set(nodes.above)
    leaves = [k for k in range(len(nodes.above)) if k not in inner]
    for k in leaves:
        if not nodes.names[k]:
            raise nodes.error("a leaf has no name", nodes.starts[k])
    notes = ["branch lengths are left out"] if nodes.has_lengths else []
    supports = _supports(nodes, inner - {-1}, leaves)
    if supports:
        notes.append(
            f"{len(supports):,} numbers of inner nodes are read as support values, and left out"
        )
        for k in supports:
            nodes.names[k] = ""
    nodes.check_names()
    if unnamed := _name_inner(nodes, source):
        notes.append(
            f"{write_count(unnamed, 'inner node')} without a name, called by two leaves, mrca(A+B)"
        )
    nodes.check_names()
    parents = [nodes.names[k] for k in nodes.above[1:]]
    return build(
        ParsedEdges(parents, nodes.names[1:], isolated=nodes.names[:1], notes=notes), source
    )


def _nodes(text: str, source: Source) -> _Nodes:
    nodes, at = _Nodes(text, source), 0
    opened: list[int] = []
    before = "("  # the previous mark; none after a name
    for token in _TOKEN.finditer(text):
        mark, start = token["mark"], token.start()
        if not mark and not token["name"]:  # a comment
            continue
        if before == ";":
            raise nodes.error(
                "there is more text after the first tree. A hierarchy is one tree.", start
            )
        if mark == "(":
            if before not in ("(", ","):
                raise nodes.error("a comma is missing before a parenthesis", start)
            opened.append(at)
            at = nodes.add(at, start)
        elif mark in (",", ")"):
            if not opened:
                raise nodes.error("a comma or parenthesis is outside of the tree", start)
            at = nodes.add(opened[-1], start) if mark == "," else opened.pop()
        elif mark and mark not in ":;":
            raise nodes.error(
                f"{mark} is opened but never closed, or closed but never opened", start
            )
        elif not mark and before != ":":
            name = _unquoted(token["name"])
            if nodes.names[at]:
                what = f"{shown(nodes.names[at])} and {shown(name)}"
                raise nodes.error(
                    f"a comma is missing between {what}. Put a name with blanks in quotes.", start
                )
            nodes.names[at], nodes.starts[at] = name, start
        nodes.has_lengths |= mark == ":"
        before = mark or ""
    if opened:
        raise nodes.error(
            f"{len(opened):,} parentheses are not closed, so the file is incomplete or damaged",
            len(text),
        )
    return nodes


def _unquoted(text: str) -> str:
    return (
        text[1:-1].replace("''", "'").replace("\\'", "'").strip() if text.startswith("'") else text
    )


def _supports(nodes: _Nodes, inner: set[int], leaves: list[int]) -> list[int]:
    """Return the inner nodes whose names are support values: all are numbers, and leaves have other
    names.
    """
    named = [k for k in inner if nodes.names[k]]
    numbers = all(_NUMBER.fullmatch(nodes.names[k]) for k in named)
    return named if numbers and not all(_NUMBER.fullmatch(nodes.names[k]) for k in leaves) else []


def _name_inner(nodes: _Nodes, source: Source) -> int:
    """Name the inner nodes without a name, and return their number."""
    first: dict[int, tuple[str, ...]] = {}  # by node the first leaves below two of its children
    found = 0
    for k in range(len(nodes.above) - 1, -1, -1):
        below = first.pop(k, ())
        lowest = below[0] if below else nodes.names[k]
        if not nodes.names[k]:
            if len(below) == 1:
                raise source.error(
                    "an inner node with one child needs a name. Without one it cannot be "
                    "distinguished from its child."
                )
            nodes.names[k] = f"mrca({below[0]}+{below[1]})"
            found += 1
        above = nodes.above[k]
        first[above] = tuple(sorted((*first.get(above, ()), lowest))[:2])
    return found


FORMAT = HierarchyFormat(
    key="newick",
    title="Newick",
    extensions=_EXTENSIONS,
    description=(
        "a tree in parentheses, `((Cat,Dog)Carnivora,Mouse)Mammalia;`. Branch lengths are "
        "left out. An inner node without a name is called by two leaves"
    ),
    read=read,
    begins=lambda opening: (
        opening.extension in _EXTENSIONS or (text := opening.text.strip())[:1] + text[-1:] == "(;"
    ),
)
