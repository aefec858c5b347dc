"""Small changes to an instance that give a printed number.

A change concerns one option, one label or one edge. The search tries them in this order, for a
limited time. debug.what_if edits labels, and hierarchy_edits edits edges.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from time import process_time
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from hiermeasures.debug.what_if import edits_of
from hiermeasures.explore.hierarchy_edits import add_edge, delete_edge
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.errors import shown as quoted
from hiermeasures.hierarchy.options import DECLARED, Options
from hiermeasures.verify.library import hierarchy_entry

SECONDS = 1.0  # of processor time for one search
MOST = 3  # changes of each kind
MOST_CLASSES = 60  # in a hierarchy whose edges are changed
NUMBERS: Mapping[str, Iterable[float]] = {
    **dict.fromkeys(("dmax", "hops", "rank", "max_level"), range(11)),
    **dict.fromkeys(("max_pair_distance", "max_ancestor_distance"), range(1, 6)),
    "zero_division": (0, 1),
}


@dataclass(frozen=True)
class NearestChange:
    """A change: its words, the changed instance, and the variant for a case file."""

    words: str
    shown: Shown
    variant: Mapping[str, Any]


def nearest_changes(
    shown: Shown, key: str, fits: Callable[[float], bool]
) -> tuple[NearestChange, ...]:
    """Return changes that give a fitting value of a measure, some of each kind."""
    until = process_time() + SECONDS

    def fitting(changes: Iterator[NearestChange]) -> Iterator[NearestChange]:
        for change in changes:
            if process_time() > until:
                return
            try:
                if fits(change.shown.explained()[key]):
                    yield change
            except InputError:  # without a value after this change
                continue

    kinds = (_options, _labels, _edges)
    return tuple(each for kind in kinds for each in islice(fitting(kind(shown)), MOST))


def _options(shown: Shown) -> Iterator[NearestChange]:
    now = shown.instance.options
    for name, field in DECLARED.items():
        for value in _choices(name, field.annotation):
            if value == getattr(now, name):
                continue
            try:
                other = shown.with_options(Options.make(now, **{name: value}))
            except InputError:
                continue
            text = ("no", "yes")[value] if isinstance(value, bool) else value
            words = f"{field.title or name} = {text}"
            yield NearestChange(words, other, {"options": {name: str(value)}})


def _choices(name: str, annotation: Any) -> Iterable[Any]:
    if name in NUMBERS:
        return NUMBERS[name]
    if get_origin(annotation) in (Union, UnionType):
        return [v for part in get_args(annotation) for v in _choices(name, part)]
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return (True, False) if annotation is bool else ()


def _labels(shown: Shown) -> Iterator[NearestChange]:
    for edit in edits_of(shown.instance, shown.hierarchy.nodes):
        labels = edit.of(shown.classes(edit.side))
        changed = shown.with_classes(edit.side, labels)
        words = f"{edit.name} ({edit.side})"
        listed = sorted(labels, key=shown.hierarchy.index)
        yield NearestChange(words, changed, {edit.side: listed})


def _edges(shown: Shown) -> Iterator[NearestChange]:
    h = shown.hierarchy
    if len(h) > MOST_CLASSES:
        return
    for child in h.nodes:
        for parent in h.parents(child):
            if len(h.parents(child)) > 1:
                without = delete_edge(shown, parent, child)
                yield _redrawn(f"without the edge {quoted(parent)} > {quoted(child)}", without)
        for parent in h.nodes:
            try:
                more = add_edge(shown, parent, child)
            except InputError:
                continue
            edge = f"{quoted(parent)} > {quoted(child)}"
            if len(h.parents(child)) == 1 and child != h.root:
                moved = delete_edge(more, h.parents(child)[0], child)
                yield _redrawn(f"the edge {edge} in place of the one above it", moved)
            yield _redrawn(f"one more edge, {edge}", more)


def _redrawn(words: str, shown: Shown) -> NearestChange:
    return NearestChange(words, shown, {"hierarchy": hierarchy_entry(shown.hierarchy)})
