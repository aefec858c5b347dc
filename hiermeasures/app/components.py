"""Our components in Streamlit pages.

The module also has charts in the page's text colour, columns that stack on a narrow page, a list of
contents, and the form of options.

*Scripts.* Streamlit sends a component's script and style sheet with every run that draws it. Ours
are in one file that browsers keep (scripts.py). A component is a stub that calls the file.

*Gestures.* A trigger value of Streamlit contains one event, and the next event replaces it while a
page runs. The page therefore keeps an outbox (outbox.js): all gestures, numbered, as one state
value of the `mailbox`. The outbox repeats a gesture until Python confirms its number (inbox.py). So
no gesture is lost or applied twice, and their order is kept.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from markupsafe import Markup
from streamlit.components.v2.types import ComponentRenderer

from hiermeasures.app.inbox import BUTTONS, MAILBOX, PAGE, apply_pending, hear, session_inbox
from hiermeasures.app.scripts import script_file
from hiermeasures.draw.panel import Panel
from hiermeasures.draw.text import escaped, sentence
from hiermeasures.evaluation.plots import take_caption
from hiermeasures.explore import controls
from hiermeasures.explore.formulas import mathml
from hiermeasures.explore.options_form import Target, options_menu
from hiermeasures.explore.parts import COMPONENTS
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.expressions import ExpressionError
from hiermeasures.hierarchy.options import Options
from hiermeasures.read import csv_text

CHART = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["toImage", "zoomIn2d", "zoomOut2d", "autoScale2d", "zoom2d"],
}
STILL = {"displayModeBar": False}


@cache
def component(name: str) -> ComponentRenderer:
    """Return a component of COMPONENTS. It is registered with Streamlit at the first call."""
    stub = f"""const scripts = import(new URL("{script_file()[0]}", document.baseURI));
