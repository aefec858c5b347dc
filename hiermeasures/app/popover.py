"""Popovers whose contents are made when they are opened: what nobody sees is neither computed nor
sent.

A popover that is opened again is a new place for the fields in it (`opening`, for binding.py).
"""

from typing import Any

import streamlit as st

LABELS = "popover_labels"  # the session's labels of popovers as they were drawn last, by key
OPENINGS = "popover_openings"  # how often each was opened in the session, and whether it was open when drawn last
INSIDE = "popover_inside"  # the popover that is being drawn into, with the number of its opening


class Popover:
    """A popover as it was drawn. Draw into it, by `with`, only where it is open."""

    def __init__(self, drawn: Any, key: str) -> None:
        self.open = bool(drawn.open)
        self._drawn, self._key = drawn, key
        openings: dict[str, tuple[int, bool]] = st.session_state.setdefault(OPENINGS, {})
        count, before = openings.get(key, (0, False))
        openings[key] = (count + (self.open and not before), self.open)

    def __enter__(self) -> None:
        st.session_state[INSIDE] = self._key, st.session_state[OPENINGS][self._key][0]
        self._drawn.__enter__()

    def __exit__(self, *error: Any) -> None:
        st.session_state[INSIDE] = None
        self._drawn.__exit__(*error)


def popover(label: str, *, key: str, **settings: Any) -> Popover:
    """A popover of Streamlit's whose label may change while it is open: Streamlit takes one with
    another label for a closed one.
    """
    labels: dict[str, str] = st.session_state.setdefault(LABELS, {})
    if labels.get(key, label) != label and st.session_state.get(key):
        st.session_state[key] = True
    labels[key] = label
    return Popover(st.popover(label, key=key, on_change="rerun", **settings), key)


def opening() -> tuple[str, int] | None:
    """The popover that is being drawn into, and which of its openings this is."""
    inside: tuple[str, int] | None = st.session_state.get(INSIDE)
    return inside
