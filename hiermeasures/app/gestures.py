"""Gestures in our components, brought to Python so that nothing is lost, nothing comes twice, and
all of it comes in order.

A trigger value of Streamlit's holds one event: while a page runs, the next replaces it. So the page
keeps an outbox (outbox.js): gestures of all components, numbered, which travel together as one
state value of the `mailbox` until Python says how far it has applied them. Here that value is read
(outbox.py), and each gesture goes to its handler once. What a gesture does is not said here but in
the handlers.
"""

import secrets
from collections.abc import Mapping
from typing import Any

import streamlit as st

from hiermeasures.app import scripts
from hiermeasures.explorer.outbox import Gesture, Handler, Inbox, Receiver

FIELDS = "fields"  # outbox.js notes under this name that something was entered in a field
KEY, EXPLORER = "mailbox", "explorer"  # the components that bring gestures; the latter brings its own
PROGRESS, HANDLERS = "gestures", "gesture_handlers"
SHORTCUTS = "gesture_shortcuts"
STYLE = f".st-key-{KEY} {{ display: none; }}"


def address(component: str, **handlers: Handler) -> dict[str, Any]:
    """The part of a component's data that puts gestures into the outbox, and to show those that the
    data does not know of yet. Its gestures of a kind go to the handler of that name.
    """
    for kind, handler in handlers.items():
        _handlers()[component, kind] = handler
    at = receiver()
    return {"component": component, "session": at.session, "seen": at.seen}


def shortcut(button: str, keys: str) -> None:
    """The keys that press a button of `binding.button` where it is on the page, such as
    "Ctrl+Shift+Z"; while a person types in a field they are the field's own.
    """
    _shortcuts()[button] = keys


def mailbox() -> None:
    """Mount what takes the gestures of the page; once, after all that makes them."""
    at = receiver()
    buttons = [key for key, kind in _handlers() if kind == "press"]
    data = {"session": at.session, "seen": at.seen, "buttons": buttons, "shortcuts": _shortcuts()}
    scripts.component("mailbox")(key=KEY, data=data, on_pending_change=apply_pending)


def receiver() -> Receiver:
    """The progress of this session's gestures."""
    return _inbox().receiver


def apply_pending() -> None:
    """Apply the gestures that have come and were not applied yet, each once and in order.

    Streamlit calls the callbacks of fields before those of components, and both may come in one
    run. Whatever reads the state therefore calls this first: a field's callback, too, then finds it
    as the person saw it. Where the field came before a gesture, the outbox says so by a gesture of
    its own (FIELDS), and the entry is applied in its place.

    Where Streamlit ends the run in a handler, the next run applies the gesture (`Inbox`).
    """
    inbox = _inbox()
    for sent in _sent():
        inbox.apply(sent, _handle)


def _handle(gesture: Gesture) -> None:
    handler = _handlers().get((gesture.component, gesture.kind))
    if handler is not None:
        handler(gesture.value)


def _inbox() -> Inbox:
    if PROGRESS not in st.session_state:
        st.session_state[PROGRESS] = Inbox(Receiver(secrets.token_hex(8)))
    found: Inbox = st.session_state[PROGRESS]
    return found


def _sent() -> list[Any]:
    states = (st.session_state.get(key) for key in (KEY, EXPLORER))
    return [state.get("pending") for state in states if isinstance(state, Mapping)]


def _shortcuts() -> dict[str, str]:
    found: dict[str, str] = st.session_state.setdefault(SHORTCUTS, {})
    return found


def _handlers() -> dict[tuple[str, str], Handler]:
    """Handlers of this page and of those before it: what was done there may arrive here."""
    found: dict[tuple[str, str], Handler] = st.session_state.setdefault(HANDLERS, {})
    return found
