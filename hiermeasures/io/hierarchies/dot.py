r"""Graphviz DOT: directed graphs whose edges lead from parent to child. A class is named by its node's label, as in the
picture, and by the node's id where it has none.

It is a subset of the language, read token by token without recursion: undirected edges, ports, labels of HTML and
strings joined with + are refused. Of a node's attributes `label` and `class_weight` are read; the others are about
drawing (`weight` too) and are passed over.
"""

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import repeat
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from hiermeasures.class_weights import ATTRIBUTES
from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import (
    NumberedEdges,
    build_numbered,
    class_weights_if_any,
    encodable,
    isolated_classes,
    weights_if_any,
    written_edges,
)
from hiermeasures.io.hierarchies.dot_graph import DEFAULTS, KEYWORDS, TOKENS_PER_LINE, Graph, graph_as_arrays, unquoted
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.io.source import Limits, Source
from hiermeasures.io.words import Unusual

_BETWEEN = r"(?:[ \t\n\r\f\v]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/|^\#[^\n]*+)"
_QUOTED = r'"(?:[^"\\]++|\\.)*+"'
_WORD = r"[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*+"
# Possessive, so that nothing without an end makes the search go back and forth over the text.
_TOKEN = (
    rf"(?P<between>{_BETWEEN})|(?P<mark>->|--|[{{}}\[\]=;,:])|(?P<quoted>{_QUOTED})"
    rf"|(?P<word>{_WORD}|-?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?)(?![A-Za-z0-9_.]))"
)
_NAME = rf"(?:(?:{_QUOTED}|{_WORD}|[0-9.]++){_BETWEEN}*+)?"
_BEGINS = rf"{_BETWEEN}*+(?:strict\b{_BETWEEN}++)?(?:di)?graph\b{_BETWEEN}*+{_NAME}\{{"
_FIRST = re.compile(r"\s*[sdgSDG/#]")  # of a text that may begin so: those above take long to compile


class _Token(NamedTuple):
    kind: str  # a mark or keyword itself, "id", or "" at the end
    text: str
    line: int


NONE: Mapping[str, _Token] = MappingProxyType({})


def _tokens(text: str, source: Source, limits: Limits) -> Iterator[_Token]:
    at, line, count = 0, 1, 0
    most = TOKENS_PER_LINE * limits.lines
    marks: dict[str, _Token] = {}  # of the present line
    token = re.compile(_TOKEN, re.DOTALL | re.MULTILINE)
    while at < len(text):
        found = token.match(text, at)
        if found is None:
            raise source.error(_fault(text, at), line)
        kind, value = found.lastgroup, found[0]
        if kind != "between":
            count += 1
            if count > most:
                raise source.error(f"holds more than {most:,} words and marks", line)
            if kind == "mark":
                yield marks.get(value) or marks.setdefault(value, _Token(value, value, line))
            elif kind == "quoted":
                yield _Token("id", unquoted(value[1:-1]), line)
            else:
                yield _Token(lower if (lower := value.lower()) in KEYWORDS else "id", value, line)
        if "\n" in value:
            line += value.count("\n")
            marks.clear()
        at = found.end()
    yield _Token("", "the end of the text", line)


def _fault(text: str, at: int) -> str:
    if text[at] == '"':
        return "a quote is opened and never closed"
    if text.startswith("/*", at):
        return "a comment is opened and never closed"
    if text[at] == "<":
        return "a label of HTML; only plain text is read"
    if text[at] == "+":
        return "strings joined with + are not read; write one string"
    return f"{shown(text[at : at + 20].split(chr(10))[0])} has no meaning here; put names of other characters in quotes"


@dataclass
class _Statement:
    """What stands in one pair of braces, and how far its present statement has been read."""

    line: int
    start: int  # the place in `inside` where its own nodes begin
    last: Sequence[int] = ()  # the nodes before an arrow that may come
    arrow: bool = False
    chained: bool = False


