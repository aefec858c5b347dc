"""What a person does in our components, brought to Python so that nothing is lost, nothing comes twice, and all of it
comes in order.

A trigger value of Streamlit's holds one event: while a page runs, the next replaces it. So the page keeps an outbox
(outbox.js): gestures of all components, numbered, which travel together as one state value of the `mailbox` until
Python says how far it has applied them. Here that value is read (outbox.py), and each gesture goes to its handler once.
What a gesture does is not said here but in the handlers.
"""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from hiermeasures.ui import scripts
from hiermeasures.ui.outbox import Handler, Receiver

FIELDS = "fields"  # outbox.js notes under this name that something was entered in a field
KEY = "mailbox"
RECEIVER, HANDLERS, APPLYING = "gestures", "gesture_handlers", "gestures_applying"
SHORTCUTS = "gesture_shortcuts"
STYLE = f".st-key-{KEY} {{ display: none; }}"


def address(component: str, **handlers: Handler) -> dict[str, Any]:
    """What a component's data needs to put gestures into the outbox, and to show those that the data does not know of
    yet. Its gestures of a kind go to the handler of that name.
    """
    for kind, handler in handlers.items():
        _handlers()[component, kind] = handler
    receiver = _receiver()
    return {"component": component, "session": receiver.session, "seen": receiver.seen}


def shortcut(button: str, keys: str, *, place: str = "", fields: str = "") -> None:
    """The keys that press a button of `binding.button` where it is on the page, such as "Ctrl+Shift+Z"; while a person
    types in a field they are the field's own. What is no button has its keys where a container with the key `place` is.
    In fields whose keys begin with `fields` the key Enter presses the button after it has entered what was typed.
    """
    _shortcuts()[button] = (keys, place or button, fields)


def mailbox(location: Mapping[str, Any] | None = None) -> None:
    """Mount what takes the gestures of the page; once, after all that makes them. `location` is what the address bar
    shows of the page, if anything: see explore/location.py.
    """
    receiver = _receiver()
    buttons = [key for key, kind in _handlers() if kind == "press"]
    data = {"session": receiver.session, "seen": receiver.seen, "buttons": buttons}
    data |= {"shortcuts": _shortcuts(), "location": location}
    scripts.component("mailbox")(key=KEY, data=data, on_pending_change=apply_pending)


def apply_pending() -> None:
    """Apply the gestures that have come and were not applied yet, each once and in order.

    Streamlit calls the callbacks of fields before those of components, and both may come in one run. Whatever reads the
    state therefore calls this first: a field's callback, too, then finds it as the person saw it. Where the field came
    before a gesture, the outbox says so by a gesture of its own (FIELDS), and the entry is applied in its place.
    """
    if st.session_state.get(APPLYING):
        return
    st.session_state[APPLYING] = True
    try:
        for gesture in _receiver().unseen(_sent()):
            st.session_state[RECEIVER] = replace(_receiver(), seen=gesture.number)
            handler = _handlers().get((gesture.component, gesture.kind))
            if handler is not None:
                handler(gesture.value)
    finally:
        st.session_state[APPLYING] = False


def _sent() -> Any:
    state = st.session_state.get(KEY)
    return state.get("pending") if isinstance(state, Mapping) else None


def _receiver() -> Receiver:
    if RECEIVER not in st.session_state:
        st.session_state[RECEIVER] = Receiver(secrets.token_hex(8))
    found: Receiver = st.session_state[RECEIVER]
    return found


def _shortcuts() -> dict[str, tuple[str, str, str]]:
    found: dict[str, tuple[str, str, str]] = st.session_state.setdefault(SHORTCUTS, {})
    return found


def _handlers() -> dict[tuple[str, str], Handler]:
    """Who handles which gestures, of this page and of those before it: what was done there may arrive here."""
    found: dict[tuple[str, str], Handler] = st.session_state.setdefault(HANDLERS, {})
    return found
