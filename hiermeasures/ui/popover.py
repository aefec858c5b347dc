"""Popovers whose contents are made when they are opened: what nobody sees is neither computed nor sent."""

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

LABELS = "popover_labels"  # the session's labels of popovers as they were drawn last, by key


def popover(
    label: str, *, key: str, on_change: Literal["rerun"] | Callable[[], None] = "rerun", **settings: Any
) -> Any:
    """A popover of Streamlit's, whose label may change while it is open. Draw into it only where its `open` says so.

    Streamlit knows a popover by its label as well as by its key, and takes one with another label for a closed one.
    """
    labels: dict[str, str] = st.session_state.setdefault(LABELS, {})
    if labels.get(key, label) != label and st.session_state.get(key):
        st.session_state[key] = True
    labels[key] = label
    return st.popover(label, key=key, on_change=on_change, **settings)
