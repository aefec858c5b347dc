"""The Explorer's state as one immutable value.

The state contains the instance with its history, the view, the modes of clicks and pencil, the
comparison, and own measures. Every host has one state. gestures.py applies a person's input, and
screen.py draws the state.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import product
from typing import Any, Self

from hiermeasures.debug.what_if import Engine
from hiermeasures.draw.layout import next_neighbourhood, unfold
from hiermeasures.draw.panel import Panel, titled
from hiermeasures.draw.scene import (
    READABLE_ROOM,
    Arrangement,
    Overlay,
    on_screen,
    readable_on_screen,
)
from hiermeasures.draw.views import OPENING, VIEWS, ViewState, overlay_for, with_measure
from hiermeasures.explore.controls import Controls
from hiermeasures.explore.hierarchy_edits import Edge, Lines, as_lines
from hiermeasures.explore.library import OWN as OWN_FIGURE
from hiermeasures.explore.library import (
    by_measure,
    copy_of_figure,
    figure_of,
    free_name,
    printed_values,
    prints,
    title_in,
)
from hiermeasures.explore.nearest import NearestChange, nearest_changes
from hiermeasures.explore.present import NetworkAddress, Presenting
from hiermeasures.explore.share_link import Shared
from hiermeasures.explore.shown import History, Shown
from hiermeasures.explore.what_if import EditChoice
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, CORE, Explanation, Measure, find_measure
from hiermeasures.measures.lca_solvers import PAGE_WORK
from hiermeasures.measures.own import MOST_OWN, called, is_definition, own_measure, parted
from hiermeasures.measures.registry import TITLES, tier_of
from hiermeasures.verify import CheckedCell
from hiermeasures.verify.paper_file import PaperFile, begin_paper
from hiermeasures.verify.verification import MATCHES

EDIT = "edit"  # mode of clicks, besides the two sides
# seconds of processor time that structures may take in one run, but for the chosen measure
BUDGET = 2.0


@dataclass(frozen=True)
class Pencil:
    """The state of editing.

    It contains the selected class or edge, a flag for drawing an edge by clicks, the class that you
    are naming (`turn` counts these), and the reason if the last edit was refused.
    """

    selected: str | None = None
    edge: Edge | None = None
    linking: bool = False
    naming: str | None = None
    turn: int = 0
    fault: str = ""

    def on(self, hierarchy: Hierarchy) -> "Pencil":
        there = (
            self.edge
            and self.edge[0] in hierarchy
            and self.edge[1] in hierarchy.children(self.edge[0])
        )
        return replace(
            self,
            selected=self.selected if self.selected in hierarchy else None,
            edge=self.edge if there else None,
            naming=self.naming if self.naming in hierarchy else None,
        )


@dataclass(frozen=True)
class EditedLines:
    hierarchy: Hierarchy
    text: str


@dataclass(frozen=True)
class Pinned:
    """The pinned state. The table shows changes from its values."""

    shown: Shown

    @cached_property
    def explanation(self) -> Explanation:
        return self.shown.explained()

    def comparable(self, shown: Shown) -> bool:
        """Return True if a state has this hierarchy and some classes."""
        return bool(shown.selected) and self.shown.hierarchy == shown.hierarchy


@dataclass(frozen=True)
class MeasureFilter:
    """The measures that the table shows.

    They belong to these families and tiers (all, if empty), and match every word of the text.
    Without a filter, the table shows the core, or all measures with `everything`. With `printed`,
    it shows the measures with values in the figure's paper, if any.
    """

    families: tuple[str, ...] = ()
    text: str = ""
    everything: bool = False
    printed: bool = False

    @property
    def asks(self) -> bool:
        return bool(self.families or self.text.strip())

    def keys(self, own: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the measures' keys: own measures first, then in the catalogue's order."""
        words, tiers = self.text.casefold().split(), set(self.families) & TITLES.keys()
        families = set(self.families) - tiers

        def wanted(m: Measure) -> bool:
            names = " ".join((m.key, m.name, m.symbol, m.group.title)).casefold()
            fits = (not families or m.family in families) and (not tiers or tier_of(m.key) in tiers)
            return fits and all(word in names for word in words)

        return tuple(m.key for m in (*map(find_measure, own), *CATALOGUE.values()) if wanted(m))


