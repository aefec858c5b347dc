"""What the Explorer holds, as one immutable value: the instance with its history, what is looked at, how clicks and the
pencil stand, what is compared, and what is typed in its menus.

Pages and panels replace the value or a part of it; nothing is drawn here.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from hiermeasures.cases import Case
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import BEST_KNOWN, CATALOGUE, Explanation, Measure
from hiermeasures.measures.explain import find_measure
from hiermeasures.measures.own import MOST_OWN, is_definition
from hiermeasures.ui.binding import Slot
from hiermeasures.ui.explore.editing import Edge
from hiermeasures.ui.explore.edits import EditChoice
from hiermeasures.ui.graph.scene import Arrangement
from hiermeasures.ui.opening import opened
from hiermeasures.ui.present.model import Presenting
from hiermeasures.ui.state import History, Shown
from hiermeasures.ui.views import OPENING as OPENING_VIEW
from hiermeasures.ui.views import ViewState, with_measure

EDIT = "edit"  # what a click does besides marking a true or a predicted class
RECOGNISED = "recognised"  # the format of a file that is recognised by its content


@dataclass(frozen=True)
class Pencil:
    """Where the editing stands: the selected class or edge, whether the next clicks draw an edge, which class gets its
    name, and why the last edit was refused. `turn` counts the namings, so that each opens the field once.
    """

    selected: str | None = None
    edge: Edge | None = None
    linking: bool = False
    naming: str | None = None
    turn: int = 0
    fault: str = ""

    def on(self, hierarchy: Hierarchy) -> "Pencil":
        """The same without what is not in this hierarchy."""
        selected = self.selected if self.selected in hierarchy else None
        there = self.edge and self.edge[0] in hierarchy and self.edge[1] in hierarchy.children(self.edge[0])
        return replace(
            self,
            selected=selected,
            edge=self.edge if there else None,
            naming=self.naming if self.naming in hierarchy else None,
        )


@dataclass(frozen=True)
class EditedLines:
    """What a person wrote into the text box while `hierarchy` was shown."""

    hierarchy: Hierarchy
    text: str


@dataclass(frozen=True)
class Pinned:
    """The state whose values those of others are compared with."""

    shown: Shown

    @cached_property
    def explanation(self) -> Explanation:
        """Its values, by the measures' keys; each is worked out when it is first asked for."""
        return self.shown.explained()

    def comparable(self, shown: Shown) -> bool:
        """Whether values of a state can be compared with these: it has classes, and they are of the same hierarchy."""
        return bool(shown.selected) and self.shown.hierarchy == shown.hierarchy


