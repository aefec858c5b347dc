"""The hierarchy of classes: a rooted tree or DAG. It is checked when it is built and never changes.

It finds ancestors, descendants, levels, distances, cheapest upward paths and lowest common
ancestors. Measures, files and drawings are in other modules.

Nodes are numbered topologically: the root is 0, and a parent comes before its children. Edges are
compressed rows (edge_rows.py). A query visits only the classes that it needs. The array engine uses
these rows, too.
"""

import heapq
import math
import struct
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from numbers import Integral
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

from hiermeasures.hierarchy.class_weights import (
    ATTRIBUTES,
    CLASS_WEIGHT,
    ClassWeights,
    Scheme,
    as_attributes,
    class_weights,
    from_attributes,
)
from hiermeasures.hierarchy.columns import Lists, operations_for
from hiermeasures.hierarchy.edge_rows import (
    WIDEST_RATIO,
    EdgeRows,
    Errors,
    check_ratio,
    checked_errors,
    checked_weight,
    compressed,
    faults_of,
    levels,
    names_like_paths,
    numbered,
    without_duplicates,
)
from hiermeasures.hierarchy.errors import InputError, check_known, shown, unknown, warn_of
from hiermeasures.hierarchy.frames import is_frame, plain, read_frame
from hiermeasures.hierarchy.label_notation import (
    MOST_NAMES,
    RANKS,
    Notation,
    edges_of,
    notation_of,
    titles_of,
    told,
    ways_of,
    ways_of_ranks,
)
from hiermeasures.hierarchy.package import StillPicture, notebook_outputs
from hiermeasures.hierarchy.understood import NOTHING, Understood
from hiermeasures.hierarchy.words import quote_names, write_count

if TYPE_CHECKING:
    import networkx as nx


