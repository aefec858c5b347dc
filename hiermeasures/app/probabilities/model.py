"""State of the Probabilities page, an immutable value: the probabilities on the sheet and where
they come from, what was typed and uploaded, and every setting; and the evaluation of a whole file,
in a job. Edits of the sheet are pure functions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hiermeasures.app.binding import Slot
from hiermeasures.app.job import Progress, Working
from hiermeasures.cases import Case, CaseLibrary
from hiermeasures.core.errors import shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.options import Options
from hiermeasures.formats.labels import LabelFile
from hiermeasures.probabilities import (
    FileSweep,
    InstanceAreas,
    MicroCurve,
    NodeProbabilities,
    ProbabilityTable,
    ScoredReport,
    file_sweep,
    instance_areas,
    micro_curve,
    scored_report,
    table_coherence,
    true_classes,
)
from hiermeasures.probabilities.curves import Incoherent, Interpolation
from hiermeasures.probabilities.expected import Labels
from hiermeasures.probabilities.files import match_labels
from hiermeasures.probabilities.probabilities import Kind


@dataclass(frozen=True)
class Asked:
    """Probabilities from a file of this title, their true labels, and how curves are read."""

    title: str
    table: ProbabilityTable
    truth: LabelFile
    interpolation: Interpolation
    incoherent: Incoherent
    count_root: bool


@dataclass(frozen=True, eq=False)
class Evaluated:
    """A file of probabilities against its true labels."""

    asked: Asked
    labels: tuple[frozenset[str], ...]
    areas: InstanceAreas
    micro: MicroCurve
    sweep: FileSweep
    notes: tuple[str, ...]
    incoherent: bool

    @property
    def table(self) -> ProbabilityTable:
        return self.asked.table


def evaluated(asked: Asked, report: Progress) -> Evaluated:
    """Evaluate a file. Raises InputError where labels and probabilities do not fit together."""
    table = asked.table
    labels, notes = match_labels(table, asked.truth)
    classes = true_classes(table, labels)
    how: dict[str, Any] = {"count_root": asked.count_root, "incoherent": asked.incoherent}
    report("The area of each instance", 0, 0)
    areas = instance_areas(table, classes, interpolation=asked.interpolation, **how)
    report("One threshold for all instances", 0, 0)
    sweep = file_sweep(table, classes, **how)
    report("The curve of all instances together", 0, 0)
    micro = micro_curve(table, classes, interpolation=asked.interpolation, **how)
    report("Whether the probabilities are coherent", 0, 0)
    coherence = table_coherence(table)
    odd = bool(coherence.above_parent.any() or coherence.siblings_over.any())
    remarks = (*table.notes, *asked.truth.notes, *notes, coherence.sentence)
    return Evaluated(asked, tuple(labels), areas=areas, micro=micro, sweep=sweep, notes=remarks, incoherent=odd)


def scored(work: Evaluated, report: Progress) -> ScoredReport:
    """Return values that need no threshold. Raises InputError without any true class."""
    report("Curves of classes and ranked leaves", 0, 0)
    return scored_report(work.table, work.labels, incoherent=work.asked.incoherent)


LONGEST_PAST = 100
LISTED = ("hF", "hP", "hR", "F_LCA", "SP", "accuracy")
ONE, FILE = "One instance", "A file"
Reading = Literal["single_path", "independent"]


@dataclass(frozen=True)
class Source:
    """Something to begin with. `truth` is a first one, `cases` are the figure's parts."""

    title: str
    probabilities: NodeProbabilities
    options: Options
    truth: frozenset[str]
    cases: tuple[Case, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Sheet:
    """The probabilities on the page; `typed_over` were first in the table, `turn` counts these."""

    source: Source
    probabilities: NodeProbabilities
    typed_over: NodeProbabilities
    turn: int = 0
    past: tuple[NodeProbabilities, ...] = ()

    @classmethod
    def of(cls, source: Source, turn: int = 0) -> "Sheet":
        return cls(source, source.probabilities, source.probabilities, turn)

    @property
    def hierarchy(self) -> Hierarchy:
        return self.probabilities.hierarchy

    @property
    def edited(self) -> bool:
        """True if anything differs from the source."""
        return self.probabilities != self.source.probabilities

    def to(self, probabilities: NodeProbabilities) -> "Sheet":
        """Return a copy with new probabilities, which can be undone, and a new table of numbers."""
        past = self.past if probabilities == self.probabilities else (*self.past, self.probabilities)[-LONGEST_PAST:]
        return replace(self, probabilities=probabilities, typed_over=probabilities, turn=self.turn + 1, past=past)

    def undo(self) -> "Sheet":
        if not self.past:
            return self
        back = self.past[-1]
        return replace(self, probabilities=back, typed_over=back, turn=self.turn + 1, past=self.past[:-1])


@dataclass(frozen=True)
class TypedNumbers:
    """Probabilities after typing, and a plain line for each number refused or reduced."""

    probabilities: NodeProbabilities
    refused: tuple[str, ...] = ()
    reduced: tuple[str, ...] = ()


def with_numbers(before: NodeProbabilities, numbers: Mapping[str, Any], share: bool) -> TypedNumbers:
    """Apply typed numbers class by class; one that is no probability is refused and named, and the
    old one stays.

    With `share` the siblings divide what is left of the parent's probability, so that a number
    above the parent's is reduced to it.

    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> with_numbers(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25}), {"1": 1.4}, False).refused
    ('class 1: 1.4 is not between 0 and 1; 0.75 is kept',)
    """
    now, refused, reduced = before, [], []
    for label, number in numbers.items():
        reason = _fault(number)
        if reason:
            refused.append(f"class {shown(label)[1:-1]}: {reason}; {now[label]:.4g} is kept")
            continue
        now, line = edited(now, label, float(number), share)
        reduced += [line] if line else []
    return TypedNumbers(now, tuple(refused), tuple(reduced))


def edited(before: NodeProbabilities, label: str, value: float, share: bool) -> tuple[NodeProbabilities, str]:
    """One edit, and a plain line where the number had to be reduced to the parent's."""
    h = before.hierarchy
    if not (share and h.is_tree):
        return before.with_value(label, value), ""
    after = before.with_value(label, value, siblings="share")
    if after[label] >= value:
        return after, ""
    (parent,) = h.parents(label)
    name, above = (shown(c)[1:-1] for c in (label, parent))
    return (
        after,
        f"class {name}: {value:g} is more than its parent {above} has ({before[parent]:.4g}) and was reduced to that",
    )


def _fault(number: Any) -> str:
    try:
        value = float(number)
    except (TypeError, ValueError):
        return "the cell is empty" if number in (None, "") else "that is no number"
    if value != value:
        return "that is no number"
    return "" if 0 <= value <= 1 else f"{value:g} is not between 0 and 1"


# --- what to begin with ---------------------------------------------------------------------------


def figures(library: CaseLibrary) -> dict[str, Source]:
    """The library's figures that have probabilities, by title; parts of a figure share them."""
    grouped: dict[str, list[Case]] = {}
    names = {paper.key: paper.name for paper in library.papers}
    for case in library.cases.values():
        if case.probabilities is not None:
            grouped.setdefault(f"{case.figure}, {names[case.paper]}", []).append(case)
    return {title: _figure(title, cases) for title, cases in grouped.items()}


def even(hierarchy: Hierarchy, title: str, options: Options, truth: frozenset[str] = frozenset()) -> Source:
    """Every leaf of a hierarchy equally likely: where one's own numbers can begin."""
    leaves = [c for c in hierarchy.nodes if c in hierarchy.leaves]
    p = NodeProbabilities.of(hierarchy, dict.fromkeys(leaves, 1 / len(leaves)), kind="leaves")
    words = "Every leaf is equally likely to begin with: drag the bars, or type."
    return Source(title, p, options, truth or first_truth(hierarchy), words=words)


def first_truth(h: Hierarchy) -> frozenset[str]:
    """A truth to begin with: the first of the deepest classes."""
    return frozenset({max(h.nodes, key=h.level)}) if len(h) > 1 else frozenset()


def _figure(title: str, cases: list[Case]) -> Source:
    first = cases[0]
    p = NodeProbabilities.of(first.hierarchy, first.probabilities or {})
    truth = first.true or first_truth(first.hierarchy)
    return Source(title, p, Options.make(dict(first.options)), truth, cases=tuple(cases), words=first.teaches)


# --- the page -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Files:
    """Files as read; `kind` is None where the page made the numbers, `names` are those of files."""

    hierarchy: tuple[str, Hierarchy] | None = None
    table: ProbabilityTable | None = None
    kind: Kind | None = None
    truth: LabelFile | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ProbabilitiesModel(Working):
    """State of the page. `remarks` are those on the last edit, which was `typed` or not; `asked` is
    what the evaluation was begun for last, `scored_of` the evaluation whose scores were; with
    `pressed` what takes long is evaluated, too. The settings follow.
    """

    sheet: Sheet | None = None
    opened: Source | None = None
    remarks: tuple[str, ...] = ()
    typed: bool = False
    files: Files = field(default_factory=Files)
    asked: Asked | None = None
    pressed: bool = False
    evaluated: Evaluated | None = None
    scored_of: Evaluated | None = None
    scored: ScoredReport | None = None
    view: str = ONE
    truth: tuple[str, ...] = ()
    rule: str = "best_a"
    tau: float = 0.3
    k: int = 1
    among: Literal["leaves", "classes"] = "leaves"
    paths: Literal["best", "all"] = "best"
    share: bool = True
    reading: Reading = "single_path"
    labels: Labels = "all"
    interpolation: Interpolation = "trapezoid"
    incoherent: Incoherent = "augment"
    count_root: bool = False
    measure_a: str = "hF"
    measure_b: str = "SP"
    listed: tuple[str, ...] = LISTED
    kind: Kind = "nodes"
    strange: Literal["error", "drop"] = "error"
    file_hierarchy: str = ""

    @property
    def on_sheet(self) -> Sheet:
        """The sheet; every run of the page begins by laying it out."""
        assert self.sheet is not None
        return self.sheet

    @property
    def options(self) -> Options:
        """The source's options, with the page's own choice about the root."""
        given = self.on_sheet.source.options.model_dump(exclude_unset=True)
        return Options.make(given, count_root=self.count_root)


PROBABILITIES: Slot[ProbabilitiesModel] = Slot("probabilities_model", ProbabilitiesModel)


def model() -> ProbabilitiesModel:
    """Return the state of this session's page."""
    return PROBABILITIES.value


def change(**parts: Any) -> None:
    """Replace parts of it."""
    PROBABILITIES.change(**parts)


def begin(source: Source) -> None:
    """Lay out a sheet, with the truth and the options that belong to it."""
    before, h = model().sheet, source.probabilities.hierarchy
    change(
        sheet=Sheet.of(source, before.turn + 1 if before else 0),
        truth=tuple(sorted(source.truth - {h.root}, key=h.index)),
        count_root=source.options.counts_root(h),
    )
