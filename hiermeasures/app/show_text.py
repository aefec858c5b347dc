"""Text that may hold labels, shown as exactly these characters: never as markup, a formula or a
link.
"""

from typing import Literal

import streamlit as st

from hiermeasures.app.scripts import component
from hiermeasures.core.errors import InputError
from hiermeasures.core.expressions import ExpressionError
from hiermeasures.picture.text import sentence

Kind = Literal["text", "note", "line", "error"]


def show_text(text: str, kind: Kind = "text", *, key: str) -> None:
    """Show a text; a "line" is cut where it is too long, an "error" is announced to listeners."""
    component("text")(key=key, data={"text": text, "kind": kind})


def show_expression_fault(fault: InputError, *, key: str) -> None:
    """Show why an expression cannot be used, and where in it if the fault has a place."""
    if isinstance(fault, ExpressionError):
        st.code(fault.underlined, language=None)
        fault = InputError(fault.reason)
    show_text(sentence(fault), "error", key=key)