@dataclass(frozen=True)
class OwnMeasures:
    """A person's own measures, by definition. The definition is the key.

    The form contains a draft. It changes one measure, or adds a measure if that is None.
    """

    definitions: tuple[str, ...] = ()
    name: str = ""
    expression: str = ""
    better: str = "higher"
    bounds: str = ""
    editing: str | None = None

    @property
    def draft(self) -> str:
        """The form's content as a definition."""
        better = ":lower" if self.better == "lower" else ""
        return f"{self.name.strip()}{better}{self.bounds}={self.expression.strip()}"

    def with_more(self, definitions: Iterable[str]) -> "OwnMeasures":
        """Return a copy with the own measures of a link or a case file, up to MOST_OWN."""
        more = dict.fromkeys([*self.definitions, *definitions])
        return replace(self, definitions=tuple(more)[:MOST_OWN])

    def edited(self, definition: str) -> "OwnMeasures":
        """Return a copy with one measure open in the form."""
        own, name = own_measure(definition), called(definition)
        ends = "..".join("" if bound is None else f"{bound:g}" for bound in (own.low, own.high))
        bounds = "" if ends == ".." else f":{ends}"
        typed = {
            "name": name,
            "expression": own.expression.text,
            "better": own.better,
            "bounds": bounds,
        }
        return OwnMeasures(self.definitions, **typed, editing=definition)


@dataclass(frozen=True)
class OptionsForm:
    open: bool = False
    everything: bool = False


RECOGNISED = "recognised"  # the format of a file that is recognised by its content


@dataclass(frozen=True)
class Loading:
    part: str = "start"
    size: int = 15
    depth: int = 3
    branching: int = 3
    extra: int = 0  # per cent
    seed: int = 1
    pasted: str = ""
    format: str = RECOGNISED
    reading: Mapping[str, str] = field(default_factory=dict)  # options by name, as they are typed
    asked: tuple[str, ...] = ()  # fields of `reading` that a refusal named
    refused: tuple[str, str] | None = None  # the name and text of the refused file


@dataclass(frozen=True)
class Placement:
    """The places of the classes in the drawing.

    The `arrangement` stays while it fits. `unfolded` is the class that you opened last, `renamed`
    contains new names since then, and `room` is the size of the drawing.
    """

    arrangement: Arrangement | None = None
    unfolded: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    room: tuple[float, float] = READABLE_ROOM


@dataclass(frozen=True)
class Visiting:
    """The visited states by their words in the address, newest last.

    It also contains the fault of a link, the state that is shown instead, and flags for the closed
    welcome and the closed hint at What if.
    """

    visits: dict[str, Shared] = field(default_factory=dict)
    link_fault: tuple[Shown, str] | None = None
    introduced: bool = False
    met: bool = False


@dataclass(frozen=True)
class Exporting:
    """The format of a saved hierarchy, and a flag for exporting all measures."""

    save_format: str | None = None
    export_all: bool = False


@dataclass(frozen=True)
class PrintedColumn:
    """The column of printed values: a flag for typing in it, and the last search.

    The search contains its instance, measure and printed text, and the changes that it found.
    """

    typing: bool = False
    searched: tuple[Shown, str, str] | None = None
    changes: tuple[NearestChange, ...] = ()


