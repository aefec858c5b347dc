"""The menu of figures: all of them by paper, found by number, title, topic or paper. figure_menu.js lists them and
finds; which figures there are, the case library says.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from hiermeasures.cases import Case
from hiermeasures.ui import gestures
from hiermeasures.ui.explore.model import show
from hiermeasures.ui.library import figure, figures, library, papers
from hiermeasures.ui.popover import popover
from hiermeasures.ui.scripts import component
from hiermeasures.ui.state import Shown
from hiermeasures.ui.text import escaped

KEY = "figures"
OWN = "own hierarchy"
STYLE = """<style>
.st-key-toolbar .st-key-figures { flex: 0 1 clamp(18rem, 30vw, 27rem); width: auto; min-width: 0; }
.st-key-figures button { width: 100%; justify-content: space-between; }
.st-key-figures button div { min-width: 0; justify-content: flex-start; }
.st-key-figures button > div { width: 100%; }
.st-key-figures button p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
[data-testid="stPopoverBody"]:has(.st-key-figure_list) { width: min(38rem, 100vw - 2rem); }
</style>"""


def figure_menu(shown: Shown) -> None:
    """The button, which says what is shown, and the menu behind it."""
    menu = popover(escaped(shown_name(shown)), key=KEY)
    if not menu.open:
        return
    with menu:
        component("figures")(
            key="figure_list",
            data={
                "papers": [
                    {"name": paper.name, "figures": [_entry(case) for case in paper.cases]}
                    for paper in papers()
                    if paper.cases
                ],
                "topics": topics(),
                "chosen": shown.case,
                "address": gestures.address("figure_list", choose=_choose),
            },
        )


def shown_name(shown: Shown) -> str:
    """What is shown, as the button says it: `Figure 11(a): Two predicted classes for one true class`."""
    case = library().cases.get(shown.case or "")
    return _title(case) if case else f"{shown.title} ({OWN})"


def topics() -> list[str]:
    """The topics that a figure of the library has, each once, in the order of the figures."""
    return list(dict.fromkeys(topic for paper in papers() for case in paper.cases for topic in case.topics))


def _title(case: Case) -> str:
    return f"{case.label}: {case.title}"


def _entry(case: Case) -> dict[str, Any]:
    return {"key": case.key, "title": _title(case), "topics": case.topics}


def _choose(value: Mapping[str, Any]) -> None:
    if value.get("key") in figures():
        show(figure(str(value["key"])))
        st.session_state[KEY] = False  # closes the menu, which Streamlit holds open or closed under its key
