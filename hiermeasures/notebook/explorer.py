"""The widget, its attributes for code, and the messages from its browser.

Both change an immutable value (explore/model.py). Everything is drawn from this value
(explore/screen.py).
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import Any, Unpack

import anywidget
import traitlets

from hiermeasures.draw.notebook_repr import (
    Bundle,
    drawing_of_explanation,
    paragraph,
    show_explanation,
)
from hiermeasures.draw.scene import READABLE_ROOM
from hiermeasures.draw.views import OPENING, VIEWS, ViewState, with_measure, with_view
from hiermeasures.explore import component_data
from hiermeasures.explore.library import OWN
from hiermeasures.explore.model import Placement, State
from hiermeasures.explore.outbox import Gesture, Inbox
from hiermeasures.explore.parts import explorer_module, math_font_script
from hiermeasures.explore.screen import Host, after
from hiermeasures.explore.screen import data as screen_data
from hiermeasures.explore.shown import History, InstancePaths, Shown
from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options, Settings
from hiermeasures.measures import Explanation, SideName, find_measure
from hiermeasures.measures.catalogue import Path
from hiermeasures.measures.explain import checked_path

ROOM = (560.0, READABLE_ROOM[1])  # of a drawing next to a table in a cell
HOST = Host()
CLASSES = {"sync": True, "to_json": lambda classes, widget: sorted(classes)}
OPTIONS = {"sync": True, "to_json": lambda options, widget: options.changed}


def _with_classes(side: SideName, state: State, labels: Any) -> State:
    try:
        return state.showing(state.shown.with_classes(side, labels))
    except TypeError:
        raise InputError(f"{side}: a set of classes, not {labels!r}") from None


def _known_view(view: Any) -> str:
    if not isinstance(view, str) or view not in VIEWS:
        raise InputError(unknown("view", str(view), VIEWS))
    return view


def _with_measure(state: State, measure: Any) -> State:
    return state.looking(with_measure(state.view_state, find_measure(measure).key))


def _with_options(state: State, given: Any) -> State:
    if not isinstance(given, Options | Mapping):
        raise InputError(f"options: Options or a mapping such as {{'dmax': 3}}, not {given!r}")
    return state.showing(
        state.shown.with_options(given if isinstance(given, Options) else Options.make(given))
    )


# Attributes that follow the state: how to read each one, and how to change the state.
ATTRIBUTES: Mapping[str, tuple[Callable[[State], Any], Callable[[State, Any], State]]] = {
    "true": (lambda s: s.shown.instance.true, partial(_with_classes, "true")),
    "predicted": (lambda s: s.shown.instance.predicted, partial(_with_classes, "predicted")),
    "view": (
        lambda s: s.view_state.view,
        lambda s, view: s.looking(with_view(s.view_state, _known_view(view))),
    ),
    "measure": (lambda s: s.view_state.measure, _with_measure),
    "what_if": (
        lambda s: s.view_state.what_if,
        lambda s, on: s.looking(replace(s.view_state, what_if=on)),
    ),
    "options": (lambda s: s.shown.instance.options, _with_options),
}

STILL = (
    "hiermeasures-still"  # widget.js hides elements with this class and the token of its session
)
ABOUT = "A picture of the widget as it was when the cell ran. Run the cell to click in it."


@cache
def script() -> str:
    """Return the widget's script as one module: the Explorer's and the notebook's connection."""
    adapter = files("hiermeasures.notebook").joinpath("widget.js").read_text("utf-8")
    return math_font_script() + explorer_module(component_data.constants()) + adapter


class ExplorerSettings(Settings, total=False):
    """Types of the options of the measures and of the paths of an instance."""

    true_paths: Sequence[Sequence[str]] | None
    predicted_paths: Sequence[Sequence[str]] | None


