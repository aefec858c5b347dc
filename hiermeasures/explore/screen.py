"""The Explorer's screen as controls (controls.py), for every host, and the JSON for its browser.

The areas are `toolbar`, `rows` (the source of the instance), `drawing`, `options` (while their form
is open), `values` (the table with its controls) and `panel` (the parts of the chosen value, or the
effects of clicks). A presentation (present.py) replaces all of them by the area `wide`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from hiermeasures.draw.views import overlay_for
from hiermeasures.explore import controls, drawing, location, panel, present, table
from hiermeasures.explore.controls import Control, Controls, button, sheet
from hiermeasures.explore.library import name_of
from hiermeasures.explore.loading import draw_or_load, figure_menu, figure_rows
from hiermeasures.explore.model import Host, State
from hiermeasures.explore.options_form import Target, options_button, options_panel
from hiermeasures.explore.outbox import Inbox
from hiermeasures.explore.present import PresentedDrawing, Presenting, Stage, code_data
from hiermeasures.explore.sharing import export, share
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.words import agree
from hiermeasures.measures import CATALOGUE, CORE, Explanation, Instance
from hiermeasures.measures.catalogue import SideName, named

MODEL = "explorer"  # which gestures on the screen name
S = TypeVar("S", bound=State)
__all__ = ["Host", "after", "data", "ready", "screen"]


def screen(state: State, host: Host) -> Iterator[Control]:
    """Return the areas. Each is made on demand, because a gesture needs only one area."""
    if state.presenting is not None:
        yield Control("area", "wide", parts=presented(state, host))
        return
    edits = panel.edits_of(state, host)
    yield Control("area", "toolbar", parts=_toolbar(state, host))
    yield Control("area", "rows", parts=figure_rows(state, host))
    yield Control("area", "drawing", parts=drawing.area(state, edits, host))
    yield Control("area", "options", parts=options_panel(state, _options(state)))
    yield Control("area", "values", parts=table.area(state))
    yield Control("area", "panel", parts=panel.area(state, edits, host))


def _toolbar(state: State, host: Host) -> Controls:
    past = state.history
    options = options_button(state, _options(state))
    changed = bool(state.shown.instance.options.changed)
    tools: Controls = (draw_or_load(state, host), share(state, host))
    if state.quiet:
        tools += (options,) if changed or state.options_form.open else ()
    else:
        tools += (options, export(state, host), *host.tools(state))
    return (
        figure_menu(state),
        button("undo", "Undo", State.undone, icon="↶", keys="Ctrl+Z", disabled=not past.past),
        button(
            "redo", "Redo", State.redone, icon="↷", keys="Ctrl+Shift+Z", disabled=not past.future
        ),
        sheet("tools", "More", *tools, more(state)),
    )


def more(state: State) -> Control:
    """Return the menu "More" of the toolbar."""
    paper = controls.check("paper_tools", "Paper", not state.quiet, controls.put("paper_tools"))
    about = controls.words(ABOUT_PAPER, "note", key="about_paper")
    return sheet("more", "More", present_button(), paper, about, always=True)


def _options(state: State) -> Target:
    return Target(
        lambda s: s.shown.instance.options,
        lambda s, changed: s.showing(s.shown.with_options(changed)),
        paper=(state.shown.case or "").partition("/")[0],
    )


def ready(state: S, host: Host) -> S:
    """Return the state prepared for drawing, with an arrangement and the word for the address."""
    made = state.arranged()
    return location.visited(made) if host.address_bar else made


def after(state: S, host: Host, key: str, value: Any) -> S:
    """Return the state after a gesture, prepared for drawing.

    If a gesture leaves the screen unchanged, the controls keep their error messages.
    """
    if key == location.KEY:  # the address bar, which is not a control
        return ready(location.walked(state, value), host)
    made = controls.after(state, screen(state, host), key, value)
    in_component = isinstance(value, Mapping) and "kind" in value
    if in_component and made.shown is state.shown and not made.faults:
        made = replace(made, faults=state.faults)
    return ready(made, host)


def data(state: State, inbox: Inbox, host: Host) -> dict[str, Any]:
    return {
        **inbox.address(MODEL),
        "areas": [area.as_data(state.faults) for area in screen(state, host) if area.parts],
        **({"location": location.in_address(state, inbox, MODEL)} if host.address_bar else {}),
        **({"title": name_of(state.shown), "paper": state.paper_tools} if host.window else {}),
    }


# How many values fit below one drawing, and below two that nobody chose.
MOST_VALUES, MOST_PAIRED = 6, 4
ABOUT_PAPER = (
    "Printed values, options, your own measures, pins, exports and cards for your lesson. This "
    "browser remembers your choice."
)
ABOUT = "Show this large, with values that you reveal one by one. Star the measures to show."


def present_button() -> Control:
    return button("present", "Present", begun, keys="P", help=ABOUT)


def begun(state: S) -> S:
    chosen = tuple(key for key in (*state.definitions, *CATALOGUE) if key in state.kept)
    measures = (state.view_state.measure, *chosen) if chosen else ()
    return controls.closed(replace(state, presenting=Presenting(measures=measures)))


def presented(state: State, host: Host) -> Controls:
    """Return the controls of a presentation, with its link if the host has an address."""
    now, code = state.presenting or Presenting(), None
    if now.code and host.address:
        try:
            code = code_data(location.link(state, host.address), host.phones(), now.host)
        except InputError as fault:
            code = {"link": "", "note": str(fault)}
    return present.controls_of(
        replace(stage(state), shared=bool(host.address)), now, code, heard=_heard
    )


def _heard(kind: str, state: S, value: Mapping[str, Any]) -> S:
    """Return the state after a gesture of the parts around the drawings."""
    if (now := state.presenting) is None:
        return state
    if kind == "leave":
        return replace(state, presenting=None)
    shown = stage(state)
    if kind != "go":
        return replace(state, presenting=present.after(shown, now, kind, value))
    step = present.walked(shown.at.step, present.direction(value), shown.steps)
    return state.looking(replace(state.view_state, step=step))


def stage(state: State) -> Stage:
    """Return a stage with the chosen measure and the measures with a star or in the address, by
    default the core.
    """
    shown, at, title, pinned = state.shown, state.view_state, name_of(state.shown), state.compared

    def prediction(caption: str, explanation: Explanation) -> PresentedDrawing:
        return PresentedDrawing(caption, explanation, lambda: overlay_for(explanation, at))

    predictions: tuple[PresentedDrawing, ...] = (prediction("", state.explanation),)
    asked = "What is each value?" if shown.selected else "No class is marked yet."
    if two := pinned is not None and pinned.shown is not shown:
        before, after = _captions(pinned.shown, shown)
        predictions = (prediction(before, pinned.explanation), prediction(after, state.explanation))
        asked = f"{what_changed(pinned.shown, shown)} Does each value get better?".strip()
    wanted = (
        [key for key in state.presenting.measures if state.knows(key)] if state.presenting else []
    )
    most = MOST_PAIRED if two and not wanted else MOST_VALUES
    measures = (
        tuple(dict.fromkeys([at.measure, *(wanted or CORE)]))[:most]
        if two or shown.selected
        else ()
    )
    return Stage(
        key=title,
        title=title,
        question=asked,
        predictions=predictions,
        at=at,
        measures=measures,
        items=measures,
        first_shown=two,
        votes=two,
    )


def _captions(before: Shown, after: Shown) -> Iterator[str]:
    """Return the two states' classes on the changed side, by default the predicted side."""
    same = (
        before.instance.predicted == after.instance.predicted and before.selected != after.selected
    )
    side: SideName = "true" if same else "predicted"
    for name, shown in (("before", before), ("after", after)):
        classes = shown.classes(side)
        yield f"{name}: {side} {{{named(classes, limit=5)}}}" if classes else f"{name}: {side} ∅"


def what_changed(before: Shown, after: Shown) -> str:
    """Return the classes that were added and removed between two states, each with its role on the
    other side.
    """
    i, j = before.instance, after.instance
    sentences = [*_moved(i, j, "true", "predicted"), *_moved(i, j, "predicted", "true")]
    if i.options != j.options:
        sentences.append("Options were changed.")
    return " ".join(sentences)


def _moved(i: Instance, j: Instance, side: SideName, other: SideName) -> list[str]:
    """Sentences on the classes that were added to a side and removed from it."""
    before, now, others = getattr(i, side), getattr(j, side), getattr(j, other)
    found = []
    for labels, end in ((now - before, f"now {side}"), (before - now, f"{side} no more")):
        for are_others, chosen in ((True, labels & others), (False, labels - others)):
            if chosen:
                too = " too" if are_others and labels <= now else ""
                verb = agree(len(chosen), "is")
                also = f"{verb} {'' if are_others else 'not '}{other} and {verb}"
                found.append(f"{named(chosen, limit=4)} {also} {end}{too}.")
    return found
