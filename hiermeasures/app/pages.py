"""The registry of pages, and the frame around them.

The frame contains styles and navigation. It is drawn again after each event. The menu lists a few
places. A place is one page, or several pages with a switch above them. To add a page, write a
module in hiermeasures.app with a `PAGE` (in a package: in its module `page`) and add its name to
PLACES.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import streamlit as st

from hiermeasures.app import server
from hiermeasures.app.binding import bind
from hiermeasures.app.inbox import apply_pending
from hiermeasures.app.kept_models import GIVEN, key_in_address
from hiermeasures.draw.palette import side_colours

# The menu in its order; the first place opens. Each place has the modules of its pages by their
# keys in the address, `/measures?show=choose`. The first page of a place needs no key.
PLACES: Mapping[str, Mapping[str, str]] = {
    "explore": {"": "explore"},
    "learn": {"": "learn"},
    "compare": {"": "systems"},
    "measures": {"glossary": "glossary", "properties": "behaviour", "choose": "choose"},
    "papers": {"library": "cases", "own": "own_paper", "printed": "systems.printed"},
    "help": {"": "help"},
}
SHOW = "show"  # the parameter with a page's key
LEAVING = "leaving_for"  # the page for `leave`, with its parameters

ICON = files("hiermeasures.app") / "icon.svg"
STYLE = Path(__file__).with_name("style.css")


@dataclass(frozen=True)
class Page:
    """A page of the app. `about` is its purpose."""

    title: str
    draw: Callable[[], None]
    about: str = ""


def pages() -> list[st.Page]:
    """Return the places for Streamlit's navigation."""
    return [_streamlit_page(place) for place in PLACES]


def find_place(name: str) -> tuple[str, str]:
    """Return the place of the page with a name, and the page's key there."""
    return next(
        (place, key)
        for place, modules in PLACES.items()
        for key, module in modules.items()
        if module == name
    )


def address_of(
    name: str, parameters: Mapping[str, str] | None = None
) -> tuple[str, dict[str, str]]:
    """Return the place of a page, and the parameters of its address."""
    place, key = find_place(name)
    first = key == next(iter(PLACES[place]))
    return place, {**({} if first else {SHOW: key}), **(parameters or {})}


def switch_to(name: str, parameters: Mapping[str, str] | None = None) -> None:
    """Go to another page, with these parameters in its address."""
    place, query = address_of(name, {**(parameters or {}), **key_in_address()})
    st.switch_page(_streamlit_page(place), query_params=query)


def leave_for(name: str, parameters: Mapping[str, str] | None = None) -> None:
    """Ask for another page. A gesture cannot leave a page, so `leave` does it in the next run."""
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


def _streamlit_page(place: str) -> st.Page:
    return st.Page(
        partial(_draw, place),
        title=place.capitalize(),
        url_path=place,
        default=place == next(iter(PLACES)),
    )


def _draw(place: str) -> None:
    """Draw the page that the address names, below the switch of its place."""
    modules = PLACES[place]
    key = st.query_params.get(SHOW, "")
    if key not in modules:
        key = next(iter(modules))
    if len(modules) > 1:
        bind(st.segmented_control, f"{place}_pages", key, _show)(
            place.capitalize(),
            list(modules),
            required=True,
            format_func=lambda key: page_of(modules[key]).title,
            label_visibility="collapsed",
        )
    page_of(modules[key]).draw()


def _show(key: str) -> None:
    """Show another page of this place, without the parameters of the old one."""
    st.query_params.from_dict({SHOW: key})


def main() -> None:
    """Draw the app."""
    st.html(f"<style>{side_colours(':root')}{STYLE.read_text('utf-8')}</style>")
    server.take_token(st.query_params, st.session_state)
    GIVEN.value  # noqa: B018  (before a page changes its address)
    page = st.navigation(pages(), position="top")
    st.set_page_config(
        page_title=f"{page.title} – hiermeasures", page_icon=str(ICON), layout="wide"
    )
    page.run()
