"""The Explorer's instance as it is presented: what is pinned, where it can be compared, is the
first of two.

What a presentation looks like is present.py's; here is what it is about, and the ways in and out.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from hiermeasures.core.errors import InputError
from hiermeasures.explorer import controls, present
from hiermeasures.explorer.controls import Control, Controls
from hiermeasures.explorer.library import name_of
from hiermeasures.explorer.model import State
from hiermeasures.explorer.present import Prediction, Presenting, Stage
from hiermeasures.explorer.qr_code import code_data
from hiermeasures.explorer.state import Shown
from hiermeasures.measures import CATALOGUE, CORE, Explanation, Instance
from hiermeasures.measures.catalogue import SideName, named
from hiermeasures.picture.views import ViewState, overlay_for

S = TypeVar("S", bound=State)
MOST_VALUES, MOST_PAIRED = 6, 4  # that can be read below one drawing, and below two where nobody chose them
ABOUT = "Large, and hidden until you reveal it. Star the measures to show."


def button() -> Control:
    """The way in, by the key P."""
    return controls.button("present", "Present", begun, keys="P", help=ABOUT)


def begun(state: S) -> S:
    """The state with its instance presented, the values hidden, and no menu open."""
    chosen = tuple(key for key in (*state.definitions, *CATALOGUE) if key in state.kept)
    measures = (state.view_state.measure, *chosen) if chosen else ()
    return controls.closed(replace(state, presenting=Presenting(measures=measures)))


def presented(state: State, link: Callable[[State], str] | None) -> Controls:
    """The controls of what is presented; `link` gives its address where it has one."""
    now = state.presenting or Presenting()
    code = _code(state, link) if now.code else None
    return present.controls_of(replace(stage(state), shared=link is not None), now, code, heard=_heard)


def _code(state: State, link: Callable[[State], str] | None) -> Mapping[str, Any] | None:
    if link is None:
        return None
    try:
        return code_data(link(state))
    except InputError as fault:
        return {"link": "", "note": str(fault)}


def _heard(kind: str, state: S, value: Mapping[str, Any]) -> S:
    """The state after a gesture of the parts around the drawings."""
    if (now := state.presenting) is None:
        return state
    if kind == "leave":
        return replace(state, presenting=None)
    shown = stage(state)
    if kind != "go":
        return replace(state, presenting=present.after(shown, now, kind, value))
    step = present.walked(shown.at.step, present.direction(value), shown.steps)
    return state.looking(replace(state.view_state, step=step))


# --- the stage ------------------------------------------------------------------------------------


def stage(state: State) -> Stage:
    """The Explorer's instance as it is presented."""
    shown, at, pinned = state.shown, state.view_state, state.compared
    title = name_of(shown)
    two = pinned is not None and pinned.shown is not shown
    if pinned is not None and two:
        before = _prediction(f"before: {_caption(pinned.shown, shown)}", pinned.explanation, at)
        after = _prediction(f"after: {_caption(shown, pinned.shown)}", state.explanation, at)
        predictions: tuple[Prediction, ...] = (before, after)
        asked = f"{what_changed(pinned.shown, shown)} Does each value get better?".strip()
        measures = _measures(state, MOST_PAIRED)
    else:
        predictions = (_prediction("", state.explanation, at),)
        asked = "What is each value?" if shown.selected else "No class is marked yet."
        measures = _measures(state, MOST_VALUES) if shown.selected else ()
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


def _prediction(caption: str, explanation: Explanation, at: ViewState) -> Prediction:
    return Prediction(caption, explanation, lambda: overlay_for(explanation, at))


def _measures(state: State, most: int) -> tuple[str, ...]:
    """The chosen one; with it those that had a star or are in the address, else the core."""
    chosen = state.view_state.measure
    if asked := [key for key in state.presenting.measures if state.knows(key)] if state.presenting else []:
        return tuple(dict.fromkeys([chosen, *asked]))[:MOST_VALUES]
    return tuple(dict.fromkeys([chosen, *CORE]))[:most]


def _caption(shown: Shown, other: Shown) -> str:
    """The classes of the side in which two states differ; by default the predicted ones."""
    side: SideName = "true" if shown.instance.predicted == other.instance.predicted else "predicted"
    if shown.selected == other.selected:
        side = "predicted"
    return f"{side} {{{named(shown.classes(side), limit=5)}}}" if shown.classes(side) else f"{side} ∅"


def what_changed(before: Shown, after: Shown) -> str:
    """The classes that came and went between two states, each with what it is on the other side.

    >>> from hiermeasures import Hierarchy
    >>> h = Hierarchy.from_edges([("A", "T"), ("A", "P")])
    >>> one = Shown.make(h, {"T"}, {"P"}, title="")
    >>> what_changed(one, one.with_classes("predicted", {"T"}))
    'T is true and is now predicted too. P is not true and is predicted no more.'
    """
    i, j = before.instance, after.instance
    sentences = [*_moved(i, j, "true", "predicted"), *_moved(i, j, "predicted", "true")]
    if i.options != j.options:
        sentences.append("Options were changed.")
    return " ".join(sentences)


def _moved(i: Instance, j: Instance, side: SideName, other: SideName) -> list[str]:
    """Sentences on the classes that came to a side and went from it."""
    before, now, others = getattr(i, side), getattr(j, side), getattr(j, other)
    found = []
    for labels, end in ((now - before, f"now {side}"), (before - now, f"{side} no more")):
        for are_others, chosen in ((True, labels & others), (False, labels - others)):
            if chosen:
                too = " too" if are_others and labels <= now else ""
                verb = "is" if len(chosen) == 1 else "are"
                also = f"{verb} {'' if are_others else 'not '}{other} and {verb}"
                found.append(f"{named(chosen, limit=4)} {also} {end}{too}.")
    return found
