"""Answers that do not fit the hierarchy.

This module decides how unknown labels count. It finds instances that are empty, unknown, too
general, too specific or inconsistent. Labels come as rows of names, from files or tables, and
become class numbers. hiermeasures.hierarchy.matching finds the class of each different label once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels, encode
from hiermeasures.evaluation.hierarchy_arrays import is_above
from hiermeasures.evaluation.outside import with_wrong_classes, wrong_names
from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.errors import unknown as unknown_name
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.label_notation import Notation, notation_of
from hiermeasures.hierarchy.matching import Matcher, MismatchError, forms_of, mismatch, normal
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.words import agree, capitalize, write_count, write_list
from hiermeasures.read.label_rows import LabelRows, runs

Policy = Literal["error", "wrong", "prefix", "nearest", "drop"]
ClassesOf = Literal["all", "truth"]
POLICIES: Mapping[str, str] = {
    "error": "are refused",
    "wrong": "count as wrong, except for the known beginning of their paths",
    "prefix": "count as the deepest class on their paths, or else as a wrong class under the root",
    "nearest": "count as the class with the most similar name, or else as a wrong class under the "
    "root",
    "drop": "are left out, so precision is too high",
}
KINDS = ("empty", "unknown", "inconsistent", "too general", "too specific")
_MOST_COMPARED = 3_000_000  # pairs of an unknown label and a class whose names are compared
_LISTED = 5
_USUAL = Options.make()


@dataclass(frozen=True)
class Match:
    """A label that was read as a class with another name, with the reason and the count."""

    label: str
    name: str
    how: str
    times: int


@dataclass(frozen=True, eq=False)
class Answers:
    """Fit of the answers of a system to the hierarchy.

    `rows` has the instances of each kind, as rising numbers from 0. "empty" instances have no
    answer. "unknown" ones have a label that is not a class. "inconsistent" ones have a path whose
    parts are classes, but not one below the other. "too general" and "too specific" ones have a
    predicted class above or below a true one. `matched` are labels that were read as a class with
    another name, the most frequent first.
    """

    total: int
    policy: Policy
    rows: Mapping[str, np.ndarray]
    matched: tuple[Match, ...] = ()
    not_compared: int = 0
    differ: str = ""  # how unknown labels differ from classes, if an option would make them agree
    normalise: tuple[str, ...] = ()
    first: int = 1  # number of the first row in messages; 0 for instances of a list

    def __add__(self, other: "Answers") -> "Answers":
        rows = {
            kind: np.concatenate([self.rows[kind], other.rows[kind] + self.total]) for kind in KINDS
        }
        return replace(
            self,
            total=self.total + other.total,
            rows=rows,
            matched=self.matched + other.matched,
            not_compared=self.not_compared + other.not_compared,
        )

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of each instance in words, or ""."""
        found = [""] * self.total
        for kind in KINDS:
            for k in self.rows[kind].tolist():
                found[k] += f"{', ' * bool(found[k])}{kind}"
        return found

    def notes(self, ids: Any = None) -> tuple[str, ...]:
        """Return sentences about the answers, with the ids of the first instances of each kind."""
        ids = range(self.total) if ids is None else ids
        counts: list[str] = []
        for kind, rows in self.rows.items():
            if not len(rows):
                continue
            how_many = f"{'all ' * (len(rows) == self.total > 1)}{len(rows):,}"
            noun = "" if counts else f" {agree(len(rows), 'answer')}"
            counts.append(f"{how_many} {kind}{noun} ({self._named(rows, ids)})")
        found = [", ".join(counts)] if counts else []
        if len(self.rows["unknown"]):
            found.append(f"unknown answers {POLICIES[self.policy]} (unknown={self.policy!r})")
        if self.not_compared:
            found.append(
                f"{self.not_compared:,} rarer unknown answers were not compared with all classes"
            )
        found += [self.differ] if self.differ else []
        for how in dict.fromkeys(match.how for match in self.matched):
            some = [match for match in self.matched if match.how == how]
            few = [
                f"{shown(m.label, 60)} as {shown(m.name, 60)}, {m.times:,} ×"
                for m in some[:_LISTED]
            ]
            which = write_list(few, total=len(some), mark="; ")
            found.append(f"{write_count(len(some), 'label')} read as a class ({how}): {which}")
        return tuple(found)

    def _named(self, rows: np.ndarray, ids: Any) -> str:
        counted = isinstance(ids, range)
        few = [
            f"{k + self.first}" if counted else shown(str(ids[k]), 40)
            for k in rows[:_LISTED].tolist()
        ]
        name = agree(len(rows), "row" if counted and self.first else "instance")
        return f"{name} {write_list(few, total=len(rows))}"


