"""What fields held, kept for when they are drawn again: after another page, or a view in which they are not shown.

Streamlit forgets a field that is not drawn. And what the session is given under a field's key in a run that does not
draw the field outlasts all entries in it, so fields are given back their values just before they are drawn, never
earlier.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

KEPT = "kept"


def remember() -> None:
    """Note what the fields hold; at the beginning of a run, because the next click may come before its end."""
    values = _values()
    values |= {key: st.session_state[key] for key in values if key in st.session_state}


def kept(key: str, default: Any) -> str:
    """The key of a field that is drawn next, and that shows what it held when it was drawn last; at first, the
    default.
    """
    st.session_state.setdefault(key, _values().setdefault(key, default))
    return key


def kept_one_of(key: str, offered: Sequence[Any], default: Any = None) -> str:
    """The same for a field that offers only these; where what it held is not among them, the default, or else the
    first.
    """
    values = _values()
    if st.session_state.get(key, values.get(key)) not in offered:
        st.session_state[key] = values[key] = default if default in offered else offered[0]
    return kept(key, default)


def held(key: str, default: Any) -> Any:
    """What a field held at the beginning of this run, drawn or not."""
    return _values().get(key, default)


def put(key: str, value: Any) -> None:
    """Have a field that is not drawn yet in this run hold something else."""
    _values()[key] = value
    st.session_state.pop(key, None)


def _values() -> dict[str, Any]:
    return st.session_state.setdefault(KEPT, {})