class Explorer(anywidget.AnyWidget):
    """One instance on its hierarchy in a notebook. You can click in it as in the app.

    You see the graph, the values of every measure, and the parts of the chosen value.

    Parameters
    ----------
    hierarchy : Hierarchy
        The hierarchy of the classes.
    true, predicted : iterable of str
        The true and the predicted classes. Either can be empty.
    view : str, optional
        The drawing on the hierarchy: "classes", "ancestors", "descendants", "lca", "pairing",
        "confusion", "counts" or "distances". The default is the measure's own view.
    measure : str, optional
        The chosen measure, by its key, or by a definition ("mine=0.5*hF + 0.5*F_LCA"). The default
        is the best known measure of the view.
    what_if : bool
        True if every class shows how a click on it would change the chosen measure.

    Other Parameters
    ----------------
    true_paths, predicted_paths : sequence of paths, optional
        As in `explain`. They apply until the classes of their side change.
    **options : optional
        As in `explain`: `dmax=3`.

    Attributes
    ----------
    true, predicted : frozenset of str
    view, measure : str
    what_if : bool
    options : Options
        You can set and observe each one (`widget.observe(f, "predicted")`). Each follows your
        clicks in the widget. You can set options as a mapping.
    explanation : Explanation
        Every measure of the shown instance, and the structures behind the values.

    Raises
    ------
    InputError
        If a class, view, measure or option is unknown, also when you set an attribute. The message
        suggests the nearest name, and the widget stays as it was.

    See Also
    --------
    explain : The same values without a widget.

    Examples
    --------
    This is Figure 11(a) of Kosmopoulos et al. 2015.

    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> widget = Explorer(h, true={"T1"}, predicted={"P1", "P2"}, measure="F_LCA")
    >>> widget.view, widget.explanation["F_LCA"]
    ('lca', 0.4)
    >>> widget.predicted |= {"T1"}
    >>> round(widget.explanation["F_LCA"], 2)
    0.67
    """

    _esm = script()
    _data = traitlets.Dict().tag(sync=True)
    # the last gesture that the browser has seen applied: see widget.js
    _applied = traitlets.Int().tag(sync=True)
    true = traitlets.Any().tag(**CLASSES)
    predicted = traitlets.Any().tag(**CLASSES)
    view = traitlets.Any().tag(sync=True)
    measure = traitlets.Any().tag(sync=True)
    what_if = traitlets.Bool().tag(sync=True)
    options = traitlets.Any().tag(**OPTIONS)

    def __init__(
        self,
        hierarchy: Hierarchy,
        true: Iterable[str] = (),
        predicted: Iterable[str] = (),
        *,
        view: str | None = None,
        measure: str | None = None,
        what_if: bool = False,
        **settings: Unpack[ExplorerSettings],
    ) -> None:
        paths: InstancePaths = {
            "true_paths": _checked_paths(hierarchy, settings.pop("true_paths", None)),
            "predicted_paths": _checked_paths(hierarchy, settings.pop("predicted_paths", None)),
        }
        shown = Shown.make(
            hierarchy, true, predicted, title=OWN, options=Options.make(settings), **paths
        )
        shown.explained()  # refuses options that are invalid for this instance
        self._lock = threading.RLock()  # messages may come in another thread
        self._settling = True  # while the attributes follow the state, they do not change it
        self._inbox = Inbox()
        at = replace(_first_view(view, measure), what_if=what_if)
        self._state = State(History(shown), at, placement=Placement(room=ROOM)).arranged()
        super().__init__(
            _data=screen_data(self._state, self._inbox, HOST), **_attributes(self._state)
        )
        self._settling = False
        self.on_msg(self._received)

    @property
    def explanation(self) -> Explanation:
        """Return every measure of the shown instance."""
        return self._state.explanation

    def __repr__(self) -> str:
        sides = ", ".join(
            f"{side}={sorted(self._state.shown.classes(side))}" for side in ("true", "predicted")
        )
        return f"Explorer({sides}, view={self.view!r}, measure={self.measure!r})"

    @traitlets.validate(*ATTRIBUTES)
    def _checked(self, proposal: Any) -> Any:
        """Return the value in the form of the state. Raise InputError if it is invalid."""
        if self._settling:
            return proposal.value
        read, write = ATTRIBUTES[proposal.trait.name]
        return read(write(self._state, proposal.value))

    @traitlets.observe(*ATTRIBUTES)
    def _set(self, change: Any) -> None:
        if not self._settling:
            with self._lock:
                self._become(ATTRIBUTES[change.name][1](self._state, change.new))

    def _become(self, state: State) -> None:
        """Show a state and update the attributes with one message to the browser."""
        state = state.arranged()
        data = screen_data(state, self._inbox, HOST) | {"reports": self._in_marimo}
        self._state, self._settling = state, True
        try:
            with self.hold_sync():
                self.set_trait("_data", data)
                for name, value in _attributes(state).items():
                    self.set_trait(name, value)
        finally:
            self._settling = False

    @property
    def _in_marimo(self) -> bool:
        """Return True if cells run again when the browser changes a value of the widget."""
        return getattr(self.comm, "kernel", None) == "marimo"

    def _received(self, widget: Any, content: Any, buffers: Any) -> None:
        with self._lock:
            if self._inbox.apply(content, self._apply):
                self._become(self._state)

    def _apply(self, gesture: Gesture) -> None:
        self._state = after(self._state, HOST, gesture.key, gesture.value)

    def _ipython_display_(self, **kwargs: Any) -> None:
        """Show the widget, with a picture of its state before it.

        The picture is hidden while the widget is alive. You see it if you open the notebook again
        or export it.
        """
        from IPython.display import publish_display_data

        publish_display_data(still(self._state, self._inbox.session))  # type: ignore[no-untyped-call]
        data, metadata = self._repr_mimebundle_() or ({}, {})
        publish_display_data(data, metadata)  # type: ignore[no-untyped-call]


def still(state: State, session: str) -> Bundle:
    """Return the drawing and the values of the best known measures for a notebook.

    An exported page shows it instead of the widget.
    """
    x, name = state.explanation, f"{STILL}-{session}"
    shown = show_explanation(
        x, drawing=drawing_of_explanation(x, state.view_state.view, state.view_state.measure)
    )
    # In place of the widget, JupyterLab writes that its model is missing. A living widget has
    # elements there.
    beside = (
        f".jp-OutputArea-child:has(.{name}) + .jp-OutputArea-child .jupyter-widgets:not(:has(*))"
    )
    style = f"<style>{beside} {{ display: none; }}</style>"
    return shown | {
        "text/html": f'<div class="{name}">{style}{shown["text/html"]}{paragraph(ABOUT)}</div>'
    }


def _attributes(state: State) -> dict[str, Any]:
    return {name: read(state) for name, (read, _) in ATTRIBUTES.items()}


def _first_view(view: str | None, measure: str | None) -> ViewState:
    """Return the first view and measure. InputError if the view does not draw the measure."""
    at = with_view(OPENING, _known_view(view)) if view is not None else OPENING
    if measure is None:
        return at
    at = with_measure(at, find_measure(measure).key)
    if view is not None and at.view != view:
        raise InputError(f"the view {view!r} does not draw {measure}; {at.view!r} does")
    return at


def _checked_paths(
    hierarchy: Hierarchy, paths: Sequence[Sequence[str]] | None
) -> tuple[Path, ...] | None:
    return tuple(checked_path(hierarchy, path) for path in paths) if paths is not None else None
