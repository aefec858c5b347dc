"""Loading one's own hierarchy, pasted or uploaded. The formats are hiermeasures.io's; a fault is said beside the field."""

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io import read_hierarchy, read_hierarchy_text
from hiermeasures.ui.plain import plain
from hiermeasures.ui.state import Shown, show

EXAMPLE = "animal bird\nanimal fish\nbird penguin\nbird owl"
PASTED = "Pasted hierarchy"


def load_your_own() -> None:
    """The popover with the two fields. What was shown before stays until a hierarchy could be read."""
    with st.popover("Load your own", icon=":material/upload:", key="loading", on_change=_forget_fault):
        st.text_area(
            "Paste a hierarchy", key="pasted", height=150, placeholder=EXAMPLE,
            help="One edge per line, parent before child, separated by a tab, comma or blank; or nested JSON.",
        )  # fmt: skip
        _fault("pasted")
        st.button("Show the pasted hierarchy", on_click=_show_pasted)
        st.file_uploader(
            "Or upload a file", key="uploaded", on_change=_show_uploaded,
            help="An edge list (CSV, TSV or blanks), nested JSON, or another of the formats that hiermeasures reads.",
        )  # fmt: skip
        _fault("uploaded")


def _show_pasted() -> None:
    text = st.session_state.pasted
    _try("pasted", lambda: read_hierarchy_text(text), PASTED)


def _show_uploaded() -> None:
    file = st.session_state.uploaded
    if file is None:
        _forget_fault()
        return
    _try("uploaded", lambda: read_hierarchy(file.getvalue(), name=file.name), file.name)


def _try(field: str, read, title: str) -> None:  # type: ignore[no-untyped-def]
    _forget_fault()
    try:
        hierarchy: Hierarchy = read()
    except InputError as fault:
        st.session_state.load_fault = (field, str(fault))
        return
    show(Shown.make(hierarchy, title=title))
    st.session_state.loading = False  # closes the popover


def _forget_fault() -> None:
    st.session_state.pop("load_fault", None)


def _fault(field: str) -> None:
    at, message = st.session_state.get("load_fault", ("", ""))
    if at == field:
        plain(message, "error", key=f"{field}_fault")
