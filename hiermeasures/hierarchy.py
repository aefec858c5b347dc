"""The hierarchy of classes: a rooted tree or DAG, checked once when it is built and never changed after.

What every measure asks of a hierarchy is answered here: ancestors, descendants, levels, distances, cheapest upward
paths, lowest common ancestors. Measures, files and drawings live elsewhere.

Nodes are numbered topologically (the root is 0, a parent comes before its children) and edges are kept as compressed
rows (hierarchy_arrays.py), so that a query walks only the classes it is about and the array engine can read the same
numbers.
"""

import copy
import heapq
import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import compress, repeat
from operator import eq
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from hiermeasures.class_weights import ATTRIBUTES, CLASS_WEIGHT, Scheme, as_attributes, class_weights, from_attributes
from hiermeasures.errors import InputError, listed, shown, unknown
from hiermeasures.frames import is_frame, plain, read_frame
from hiermeasures.hierarchy_arrays import compressed, levels, numbered, without_duplicates
from hiermeasures.signature import static_signatures

if TYPE_CHECKING:
    import networkx as nx

    from hiermeasures.display.drawing import Drawing

DEFAULT_ROOT_NAME = "(root)"
NO_NAMES: Mapping[str, str] = MappingProxyType({})
WeightScheme = Literal["constant", "level", "exponential", "classes"]


