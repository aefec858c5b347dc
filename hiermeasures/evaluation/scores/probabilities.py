"""Probabilities of the classes of a hierarchy, for one instance or for a whole file.

All kinds of model output (see KINDS) become one form: the probability of every class. This module
checks the input and writes its assumptions to `notes`. events.py checks whether the numbers fit the
hierarchy, and turns them into probabilities of label sets. Arrays have the shape (instances,
classes).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.hierarchy.errors import InputError, check_known, repeated, shown, unknown
from hiermeasures.hierarchy.extras import require
from hiermeasures.hierarchy.hierarchy import Hierarchy, as_label
from hiermeasures.hierarchy.words import agree, quote_names
from hiermeasures.read.label_rows import runs

Kind = Literal["nodes", "conditional", "conditional_softmax", "conditional_sigmoid", "leaves"]

KINDS: dict[str, str] = {
    "nodes": "The probability of each class.",
    "conditional": "The probability of each class given its parent.",
    "conditional_softmax": "Logits, with a softmax over the children of each class (Plaud et al. "
    "2024, Eq. 4).",
    "conditional_sigmoid": "Logits, with a sigmoid for each class given its parent (Plaud et al. "
    "2024, Section 4.3).",
    "leaves": "The probability of each leaf. An inner class has the sum of the leaves below it.",
}

TOLERANCE = 1e-6
"""The largest deviation that counts as rounding. Numbers in files often have single precision."""


def _built(
    hierarchy: Hierarchy, kind: str, array: np.ndarray, places: np.ndarray, notes: list[str]
) -> np.ndarray:
    """Return the probability of each class, from numbers of a kind and the places of their classes.

    Assumptions go to `notes`.
    """
    if kind == "leaves":
        return _from_leaves(hierarchy, array, places, notes)
    if kind == "conditional_sigmoid":
        require("compare", "reading logits of a sigmoid", "scipy")
        from scipy.special import expit

        array = expit(array)
    softmax = kind == "conditional_softmax"
    placed = np.full((len(array), len(hierarchy)), -np.inf if softmax else 0.0)
    placed[:, places] = array
    placed[:, 0] = 1
    at_root = array[:, places == 0]
    if kind == "nodes" and at_root.size and not np.allclose(at_root, 1, atol=TOLERANCE):
        notes.append(
            f"the root {shown(hierarchy.root)} is certain, so its probabilities below 1 count as 1"
        )
    if kind == "nodes":
        return placed
    return multiplied_down(hierarchy, _softmax(hierarchy, placed) if softmax else placed)


def _softmax(hierarchy: Hierarchy, logits: np.ndarray) -> np.ndarray:
    """Return a softmax over the children of each class. A child without a logit gets 0."""
    trees_only(hierarchy, "a conditional softmax")
    conditional = np.ones_like(logits)
    arrays = arrays_of(hierarchy)
    ptr, child = arrays.child_ptr, arrays.child_idx
    if len(child):
        start = ptr[:-1][np.diff(ptr) > 0]
        siblings = logits[:, child]
        size = np.diff(np.append(start, len(child)))
        top = np.maximum.reduceat(siblings, start, axis=1)
        top[top == -np.inf] = 0
        siblings = np.exp(siblings - np.repeat(top, size, axis=1))
        total = np.add.reduceat(siblings, start, axis=1)
        total[total == 0] = 1
        conditional[:, child] = siblings / np.repeat(total, size, axis=1)
    return conditional


def _from_leaves(
    hierarchy: Hierarchy, array: np.ndarray, places: np.ndarray, notes: list[str]
) -> np.ndarray:
    from hiermeasures.evaluation.needs_scipy import sparse

    rows = [[hierarchy.index(a) for a in hierarchy.up(hierarchy.nodes[i])] for i in places]
    ptr = np.cumsum([0, *map(len, rows)])
    above = sparse.csr_array(
        (np.ones(ptr[-1]), np.concatenate(rows), ptr), shape=(len(places), len(hierarchy))
    )
    out: np.ndarray = np.minimum(np.ascontiguousarray((above.T @ array.T).T), 1)
    if (short := 1 - out[:, 0]).max(initial=0) > TOLERANCE:
        notes.append(
            f"the leaves sum to less than 1 (by {short.max():.3g} at most). The rest counts as the "
            f"probability that no class is true"
        )
    out[:, 0] = 1
    return out


# --- along the hierarchy, for many instances at once --------------------------------------------


def multiplied_down(hierarchy: Hierarchy, conditional: np.ndarray) -> np.ndarray:
    """Return the product of the values of each class and of all its ancestors."""
    out = conditional.copy()
    arrays = arrays_of(hierarchy)
    if hierarchy.is_tree:
        for level in range(1, hierarchy.depth + 1):
            nodes = np.flatnonzero(arrays.level == level)
            out[:, nodes] *= out[:, arrays.parent_idx[arrays.parent_ptr[nodes]]]
        return out
    for i, label in enumerate(hierarchy.nodes):
        out[:, i] = conditional[:, [hierarchy.index(a) for a in hierarchy.up(label)]].prod(axis=1)
    return out


def greatest_below(hierarchy: Hierarchy, values: np.ndarray) -> np.ndarray:
    """Return for each class the greatest value of itself and its descendants.

    A threshold on it gives predictions with their ancestors (Plaud et al. 2024, Eq. 1).
    """
    arrays = arrays_of(hierarchy)
    return _carried(hierarchy, values, np.maximum, arrays.child_ptr, arrays.child_idx)


def least_above(hierarchy: Hierarchy, values: np.ndarray) -> np.ndarray:
    """Return for each class the least value of itself and its ancestors. The result is coherent."""
    arrays = arrays_of(hierarchy)
    return _carried(hierarchy, values, np.minimum, arrays.parent_ptr, arrays.parent_idx)


def _carried(
    hierarchy: Hierarchy, values: np.ndarray, extreme: np.ufunc, ptr: np.ndarray, idx: np.ndarray
) -> np.ndarray:
    """Carry the greatest value up the hierarchy, or the least value down.

    `ptr` and `idx` list the neighbours that pass their values on: children, or parents.
    """
    out = np.array(values, np.float64)
    some = np.diff(ptr) > 0
    level_of, levels = arrays_of(hierarchy).level, range(hierarchy.depth + 1)
    for level in reversed(levels) if extreme is np.maximum else levels:
        nodes = np.flatnonzero(some & (level_of == level))
        if len(nodes):
            size = ptr[nodes + 1] - ptr[nodes]
            columns, start = idx[runs(ptr[nodes], size)], np.cumsum(size) - size
            out[:, nodes] = extreme(out[:, nodes], extreme.reduceat(out[:, columns], start, axis=1))
    return out


def trees_only(hierarchy: Hierarchy, what: str) -> None:
    """Refuse a DAG. `what` is the subject of the message."""
    if not hierarchy.is_tree:
        node = next(c for c in hierarchy.nodes if len(hierarchy.parents(c)) > 1)
        raise InputError(
            f"{what} needs a tree, but {shown(node)} has {len(hierarchy.parents(node))} parents. "
            f"Use a hierarchy with one parent for each class."
        )


@dataclass(frozen=True)
class NodeProbabilities(Mapping[str, float]):
    """The probability of every class, for one instance: a mapping from class to probability.

    Probabilities need not be coherent: a child may have a higher one than its parent.

    Attributes
    ----------
    hierarchy : Hierarchy
    by_node : tuple of float
        In the order of `hierarchy.nodes`. The root has 1.
    notes : tuple of str
        The assumptions that were made.

    See Also
    --------
    coherence : Check whether the probabilities fit the hierarchy.
    ProbabilityTable : The probabilities of many instances.

    Examples
    --------
    Figure 2 of Plaud et al. 2024:

    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> p = NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35})
    >>> p["5"], p["r"]
    (0.35, 1.0)
    >>> NodeProbabilities.of(h, {"1": 0.5, "3": 0.5}, kind="conditional")["3"]
    0.25
    """

    hierarchy: Hierarchy
    by_node: tuple[float, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, hierarchy: Hierarchy, given: Mapping[str, float], *, kind: Kind = "nodes"
    ) -> "NodeProbabilities":
        """Return probabilities from numbers by class.

        In a DAG a conditional probability is multiplied by those of all ancestors, because a class
        needs all its parents. A leaf counts once for each class above it.

        Parameters
        ----------
        hierarchy : Hierarchy
        given : mapping from class to float
            A class that is left out has probability 0.
        kind : str
            A key of KINDS: the meaning of the numbers.

        Raises
        ------
        InputError
            If a name is not a class, a value is not a number in [0, 1], or leaves sum to more than
            1.

        See Also
        --------
        ProbabilityTable.of : Read the probabilities of many instances.
        """
        numbers = [list(given.values())]
        return ProbabilityTable.of(hierarchy, numbers, list(given), ids=[""], kind=kind).row(0)

    def __getitem__(self, label: str) -> float:
        if label not in self.hierarchy:
            raise KeyError(label)
        return self.by_node[self.hierarchy.index(label)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.hierarchy.nodes)

    def __len__(self) -> int:
        return len(self.by_node)

    @cached_property
    def given_parents(self) -> dict[str, float]:
        """The probability of each class but the root, divided by that of its least likely parent.

        It is above 1 if the numbers are incoherent, and 0 below a class of probability 0.
        """
        above = {
            c: min(self[q] for q in self.hierarchy.parents(c)) for c in self.hierarchy.nodes[1:]
        }
        return {c: self[c] / top if top else 0.0 for c, top in above.items()}

    def with_value(
        self, label: str, value: float, *, siblings: Literal["keep", "share"] = "keep"
    ) -> "NodeProbabilities":
        """Return the probabilities after an edit of one class.

        Parameters
        ----------
        label : str
            Any class except the root.
        value : float
            Its new probability, in [0, 1].
        siblings : "keep" or "share"
            "keep" changes only this number. "share" (trees only) divides the rest of the parent's
            probability among the siblings, in their old proportion, or equally if they all had 0.
            Classes below the edited class and its siblings keep their conditional probabilities. A
            value above the parent's is cut to it.

        Raises
        ------
        InputError
            For the root, an unknown class, a value that is not a number in [0, 1], and "share" in a
            DAG.

        See Also
        --------
        renormalised : Scale the children of every class to sum to it.

        Examples
        --------
        >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
        >>> p = NodeProbabilities.of(h, {"1": 0.5, "2": 0.5, "3": 0.25, "4": 0.25})
        >>> q = p.with_value("1", 0.8, siblings="share")
        >>> [round(v, 3) for v in q.by_node]
        [1.0, 0.8, 0.2, 0.4, 0.4]
        """
        h, label = self.hierarchy, self.hierarchy.nodes[self.hierarchy.index(label)]
        if label == h.root:
            raise InputError(f"the probability of the root {shown(label)} is always 1")
        try:
            value = float(value)
        except (TypeError, ValueError):
            what = f"{value!r} is not a number" if value else "the probability is missing"
            raise InputError(f"class {shown(label)}: {what}") from None
        if not 0 <= value <= 1:
            raise InputError(f"class {shown(label)}: the probability {value:g} is not in [0, 1]")
        if siblings == "keep":
            return self._replaced({label: value})
        trees_only(h, "sharing among siblings")
        (parent,) = h.parents(label)
        value = min(value, self[parent])
        others = [c for c in h.children(parent) if c != label]
        had, rest = sum(self[c] for c in others), self[parent] - value
        shares = {c: rest * self[c] / had if had else rest / len(others) for c in others}
        return self._scaled({label: value, **shares})

    def renormalised(self) -> "NodeProbabilities":
        """Scale the children of every class so that they sum to it. The hierarchy must be a tree.

        Classes below the children keep their conditional probabilities. Children that are all 0
        stay 0.

        Raises
        ------
        InputError
            If the hierarchy is a DAG.

        See Also
        --------
        with_value : Change the probability of one class.
        """
        h, p = self.hierarchy, self
        trees_only(h, "renormalising siblings")
        for node in h.nodes:
            children = h.children(node)
            total = sum(p[c] for c in children)
            if total > 0:
                p = p._scaled({c: p[node] * p[c] / total for c in children})
        return p

    def _scaled(self, new: Mapping[str, float]) -> "NodeProbabilities":
        """Return new values for some classes. Everything below each is scaled with it."""
        changed = dict(new)
        for label, value in new.items():
            factor = value / self[label] if self[label] else 0.0
            changed |= {d: self[d] * factor for d in self.hierarchy.descendants(label)}
        return self._replaced(changed)

    def _replaced(self, changed: Mapping[str, float]) -> "NodeProbabilities":
        values = (
            changed.get(c, v) for c, v in zip(self.hierarchy.nodes, self.by_node, strict=True)
        )
        return NodeProbabilities(self.hierarchy, tuple(values), self.notes)


@dataclass(frozen=True, eq=False)
class ProbabilityTable:
    """The probability of every class, for many instances.

    Attributes
    ----------
    hierarchy : Hierarchy
    values : array of float64, (instances, classes)
        Read-only. Columns are in the order of `hierarchy.nodes`. The root's column is 1.
    ids : sequence of str
        The names of the rows, by default "1", "2", …
    notes : tuple of str
        The assumptions that were made.

    See Also
    --------
    read_probabilities : Read a table from a file.
    decide : Turn the probabilities into labels.
    """

    hierarchy: Hierarchy
    values: np.ndarray
    ids: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        hierarchy: Hierarchy,
        values: Any,
        classes: Sequence[str] | None = None,
        *,
        ids: Sequence[str] | None = None,
        kind: Kind = "nodes",
        unknown_classes: Literal["error", "drop"] = "error",
    ) -> "ProbabilityTable":
        """Return a table from an array of numbers.

        Parameters
        ----------
        hierarchy : Hierarchy
        values : array, (instances, columns)
        classes : sequence of str, optional
            The class of each column. By default `hierarchy.nodes`, in their order.
        ids : sequence of str, optional
            A name for each row. Messages do not mention a row with the name "".
        kind : str
            A key of KINDS: the meaning of the numbers. A class without a column has probability 0
            (for "leaves": a leaf without a column), and `notes` name it.
        unknown_classes : "error" or "drop"
            Whether a column that is not a class is an error, or is left out. `notes` name the
            columns that were left out.

        Raises
        ------
        InputError
            If the shape does not fit, and as for `NodeProbabilities.of`. The message names row and
            class.

        See Also
        --------
        read_probabilities : Read a table from a file.
        NodeProbabilities.of : Read the probabilities of one instance.

        Examples
        --------
        >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
        >>> table = ProbabilityTable.of(h, [[0.5, 0.2, 0.3]], ["3", "4", "2"], kind="leaves")
        >>> dict(zip(h.nodes, table.values[0].round(2).tolist()))
        {'r': 1.0, '1': 0.7, '2': 0.3, '3': 0.5, '4': 0.2}
        """
        check_known("kind of probabilities", kind, KINDS)
        array = _as_numbers(values)
        names = tuple(hierarchy.nodes if classes is None else map(as_label, classes))
        rows = tuple(map(str, range(1, len(array) + 1) if ids is None else ids))
        _check_shape(array, names, rows)
        notes: list[str] = []
        known, places = _known_columns(hierarchy, names, unknown_classes, notes)
        logits, named = kind.startswith("conditional_s"), rows if any(rows) else ()
        _check_numbers(array, known, names, named, logits=logits)
        array = array[:, known] if logits else np.clip(array[:, known], 0, 1)
        if kind == "leaves":
            _check_leaves(hierarchy, places, array, named)
        notes += _missing(hierarchy, places, kind)
        built = _built(hierarchy, kind, array, places, notes)
        built.flags.writeable = False
        return cls(hierarchy, built, rows, tuple(notes))

    def __len__(self) -> int:
        return len(self.values)

    def row(self, i: int) -> NodeProbabilities:
        """Return the probabilities of one instance, by number from 0."""
        return NodeProbabilities(self.hierarchy, tuple(self.values[i].tolist()), self.notes)


# --- checks -------------------------------------------------------------------------------------


def _as_numbers(values: Any) -> np.ndarray:
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            array = np.array([[float(v) for v in row] for row in array])
    except (TypeError, ValueError):
        raise InputError(
            "the probabilities are not a table of numbers. Give every row the same number of "
            "values, and no text."
        ) from None
    if array.dtype.kind not in "fiub":
        raise InputError(f"probabilities must be numbers, not {array.dtype.name} values")
    if array.ndim != 2:
        raise InputError(
            f"probabilities need two dimensions, (instances, classes), but these have {array.ndim}"
        )
    if not array.size:
        raise InputError(
            "the table of probabilities is empty: "
            + ("it has no columns" if len(array) else "it has no rows")
        )
    return array.astype(np.float64, copy=False)


def _check_shape(array: np.ndarray, names: Sequence[str], rows: Sequence[str]) -> None:
    if len(names) != array.shape[1]:
        raise InputError(
            f"the probabilities have {array.shape[1]} columns, but {len(names)} class names. Give "
            "one name for each column."
        )
    if len(rows) != len(array):
        raise InputError(
            f"the probabilities have {len(array)} rows, but {len(rows)} ids. Give one id for each "
            "row."
        )
    if fault := repeated("id", rows):
        raise InputError(fault)


def _known_columns(
    hierarchy: Hierarchy, names: Sequence[str], policy: str, notes: list[str]
) -> tuple[np.ndarray, np.ndarray]:
    if twice := [name for name, n in Counter(names).items() if n > 1]:
        raise InputError(f"two columns are named {shown(twice[0])}. Give each class one column.")
    strange = [name for name in names if name not in hierarchy]
    if strange and policy != "drop":
        raise InputError(
            "a column is not a class of the hierarchy: "
            + unknown("class", strange[0], hierarchy.nodes)
            + (f" (and {len(strange) - 1} more)" if len(strange) > 1 else "")
        )
    if len(strange) == len(names):
        raise InputError(
            f"the columns ({quote_names(names)}) are not classes of the hierarchy. Check that "
            "the file belongs to this hierarchy."
        )
    if strange:
        notes.append(f"columns that are not classes were left out: {quote_names(strange)}")
    known = np.array([i for i, name in enumerate(names) if name in hierarchy])
    return known, np.array([hierarchy.index(names[i]) for i in known])


def _check_numbers(
    array: np.ndarray, known: np.ndarray, names: Sequence[str], rows: Sequence[str], *, logits: bool
) -> None:
    wrong = ~np.isfinite(array) if logits else ~((array >= -TOLERANCE) & (array <= 1 + TOLERANCE))
    wrong[:, np.setdiff1d(np.arange(array.shape[1]), known)] = False
    if not wrong.any():
        return
    i, j = (int(k) for k in np.argwhere(wrong)[0])
    where = f"row {i + 1} (id {shown(rows[i])}), " if rows else ""
    value = array[i, j]
    what = (
        "is not a number (NaN)"
        if np.isnan(value)
        else f"{value:.8g} is not " + ("finite" if logits else "in [0, 1]")
    )
    many = int(wrong.sum()) - 1
    raise InputError(
        f"{where}class {shown(names[j])}: {'the logit' if logits else 'the probability'} {what}"
        + (f" ({many:,} more like it)" if many else "")
    )


def _check_leaves(
    hierarchy: Hierarchy, places: np.ndarray, array: np.ndarray, rows: Sequence[str]
) -> None:
    inner = [hierarchy.nodes[i] for i in places if hierarchy.nodes[i] not in hierarchy.leaves]
    if inner:
        have_children = f"{quote_names(inner)} {agree(len(inner), 'has')} children"
        raise InputError(
            f"probabilities of leaves are expected, but {have_children}. Leave these columns out, "
            "or choose another kind of probabilities."
        )
    total = array.sum(axis=1)
    if (total > 1 + TOLERANCE).any():
        i = int(np.argmax(total))
        where = f"row {i + 1} (id {shown(rows[i])}): " if rows else ""
        raise InputError(
            f"{where}the leaves sum to {total[i]:.6g}. Probabilities of leaves can sum to 1 at "
            "most."
        )


def _missing(hierarchy: Hierarchy, places: np.ndarray, kind: str) -> list[str]:
    """Return a note on the classes (for "leaves": the leaves) that have no number, if any."""
    given = set(places.tolist())
    missing = [
        c
        for i, c in enumerate(hierarchy.nodes)
        if i and i not in given and (kind != "leaves" or c in hierarchy.leaves)
    ]
    which = (
        f"{len(missing)} of the hierarchy's classes ({quote_names(missing, 3)})" if missing else ""
    )
    return (
        [f"{which} {agree(len(missing), 'has')} no probability: it counts as 0"] if missing else []
    )
