"""What the Probabilities page holds, as one immutable value: the probabilities on the sheet and where they come from,
what was typed and uploaded, and every setting. Edits of the sheet by name and number are pure functions.

Nothing is drawn here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hiermeasures.cases import Case, CaseLibrary
from hiermeasures.errors import shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference import NodeProbabilities, ProbabilityTable, ScoredReport
from hiermeasures.inference.conversions import Kind
from hiermeasures.inference.curves import Incoherent, Interpolation
from hiermeasures.inference.expected import Labels
from hiermeasures.io.labels import LabelFile
from hiermeasures.options import Options
from hiermeasures.ui.binding import Slot
from hiermeasures.ui.job import Job
from hiermeasures.ui.probabilities.data import Asked, Evaluated

LONGEST_PAST = 100
LISTED = ("hF", "hP", "hR", "F_LCA", "SP", "accuracy")
ONE, FILE = "One instance", "A file"
Reading = Literal["single_path", "independent"]
Purpose = Literal["", "evaluate", "score"]


@dataclass(frozen=True)
class Source:
    """Something to begin with: probabilities, the options they are looked at with, and a truth. `cases` are the
    figure's parts.
    """

    title: str
    probabilities: NodeProbabilities
    options: Options
    truth: frozenset[str]
    cases: tuple[Case, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Sheet:
    """The probabilities on the page. `typed_over` are those the table of numbers began with; `turn` counts its
    replacements.
    """

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
        """Whether anything differs from the source."""
        return self.probabilities != self.source.probabilities

    def to(self, probabilities: NodeProbabilities) -> "Sheet":
        """New probabilities, which can be taken back; the table of numbers begins anew."""
        past = self.past if probabilities == self.probabilities else (*self.past, self.probabilities)[-LONGEST_PAST:]
        return replace(self, probabilities=probabilities, typed_over=probabilities, turn=self.turn + 1, past=past)

    def undo(self) -> "Sheet":
        if not self.past:
            return self
        back = self.past[-1]
        return replace(self, probabilities=back, typed_over=back, turn=self.turn + 1, past=self.past[:-1])


@dataclass(frozen=True)
class TypedNumbers:
    """What became of typed numbers: the probabilities after them, and a plain line for each that could not be taken as
    it is.
    """

    probabilities: NodeProbabilities
    refused: tuple[str, ...] = ()
    reduced: tuple[str, ...] = ()


def with_numbers(before: NodeProbabilities, numbers: Mapping[str, Any], share: bool) -> TypedNumbers:
    """Apply typed numbers class by class; one that is no probability is refused and named, and the old one stays.

    With `share` the siblings divide what is left of the parent's probability, so that a number above the parent's is
    reduced to it.

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


# --- what to begin with -------------------------------------------------------------------------------------------


def figures(library: CaseLibrary) -> dict[str, Source]:
    """The library's figures that come with probabilities, by title; the parts of a figure share them."""
    grouped: dict[str, list[Case]] = {}
    names = {paper.key: paper.name for paper in library.papers}
    for case in library.cases.values():
        if case.probabilities is not None:
            grouped.setdefault(f"{case.figure}, {names[case.paper]}", []).append(case)
    return {title: _figure(title, cases) for title, cases in grouped.items()}


def even(hierarchy: Hierarchy, title: str, options: Options, truth: frozenset[str] = frozenset()) -> Source:
    """Every leaf of a hierarchy equally likely: where one's own numbers can begin."""
    leaves = [c for c in hierarchy.nodes if c in hierarchy.leaves]
    p = NodeProbabilities.from_leaves(hierarchy, dict.fromkeys(leaves, 1 / len(leaves)))
    words = "Every leaf is equally likely to begin with: drag the bars, or type."
    return Source(title, p, options, truth or first_truth(hierarchy), words=words)


def first_truth(h: Hierarchy) -> frozenset[str]:
    """A truth to begin with: the first of the deepest classes."""
    return frozenset({max(h.nodes, key=h.level)}) if len(h) > 1 else frozenset()


def _figure(title: str, cases: list[Case]) -> Source:
    first = cases[0]
    p = NodeProbabilities.of(first.hierarchy, first.probabilities or {})
    truth = first.true or first_truth(first.hierarchy)
    return Source(title, p, Options.make(dict(first.options)), truth, tuple(cases), first.teaches)


# --- the page -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Files:
    """What was read: a hierarchy with its title, probabilities, true labels, and the names of the last two's files."""

    hierarchy: tuple[str, Hierarchy] | None = None
    table: ProbabilityTable | None = None
    truth: LabelFile | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ProbabilitiesModel:
    """Everything that the page holds between runs.

    `opened` is the instance of a file that was opened last, `remarks` what is to be said about the last edit. `asked`
    is what the evaluation was begun for last, and `scored_of` the evaluation whose scores were; `stopped` is what a
    person stopped. The settings follow, as their fields name them.
    """

    sheet: Sheet | None = None
    opened: Source | None = None
    remarks: tuple[str, ...] = ()
    files: Files = field(default_factory=Files)
    job: Job | None = None
    purpose: Purpose = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    stopped: Purpose = ""
    asked: Asked | None = None
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
        """The sheet, which every run of the page begins by laying out."""
        assert self.sheet is not None
        return self.sheet

    @property
    def options(self) -> Options:
        """The source's options, with the page's own choice about the root."""
        given = self.on_sheet.source.options.model_dump(exclude_unset=True)
        return Options.make(given, count_root=self.count_root)


PROBABILITIES: Slot[ProbabilitiesModel] = Slot("probabilities_model", ProbabilitiesModel)


def model() -> ProbabilitiesModel:
    """What the page of this session holds."""
    return PROBABILITIES.value


def change(**parts: Any) -> None:
    """Replace parts of it."""
    PROBABILITIES.set(replace(PROBABILITIES.value, **parts))


def begin(source: Source) -> None:
    """Lay out a sheet, with the truth and the options that belong to it."""
    before, h = model().sheet, source.probabilities.hierarchy
    change(
        sheet=Sheet.of(source, before.turn + 1 if before else 0),
        truth=tuple(sorted(source.truth - {h.root}, key=h.index)),
        count_root=source.options.counts_root(h),
    )
