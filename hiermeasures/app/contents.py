"""A list of what a page holds, with a field that finds in it while a person types; contents.js
draws it and searches, without a run of the page. What an entry's key stands for is the page's
business.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from hiermeasures.app import gestures
from hiermeasures.app.scripts import component

WIDE = "75rem"  # from here on the list stands beside the page and stays in sight
STYLE = f"""<style>
@media (max-width: {WIDE}) {{
  .st-key-with_contents > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] > div {{
    min-width: 100%;
  }}
}}
@media (min-width: {WIDE}) {{
  .st-key-with_contents > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] > div:first-child {{
    position: sticky; top: 4.5rem; align-self: flex-start;
  }}
}}
</style>"""


@dataclass(frozen=True)
class Entry:
    """A place of the page, or something that is chosen.

    `text` is searched and not shown. `to` is the key of a container or the id of an element,
    `inside` the key of the expander around it. An entry with a `key` gives it to the page instead;
    `address` opens the same in another tab.
    """

    title: str
    about: str = ""
    text: str = ""
    to: str = ""
    inside: str = ""
    key: str = ""
    address: str = ""


def contents(
    name: str,
    label: str,
    entries: Iterable[Entry],
    parts: Iterable[Entry] = (),
    on_choose: Callable[[str], object] = lambda key: None,
) -> None:
    """Draw the field of contents; `parts` are listed while it is empty. `on_choose` gets a key."""

    def choose(value: Mapping[str, Any]) -> None:
        if isinstance(key := value.get("key"), str):
            on_choose(key)

    data = {
        "name": name,
        "label": label,
        "parts": [asdict(part) for part in parts],
        "entries": [asdict(entry) for entry in entries],
        "address": gestures.address(name, choose=choose),
    }
    component("contents")(key=name, data=data)


def columns_with_contents() -> list[Any]:
    """Two columns, of which the first is for the contents; below each other on a screen narrower
    than WIDE.
    """
    st.html(STYLE)
    with st.container(key="with_contents"):
        columns: list[Any] = st.columns([2, 9], gap="large")
    return columns
