"""The Explorer in the address bar: what a link brings when the page is opened, and the word that the address shows ever
after, so that a reload gives the same back, and the browser's back and forward walk from state to state.

The word is that of a share link (share_link.py), followed by what is presented and revealed. Writing it is the
browser's work (location.js); a way back or forward comes from there as a gesture.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.ui import gestures
from hiermeasures.ui.binding import Slot
from hiermeasures.ui.explore import share_link
from hiermeasures.ui.explore.model import EXPLORER, Explorer, OwnMeasures, Pinned, change, explorer, history
from hiermeasures.ui.library import OPENING, figure
from hiermeasures.ui.opening import opened, opens_as_ever
from hiermeasures.ui.present.model import PRESENTED, Presenting, presenting_in
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import History, Shown
from hiermeasures.ui.views import OPENING as OPENING_VIEW
from hiermeasures.ui.views import ViewState

PARAMETER = "state"
KEY = "location"
MOST_VISITED = 200
UNNAMED = "unnamed-"  # before a random name of a state that is too large for an address
TOO_LARGE = "What was shown here was too large for an address; open it again."


@dataclass(frozen=True)
class Visit:
    """What a word of the address stood for in this session."""

    shown: Shown
    view_state: ViewState
    pinned: Pinned | None
    own: tuple[str, ...] = ()


VISITS: Slot[dict[str, Visit]] = Slot("explorer_visits", dict)


# --- opening ------------------------------------------------------------------------------------------------------


def open_link() -> None:
    """Begin the session with what the link in the address brings; one that cannot be used is said, and the opening
    figure shown instead.
    """
    if EXPLORER.filled:
        return
    word, presenting = st.query_params.get(PARAMETER), presenting_in(st.query_params)
    if word is None:
        change(presenting=presenting)
        return
    try:
        shared = _decoded(word)
    except InputError as fault:
        opening = history().present
        change(link_fault=(opening, f"{fault} The opening figure is shown instead."))
    else:
        pinned = Pinned(shared.pinned) if shared.pinned else None
        own = OwnMeasures(shared.own)
        EXPLORER.set(Explorer(History(shared.shown), shared.view_state, pinned=pinned, own=own, presenting=presenting))


def link_fault() -> None:
    """Why the link could not be used, until something else is shown."""
    if (found := explorer().link_fault) is None:
        return
    shown, message = found
    if history().present is shown:
        show_text(message, "error", key="link_fault")
    else:
        change(link_fault=None)


def _decoded(word: str) -> share_link.Shared:
    if word.startswith(UNNAMED):
        raise InputError(TOO_LARGE)
    return share_link.decoded(word)


# --- walking ------------------------------------------------------------------------------------------------------


def location() -> dict[str, Any]:
    """What the address bar shows of the Explorer, for the mailbox."""
    return {"word": _with_presenting(_word(), explorer().presenting), **gestures.address(KEY, walk=_walk)}


def link() -> str:
    """The address that brings back exactly what is shown; raises InputError where it is too large for one."""
    word = _word()
    if word.startswith(UNNAMED):
        raise InputError("This is too large for a link.")
    query = _with_presenting(f"{PARAMETER}={word}" if word else "", explorer().presenting).lstrip("&")
    return f"{(st.context.url or '').rstrip('/')}/?{query}"


def _with_presenting(word: str, presenting: Presenting | None) -> str:
    return f"{word}&{urlencode(presenting.parameters(), safe='*')}" if presenting else word


def _word() -> str:
    """The word of what is shown, which is remembered as visited; none for what the page opens with."""
    at = explorer()
    now, visits = Visit(at.history.present, at.view_state, at.pinned, at.definitions), VISITS.value
    latest = next(reversed(visits), None)
    if latest is not None and _same(visits[latest], now):
        return latest
    word = _encoded(now)
    others = [(key, visit) for key, visit in visits.items() if key != word][1 - MOST_VISITED :]
    VISITS.set({**dict(others), word: now})
    return word


def _same(one: Visit, other: Visit) -> bool:
    same = one.shown is other.shown and one.pinned is other.pinned
    return same and (one.view_state, one.own) == (other.view_state, other.own)


def _encoded(visit: Visit) -> str:
    try:
        pinned = visit.pinned.shown if visit.pinned else None
        word = share_link.encoded(visit.shown, visit.view_state, pinned, visit.own)
    except InputError:
        return UNNAMED + secrets.token_hex(4)
    return "" if opens_as_ever() and word == _opening_word() else word


@cache
def _opening_word() -> str:
    return share_link.encoded(figure(OPENING), OPENING_VIEW)


def _walk(value: Mapping[str, Any]) -> None:
    """Show what another word of the address stands for. One that this session has not shown comes from a stranger."""
    given = value.get("word")
    if not isinstance(given, str):
        return
    word, _, more = given.partition("&")
    change(presenting=presenting_in(dict(parse_qsl(more))))
    try:
        visit = VISITS.value.get(word) or _visit(word)
    except InputError as fault:
        change(link_fault=(history().present, f"{fault} What was shown before is shown instead."))
    else:
        own = explorer().own.with_more(visit.own if word not in VISITS.value else ())
        change(history=_moved(history(), visit.shown), view_state=visit.view_state, pinned=visit.pinned, own=own)


def _visit(word: str) -> Visit:
    if not word:
        return Visit(opened().shown, OPENING_VIEW, None, opened().own)
    shared = _decoded(word)
    h = explorer().history.present.hierarchy
    instance = shared.shown.instance
    if instance.hierarchy == h:  # the same object, so that its drawing stays
        shared = replace(shared, shown=replace(shared.shown, instance=replace(instance, hierarchy=h)))
    return Visit(shared.shown, shared.view_state, Pinned(shared.pinned) if shared.pinned else None, shared.own)


def _moved(past: History, shown: Shown) -> History:
    """Back and forward as undo and redo, where they lead to the same."""
    if past.past and past.past[-1] is shown:
        return past.undo()
    if past.future and past.future[-1] is shown:
        return past.redo()
    return past.to(shown)


@cache
def constants() -> str:
    """What location.js needs to know of the address, as script."""
    return f"const ADDRESS_PARAMETERS = {json.dumps([PARAMETER, *PRESENTED])};\n"