@dataclass
class _Reader:
    """Nodes, labels and edges of one text, as they come."""

    source: Source
    limits: Limits
    tokens: Iterator[_Token]
    nodes: dict[str, int] = field(default_factory=dict)  # and their numbers
    said: "array[int]" = field(default_factory=lambda: array("q"))  # in which line each was named, or given its label
    parents: "array[int]" = field(default_factory=lambda: array("q"))
    children: "array[int]" = field(default_factory=lambda: array("q"))
    lines: "array[int]" = field(default_factory=lambda: array("q"))
    labels: dict[int, str] = field(default_factory=dict)
    weights: dict[int, dict[str, object]] = field(default_factory=dict)
    inside: list[int] = field(default_factory=list)  # the nodes named in braces that are open, in their order
    has_weight: bool = False

    def __post_init__(self) -> None:
        self.token = next(self.tokens)

    def take(self, *kinds: str) -> _Token | None:
        """The present token if it is of these kinds, and on to the next."""
        token = self.token
        if token.kind not in kinds:
            return None
        self.token = next(self.tokens, token)
        return token

    def need(self, kind: str, wanted: str) -> _Token:
        token = self.take(kind)
        if token is None:
            raise self.source.error(f"{wanted} is missing before {self._present()}", self.token.line)
        return token

    def _present(self) -> str:
        return shown(self.token.text, 40) if self.token.kind else self.token.text

    def document(self) -> None:
        self.take("strict")
        if self.token.kind == "graph":
            raise self.source.error("an undirected graph; a hierarchy is a digraph", self.token.line)
        self.need("digraph", "digraph")
        self.take("id")
        opened = self.need("{", "the brace { after digraph")
        around = [_Statement(opened.line, 0)]
        while around:
            self._step(around)
        if self.token.kind:
            raise self.source.error(f"{self._present()} stands behind the end of the graph", self.token.line)

    def _step(self, around: list[_Statement]) -> None:
        """One part of a statement: a node, an arrow, attributes, or a brace."""
        here = around[-1]
        if token := self.take(";"):
            self._end_statement(here, token)
        elif token := self.take("id"):
            self._named(here, token, nested=len(around) > 1)
        elif token := self.take("->"):
            if here.arrow or not here.last:
                raise self.source.error("no class stands before the arrow", token.line)
            here.arrow = True
        elif token := self.take("{", "subgraph"):
            if token.kind == "subgraph":
                self.take("id")
                self.need("{", "the brace { after subgraph")
            if len(around) > self.limits.nesting:
                raise self.source.error(f"nested deeper than {self.limits.nesting} levels", token.line)
            around.append(_Statement(token.line, len(self.inside)))
        elif token := self.take("}"):
            self._end_statement(here, token)
            around.pop()
            if around:
                self._close(here, around[-1], token)
        elif self.token.kind == "[":
            self._end_statement(here, self.token, self._attributes())
        elif token := self.take(*DEFAULTS):
            self._end_statement(here, token)
            if self.token.kind != "[":
                raise self.source.error(f"{token.text} is a keyword; put the name in quotes", token.line)
            self._attributes()
        else:
            self._refuse(here)

    def _refuse(self, here: _Statement) -> None:
        token = self.token
        if token.kind == "--":
            raise self.source.error("-- is an undirected edge; write -> from parent to child", token.line)
        if token.kind == ":":
            raise self.source.error("ports are not read; put a name with a colon in quotes", token.line)
        if not token.kind:
            raise self.source.error("this brace is never closed", here.line)
        raise self.source.error(f"{self._present()} is not expected here", token.line)

    def _named(self, here: _Statement, token: _Token, nested: bool) -> None:
        """A node, or an attribute of the graph."""
        if self.token.kind == "=":
            self._end_statement(here, token)
            self.take("=")
            self.need("id", "a value")
            return
        if not token.text:
            raise self.source.error("a class without a name", token.line)
        node = self.nodes.setdefault(token.text, len(self.nodes))
        if node == len(self.said):
            self.said.append(token.line)
        if nested:
            self.inside.append(node)
        self._end(here, (node,), token.line)

    def _end(self, here: _Statement, nodes: Sequence[int], line: int) -> None:
        """These nodes come after an arrow, or begin a statement."""
        here.chained = here.arrow
        if here.arrow:
            if len(self.lines) + len(here.last) * len(nodes) > self.limits.lines:
                raise self.source.error(f"has more than {self.limits.lines:,} edges, the most that is read here", line)
            for parent in here.last:
                self.parents.extend(repeat(parent, len(nodes)))
                self.children.extend(nodes)
            self.lines.extend(repeat(line, len(here.last) * len(nodes)))
        here.last, here.arrow = nodes, False

    def _close(self, subgraph: _Statement, around: _Statement, token: _Token) -> None:
        """The nodes in braces are the end of an edge where an arrow stands before or behind them."""
        if not around.arrow and self.token.kind != "->":
            around.last = ()
            return
        nodes = list(dict.fromkeys(self.inside[subgraph.start :]))
        self.inside[subgraph.start :] = nodes
        if not nodes:
            raise self.source.error("an arrow at braces without a class in them", token.line)
        self._end(around, nodes, token.line)

    def _end_statement(self, here: _Statement, token: _Token, attributes: Mapping[str, _Token] = NONE) -> None:
        if here.arrow:
            raise self.source.error(f"no class stands between the arrow and {shown(token.text, 40)}", token.line)
        if attributes and len(here.last) == 1 and not here.chained:
            node = here.last[0]
            if label := attributes.get("label"):
                self.labels[node], self.said[node] = label.text, label.line
            if weights := {name: attributes[name].text for name in ATTRIBUTES if name in attributes}:
                self.weights.setdefault(node, {}).update(weights)
        here.last, here.chained = (), False

    def _attributes(self) -> dict[str, _Token]:
        """The values in `[label=…]`, by the names of the attributes."""
        found = {}
        while self.take("["):
            while not self.take("]"):
                key = self.need("id", "the name of an attribute or ]")
                value = self.need("id", "a value") if self.take("=") else None
                if value is not None:
                    found[key.text] = value
                self.has_weight |= key.text == "weight"
                self.take(",", ";")
        return found

    def graph(self) -> Graph:
        """What has been read; an InputError where two nodes have one name."""
        parent, child, line = (np.array(column, np.int64) for column in (self.parents, self.children, self.lines))
        graph = Graph(list(self.nodes), parent, child, line, self.labels, self.weights, self.has_weight)
        first: dict[str, int] = {}
        for k, name in enumerate(graph.names() if self.labels else ()):
            if first.setdefault(name, k) != k:
                both = " and ".join(shown(graph.nodes[node]) for node in (first[name], k))
                raise self.source.error(f"nodes {both} are both called {shown(name)}", self.said[k])
        return graph


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of a directed graph in DOT."""
    graph = _graph(text, source, limits)
    names = graph.names()
    weights = {names[node]: found for node, found in graph.weights.items()}
    edges = NumberedEdges(names, graph.parent, graph.child, graph.line, np.arange(len(names)), attributes=weights)
    if graph.has_weight:
        edges.notes.append("`weight` is about the drawing in DOT and is not read")
    return build_numbered(edges, source, limits)


def _graph(text: str, source: Source, limits: Limits) -> Graph:
    with suppress(Unusual):
        return graph_as_arrays(text, limits)
    return _graph_by_token(text, source, limits)


def _graph_by_token(text: str, source: Source, limits: Limits) -> Graph:
    reader = _Reader(source, limits, _tokens(text, source, limits))
    reader.document()
    if not reader.nodes:
        raise source.error("a graph without a class")
    return reader.graph()


def write(h: Hierarchy) -> str:
    """The hierarchy as a directed graph in DOT."""
    weights_if_any(h, "a DOT file", allowed=False)
    for label in h.nodes[h.virtual_root :]:
        for character, word in (("\\", "a backslash"), ("\r", "a line break"), ("\x00", "no proper text")):
            if character in label:
                raise InputError(f"a DOT file cannot hold class {shown(label)}: it contains {word}")
        if not encodable(label):
            raise InputError(f"a DOT file cannot hold class {shown(label)}: it contains no proper text")
    weights = class_weights_if_any(h, "a DOT file", allowed=True)
    lines = [f"  {_quoted(label)}{_listed(found)};\n" for label, found in weights.items()]
    lines += [f"  {_quoted(p)} -> {_quoted(c)};\n" for p, c in written_edges(h)]
    lines += [f"  {_quoted(label)};\n" for label in isolated_classes(h) if not weights]
    return "digraph {\n" + "".join(lines) + "}\n"


def _listed(weights: Mapping[str, float]) -> str:
    return f" [{', '.join(f'{name}={_quoted(repr(weight))}' for name, weight in weights.items())}]"


def _quoted(label: str) -> str:
    return '"' + label.replace('"', '\\"') + '"'


def _begins(opening: Opening) -> bool:
    if opening.extension in FORMAT.extensions:
        return True
    if not _FIRST.match(opening.text):
        return False
    return re.match(_BEGINS, opening.text, re.DOTALL | re.MULTILINE | re.IGNORECASE) is not None


FORMAT = HierarchyFormat(
    "dot",
    "Graphviz DOT",
    (".dot", ".gv"),
    "a digraph with edges from parent to child, classes named by label or id, with an optional `class_weight`",
    read,
    write,
    begins=_begins,
)