export default async (c) => (await (await scripts).load("{name}", c.parentElement))(c);"""
    html = COMPONENTS[name].html if name in COMPONENTS else f'<div class="hm-{name}"></div>'
    return st.components.v2.component(f"hiermeasures_{name}", html=html, js=stub)


def mount(data: Mapping[str, Any]) -> None:
    """Draw a screen of controls (explorer.js). The data names the model of its gestures."""
    sent = json.dumps(
        data, separators=(",", ":"), ensure_ascii=False
    ).encode()  # Streamlit would put in blanks
    component("explorer")(key=f"{data['model']}_screen", data=sent)


def mailbox() -> None:
    """Mount the mailbox of the page's gestures. Call it once, after everything that makes
    gestures.
    """
    data = {**session_inbox().address(PAGE), "buttons": st.session_state.get(BUTTONS, {})}
    component("mailbox")(key=MAILBOX, data=data, on_pending_change=apply_pending)


# --- tables, figures and texts --------------------------------------------------------------------


def show_panel(
    panel: Panel,
    *,
    key: str,
    on_choose: Callable[[str, str | None], None] = lambda row, column: None,
) -> None:
    """Show the table or figure of a view.

    `on_choose` gets the key of a row that the person chooses. It also gets the key of the column if
    they chose a cell. The column's key comes from the browser, so do not trust it.
    """

    def choose(value: Mapping[str, Any]) -> None:
        row, column = panel.chosen(value), value.get("column")
        if row is not None:
            on_choose(row, column if isinstance(column, str) else None)

    component(panel.component)(key=key, data=panel.as_data() | {"address": hear(key, choose)})


def show_text(
    text: str, kind: Literal["text", "note", "line", "code", "error"] = "text", *, key: str
) -> None:
    """Show a text exactly as it is, without markup, formulas or links, because it may contain
    labels.

    A "line" is cut if it is too long. "code" has a button that copies it. `st.code` would load 1.6
    MB for that. An "error" is announced to screen readers.
    """
    component("text")(key=key, data={"text": text, "kind": kind})


def formula(latex: str) -> Markup:
    """Return a formula for `st.html`, which removes MathML. formulas.js makes it from the parts."""
    parts, start, depth = [], 0, 0
    for found in re.finditer(r"\\.|[{}]| (?== )", latex):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if found[0] == " " and not depth:  # a formula breaks at its relations
            parts.append(latex[start : found.start()])
            start = found.end()
    made = [mathml(part) for part in (*parts, latex[start:])]
    sent = json.dumps(made, separators=(",", ":"), ensure_ascii=False)
    return Markup('<div class="hm-formula" data-formula="{}"></div>').format(sent)


def show_expression_fault(fault: InputError, *, key: str) -> None:
    """Show the fault of an expression, and mark its place if it has one."""
    if isinstance(fault, ExpressionError):
        show_text(fault.underlined, "code", key=f"{key}_place")
        fault = InputError(fault.reason)
    show_text(sentence(fault), "error", key=key)


# --- charts and columns ---------------------------------------------------------------------------


def dark() -> bool:
    """Return True if the page is dark now."""
    return st.context.theme.type == "dark"


def chart(
    figure: go.Figure, *, key: str, data: Callable[[], pd.DataFrame] | None = None, **settings: Any
) -> Any:
    """Draw a figure of hiermeasures.evaluation.plots, with its caption and a menu to save it.

    The picture is saved as SVG or PNG as it is on the screen, with the caption, and its `data` as
    CSV. The file name is the `key` up to a "|".
    """
    name, caption = key.partition("|")[0], take_caption(figure)
    with st.container(key=f"chart_{name}", gap="xxsmall"):
        drawn = st.plotly_chart(figure, key=key, **settings)
        with st.container(horizontal=True, gap="small", key=f"below_{name}"):
            st.caption(escaped(caption), width="stretch")
            with st.popover("Save", icon=":material/download:", type="tertiary", width="content"):
                sent = {"name": name, "chart": f"chart_{name}", "caption": caption}
                component("picture")(key=f"picture_{name}", data=sent)
                if data is not None:
                    _offer_csv(name, data)
    return drawn


def _offer_csv(name: str, data: Callable[[], pd.DataFrame]) -> None:
    st.download_button(
        "Data as CSV",
        lambda: frame_csv(data()),
        f"{name}.csv",
        key=f"data_{name}",
        on_click="ignore",
        width="stretch",
    )


def frame_csv(frame: pd.DataFrame) -> str:
    """Return a table as safe CSV, with its index in the first columns if it has a name.

    >>> frame_csv(pd.DataFrame({"hF": [0.5]}, index=pd.Index(["=x"], name="system")))
    "system,hF\\n'=x,0.5\\n"
    """
    plain = frame if frame.index.names == [None] else frame.reset_index()
    return csv_text(plain.columns, plain.to_numpy(object, na_value="").tolist())


def selected_data(event: Any) -> list[list[float]]:
    """Return the `customdata` of the points that a person selected in a chart.

    >>> selected_data({"selection": {"points": [{"customdata": 3}, {"customdata": [1, 0.5]}, {}]}})
    [[3], [1.0, 0.5]]
    """
    points = (event or {}).get("selection", {}).get("points", [])
    return [
        np.ravel(point["customdata"]).tolist()
        for point in points
        if point.get("customdata") is not None
    ]


def stacking_columns(name: str, spec: int | Sequence[float], **settings: Any) -> list[Any]:
    """Return `st.columns` that stack on a narrow page (style.css). Each set has its own `name`."""
    with st.container(key=f"stacking_{name}"):
        columns: list[Any] = st.columns(spec, **settings)
    return columns


# --- contents -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MenuEntry:
    """A place of the page, or a choice, in a list of contents.

    `text` is searched but not shown. `to` is the key of a container or the id of an element, and
    `inside` is the key of the expander around it. If an entry has a `key`, choosing it sends the
    key to Python. `address` opens the same choice in another tab.
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
    entries: Iterable[MenuEntry],
    parts: Iterable[MenuEntry] = (),
    on_choose: Callable[[str], object] = lambda key: None,
) -> None:
    """Draw a list of what a page contains, with a search field (contents.js).

    The list changes while you type, without a run of the page. It shows the `parts` while the field
    is empty. `on_choose` gets the key of the chosen entry.
    """
    data = {
        "name": name,
        "label": label,
        "parts": [asdict(part) for part in parts],
        "entries": [asdict(entry) for entry in entries],
        "address": hear(name, lambda value: on_choose(str(value.get("key")))),
    }
    component("contents")(key=name, data=data)


# --- options --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Form:
    options: Options = field(default_factory=Options.make)
    preset: str | None = None
    menu: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)


TARGET = Target(lambda form: form.options, lambda form, options: replace(form, options=options))


def options_form(current: Callable[[], Options], change: Callable[[Options], object]) -> None:
    """Draw the button that counts the changed options, with the Explorer's form behind it."""

    def form() -> _Form:
        kept: _Form = st.session_state.get("options_form_state", _Form())
        return replace(kept, options=current())

    def choose(value: Mapping[str, Any]) -> None:
        before = form()
        screen = (options_menu(before, TARGET),)
        after = controls.after(before, screen, str(value.get("key")), value.get("value"))
        st.session_state["options_form_state"] = after
        if after.options != before.options:
            change(after.options)

    data = {
        "address": hear("options_form", choose),
        "controls": [options_menu(form(), TARGET).as_data(form().faults)],
    }
    component("form")(key="options_form", data=data, width="content")
