"""What a text in DOT says, and the reader of ordinary texts, which finds all tokens at once as arrays: one pair of
braces around nodes, chains of arrows and attributes, no comments, no subgraphs. Others, and all faults, are for dot.py.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hiermeasures.class_weights import ATTRIBUTES
from hiermeasures.io.source import Limits
from hiermeasures.io.words import NEWLINE, PADDING, Names, Unusual, plain_bytes, texts_of, which_begins

TOKENS_PER_LINE = 10
DEFAULTS = ("node", "edge", "graph")  # what attributes may follow
KEYWORDS = (*DEFAULTS, "digraph", "subgraph", "strict")
_HEAD = re.compile(rb'\s*(?:strict\s+)?digraph(?:\s*"[^"\\]*+"|\s+([A-Za-z_]\w*+))?\s*\{', re.IGNORECASE)
_IN_LABEL = re.compile(r"\\(.)", re.DOTALL)


@dataclass
class Graph:
    """Nodes in the order in which they are first named, edges as arrays of their places, in the order of the text with
    the lines of their lower ends; by node its label and what its class weighs, as they are written.
    """

    nodes: list[str]
    parent: np.ndarray
    child: np.ndarray
    line: np.ndarray
    labels: dict[int, str]
    weights: dict[int, dict[str, object]]
    has_weight: bool  # of an edge or of anything else that is drawn

    def names(self) -> list[str]:
        """The class of every node."""
        found = self.nodes.copy()
        for node, label in self.labels.items():
            found[node] = _name(label, self.nodes[node])
        return found


def _name(label: str, node: str) -> str:
    def meaning(escape: re.Match[str]) -> str:
        return node if escape[1] == "N" else " " if escape[1] in "nlr" else escape[1]

    return (_IN_LABEL.sub(meaning, label) if "\\" in label else label).strip() or node


def unquoted(text: str) -> str:
    """What stands between two quotes, its escapes resolved."""
    return text.replace("\\\n", "").replace('\\"', '"') if "\\" in text else text


# --- tokens -------------------------------------------------------------------------------------------------------

_BLANK, _ID, _ARROW, _OPEN, _CLOSE, _EQUALS, _COMMA, _END, _KEYWORD, _BRACE = range(10)  # kinds of tokens
_LETTER, _DIGIT, _POINT, _QUOTE, _TIP, _ODD = range(20, 26)  # further kinds of bytes


def _kinds() -> np.ndarray:
    kinds = np.full(256, _ODD, np.uint8)
    kinds[128:] = _LETTER
    for characters, kind in (
        (b" \t\n", _BLANK), (b"-", _ARROW), (b">", _TIP), (b"[", _OPEN), (b"]", _CLOSE), (b"=", _EQUALS),
        (b",", _COMMA), (b";", _END), (b"{}", _BRACE), (b'"', _QUOTE), (b"0123456789", _DIGIT), (b".", _POINT),
        (b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", _LETTER),
    ):  # fmt: skip
        kinds[np.frombuffer(characters, np.uint8)] = kind
    return kinds


_KINDS = _kinds()  # of each byte


@dataclass(frozen=True)
class _Tokens:
    """Tokens in their order: their kinds, and where the text of each begins and ends, without quotes."""

    text: np.ndarray
    kind: np.ndarray
    starts: np.ndarray
    ends: np.ndarray

    def which(self, tokens: np.ndarray, words: Sequence[str], text: np.ndarray | None = None) -> np.ndarray:
        """Which of some words each of some tokens is, -1 for none."""
        found = which_begins(self.text if text is None else text, self.starts[tokens], [w.encode() for w in words])
        sizes = np.array([*map(len, words), -1])
        return np.where(sizes[found] == (self.ends - self.starts)[tokens], found, -1)

    def texts(self, tokens: np.ndarray) -> list[str]:
        """What some tokens say."""
        return [unquoted(text) for text in texts_of(self.text, self.starts[tokens], self.ends[tokens])]


def _tokens(text: np.ndarray, limits: Limits) -> _Tokens:
    kind = _KINDS[text]
    kind[-PADDING:] = _BLANK
    closing = _take_quotes(text, kind)
    if (kind == _ODD).any() or np.count_nonzero(kind == _BRACE) != 2:
        raise Unusual
    ends = _take_words(kind)
    arrows, tips = np.flatnonzero(kind == _ARROW), np.flatnonzero(kind == _TIP)
    if not np.array_equal(arrows + 1, tips):
        raise Unusual
    kind[tips] = _BLANK
    if np.count_nonzero(kind) > TOKENS_PER_LINE * limits.lines - 10:  # those before the brace are not among them
        raise Unusual
    places = np.flatnonzero(kind)
    kind = kind[places]
    is_word, is_quoted = kind == _ID, kind == _QUOTE
    until = places + 1
    until[is_word], until[is_quoted] = ends, closing
    kind[is_quoted] = _ID
    tokens = _Tokens(text, kind, places + is_quoted, until)
    short = np.flatnonzero(is_word & (until - places <= max(map(len, KEYWORDS))))
    which = tokens.which(short, KEYWORDS, text | 32)  # in lower case
    if (which >= len(DEFAULTS)).any():
        raise Unusual
    kind[short[which >= 0]] = _KEYWORD
    return tokens


def _take_quotes(text: np.ndarray, kind: np.ndarray) -> np.ndarray:
    """Leaves only the opening one of two quotes and of what stands between them; the places of the closing ones."""
    quotes = np.flatnonzero(kind == _QUOTE)
    escaped = text[quotes - 1] == ord("\\")
    if (text[quotes[escaped] - 2] == ord("\\")).any():
        raise Unusual
    quotes = quotes[~escaped]
    if len(quotes) % 2:
        raise Unusual
    opening: np.ndarray = quotes[::2]
    closing: np.ndarray = quotes[1::2]
    if len(quotes):
        step = np.zeros(len(text), np.int8)
        step[opening] = 1
        step[closing + 1] -= 1
        inside = np.cumsum(step, dtype=np.int8, out=step).view(bool)
        if (inside & (text == NEWLINE)).any():
            raise Unusual
        kind[inside] = _BLANK
        kind[opening] = _QUOTE
    return closing


def _take_words(kind: np.ndarray) -> np.ndarray:
    """Leaves only the beginning of each name and number; the places where they end."""
    in_word = (kind >= _LETTER) & (kind <= _POINT)
    edges = np.flatnonzero(in_word[1:] != in_word[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    named = kind[starts] == _LETTER
    points = np.searchsorted(starts, np.flatnonzero(kind == _POINT), side="right") - 1  # their words
    late = np.flatnonzero((kind[1:] == _LETTER) & in_word[:-1] & (kind[:-1] != _LETTER)) + 1
    if (
        named[points].any()
        or len(np.unique(points)) < len(points)
        or not named[np.searchsorted(starts, late) - 1].all()
    ):
        raise Unusual
    if (ends - starts == 1)[points].any():
        raise Unusual
    kind[in_word] = _BLANK
    kind[starts] = _ID
    return ends


# --- statements ---------------------------------------------------------------------------------------------------


def graph_as_arrays(text: str, limits: Limits) -> Graph:
    """The graph of an ordinary text."""
    try:
        data = text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        raise Unusual from None
    head = _HEAD.match(data)
    if head is None or (head[1] or b"").lower().decode() in KEYWORDS:
        raise Unusual
    tokens = _tokens(plain_bytes(data)[head.end() - 1 :], limits)
    braces = np.flatnonzero(tokens.kind == _BRACE)
    if braces.tolist() != [0, len(tokens.kind) - 1] or tokens.text[tokens.starts[-1]] != ord("}"):
        raise Unusual
    tokens.kind[braces] = _END
    node, attribute = _parts(tokens.kind)
    if not node.any() or (tokens.starts == tokens.ends)[node].any():
        raise Unusual
    names = Names(limits)
    number = np.full(len(node), -1)
    number[node] = names.of(tokens.text, tokens.starts[node], tokens.ends[node])
    arrows = np.flatnonzero(tokens.kind == _ARROW)
    if len(arrows) > limits.lines:
        raise Unusual
    lines = np.searchsorted(np.flatnonzero(tokens.text == NEWLINE), tokens.starts[arrows + 1]) + 1
    graph = Graph(
        list(map(unquoted, names)),
        number[arrows - 1],
        number[arrows + 1],
        lines + head[0].count(b"\n"),
        *_attributes(tokens, np.flatnonzero(attribute), number),
    )
    if graph.labels or graph.nodes != list(names):  # names may have become the same
        for given in (graph.nodes, graph.names()):
            if len(set(given)) < len(names):
                raise Unusual
    return graph


def _parts(kind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which tokens are nodes, and which the names of attributes in brackets; Unusual where one is not in its place."""
    opens, closes = np.flatnonzero(kind == _OPEN), np.flatnonzero(kind == _CLOSE)
    if len(opens) != len(closes) or (opens > closes).any() or (opens[1:] < closes[:-1]).any():
        raise Unusual
    listed = np.cumsum((kind == _OPEN).astype(np.int8) - (kind == _CLOSE), dtype=np.int8).astype(bool)
    before, after = np.roll(kind, 1), np.roll(kind, -1)
    is_id = kind == _ID
    value = is_id & (before == _EQUALS)
    node = is_id & ~listed & ~value & (after != _EQUALS)
    follows_node, follows_value = np.roll(node, 1), np.roll(value, 1)
    misplaced = (
        (kind == _EQUALS) & ((before != _ID) | (after != _ID) | follows_value),
        (kind == _ARROW) & ~(follows_node & np.roll(node, -1)),
        (kind == _KEYWORD) & (listed | (after != _OPEN)),
        (kind == _OPEN) & ~(follows_node | (before == _KEYWORD)),
        (kind == _COMMA) & ~listed,
        ((kind == _COMMA) | (kind == _END)) & listed & (before != _ID),
    )
    if any(map(np.any, misplaced)):
        raise Unusual
    return node, is_id & listed & ~value


def _attributes(
    tokens: _Tokens, keys: np.ndarray, number: np.ndarray
) -> tuple[dict[int, str], dict[int, dict[str, object]], bool]:
    """The labels and weights of nodes, and whether anything has a `weight`."""
    words = ("label", *ATTRIBUTES, "weight")
    which = tokens.which(keys, words)
    has_weight = bool((which == len(words) - 1).any())
    read = (which >= 0) & (tokens.kind[keys + 1] == _EQUALS)
    keys, which = keys[read], which[read]
    opens = np.flatnonzero(tokens.kind == _OPEN)
    node = opens[np.searchsorted(opens, keys) - 1] - 1
    own = (number[node] >= 0) & (tokens.kind[node - 1] != _ARROW)
    labels: dict[int, str] = {}
    weights: dict[int, dict[str, object]] = {}
    for k, word, text in zip(number[node[own]].tolist(), which[own].tolist(), tokens.texts(keys[own] + 2), strict=True):
        if word == 0:
            labels[k] = text
        elif words[word] != "weight":
            weights.setdefault(k, {})[words[word]] = text
    return labels, weights, has_weight
