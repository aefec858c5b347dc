r"""Graphviz DOT, read by pydot: directed graphs whose edges lead from parent to child.

A class is named by its node's label, as in the picture, and by the node's id where it has none. Of
a node's attributes `label` and `class_weight` are read; the others are about drawing (`weight` too)
and are passed over. pydot reads about 30 kB a second, and what is in braces up to three times for
each pair of them, so the work is bounded before it begins.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from io import StringIO
from itertools import product
from threading import Lock
from typing import Any

from hiermeasures.core.class_weights import ATTRIBUTES
from hiermeasures.core.errors import shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies import building
from hiermeasures.formats.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.formats.source import Limits, Source

MOST_TOKENS = 100_000
"""Names and marks, times three for each pair of braces around them but the first.

pydot takes 20 s for as many of a plain list of edges, and two minutes at the worst; uploads are
stopped before (sandbox.py).
"""

# Possessive, so that nothing without an end makes the search go back and forth over the text.
_QUOTED = r'"(?:[^"\\]++|\\.)*+"'
_BETWEEN = r"(?:[ \t\n\r\f\v]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/|^\#[^\n]*+)"
_WORD = r"[A-Za-z0-9_.\u0080-\U0010ffff]++"
_TOKEN = rf"(?P<aside>{_BETWEEN})|(?P<open>\{{)|(?P<close>\}})|(?P<line>--)|->|{_QUOTED}|(?P<endless>/\*|\")|{_WORD}|."
_BEGINS = rf"{_BETWEEN}*+(?:strict\b{_BETWEEN}++)?(?:di)?graph\b{_BETWEEN}*+(?:(?:{_QUOTED}|{_WORD}){_BETWEEN}*+)?\{{"
_FIRST = re.compile(r"\s*[sdgSDG/#]")  # of any DOT file; the patterns above are slow to compile
_FLAGS = re.DOTALL | re.MULTILINE | re.IGNORECASE
_NODE_ID = re.compile(rf"({_QUOTED}|[^:]*+)", re.DOTALL)  # without its port
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_DEFAULTS = ("node", "edge", "graph")
_pydot_is_for_one_thread = Lock()


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    _check_work(text, source)
    graph = _Nodes(source, limits)
    graph.take(_parsed(text, source).obj_dict)
    if not graph.names:
        raise source.error("a graph without a class")
    return building.build(graph.parsed(), source, limits)


def _check_work(text: str, source: Source) -> None:
    """Refuse input on which pydot would be too slow or wrong."""
    depth = count = 0
    for token in re.finditer(_TOKEN, text, _FLAGS):
        kind = token.lastgroup
        if kind in ("endless", "line"):
            fault = "-- is an undirected edge; write -> from parent to child"
            if kind == "endless":
                fault = f"a {'comment' if token[0] == '/*' else 'quote'} is opened and never closed"
            raise source.error(fault, text.count("\n", 0, token.start()) + 1)
        depth += (kind == "open") - (kind == "close")
        count += 0 if kind == "aside" else 3 ** max(depth - 1, 0)
        if count > MOST_TOKENS:
            raise source.error(
                f"more than {MOST_TOKENS:,} names and marks (more count inside of braces), the most that is read of "
                "DOT; write an edge list instead"
            )


def _parsed(text: str, source: Source) -> Any:
    """Parse with pydot, which prints its syntax errors."""
    import pydot

    try:
        with _pydot_is_for_one_thread, redirect_stdout(StringIO()) as printed:
            graphs = pydot.graph_from_dot_data(text)
    except Exception as error:  # pydot raises many kinds for attributes with names of its own
        raise source.error(f"no DOT that can be read ({type(error).__name__}: {shown(str(error), 100)})") from None
    if not graphs:
        where = re.search(r"\(line:(\d+)", printed.getvalue())
        raise source.error("no DOT that can be read from here on", int(where[1]) if where else None)
    if len(graphs) > 1 or graphs[0].get_type() != "digraph":
        raise source.error("a hierarchy is one digraph, with -> from parent to child")
    return graphs[0]


class _Nodes:
    """Nodes, labels and edges of a graph and what is in braces in it."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self._source, self._most = source, limits.lines
        self.names: dict[str, str] = {}  # of the classes, by the ids of their nodes
        self._edges: dict[tuple[str, str], None] = {}
        self._weights: dict[str, dict[str, object]] = {}
        self._has_weight = False

    def take(self, graph: Mapping[str, Any]) -> list[str]:
        """Take in a graph as pydot keeps it; return its nodes, in the order of the text."""
        inside: dict[str, None] = {}
        for entry in sorted(_entries(graph), key=lambda entry: entry["sequence"] or 0):
            found = {_unquoted(key): value for key, value in entry["attributes"].items()}
            if entry["type"] == "edge":
                ends = [self._end(end) for end in entry["points"]]
                inside.update(dict.fromkeys((*ends[0], *ends[1])))
                self._connect(*ends)
            elif entry["type"] == "node":
                if entry["name"].lower() in _DEFAULTS:
                    self._has_weight |= "weight" in found
                    continue
                inside[node := self._node(entry["name"])] = None
                self._describe(node, found)
            else:
                inside.update(dict.fromkeys(self.take(entry)))
            self._has_weight |= entry["type"] == "edge" and "weight" in found
        return list(inside)

    def _end(self, end: Any) -> list[str]:
        return self.take(end) if isinstance(end, Mapping) else [self._node(str(end))]

    def _node(self, name: str) -> str:
        found = _NODE_ID.match(name)
        written = found[1] if found else name
        if written.startswith("<"):
            raise self._source.error("a name of HTML; only plain text is read")
        if written.lower() in (*_DEFAULTS, "digraph", "subgraph", "strict"):
            raise self._source.error(f"{written} is a keyword; put the name in quotes")
        node = _unquoted(written)
        if not node:
            raise self._source.error("a class without a name")
        self.names.setdefault(node, node)
        return node

    def _describe(self, node: str, found: Mapping[str, Any]) -> None:
        if (label := found.get("label")) is not None:
            if label.startswith("<"):
                raise self._source.error(f"node {shown(node)} has a label of HTML; only plain text is read")
            self.names[node] = _shown_in_picture(_unquoted(label), node)
        if weights := {name: _unquoted(found[name]) for name in ATTRIBUTES if found.get(name) is not None}:
            self._weights.setdefault(node, {}).update(weights)

    def _connect(self, above: list[str], below: list[str]) -> None:
        if not above or not below:
            raise self._source.error("an arrow at braces without a class in them")
        if len(self._edges) + len(above) * len(below) > self._most:
            raise self._source.error(f"has more than {self._most:,} edges, the most that is read here")
        self._edges.update(dict.fromkeys(product(above, below)))

    def parsed(self) -> building.ParsedEdges:
        """Edges between classes; InputError if two nodes have one name."""
        first: dict[str, str] = {}
        for node, name in self.names.items():
            if first.setdefault(name, node) != node:
                raise self._source.error(f"nodes {shown(first[name])} and {shown(node)} are both called {shown(name)}")
        above, below = ([self.names[pair[k]] for pair in self._edges] for k in (0, 1))
        weights = {self.names[node]: found for node, found in self._weights.items()}
        parsed = building.ParsedEdges(above, below, isolated=list(self.names.values()), attributes=weights)
        if self._has_weight:
            parsed.notes.append("`weight` is about the drawing in DOT and is not read")
        return parsed


