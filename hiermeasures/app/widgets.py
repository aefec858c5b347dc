"""Parts that several pages draw: charts in the page's own ink, columns that stack on a narrow page,
a list of contents, and the form of options. What they show is the pages' business.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from hiermeasures.app.binding import Slot
from hiermeasures.app.components import address, component
from hiermeasures.core.options import Options
from hiermeasures.explorer import controls
from hiermeasures.explorer.options_form import Target, options_menu
from hiermeasures.picture.palette import DARK, LIGHT

# Streamlit's own columns stay side by side down to 640 pixels, where charts, tables and formulas no
# longer fit.
NARROW = "56rem"
STYLE = f"""@media (max-width: {NARROW}) {{
  [class*="st-key-stacking_"] > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] > div {{
    min-width: 100%;
  }}
}}"""
WIDE = "75rem"  # from here on the contents stand beside the page and stay in sight
CONTENTS_STYLE = f"""<style>
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


def dark() -> bool:
    """Return whether the page is dark now."""
    return st.context.theme.type == "dark"


def chart(figure: go.Figure, *, key: str, **settings: Any) -> Any:
    """`st.plotly_chart` with axes, legend and notes in the page's ink: Streamlit's template writes
    axes in a grey that is too faint on a light page.
    """
    return st.plotly_chart(inked(figure, (DARK if dark() else LIGHT).ink), key=key, **settings)


def inked(figure: go.Figure, ink: str) -> go.Figure:
    """The figure with everything that is written outside of its marks in one colour."""
    figure.update_layout(font_color=ink, legend_font_color=ink)
    figure.update_xaxes(tickfont_color=ink, title_font_color=ink)
    figure.update_yaxes(tickfont_color=ink, title_font_color=ink)
    figure.update_annotations(font_color=ink)
    return figure


def selected_data(event: Any) -> list[list[float]]:
    """Return the `customdata` of the points that a person selected in a chart.

    >>> selected_data({"selection": {"points": [{"customdata": 3}, {"customdata": [1, 0.5]}, {}]}})
    [[3], [1.0, 0.5]]
    """
    points = (event or {}).get("selection", {}).get("points", [])
    return [np.ravel(point["customdata"]).tolist() for point in points if point.get("customdata") is not None]


def stacking_columns(name: str, spec: int | Sequence[float], **settings: Any) -> list[Any]:
    """`st.columns` that stand below each other on a page narrower than NARROW. `name` is unique."""
    with st.container(key=f"stacking_{name}"):
        columns: list[Any] = st.columns(spec, **settings)
    return columns


# --- contents -------------------------------------------------------------------------------------


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
    """Draw a list of what a page holds, in which a field finds while a person types, without a run
    of the page (contents.js). `parts` are listed while it is empty; `on_choose` gets a key.
    """

    def choose(value: Mapping[str, Any]) -> None:
        if isinstance(key := value.get("key"), str):
            on_choose(key)

    data = {
        "name": name,
        "label": label,
        "parts": [asdict(part) for part in parts],
        "entries": [asdict(entry) for entry in entries],
        "address": address(name, choose=choose),
    }
    component("contents")(key=name, data=data)


def columns_with_contents() -> list[Any]:
    """Two columns, the first for the contents; below each other on a screen narrower than WIDE."""
    st.html(CONTENTS_STYLE)
    with st.container(key="with_contents"):
        columns: list[Any] = st.columns([2, 9], gap="large")
    return columns


# --- options --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Form:
    options: Options = field(default_factory=Options.make)
    preset: str | None = None
    menu: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)


FORM: Slot[_Form] = Slot("options_form_state", _Form)
TARGET = Target(lambda form: form.options, lambda form, options: replace(form, options=options))


def options_form(current: Callable[[], Options], change: Callable[[Options], None]) -> None:
    """Draw the button that says how many options are changed, and the Explorer's form behind it."""
    heard = {kind: partial(_gesture, current, change, kind) for kind in controls.KINDS}
    at = address("options_form", **heard)
    form = replace(FORM.value, options=current())
    menu = options_menu(form, TARGET).as_data(form.faults)
    component("form")(key="options_form", data={"address": at, "controls": [menu]}, width="content")


def _gesture(
    current: Callable[[], Options], change: Callable[[Options], None], kind: str, value: Mapping[str, Any]
) -> None:
    before = replace(FORM.value, options=current())
    form = controls.after(before, (options_menu(before, TARGET),), controls.COMPONENT, kind, value)
    FORM.set(form)
    if form.options != before.options:
        change(form.options)