@dataclass(frozen=True)
class State:
    """The state of the Explorer between two gestures.

    `paper` is the person's own paper. If the instance is one of its figures, `part` is the figure.
    `brought` contains measures from another page. `preset` is the last paper chosen for its
    options, and `second` is the measure next to the chosen one. `presenting` replaces the screen.
    `paper_tools` is the person's choice to show or hide the tools for papers.
    """

    history: History[Shown]
    view_state: ViewState = OPENING
    click: str = "predicted"
    pencil: Pencil = field(default_factory=Pencil)
    lines: EditedLines | None = None
    pinned: Pinned | None = None
    filter: MeasureFilter = field(default_factory=MeasureFilter)
    own: OwnMeasures = field(default_factory=OwnMeasures)
    starred: frozenset[str] = frozenset()
    brought: frozenset[str] = frozenset()
    edits: EditChoice = field(default_factory=EditChoice)
    placement: Placement = field(default_factory=Placement)
    loading: Loading = field(default_factory=Loading)
    preset: str | None = None
    options_form: OptionsForm = field(default_factory=OptionsForm)
    exporting: Exporting = field(default_factory=Exporting)
    second: str = ""
    menu: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    presenting: Presenting | None = None
    visiting: Visiting = field(default_factory=Visiting)
    paper: PaperFile | None = None
    column: PrintedColumn = field(default_factory=PrintedColumn)
    paper_tools: bool | None = None

    @property
    def quiet(self) -> bool:
        """True if the tools for papers are hidden. By default, a paper's figure shows them."""
        if self.paper_tools is not None:
            return not self.paper_tools
        return self.shown.case is None and self.part is None

    def placed(self, **parts: Any) -> Self:
        """Return the state with parts of its placement replaced."""
        return replace(self, placement=replace(self.placement, **parts))

    def visited(self, **parts: Any) -> Self:
        """Return the state with parts of its visits replaced."""
        return replace(self, visiting=replace(self.visiting, **parts))

    @property
    def shown(self) -> Shown:
        return self.history.present

    @property
    def before(self) -> Shown | None:
        return self.history.past[-1] if self.history.past else None

    @cached_property
    def explanation(self) -> Explanation:
        """The instance, explained by all measures."""
        return self.shown.explained()

    @cached_property
    def overlay(self) -> Overlay:
        return overlay_for(self.explanation, self.view_state)

    @cached_property
    def panel(self) -> Panel:
        panel = VIEWS[self.view_state.view].panel(self.explanation, self.view_state, self.overlay)
        return titled(panel, self.explanation.hierarchy)

    @cached_property
    def printed(self) -> Mapping[str, tuple[CheckedCell, ...]]:
        """The values that the paper prints for the figure's measures."""
        if (part := self.part) is None or self.paper is None:
            return printed_values(self.shown)
        own = {called(definition): definition for definition in self.definitions}
        instance = replace(self.shown.instance, exact_work=PAGE_WORK)
        cells = self.paper.cells(part, instance, self.defined)
        return by_measure(cells, self.explanation, own)

    @property
    def outdated(self) -> bool:
        """True if the printed values belong to a library's figure that you changed since."""
        return self.shown.changed and self.part is None

    @property
    def part(self) -> str | None:
        """The name of the instance's figure in the person's own paper."""
        token, part = self.shown.figure or ("", "")
        known = self.paper is not None and token == self.paper.token and part in self.paper.cases
        return part if known else None

    @cached_property
    def written_paper(self) -> PaperFile | None:
        """The person's own paper with their own measures.

        It keeps the old version of a figure that you changed on the screen. See `updated`.
        """
        if self.paper is None or self.part is None:
            return self.paper
        return self.paper.with_instance(self.part, self.shown.original.instance, self.defined)

    def updated(self) -> Self:
        """Return a copy that updates the figure in the person's own paper to the present instance.

        InputError if a case file cannot express the instance.
        """
        if self.paper is None or self.part is None:
            return self
        instance = self.shown.instance
        shown = replace(self.shown, origin=instance)
        paper = self.paper.with_instance(self.part, instance, self.defined)
        return replace(self, paper=paper, history=replace(self.history, present=shown))

    @property
    def defined(self) -> dict[str, str]:
        """The expressions of own measures by name, as in a case file."""
        return dict(parted(definition) for definition in self.own.definitions)

    @property
    def compared(self) -> Pinned | None:
        return (
            self.pinned if self.pinned is not None and self.pinned.comparable(self.shown) else None
        )

    @cached_property
    def with_defaults(self) -> Pinned | None:
        """The instance with the default options.

        While the form of options is open, you see the changes from this instance, unless you pinned
        another.
        """
        shown = self.shown
        if self.pinned or not (
            self.options_form.open and shown.selected and shown.instance.options.changed
        ):
            return None
        return Pinned(shown.with_options(Options.make()))

    @property
    def explanation_before(self) -> Explanation | None:
        """The explanation for the comparison of the table's values."""
        pinned = self.compared or self.with_defaults
        return pinned.explanation if pinned else None

    @cached_property
    def worked_out(self) -> frozenset[str]:
        """Return the chosen measures and those with a built structure. More structures are built
        within the budget.
        """
        explanations = [e for e in (self.explanation, self.explanation_before) if e is not None]
        start, chosen = sum(e.spent for e in explanations), self.view_state.measure
        found = set()
        for key in sorted(self.listed, key=lambda key: key != chosen):
            structures = find_measure(key).structures
            if key == chosen or sum(e.spent for e in explanations) - start < BUDGET:
                for e, structure in product(explanations, structures):
                    e.built(structure)
            if all(e.has_built(structure) for e, structure in product(explanations, structures)):
                found.add(key)
        return frozenset(found)

    @cached_property
    def edge_lines(self) -> Lines:
        """The hierarchy as lines of text for editing."""
        return as_lines(self.shown.hierarchy)

    def showing(self, shown: Shown) -> Self:
        paper = self.paper
        if shown.figure != self.shown.figure:
            with suppress(InputError):
                paper = self.written_paper
        if self.before is not None:
            self.before.forget()  # only the last two states keep their structures
        return replace(self, history=self.history.to(shown), paper=paper)

    def beside(self, name: str, *, copied: bool = True) -> tuple[PaperFile, str]:
        """Return the person's own paper with the instance as one of its figures, and its name.

        Without a paper, this starts a new one, or copies the whole file of a library's figure
        (`copied`). A changed figure becomes a new figure.
        """
        instance, paper = self.shown.instance, self.written_paper
        if paper is not None and self.part is not None and not self.shown.changed:
            return paper, self.part
        if paper is not None:
            taken = {*paper.cases, *(case.label for case in paper.cases.values())}
            part = free_name(name, taken)
            return paper.with_figure(part, "", instance, self.defined), part
        if copied and self.shown.case is not None and not self.shown.changed:
            return copy_of_figure(self.shown.case)
        year = datetime.now(UTC).year
        return begin_paper(instance, title=name, year=year, define=self.defined), ""

    def in_paper(self, paper: PaperFile, part: str) -> Self:
        """Return a copy that adds the instance to the person's own paper as a figure."""
        if self.part == part and self.paper is not None and paper.token == self.paper.token:
            return replace(self, paper=paper)
        shown = replace(
            self.shown,
            figure=(paper.token, part),
            case=None,
            title=title_in(paper, part),
            origin=self.shown.instance,
        )
        return replace(self, paper=paper, history=replace(self.history, present=shown))

    def with_changed_paper(self, paper: PaperFile) -> Self:
        """Return a copy after another page changed the person's own paper."""
        made = replace(self, paper=paper)
        if self.part is None or self.part in paper.cases:
            return made
        shown = replace(self.shown, figure=None)
        return replace(made, history=replace(self.history, present=shown))

    def with_printed(self, key: str, text: str) -> Self:
        """Return a copy with a printed value for a measure in the person's own paper.

        If the figure was changed since, a value begins another figure. "" removes a value.
        """
        paper, part = self.written_paper, self.part
        if paper is None or part is None or (self.shown.changed and text.strip()):
            paper, part = self.beside(self.shown.title or OWN_FIGURE)
        quantity = next((c.quantity for c in self.printed.get(key, ())), called(key))
        made = self.in_paper(paper.with_printed(part, quantity, text), part)
        return made.searched(key) if text.strip() else made

    def different(self, key: str) -> CheckedCell | None:
        """Return a printed value of the person's own paper that differs from the measure's
        value.
        """
        cells = self.printed.get(key, ()) if self.part is not None else ()
        return next((cell for cell in cells if cell.status not in MATCHES), None)

    def searched(self, key: str) -> Self:
        """Return a copy with the nearest changes that give a printed value, if ours differs."""
        if (cell := self.different(key)) is None:
            return self
        changes = nearest_changes(self.shown, key, lambda value: prints(cell, value))
        column = replace(self.column, searched=(self.shown, key, cell.printed), changes=changes)
        return replace(self, column=column)

    def with_paper(self, paper: PaperFile, part: str) -> Self:
        """Return a copy that shows a figure of the person's own paper, with its own measures."""
        made = self.showing(figure_of(paper, part).shallow())
        own = self.own.with_more(paper.case(part).definitions)
        return replace(made, paper=paper, own=own)

    def undone(self) -> Self:
        self.shown.forget()
        return replace(self, history=self.history.undo())

    def redone(self) -> Self:
        self.shown.forget()
        return replace(self, history=self.history.redo())

    def looking(self, at: ViewState) -> Self:
        return replace(self, view_state=at)

    @property
    def kept(self) -> frozenset[str]:
        """The measures with a star, or from another page."""
        return self.starred | self.brought

    @property
    def short(self) -> bool:
        return not (self.filter.asks or self.filter.everything)

    @property
    def definitions(self) -> tuple[str, ...]:
        chosen = self.view_state.measure
        return tuple(
            dict.fromkeys([*self.own.definitions, *([chosen] if is_definition(chosen) else [])])
        )

    @property
    def matching(self) -> tuple[str, ...]:
        return self.filter.keys(self.definitions)

    def knows(self, key: str) -> bool:
        return key in CATALOGUE or key in self.definitions

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The measures of the table, with the filter for printed values applied."""
        few = self.printed if self.filter.printed and self.printed else {*CORE, *self.kept}
        few = {*few, *self.definitions, self.view_state.measure}
        return tuple(key for key in self.matching if key in few) if self.short else self.matching

    def with_draft(self) -> Self:
        """Return a copy with the own measure of the form, and choose it.

        InputError if the definition is wrong, or the name is missing or taken.
        """
        at = self.own
        if not at.name.strip():
            raise InputError("The measure needs a name, such as mine.")
        new = own_measure(at.draft).key
        if called(new) in (called(d) for d in at.definitions if d != at.editing):
            raise InputError(f"You already have a measure with this name: {called(new)}.")
        known = at.definitions if at.editing in at.definitions else (*at.definitions, new)
        made = replace(self, own=OwnMeasures(tuple(new if d == at.editing else d for d in known)))
        if at.editing in self.starred:
            made = replace(made, starred=self.starred - {at.editing} | {new})
        return made.looking(with_measure(self.view_state, new))

    def without_own(self, definition: str) -> Self:
        at = self.own
        kept = tuple(d for d in at.definitions if d != definition)
        own = OwnMeasures(kept) if at.editing == definition else replace(at, definitions=kept)
        made = replace(self, own=own, starred=self.starred - {definition})
        if definition != self.view_state.measure:
            return made
        instead = next(
            (name for name in own_measure(definition).parts if name in CATALOGUE), OPENING.measure
        )
        return made.looking(with_measure(self.view_state, instead))

    @property
    def drawing(self) -> Pencil | None:
        return self.pencil.on(self.shown.hierarchy) if self.click == EDIT else None

    @property
    def places(self) -> Arrangement:
        """The arrangement. The state must have one."""
        assert self.placement.arrangement is not None
        return self.placement.arrangement

    @property
    def edited(self) -> frozenset[str]:
        """The classes under edit. A large drawing must not fold them away."""
        at = self.drawing or Pencil()
        return frozenset(c for c in (at.selected, at.naming, *(at.edge or ())) if c is not None)

    def arranged(self) -> Self:
        last, chosen = self.placement.arrangement, self.shown.selected | self.edited
        near = next_neighbourhood(
            last.neighbourhood if last else None, self.shown.hierarchy, chosen
        )
        if last is not None and last.neighbourhood is near:
            return self
        made = (
            on_screen(near)
            if self.click == EDIT
            else readable_on_screen(near, chosen, self.placement.room)
        )
        return self.placed(arrangement=made, renamed={})

    def opening(self, label: str) -> Self:
        if self.placement.arrangement is None:
            return self
        near = unfold(self.placement.arrangement.neighbourhood, self.shown.selected, label)
        return self.placed(arrangement=on_screen(near), unfolded=label, renamed={})

    def drawn_anew(self) -> Self:
        return self.placed(arrangement=None, unfolded=None)


def read_here(read: Callable[..., Any], *arguments: Any, **settings: Any) -> Any:
    try:
        return read(*arguments, **settings)
    except MemoryError:
        raise InputError("this takes too much memory to read") from None
    except RecursionError:
        raise InputError("this is nested too deeply to read") from None


@dataclass(frozen=True)
class Host:
    """A host of the Explorer.

    `rows` are above the drawing, `tools` in the toolbar and `why` next to the reason of a change.
    `to_page` opens another page by name and parameters. `course` contains the course's parameters,
    and `lessons` is the page of lessons for links. `read` calls a reader of files like sandbox.py.
    Links begin with `address`. Without an address, the host offers no links. `phones` returns this
    computer's addresses for phones (present.reach). `engine` may compute edits. `more_edits` says how
    to get those that are left out. With `window`, the drawing fills the window. With `address_bar`, the address contains the screen's word.
    """

    rows: Callable[[State], Controls] = lambda state: ()
    tools: Callable[[State], Controls] = lambda state: ()
    why: Callable[[State], Controls] = lambda state: ()
    to_page: Callable[[Any, str, Mapping[str, str]], Any] | None = None
    course: Mapping[str, str] = field(default_factory=dict)
    lessons: str = "learn"
    read: Callable[..., Any] = read_here
    address: str = ""
    phones: Callable[[], Sequence[NetworkAddress] | None] = lambda: None
    engine: Engine | None = None
    more_edits: str = ""
    window: bool = False
    address_bar: bool = False
