"""What the Probabilities page holds: the probabilities on the sheet, where they come from, and edits of them by name
and number.

The pure part comes first; the last functions keep the sheet and the widgets' settings in Streamlit's session, also
while another page is open. Nothing is drawn here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from hiermeasures.cases import Case, CaseLibrary
from hiermeasures.errors import shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference import NodeProbabilities
from hiermeasures.options import Options
from hiermeasures.ui.gestures import apply_pending

LONGEST_PAST = 100


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
class Typed:
    """What became of typed numbers: the probabilities after them, and a plain line for each that could not be taken as
    it is.
    """

    probabilities: NodeProbabilities
    refused: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


def typed(before: NodeProbabilities, numbers: Mapping[str, Any], share: bool) -> Typed:
    """Apply typed numbers class by class; one that is no probability is refused and named, and the old one stays.

    With `share` the siblings divide what is left of the parent's probability, so that a number above the parent's is
    cut to it.

    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> typed(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25}), {"1": 1.4}, False).refused
    ('class 1: 1.4 is not between 0 and 1; 0.75 is kept',)
    """
    now, refused, cut = before, [], []
    for label, number in numbers.items():
        reason = _fault(number)
        if reason:
            refused.append(f"class {shown(label)[1:-1]}: {reason}; {now[label]:.4g} is kept")
            continue
        now, line = edited(now, label, float(number), share)
        cut += [line] if line else []
    return Typed(now, tuple(refused), tuple(cut))


def edited(before: NodeProbabilities, label: str, value: float, share: bool) -> tuple[NodeProbabilities, str]:
    """One edit, and a plain line where the number had to be cut to the parent's."""
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
        f"class {name}: {value:g} is more than its parent {above} has ({before[parent]:.4g}) and was cut to that",
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


# --- in the session -----------------------------------------------------------------------------------------------

_SHEET = "probabilities_sheet"
_KEPT = "probabilities_kept"
_BEGUN = "probabilities_begun"
_TURNS = "probabilities_turns"
PREFIX = "prob_"


def sheet() -> Sheet | None:
    """The sheet of this session, if there is one yet. What was done in its drawing before is in it."""
    apply_pending()
    return st.session_state.get(_SHEET)


def put(new: Sheet) -> None:
    """Make this the session's sheet."""
    st.session_state[_SHEET] = new


def recall(defaults: Mapping[str, Any]) -> None:
    """Take over the settings of the widgets, which Streamlit forgets where they are not drawn; to be called before all
    others.
    """
    kept = {**defaults, **st.session_state.get(_KEPT, {})}
    st.session_state[_KEPT] = {name: st.session_state.get(key_of(name), value) for name, value in kept.items()}


def setting(name: str) -> Any:
    """A setting, whether its widget is drawn or not."""
    return st.session_state.get(key_of(name), st.session_state[_KEPT][name])


def beginning(name: str) -> Any:
    """What the widget of a setting begins with: the value that it had when it was drawn last.

    It is given as the widget's default and never set from outside, because the browser can miss a value that is set
    while it draws, and would then send its own.
    """
    begun = st.session_state.setdefault(_BEGUN, {})
    if name not in begun or key_of(name) not in st.session_state:
        begun[name] = setting(name)
    return begun[name]


def key_of(name: str) -> str:
    """The key of the widget of a setting; it changes where the value is changed from outside, so that the widget begins
    anew.
    """
    turn = st.session_state.get(_TURNS, {}).get(name, 0)
    return f"{PREFIX}{name}_{turn}" if turn else PREFIX + name


def set_setting(name: str, value: Any) -> None:
    """Change a setting whose widget is not drawn yet in this run."""
    if setting(name) == value:
        return
    if key_of(name) in st.session_state:
        turns = st.session_state.setdefault(_TURNS, {})
        turns[name] = turns.get(name, 0) + 1
    st.session_state[_KEPT][name] = value


def choose(place: Any, label: str, options: Sequence[Any], name: str, **settings: Any) -> Any:
    """A select box for a setting; one whose value is no option any more begins with the first."""
    value = beginning(name)
    index = list(options).index(value) if value in options else 0
    return place.selectbox(label, options, index=index, key=key_of(name), **settings)