def _entries(graph: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for kind in ("nodes", "edges", "subgraphs"):
        for several in graph[kind].values():
            yield from several


def _unquoted(written: str) -> str:
    if not written.startswith('"'):
        return written
    return written[1:-1].replace("\\\n", "").replace('\\"', '"')


def _shown_in_picture(label: str, node: str) -> str:
    def meaning(escape: re.Match[str]) -> str:
        return node if escape[1] == "N" else " " if escape[1] in "nlr" else escape[1]

    return _ESCAPE.sub(meaning, label).strip() or node


def write(h: Hierarchy) -> str:
    building.check_unweighted(h, "a DOT file", classes_may=True)
    building.check_writable(h, "a DOT file", {"\\": "a backslash", "\r": "a line break"}, keeps_blanks=True)
    weights = building.class_weights_if_any(h)
    lines = [f"  {_quoted(label)}{_listed(found)};\n" for label, found in weights.items()]
    lines += [f"  {_quoted(p)} -> {_quoted(c)};\n" for p, c in building.written_edges(h)]
    lines += [f"  {_quoted(label)};\n" for label in building.isolated_classes(h) if not weights]
    return "digraph {\n" + "".join(lines) + "}\n"


def _listed(weights: Mapping[str, float]) -> str:
    return f" [{', '.join(f'{name}={_quoted(repr(weight))}' for name, weight in weights.items())}]"


def _quoted(label: str) -> str:
    return '"' + label.replace('"', '\\"') + '"'


def _begins(opening: Opening) -> bool:
    if opening.extension in FORMAT.extensions:
        return True
    return _FIRST.match(opening.text) is not None and re.match(_BEGINS, opening.text, _FLAGS) is not None


FORMAT = HierarchyFormat(
    key="dot",
    title="Graphviz DOT",
    extensions=(".dot", ".gv"),
    description="a digraph with edges from parent to child, classes named by label or id, with an optional "
    "`class_weight`; up to about 25,000 edges",
    read=read,
    write=write,
    begins=_begins,
    drops=True,
)
