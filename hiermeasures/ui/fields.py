"""Keys of fields that show a part of the state and are also ways to change it.

The browser sends what all its fields hold along with every click. A page that is a moment behind would so send back
what a field held before, and that must not be taken for an entry. A field that has to show something else therefore
gets a new key, and what comes under an old key is passed over; so is what a field that is no longer on the page showed
anyway.
"""

from typing import Any

import streamlit as st

TURNS = "field_turns"
SHOWN = "field_values"


def key_showing(name: str, value: Any) -> str:
    """The key of a field that shows `value`: the same while it holds that already, as after an entry, else a new one.

    To be asked for once per run, just before the field; its callback takes the key as an argument and asks `is_entry`
    first.
    """
    turns: dict[str, int] = st.session_state.setdefault(TURNS, {})
    st.session_state.setdefault(SHOWN, {})[name] = value
    key = _key(name, turns.get(name, 0))
    if key in st.session_state:
        if st.session_state[key] == value:
            return key
        turns[name] = turns.get(name, 0) + 1
        key = _key(name, turns[name])
    st.session_state[key] = value
    return key


def is_entry(name: str, key: str) -> bool:
    """Whether a change under this key was made in the field as it is shown now, and is one."""
    if key != _key(name, st.session_state.get(TURNS, {}).get(name, 0)):
        return False
    shown = st.session_state.get(SHOWN, {})
    return name not in shown or st.session_state[key] != shown[name]


def _key(name: str, turn: int) -> str:
    return f"{name}_{turn}" if turn else name
