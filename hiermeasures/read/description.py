"""Describe files as the program understood them: hierarchies, and labels next to a hierarchy."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import agree, quote_names, write_count, write_list
from hiermeasures.read.hierarchies import read_hierarchy

if TYPE_CHECKING:
    from hiermeasures.read.labels import LabelFile

FEW = 3  # paths and names that are shown
MOST = 0.9  # share of the classes below one class that looks like a misread file
_MARKS = " >/|;:\\-"  # between the parts of a path
SMALL = 10  # classes up to which a share means little
COLUMN_NAMES = frozenset(
    "id name child children parent parents child_id parent_id label title code key value text "
    "class category "
    "subcategory source target from to level".split()
)


class _Description:
    """A description of a file, as text and as plain data."""

    kind: ClassVar[str]
    name: str

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain data."""
        return {"kind": self.kind, **vars(self)}

    def lines(self) -> tuple[tuple[str, str], ...]:
        """Return the description as (name, text) for the terminal and the app."""
        return tuple((name, text) for name, text in self._rows() if text)

    def _rows(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def __repr__(self) -> str:
        lines = self.lines()
        width = max([14, *(len(name) for name, _ in lines)])
        rows = (f"  {name:{width}}  {text}" for name, text in lines)
        return "\n".join([f"{self.name}: {self.kind}", *rows])


@dataclass(frozen=True, repr=False)
class HierarchyDescription(_Description):
    """A description of a hierarchy.

    Attributes
    ----------
    name, format : str
        The file and the title of its format.
    classes, edges : int
        Counts, without a virtual root.
    columns : tuple of (column, role)
        The columns of a table, or keys of JSON, that were read.
    levels : tuple of (level, classes, leaves)
        The depth from the root, which is 0; a virtual root is left out.
    tops : tuple of str
        Classes without a parent.
    several_parents : tuple of str
        Classes with several parents.
    invented : tuple of str
        Classes above a class of the file that are not in the file themselves.
    unread : tuple of str
        Columns, keys, relations or rows that were not read.
    paths : tuple of tuple of str
        The first paths from a top class to a leaf.
    titles : tuple of str
        The titles of the classes on the first path. Empty if they have no titles.
    rule : str
        How parents were found, if no column names them.
    warnings : tuple of str
        Possible faults of the file or of its reading.
    """

    kind = "hierarchy"
    name: str
    format: str
    classes: int
    edges: int
    columns: tuple[tuple[str, str], ...]
    levels: tuple[tuple[int, int, int], ...]
    tops: tuple[str, ...]
    several_parents: tuple[str, ...]
    invented: tuple[str, ...]
    unread: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    rule: str
    warnings: tuple[str, ...]
    titles: tuple[str, ...] = ()

    def _rows(self) -> list[tuple[str, str]]:
        shape = "a tree" if not self.several_parents else "not a tree"
        rows = [
            ("read as", self.format or "edges"),
            ("columns", ", ".join(f"{column} ({role})" for column, role in self.columns)),
            (
                "size",
                f"{write_count(self.classes, 'class')}, {write_count(self.edges, 'edge')}, {shape}",
            ),
            *((f"level {level}", _of_leaves(n, leaves)) for level, n, leaves in self.levels),
            ("top classes", write_list(self.tops, FEW)),
            ("several parents", write_list(self.several_parents, FEW)),
            ("rule", self.rule),
            ("not in the file", write_list(self.invented, FEW)),
            ("not read", write_list(self.unread, FEW)),
            *(("path", " > ".join(path)) for path in self.paths[:1]),
            ("in titles", " > ".join(self.titles)),
            *(("path", " > ".join(path)) for path in self.paths[1:]),
            *(("warning", warning) for warning in self.warnings),
        ]
        return rows


@dataclass(frozen=True, repr=False)
class LabelDescription(_Description):
    """A description of a label file as it was read.

    Attributes
    ----------
    name, format : str
        The file and the title of its format.
    instances : int
    has_ids : bool
    per_instance : tuple of (labels, instances)
        The number of instances for each number of labels.
    labels : int
        Different labels.
    known : int or None
        The number of labels that are classes of the hierarchy. None without a hierarchy.
    unknown : tuple of str
        The labels that are not classes, the most frequent first.
    levels : tuple of (level, labels)
        How many labels of all instances are on each level.
    on_leaves, on_inner : int
        How many labels of all instances are leaves, and how many are not. A label above another of
        the same instance is left out.
    notes : tuple of str
        Decisions of the reader.
    warnings : tuple of str
    """

    kind = "labels"
    name: str
    format: str
    instances: int
    has_ids: bool
    per_instance: tuple[tuple[int, int], ...]
    labels: int
    known: int | None = None
    unknown: tuple[str, ...] = ()
    levels: tuple[tuple[int, int], ...] = ()
    on_leaves: int = 0
    on_inner: int = 0
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def _rows(self) -> list[tuple[str, str]]:
        ids = "with ids" if self.has_ids else "without ids"
        known = "" if self.known is None else f", {self.known:,} of them classes of the hierarchy"
        rows = [
            ("read as", f"{self.format}, {ids}"),
            (
                "size",
                f"{write_count(self.instances, 'instance')}, "
                f"{write_count(self.labels, 'different label')}{known}",
            ),
            *((write_count(n, "label"), write_count(m, "instance")) for n, m in self.per_instance),
            ("unknown", write_list(self.unknown, FEW)),
            *((f"level {level}", write_count(n, "label")) for level, n in self.levels),
            *(("note", note) for note in self.notes),
            *(("warning", warning) for warning in self.warnings),
        ]
        return rows


Description = HierarchyDescription | LabelDescription


def summarise(description: Description) -> str:
    """Return a description in one line: the format, the size, and the number of warnings."""
    parts = dict(description.lines())
    warned = [write_count(len(description.warnings), "warning")] if description.warnings else []
    return " · ".join([f"Read as {parts['read as']}", parts["size"], *warned])


def describe(
    source: Any,
    *,
    hierarchy: Hierarchy | None = None,
    name: str = "",
    task: str | None = None,
    **reading: Any,
) -> Description:
    """Describe a hierarchy file or a label file.

    Parameters
    ----------
    source : path, Hierarchy or LabelFile
        The content of a file decides whether it contains a hierarchy or labels.
    hierarchy : Hierarchy, optional
        The hierarchy of the labels. The description then counts known labels and their levels.
    name : str, optional
        The name of the source in the description. By default its path.
    task : str, optional
        The sub-task of a GermEval file.
    **reading
        Options of `read_hierarchy`, such as `child`.

    Returns
    -------
    HierarchyDescription or LabelDescription
        Print it for people, or use `to_dict` in programs.

    Raises
    ------
    InputError
        If the file cannot be read.

    Examples
    --------
    >>> describe(Hierarchy.from_edges([("A", "B"), ("A", "C"), ("C", "D")]), name="mine")
    mine: hierarchy
      read as         edges
      size            4 classes, 3 edges, a tree
      level 0         1 class
      level 1         2 classes, 1 of them a leaf
      level 2         1 leaf
      top classes     A
      path            A > B
      path            A > C > D
    """
    if isinstance(source, Hierarchy):
        return describe_hierarchy(source, name)
    from hiermeasures.read.labels import LabelFile  # with arrays, which a browser has not

    if isinstance(source, LabelFile):
        return describe_labels(source, hierarchy, name or source.name)
    return _describe_file(Path(source), hierarchy, name or str(source), task, reading)


def _describe_file(
    path: Path, hierarchy: Hierarchy | None, name: str, task: str | None, reading: Mapping[str, Any]
) -> Description:
    from hiermeasures.read.conversion import certain_kind
    from hiermeasures.read.labels import read_labels

    # Lines of names can be either. Next to a hierarchy they are labels.
    kind = certain_kind(path, Path("" if hierarchy is None else "labels.jsonl"))
    kind = "hierarchy" if hierarchy is None and reading.keys() - {"errors"} else kind
    refusal: InputError | None = None
    if kind != "labels":
        try:
            return describe_hierarchy(read_hierarchy(path, **reading), name)
        except InputError as error:
            if kind == "hierarchy":
                raise
            refusal = error
    try:
        file = read_labels(path, task=task, known_classes=() if hierarchy is None else hierarchy)
    except InputError as error:
        raise refusal or error from None
    found = describe_labels(file, hierarchy, name)
    if refusal is None:
        return found
    return replace(found, notes=(*found.notes, f"not read as a hierarchy: {refusal}"))


def describe_hierarchy(h: Hierarchy, name: str = "") -> HierarchyDescription:
    """Describe a hierarchy (see `describe`)."""
    start = int(h.virtual_root)
    classes = h.nodes[start:]
    sizes, leaves = (
        Counter(map(h.level, some)) for some in (classes, h.leaves - {*h.nodes[:start]})
    )
    tops = h.children(h.root) if h.virtual_root else (h.root,)
    rows = (h.understood.skipped,) if h.understood.skipped else ()
    relations = [
        f"{name} ({edges:,} edges)"
        for name, edges, is_read in h.understood.relations
        if not is_read
    ]
    return HierarchyDescription(
        name=name,
        format=h.understood.format,
        classes=len(classes),
        edges=h.edge_count - (len(tops) if h.virtual_root else 0),
        columns=h.understood.columns,
        levels=tuple((level, sizes[level], leaves[level]) for level in sorted(sizes)),
        tops=tops,
        several_parents=tuple(c for c in classes if len(h.parents(c)) > 1),
        invented=h.understood.invented,
        unread=(*h.understood.unread, *relations, *rows, *h.understood.dropped),
        paths=tuple(islice(_paths(h), FEW)),
        rule=h.understood.rule,
        warnings=tuple(_warnings(h, tops)),
        titles=_titles(h),
    )


def describe_labels(
    file: "LabelFile", h: Hierarchy | None = None, name: str = ""
) -> LabelDescription:
    """Describe a label file, next to its hierarchy if you give one (see `describe`)."""
    from hiermeasures.read.labels import LABEL_FORMATS

    times = Counter(label for labels in file.labels for label in labels)
    found: dict[str, Any] = {}
    if h is not None:
        numbers = {label: h.number(label) for label in times}
        known = {label: h.nodes[k] for label, k in numbers.items() if k is not None}
        levels: Counter[int] = Counter()
        for label, c in known.items():
            levels[h.level(c)] += times[label]
        lowest = _count_lowest(file, h, known)
        on_leaves = sum(n for c, n in lowest.items() if c in h.leaves)
        found = {
            "known": len(known),
            "unknown": tuple(label for label, _ in times.most_common() if label not in known),
            "levels": tuple(sorted(levels.items())),
            "on_leaves": on_leaves,
            "on_inner": lowest.total() - on_leaves,
        }
        found["warnings"] = tuple(_label_warnings(len(times), found))
    return LabelDescription(
        name=name or file.name,
        format=LABEL_FORMATS[file.format].title if file.format else "",
        instances=len(file),
        has_ids=file.ids is not None,
        per_instance=tuple(sorted(Counter(map(len, file.labels)).items())),
        labels=len(times),
        notes=file.notes,
        **found,
    )


def _count_lowest(file: "LabelFile", h: Hierarchy, known: Mapping[str, str]) -> Counter[str]:
    """Count the classes of all instances, without those above another of the same instance."""
    above: dict[str, frozenset[str]] = {}
    found: Counter[str] = Counter()
    for labels in file.labels:
        classes = {known[label] for label in labels if label in known}
        if len(classes) > 1:
            for c in classes - above.keys():
                above[c] = h.ancestors(c)
            classes -= set().union(*(above[c] - {c} for c in classes))
        found.update(classes)
    return found


def _paths(h: Hierarchy) -> Iterator[tuple[str, ...]]:
    """Yield paths from a top class to a leaf, the first children first."""
    waiting: list[tuple[str, ...]] = [
        (top,) for top in reversed(h.children(h.root) if h.virtual_root else (h.root,))
    ]
    while waiting:
        path = waiting.pop()
        below = h.children(path[-1])
        if not below:  # a class that is a path is shown by its last part
            yield tuple(_last_part(above, c) for above, c in pairwise(("", *path)))
        waiting += ((*path, child) for child in reversed(below[:FEW]))


def _titles(h: Hierarchy) -> tuple[str, ...]:
    """Return the titles on the first path. Empty if classes are shown by their names."""
    label, path = h.children(h.root)[0] if h.virtual_root else h.root, list[str]()
    while label:
        path.append(label)
        label = next(iter(h.children(label)), "")
    return tuple(h.title(c) for c in path) if any(h.caption(c)[1] for c in path) else ()


def _last_part(above: str, label: str) -> str:
    rest = label.removeprefix(above) if above else ""
    return rest.strip(_MARKS) if rest[:1] and rest != label and rest[0] in _MARKS else label


def _warnings(h: Hierarchy, tops: Sequence[str]) -> Iterator[str]:
    """Yield possible faults of a hierarchy or of its reading."""
    classes = h.nodes[int(h.virtual_root) :]
    if names := [c for c in classes if c.strip().lower().replace(" ", "_") in COLUMN_NAMES]:
        yield f"Classes are named like columns or keys: {quote_names(names)}. Check that no header was read as a class."
    if len(tops) > 1 and all(len(h.children(top)) == 1 for top in tops):
        yield "Every top class has one child. Check that the parents are not the children."
    if len(classes) > SMALL:
        inner = (c for c in classes if c not in tops or len(tops) > 1)
        large = next((c for c in inner if len(h.children(c)) >= MOST * (len(classes) - 1)), None)
        if large is not None:
            yield f"{shown(large)} is the parent of {len(h.children(large)):,} of {len(classes):,} classes."


def _label_warnings(labels: int, found: Mapping[str, Any]) -> Iterator[str]:
    if found["on_leaves"] and found["on_inner"]:
        yield f"{found['on_leaves']:,} labels are on leaves and {found['on_inner']:,} on inner classes."
    if labels and 2 * len(found["unknown"]) > labels:
        yield "Most labels are not classes of the hierarchy. Check that both use the same names."


def _of_leaves(classes: int, leaves: int) -> str:
    if classes == leaves:
        return write_count(leaves, "leaf")
    some = f", {leaves:,} of them {agree(leaves, 'a leaf', 'leaves')}" if leaves else ""
    return write_count(classes, "class") + some
