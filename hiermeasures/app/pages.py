"""Registry of pages. A page is a module of hiermeasures.app with a `PAGE`, or a package whose module
`page` has it, and one name here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

import streamlit as st

NAMES = (
    "explore",
    "learn",
    "cases",
    "systems",
    "behaviour",
    "probabilities",
    "choose",
    "glossary",
    "help",
)  # in the order of the menu; the first opens
LEAVING = "leaving_for"  # the page that a gesture asked for, with its parameters


@dataclass(frozen=True)
class Page:
    """A page of the app. Its module's name is its address; `about` is a sentence on what it is for."""

    title: str
    draw: Callable[[], None]
    about: str = ""


def pages() -> list[st.Page]:
    """All pages as Streamlit navigates them."""
    return [_streamlit_page(name) for name in NAMES]


def switch_to(name: str, parameters: Mapping[str, str] | None = None) -> None:
    """Go to another page, with these parameters in its address."""
    st.switch_page(_streamlit_page(name), query_params=dict(parameters or {}))


def leave_for(name: str, parameters: Mapping[str, str] | None = None) -> None:
    """Go to another page in the next run of this one, by its `leave`: a gesture cannot do it
    itself.
    """
    st.session_state[LEAVING] = name, dict(parameters or {})


def leave() -> None:
    """Go where a gesture asked to go."""
    if (asked := st.session_state.pop(LEAVING, None)) is not None:
        switch_to(*asked)


def page_of(name: str) -> Page:
    """Return the page of a name."""
    module = import_module(f"hiermeasures.app.{name}")
    found: Page = (module if hasattr(module, "PAGE") else import_module(f"{module.__name__}.page")).PAGE
    return found


def _streamlit_page(name: str) -> st.Page:
    page = page_of(name)
    return st.Page(page.draw, title=page.title, url_path=name, default=name == NAMES[0])
