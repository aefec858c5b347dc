"""A partial result of `evaluate` as bytes: what is written, and what is checked of what is read.

The hierarchy is not among it but its fingerprint; classes are counted in the order of their names, which all equal
hierarchies share. How arrays become bytes is in hiermeasures.batch.packing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
from pydantic import Field, JsonValue

from hiermeasures.batch.encode import EncodedLabels, UnknownLabel, joined, merged_unknown
from hiermeasures.batch.engine import check_hierarchy
from hiermeasures.batch.packing import (
    MOST_COUNTED,
    Count,
    Exact,
    Instances,
    Packed,
    PackedWords,
    check,
    check_rows,
    is_finite_sum,
    narrowed,
    pack,
    read_words,
)
from hiermeasures.batch.partials import PartialReport, Sides, no_instances
from hiermeasures.batch.results import Average, Partial, Report
from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.options import Options

KIND = "report"
MOST_MEASURES = 1000
COUNTED = ("true", "predicted", "shared")  # the rows of counts per class


class _Unknown(PackedWords):
    label: str
    count: Count
    first_instance: Count
    nearest: str | None


class _Words(PackedWords):
    """What is said of a partial result. `columns` are those of each table, so that one that counts otherwise than this
    release is refused.
    """

    hierarchy: str
    measures: Annotated[tuple[str, ...], Field(max_length=MOST_MEASURES)]
    define: dict[str, str]
    average: Average
    options: dict[str, JsonValue]
    n: Instances
    columns: dict[str, tuple[str, ...]]
    sums: dict[str, tuple[Count | Exact, ...]]
    values: dict[str, Exact]
    defined: dict[str, Count]
    explained: dict[str, Count]
    unknown_true: tuple[_Unknown, ...]
    unknown_predicted: tuple[_Unknown, ...]
    waiting: Count


def write(result: PartialReport) -> bytes:
    """The bytes of a partial result."""
    result = result.settled()
    sums, arguments, h = result.sums, result.arguments, result.hierarchy
    true, predicted = (joined([pair[side] for pair in result.waiting]) for side in (0, 1))
    words = _Words(
        hierarchy=h.fingerprint,
        measures=arguments["measures"],
        define=arguments["define"],
        average=sums.average,
        options=sums.options.model_dump(mode="json"),
        n=len(sums),
        columns=_columns(sums),
        sums=dict(sums.partial.sums),
        values=dict(sums.partial.values),
        defined=dict(sums.partial.defined),
        explained=dict(sums.partial.explained),
        unknown_true=_listed(sums.unknown_true, true.unknown, len(sums)),
        unknown_predicted=_listed(sums.unknown_predicted, predicted.unknown, len(sums)),
        waiting=len(true),
    )
    arrays: dict[str, np.ndarray] = {}
    for key, counts in sums.class_counts.items():
        by_name = counts[:, h.by_name]
        seen = np.flatnonzero(by_name.any(axis=0))
        arrays[f"{key}.classes"] = seen.astype(np.int32)
        arrays |= {f"{key}.{row}": narrowed(by_name[k, seen]) for k, row in enumerate(COUNTED)}
    places = np.argsort(h.by_name)
    for side, labels in (("true", true), ("predicted", predicted)):
        named = labels.renumbered(places)
        arrays |= {f"waiting.{side}.ptr": named.ptr, f"waiting.{side}.idx": named.idx}
    return pack(KIND, words, arrays)


def read(hierarchy: Hierarchy, packed: Packed) -> PartialReport:
    """The partial result in some bytes. InputError where they are damaged, or do not fit the hierarchy."""
    check_hierarchy(hierarchy)
    words = read_words(_Words, packed)
    if words.hierarchy != hierarchy.fingerprint:
        raise InputError("the partial result is of another hierarchy than the one given")
    options = Options.make(words.options)
    empty = no_instances(
        hierarchy, measures=words.measures, define=words.define, average=words.average, options=options
    )
    sums = replace(
        empty.sums,
        partial=_sums(words, empty.sums),
        known_class_counts=_class_counts(hierarchy, packed.arrays, empty.sums),
    )
    unknown = tuple(_unknown(listed) for listed in (words.unknown_true, words.unknown_predicted))
    if words.waiting:
        return replace(empty, sums=sums, waiting=(_waiting(hierarchy, packed.arrays, words.waiting, unknown),))
    return replace(empty, sums=replace(sums, unknown_true=unknown[0], unknown_predicted=unknown[1]))


def _columns(report: Report) -> dict[str, tuple[str, ...]]:
    """The names of the columns of every table that a report has sums of."""
    read = {name: what for m in report.declared for name, (what, _) in m.reads(report.options).items()}
    return {name: tuple(structure.columns) for name, structure in read.items()}


def _sums(words: _Words, empty: Report) -> Partial:
    mine = empty.partial
    if words.columns != _columns(empty) or words.values.keys() != mine.values.keys():
        raise InputError("the partial result was written by a release that counts other things")
    for name, columns in mine.sums.items():
        kinds = [isinstance(column, int) for column in words.sums.get(name, ())]
        check(kinds == [isinstance(column, int) for column in columns], "sums are missing")
    check(words.defined.keys() == mine.defined.keys(), "counts of values are missing")
    check(words.sums.keys() == mine.sums.keys() and words.explained.keys() == mine.explained.keys(), "sums are missing")
    counts = (*words.defined.values(), *words.explained.values())
    check(all(count <= words.n for count in counts), "there are more values than instances")
    exact = [*words.values.values(), *(s for row in words.sums.values() for s in row if not isinstance(s, int))]
    check(all(map(is_finite_sum, exact)), "a sum is no number")
    return Partial(words.n, words.sums, words.values, words.defined, words.explained)


def _class_counts(h: Hierarchy, arrays: Mapping[str, np.ndarray], empty: Report) -> dict[str, np.ndarray]:
    found = {}
    for key, none in empty.class_counts.items():
        names = [f"{key}.{row}" for row in ("classes", *COUNTED)]
        check(all(name in arrays for name in names), "counts per class are missing")
        classes, *rows = (arrays[name] for name in names)
        check(all(len(row) == len(classes) and row.dtype.kind == "u" for row in rows), "counts per class do not fit")
        check_rows(np.array([0, len(classes)], np.int64), classes, 1, len(h))
        found[key] = none.copy()
        for k, row in enumerate(rows):
            check(row.max(initial=0) < MOST_COUNTED, "a count is too large")
            found[key][k, h.by_name[classes]] = row
    return found


def _waiting(
    h: Hierarchy, arrays: Mapping[str, np.ndarray], n: int, unknown: Sequence[tuple[UnknownLabel, ...]]
) -> Sides:
    sides = []
    for side, left_out in zip(("true", "predicted"), unknown, strict=True):
        ptr, idx = (arrays.get(f"waiting.{side}.{part}", np.zeros(0)) for part in ("ptr", "idx"))
        check_rows(ptr, idx, n, len(h))
        sides.append(EncodedLabels(ptr, idx, left_out).renumbered(h.by_name))
    return sides[0], sides[1]


def _listed(summed: tuple[UnknownLabel, ...], waiting: tuple[UnknownLabel, ...], n: int) -> tuple[_Unknown, ...]:
    """The unknown labels of n instances that are summed, and of those after them."""
    return tuple(_Unknown(**vars(u)) for u in merged_unknown((summed, waiting), (n, 0)))


def _unknown(listed: Sequence[_Unknown]) -> tuple[UnknownLabel, ...]:
    return tuple(UnknownLabel(**u.model_dump()) for u in listed)
