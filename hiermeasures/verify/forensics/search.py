"""Search for the evaluation conventions that reproduce printed numbers.

Many conventions give equal numbers on these data, because they count equal classes. They form one
finding. So a result lists findings, not thousands of conventions.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from hiermeasures.evaluation.scores.probabilities import ProbabilityTable
from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import write_count, write_list
from hiermeasures.verify.forensics import grid
from hiermeasures.verify.forensics import readings as read_off
from hiermeasures.verify.forensics.changes import of_one, tried
from hiermeasures.verify.forensics.counts import (
    TUNED,
    Counted,
    LabelMatrices,
    Scores,
    digest,
    pairs_of,
)
from hiermeasures.verify.forensics.grid import (
    SETS,
    Convention,
    axes,
    axes_of,
    inside,
    is_meant,
    markings,
)
from hiermeasures.verify.forensics.readings import AverageReading, Key, Missing, Span, number_of

MOST_COMPARED = 40  # findings that choose the telling instance, nearest to the usual first
LARGEST = 1_000_000  # largest printed number accepted
NEAREST = 5  # findings listed if none is consistent
_NUMBER = re.compile(r"(?=\.?\d)(\d{0,7}(?:\.(\d{0,16}))?) *%?", re.ASCII)
Progress = Callable[[int, int], object]
Found = dict[Key, tuple[list[Convention], tuple[float, ...], tuple[Span, ...]]]


@dataclass(frozen=True)
class Printed:
    """A printed number. It stands for all values that round or truncate to it.

    >>> Printed.of("71.2 %").low, Printed.of("0.712").admits(0.7129), Printed.of("0.712").admits(0.7131)
    (0.7115, True, False)
    """

    text: str
    value: float
    unit: float  # 1 in the last printed digit

    @classmethod
    def of(cls, given: "str | float | Printed") -> "Printed":
        """Read a number. It is per cent if it is above 1 or has %.

        `read_for` undoes this for distances.
        """
        if isinstance(given, Printed):
            return given
        text = (f"{Decimal(str(given)):f}" if isinstance(given, float) else given).strip()
        match = _NUMBER.fullmatch(text)
        if not match or Decimal(match[1]) > LARGEST:
            raise InputError(
                f"{shown(text)} is not a printed number. Write a fraction or per cent, such as "
                f"0.712 or 71.2."
            )
        value, unit = Decimal(match[1]), Decimal(1).scaleb(-len(match[2] or ""))
        if text.endswith("%") or value > 1:
            value, unit = value / 100, unit / 100
        return cls(text, float(value), float(unit))

    def read_for(self, convention: Convention) -> "Printed":
        """Return the number for a convention. A distance is per cent only if it has %."""
        if convention.measure != "distance" or self.text.endswith("%") or Decimal(self.text) <= 1:
            return self
        return Printed(self.text, self.value * 100, self.unit * 100)

    @property
    def low(self) -> float:
        return self.value - self.unit / 2

    @property
    def high(self) -> float:
        """The exclusive upper bound of the values that round or truncate to the number."""
        return self.value + self.unit

    def how(self, value: float) -> str:
        """Return "rounded" or "truncated" if a value becomes this number so, or else ""."""
        slack = 1e-9
        if abs(value - self.value) <= self.unit / 2 + slack:
            return "rounded"
        return "truncated" if self.value - slack <= value < self.high - slack else ""

    def admits(self, value: float) -> bool:
        return bool(self.how(value))

    def meets(self, span: Span) -> bool:
        """Return True if a value in the span rounds or truncates to this number."""
        low, high = span
        return low < self.high and high >= self.low - 1e-9

    def outside(self, span: Span) -> float:
        """Return the distance from the number to a span. It is 0.0 inside the span."""
        return max(span[0] - self.value, self.value - span[1], 0.0)


@dataclass(frozen=True)
class Finding:
    """Conventions that are equal on these data, with their value for each system.

    The convention nearest to the usual one comes first. If predictions are missing, `values` count
    them as empty. `spans` are then the bounds of each system's value over all possible predictions.
    """

    conventions: tuple[Convention, ...]
    values: tuple[float, ...]
    spans: tuple[Span, ...] = ()

    @property
    def ends(self) -> tuple[Span, ...]:
        """The bounds for each system. Both equal the value if no prediction is missing."""
        return self.spans or tuple((value, value) for value in self.values)

    @property
    def convention(self) -> Convention:
        return self.conventions[0]

    @cached_property
    def undetermined(self) -> Mapping[str, tuple[str, ...]]:
        """The choices that these data do not distinguish, by axis.

        Axes with one choice are left out.
        """
        found: dict[str, list[str]] = {}
        for convention in self.conventions:
            for axis, choice in convention.choices:
                if choice not in found.setdefault(axis, []):
                    found[axis].append(choice)
        return {axis: tuple(choices) for axis, choices in found.items() if len(choices) > 1}

    @property
    def undetermined_in_words(self) -> str:
        return ", ".join(inside(axes()[axis].title) for axis in self.undetermined)


@dataclass(frozen=True, eq=False)
class Forensics:
    """The result of a search.

    `consistent` are findings that give every printed number, nearest to the usual convention first.
    If no finding does, `nearest` are the findings with the closest values. `change` describes a
    change of one instance or class that would give the number. `hierarchy_change` describes a
    change of the hierarchy. Both are "" without such a change.

    `looked_at` is the number of all findings. `by_chance` is the expected number of findings that
    fit a random number. The random number is uniform between their smallest and largest values.
    `telling` is the instance that distinguishes most of the consistent findings, or None. `fixed`
    are axes that cannot matter on these data.
    """

    printed: Mapping[str, Printed]
    consistent: tuple[Finding, ...]
    nearest: tuple[Finding, ...]
    looked_at: int
    by_chance: float
    telling: int | None = None
    change: str = ""
    hierarchy_change: str = ""
    fixed: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def groups(self) -> tuple[tuple[Finding, ...], ...]:
        """The consistent findings, or else the nearest, grouped by equal values."""
        found: dict[tuple[str, ...], list[Finding]] = {}
        for finding in self.consistent or self.nearest:
            found.setdefault(
                tuple(f"{end:.9f}" for span in finding.ends for end in span), []
            ).append(finding)
        return tuple(map(tuple, found.values()))

    def covers(self, convention: Convention) -> bool:
        """Return whether a convention is consistent. Axes that cannot matter are ignored."""
        pairs = tuple((axis, self.fixed.get(axis, choice)) for axis, choice in convention.choices)
        there = Convention(convention.measure, pairs)
        return any(there in finding.conventions for finding in self.consistent)

    def as_json(self) -> dict[str, Any]:
        return {
            "printed": {name: printed.text for name, printed in self.printed.items()},
            "looked_at": self.looked_at,
            "by_chance": self.by_chance,
            "consistent": [self._row(finding) for finding in self.consistent],
            "nearest": [self._row(finding) for finding in self.nearest],
            "changes": list(filter(None, (self.change, self.hierarchy_change))),
            "telling_instance": self.telling,
            "notes": list(self.notes),
        }

    def _row(self, finding: Finding) -> dict[str, Any]:
        return {
            "convention": finding.convention.id,
            "choices": dict(finding.convention.choices),
            "same_here": {axis: list(choices) for axis, choices in finding.undetermined.items()},
            "values": dict(zip(self.printed, finding.values, strict=True)),
        } | (
            {"bounds": dict(zip(self.printed, map(list, finding.spans), strict=True))}
            if finding.spans
            else {}
        )

    @property
    def verdict(self) -> str:
        said = f"{self.looked_at:,} conventions that differ on these data"
        if not self.consistent:
            return f"consistent with 0 of {said}"
        chance = f"{self.by_chance:.2g}" if self.by_chance < 10 else f"{self.by_chance:,.0f}"
        return f"consistent with {len(self.consistent):,} of {said}. You would expect {chance} by chance"

    def as_text(self, most: int = 5) -> str:
        numbers = ", ".join(f"{name} {printed.text}" for name, printed in self.printed.items())
        lines = [f"printed: {numbers}", *self.notes]
        lines.append(self.verdict + ("" if self.consistent else ". The nearest:"))
        for k, group in enumerate(self.groups[:most], 1):
            lines += ["", *self._lines(k, group[0])]
            if others := [finding.convention.id for finding in group[1:]]:
                lines.append(f"   equal value: {write_list(others, 2)}")
        if left := len(self.groups[most:]):
            lines += [
                "",
                f"and {left} more values, farther from the usual convention (--json lists all)",
            ]
        for change in filter(None, (self.change, self.hierarchy_change)):
            lines += ["", change]
        if self.telling is not None:
            lines += ["", f"instance {self.telling} (from 0) distinguishes most of them"]
        return "\n".join(lines)

    def _lines(self, k: int, finding: Finding) -> list[str]:
        name = grid.measures()[finding.convention.measure]["name"]
        read = [printed.read_for(finding.convention) for printed in self.printed.values()]
        pairs = list(zip(read, finding.values, strict=True))
        if finding.spans:
            said = ", ".join(f"between {low:.6f} and {high:.6f}" for low, high in finding.spans)
        elif self.consistent:
            said = ", ".join(f"{value:.6f} {printed.how(value)}" for printed, value in pairs)
        else:
            said = ", ".join(
                f"{value:.6f} ({value - printed.value:+.4f})" for printed, value in pairs
            )
        lines = [
            f"{k}. {name} ({finding.convention.id}): {said}",
            f"   {finding.convention.sentence()}",
        ]
        if finding.undetermined:
            lines.append(f"   not determined by these data: {finding.undetermined_in_words}")
        return lines


def forensics(
    hierarchy: Hierarchy,
    y_true: Sequence[Any],
    y_pred: Sequence[Any] | Scores | Mapping[str, Sequence[Any] | Scores],
    printed: str | float | Mapping[str, str | float],
    *,
    of: str | None = None,
    progress: Progress | None = None,
    missing: Mapping[str, Sequence[int]] | Sequence[int] = (),
) -> Forensics:
    """Find the conventions that give a printed number on these predictions.

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true, y_pred : sequence of label collections
        A row of labels per instance, as in the file, with unknown and repeated labels. `y_pred` can
        also be scores (`Scores.of`), or a mapping of systems.
    printed : str or float, or a mapping of systems to them
        Numbers with their digits. "0.710" is more exact than 0.71. A number above 1 or with % is
        per cent.
    of : str, optional
        The quantity: P, R, F (also hP, hR, hF), accuracy or distance. Default: all.
    progress : callable, optional
        Called with the number of finished and of all steps. Raise an error in it to stop.
    missing : sequence of int, or a mapping of systems to them
        Indices, from 0, of instances with unknown predictions. Leave their rows empty. A convention
        then fits if the number is within its bounds over all possible predictions.

    Returns
    -------
    Forensics

    Raises
    ------
    InputError
        If a number is malformed or missing, if truth and predictions differ in length, or if
        indices are wrong.

    See Also
    --------
    caption : Describe the convention of your own numbers.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> found = forensics(h, [{"T1"}, {"C"}], [{"P1"}, {"C"}], "0.667", of="hF")
    >>> found.consistent[0].convention.id
    'F|average:micro'
    """
    systems = dict(y_pred) if isinstance(y_pred, Mapping) else {"prediction": y_pred}
    numbers = dict(printed) if isinstance(printed, Mapping) else {next(iter(systems)): printed}
    if odd := sorted(systems.keys() ^ numbers):
        raise InputError(
            f"systems and printed numbers differ: {', '.join(odd)}. Give one number for each system"
        )
    asked = {name: Printed.of(numbers[name]) for name in systems}
    if not len(y_true):
        raise InputError("y_true is empty. Give at least one instance")
    lost = missing if isinstance(missing, Mapping) else dict.fromkeys(systems, missing)
    of = None if of is None else grid.known_measure(of)
    return _Grid(hierarchy, y_true, systems, lost, of).answer(asked, progress)


def values_of(
    hierarchy: Hierarchy,
    y_true: Sequence[Any],
    y_pred: Sequence[Any] | Scores,
    conventions: Sequence[Convention],
) -> list[float]:
    """Return the value of each convention for rows of labels or scores. nan means undefined.

    InputError if a convention for scores lacks a decision, or one for labels names a decision.
    """
    decisions = [dict(convention.choices).get("decision", "") for convention in conventions]
    if any((decision != "") != isinstance(y_pred, Scores) for decision in decisions):
        raise InputError(
            "the conventions do not fit the predictions. Name a decision for scores, and leave it "
            "out for labels"
        )
    given = (
        replace(y_pred, decisions=tuple(dict.fromkeys(decisions)))
        if isinstance(y_pred, Scores)
        else y_pred
    )
    by_decision = pairs_of(hierarchy, y_true, {"the prediction": given})
    found: list[float] = []
    read: dict[Key, list[AverageReading]] = {}
    for convention, decision in zip(conventions, decisions, strict=True):
        (pair,) = by_decision[decision]
        chosen, of = convention.marking, convention.measure
        key = (decision, of, *chosen.items())  # conventions with equal keys share their counts
        if key not in read and chosen:
            depths = read_off.depths_of(pair)
            read[key] = list(
                read_off.readings(pair.counted(chosen), hierarchy, depths, chosen["root"], of)
            )
        elif key not in read:
            read[key] = list(read_off.distances(pair))
        found.append(number_of(convention, read[key]))
    return found


def _by_chance(findings: Sequence[Finding], asked: Sequence[Printed]) -> float:
    shares = [finding.ends for finding in findings if finding.convention.measure != "distance"]
    if not shares:
        return 0.0
    chance = np.ones(len(shares))
    for column, printed in zip(np.array(shares).transpose(1, 0, 2), asked, strict=True):
        spread = float(column.max() - column.min())
        # A value becomes the number from half a unit below it (rounded) to a unit above it
        # (truncated).
        hit = 1.5 * printed.unit + column[:, 1] - column[:, 0]
        chance *= np.minimum(1.0, hit / spread) if spread > 0 else 1.0
    return float(chance.sum())


class _Grid:
    """The data, counted under every convention, and the search in the counts."""

    def __init__(
        self,
        hierarchy: Hierarchy,
        y_true: Sequence[Any],
        systems: Mapping[str, Any],
        missing: Mapping[str, Sequence[int]],
        of: str | None,
    ) -> None:
        if strange := [name for name in missing if name not in systems]:
            raise InputError(unknown("system", strange[0], systems))
        given = {
            name: Scores.of(rows) if isinstance(rows, ProbabilityTable) else rows
            for name, rows in systems.items()
        }
        for name, rows in given.items():
            # a tuned threshold would depend on them
            if isinstance(rows, Scores) and len(missing.get(name, ())):
                given[name] = replace(
                    rows, decisions=tuple(d for d in rows.decisions if d not in TUNED)
                )
        self.hierarchy, self.of, self.n = hierarchy, of, len(y_true)
        self.by_decision = pairs_of(hierarchy, y_true, given)
        self.pairs = [pair for pairs in self.by_decision.values() for pair in pairs]
        of_systems = zip(given, zip(*self.by_decision.values(), strict=True), strict=True)
        self.missing = [_missing(pairs, missing.get(name, ()), name) for name, pairs in of_systems]
        # Groups of decisions with equal predictions on these data.
        groups: dict[Key, tuple[list[dict[str, str]], list[LabelMatrices]]] = {}
        for decision, pairs in self.by_decision.items():
            same = tuple(digest(pair.raw["predicted"]) for pair in pairs)
            groups.setdefault(same, ([], pairs))[0].append(
                {"decision": decision} if decision else {}
            )
        self.groups = list(groups.values())
        self.markings = [] if of == "distance" else list(markings(self.fixed))
        # to count classes: groups of decisions x markings
        self.ways = len(self.groups) * len(self.markings)

    def answer(self, asked: Mapping[str, Printed], progress: Progress | None) -> Forensics:
        def fits(finding: Finding) -> bool:
            wanted = [printed.read_for(finding.convention) for printed in asked.values()]
            if finding.spans:
                return all(p.meets(span) for p, span in zip(wanted, finding.spans, strict=True))
            return all(p.admits(v) for p, v in zip(wanted, finding.values, strict=True))

        def far(finding: Finding) -> float:
            wanted = (printed.read_for(finding.convention) for printed in asked.values())
            return max(p.outside(span) for p, span in zip(wanted, finding.ends, strict=True))

        findings, numbers = self.findings(progress), list(asked.values())
        consistent = tuple(finding for finding in findings if fits(finding))
        nearest = () if consistent else tuple(sorted(findings, key=far)[:NEAREST])
        # nearest to the number or to the usual choices
        likely = list(dict.fromkeys((*nearest, *findings[:NEAREST])))
        return Forensics(
            printed=asked,
            consistent=consistent,
            nearest=nearest,
            looked_at=len(findings),
            by_chance=_by_chance(findings, numbers),
            telling=self.telling(consistent) if len(consistent) > 1 else None,
            change=self.one_change(nearest, numbers),
            hierarchy_change=self.hierarchy_change(likely, numbers, progress) if nearest else "",
            fixed=self.fixed,
            notes=self.notes(findings),
        )

    def pairs_of(self, convention: Convention) -> list[LabelMatrices]:
        return self.by_decision[dict(convention.choices).get("decision", "")]

    def notes(self, findings: Sequence[Finding]) -> tuple[str, ...]:
        found = []
        if labels := sorted({label for pair in self.pairs for label in pair.unknown}):
            found.append(
                f"{write_count(len(labels), 'label')} not in the hierarchy, such as {shown(labels[0])}"
            )
        if lost := sum(int((~each.is_known).sum()) for each in self.missing if each):
            found.append(
                f"missing predictions: {lost:,}. Each convention has a lower and an upper bound "
                "over all possible predictions. The bounds may not be reached. Consistent means "
                "that the number is between them"
            )
            if "" not in self.by_decision:
                found.append(
                    "no threshold is tuned, because it would depend on the missing predictions"
                )
        if self.of == "distance" and not findings:
            found.append(
                "distances are defined only if every instance has one class of the hierarchy on "
                "each side"
            )
        return tuple(found)

    @cached_property
    def fixed(self) -> dict[str, str]:
        """The axes that cannot matter on these data, with the only choice to try."""
        found = {}
        if not any(pair.unknown for pair in self.pairs):
            found["unknown"] = "wrong"
        if not any(pair.repeated for pair in self.pairs) and self.hierarchy.depth <= 1:
            found["duplicates"] = "set"
        if not any(pair.missing.any() for pair in self.pairs):
            found["denominator"] = "all"
        space = self.pairs[0].space
        if space.within.nnz == space.above.nnz:
            found["namespaces"] = "across"
        return found

    def findings(self, progress: Progress | None = None) -> list[Finding]:
        found: Found = {}
        read: dict[Key, list[tuple[AverageReading, ...]]] = {}
        depths = read_off.depths_of(self.pairs[0]) if self.ways else {}
        for k, ((decisions, pairs), chosen) in enumerate(product(self.groups, self.markings)):
            if progress is not None:
                progress(k, self.ways)
            counted = [pair.counted(chosen) for pair in pairs]
            key: Key = (*(each.digest for each in counted), chosen["root"])
            left = [
                m.open(each, chosen) if m else None
                for m, each in zip(self.missing, counted, strict=True)
            ]
            key += tuple(each.key for each in left if each)
            if key not in read:
                read[key] = _of_all(
                    read_off.readings(
                        each, self.hierarchy, depths, chosen["root"], of=self.of, left=rest
                    )
                    for each, rest in zip(counted, left, strict=True)
                )
            for readings_of, decision in product(read[key], decisions):
                self._add(found, key[: len(counted)], readings_of, {**chosen, **decision})
        if self.of in (None, "distance"):
            lost = [np.flatnonzero(~each.is_known) if each else None for each in self.missing]
            for place, (decisions, pairs) in enumerate(self.groups):
                for readings_of, decision in product(
                    _of_all(map(read_off.distances, pairs, lost)), decisions
                ):
                    self._add(found, ("distance", place), readings_of, decision)
        order = list(axes())
        made = []
        for conventions, values, spans in found.values():
            if any(value != value for value in values):  # undefined
                continue
            conventions.sort(key=lambda c: _place(c, order))
            made.append(Finding(tuple(conventions), values, spans))
        return sorted(made, key=lambda finding: _place(finding.convention, order))

    def _add(
        self,
        found: Found,
        counted: Key,
        each: tuple[AverageReading, ...],
        chosen: Mapping[str, str],
    ) -> None:
        first = each[0]
        if self.of not in (None, first.measure) or (
            "ancestors" in chosen and not is_meant(chosen, first.measure)
        ):
            return
        choices = {**chosen, **first.choices}
        average = choices.get("average", "")
        said = axes_of(first.measure, average, frozenset({"decision"} & choices.keys()))
        pairs = ((a.key, choices.get(a.key, a.usual)) for a in said)
        values = tuple(reading.value for reading in each)
        spans = (
            tuple(reading.span or (reading.value,) * 2 for reading in each)
            if any(self.missing)
            else ()
        )
        key = (first.measure, *counted, *(reading.key for reading in each), spans)
        entry = found.setdefault(key, ([], values, spans))
        entry[0].append(Convention(first.measure, tuple(pairs)))

    def one_change(self, nearest: Sequence[Finding], asked: Sequence[Printed]) -> str:
        """Describe how one changed instance or class gives the printed number, or return ""."""
        if len(self.missing) > 1 or any(self.missing):
            return ""
        for finding in nearest:
            if not finding.convention.marking:
                continue
            counted = self.pairs_of(finding.convention)[0].counted(finding.convention.marking)
            for what, value in of_one(counted, finding.convention, finding.values[0]):
                if asked[0].admits(value):
                    return f"{finding.convention.id} gives {asked[0].text} with {what}"
        return ""

    def hierarchy_change(
        self, likely: Sequence[Finding], asked: Sequence[Printed], progress: Progress | None
    ) -> str:
        """Describe a change of the hierarchy after which a finding fits, or return ""."""
        if any(self.missing):
            return ""
        conventions = [finding.convention for finding in likely]
        wanted = [[printed.read_for(convention) for printed in asked] for convention in conventions]
        found: dict[int, list[str]] = {}
        for k, many, words, values in tried(
            self.hierarchy, [(c, self.pairs_of(c)) for c in conventions]
        ):
            if progress is not None:
                progress(self.ways + k, self.ways + many)
            for place, (printed, of_systems) in enumerate(zip(wanted, values, strict=True)):
                if all(p.admits(v) for p, v in zip(printed, of_systems, strict=True)):
                    found.setdefault(place, []).append(words)
        if not found:
            return ""
        # the first convention, and its change that affects the fewest labels
        place = min(found)
        numbers, many = ", ".join(printed.text for printed in asked), len(found[place])
        others = f" (one of {many:,} such changes)" if many > 1 else ""
        return f"{conventions[place].id} gives {numbers} with a hierarchy in which {found[place][-1]}{others}"

    def telling(self, findings: Sequence[Finding]) -> int | None:
        """Return the instance that distinguishes most findings.

        Ties go to the instance with the fewest labels.
        """
        n, columns = self.n, []
        for finding in findings[:MOST_COMPARED]:
            if finding.convention.measure == "distance":
                continue
            chosen = finding.convention.marking
            pairs = self.pairs_of(finding.convention)
            columns.append(
                np.concatenate([_by_instance(pair.counted(chosen), n) for pair in pairs])
            )
        if len(columns) < 2:
            return None
        rows = np.array(columns).reshape(len(columns), -1, n)
        # one number per finding and instance instead of its values, sorted by instance
        codes = np.sort(np.einsum("fsn,s", rows, np.sqrt(np.arange(2, rows.shape[1] + 2))), axis=0)
        different = 1 + (np.diff(codes, axis=0) > 1e-9).sum(axis=0)
        labels = np.zeros(n)
        for pair in self.pairs:
            for raw in pair.raw.values():
                labels += raw.sum(axis=1)
        for each in self.missing:
            if each is not None:
                different[~each.is_known] = 0
        best = int(np.lexsort((np.arange(n), labels, -different))[0])
        return best if different[best] > 1 else None


def _missing(pairs: Sequence[LabelMatrices], places: Sequence[int], name: str) -> Missing | None:
    """Return the missing predictions of a system, or None. `pairs` has a pair for each decision."""
    n, found = pairs[0].n, np.unique(np.array(list(places), np.int64))
    if not len(found):
        return None
    if found[0] < 0 or found[-1] >= n or not all(each.missing[found].all() for each in pairs):
        raise InputError(
            f"{name}: wrong missing predictions. List numbers from 0 to {n - 1:,} with empty rows"
        )
    if len(found) == n:
        raise InputError(f"{name}: every prediction is missing. Give some predictions")
    return Missing(pairs[0], found)


def _of_all(systems: Iterable[Iterable[AverageReading]]) -> list[tuple[AverageReading, ...]]:
    """Return the readings of all systems with equal choices, if every system has one."""
    by_system = [
        {(each.measure, *each.choices.items()): each for each in found} for found in systems
    ]
    return [
        tuple(found[key] for found in by_system)
        for key in by_system[0]
        if all(key in found for found in by_system)
    ]


def _by_instance(counted: Counted, n: int) -> np.ndarray:
    found = np.full((3, n), -1.0)
    for row, measure in enumerate(SETS):
        found[row, counted.kept] = read_off.ratios(counted.by_instance, measure, "agree")
    return found


def _place(convention: Convention, order: Sequence[str]) -> tuple[Any, ...]:
    """Return a sort key: fewest differences from the usual convention first."""
    return (
        len(convention.departures),
        [order.index(axis) for axis in convention.departures],
        list(grid.measures()).index(convention.measure),
        convention.choices,
    )
