"""What a person does in our components, brought to Python so that nothing is lost, nothing comes twice, and all of it
comes in order.

A trigger value of Streamlit's holds one event: while a page runs, the next replaces it. So the page keeps an outbox
(outbox.js): gestures of all components, numbered, which travel together as one state value of the `mailbox` until
Python says how far it has applied them. Here that value is checked, for it comes from outside, and each gesture goes to
its handler once. What a gesture does is not said here but in the handlers.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from hiermeasures.ui import scripts

MOST_AT_ONCE = 50
MOST_CHARACTERS = 20_000
LARGEST_NUMBER = 2**53 - 1
FIELDS = "fields"  # outbox.js notes under this name that something was entered in a field
KEY = "mailbox"
RECEIVER, HANDLERS, APPLYING = "gestures", "gesture_handlers", "gestures_applying"
SHORTCUTS = "gesture_shortcuts"
STYLE = f".st-key-{KEY} {{ display: none; }}"

Handler = Callable[[Mapping[str, Any]], object]


@dataclass(frozen=True)
class Gesture:
    """One thing that a person did: the component's key, what kind of gesture, and what belongs to it."""

    number: int
    component: str
    kind: str
    value: Mapping[str, Any]


@dataclass(frozen=True)
class Receiver:
    """How far a session has come: its token, and the number of the last gesture that was applied."""

    session: str
    seen: int = 0

    def unseen(self, sent: Any) -> list[Gesture]:
        """The gestures of what the browser sent that were not applied yet, in order. What is none is passed over.

        >>> click = {"number": 2, "component": "graph", "kind": "click", "value": {"id": "n0"}}
        >>> Receiver("token", 1).unseen({"session": "token", "gestures": [click | {"number": 1}, click]})
        [Gesture(number=2, component='graph', kind='click', value={'id': 'n0'})]
        >>> Receiver("another", 1).unseen({"session": "token", "gestures": [click]})
        []
        """
        if not isinstance(sent, Mapping) or sent.get("session") != self.session:
            return []
        items = sent.get("gestures")
        found = (_gesture(item, self.seen) for item in items[:MOST_AT_ONCE]) if isinstance(items, list) else ()
        unseen = {gesture.number: gesture for gesture in found if gesture is not None}
        return [unseen[number] for number in sorted(unseen)]


def _gesture(item: Any, seen: int) -> Gesture | None:
    """One gesture as the browser sends it; None where it is none, or was seen. One that is malformed or too large keeps
    its number only, so that it is acknowledged.
    """
    if not isinstance(item, Mapping):
        return None
    number, component, kind, value = (item.get(part) for part in ("number", "component", "kind", "value"))
    if type(number) is not int or not seen < number <= LARGEST_NUMBER:
        return None
    if not (isinstance(component, str) and isinstance(kind, str) and isinstance(value, dict)):
        return Gesture(number, "", "", {})
    if len(json.dumps(item, ensure_ascii=False)) > MOST_CHARACTERS:
        return Gesture(number, "", "", {})
    return Gesture(number, component, kind, value)


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
