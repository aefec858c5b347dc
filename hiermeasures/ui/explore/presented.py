"""The Explorer's instance as it is presented: what is pinned, where it can be compared, is the first of two.

What a presentation looks like is ui/present's; here is what it is about, and the ways in and out.
"""

from dataclasses import replace

import streamlit as st

from hiermeasures.measures import BEST_KNOWN, CATALOGUE, Explanation
from hiermeasures.measures.catalogue import SideName, named
from hiermeasures.ui import binding, gestures
from hiermeasures.ui.explore import location
from hiermeasures.ui.explore.model import change, compared, explorer, history, set_view_state, view_state
from hiermeasures.ui.gestures import mailbox
from hiermeasures.ui.library import figures
from hiermeasures.ui.present.draw import Moves, present
from hiermeasures.ui.present.model import Presenting
from hiermeasures.ui.present.stage import Prediction, Stage
from hiermeasures.ui.state import Shown
from hiermeasures.ui.views import ViewState, overlay_for

MOST_VALUES, MOST_PAIRED = 6, 4  # that can be read below one drawing, and below two where nobody chose them
ABOUT = "Nothing but the drawing and the values, large, and hidden until you reveal them. Star the measures to show."


@st.fragment
def presented() -> None:
    """The presentation, in the place of the page."""
    if explorer().presenting is None:
        st.rerun()
    present(MOVES)
    mailbox(location.location())


def keys() -> None:
    """The key that begins one, on the Explorer."""
    gestures.address("present_key", press=lambda value: begin())
    gestures.shortcut("present_key", "P", place="explorer")


def button() -> None:
    """The button that does."""
    binding.button("Present", key="present_button", action=begin, help=f"{ABOUT} (P)", icon=":material/present_to_all:")


def begin() -> None:
    """Present what is shown, its values hidden. The menu it was asked for in is closed."""
    st.session_state["sharing"] = False
    now = explorer()
    chosen = tuple(key for key in (*now.definitions, *CATALOGUE) if key in now.starred)
    change(presenting=Presenting(measures=(now.view_state.measure, *chosen) if chosen else ()))


def stage() -> Stage:
    """What is presented of the Explorer."""
    shown, at, pinned = history().present, view_state(), compared(history().present)
    title = figures().get(shown.case or "", shown.title) or "A hierarchy"
    if pinned is None or pinned.shown is shown:
        asked = "What is each value?" if shown.selected else "No class is marked yet."
        measures = _measures(MOST_VALUES) if shown.selected else ()
        only = _prediction("", shown.explained(), at)
        return Stage(title, title, asked, (only,), at, measures, items=measures)
    before = _prediction(f"before: {_caption(pinned.shown, shown)}", pinned.explanation, at)
    after = _prediction(f"after: {_caption(shown, pinned.shown)}", shown.explained(), at)
    asked = f"{what_changed(pinned.shown, shown)} Does each value get better?".strip()
    measures = _measures(MOST_PAIRED)
    return Stage(title, title, asked, (before, after), at, measures, items=measures, first_shown=True, votes=True)


def _prediction(caption: str, explanation: Explanation, at: ViewState) -> Prediction:
    return Prediction(caption, explanation, lambda: overlay_for(explanation, at))


def _measures(most: int) -> tuple[str, ...]:
    """The chosen one; with it those that had a star when it began or are named in the address, else the best known."""
    now = explorer()
    known = {*CATALOGUE, *now.definitions}
    asked = [key for key in now.presenting.measures if key in known] if now.presenting else []
    if asked:
        return tuple(dict.fromkeys([now.view_state.measure, *asked]))[:MOST_VALUES]
    return tuple(dict.fromkeys([now.view_state.measure, *BEST_KNOWN]))[:most]


def _caption(shown: Shown, other: Shown) -> str:
    """The classes of a side in which two states differ; the predicted ones where they differ in neither or both."""
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
    sentences = [
        *_moved(i.true, j.true, j.predicted, "predicted", "true"),
        *_moved(i.predicted, j.predicted, j.true, "true", "predicted"),
    ]
    if i.options != j.options:
        sentences.append("Options were changed.")
    return " ".join(sentences)


def _moved(before: frozenset[str], now: frozenset[str], others: frozenset[str], other: str, side: str) -> list[str]:
    """Sentences on the classes that came to a side and went from it, by whether they are on the other one."""
    found = []
    for labels, end in ((now - before, f"now {side}"), (before - now, f"{side} no more")):
        for are_others, chosen in ((True, labels & others), (False, labels - others)):
            if chosen:
                too = " too" if are_others and labels <= now else ""
                verb = "is" if len(chosen) == 1 else "are"
                also = f"{verb} {'' if are_others else 'not '}{other} and {verb}"
                found.append(f"{named(chosen, limit=4)} {also} {end}{too}.")
    return found


# --- what a person does -------------------------------------------------------------------------------------------


def _now() -> tuple[Stage, Presenting] | None:
    now = explorer().presenting
    return (stage(), now) if now else None


def _step(step: int | None) -> None:
    set_view_state(replace(view_state(), step=step))


MOVES = Moves(
    now=_now,
    change=lambda now: change(presenting=now),
    step=_step,
    leave=lambda: change(presenting=None),
    link=location.link,
)