@dataclass(frozen=True, eq=False)
class Fitted:
    """True labels and those of several systems as classes of one hierarchy.

    The hierarchy's notes say how they were read. `added` are its classes for unknown answers, and
    `taxonomy` is the hierarchy without them.
    """

    hierarchy: Hierarchy
    taxonomy: Hierarchy
    true: EncodedLabels
    predicted: Mapping[str, EncodedLabels]
    answers: Mapping[str, Answers] = field(default_factory=dict)
    added: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rules:
    """Rules for reading labels: their notation, and the treatment of labels that do not fit.

    `first` is the number of the first row: 1 for a file or table, 0 for a list. `options` are those
    of the measures. `classes` is "all" if the ancestors in unknown answers count, or "truth" if
    only classes of the truth or the hierarchy exist. `make` makes a hierarchy from labels.
    With `if_needed`, the rules apply to labels of files only if one of them is not a class.
    """

    unknown: Policy = "wrong"
    notation: Notation | None = None
    normalise: tuple[str, ...] = ()
    first: int = 0
    options: Options = _USUAL
    classes: ClassesOf = "all"
    make: Callable[[Sequence[str], Notation | None], Hierarchy] = Hierarchy.from_labels
    if_needed: bool = False

    @property
    def extends(self) -> bool:
        """True if the ancestors in unknown answers count."""
        return self.unknown == "wrong" and self.classes == "all"

    def called(self, row: int) -> str:
        """Return the name of a row in messages."""
        return f"row {row + self.first:,}" if self.first else f"instance {row:,}"

    @classmethod
    def of(
        cls,
        unknown: str,
        *,
        notation: Notation | None = None,
        normalise: Iterable[str] | str | bool = (),
        first: int = 0,
        options: Options | None = None,
        classes: str = "all",
    ) -> "Rules":
        """Return checked rules."""
        check_known("rule for classes", classes, get_args(ClassesOf))
        if unknown not in POLICIES:
            fault = unknown_name("policy for unknown answers", str(unknown), POLICIES)
            raise InputError(f"{fault}. Choose one of {', '.join(POLICIES)}.")
        made = options or Options.make()
        return cls(
            unknown,  # type: ignore[arg-type]
            notation,
            normalise=forms_of(normalise),
            first=first,
            options=made,
            classes=classes,  # type: ignore[arg-type]
        )


def choose_notation(
    paths: str | None = None, codes: str | Sequence[int] | None = None
) -> Notation | None:
    """Return the notation of labels that are paths or codes, or None to recognise it."""
    if paths is not None and codes is not None:
        raise InputError(
            "labels cannot be both paths and codes. Give only one of paths= and codes=."
        )
    notation = None if paths is None else Notation(paths)
    if isinstance(codes, str):
        notation = Notation(codes, of_codes=True)
    elif codes is not None:
        notation = Notation(levels=tuple(sorted(set(codes))), of_codes=True)
    if notation is not None and not (
        notation.separator or (notation.levels and notation.levels[0] > 0)
    ):
        raise InputError(
            "the separator of paths or codes is empty, or a level is below 1. Give a separator "
            "such as ' > ', or levels such as (1, 2, 3)."
        )
    return notation


