"""The Explorer's screen as controls (controls.py), the same for every host, and the one JSON that a
host sends to its browser. Nothing is computed about measures.

The areas are `toolbar`, `rows` (where the instance comes from), `drawing`, `options` (while their
form is open), `values` (the table and what is above it), `panel` (what the chosen value is made of)
and `wide` (below both columns). What is presented stands in the place of all of them.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from hiermeasures.explorer import controls, drawn, gestures, location, present, presented
from hiermeasures.explorer.areas import drawing, figures, panel, table
from hiermeasures.explorer.areas.host import Host
from hiermeasures.explorer.areas.loading import draw_or_load
from hiermeasures.explorer.areas.options_form import Target, options_button, options_panel
from hiermeasures.explorer.areas.sharing import export, share
from hiermeasures.explorer.controls import Control, Controls, button, sheet
from hiermeasures.explorer.library import name_of
from hiermeasures.explorer.model import State
from hiermeasures.explorer.outbox import Receiver

S = TypeVar("S", bound=State)
HEARD = (  # all gestures, by component and kind
    *gestures.GESTURES,
    *((controls.COMPONENT, kind) for kind in controls.KINDS),
    *((component, kind) for component in present.PIECES for kind in present.GESTURES),
    ("figure_list", "choose"),
)
__all__ = ["HEARD", "Host", "after", "data", "ready", "screen"]


def screen(state: State, host: Host) -> Controls:
    """The controls of a state that is arranged, in their areas."""
    if state.presenting is not None:
        link = partial(location.link, address=host.address) if host.address else None
        return (Control("area", "wide", parts=presented.presented(state, link)),)
    printed = host.printed(state)
    edits = drawn.edits(state, printed, host.engine)
    areas = {
        "toolbar": _toolbar(state, host),
        "rows": figures.rows(state, host),
        "drawing": drawing.controls(state, edits, host),
        "options": options_panel(state, _options(state), state.listed(printed)),
        "values": table.controls(state, printed),
        "panel": panel.controls(state, edits, printed),
        "wide": panel.wide(state, edits, host),
    }
    return tuple(Control("area", name, parts=parts) for name, parts in areas.items() if parts)


def _toolbar(state: State, host: Host) -> Controls:
    """The row above all: the figure, undo and redo, and the tools that load, set, share and
    present.
    """
    past = state.history
    tools = (draw_or_load(state, host), options_button(state, _options(state)), share(state, host), export(state, host))
    return (
        figures.figure_menu(state),
        button("undo", "Undo", State.undone, icon="↶", keys="Ctrl+Z", disabled=not past.past),
        button("redo", "Redo", State.redone, icon="↷", keys="Ctrl+Shift+Z", disabled=not past.future),
        sheet("tools", "More", *tools, *host.tools(state), presented.button()),
    )


def _options(state: State) -> Target:
    """The options of the instance that is shown."""
    return Target(
        lambda s: s.shown.instance.options,
        lambda s, changed: s.showing(s.shown.with_options(changed)),
        paper=(state.shown.case or "").partition("/")[0],
    )


def ready(state: S, host: Host) -> S:
    """The state as it can be drawn: arranged, and with a word for the address where there is one."""
    made = state.arranged()
    return location.visited(made) if host.address_bar else made


def after(state: S, host: Host, component: str, kind: str, value: Mapping[str, Any]) -> S:
    """The state after a gesture, ready to be drawn; faults go when something else is shown."""
    if (component, kind) in gestures.GESTURES:
        made = ready(gestures.after(state, component, kind, value), host)
        return made if made.shown is state.shown or not made.faults else replace(made, faults={})
    return ready(controls.after(state, screen(state, host), component, kind, value), host)


def data(state: State, receiver: Receiver, host: Host) -> dict[str, Any]:
    """All that a browser draws of a state that is ready, and how far gestures are applied."""
    return {
        "session": receiver.session,
        "seen": receiver.seen,
        "areas": [control.as_data(state.faults) for control in screen(state, host)],
        **({"location": location.in_address(state, receiver)} if host.address_bar else {}),
        **({"title": name_of(state.shown)} if host.window else {}),
    }