class Hierarchy:
    """A rooted tree or DAG of classes. Build one with `from_edges`, `from_nested` or `from_networkx`.

    Raises
    ------
    InputError
        On construction, for empty input, a label that is no text, a class that is its own parent, a cycle (its classes
        are named) or an edge weight that is not positive.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("C", "P1")])
    >>> h.root, sorted(h.leaves), h.is_tree
    ('A', ['P1', 'T1'], False)
    >>> sorted(h.ancestors("P1"))
    ['A', 'B', 'C']
    """

    def __init__(
        self,
        nodes: list[str],
        parent: np.ndarray,
        child: np.ndarray,
        weight: np.ndarray,
        level: np.ndarray,
        *,
        virtual_root: bool,
        notes: tuple[str, ...],
        class_weights: np.ndarray | None = None,
    ) -> None:
        """Takes edges over nodes already numbered topologically; use the `from_…` constructors instead."""
        self.nodes: tuple[str, ...] = tuple(nodes)
        self.virtual_root = virtual_root
        self.notes = notes
        self.arrays = compressed(len(nodes), parent, child, weight, level)
        self.class_weights = class_weights
        self._prepare()

    def _prepare(self) -> None:
        self._index = dict(zip(self.nodes, range(len(self.nodes)), strict=True))
        self._up: dict[int, dict[int, float]] = {}
        for array in (*vars(self.arrays).values(), self.class_weights):
            if array is not None:  # unpickled ones can be written, for which all kernels would be compiled once more
                array.flags.writeable = False

    def __getstate__(self) -> dict[str, Any]:
        """Without what is looked up faster for being kept, which may be many times as large as the hierarchy."""
        return {name: getattr(self, name) for name in ("nodes", "virtual_root", "notes", "arrays", "class_weights")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Hierarchy":
        return self  # nothing of it changes

    # --- construction ---------------------------------------------------------------------------------------------

    @classmethod
    def from_edges(cls, edges: Any, nodes: Iterable[str] = (), root_name: str = DEFAULT_ROOT_NAME) -> "Hierarchy":
        """A hierarchy from (parent, child) or (parent, child, weight) tuples.

        Parameters
        ----------
        edges : iterable of tuple, or frame
            Also a table of pandas, polars or Arrow with the columns parent, child and perhaps weight, in this order.
            Labels are text (whole numbers are read as text). Weights are positive lengths, 1 where not given, and
            differ by a factor of a million at most. A repeated edge is merged, and `notes` says so.
        nodes : iterable of str
            Further classes, for those without an edge.
        root_name : str
            What a virtual root is called. One is added where there are several tops, and `notes` says so.

        Examples
        --------
        >>> Hierarchy.from_edges([("a", "b"), ("c", "d")]).notes
        ("2 top classes ('a', 'c') are joined under the virtual root '(root)'",)
        """
        index: dict[str, int] = {}
        parent: list[int] = []
        child: list[int] = []
        weight: list[float] = []
        for edge in zip(*read_frame(edges).columns, strict=True) if is_frame(edges) else edges:
            if len(edge) not in (2, 3):
                raise InputError(
                    f"an edge is (parent, child) or (parent, child, weight), not {shown(repr(edge))[1:-1]}"
                )
            above, below = as_label(edge[0]), as_label(edge[1])
            if above == below:
                raise InputError(f"class {shown(above)} is its own parent")
            parent.append(index.setdefault(above, len(index)))
            child.append(index.setdefault(below, len(index)))
            weight.append(_checked_weight(edge[2], above, below) if len(edge) == 3 else 1.0)
        for label in plain(nodes):
            index.setdefault(as_label(label), len(index))
        labels = list(index)
        _check_ratio(weight, lambda k: (labels[parent[k]], labels[child[k]]))
        return cls.from_numbered(
            labels, np.array(parent, np.int64), np.array(child, np.int64), np.array(weight, np.float64), root_name
        )

    @classmethod
    def from_nested(cls, nested: Mapping[Any, Any], root_name: str = DEFAULT_ROOT_NAME) -> "Hierarchy":
        """A hierarchy from nested mappings; a leaf is None, an empty mapping, or an entry of a list.

        >>> Hierarchy.from_nested({"A": {"B": ["T1", "P1"], "C": None}}).edges
        (('A', 'B'), ('A', 'C'), ('B', 'T1'), ('B', 'P1'))
        """
        parents: list[str] = []
        children: list[str] = []
        tops: list[str] = []
        pending: deque[tuple[str | None, object]] = deque([(None, nested)])
        while pending:
            above, below = pending.popleft()
            entries = _nested_entries(below, above)
            if above is None:
                tops = [label for label, _ in entries]
            else:
                parents.extend(repeat(above, len(entries)))
                children.extend(label for label, _ in entries)
            pending.extend(entry for entry in entries if entry[1])
        if own := next(compress(parents, map(eq, parents, children)), None):
            raise InputError(f"class {shown(own)} is its own parent")
        return cls.from_numbered(*numbered(parents, children, tops), root_name=root_name)

    @classmethod
    def from_networkx(cls, graph: "nx.DiGraph", root_name: str = DEFAULT_ROOT_NAME) -> "Hierarchy":
        """A hierarchy from a networkx DiGraph whose edges lead from parent to child; of edges the attribute `weight` is
        read, of nodes `class_weight`, and `icm_weight` for what is another weight in ICM.

        >>> import networkx as nx
        >>> Hierarchy.from_networkx(nx.DiGraph([("A", "B")])).root
        'A'
        """
        if not graph.is_directed():
            raise InputError("a hierarchy needs a directed graph, with edges from parent to child")
        edges = ((u, v, w) for u, v, w in graph.edges(data="weight", default=1.0))
        attributes = {
            as_label(node): {name: found[name] for name in ATTRIBUTES if found.get(name) is not None}
            for node, found in graph.nodes(data=True)
        }
        return cls.from_edges(edges, graph.nodes, root_name).with_class_attributes(attributes)

    @classmethod
    def from_numbered(
        cls,
        labels: list[str],
        parent: np.ndarray,
        child: np.ndarray,
        weight: np.ndarray | None = None,
        root_name: str = DEFAULT_ROOT_NAME,
    ) -> "Hierarchy":
        """A hierarchy from arrays of edges, `parent` and `child` (int64) being places in `labels`, which are distinct;
        that no class is its own parent, and that weights are positive, is for the caller to check.

        >>> Hierarchy.from_numbered(["A", "B", "C"], np.array([0, 0]), np.array([1, 2])).edges
        (('A', 'B'), ('A', 'C'))
        """
        weight = np.ones(len(parent)) if weight is None else weight
        if not labels:
            raise InputError("a hierarchy needs at least one class; the input has none")
        notes: list[str] = []
        parent, child, weight, merged = without_duplicates(labels, parent, child, weight)
        if merged:
            notes.append(f"{merged} repeated edge{'s' * (merged > 1)} merged")
        is_top = np.ones(len(labels), bool)
        is_top[child] = False
        tops = np.flatnonzero(is_top)
        if len(tops) > 1:
            root = _free_name(root_name, set(labels))
            labels = [*labels, root]
            parent = np.concatenate([parent, np.full(len(tops), len(labels) - 1)])
            child = np.concatenate([child, tops])
            weight = np.concatenate([weight, np.ones(len(tops))])
            names = listed((labels[i] for i in tops), limit=3)
            notes.append(f"{len(tops)} top classes ({names}) are joined under the virtual root {shown(root)}")
        level = levels(labels, parent, child)
        order = np.argsort(level, kind="stable")
        number = np.empty(len(labels), np.int64)
        number[order] = np.arange(len(labels))
        return cls(
            [labels[i] for i in order],
            number[parent],
            number[child],
            weight,
            level[order],
            virtual_root=len(tops) > 1,
            notes=tuple(notes),
        )

    def with_weights(
        self, weights: WeightScheme | Mapping[tuple[str, str], float] | Mapping[int, float], base: float = 0.5
    ) -> "Hierarchy":
        """The same hierarchy with other edge weights.

        Parameters
        ----------
        weights : "constant", "level", "exponential", "classes", or a mapping
            "constant" is 1 for every edge. "level" falls evenly from 1 for edges into level 1 to 1/depth for edges into
            the deepest level. "exponential" is base ** (level - 1) for an edge into a level (Blockeel et al. 2002).
            "classes" is what the lower class of an edge weighs. A mapping gives weights by (parent, child), or by the
            level that an edge leads into; edges it leaves out keep theirs.
        base : float
            For "exponential"; positive.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("B", "C")]).with_weights("exponential", base=0.5)
        >>> h.distance("A", "C")
        1.5
        """
        child = np.repeat(np.arange(len(self.nodes)), np.diff(self.arrays.parent_ptr))
        parent = self.arrays.parent_idx
        level = self.arrays.level[child].astype(float)
        if weights == "constant":
            weight = np.ones(len(child))
        elif weights == "level":
            weight = (self.depth + 1 - level) / max(self.depth, 1)
        elif weights == "exponential":
            base = _checked_weight(base, "base", "exponential")
            if abs(np.log(base)) * (self.depth - 1) > np.log(WIDEST_RATIO):
                raise InputError(
                    f"edge weights with base {base:g} differ in {self.depth} levels by more than a factor of "
                    f"{WIDEST_RATIO:,.0f}, so that the smaller ones would be lost in sums; choose a base nearer to 1"
                )
            weight = np.power(base, level - 1)
        elif weights == "classes":
            weight = self._weights_of_classes(parent, child)
        elif isinstance(weights, Mapping):
            weight = self._weights_given(weights, parent, child)
        else:
            raise InputError(unknown("edge weight scheme", str(weights), get_args(WeightScheme)))
        return Hierarchy(
            list(self.nodes),
            parent,
            child,
            weight,
            self.arrays.level,
            virtual_root=self.virtual_root,
            notes=self.notes,
            class_weights=self.class_weights,
        )

    def with_class_weights(self, weights: Scheme | Mapping[str, float] | np.ndarray | None) -> "Hierarchy":
        """The same hierarchy whose classes weigh differently, for the measures of weighted classes.

        Parameters
        ----------
        weights : "leaves", "depth", a mapping, an array, or None
            "leaves" is the information of a class given its parents, were every leaf as likely: −log₂ of the share of
            the leaves below all its parents that are below it (Valmadre 2022). "depth" is the level of a class. A
            mapping gives weights by class, not negative; a class that it leaves out weighs 0. An array is (classes) or
            (2, classes), by number: what a class weighs, and what it weighs in ICM. None: every class weighs 1.

        Raises
        ------
        InputError
            For an unknown class, or a weight that is negative or no number.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("B", "E"), ("C", "F"), ("C", "G")])
        >>> h.with_class_weights("leaves").class_weight("B"), h.with_class_weights("depth").class_weight("D")
        (1.0, 2.0)
        """
        other = copy.copy(self)
        other.class_weights = None if weights is None else class_weights(weights, self.index, self.arrays)
        for known in ("_content", "fingerprint"):
            other.__dict__.pop(known, None)
        return other

    def with_class_attributes(self, attributes: Mapping[str, Mapping[str, object]]) -> "Hierarchy":
        """The same hierarchy with the weights that a file or a graph gives its classes: of all of them, or of none.

        Parameters
        ----------
        attributes : mapping
            By class a mapping with `class_weight`, and `icm_weight` where the class weighs something else in ICM.

        Raises
        ------
        InputError
            For a class without a weight where others have one, and for a weight that cannot be one.
        """
        found = from_attributes(attributes, self.nodes, self.virtual_root)
        return self if found is None else self.with_class_weights(found)

    def with_class_weights_of(self, other: "Hierarchy", called: Mapping[str, str] = NO_NAMES) -> "Hierarchy":
        """The same hierarchy with the weights that its classes have in another one; a class that is new weighs 1.

        Parameters
        ----------
        other : Hierarchy
            What this one was made of.
        called : mapping of str to str
            New names, by what classes are called in the other one.

        Examples
        --------
        >>> before = Hierarchy.from_edges([("A", "B")]).with_class_weights({"A": 0, "B": 3})
        >>> after = Hierarchy.from_edges([("A", "X"), ("A", "C")]).with_class_weights_of(before, {"B": "X"})
        >>> [after.class_weight(c) for c in after.nodes]
        [0.0, 3.0, 1.0]
        """
        if other.class_weights is None:
            return self.with_class_weights(None)
        kept = {called.get(label, label): found for label, found in other.class_attributes.items()}
        return self.with_class_attributes({**{label: {CLASS_WEIGHT: 1.0} for label in self.nodes}, **kept})

    @property
    def class_attributes(self) -> dict[str, dict[str, float]]:
        """By class what `with_class_attributes` takes; empty where every class weighs 1."""
        return {} if self.class_weights is None else as_attributes(self.class_weights, self.nodes)

    def class_weight(self, label: str) -> float:
        """What a class weighs; 1 where no weights were given."""
        return 1.0 if self.class_weights is None else float(self.class_weights[0, self.index(label)])

    def _weights_of_classes(self, parent: np.ndarray, child: np.ndarray) -> np.ndarray:
        if self.class_weights is None:
            return np.ones(len(child))
        weight: np.ndarray = self.class_weights[0, child]
        if not (weight > 0).all():
            k = int(np.argmin(weight))
            raise InputError(
                f"an edge would weigh what its lower class weighs, but class {shown(self.nodes[child[k]])} weighs "
                f"{weight[k]:g}, and an edge weight is a positive number"
            )
        _check_ratio(weight, lambda k: (self.nodes[parent[k]], self.nodes[child[k]]))
        return weight

    def _weights_given(self, weights: Mapping[Any, float], parent: np.ndarray, child: np.ndarray) -> np.ndarray:
        weight = self.arrays.parent_weight.copy()
        place = {(int(p), int(c)): k for k, (p, c) in enumerate(zip(parent, child, strict=True))}
        for key, value in weights.items():
            if isinstance(key, tuple):
                k = place.get((self.index(key[0]), self.index(key[1])))
                if k is None:
                    raise InputError(f"no edge leads from {shown(str(key[0]))} to {shown(str(key[1]))}")
                weight[k] = _checked_weight(value, key[0], key[1])
            else:
                weight[self.arrays.level[child] == key] = _checked_weight(value, "level", str(key))
        _check_ratio(weight, lambda k: (self.nodes[parent[k]], self.nodes[child[k]]))
        return weight

    def down_to(self, level: int) -> "Hierarchy":
        """The same hierarchy without the classes below a level, such as the top categories alone (level 1).

        >>> Hierarchy.from_edges([("A", "B"), ("B", "C")]).down_to(1).nodes
        ('A', 'B')
        """
        n = int(np.searchsorted(self.arrays.level, level, side="right"))
        if n == 0:
            raise InputError(f"a hierarchy reaches down to level 0 at least, not to level {level}")
        edges = int(self.arrays.parent_ptr[n])
        child = np.repeat(np.arange(n), np.diff(self.arrays.parent_ptr[: n + 1]))
        return Hierarchy(
            list(self.nodes[:n]),
            self.arrays.parent_idx[:edges],
            child,
            self.arrays.parent_weight[:edges],
            self.arrays.level[:n],
            virtual_root=self.virtual_root,
            notes=self.notes,
            class_weights=None if self.class_weights is None else self.class_weights[:, :n],
        )

    # --- the whole ------------------------------------------------------------------------------------------------

    @property
    def numbering(self) -> Mapping[str, int]:
        """The topological number of every class, by label (read-only)."""
        return MappingProxyType(self._index)

    @property
    def root(self) -> str:
        """The one class without a parent; a virtual one where `virtual_root` is true."""
        return self.nodes[0]

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Every (parent, child), parents in topological order."""
        ptr, idx = self.arrays.child_ptr, self.arrays.child_idx
        return tuple((self.nodes[i], self.nodes[j]) for i in range(len(self)) for j in idx[ptr[i] : ptr[i + 1]])

    @cached_property
    def leaves(self) -> frozenset[str]:
        """The classes without a child."""
        return frozenset(self.nodes[i] for i in np.flatnonzero(np.diff(self.arrays.child_ptr) == 0))

    @property
    def is_tree(self) -> bool:
        """Whether no class has more than one parent."""
        return bool(np.diff(self.arrays.parent_ptr).max(initial=0) <= 1)

    @property
    def depth(self) -> int:
        """The deepest level: the longest way from the root to any class, in edges."""
        return int(self.arrays.level[-1])

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, label: object) -> bool:
        return label in self._index

    def __repr__(self) -> str:
        kind = "tree" if self.is_tree else "DAG"
        return f"Hierarchy({kind}, {len(self)} classes, {len(self.arrays.parent_idx)} edges, root {shown(self.root)})"

    def drawing(self, around: Iterable[str] = ()) -> "Drawing":
        """A still picture, which a notebook shows and which has `svg` and `tikz`; of a large hierarchy what is around
        some classes, or the top.

        >>> Hierarchy.from_edges([("A", "B"), ("A", "C")]).drawing()
        Drawing(A hierarchy of 3 classes.)
        """
        from hiermeasures.display.drawing import drawing_of_hierarchy

        return drawing_of_hierarchy(self, around)

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from hiermeasures.display.shown import show_hierarchy

        return show_hierarchy(self, include, exclude)

    @cached_property
    def _content(self) -> tuple[Any, ...]:
        a = self.arrays
        ends = a.parent_ptr
        lines = (
            (
                self.nodes[i],
                tuple(
                    sorted(
                        (self.nodes[a.parent_idx[k]], float(a.parent_weight[k])) for k in range(ends[i], ends[i + 1])
                    )
                ),
            )
            for i in range(len(self))
        )
        weights = None if self.class_weights is None else frozenset(zip(self.nodes, *self.class_weights, strict=True))
        return self.root, self.virtual_root, frozenset(lines), weights

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Hierarchy) and self._content == other._content)

    def __hash__(self) -> int:
        return hash(self._content)

    @cached_property
    def fingerprint(self) -> str:
        """64 hexadecimal digits of its classes, edges and weights: in every process the same for equal hierarchies, and
        different ones for others (SHA-256).

        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
        >>> h.fingerprint == Hierarchy.from_edges([("A", "C"), ("A", "B")]).fingerprint
        True
        >>> h.fingerprint == Hierarchy.from_edges([("A", "B"), ("A", "C", 2)]).fingerprint
        False
        """
        order = self.by_name
        names = [self.nodes[i].encode("utf-8", "surrogatepass") for i in order]
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        a = self.arrays
        parent, child = rank[a.parent_idx], np.repeat(rank, np.diff(a.parent_ptr))
        edges = np.lexsort((parent, child))
        digest = sha256(repr((len(self), len(edges), int(rank[0]), self.virtual_root)).encode())
        digest.update(np.array([len(name) for name in names], "<i8").tobytes())
        digest.update(b"".join(names))
        for numbers, kind in ((parent, "<i8"), (child, "<i8"), (a.parent_weight, "<f8")):
            digest.update(numbers[edges].astype(kind).tobytes())
        if self.class_weights is not None:
            digest.update((self.class_weights[:, order] + 0.0).astype("<f8").tobytes())  # + 0.0: −0 is 0
        return digest.hexdigest()

    def numbers_of(self, other: "Hierarchy") -> np.ndarray:
        """The number here of each class of an equal hierarchy, by its number there: edges that came in another order
        are numbered otherwise.
        """
        return np.fromiter(map(self._index.__getitem__, other.nodes), np.int64, len(other))

    @cached_property
    def by_name(self) -> np.ndarray:
        """The numbers of all classes in the order of their names, which does not depend on how they are numbered."""
        return np.array(sorted(range(len(self)), key=self.nodes.__getitem__), np.int64)

    def to_networkx(self) -> "nx.DiGraph":
        """A new networkx DiGraph with edges from parent to child and their `weight`, and with the nodes'
        `class_weight` where the classes have weights.
        """
        import networkx as nx

        graph = nx.DiGraph()
        weights = self.class_attributes
        graph.add_nodes_from((label, weights.get(label, {})) for label in self.nodes)
        graph.add_weighted_edges_from((p, c, self.weight(p, c)) for p, c in self.edges)
        return graph

    # --- one class ------------------------------------------------------------------------------------------------

    def index(self, label: str) -> int:
        """The topological number of a class.

        Raises
        ------
        InputError
            For a label that is no class here; the nearest known one is named.
        """
        try:
            return self._index[label]
        except (KeyError, TypeError):
            number = self._index.get(as_label(label))
        if number is None:
            raise InputError(unknown("class", as_label(label), self.nodes))
        return number

    def check(self, labels: Iterable[str]) -> frozenset[str]:
        """The labels as a set of classes of this hierarchy; raises like `index`. A lone string is one label."""
        return frozenset(self.nodes[self.index(label)] for label in ([labels] if isinstance(labels, str) else labels))

    def parents(self, label: str) -> tuple[str, ...]:
        """The parents of a class; several in a DAG, none for the root."""
        return tuple(self.nodes[j] for j in self._parents(self.index(label)))

    def children(self, label: str) -> tuple[str, ...]:
        """The children of a class, in the order in which they were given."""
        return tuple(self.nodes[j] for j in self._children(self.index(label)))

    def siblings(self, label: str) -> frozenset[str]:
        """The other classes that share a parent with this one (N{C} of Riehl et al. 2023)."""
        i = self.index(label)
        return frozenset(self.nodes[k] for j in self._parents(i) for k in self._children(j) if k != i)

    def level(self, label: str) -> int:
        """The longest way from the root, in edges; 0 for the root itself."""
        return int(self.arrays.level[self.index(label)])

    def ancestors(self, label: str) -> frozenset[str]:
        """All classes above this one, without itself."""
        return frozenset(a for a in self.up(label) if a != label)

    def descendants(self, label: str) -> frozenset[str]:
        """All classes below this one, without itself."""
        start = self.index(label)
        seen = {start}
        pending = [start]
        while pending:
            below = [j for j in self._children(pending.pop()) if j not in seen]
            seen.update(below)
            pending.extend(below)
        return frozenset(self.nodes[i] for i in seen if i != start)

    def weight(self, parent: str, child: str) -> float:
        """The weight of an edge; InputError where there is none."""
        i, j = self.index(parent), self.index(child)
        for k in range(self.arrays.parent_ptr[j], self.arrays.parent_ptr[j + 1]):
            if self.arrays.parent_idx[k] == i:
                return float(self.arrays.parent_weight[k])
        raise InputError(f"no edge leads from {shown(parent)} to {shown(child)}")

    # --- ways -----------------------------------------------------------------------------------------------------

    def up(self, label: str) -> dict[str, float]:
        """Every ancestor of a class, itself included, with the cost of the cheapest way up to it.

        >>> Hierarchy.from_edges([("A", "B"), ("B", "C"), ("A", "C")]).up("C")
        {'C': 0.0, 'B': 1.0, 'A': 1.0}
        """
        return {self.nodes[i]: cost for i, cost in self._upward(self.index(label)).items()}

    def distance(self, a: str, b: str, path: Literal["ancestor", "any"] = "ancestor") -> float:
        """The cost of the cheapest way between two classes.

        Parameters
        ----------
        a, b : str
        path : "ancestor" or "any"
            "ancestor": up from each to a common ancestor (Kosmopoulos et al. 2015, Eq. 1 and Definition 2). "any":
            along edges in either direction, so that a way may also dip through a common descendant.

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
            raise InputError(unknown("kind of path", path, ["ancestor", "any"]))
        up_a, up_b = self._upward(self.index(a)), self._upward(self.index(b))
        return min(cost + up_b[i] for i, cost in up_a.items() if i in up_b)

    def lca(self, a: str, b: str) -> frozenset[str]:
        """The lowest common ancestors: the apexes of all cheapest ways between two classes.

        In a tree it is one class; in a DAG there may be several, and not the deepest (Kosmopoulos et al. 2015,
        Definitions 1–2).

        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("C", "P1")])
        >>> sorted(h.lca("T1", "P1"))
        ['B']
        """
        up_a, up_b = self._upward(self.index(a)), self._upward(self.index(b))
        total = {i: cost + up_b[i] for i, cost in up_a.items() if i in up_b}
        best = min(total.values())
        return frozenset(self.nodes[i] for i, cost in total.items() if same_cost(cost, best))

    def shortest_upward_paths(self, label: str, ancestor: str) -> Iterator[tuple[str, ...]]:
        """Every cheapest way from a class up to one of its ancestors, the class first; one at a time, for there may be
        many.

        Raises
        ------
        InputError
            Where `ancestor` is neither the class nor above it.
        """
        start, end = self.index(label), self.index(ancestor)
        cost = self._upward(start)
        if end not in cost:
            raise InputError(f"{shown(ancestor)} is no ancestor of {shown(label)}")
        below: dict[int, list[int]] = {}
        for i in sorted(cost):
            for j, weight in self._weighted_parents(i):
                if same_cost(cost[i] + weight, cost[j]):
                    below.setdefault(j, []).append(i)
        pending: list[tuple[int, ...]] = [(end,)]
        while pending:
            way = pending.pop()
            if way[0] == start:
                yield tuple(self.nodes[i] for i in way)
            else:
                pending.extend((i, *way) for i in reversed(below[way[0]]))

    def paths_from_root(self, label: str) -> Iterator[tuple[str, ...]]:
        """Every path from the root to a class, the root first; one at a time, for a DAG may have very many."""
        pending: list[tuple[int, ...]] = [(self.index(label),)]
        while pending:
            way = pending.pop()
            if way[0] == 0:
                yield tuple(self.nodes[i] for i in way)
            else:
                pending.extend((j, *way) for j in reversed(self._parents(way[0])))

    # --- by number ------------------------------------------------------------------------------------------------

    def _parents(self, i: int) -> list[int]:
        ptr = self.arrays.parent_ptr
        found: list[int] = self.arrays.parent_idx[ptr[i] : ptr[i + 1]].tolist()
        return found

    def _children(self, i: int) -> list[int]:
        ptr = self.arrays.child_ptr
        found: list[int] = self.arrays.child_idx[ptr[i] : ptr[i + 1]].tolist()
        return found

    def _weighted_parents(self, i: int) -> list[tuple[int, float]]:
        ptr = self.arrays.parent_ptr
        row = slice(ptr[i], ptr[i + 1])
        return list(zip(self.arrays.parent_idx[row].tolist(), self.arrays.parent_weight[row].tolist(), strict=True))

    def _upward(self, start: int) -> dict[int, float]:
        """Cost of the cheapest way up to every ancestor. Taking the highest number first settles a class before its
        parents.
        """
        known = self._up.get(start)
        if known is not None:
            return known
        cost = {start: 0.0}
        heap = [-start]
        while heap:
            i = -heapq.heappop(heap)
            for j, weight in self._weighted_parents(i):
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
    def signatures(self) -> np.ndarray:
        """For every class, by number, what structure says about it (hiermeasures.signature)."""
        return static_signatures(self.arrays)

    @cached_property
    def _undirected(self) -> "nx.Graph":
        return self.to_networkx().to_undirected()


def as_label(label: object) -> str:
    """A class label as text: text stays, a whole number becomes its digits, anything else is an InputError."""
    if isinstance(label, str):
        if not label:
            raise InputError("a class has an empty name")
        return str(label)
    if isinstance(label, (int, np.integer)) and not isinstance(label, bool):
        return str(int(label))
    raise InputError(f"a class is named by text, not by {type(label).__name__} {shown(repr(label))}")


def same_cost(a: float, b: float) -> bool:
    """Whether two sums of edge weights are equal but for the order in which they were added."""
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def _checked_weight(weight: object, parent: object, child: object) -> float:
    try:
        value = float(weight)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        raise InputError(
            f"the weight from {shown(str(parent))} to {shown(str(child))} is {shown(str(weight))[1:-1]}; "
            "an edge weight is a positive number"
        )
    return value


WIDEST_RATIO = 1e6


def _check_ratio(weights: Sequence[float] | np.ndarray, edge: Callable[[int], tuple[str, str]]) -> None:
    """Refuse weights so different that a sum along a way would not notice the small one (see `same_cost`)."""
    if len(weights) == 0:
        return
    low, high = int(np.argmin(weights)), int(np.argmax(weights))
    if weights[high] > WIDEST_RATIO * weights[low]:
        light, heavy = (" to ".join(shown(label) for label in edge(k)) for k in (low, high))
        raise InputError(
            f"the weights from {light} ({weights[low]:g}) and from {heavy} ({weights[high]:g}) differ by more than a "
            f"factor of {WIDEST_RATIO:,.0f}, so that the smaller one would be lost in sums"
        )


def _nested_entries(content: object, above: str | None) -> list[tuple[str, object]]:
    if isinstance(content, Mapping):
        return [(as_label(label), below) for label, below in content.items()]
    if isinstance(content, (list, tuple)):
        return [
            entry
            for item in content
            for entry in (_nested_entries(item, above) if isinstance(item, Mapping) else [(as_label(item), None)])
        ]
    if isinstance(content, str):
        return [(as_label(content), None)]
    where = f"under {shown(above)}" if above is not None else "at the top"
    raise InputError(f"a nested hierarchy holds mappings, lists and names; {where} there is {type(content).__name__}")


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"({name})"
    return name