def fit(
    true: LabelRows,
    predicted: Mapping[str, LabelRows],
    how: Rules,
    taxonomy: Hierarchy | None = None,
) -> Fitted:
    """Read labels as classes of a taxonomy, or of the hierarchy that the labels make.

    Without a taxonomy, a path or code that occurs only in answers is a class below its known
    beginning. With a taxonomy, an unknown answer counts as the deepest class on its path and a
    wrong class. An answer without a known beginning is a wrong class, and so is every unknown
    answer with `classes="truth"`.

    Raises
    ------
    InputError
        If a true label cannot be read or is unknown.
    MismatchError
        If an answer is unknown and the rules refuse it.
    """
    of_codes = how.notation is not None and how.notation.of_codes
    if taxonomy is not None and of_codes and how.unknown != "prefix":
        raise InputError(
            "codes make a hierarchy from the labels, but you also gave a hierarchy. Leave out one "
            "of the two."
        )
    notation = how.notation or notation_of(_used(true))
    merged: tuple[Match, ...] = ()
    labels_alone = taxonomy is None
    if taxonomy is None:
        true, merged = _one_spelling(true, how.normalise)
        _check_readable(true, notation, how)
        taxonomy = how.make(_used(true), notation)
    matcher = Matcher(taxonomy, notation, how.normalise)
    strict = replace(how, unknown="drop" if how.unknown == "drop" else "error")
    known = _Side.of(true, matcher, strict, "the true labels")
    sides = {
        name: _Side.of(rows, matcher, how, name, adds=labels_alone and how.extends)
        for name, rows in predicted.items()
    }
    if labels_alone:
        taxonomy = _with_answers(taxonomy, _used(true), notation, sides.values(), how)
    wrongs = [s.most_unknown for s in sides.values() if how.unknown not in ("drop", "error")]
    most = max(wrongs, default=0)
    h, wrong = with_wrong_classes(taxonomy, most, how.options), wrong_names(taxonomy, most)
    expected = encode(h, known.rows, unknown="drop", name="the true labels")
    found, answers = {}, {}
    for name, side in sides.items():
        found[name] = encode(h, side.named(wrong), unknown="drop", name=name)
        kinds = side.kinds(h, expected, found[name])
        answers[name] = side.answers(how, kinds, (*merged, *known.matches))
    return Fitted(h, taxonomy, true=expected, predicted=found, answers=answers, added=wrong)


def _with_answers(
    made: Hierarchy,
    true: Sequence[str],
    notation: Notation | None,
    sides: Iterable["_Side"],
    how: Rules,
) -> Hierarchy:
    """Return the hierarchy of the true labels and of the answers that become new classes, with a
    note.
    """
    added = dict.fromkeys(name for side in sides for name in side.added)
    if added:
        known = len(made) - made.virtual_root
        made = how.make([*true, *added], notation)
        more = len(made) - made.virtual_root - known
        told = (
            f"the labels define the classes. Answers add {more:,} (classes='truth' leaves them out)"
        )
    else:
        told = "the true labels define the classes"
    return replace(made, notes=(*made.notes, f"you gave no hierarchy, so {told}"))


def _used(rows: LabelRows) -> list[str]:
    return [rows.names[k] for k in np.unique(rows.idx).tolist()]


def _one_spelling(rows: LabelRows, forms: tuple[str, ...]) -> tuple[LabelRows, tuple[Match, ...]]:
    """Give labels with the same normal form the most frequent of their names."""
    if not forms:
        return rows, ()
    times = np.bincount(rows.idx, minlength=len(rows.names)).tolist()
    best: dict[str, int] = {}
    keys = [normal(name, forms) for name in rows.names]
    for k, key in enumerate(keys):
        if key not in best or times[k] > times[best[key]]:
            best[key] = k
    names = tuple(rows.names[best[key]] for key in keys)
    changed = [
        Match(old, new, "normalised", n)
        for old, new, n in zip(rows.names, names, times, strict=True)
        if old != new
    ]
    return LabelRows(names, rows.ptr, rows.idx), tuple(sorted(changed, key=lambda m: -m.times))