DEFAULT_ROOT_NAME = "(root)"
NO_NAMES: Mapping[str, str] = MappingProxyType({})
_LONGEST_TITLE = 1000  # characters
WeightScheme = Literal["constant", "level", "exponential", "classes"]


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """A rooted tree or DAG of classes. Build one with a `from_…` constructor.

    Attributes
    ----------
    nodes : tuple of str
        All classes. A parent comes before its children.
    rows : EdgeRows
        The edges, by the numbers of the classes.
    virtual_root : bool
        True if a root was added because there are several top classes.
    notes : tuple of str
        Sentences about the source that you should check.
    class_weights : tuple, optional
        The weight of each class, and its weight in ICM. Without them every class weighs 1.
    titles : mapping of str to str
        Texts for some classes. Equal hierarchies may have different titles.
    other_names : mapping of str to str
        Classes by further names, such as ids that were merged.
    understood : Understood
        How the source was read.
    base : Hierarchy, optional
        The hierarchy without the classes that were added for unknown answers.

    Raises
    ------
    InputError
        On construction, for empty input, a label that is not text, a cycle (the message names its
        classes) or an edge weight that is not positive.

    See Also
    --------
    hiermeasures.read_hierarchy : Read a hierarchy from a file.
    hiermeasures.explain : Compute all measures of one instance.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("C", "P1")])
    >>> h.root, sorted(h.leaves), h.is_tree
    ('A', ['P1', 'T1'], False)
    >>> sorted(h.ancestors("P1"))
    ['A', 'B', 'C']
    """

    nodes: tuple[str, ...]  # numbered topologically, as in `rows`
    rows: EdgeRows
    virtual_root: bool = False
    notes: tuple[str, ...] = ()
    class_weights: ClassWeights | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    other_names: Mapping[str, str] = field(default_factory=dict)
    understood: Understood = NOTHING
    base: "Hierarchy | None" = None

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without cached values. They may be many times larger than the hierarchy."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __deepcopy__(self, memo: dict[int, Any]) -> "Hierarchy":
        return self  # nothing of it changes

    # --- construction ---------------------------------------------------------------------------

    @classmethod
    def from_edges(
        cls, edges: Any, nodes: Iterable[str] = (), root_name: str = DEFAULT_ROOT_NAME
    ) -> "Hierarchy":
        """Build a hierarchy from (parent, child) or (parent, child, weight) tuples.

        Parameters
        ----------
        edges : iterable of tuple, or frame
            A frame is a table of pandas, polars or Arrow. Its columns are parent, child and
            optionally weight, in this order. The order is free if the columns are named parent and
            child, or source and target. Labels are text, and whole numbers become text. Weights are
            positive, 1 by default, and differ by a factor of a million at most. Repeated edges are
            merged, and `notes` mentions it.
        nodes : iterable of str
            More classes, such as classes without an edge.
        root_name : str
            The name of the virtual root. It is added if there are several top classes, and `notes`
            mentions it.

        Returns
        -------
        Hierarchy

        Raises
        ------
        InputError
            For a cycle, an edge with two weights, a weight that is not positive, a label that is
            not text, or no class at all.

        See Also
        --------
        from_frame : Build a hierarchy from a table with one row per class.
        from_paths : Build a hierarchy from labels that are paths.

        Examples
        --------
        >>> Hierarchy.from_edges([("a", "b"), ("c", "d")]).notes
        ("2 top classes ('a', 'c') are joined under the virtual root '(root)'",)
        """
        parents, children, weights = list[str](), list[str](), list[float]()
        for edge in zip(*_edge_columns(edges), strict=True) if is_frame(edges) else edges:
            if len(edge) not in (2, 3):
                raise InputError(
                    f"an edge must be (parent, child) or (parent, child, weight), not "
                    f"{shown(repr(edge))[1:-1]}"
                )
            above, below = as_label(edge[0]), as_label(edge[1])
            parents.append(above)
            children.append(below)
            weights.append(checked_weight(edge[2], above, below) if len(edge) == 3 else 1.0)
        labels, parent, child = numbered(parents, children, map(as_label, plain(nodes)))
        return cls.from_numbered(labels, parent, child, weights, root_name)

    @classmethod
    def from_nested(
        cls, nested: Mapping[Any, Any], root_name: str = DEFAULT_ROOT_NAME
    ) -> "Hierarchy":
        """Build a hierarchy from nested mappings.

        Parameters
        ----------
        nested : mapping
            Children by the name of their parent, as a mapping or a list. A leaf is None, an empty
            mapping, or a name in a list.
        root_name : str
            The name of the virtual root, if there are several top classes.

        Raises
        ------
        InputError
            For a value that is not a mapping, a list or a name.

        Examples
        --------
        >>> Hierarchy.from_nested({"A": {"B": ["T1", "P1"], "C": None}}).edges
        (('A', 'B'), ('A', 'C'), ('B', 'T1'), ('B', 'P1'))
        """
        edges, tops = list[tuple[str, str]](), list[str]()
        pending = deque[tuple[str | None, Any]]([(None, nested)])
        while pending:
            above, content = pending.popleft()
            if isinstance(content, (list, tuple)):
                entries = [
                    each if isinstance(each, Mapping) else {as_label(each): None}
                    for each in content
                ]
                pending.extendleft((above, entry) for entry in reversed(entries))
                continue
            content = {content: None} if isinstance(content, str) else content
            if not isinstance(content, Mapping):
                where = f"under {shown(above)}" if above is not None else "at the top"
                raise InputError(
                    f"a nested hierarchy must contain mappings, lists and names only, but {where} "
                    f"it contains {shown(repr(content), 40)}"
                )
            for name, below in content.items():
                label = as_label(name)
                if above is None:
                    tops.append(label)
                else:
                    edges.append((above, label))
                if below:
                    pending.append((label, below))
        return cls.from_edges(edges, tops, root_name)

    @classmethod
    def from_paths(
        cls, labels: Iterable[str], separator: str = " > ", root_name: str = DEFAULT_ROOT_NAME
    ) -> "Hierarchy":
        """Build a hierarchy from paths, such as a column of labels.

        The name of a class is its whole path, because a part may occur in several paths. Its title
        is the last part, unless two classes have the same last part.

        Parameters
        ----------
        labels : iterable of str
        separator : str
            The text between the parts of a path.
        root_name : str
            The name of the virtual root, if there are several top classes.

        Raises
        ------
        InputError
            For a path that skips a level.

        See Also
        --------
        from_codes : Build a hierarchy from codes such as I21.0.
        from_ranks : Build a hierarchy from a table with a column for each level.

        Examples
        --------
        >>> h = Hierarchy.from_paths(["Audio > Headphones", "Audio > Radios > Portable"])
        >>> h.parents("Audio > Headphones"), h.title("Audio > Radios > Portable")
        (('Audio',), 'Portable')
        """
        return cls.from_labels(labels, Notation(separator), root_name)

    @classmethod
    def from_codes(
        cls,
        labels: Iterable[Any],
        separator: str = ".",
        levels: Sequence[int] | None = None,
        root_name: str = DEFAULT_ROOT_NAME,
    ) -> "Hierarchy":
        """Build a hierarchy from codes such as I21.0. The parent is the beginning of a code.

        Parameters
        ----------
        labels : iterable of str or int
        separator : str
            The character after a beginning.
        levels : sequence of int, optional
            The number of letters and digits at each level, instead of a separator.
        root_name : str
            The name of the virtual root, if there are several top classes.

        Raises
        ------
        InputError
            For a code that fits none of the levels.

        See Also
        --------
        from_paths : Build a hierarchy from labels that are paths.

        Examples
        --------
        >>> Hierarchy.from_codes(["I21.0", "I21.1"]).edges
        (('I21', 'I21.0'), ('I21', 'I21.1'))
        >>> Hierarchy.from_codes(["1111", "12"], levels=(1, 2, 3, 4)).leaves == {"1111", "12"}
        True
        """
        notation = (
            Notation(separator, of_codes=True)
            if levels is None
            else Notation(levels=tuple(sorted(levels)))
        )
        return cls.from_labels(map(as_label, plain(labels)), notation, root_name)

    @classmethod
    def from_labels(
        cls,
        labels: Iterable[str],
        notation: Notation | None = None,
        root_name: str = DEFAULT_ROOT_NAME,
        *,
        most_names: int = MOST_NAMES,
    ) -> "Hierarchy":
        """Build a hierarchy from labels, and find out if they are paths or codes.

        The first note describes the notation.

        Parameters
        ----------
        labels : iterable of str
        notation : Notation, optional
            The notation of the labels. By default it is recognised.
        root_name : str
            The name of the virtual root, if there are several top classes.
        most_names : int
            The largest number of characters of all class names together.

        Raises
        ------
        InputError
            If the labels look like neither paths nor codes, or one of them cannot be read.

        See Also
        --------
        from_paths, from_codes : Build a hierarchy from a notation that you know.

        Examples
        --------
        >>> Hierarchy.from_labels(["A/B", "A/C", "D/E"]).notes[0]
        "paths separated by '/', 2 levels, 5 classes"
        """
        labels = plain(labels)
        notation = notation or notation_of(labels)
        if notation is None:
            raise InputError(
                "the labels look neither like paths nor like codes. Name the separator of their "
                "parts (paths=, codes=), or give a hierarchy"
            )
        return cls._from_ways(ways_of(labels, notation), notation, root_name, most_names)

    @classmethod
    def _from_ways(
        cls,
        ways: Iterable[Sequence[str]],
        notation: Notation,
        root_name: str,
        most_names: int = MOST_NAMES,
    ) -> "Hierarchy":
        last: list[str] = []
        h = cls.from_numbered(*edges_of(_noting_last(ways, last), most_names), root_name=root_name)
        rule = told(notation, h.depth + (not h.virtual_root), len(h) - h.virtual_root)
        named = set(last) if notation.of_codes or notation.levels else h.nodes
        added = tuple(label for label in h.nodes[h.virtual_root :] if label not in named)
        return replace(h, titles=titles_of(h.nodes, notation)).with_understood(
            rule=rule, invented=added
        )

    @classmethod
    def from_ranks(cls, table: Any, root_name: str = DEFAULT_ROOT_NAME) -> "Hierarchy":
        """Build a hierarchy from a table with a column for each rank, the top rank first.

        The name of a class is its whole path.

        Parameters
        ----------
        table : frame or iterable of rows
            The last ranks of a row may be missing.
        root_name : str
            The name of the virtual root, if there are several top classes.

        Raises
        ------
        InputError
            For a row with an empty rank above another rank.

        See Also
        --------
        from_paths : Build a hierarchy from labels that are paths.

        Examples
        --------
        >>> Hierarchy.from_ranks([("Life", "Cat"), ("Life", "Dog")]).leaves == {"Life > Cat", "Life > Dog"}
        True
        """
        frame = read_frame(table) if is_frame(table) else None
        rows = zip(*frame.columns, strict=True) if frame is not None else table
        return cls._from_ways(ways_of_ranks(rows, frame and frame.names), RANKS, root_name)

    @classmethod
    def from_frame(
        cls,
        table: Any,
        *,
        child: str,
        parent: str,
        title: str | None = None,
        errors: Errors = "raise",
        root_name: str = DEFAULT_ROOT_NAME,
    ) -> "Hierarchy":
        """Build a hierarchy from a table with a class and its parent in each row.

        Parameters
        ----------
        table : frame
            A table of pandas, polars or Arrow. The parent of a top class is missing. A class with
            several parents has several rows.
        child, parent, title : str
            The names of the columns.
        errors : "raise" or "drop"
            "raise" refuses a faulty row: it has no class, or a class that is its own parent. If top
            classes have rows of their own, a parent without a row is also a fault. "drop" leaves out
            the edges of faulty rows, repeated edges and edges of cycles, but keeps their classes.
            `dropped` lists these rows.
        root_name : str
            The name of the virtual root, if there are several top classes.

        Raises
        ------
        InputError
            For an unknown column, or a faulty row with errors="raise".

        See Also
        --------
        from_edges : Build a hierarchy from edges.
        from_ranks : Build a hierarchy from a table with a column for each level.

        Examples
        --------
        >>> import pandas as pd
        >>> codes = pd.DataFrame({"code": [1, 11], "above": [None, "1"], "text": ["Managers", "Executives"]})
        >>> h = Hierarchy.from_frame(codes, child="code", parent="above", title="text")
        >>> h.edges, h.title("11")
        ((('1', '11'),), 'Executives')
        >>> faulty = pd.DataFrame({"code": ["1", "11"], "above": [None, "11"]})
        >>> Hierarchy.from_frame(faulty, child="code", parent="above", errors="drop").dropped
        ("row 2: class '11' is its own parent",)
        """
        drop = checked_errors(errors)
        frame = read_frame(table)
        names = list(map(str, frame.names or ()))
        for name in filter(None, (child, parent, title)):
            check_known("column", name, names)
        labels, above, *texts = (
            [label_in_cell(x) for x in frame.columns[names.index(name)]]
            for name in filter(None, (child, parent, title))
        )
        said, edges = _rows_to_edges(labels, above, child, drop=drop)
        if said and not drop:
            raise InputError(said[0])
        h = cls.from_edges(edges, filter(None, labels), root_name)
        titles = zip(labels, *texts, strict=True) if texts else ()
        return h.with_understood(dropped=tuple(said)).with_titles(filter(all, titles))

    @classmethod
    def from_networkx(cls, graph: "nx.DiGraph", root_name: str = DEFAULT_ROOT_NAME) -> "Hierarchy":
        """Build a hierarchy from a networkx DiGraph with edges from parent to child.

        Parameters
        ----------
        graph : networkx.DiGraph
            Edges may have the attribute `weight`. Nodes may have `class_weight`, and `icm_weight`
            for another weight in ICM.
        root_name : str
            The name of the virtual root, if there are several top classes.

        Raises
        ------
        InputError
            For an undirected graph, and for the faults that `from_edges` refuses.

        See Also
        --------
        to_networkx : Return the hierarchy as a networkx DiGraph.

        Examples
        --------
        >>> import networkx as nx
        >>> Hierarchy.from_networkx(nx.DiGraph([("A", "B")])).root
        'A'
        """
        if not graph.is_directed():
            raise InputError(
                "the graph is undirected. Give a DiGraph with edges from parent to child"
            )
        edges = ((u, v, w) for u, v, w in graph.edges(data="weight", default=1.0))
        attributes = {
            as_label(node): {
                name: found[name] for name in ATTRIBUTES if found.get(name) is not None
            }
            for node, found in graph.nodes(data=True)
        }
        return cls.from_edges(edges, graph.nodes, root_name).with_class_attributes(attributes)

    @classmethod
    def from_numbered(
        cls,
        labels: Sequence[str],
        parent: list[int],
        child: list[int],
        weight: list[float] | None = None,
        root_name: str = DEFAULT_ROOT_NAME,
    ) -> "Hierarchy":
        """Build a hierarchy from edges between numbered labels.

        Parameters
        ----------
        labels : sequence of str
            The classes, each once.
        parent, child : list of int
            The ends of each edge, as positions in `labels`.
        weight : list of float, optional
            Positive weights. The caller checks them.
        root_name : str
            The name of the virtual root, if there are several top classes.

        Examples
        --------
        >>> Hierarchy.from_numbered(["A", "B", "C"], [0, 0], [1, 2]).edges
        (('A', 'B'), ('A', 'C'))
        """
        if not labels:
            raise InputError("a hierarchy needs at least one class, but the input is empty")
        notes: list[str] = []
        given, of = len(parent), operations_for(len(parent))
        check_ratio(weight or (), lambda k: (labels[parent[k]], labels[child[k]]))
        columns = map(of.column, (parent, child, weight or [1.0] * given))
        above, below, weights = without_duplicates(labels, *columns)
        if merged := given - len(above):
            notes.append(f"{write_count(merged, 'repeated edge')} merged")
        tops = of.as_list(of.zeros(of.sizes(len(labels), below)))
        if len(tops) > 1:
            root = _free_name(root_name, set(labels))
            names = quote_names((labels[i] for i in tops), limit=3)
            notes.append(
                f"{len(tops)} top classes ({names}) are joined under the virtual root {shown(root)}"
            )
            above, below = of.extended(above, [len(labels)] * len(tops)), of.extended(below, tops)
            weights, labels = of.extended(weights, [1.0] * len(tops)), [*labels, root]
        level = of.column(levels(labels, above, below))
        order = of.order(level)
        if level[order[-1]] <= 2:
            doubts = names_like_paths(labels, *map(of.as_list, (above, below, level)))
            for doubt in doubts:
                warn_of(doubt)
            notes += doubts
        number = of.places(order)
        above, below = of.take(number, above), of.take(number, below)
        return cls(
            tuple(map(labels.__getitem__, of.as_list(order))),
            compressed(len(order), above, below, weights, of.take(level, order)),
            virtual_root=len(tops) > 1,
            notes=tuple(notes),
        )

    def with_titles(self, titles: Mapping[str, str] | Iterable[tuple[str, str]]) -> "Hierarchy":
        """Return a copy of the hierarchy with titles of its classes.

        A title is one line of text. If a class has several titles, the first in alphabetical order
        is used. Titles of unknown labels are ignored.

        >>> h = Hierarchy.from_edges([("I20-I25", "I21")]).with_titles({"I21": "Acute myocardial infarction"})
        >>> h.title("I21"), h.title("I20-I25")
        ('Acute myocardial infarction', 'I20-I25')
        """
        found: dict[str, str] = {}
        for label, text in titles.items() if isinstance(titles, Mapping) else titles:
            line = " ".join(str(text)[:_LONGEST_TITLE].split())
            if line and line != label and label in self._index:
                found[label] = min(line, found.get(label, line))
        return replace(self, titles=found)

    def with_understood(self, **parts: Any) -> "Hierarchy":
        """Return a copy of the hierarchy with parts of `Understood`, and notes about them."""
        notes = (*Understood(**parts).notes, *self.notes)
        return replace(self, understood=replace(self.understood, **parts), notes=notes)

    @property
    def dropped(self) -> tuple[str, ...]:
        """The faulty rows that were left out with errors="drop"."""
        return self.understood.dropped

    def with_weights(
        self,
        weights: WeightScheme | Mapping[tuple[str, str], float] | Mapping[int, float],
        base: float = 0.5,
    ) -> "Hierarchy":
        """Return a copy of the hierarchy with other edge weights.

        Parameters
        ----------
        weights : "constant", "level", "exponential", "classes", or a mapping
            "constant" is 1 for every edge. "level" falls evenly from 1 for edges into level 1 to
            1/depth for edges into the deepest level. "exponential" is base ** (level - 1) for an
            edge into a level (Blockeel et al. 2002). "classes" is the weight of the edge's child. A
            mapping gives weights by (parent, child), or by the level of the child. Other edges keep
            their weights.
        base : float
            The positive base of "exponential".

        Raises
        ------
        InputError
            For an unknown scheme, an edge that does not exist, a weight that is not positive, or
            weights that differ by a factor of more than a million.

        See Also
        --------
        with_class_weights : Return a copy with other class weights.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("B", "C")]).with_weights("exponential", base=0.5)
        >>> h.distance("A", "C")
        1.5
        """
        rows, nodes = self.rows, self.nodes
        edges = list(zip(rows.parent_idx, rows.child_of_edge, strict=True))
        level = [rows.level[child] for _, child in edges]
        if weights == "constant":
            weight = [1.0] * len(edges)
        elif weights == "level":
            weight = [(self.depth + 1 - at) / max(self.depth, 1) for at in level]
        elif weights == "exponential":
            base = checked_weight(base, "base", "exponential")
            if abs(math.log(base)) * (self.depth - 1) > math.log(WIDEST_RATIO):
                raise InputError(
                    f"edge weights with base {base:g} differ in {self.depth} levels by more than "
                    f"a factor of {WIDEST_RATIO:,.0f}. Sums would lose the smaller ones. Choose a "
                    "base nearer to 1"
                )
            weight = [base ** (at - 1) for at in level]
        elif weights == "classes":
            of = [1.0] * len(self) if self.class_weights is None else self.class_weights[0]
            weight = [checked_weight(of[c], nodes[p], nodes[c]) for p, c in edges]
        elif isinstance(weights, Mapping):
            weight = self._weights_given(weights, edges, level)
        else:
            raise InputError(unknown("edge weight scheme", str(weights), get_args(WeightScheme)))
        check_ratio(weight, lambda k: (nodes[edges[k][0]], nodes[edges[k][1]]))
        return replace(self, rows=replace(rows, parent_weight=array("d", weight)))

    def _weights_given(
        self, weights: Mapping[Any, float], edges: Sequence[tuple[int, int]], level: Sequence[int]
    ) -> list[float]:
        weight = self.rows.parent_weight.tolist()
        place = {edge: k for k, edge in enumerate(edges)}
        for key, value in weights.items():
            if isinstance(key, tuple):
                self.weight(*key)  # raises InputError unless it is an edge
                weight[place[self.index(key[0]), self.index(key[1])]] = checked_weight(value, *key)
            else:
                checked = checked_weight(value, "level", str(key))
                weight = [checked if at == key else w for at, w in zip(level, weight, strict=True)]
        return weight

    def with_class_weights(
        self, weights: Scheme | Mapping[str, float] | Iterable[Any] | None
    ) -> "Hierarchy":
        """Return a copy of the hierarchy with other class weights.

        Parameters
        ----------
        weights : "leaves", "depth", a mapping, a sequence, or None
            "leaves" is the information of a class given its parents, if all leaves are equally
            likely. It is −log₂ of a share: of the leaves below all its parents, the part below the
            class (Valmadre 2022). "depth" is the level of a class. A mapping gives weights by
            class, 0 or more. Classes that it does not contain weigh 0. A sequence or an array has
            the shape (classes,) or (2, classes), in the order of `nodes`. The second row contains
            the weights in ICM. None means that every class weighs 1.

        Raises
        ------
        InputError
            For an unknown class, or a weight that is negative or not a number.

        See Also
        --------
        with_weights : Return a copy with other edge weights.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("B", "E"), ("C", "F"), ("C", "G")])
        >>> h.with_class_weights("leaves").class_weight("B"), h.with_class_weights("depth").class_weight("D")
        (1.0, 2.0)
        """
        return replace(
            self,
            class_weights=None
            if weights is None
            else class_weights(weights, self.index, self.rows),
        )

    def with_class_attributes(self, attributes: Mapping[str, Mapping[str, object]]) -> "Hierarchy":
        """Return a copy of the hierarchy with the class weights of a file or a graph.

        Parameters
        ----------
        attributes : mapping of str to mapping
            The attributes of each class: `class_weight`, and `icm_weight` if the weight in ICM is
            different.

        Raises
        ------
        InputError
            If only some classes have a weight, or a weight is not valid.
        """
        found = from_attributes(attributes, self.nodes, self.virtual_root)
        return self if found is None else self.with_class_weights(found)

    def with_class_weights_of(
        self, other: "Hierarchy", called: Mapping[str, str] = NO_NAMES
    ) -> "Hierarchy":
        """Return a copy of the hierarchy with the weights and titles from another one.

        A class that the other hierarchy does not have weighs 1.

        Parameters
        ----------
        other : Hierarchy
            The hierarchy that this one was made from.
        called : mapping of str to str
            New names of classes, by their names in the other hierarchy.

        Examples
        --------
        >>> before = Hierarchy.from_edges([("A", "B")]).with_class_weights({"A": 0, "B": 3})
        >>> after = Hierarchy.from_edges([("A", "X"), ("A", "C")]).with_class_weights_of(before, {"B": "X"})
        >>> [after.class_weight(c) for c in after.nodes]
        [0.0, 3.0, 1.0]
        """
        titled = self.with_titles(
            {**{called.get(c, c): text for c, text in other.titles.items()}, **self.titles}
        )
        if other.class_weights is None:
            return titled.with_class_weights(None)
        kept = {called.get(label, label): found for label, found in other.class_attributes.items()}
        return titled.with_class_attributes(
            {**{label: {CLASS_WEIGHT: 1.0} for label in self.nodes}, **kept}
        )

    @property
    def class_attributes(self) -> dict[str, dict[str, float]]:
        """The weights of each class, for `with_class_attributes`. Empty if every class weighs 1."""
        return {} if self.class_weights is None else as_attributes(self.class_weights, self.nodes)

    def class_weight(self, label: str) -> float:
        """Return the weight of a class. The default is 1."""
        return 1.0 if self.class_weights is None else self.class_weights[0][self.index(label)]

    def down_to(self, level: int) -> "Hierarchy":
        """Return a copy of the hierarchy without the classes below a level.

        `down_to(1)` keeps the root and the classes at level 1.

        >>> Hierarchy.from_edges([("A", "B"), ("B", "C")]).down_to(1).nodes
        ('A', 'B')
        """
        rows = self.rows
        n = bisect_right(rows.level, level)
        if n == 0:
            raise InputError(f"the level must be 0 or more, not {level}")
        edges = rows.parent_ptr[n]
        child = rows.child_of_edge[:edges]
        return self._numbered_again(
            range(n),
            compressed(
                n, rows.parent_idx[:edges], child, rows.parent_weight[:edges], rows.level[:n]
            ),
        )

    def _numbered_again(self, order: Sequence[int], rows: EdgeRows) -> "Hierarchy":
        """Return a copy with some or all classes in another order, and the edges between them."""
        weights, nodes = self.class_weights, tuple(self.nodes[i] for i in order)
        kept = frozenset(nodes if self.other_names else ())
        return replace(
            self,
            nodes=nodes,
            rows=rows,
            class_weights=weights
            and (tuple(weights[0][i] for i in order), tuple(weights[1][i] for i in order)),
            other_names={
                other: label for other, label in self.other_names.items() if label in kept
            },
        )

    # --- the whole ------------------------------------------------------------------------------

    @cached_property
    def _index(self) -> dict[str, int]:
        return dict(zip(self.nodes, range(len(self.nodes)), strict=True))

    @property
    def numbering(self) -> Mapping[str, int]:
        """The topological number of every class, by label (read-only)."""
        return MappingProxyType(self._index)

    @property
    def root(self) -> str:
        """The class without a parent. It is virtual if `virtual_root` is true."""
        return self.nodes[0]

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """All edges as (parent, child). The parents are in topological order."""
        return tuple(
            (above, self.nodes[j])
            for i, above in enumerate(self.nodes)
            for j in self.rows.children(i)
        )

    @cached_property
    def leaves(self) -> frozenset[str]:
        """The classes without a child."""
        ends = pairwise(self.rows.child_ptr)
        return frozenset(
            label for label, (start, end) in zip(self.nodes, ends, strict=True) if start == end
        )

    @property
    def is_tree(self) -> bool:
        """True if no class has more than one parent."""
        return self.edge_count < len(self)

    @property
    def depth(self) -> int:
        """The deepest level: the longest path from the root to any class, in edges."""
        return self.rows.level[-1]

    @property
    def edge_count(self) -> int:
        """The number of edges, including those of a virtual root."""
        return len(self.rows.parent_idx)

    @property
    def has_edge_weights(self) -> bool:
        """True if some edge does not weigh 1."""
        return any(weight != 1.0 for weight in self.rows.parent_weight)

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, label: object) -> bool:
        return label in self._index or label in self.other_names

    def __repr__(self) -> str:
        kind = "tree" if self.is_tree else "DAG"
        return f"Hierarchy({kind}, {len(self)} classes, {self.edge_count} edges, root {shown(self.root)})"

    def drawing(self, around: Iterable[str] = ()) -> StillPicture:
        """Draw the hierarchy as a still picture for notebooks, with its `svg` and `tikz`.

        Parameters
        ----------
        around : iterable of str
            Classes to show in a large hierarchy. By default the picture shows the top.

        Examples
        --------
        >>> Hierarchy.from_edges([("A", "B"), ("A", "C")]).drawing()
        Drawing(A hierarchy of 3 classes.)
        """
        found: StillPicture = notebook_outputs().drawing_of_hierarchy(self, around)
        return found

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        found: dict[str, str] = notebook_outputs().show_hierarchy(self, include, exclude)
        return found

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Hierarchy) and self.fingerprint == other.fingerprint
        )

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the classes, edges and weights: 64 hexadecimal digits (SHA-256).

        Equal hierarchies have equal hashes in every process.

        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
        >>> h.fingerprint == Hierarchy.from_edges([("A", "C"), ("A", "B")]).fingerprint
        True
        >>> h.fingerprint == Hierarchy.from_edges([("A", "B"), ("A", "C", 2)]).fingerprint
        False
        """
        order = self.by_name
        names = [self.nodes[i].encode("utf-8", "surrogatepass") for i in order]
        rank = Lists.places(order)
        edges = [
            (above, k, weight)
            for k, i in enumerate(order)
            for above, weight in sorted(
                (rank[j], weight) for j, weight in self.rows.weighted_parents(i)
            )
        ]
        parent, child, weight = zip(*edges, strict=True) if edges else ((), (), ())
        digest = sha256(repr((len(self), len(edges), rank[0], self.virtual_root)).encode())
        digest.update(_little_endian("q", [len(name) for name in names]))
        digest.update(b"".join(names))
        for kind, numbers in (("q", parent), ("q", child), ("d", weight)):
            digest.update(_little_endian(kind, numbers))
        for weights in self.class_weights or ():
            digest.update(_little_endian("d", [weights[i] + 0.0 for i in order]))  # + 0.0: −0 is 0
        return digest.hexdigest()

    def numbers_of(self, other: "Hierarchy") -> list[int]:
        """Translate the class numbers of an equal hierarchy into the numbers of this one.

        The numbers of two equal hierarchies differ if their edges came in a different order.

        Returns
        -------
        list of int
            The number in this hierarchy, by the number in `other`.
        """
        return [self._index[label] for label in other.nodes]

    @cached_property
    def by_name(self) -> list[int]:
        """The numbers of all classes in the alphabetical order of their names."""
        return sorted(range(len(self)), key=self.nodes.__getitem__)

    @cached_property
    def numbered_by_name(self) -> "Hierarchy":
        """A copy of the hierarchy with numbers that depend only on levels and names.

        Classes are ordered by level, then by the length of the name (longest first), then
        alphabetically.

        >>> Hierarchy.from_edges([("A", "C"), ("A", "B"), ("A", "DD")]).numbered_by_name.nodes
        ('A', 'DD', 'B', 'C')
        """
        rows = self.rows
        order = sorted(self.by_name, key=lambda i: (rows.level[i], -len(self.nodes[i])))
        number = Lists.places(order)
        edges = sorted(
            (k, number[j], weight)
            for k, i in enumerate(order)
            for j, weight in rows.weighted_parents(i)
        )
        child, parent, weight = zip(*edges, strict=True) if edges else ((), (), ())
        level = [rows.level[i] for i in order]
        return self._numbered_again(order, compressed(len(self), parent, child, weight, level))

    def to_networkx(self) -> "nx.DiGraph":
        """Return a new networkx DiGraph with edges from parent to child.

        Edges have the attribute `weight`. Nodes have `class_weight` if the classes have weights.

        See Also
        --------
        from_networkx : Build a hierarchy from a networkx DiGraph.
        """
        import networkx as nx

        graph = nx.DiGraph()
        weights = self.class_attributes
        graph.add_nodes_from((label, weights.get(label, {})) for label in self.nodes)
        graph.add_weighted_edges_from((p, c, self.weight(p, c)) for p, c in self.edges)
        return graph

    # --- one class ------------------------------------------------------------------------------

    def index(self, label: str) -> int:
        """Return the topological number of a class.

        Raises
        ------
        InputError
            For a label that is not a class. The message suggests a similar class.
        """
        try:
            return self._index[label]
        except (KeyError, TypeError):
            number = self.number(as_label(label))
        if number is None:
            raise InputError(unknown("class", as_label(label), self.nodes))
        return number

    def number(self, label: str) -> int | None:
        """Return the topological number of a class, or None. It also finds `other_names`."""
        return self._index.get(self.other_names.get(label, label))

    def check(self, labels: Iterable[str]) -> frozenset[str]:
        """Return labels as a set of classes.

        Parameters
        ----------
        labels : iterable of str
            A single string is one label.

        Raises
        ------
        InputError
            For a label that is not a class. The message suggests a similar class.
        """
        return frozenset(
            self.nodes[self.index(label)]
            for label in ([labels] if isinstance(labels, str) else labels)
        )

    def title(self, label: str) -> str:
        """Return the title of a class, or its label if it has no title."""
        return self.titles.get(label, label)

    def caption(self, label: str) -> tuple[str, str]:
        """Return the two lines of text for a class in a drawing. The second line is smaller.

        A path appears as its last part. A code has its title on the second line.

        >>> Hierarchy.from_paths(["Audio > Headphones"]).caption("Audio > Headphones")
        ('Headphones', '')
        >>> Hierarchy.from_edges([("1", "11")]).with_titles({"11": "Executives"}).caption("11")
        ('11', 'Executives')
        """
        title = self.titles.get(label, "")
        if not title:
            above = next(
                (f"{p} > " for p in self.parents(label) if label.startswith(f"{p} > ")), ""
            )
            return label[len(above) :] or label, ""
        is_path = label.endswith(title) and any(
            label.startswith(above) for above in self.parents(label)
        )
        return (title, "") if is_path else (label, title)

    def parents(self, label: str) -> tuple[str, ...]:
        """Return the parents of a class, several in a DAG. The result for the root is empty."""
        return tuple(self.nodes[j] for j in self.rows.parents(self.index(label)))

    def children(self, label: str) -> tuple[str, ...]:
        """Return the children of a class, in their order in the source."""
        return tuple(self.nodes[j] for j in self.rows.children(self.index(label)))

    def siblings(self, label: str) -> frozenset[str]:
        """Return the other children of the parents of a class (N{C} in Riehl et al. 2023)."""
        i = self.index(label)
        return frozenset(
            self.nodes[k] for j in self.rows.parents(i) for k in self.rows.children(j) if k != i
        )

    def level(self, label: str) -> int:
        """Return the length of the longest path from the root to a class, in edges.

        The root has level 0.
        """
        return self.rows.level[self.index(label)]

    def height(self, label: str) -> int:
        """Return the length of the longest path from a class down to a leaf, in edges.

        A leaf has height 0.

        >>> h = Hierarchy.from_edges([("A", "B"), ("B", "C"), ("A", "D")])
        >>> h.height("A"), h.height("B"), h.height("D")
        (2, 1, 0)
        """
        return self.heights[self.index(label)]

    def ancestors(self, label: str) -> frozenset[str]:
        """Return all ancestors of a class, without the class itself."""
        return frozenset(a for a in self.up(label) if a != label)

    def descendants(self, label: str) -> frozenset[str]:
        """Return all descendants of a class, without the class itself."""
        start = self.index(label)
        seen = {start}
        pending = [start]
        while pending:
            below = [j for j in self.rows.children(pending.pop()) if j not in seen]
            seen.update(below)
            pending.extend(below)
        return frozenset(self.nodes[i] for i in seen if i != start)

    def weight(self, parent: str, child: str) -> float:
        """Return the weight of an edge. It raises InputError if the edge does not exist."""
        i, j = self.index(parent), self.index(child)
        for above, weight in self.rows.weighted_parents(j):
            if above == i:
                return weight
        raise InputError(
            f"no edge leads from {shown(parent)} to {shown(child)}. Give the parent first"
        )

    # --- paths ----------------------------------------------------------------------------------

    def up(self, label: str) -> dict[str, float]:
        """Return the cost of the cheapest path from a class up to itself and to each ancestor.

        >>> Hierarchy.from_edges([("A", "B"), ("B", "C"), ("A", "C")]).up("C")
        {'C': 0.0, 'B': 1.0, 'A': 1.0}
        """
        return {self.nodes[i]: cost for i, cost in self._upward(self.index(label)).items()}

    def distance(self, a: str, b: str, path: Literal["ancestor", "any"] = "ancestor") -> float:
        """Return the cost of the cheapest path between two classes.

        Parameters
        ----------
        a, b : str
        path : "ancestor" or "any"
            "ancestor": the path goes up from both classes to a common ancestor (Kosmopoulos et al.
            2015, Eq. 1 and Definition 2). "any": the path follows edges in either direction, so it
            may pass through a common descendant.

        Returns
        -------
        float
            The sum of the edge weights, 0 if `a` and `b` are equal.

        See Also
        --------
        lca : Return the lowest common ancestors.
        shortest_path_edges : Return the edges of all cheapest paths.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("D", "E"), ("C", "F"), ("F", "E")])
        >>> h.distance("D", "F"), h.distance("D", "F", path="any")
        (4.0, 2.0)
        """
        if path == "any":
            import networkx as nx

            self.index(a), self.index(b)
            return float(nx.bidirectional_dijkstra(self._undirected, a, b)[0])
        if path != "ancestor":
            raise InputError(
                f"{unknown('kind of path', path, ['ancestor', 'any'])}. Use 'ancestor' or 'any'"
            )
        return min(self._meetings(a, b).values())

    def lca(self, a: str, b: str) -> frozenset[str]:
        """Return the lowest common ancestors (LCAs) of two classes.

        An LCA is the highest class on a cheapest path between the two classes (Kosmopoulos et al.
        2015, Definitions 1–2). A tree has one LCA. A DAG may have several, and a deeper common
        ancestor may exist.

        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("C", "P1")])
        >>> sorted(h.lca("T1", "P1"))
        ['B']
        """
        total = self._meetings(a, b)
        best = min(total.values())
        return frozenset(self.nodes[i] for i, cost in total.items() if same_cost(cost, best))

    def shortest_upward_paths(self, label: str, ancestor: str) -> Iterator[tuple[str, ...]]:
        """Yield every cheapest path from a class up to one of its ancestors.

        A path starts with the class. A DAG may have many such paths.

        Raises
        ------
        InputError
            If `ancestor` is neither the class nor above it.
        """
        start, end = self.index(label), self.index(ancestor)
        if end not in self._upward(start):
            raise InputError(f"{shown(ancestor)} is not an ancestor of {shown(label)}")
        return self._ways(end, start, self._cheapest_below(start).__getitem__)

    def shortest_path_edges(
        self, a: str, b: str, path: Literal["ancestor", "any"] = "ancestor"
    ) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
        """Return the edges of all cheapest paths from one class to another.

        Parameters
        ----------
        a, b : str
        path : "ancestor" or "any"
            The allowed paths, as in `distance`.

        Returns
        -------
        tuple of two tuples
            The edges that the paths go up, and those that they go down, as (parent, child).

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1")])
        >>> h.shortest_path_edges("P1", "T1")
        ((('B', 'P1'),), (('B', 'T1'),))
        """
        if path == "any":
            walked = self._shortest_edges_in_any_direction(a, b)
        else:
            tops = [self.index(c) for c in self.lca(a, b)]
            walked = self._edges_up(self.index(a), tops), self._edges_up(self.index(b), tops)
        up, down = (
            tuple((self.nodes[i], self.nodes[j]) for i, j in sorted(edges)) for edges in walked
        )
        return up, down

    def paths_from_root(self, label: str) -> Iterator[tuple[str, ...]]:
        """Yield every path from the root to a class. A DAG may have very many."""
        return self._ways(self.index(label), 0, self.rows.parents)

    # --- by number ------------------------------------------------------------------------------

    def _ways(
        self, end: int, start: int, before: Callable[[int], Sequence[int]]
    ) -> Iterator[tuple[str, ...]]:
        """Yield every path from `start` to `end`. `before` returns the possible previous classes.

        The search starts at the end of a path.
        """
        pending: list[tuple[int, ...]] = [(end,)]
        while pending:
            way = pending.pop()
            if way[0] == start:
                yield tuple(self.nodes[i] for i in way)
            else:
                pending.extend((i, *way) for i in reversed(before(way[0])))

    def _cheapest_below(self, start: int) -> dict[int, list[int]]:
        """Return the children of each ancestor that are on a cheapest path up from a class."""
        cost = self._upward(start)
        below: dict[int, list[int]] = {}
        for i in sorted(cost):
            for j, weight in self.rows.weighted_parents(i):
                if same_cost(cost[i] + weight, cost[j]):
                    below.setdefault(j, []).append(i)
        return below

    def _edges_up(self, start: int, tops: Iterable[int]) -> set[tuple[int, int]]:
        """Return the edges of all cheapest paths from a class up to some of its ancestors."""
        below, edges, pending = self._cheapest_below(start), set[tuple[int, int]](), [*tops]
        seen = set(pending)
        while pending:
            i = pending.pop()
            for j in below.get(i, ()):
                edges.add((i, j))
                if j not in seen:
                    seen.add(j)
                    pending.append(j)
        return edges

    def _shortest_edges_in_any_direction(
        self, a: str, b: str
    ) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        """Return the edges of all cheapest paths along edges in either direction, up and down."""
        import networkx as nx

        least = self.distance(a, b, "any")
        from_a, from_b = (
            {
                self.index(c): cost
                for c, cost in nx.single_source_dijkstra_path_length(
                    self._undirected, end, cutoff=least * (1 + 1e-9)
                ).items()
            }
            for end in (a, b)
        )
        up, down = set[tuple[int, int]](), set[tuple[int, int]]()
        for j in from_a.keys() & from_b.keys():
            for i, weight in self.rows.weighted_parents(j):
                for edges, start, end in ((up, j, i), (down, i, j)):
                    far = math.inf
                    cost = from_a.get(start, far) + weight + from_b.get(end, far)
                    if same_cost(cost, least):
                        edges.add((i, j))
        return up, down

    def _meetings(self, a: str, b: str) -> dict[int, float]:
        """Return the cost of the cheapest path through each common ancestor of two classes."""
        up_a, up_b = self._upward(self.index(a)), self._upward(self.index(b))
        return {i: cost + up_b[i] for i, cost in up_a.items() if i in up_b}

    @cached_property
    def _up(self) -> dict[int, dict[int, float]]:
        return {}

    def _upward(self, start: int) -> dict[int, float]:
        """Return the cost of the cheapest path up to every ancestor.

        It visits the class with the highest number first, so each cost is final when it is used.
        """
        known = self._up.get(start)
        if known is not None:
            return known
        cost = {start: 0.0}
        heap = [-start]
        while heap:
            i = -heapq.heappop(heap)
            for j, weight in self.rows.weighted_parents(i):
                if j not in cost:
                    heapq.heappush(heap, -j)
                    cost[j] = cost[i] + weight
                else:
                    cost[j] = min(cost[j], cost[i] + weight)
        if len(self._up) >= 4096:
            self._up.clear()
        self._up[start] = cost
        return cost

    @cached_property
    def heights(self) -> list[int]:
        """The length of the longest path down from each class, by class number, in edges."""
        found = [0] * len(self)
        for i in range(len(self) - 1, 0, -1):  # children have larger numbers
            for j in self.rows.parents(i):
                found[j] = max(found[j], found[i] + 1)
        return found

    @cached_property
    def _undirected(self) -> "nx.Graph":
        return self.to_networkx().to_undirected()


PARENT_NAMES, CHILD_NAMES = frozenset({"parent", "source"}), frozenset({"child", "target"})


def _edge_columns(table: Any) -> list[list[Any]]:
    """Return the columns of a table of edges: parents, children and perhaps weights.

    Columns are found by name, or by their order.
    """
    frame = read_frame(table)
    names = [str(name).strip().lower() for name in frame.names or ()]
    above, below = (
        [k for k, name in enumerate(names) if name in known]
        for known in (PARENT_NAMES, CHILD_NAMES)
    )
    if not above and not below:
        return frame.columns
    weights = [k for k, name in enumerate(names) if name == "weight"]
    others = [k for k in range(len(names)) if k not in {*above, *below, *weights}]
    columns = [above or others, below or others, weights]
    if (
        [len(above or others), len(below or others)] != [1, 1]
        or (above and below and others)
        or len(weights) > 1
    ):
        listing = ", ".join(shown(str(name)) for name in frame.names or ())
        raise InputError(
            f"a table of edges needs a column of parents and one of children, and may have "
            f"'weight'. This table has {listing}"
        )
    return [frame.columns[k] for places in columns for k in places]


def _rows_to_edges(
    labels: Sequence[str | None], above: Sequence[str | None], column: str, *, drop: bool
) -> tuple[list[str], list[tuple[str, str]]]:
    """Return a message for each faulty row, and the edges of the other rows."""
    classes = [label for label in labels if label is not None]
    rows = [
        (k, p, c)
        for k, (p, c) in enumerate(zip(above, labels, strict=True), 1)
        if p is not None and c is not None
    ]
    has_tops = len(rows) < len(classes)
    faults = faults_of(
        [p for _, p, _ in rows], [c for *_, c in rows], classes if has_tops else None, drop=drop
    )
    said = {
        k: f"no class in the column {shown(column)}"
        for k, label in enumerate(labels, 1)
        if label is None
    }
    said.update((rows[place][0], reason) for place, reason in faults.items())
    edges = [(p, c) for place, (_, p, c) in enumerate(rows) if place not in faults]
    return [f"row {k}: {reason}" for k, reason in sorted(said.items())], edges


def _noting_last(ways: Iterable[Sequence[str]], last: list[str]) -> Iterator[Sequence[str]]:
    """Yield paths, and append the last class of each to a list."""
    for way in ways:
        last += way[-1:]
        yield way


def as_label(label: object) -> str:
    """Return a class label as text. A whole number becomes digits. Other types are refused."""
    if isinstance(label, str):
        if not label:
            raise InputError("a class has an empty name. Give every class a name")
        return str(label)
    if isinstance(label, Integral) and not isinstance(label, bool):
        return str(int(label))
    raise InputError(
        f"the name of a class must be text, not {type(label).__name__} {shown(repr(label))}"
    )


def label_in_cell(value: Any) -> str | None:
    """Return a cell of a table as a label, or None if it is empty.

    A column of whole numbers with missing values contains floats. They become whole numbers again.
    """
    if value is None or value != value or not str(value).strip():
        return None
    return as_label(
        int(value) if isinstance(value, float) and value.is_integer() else value
    ).strip()


def same_cost(a: float, b: float) -> bool:
    """Return whether two sums of edge weights are equal up to rounding."""
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"({name})"
    return name


def _little_endian(kind: str, numbers: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(numbers)}{kind}", *numbers)
