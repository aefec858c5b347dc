"""`comparison.why`: split the difference of two systems by two measures into parts.

A difference of two means over instances is a sum over the instances. So it can be split exactly: by
the kinds of mistakes of both systems, by the level of the true labels, and by their top class.
Measures disagree because they see different parts. hiermeasures.evaluation.mistakes has the kinds.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.text import as_text
from hiermeasures.evaluation.averages import basis_of
from hiermeasures.evaluation.compare.finding import values_of
from hiermeasures.evaluation.compare.partition import Partition, share_equally
from hiermeasures.evaluation.mistakes import group_classes
from hiermeasures.evaluation.outside import base_of
from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.words import (
    capitalize,
    join_classes,
    join_words,
    quote_names,
    write_count,
)
from hiermeasures.measures import Measure
from hiermeasures.measures.mistakes import KINDS
from hiermeasures.measures.own import called, find_measure, spoken

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.evaluation import Report

SEEN = 1e-12  # a smaller part is a rounding error
TELLING = 3  # instances that are named
MOST = 12  # rows of a table as text
LONGEST = 40  # letters of a class in a table
TITLES = {
    "kinds": "by the gravest mistake of each system",
    "levels": "by the level of the true labels",
    "subtrees": "by the top class of the true labels",
}
# what one system does, and what both do
PHRASES = {
    "right": ("is right", "are right"),
    "extra": ("predicts an extra class", "predict an extra class"),
    "missed": ("misses a class", "miss a class"),
    "too general": ("is too general", "are too general"),
    "too specific": ("is too specific", "are too specific"),
    "sibling": ("predicts a sibling", "predict a sibling"),
    "cousin": ("predicts a cousin", "predict a cousin"),
    "other top class": ("predicts another top class", "predict another top class"),
    "unknown": ("gives an unknown label", "give an unknown label"),
    "no answer": ("gives no answer", "give no answer"),
}
VERBS = {"higher": ("gains", "loses"), "lower": ("saves", "adds")}


@dataclass(frozen=True, eq=False, repr=False)
class DifferenceSplit:
    """The difference of two systems by two measures, split into parts that add up to it.

    A part is the sum of the instances' contributions to the first system's mean, minus their
    contributions to the second system's mean. An instance with an undefined value contributes 0,
    and the mean is over the other instances.

    `Comparison.why` makes it. `kinds`, `levels` and `subtrees` are the tables of parts. `sentence`
    names the parts that explain the disagreement. `instances` are examples.

    Attributes
    ----------
    systems : tuple of str
        The names of the first and the second system.
    measures : tuple of Measure
        The first and the second measure.
    reports : tuple of Report
        The reports of the systems.

    See Also
    --------
    Comparison.to_html : Show the split on an HTML page.
    """

    systems: tuple[str, str]
    measures: tuple[Measure, Measure]
    reports: tuple["Report", "Report"]

    # --- numbers --------------------------------------------------------------------------------

    @cached_property
    def contributions(self) -> np.ndarray:
        """The contribution of each instance to the differences: measures × instances."""
        return np.stack([self._contributions(measure) for measure in self.measures])

    def _contributions(self, measure: Measure) -> np.ndarray:
        sides = []
        for name, report in zip(self.systems, self.reports, strict=True):
            values = values_of(report, measure)
            known = ~np.isnan(values)
            if not known.any():
                raise InputError(
                    f"{called(measure.key)} has no value on any instance of {name}. Choose another "
                    "measure."
                )
            sides.append(np.where(known, values, 0.0) / known.sum())
        return np.asarray(sides[0] - sides[1])

    @cached_property
    def advantages(self) -> np.ndarray:
        """The contributions in favour of the first system: measures × instances."""
        return self._in_favour(self.contributions)

    def _in_favour(self, differences: np.ndarray) -> np.ndarray:
        signs = [1.0 if measure.better == "higher" else -1.0 for measure in self.measures]
        favour = np.array(signs)[:, None] * differences
        return np.where(np.abs(favour) < SEEN, 0.0, favour)

    @property
    def differences(self) -> dict[str, float]:
        """The first system's mean minus the second's, by measure."""
        sums = self.contributions.sum(axis=1).tolist()
        return {m.key: value for m, value in zip(self.measures, sums, strict=True)}

    @cached_property
    def partitions(self) -> Mapping[str, Partition]:
        """The instances by kinds, levels and top classes."""
        return {
            "kinds": self._by_kinds(),
            "levels": self._by_group("level"),
            "subtrees": self._by_group("subtree"),
        }

    def _by_kinds(self) -> Partition:
        first, second = (report.paired.kind_of_instances for report in self.reports)
        pairs, part = np.unique(first.astype(np.int64) * len(KINDS) + second, return_inverse=True)
        keys = tuple((KINDS[k // len(KINDS)], KINDS[k % len(KINDS)]) for k in pairs.tolist())
        return Partition(keys, np.arange(len(part)), part, np.ones(len(part)))

    def _by_group(self, by: Literal["level", "subtree"]) -> Partition:
        """Return the instances by groups of their most specific true labels."""
        paired = self.reports[0].paired
        there = paired.true >= 0
        weights, names = group_classes(base_of(paired.hierarchy), by)
        rows = weights[paired.base_number[paired.true[there]]]
        instance = np.repeat(paired.instance[there], np.diff(rows.indptr))
        return share_equally(paired.n, instance, rows.indices, names)

    # --- tables ---------------------------------------------------------------------------------

    @cached_property
    def kinds(self) -> "pd.DataFrame":
        """Parts by the gravest mistakes of both systems. `order_parts` has the order."""
        return self._table("kinds", self.order_parts("kinds"))

    @cached_property
    def levels(self) -> "pd.DataFrame":
        """Parts by the level of the most specific true labels, from the top.

        An instance with labels on several levels gives each an equal share.
        """
        return self._table("levels", range(len(self.partitions["levels"].keys)))

    @cached_property
    def subtrees(self) -> "pd.DataFrame":
        """Parts by the top class above the true labels. `order_parts` has the order.

        An instance with several top classes gives each an equal share.
        """
        return self._table("subtrees", self.order_parts("subtrees"))

    def _table(self, by: str, order: Iterable[int]) -> "pd.DataFrame":
        """Return parts × (instances, difference by each measure)."""
        from hiermeasures.evaluation.needs_pandas import pd

        parts = self.partitions[by]
        index = (
            pd.MultiIndex.from_tuples(parts.keys, names=self.systems)
            if by == "kinds"
            else pd.Index(parts.keys, dtype=object, name={"levels": "level"}.get(by, "top class"))
        )
        columns = {"instances": parts.sizes}
        columns |= {
            m.key: parts.sum(row) for m, row in zip(self.measures, self.contributions, strict=True)
        }
        return pd.DataFrame(columns, index=index).iloc[list(order)]

    def order_parts(self, by: str) -> list[int]:
        """Return the numbers of the parts in an order that explains a disagreement.

        Parts where the measures prefer different systems come first. Then come the parts that they
        weigh most differently, as shares of the total of each measure.
        """
        first, second = _scaled(self._parts_in_favour(by))
        alike = first * second >= 0
        apart = np.abs(first - second).round(12)
        order: list[int] = np.lexsort((-np.abs(first), -apart, alike)).tolist()
        return order

    def _parts_in_favour(self, by: str) -> np.ndarray:
        """Return the advantage of the first system in each part: measures × parts."""
        parts = self.partitions[by]
        return self._in_favour(np.stack([parts.sum(row) for row in self.contributions]))

    def losses(self, system: str, measure: str, differences: np.ndarray) -> np.ndarray:
        """Return what a system loses by a measure, from differences first system minus second."""
        better = next(m.better for m in self.measures if m.key == measure)
        loss: np.ndarray = differences * (
            -1.0 if (better == "higher") == (system == self.systems[0]) else 1.0
        )
        return loss

    def losing(self, system: str, measure: str) -> np.ndarray:
        """Return the places where a system loses by a measure, the largest losses first."""
        loss = self._losses_of_instances(system, measure)
        ordered = np.argsort(-loss, kind="stable")
        return ordered[loss[ordered] > 0]

    def _losses_of_instances(self, system: str, measure: str) -> np.ndarray:
        place = [m.key for m in self.measures].index(measure)
        loss = self.losses(system, measure, self.contributions[place])
        return np.where(np.abs(loss) < SEEN, 0.0, loss)

    def places(self, by: str, key: Any, order: tuple[str, str] | None = None) -> np.ndarray:
        """Return the places of the instances in a part, the most telling first.

        Parameters
        ----------
        by : "kinds", "levels" or "subtrees"
            The table.
        key
            The part: an entry of the table's index.
        order : (str, str), optional
            A system and the key of a measure. The largest losses of this system come first.

        Returns
        -------
        array of int
            Places in the reports, from 0.

        Raises
        ------
        InputError
            If the table or part is unknown.
        """
        check_known("table", by, self.partitions)
        parts = self.partitions[by]
        check_known("part", key, parts.keys)
        members = parts.members(parts.keys.index(key))
        weights = self._losses_of_instances(*order) if order else np.abs(self._disagreement)
        return members[np.argsort(-weights[members], kind="stable")]

    @cached_property
    def _disagreement(self) -> np.ndarray:
        """The advantage of the first system by the second measure, minus that by the first measure.

        Each advantage is divided by the measure's largest one on any instance.
        """
        largest = np.abs(self.advantages).max(axis=1, keepdims=True)
        first, second = self.advantages / np.where(largest, largest, 1.0)
        return np.asarray(second - first)

    @cached_property
    def subject(self) -> int:
        """The system, 0 or 1, that the second measure favours more than the first measure does."""
        first, second = _scaled(self._parts_in_favour("kinds")).sum(axis=1).tolist()
        apart = second - first
        return int((apart if abs(apart) > SEEN else second or first) < 0)

    @cached_property
    def telling_parts(self) -> tuple[int, ...]:
        """The numbers of the parts of `kinds` that explain the disagreement, most telling first.

        They are among the parts that the second measure weighs more in favour of the `subject`. The
        first is its largest gain by the second measure. The second is its largest loss by the first
        measure.
        """
        favour = self._parts_in_favour("kinds") * (-1.0 if self.subject else 1.0)
        first, second = _scaled(favour)
        pull = (second - first).round(12)
        order = [k for k in np.argsort(-pull, kind="stable").tolist() if pull[k] > 0]
        gain = next((k for k in order if favour[1, k] > 0), None)
        loss = next((k for k in order if favour[0, k] < 0 and k != gain), None)
        leading = [k for k in (gain, loss) if k is not None]
        return tuple(dict.fromkeys([*leading, *order])) or self._largest_part

    @property
    def _largest_part(self) -> tuple[int, ...]:
        """The number of the part with the largest difference of the systems, if they differ."""
        size = np.abs(_scaled(self._parts_in_favour("kinds"))).sum(axis=0)
        return (int(np.argmax(size)),) if size.any() else ()

    @cached_property
    def telling(self) -> tuple[int, ...]:
        """The places of the most telling instances, one from each of the leading parts."""
        parts, sign = self.partitions["kinds"], -1.0 if self.subject else 1.0
        places = []
        for number in self.telling_parts[:TELLING]:
            members = parts.members(number)
            places.append(int(members[np.argmax(sign * self._disagreement[members])]))
        return tuple(places)

    @cached_property
    def instances(self) -> "pd.DataFrame":
        """The most telling instances: number, kinds, values and labels, indexed by id."""
        table = self.values_of_instances(self.telling)
        first = self.reports[0]
        sides = [("true", first, first.kept.true)]
        sides += [
            (name, report, report.kept.predicted)
            for name, report in zip(self.systems, self.reports, strict=True)
        ]
        for name, report, labels in sides:
            classes = (labels.classes(report.hierarchy, k) for k in self.telling)
            table[f"classes, {name}"] = [tuple(sorted(some)) for some in classes]
        return table

    def values_of_instances(self, places: Sequence[int] | np.ndarray) -> "pd.DataFrame":
        """Return the number, kinds and values of some instances, indexed by id.

        `places` are their places in the reports, from 0.
        """
        from hiermeasures.evaluation.needs_pandas import pd

        at = np.asarray(places, np.int64)
        columns: dict[str, Any] = {"number": at}
        for name, report in zip(self.systems, self.reports, strict=True):
            columns[f"kind, {name}"] = [KINDS[k] for k in report.paired.kind_of_instances[at]]
        for measure in self.measures:
            for name, report in zip(self.systems, self.reports, strict=True):
                columns[f"{called(measure.key)}, {name}"] = values_of(report, measure)[at]
        ids = self.reports[0].kept.ids
        return pd.DataFrame(columns, index=pd.Index([ids[k] for k in at.tolist()], name="id"))

    # --- words ----------------------------------------------------------------------------------

    @property
    def _total_advantages(self) -> list[float]:
        totals: list[float] = self._in_favour(self.contributions.sum(axis=1)[:, None])[
            :, 0
        ].tolist()
        return totals

    @cached_property
    def sentence(self) -> str:
        """A sentence about the preferred system by each measure, and the two parts behind it."""
        return " ".join([self._preferences(), *self._explained_parts()])

    def _preferences(self) -> str:
        first, second = (spoken(m.key) for m in self.measures)
        totals = self._total_advantages
        one, other = (self.systems[value < 0] for value in totals)
        by = [amount(value) for value in totals]
        if not any(totals):
            return f"{first} and {second} see no difference between {join_words(self.systems)}."
        if not all(totals):
            k = int(not totals[0])
            blind, seeing = (second, first) if k == 0 else (first, second)
            return f"{blind} sees no difference. {seeing} prefers {(one, other)[k]} by {by[k]}."
        if one == other:
            return f"{first} prefers {one} by {by[0]}, and {second} by {by[1]}."
        return f"{first} prefers {one} by {by[0]}, but {second} prefers {other} by {by[1]}."

    def _explained_parts(self) -> Iterable[str]:
        favour = self._parts_in_favour("kinds") * (-1.0 if self.subject else 1.0)
        subject = self.systems[self.subject]
        for k, number in enumerate(self.telling_parts[:2]):
            if not k or favour[0, number] < 0:
                words = self._part_in_words(number, favour[:, number].tolist())
                yield f"{'It' if k else subject} {words}"

    def _part_in_words(self, number: int, favour: Sequence[float]) -> str:
        """Return what the `subject` gains and loses in a part of `kinds`."""
        other = self.systems[1 - self.subject]
        kinds = self.partitions["kinds"].keys[number]
        mine, theirs = kinds[self.subject], kinds[1 - self.subject]
        changes: dict[str, list[str]] = {}
        for measure, value in zip(self.measures, favour, strict=True):
            if value:
                verb = VERBS[measure.better][value < 0]
                changes.setdefault(verb, []).append(f"{amount(value)} {spoken(measure.key)}")
        blind = [spoken(m.key) for m, value in zip(self.measures, favour, strict=True) if not value]
        where = (
            f"both {PHRASES[mine][1]}"
            if mine == theirs
            else f"it {PHRASES[mine][0]} and {other} {PHRASES[theirs][0]}"
        )
        size = write_count(int(self.partitions["kinds"].sizes[number]), "instance")
        does = join_words(f"{verb} {join_words(amounts)}" for verb, amounts in changes.items())
        unseen = f", which {blind[0]} does not see" if blind else ""
        return f"{does} where {where} ({size}){unseen}."

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about undefined values."""
        return tuple(
            f"{called(measure.key)} has a value on {known:,} of {len(report):,} instances for {name}."
            for measure in self.measures
            for name, report in zip(self.systems, self.reports, strict=True)
            if (known := int((~np.isnan(values_of(report, measure))).sum())) < len(report)
        )

    def as_text(self) -> str:
        """Return the sentence, the three tables, and the most telling instances as text."""
        lines = [self.title, "", self.sentence, *self.notes]
        for by, title in TITLES.items():
            head, rows = self.rows(getattr(self, by), MOST)
            lines += ["", f"{capitalize(title)}:", *_aligned(head, rows)]
        if len(self.instances):
            lines += ["", "The most telling instances:", *self._instance_lines()]
        return "\n".join(lines)

    __str__ = as_text

    @property
    def title(self) -> str:
        """The measures, the systems and the differences in one line."""
        a, b = self.systems
        parts = (f"{called(k)} {as_text(value)}" for k, value in self.differences.items())
        return f"{a} minus {b}: {', '.join(parts)}"

    def rows(
        self, table: "pd.DataFrame", most: int | None = None
    ) -> tuple[list[str], list[list[str]]]:
        """Return the heading and the rows of a table of parts as text.

        With `most`, the last row sums the parts that are left out.
        """
        names = [*map(str, table.index.names)]
        head = [*names, "instances", *(called(m.key) for m in self.measures)]
        rows = []
        for key, (size, *values) in zip(table.index, table.to_numpy().tolist(), strict=True):
            cells = [shown_label(str(name), LONGEST) for name in (key if names[1:] else (key,))]
            rows.append([*cells, f"{int(size):,}", *map(rounded, values)])
        if most is None or len(rows) <= most + 1:
            return head, rows
        size, *rest = table.iloc[most:].sum().tolist()
        # instances can be in several levels and top classes
        count = f"{int(size):,}" if names[1:] else ""
        cells = [f"{len(rows) - most:,} more", *[""] * len(names[1:]), count, *map(rounded, rest)]
        return head, [*rows[:most], cells]

    def _instance_lines(self) -> Iterable[str]:
        for name, row in self.instances.iterrows():
            yield f"{name}: true {join_classes(row['classes, true'])}"
            for system in self.systems:
                values = ", ".join(
                    f"{called(m.key)} {as_text(row[f'{called(m.key)}, {system}'])}"
                    for m in self.measures
                )
                predicted = join_classes(row[f"classes, {system}"])
                yield f"  {system}: {predicted} ({row[f'kind, {system}']}; {values})"

    def __repr__(self) -> str:
        return f"DifferenceSplit({self.title})"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from hiermeasures.draw.notebook_repr import bundle, output

        return bundle(include, exclude, text=self.as_text, html=lambda: output(*self._html_parts()))

    def _html_parts(self) -> Iterable[str]:
        from hiermeasures.draw.notebook_repr import beside, paragraph, table

        yield from map(paragraph, (self.title, self.sentence, *self.notes))
        tables = []
        for by, title in TITLES.items():
            head, rows = self.rows(getattr(self, by), MOST)
            numbers = range(len(head) - 3, len(head))
            tables.append(paragraph(f"{capitalize(title)}:") + table(head, [("", rows)], numbers))
        yield beside(*tables)
        yield from map(paragraph, self._instance_lines())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data. The kinds of a part are `first` and `second`."""
        tables = {by: self._records(by) for by in TITLES}
        instances = [
            {"id": name.item() if hasattr(name, "item") else name, **row}
            for name, row in zip(
                self.instances.index, self.instances.to_dict("records"), strict=True
            )
        ]
        return {
            "systems": list(self.systems),
            "measures": [m.key for m in self.measures],
            "differences": self.differences,
            "sentence": self.sentence,
            "notes": list(self.notes),
            **tables,
            "instances": [
                {k: list(v) if isinstance(v, tuple) else v for k, v in row.items()}
                for row in instances
            ],
        }

    def _records(self, by: str) -> list[dict[str, Any]]:
        table: pd.DataFrame = getattr(self, by)
        records = []
        for key, (size, *values) in zip(table.index, table.to_numpy().tolist(), strict=True):
            named = {"first": key[0], "second": key[1]} if by == "kinds" else {"part": key}
            keys = [m.key for m in self.measures]
            differences = dict(zip(keys, values, strict=True))
            records.append({**named, "instances": int(size), "differences": differences})
        return records


def split_difference(
    reports: Mapping[str, "Report"],
    measures: tuple[str, str],
    systems: tuple[str | None, str | None] = (None, None),
) -> DifferenceSplit:
    """Split the difference of two systems by two measures into parts that add up to it.

    Parameters
    ----------
    reports : mapping from a system's name to its Report
        Reports over the same instances.
    measures : (str, str)
        Keys of two measures.
    systems : (str or None, str or None)
        Names of two systems. You need them for three or more reports.

    Returns
    -------
    DifferenceSplit

    Raises
    ------
    InputError
        If a system or measure is unknown or given twice, or if a value is not a mean over
        instances.

    See Also
    --------
    Comparison.why : Split a comparison, with an example.
    """
    a, b = _two_systems(list(reports), systems)
    sides = reports[a], reports[b]
    for report in sides:
        report.kept  # noqa: B018  (refuses a report of sums)
    defined = {measure.key: measure for measure in sides[0].declared}
    first, second = (find_measure(key, defined) for key in measures)
    if first.key == second.key:
        raise InputError(f"you gave {called(first.key)} twice. Give two different measures.")
    for measure in (first, second):
        _check_mean(measure, sides[0])
    split = DifferenceSplit((a, b), (first, second), sides)
    split.contributions  # noqa: B018  (refuses measures that were not evaluated)
    return split


def _two_systems(names: Sequence[str], asked: Sequence[str | None]) -> tuple[str, str]:
    chosen = [name for name in asked if name is not None] or list(names)
    for name in chosen:
        check_known("system", name, names)
    if len(chosen) != 2:
        raise InputError(f"choose two systems. The systems are {quote_names(names)}.")
    if chosen[0] == chosen[1]:
        raise InputError(f"you gave {shown(chosen[0])} twice. Give two different systems.")
    return chosen[0], chosen[1]


def _check_mean(measure: Measure, report: "Report") -> None:
    basis = basis_of(measure, report.average)
    if basis == "instances":
        return
    name = called(measure.key)
    if measure.pooled == "always":
        raise InputError(
            f"{name} is computed from summed counts, so its difference has no parts. Use a measure "
            f"that is a mean over instances, such as hF."
        )
    raise InputError(
        f"{name} has no parts with the average {report.average}. Use average='samples', the mean "
        f"over instances."
    )


def amount(value: float) -> str:
    """Return the size of a difference as text. It is 0 only if the difference is 0.

    >>> amount(-0.042), amount(0.00001), amount(0.0)
    ('0.0420', '1e-05', '0.0000')
    """
    size = abs(value)
    return f"{size:.1g}" if SEEN <= size < 0.00005 else as_text(size)


def rounded(value: float) -> str:
    """Return a difference for a table, without a sign if it is 0.

    >>> rounded(-0.042), rounded(-0.00001)
    ('-0.0420', '0.0000')
    """
    return as_text(round(value, 4) + 0.0)


def _scaled(favour: np.ndarray) -> np.ndarray:
    """Divide each measure's parts by the sum of their sizes."""
    total = np.abs(favour).sum(axis=1, keepdims=True)
    return np.asarray(favour / np.where(total, total, 1.0))


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table as lines. Its last three columns are numbers."""
    lines = [head, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    texts = len(head) - 3
    return [
        "  ".join(
            cell.ljust(width) if k < texts else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