@dataclass(frozen=True, eq=False)
class _Side:
    """Labels with the names of their classes.

    Three arrays mark labels that are not classes (`strange`), that could not be read as a class
    (`unknown`), and that contradict the hierarchy. `added` are unknown labels that become new
    classes. `beginnings` are the deepest known classes of other unknown labels.
    """

    rows: LabelRows
    strange: np.ndarray
    unknown: np.ndarray
    inconsistent: np.ndarray
    matches: tuple[Match, ...]
    not_compared: int
    differ: str
    added: tuple[str, ...] = ()
    beginnings: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, rows: LabelRows, matcher: Matcher, how: Rules, name: str, adds: bool = False
    ) -> "_Side":
        """Find the class of each different label once. With `adds`, unknown labels that contain
        their ancestors become classes.
        """
        times = np.bincount(rows.idx, minlength=len(rows.names)).tolist()
        names, strange, lost = list(rows.names), [], []
        matches: list[Match] = []
        for k, label in enumerate(rows.names):
            if times[k] and (found := matcher.as_written(label)) is None:
                if (found := matcher.repaired(label)) is not None:
                    matches.append(Match(label, found, "normalised", times[k]))
                else:
                    strange.append(k)
            names[k] = found if times[k] and found is not None else label
        if strange and how.unknown == "error":
            raise _unknown(rows, matcher, how, name, strange)
        most = _MOST_COMPARED // max(len(matcher.classes), 1)
        compared = 0
        added: dict[str, str] = {}
        beginnings: dict[int, str] = {}
        for k in sorted(strange, key=lambda k: (-times[k], rows.names[k])):
            label = rows.names[k]
            found = matcher.deepest(label) if how.unknown == "prefix" else None
            if how.unknown == "nearest" and (found := matcher.alike(label)) is None:
                found = matcher.nearest(label) if compared < most else None
                compared += 1
            if adds and (whole := matcher.new_class(label)) is not None:
                names[k] = added[whole] = whole
            elif found is not None:
                matches.append(Match(label, found, how.unknown, times[k]))
                names[k] = found
            else:
                lost.append(k)
                if how.extends and not adds and (start := matcher.deepest(label)) is not None:
                    beginnings[k] = start
        odd = [k for k in strange if matcher.contradicts(rows.names[k])]
        return cls(
            LabelRows(tuple(names), rows.ptr, rows.idx),
            strange=_flags(strange, len(names)),
            unknown=_flags(lost, len(names)),
            inconsistent=_flags(odd, len(names)),
            matches=tuple(sorted(matches, key=lambda m: -m.times)),
            not_compared=max(compared - most, 0),
            differ=_describe_difference([rows.names[k] for k in strange], matcher),
            added=tuple(added),
            beginnings=beginnings,
        )

    @property
    def instance(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.rows)), np.diff(self.rows.ptr))

    @property
    def most_unknown(self) -> int:
        """Return the most unknown labels that an instance has."""
        return int(np.bincount(self.instance[self.unknown[self.rows.idx]]).max(initial=0))

    def named(self, wrong: Sequence[str]) -> LabelRows:
        """Return the rows with classes' names, and the unknown labels that count as wrong."""
        if not wrong:
            return self.rows
        idx = self.rows.idx.copy()
        places = np.flatnonzero(self.unknown[idx])
        owner = self.instance[places]
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        idx[places] = len(self.rows.names) + runs(
            np.zeros(len(first), np.int64), np.diff([*first, len(places)])
        )
        names = (*self.rows.names, *wrong)
        return (
            self._with_beginnings(names, idx)
            if self.beginnings
            else LabelRows(names, self.rows.ptr, idx)
        )

    def _with_beginnings(self, names: tuple[str, ...], idx: np.ndarray) -> LabelRows:
        """Return the rows with one more label after each unknown one whose beginning is known."""
        known = np.full(len(self.rows.names), -1, np.int64)
        known[list(self.beginnings)] = range(len(names), len(names) + len(self.beginnings))
        more = known[self.rows.idx]
        places = np.flatnonzero(more >= 0)
        sizes = np.diff(self.rows.ptr) + np.bincount(
            self.instance[places], minlength=len(self.rows)
        )
        ptr = np.concatenate([[0], np.cumsum(sizes)])
        idx = np.insert(idx, places + 1, more[places])
        return LabelRows((*names, *self.beginnings.values()), ptr, idx.astype(np.int32))

    def answers(
        self, how: Rules, kinds: Mapping[str, np.ndarray], matched: tuple[Match, ...]
    ) -> Answers:
        return Answers(
            len(self.rows),
            how.unknown,
            kinds,
            (*matched, *self.matches),
            not_compared=self.not_compared,
            differ=self.differ,
            normalise=how.normalise,
            first=how.first,
        )

    def kinds(
        self, h: Hierarchy, true: EncodedLabels, predicted: EncodedLabels
    ) -> dict[str, np.ndarray]:
        """Return the instances of each kind.

        Only the lowest classes of a side count as too general or too specific.
        """
        mine, n = self.instance, len(self.rows)
        instance, t, p = _pairs(_lowest(h, true), _lowest(h, predicted))
        marked = {
            "empty": np.flatnonzero(np.diff(self.rows.ptr) == 0),
            "unknown": mine[self.strange[self.rows.idx]],
            "inconsistent": mine[self.inconsistent[self.rows.idx]],
            "too general": instance[is_above(h, p, t)],
            "too specific": instance[is_above(h, t, p)],
        }
        return {kind: np.flatnonzero(_flags(marked[kind], n)) for kind in KINDS}


