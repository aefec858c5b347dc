"""The inbox: every input of a person becomes a `Gesture`, and `take` applies it to its model.

Gestures in components arrive in the state value of the mailbox, numbered (outbox.js). `bind` makes
a gesture of an entry in one of Streamlit's fields (binding.py).

If a model has its own screen, MODELS contains its slot and its `after`. Everything else on a page
has a handler: components and buttons are parts of the model PAGE, fields are parts of FIELDS.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import streamlit as st

from hiermeasures.explore.outbox import Gesture, Inbox

T = TypeVar("T")
MAILBOX = "mailbox"  # the component that brings gestures
PAGE, FIELDS = "page", "fields"  # names of models; a browser sends no gestures of the latter
# in the session; the last are the buttons of pages, each with the keys that press it
INBOX, HANDLERS, BUTTONS = "inbox", "gesture_handlers", "heard_buttons"


@dataclass(frozen=True)
class Slot(Generic[T]):
    """The place of one immutable model in the session. `make` returns the first value."""

    name: str
    make: Callable[[], T]

    @property
    def value(self) -> T:
        """The session's value, after pending gestures."""
        apply_pending()
        if self.name not in st.session_state:
            st.session_state[self.name] = self.make()
        model: T = st.session_state[self.name]
        return model

    @property
    def filled(self) -> bool:
        """True if the session already contains a value."""
        return self.name in st.session_state

    def set(self, value: T) -> None:
        """Replace the value."""
        st.session_state[self.name] = value

    def change(self, **parts: Any) -> None:
        """Replace attributes of the value, a frozen dataclass."""
        self.set(replace(self.value, **parts))  # type: ignore[type-var]


MODELS: dict[str, tuple[Slot[Any], Callable[[Any, Gesture], Any]]] = {}


def take(gesture: Gesture) -> None:
    """Apply a gesture to the model that it names. Ignore an unknown name or key."""
    if gesture.model in MODELS:
        slot, after = MODELS[gesture.model]
        slot.set(after(slot.value, gesture))
    elif (handler := handlers().get((gesture.model, gesture.key))) is not None:
        handler(gesture.value)


def hear(key: str, handler: Callable[[Mapping[str, Any]], object]) -> dict[str, Any]:
    """Register the handler of a component of the page. Return the address that its data needs."""
    handlers()[PAGE, key] = lambda value: handler(value) if isinstance(value, Mapping) else None
    return {**session_inbox().address(PAGE), "key": key}


def handlers() -> dict[tuple[str, str], Callable[[Any], object]]:
    """Return the handlers by model and key. Earlier pages are included because their gestures may
    arrive late.
    """
    found: dict[tuple[str, str], Callable[[Any], object]] = st.session_state.setdefault(
        HANDLERS, {}
    )
    return found


def apply_pending() -> None:
    """Apply all waiting gestures in order, each exactly once.

    Streamlit calls the callbacks of fields before the callbacks of components, and both may arrive
    in one run. Call this function before you read the state, also in the callback of a field. Then
    the callback finds the state that the person saw. If the person used the field before a gesture,
    the outbox sends a gesture of its own for it, and the entry is applied in its place.

    If Streamlit ends the run in a handler, the next run applies the gesture (`Inbox`).
    """
    state = st.session_state.get(MAILBOX)
    sent = state.get("pending") if isinstance(state, Mapping) else None
    session_inbox().apply(sent, lambda gesture: None if gesture.model == FIELDS else take(gesture))


def session_inbox() -> Inbox:
    """Return the one inbox of this session."""
    found: Inbox = st.session_state.setdefault(INBOX, Inbox())
    return found