@dataclass(frozen=True)
class MeasureFilter:
    """Which measures the table shows: of these families (none named: of all), and fitting all words of the text.

    >>> MeasureFilter(text="lca f1").keys()
    ('F_LCA', 'F_LCA_ext')
    >>> len(MeasureFilter().keys()) == len(CATALOGUE)
    True
    """

    families: tuple[str, ...] = ()
    text: str = ""
    everything: bool = False  # where nothing is asked for: all measures, and not the best known only
    printed: bool = False  # where nothing is asked for: those whose values the figure's paper prints, where it does

    @property
    def asks(self) -> bool:
        """Whether it is about certain measures."""
        return bool(self.families or self.text.strip())

    def keys(self, own: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The measures' keys: own ones, and then in the catalogue's order."""
        words = self.text.casefold().split()
        measures = [*map(find_measure, own), *CATALOGUE.values()]
        return tuple(
            m.key
            for m in measures
            if (not self.families or m.family in self.families) and all(_is_called(m, word) for word in words)
        )


def _is_called(measure: Measure, word: str) -> bool:
    """Whether a word occurs in what a measure is called."""
    names = (measure.key, measure.name, measure.symbol, measure.group.title)
    return any(word in name.casefold() for name in names)


@dataclass(frozen=True)
class OwnMeasures:
    """A person's own measures by their definitions, which are their keys; and the form for one: what is typed in it,
    and which measure it changes (None: it adds one), with the bounds that this has.
    """

    definitions: tuple[str, ...] = ()
    name: str = ""
    expression: str = ""
    better: str = "higher"
    bounds: str = ""
    editing: str | None = None

    @property
    def draft(self) -> str:
        """What is typed in the form, as a definition."""
        better = ":lower" if self.better == "lower" else ""
        return f"{self.name.strip()}{better}{self.bounds}={self.expression.strip()}"

    def with_more(self, definitions: Iterable[str]) -> "OwnMeasures":
        """The same with others that a link or a case file brings, as far as there is room."""
        more = dict.fromkeys([*self.definitions, *definitions])
        return replace(self, definitions=tuple(more)[:MOST_OWN])


@dataclass(frozen=True)
class Loading:
    """The menu "Draw or load": the shape of a random hierarchy, the pasted text, its format, and the cases of a file
    with several.
    """

    size: int = 15
    depth: int = 3
    branching: int = 3
    extra: int = 0  # per cent
    seed: int = 1
    pasted: str = ""
    format: str = RECOGNISED
    cases: tuple[Case, ...] = ()
    case: int = 0


@dataclass(frozen=True)
class Series:
    """Instances that another page brought in an order, to go on from one to the next: what one is called, what they are
    about, how many there are, the place of what is shown (None where it is none of them), and each by its place.
    """

    name: str
    about: str
    size: int
    place: Callable[[Shown], int | None]
    make: Callable[[int], Shown]


@dataclass(frozen=True)
class WayBack:
    """The way back to the page that brought what is shown: its words, the page's name and the parameters of its
    address.
    """

    words: str
    page: str
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Explorer:
    """Everything that the page holds between runs. `link_fault` says why a link could not be used, while the figure
    that the page opened with is shown; `arrangement` is where the last drawing has its classes, which stays as long as
    it fits, `unfolded` the class that was opened in it last, and `renamed` what its classes are called since.
    """

    history: History
    view_state: ViewState = OPENING_VIEW
    click: str = "predicted"
    pencil: Pencil = field(default_factory=Pencil)
    lines: EditedLines | None = None
    pinned: Pinned | None = None
    filter: MeasureFilter = field(default_factory=MeasureFilter)
    own: OwnMeasures = field(default_factory=OwnMeasures)
    starred: frozenset[str] = frozenset()
    edits: EditChoice = field(default_factory=EditChoice)
    loading: Loading = field(default_factory=Loading)
    save_format: str | None = None
    link_fault: tuple[Shown, str] | None = None
    arrangement: Arrangement | None = None
    unfolded: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    series: Series | None = None
    back: WayBack | None = None
    introduced: bool = False  # whether the welcome was closed
    presenting: Presenting | None = None  # how far the presentation is that stands in the place of the page

    @property
    def short(self) -> bool:
        """Whether the table of values lists the best known measures only, with the starred ones and the chosen one."""
        return not (self.filter.asks or self.filter.everything)

    @property
    def definitions(self) -> tuple[str, ...]:
        """The own measures, and the chosen one where it is one, which the way back to an earlier state may bring."""
        chosen = self.view_state.measure
        return tuple(dict.fromkeys([*self.own.definitions, *([chosen] if is_definition(chosen) else [])]))

    @property
    def matching(self) -> tuple[str, ...]:
        """The measures that the filter lets through, own ones and then in the catalogue's order."""
        return self.filter.keys(self.definitions)

    def listed(self, printed: Collection[str] = ()) -> tuple[str, ...]:
        """The measures of the table, in the same order. A paper may print the values of some; these may be all that a
        person wants to see.
        """
        matching = self.matching
        few = printed if self.filter.printed and printed else {*BEST_KNOWN, *self.starred}
        few = {*few, *self.definitions, self.view_state.measure}
        return tuple(key for key in matching if key in few) if self.short else matching


def _as_opened() -> Explorer:
    opening = opened()
    return Explorer(History(opening.shown), own=OwnMeasures().with_more(opening.own))


EXPLORER: Slot[Explorer] = Slot("explorer_model", _as_opened)


def explorer() -> Explorer:
    """What the Explorer of this session holds."""
    return EXPLORER.value


def change(**parts: Any) -> None:
    """Replace parts of it."""
    EXPLORER.set(replace(EXPLORER.value, **parts))


def history() -> History:
    """The history of this session."""
    return explorer().history


def show(shown: Shown) -> None:
    """Make this the present; what was shown stays in the past."""
    change(history=history().to(shown))


def open_shown(
    shown: Shown, *, measures: tuple[str, ...] = (), series: Series | None = None, back: WayBack | None = None
) -> None:
    """Show what another page brings, drawn anew, the first of these measures chosen and the others starred. An Explorer
    that was not opened yet begins with it. `back` leads to where it came from.
    """
    if EXPLORER.filled:
        show(shown)
        change(arrangement=None, unfolded=None)
    else:
        EXPLORER.set(Explorer(History(shown)))
    chosen = with_measure(view_state(), measures[0]) if measures else view_state()
    change(series=series, back=back, view_state=chosen, starred=explorer().starred.union(measures[1:]))


def undo() -> None:
    change(history=history().undo())


def redo() -> None:
    change(history=history().redo())


def own_definitions() -> tuple[str, ...]:
    """The own measures of this session, for other pages; none where the Explorer was not opened yet."""
    return explorer().definitions if EXPLORER.filled else ()


def view_state() -> ViewState:
    """What is looked at in this session."""
    return explorer().view_state


def compared(shown: Shown) -> Pinned | None:
    """What the values of a state are compared with, if there is such a thing."""
    at = explorer().pinned
    return at if at is not None and at.comparable(shown) else None


def set_view_state(at: ViewState) -> None:
    """Look at something else."""
    change(view_state=at)
