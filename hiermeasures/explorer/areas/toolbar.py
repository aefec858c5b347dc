"""The row above all: what is shown, undo and redo, what to draw or load, options, and what leaves."""

from hiermeasures.explorer import presented
from hiermeasures.explorer.areas import figures
from hiermeasures.explorer.areas.host import Host
from hiermeasures.explorer.areas.loading import draw_or_load
from hiermeasures.explorer.areas.options_form import Target, options_button
from hiermeasures.explorer.areas.sharing import export, share
from hiermeasures.explorer.controls import Controls, button, sheet
from hiermeasures.explorer.model import State


def options(state: State) -> Target:
    """The options of the instance that is shown."""
    return Target(
        lambda s: s.shown.instance.options,
        lambda s, changed: s.showing(s.shown.with_options(changed)),
        paper=(state.shown.case or "").partition("/")[0],
    )


def controls(state: State, host: Host) -> Controls:
    """The area's controls."""
    past = state.history
    return (
        figures.figure_menu(state),
        button("undo", "Undo", State.undone, icon="↶", keys="Ctrl+Z", disabled=not past.past),
        button("redo", "Redo", State.redone, icon="↷", keys="Ctrl+Shift+Z", disabled=not past.future),
        sheet(
            "tools",
            "More",
            draw_or_load(state, host),
            options_button(state, options(state)),
            share(state, host),
            export(state, host),
            *host.tools(state),
            presented.button(),
        ),
    )
