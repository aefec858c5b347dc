"""The registry of pages, and the frame around them.

The frame has styles, navigation and scripts. It is drawn after every event. To add a page, write a
module in hiermeasures.app with a `PAGE` (in a package, in its module `page`) and add its name here.
"""

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import streamlit as st

from hiermeasures.app import components, server
from hiermeasures.app.inbox import apply_pending
from hiermeasures.evaluation.warm import make_kernels_ready_ahead
from hiermeasures.explore import component_data, location
from hiermeasures.explore.parts import ONE_PAGE

# in the order of the menu; the first opens
NAMES = (
    "explore",
    "learn",
    "cases",
    "own_paper",
    "systems",
    "behaviour",
    "probabilities",
    "choose",
    "glossary",
    "help",
)
LEAVING = "leaving_for"  # the page for `leave`, with its parameters

CONSTANTS = ONE_PAGE + component_data.constants() + location.constants()
ICON = files("hiermeasures.app") / "icon.svg"


@dataclass(frozen=True)
class Page:
    """A page of the app. Its module's name is its address, and `about` is its purpose."""

    title: str
    draw: Callable[[], None]
    about: str = ""


def pages() -> list[st.Page]:
    """Return all pages for Streamlit's navigation."""
    return [_streamlit_page(name) for name in NAMES]


def switch_to(name: str, parameters: Mapping[str, str] | None = None) -> None:
    """Go to another page, with these parameters in its address."""
    st.switch_page(_streamlit_page(name), query_params=dict(parameters or {}))


def leave_for(name: str, parameters: Mapping[str, str] | None = None) -> None:
    """Let `leave` go to another page in this page's next run. A gesture cannot do it itself."""
    st.session_state[LEAVING] = name, dict(parameters or {})


def leave() -> None:
    """Go to the page that a gesture asked for."""
    apply_pending()
    if (asked := st.session_state.pop(LEAVING, None)) is not None:
        switch_to(*asked)


def page_of(name: str) -> Page:
    """Return the page with a name."""
    module = import_module(f"hiermeasures.app.{name}")
    found: Page = (
        module if hasattr(module, "PAGE") else import_module(f"{module.__name__}.page")
    ).PAGE
    return found


def _streamlit_page(name: str) -> st.Page:
    page = page_of(name)
    return st.Page(page.draw, title=page.title, url_path=name, default=name == NAMES[0])


def main() -> None:
    """Draw the app."""
    st.html(Path(__file__).with_name("style.css"))
    server.take_token(st.query_params, st.session_state)
    page = st.navigation(pages(), position="top")
    st.set_page_config(
        page_title=f"{page.title} – hiermeasures", page_icon=str(ICON), layout="wide"
    )
    page.run()
    components.load(CONSTANTS)
    _exempt_what_is_loaded()
    make_kernels_ready_ahead()


@cache
def _exempt_what_is_loaded() -> None:
    """Exempt loaded modules and their contents from garbage collection.

    Otherwise Streamlit searches all living objects after every click (`postScriptGC`, which our
    settings turn off).
    """
    gc.collect()
    gc.freeze()