def _describe_difference(labels: Sequence[str], matcher: Matcher) -> str:
    """Describe how unknown labels differ from classes, if an option can make them equal."""
    found = mismatch(labels, matcher.classes, matcher.last) if labels else None
    if found is None or not found.repair or found.repair == "--unknown nearest":
        return ""
    return f"{found.describe('unknown label')}. {capitalize(found.advice)}"


def _flags(places: Sequence[int] | np.ndarray, n: int) -> np.ndarray:
    found = np.zeros(n, bool)
    found[np.asarray(places, np.int64)] = True
    return found


def _unknown(
    rows: LabelRows, matcher: Matcher, how: Rules, name: str, strange: Sequence[int]
) -> MismatchError:
    """Return the error for unknown labels. It says how they differ from the classes."""
    found = mismatch(_used(rows), matcher.classes, matcher.last, matcher.other_names)
    row, label = _first_of(rows, strange)
    first = matcher.meanings(label) or unknown_name("class", label, matcher.classes)
    advice = f". {capitalize(found.advice)}" if found.advice else ""
    return MismatchError(
        f"{name}, {how.called(row)}: {first}. {capitalize(str(found))}{advice}", found.repair
    )


def _first_of(rows: LabelRows, some: Sequence[int]) -> tuple[int, str]:
    """Return the first row with one of some names, and this name. `some` has their numbers."""
    place = int(np.flatnonzero(_flags(some, len(rows.names))[rows.idx])[0])
    return int(np.searchsorted(rows.ptr, place, side="right")) - 1, rows.names[rows.idx[place]]


def _check_readable(rows: LabelRows, notation: Notation | None, how: Rules) -> None:
    """Refuse true labels that the notation cannot read to their end."""
    if notation is None:
        return
    faults = {
        k: fault for k in np.unique(rows.idx).tolist() if (fault := notation.fault(rows.names[k]))
    }
    if faults:
        row, label = _first_of(rows, list(faults))
        more = f". {len(faults) - 1:,} more labels have faults" if len(faults) > 1 else ""
        raise InputError(f"the true labels, {how.called(row)}: {notation.fault(label)}{more}")


def _pairs(a: EncodedLabels, b: EncodedLabels) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return every pair of a true and a predicted class of an instance: instance, both classes."""
    owner = a.instances
    sizes = np.diff(b.ptr)[owner]
    return np.repeat(owner, sizes), np.repeat(a.idx, sizes), b.idx[runs(b.ptr[owner], sizes)]


def _lowest(h: Hierarchy, labels: EncodedLabels) -> EncodedLabels:
    """Return the labels without those above another of the same instance."""
    if (np.diff(labels.ptr) < 2).all():
        return labels
    instance, a, b = _pairs(labels, labels)
    above, owner = is_above(h, a, b), labels.instances
    kept = ~np.isin(owner * len(h) + labels.idx, instance[above] * len(h) + a[above])
    ptr = np.concatenate([[0], np.cumsum(np.bincount(owner[kept], minlength=len(labels)))])
    return EncodedLabels(ptr.astype(np.int64), labels.idx[kept])
