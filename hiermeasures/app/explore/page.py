"""The Explore page: the Explorer's screen (explore/screen.py) as one component.

The app adds steps through instances from another page, the link back to it, cards for My lesson,
and links to other pages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import streamlit as st

from hiermeasures.app.components import mailbox, mount
from hiermeasures.app.explore.model import EXPLORER, ExplorerState, apply, explorer
from hiermeasures.app.inbox import MODELS, session_inbox
from hiermeasures.app.learn import draft_lesson
from hiermeasures.app.learn.draft_lesson import WRITING, card_of
from hiermeasures.app.network import phone_addresses
from hiermeasures.app.pages import Page, leave, leave_for
from hiermeasures.debug.what_if import Values
from hiermeasures.evaluation.tasks import can_compile
from hiermeasures.evaluation.warm import all_at_once, kernels_ready, make_kernels_ready
from hiermeasures.explore import location, screen
from hiermeasures.explore.controls import Controls, button, closed, row, words
from hiermeasures.explore.loading import changes
from hiermeasures.explore.model import Host
from hiermeasures.explore.outbox import Gesture
from hiermeasures.explore.panel import why_changed
from hiermeasures.hierarchy.extras import install_command
from hiermeasures.measures import Instance, Measure
from hiermeasures.read.sandbox import sandboxed


def host() -> Host:
    address = (st.context.url or "").partition("?")[0].rstrip("/")
    return replace(HOST, address=address, more_edits=_more_edits())


@cache
def _more_edits() -> str:
    return "" if can_compile() else f"To see more of them: {install_command('fast')}"


def _engine(
    instance: Instance, measures: Sequence[Measure]
) -> Callable[[Sequence[Instance]], Values] | None:
    if not kernels_ready():
        make_kernels_ready()
    return all_at_once(instance, measures)


def _to_page(state: ExplorerState, name: str, parameters: Mapping[str, str]) -> ExplorerState:
    leave_for(name, parameters)
    return closed(state)


def _rows(state: Any) -> Controls:
    """Return buttons for the previous and next instance of a series ("‹ disagreement 2 of 4,157
    ›").

    Another button leads back to the page that opened the instance, even after an edit.
    """
    at, shown = state.series, state.shown
    back = button("way_back", state.back.words, _back) if state.back is not None else None
    if at is not None and (place := at.place(shown)) is not None:
        told = changes(state) if shown.changed else (words(at.about, "note", key="series_about"),)
        before = button(
            "series_previous",
            f"Previous {at.name}",
            partial(_go, -1),
            icon="‹",
            disabled=place == 0,
        )
        last = place + 1 >= at.size
        after = button("series_next", f"Next {at.name}", partial(_go, 1), icon="›", disabled=last)
        return (
            row(
                back,
                before,
                words(f"{at.name} {place + 1:,} of {at.size:,}", key="series_place"),
                after,
                *told,
            ),
        )
    if back is None:
        return ()
    stays = button("way_back_close", "Stay here", lambda s: replace(s, back=None), icon="✕")
    return (row(back, stays, *(changes(state) if shown.changed and not shown.case else ())),)


def _back(state: ExplorerState) -> ExplorerState:
    if (back := state.back) is None:
        return state
    return _to_page(replace(state, back=None), back.page, back.parameters)


def _go(by: int, state: ExplorerState) -> ExplorerState:
    at = state.series
    place = at.place(state.shown) if at is not None else None
    if at is None or place is None or not 0 <= place + by < at.size:
        return state
    return state.showing(at.make(place + by)).drawn_anew()


def _tools(state: Any) -> Controls:
    def add_card(state: ExplorerState) -> ExplorerState:
        WRITING.set(WRITING.value.with_shown(state))
        return state

    cards = len(WRITING.value.lesson.cards)
    open_lesson = partial(_to_page, name="learn", parameters={"edit": "1"})
    about = "Add a card with this screen. A pinned state becomes the second prediction."
    to_lesson = (button("to_my_lesson", f"My lesson ({cards})", open_lesson),) if cards else ()
    return button("add_card", "Add to my lesson", add_card, help=about), *to_lesson


def _why(state: Any) -> Controls:
    if (why := why_changed(state)) is None:
        return ()
    before, edit, cards = why.before, why.edit, len(WRITING.value.lesson.cards)
    after = before.with_classes(edit.side, edit.of(before.classes(edit.side)))

    def add_both(state: ExplorerState) -> ExplorerState:
        WRITING.set(
            WRITING.value.adding(card_of(before, state.view_state, sorted(state.kept), after))
        )
        return state

    about = "Add to my lesson: before and after, side by side."
    told = (words(f"Cards in My lesson: {cards}.", "note", key="why_cards"),) if cards else ()
    return button("why_card", "Card", add_both, help=about), *told


HOST = Host(
    rows=_rows,
    tools=_tools,
    why=_why,
    to_page=_to_page,
    course={"lesson": "1", "card": "1"},
    read=sandboxed,
    engine=_engine,
    window=True,
    address_bar=True,
    phones=phone_addresses,
)


def page() -> None:
    if not EXPLORER.filled:
        apply(location.opening, dict(st.query_params))
    _explorer()


@st.fragment
def _explorer() -> None:
    apply(screen.ready, host())
    leave()
    mount(screen.data(explorer(), session_inbox(), host()))
    mailbox()
    if WRITING.value.lesson.cards:
        draft_lesson.keep()


def _after(state: ExplorerState, gesture: Gesture) -> ExplorerState:
    return screen.after(state, host(), gesture.key, gesture.value)


MODELS[screen.MODEL] = EXPLORER, _after
PAGE = Page(
    "Explore",
    page,
    "Draw or load a hierarchy, click true and predicted classes, and compare the values of all "
    "measures.",
)
