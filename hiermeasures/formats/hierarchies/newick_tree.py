"""Newick trees, cut into their parts by the library newick.

An inner node without a name, or with a support value in its place, is called by two leaves whose
most recent common ancestor it is, `mrca(A+B)`: of the first leaves, by name, below each of its
children the first two. That does not depend on the order of children. Lengths of branches are left
out.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from hiermeasures.core.errors import shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.building import ParsedEdges, build
from hiermeasures.formats.hierarchies.format import HierarchyFormat
from hiermeasures.formats.source import Limits, Source

_EXTENSIONS = (".nwk", ".newick", ".tree", ".tre")
_NUMBER = re.compile(r"[0-9.]+(?:e-?[0-9]+)?(?:/[0-9.]+)*", re.IGNORECASE)


@dataclass
class _Nodes:
    """Nodes in the order in which they begin, so that a parent stands before its children."""

    above: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    has_lengths: bool = False

    def add(self, above: int, line: int) -> int:
        self.above.append(above)
        self.names.append("")
        self.lines.append(line)
        return len(self.above) - 1


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    if sum(map(text.count, "(),:; \t\n")) > 3 * limits.lines:
        raise source.error(f"has more than {3 * limits.lines:,} marks and blanks, which is the most that is read here")
    nodes = _nodes(text, source)
    inner = set(nodes.above)
    leaves = [k for k in range(len(nodes.above)) if k not in inner]
    for k in leaves:
        if not nodes.names[k]:
            raise source.error("a leaf has no name", nodes.lines[k])
    notes = ["lengths of branches are left out"] if nodes.has_lengths else []
    supports = _supports(nodes, inner - {-1}, leaves)
    if supports:
        notes.append(f"{len(supports):,} numbers of inner nodes are taken for support values, and left out")
        for k in supports:
            nodes.names[k] = ""
    _check_names(nodes, source)
    if unnamed := _name_inner(nodes, source):
        notes.append(f"{unnamed:,} inner node{'s' * (unnamed > 1)} without a name: called by two leaves, mrca(A+B)")
    _check_names(nodes, source)
    parsed = ParsedEdges(isolated=nodes.names[:1], notes=notes)
    for name, k, line in zip(nodes.names[1:], nodes.above[1:], nodes.lines[1:], strict=True):
        parsed.add(nodes.names[k], name, line)
    return build(parsed, source, limits)


def _nodes(text: str, source: Source) -> _Nodes:
    from newick import NewickString, TokenType

    with source.damaged("no Newick that can be read"):
        tokens = NewickString(text)
    nodes, line, at = _Nodes(), 1, 0
    nodes.add(-1, line)
    opened: list[int] = []
    fresh, after_colon, ended = True, False, False
    for token in tokens:
        kind = token.type
        line += token.char.count("\n")
        if kind in (TokenType.WHITESPACE, TokenType.COMMENT):
            continue
        if ended:
            raise source.error("something follows the first tree; a hierarchy is one tree", line)
        if kind == TokenType.OBRACE:
            if not fresh:
                raise source.error("a comma is missing before a parenthesis", line)
            opened.append(at)
            at = nodes.add(at, line)
        elif kind in (TokenType.COMMA, TokenType.CBRACE):
            if not opened:
                raise source.error("a comma or parenthesis stands outside of the tree", line)
            at = nodes.add(opened[-1], line) if kind == TokenType.COMMA else opened.pop()
        elif kind == TokenType.COLON:
            nodes.has_lengths = True
        elif kind == TokenType.SEMICOLON:
            ended = True
        elif not after_colon:
            if nodes.names[at]:
                what = f"{shown(nodes.names[at])} and {shown(_name(token))}"
                raise source.error(f"between {what} is no comma; a name that holds blanks is in quotes", line)
            nodes.names[at], nodes.lines[at] = _name(token), line
        fresh = kind in (TokenType.OBRACE, TokenType.COMMA)
        after_colon = kind == TokenType.COLON
    if opened:
        raise source.error(f"{len(opened):,} parentheses are not closed, so the file is cut short or damaged", line)
    return nodes


def _name(token: Any) -> str:
    text: str = token.char
    return text[1:-1].replace("''", "'").replace("\\'", "'").strip() if text.startswith("'") else text


def _check_names(nodes: _Nodes, source: Source) -> None:
    twice = [name for name, times in Counter(filter(None, nodes.names)).items() if times > 1]
    if twice:
        line = nodes.lines[len(nodes.names) - 1 - nodes.names[::-1].index(twice[0])]
        raise source.error(f"the name {shown(twice[0])} stands twice in the tree", line)


def _supports(nodes: _Nodes, inner: set[int], leaves: list[int]) -> list[int]:
    """Return the inner nodes whose names are support values: all numbers, leaves have others."""
    named = [k for k in inner if nodes.names[k]]
    numbers = all(_NUMBER.fullmatch(nodes.names[k]) for k in named)
    return named if numbers and not all(_NUMBER.fullmatch(nodes.names[k]) for k in leaves) else []


def _name_inner(nodes: _Nodes, source: Source) -> int:
    """Name the inner nodes that have no name; return how many there were."""
    first: dict[int, tuple[str, ...]] = {}  # by node the first leaves below two of its children
    found = 0
    for k in range(len(nodes.above) - 1, -1, -1):
        below = first.pop(k, ())
        lowest = below[0] if below else nodes.names[k]
        if not nodes.names[k]:
            if len(below) == 1:
                raise source.error("an inner node with one child has no name, so nothing tells it from its child")
            nodes.names[k] = f"mrca({below[0]}+{below[1]})"
            found += 1
        above = nodes.above[k]
        first[above] = tuple(sorted((*first.get(above, ()), lowest))[:2])
    return found


FORMAT = HierarchyFormat(
    key="newick",
    title="Newick",
    extensions=_EXTENSIONS,
    description="a tree in parentheses, `((Cat,Dog)Carnivora,Mouse)Mammalia;`, lengths left out; an inner node without "
    "a name is called by two leaves",
    read=read,
    package="newick",
    begins=lambda opening: opening.extension in _EXTENSIONS or (text := opening.text.strip())[:1] + text[-1:] == "(;",
)
