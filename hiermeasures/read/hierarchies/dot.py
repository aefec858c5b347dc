"""Graphviz DOT: directed graphs whose edges lead from parent to child.

The label of a node names its class, as in the picture. A node without a label is named by its id.
Only the attributes `label` and `class_weight` are read. All others are about drawing, even
`weight`. The text is parsed by the grammar at graphviz.org/doc/info/lang.html.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise, product

from hiermeasures.hierarchy.class_weights import ATTRIBUTES
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.hierarchies import building
from hiermeasures.read.hierarchies.format import FormatText, HierarchyFormat
from hiermeasures.read.source import Source

# Possessive: an open quote or comment must not make the search slow.
_QUOTED = r'"(?:[^"\\]++|\\.)*+"'
_BETWEEN = r"(?:[ \t\n\r\f\v]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/|^\#[^\n]*+)"
_WORD = r"[A-Za-z0-9_.\u0080-\U0010ffff]++"
_NEGATIVE = r"(?<![\w.])-(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?![\w.])"  # sea-5 is an error in DOT, not one name or two
_TOKEN = rf"{_BETWEEN}*+(?:(?P<name>{_QUOTED}|{_WORD}|{_NEGATIVE})|(?P<mark>->|--|/\*|.|\Z))"
_BEGINS = rf"{_BETWEEN}*+(?:strict\b{_BETWEEN}++)?(?:di)?graph\b{_BETWEEN}*+(?:(?:{_QUOTED}|{_WORD}){_BETWEEN}*+)?\{{"
_FIRST = re.compile(
    r"\s*[sdgSDG/#]"
)  # a quick check, because the patterns above are slow to compile
_FLAGS = re.DOTALL | re.MULTILINE | re.IGNORECASE
_ANGLE = re.compile("[<>]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_DEFAULTS = ("node", "edge", "graph")
_KEYWORDS = (*_DEFAULTS, "digraph", "subgraph", "strict")
_ONE_DIGRAPH = "a hierarchy is one digraph, with -> from parent to child"


def read(text: str, source: Source) -> Hierarchy:
    graph = _Graph(source)
    _Parser(text, graph, source).read()
    if not graph.names:
        raise source.error("the graph has no classes")
    return building.build(graph.parsed(), source)


class _Parser:
    """A reader of tokens. `token` is the next token, or "" at the end."""

    def __init__(self, text: str, graph: "_Graph", source: Source) -> None:
        self._text, self._graph, self._source = text, graph, source
        self._match = re.compile(_TOKEN, _FLAGS).match
        self._begin = self._name_begin = self._end = 0
        self.token = ""
        self._work = 5 * source.limits.lines  # limit on tokens, and on names from inner braces
        self._next()

    def read(self) -> None:
        if self.token.lower() == "strict":
            self._next()
        if (kind := self.token.lower()) != "digraph":
            raise self._error(_ONE_DIGRAPH) if kind == "graph" else self._unexpected()
        self._next()
        if self.token != "{":
            self._take_name()
        self._statements(1)
        if self.token:
            another = self.token.lower() in ("strict", "graph", "digraph")
            raise self._error(
                _ONE_DIGRAPH if another else "there is more text after the graph's closing brace"
            )

    def _next(self) -> str:
        """Move to the next token, and return the one before."""
        before = self.token
        found = self._match(self._text, self._end)
        assert found  # any character is a token, and the end is one
        self._is_name = found.lastgroup == "name"
        self.token, self._begin, self._end = (
            found[found.lastgroup or 0],
            found.start(found.lastgroup or 0),
            found.end(),
        )
        self._count(1)
        if self.token in ('"', "/*"):
            raise self._error(f"a {'comment' if self.token == '/*' else 'quote'} is not closed")
        return before

    def _count(self, work: int) -> None:
        self._work -= work
        if self._work < 0:
            raise self._source.error(
                "is too large for a DOT file here. Write an edge list instead."
            )

    def _error(self, reason: str, begin: int | None = None) -> InputError:
        before = self._text[: self._begin if begin is None else begin]
        return self._source.error(
            reason, (before if self.token else before.rstrip()).count("\n") + 1
        )

    def _unexpected(self) -> InputError:
        if self.token == "--":
            return self._error("-- is an undirected edge. Write -> from parent to child.")
        if not self.token:
            return self._error("not valid DOT: a closing brace is missing at the end")
        return self._error(f"not valid DOT from here on ({shown(self.token, 20)})")

    def _take(self, mark: str) -> None:
        if self.token != mark:
            raise self._unexpected()
        self._next()

    # --- names and attributes

    def _take_name(self) -> str:
        """Return an id or value as written, with texts around + joined. An HTML text begins with <."""
        if self.token == "<":
            return self._take_html()
        if not self._is_name:
            raise self._unexpected()
        self._name_begin = self._begin
        name = self._next()
        while self.token == "+" and name[0] == '"':
            self._next()
            if self.token[:1] != '"':
                raise self._unexpected()
            name = name[:-1] + self._next()[1:]
        return name

    def _take_html(self) -> str:
        begin, depth = self._begin, 0
        for angle in _ANGLE.finditer(self._text, begin):
            depth += 1 if angle[0] == "<" else -1
            if not depth:
                self._name_begin, self._end = begin, angle.end()
                self._next()
                return self._text[begin : angle.end()]
        raise self._error("a < is not closed")

    def _take_attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.token == "[":
            self._next()
            while self.token != "]":
                name = _unquoted(self._take_name())
                if self.token == "=":
                    self._next()
                    found[name] = self._take_name()
                if self.token in (",", ";"):
                    self._next()
            self._next()
        return found

    # --- statements

    def _statements(self, depth: int) -> list[str]:
        """Read a block in braces. Return its nodes in the order of the text."""
        if depth > self._source.limits.nesting:
            raise self._error(f"nested deeper than {self._source.limits.nesting} levels")
        self._take("{")
        inside: dict[str, None] = {}
        while self.token != "}":
            if self.token in (";", ","):
                self._next()
                continue
            nodes = self._statement(depth)
            self._count(len(nodes))
            inside.update(dict.fromkeys(nodes))
        self._next()
        return list(inside)

    def _statement(self, depth: int) -> list[str]:
        if self.token == "{" or self.token.lower() == "subgraph":
            first = self._braces(depth)
            name = ""
        else:
            name = self._take_name()
            if self.token == "=":  # an attribute of the graph
                self._next()
                self._take_name()
                return []
            if self.token == "[" and name.lower() in _DEFAULTS:
                self._graph.notice(self._take_attributes())
                return []
            first = [self._node(name)]
        ends = [first]
        while self.token == "->":
            self._next()
            is_braces = self.token == "{" or self.token.lower() == "subgraph"
            ends.append(self._braces(depth) if is_braces else [self._node(self._take_name())])
        attributes = self._take_attributes()
        if len(ends) > 1:
            self._graph.notice(attributes)
            self._graph.connect(ends)
        elif name:
            self._graph.describe(first[0], attributes)
        return [node for end in ends for node in end]

    def _braces(self, depth: int) -> list[str]:
        if self.token != "{":
            self._next()
            if self.token != "{":
                self._take_name()
        return self._statements(depth + 1)

    def _node(self, written: str) -> str:
        """Return the node of an id, without its port."""
        if written.startswith("<"):
            raise self._error("a name is HTML. Use plain text.", self._name_begin)
        if written.lower() in _KEYWORDS:
            raise self._error(f"{written} is a keyword. Put the name in quotes.", self._name_begin)
        if not (node := _unquoted(written)):
            raise self._error("a class has an empty name", self._name_begin)
        while self.token == ":":
            self._next()
            self._take_name()
        self._graph.names.setdefault(node, node)
        return node


class _Graph:
    """Nodes, labels and edges of a graph."""

    def __init__(self, source: Source) -> None:
        self._source, self._most = source, source.limits.lines
        self.names: dict[str, str] = {}  # classes by node id
        self._edges: dict[tuple[str, str], None] = {}
        self._weights: dict[str, dict[str, object]] = {}
        self._has_weight = False

    def notice(self, attributes: Mapping[str, str]) -> None:
        self._has_weight |= "weight" in attributes

    def describe(self, node: str, found: Mapping[str, str]) -> None:
        if (label := found.get("label")) is not None:
            if label.startswith("<"):
                raise self._source.error(f"node {shown(node)} has an HTML label. Use plain text.")
            self.names[node] = _shown_in_picture(_unquoted(label), node)
        if weights := {
            name: _unquoted(found[name]) for name in ATTRIBUTES if found.get(name) is not None
        }:
            self._weights.setdefault(node, {}).update(weights)

    def connect(self, ends: Iterable[list[str]]) -> None:
        for above, below in pairwise(ends):
            if not above or not below:
                raise self._source.error("an arrow starts or ends at empty braces")
            if len(self._edges) + len(above) * len(below) > self._most:
                raise self._source.error(f"has more than {self._most:,} edges, the limit")
            self._edges.update(dict.fromkeys(product(above, below)))

    def parsed(self) -> building.ParsedEdges:
        """Return the edges between classes. InputError if two nodes share a name."""
        first: dict[str, str] = {}
        for node, name in self.names.items():
            if first.setdefault(name, node) != node:
                raise self._source.error(
                    f"nodes {shown(first[name])} and {shown(node)} are both called {shown(name)}"
                )
        above, below = ([self.names[pair[k]] for pair in self._edges] for k in (0, 1))
        weights = {self.names[node]: found for node, found in self._weights.items()}
        parsed = building.ParsedEdges(
            above, below, isolated=list(self.names.values()), attributes=weights
        )
        if self._has_weight:
            parsed.notes.append("`weight` is ignored, because in DOT it is only for drawing")
        return parsed


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
    building.check_writable(
        h, "a DOT file", {"\\": "a backslash", "\r": "a line break"}, keeps_blanks=True
    )
    weights = building.class_weights_if_any(h)
    lines = [f"  {_quoted(label)}{_listed(found)};\n" for label, found in weights.items()]
    lines += [f"  {_quoted(p)} -> {_quoted(c)};\n" for p, c in building.written_edges(h)]
    lines += [f"  {_quoted(label)};\n" for label in building.isolated_classes(h) if not weights]
    return "digraph {\n" + "".join(lines) + "}\n"


def _listed(weights: Mapping[str, float]) -> str:
    return f" [{', '.join(f'{name}={_quoted(repr(weight))}' for name, weight in weights.items())}]"


def _quoted(label: str) -> str:
    return '"' + label.replace('"', '\\"') + '"'


def _begins(opening: FormatText) -> bool:
    if opening.extension in FORMAT.extensions:
        return True
    return (
        _FIRST.match(opening.text) is not None
        and re.match(_BEGINS, opening.text, _FLAGS) is not None
    )


FORMAT = HierarchyFormat(
    key="dot",
    title="Graphviz DOT",
    extensions=(".dot", ".gv"),
    description="a digraph with edges from parent to child, where a label or id names each class, and "
    "`class_weight` is optional",
    read=read,
    write=write,
    begins=_begins,
    takes=("errors",),
)
