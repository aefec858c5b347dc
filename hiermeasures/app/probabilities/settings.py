"""Fields of the page's settings, and the look of its tables."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app import binding
from hiermeasures.app.binding import popover
from hiermeasures.app.probabilities.model import FILE, ONE, PROBABILITIES, Source, begin, model
from hiermeasures.measures import CATALOGUE
from hiermeasures.probabilities import INCOHERENT, INTERPOLATIONS

PREFIX = "prob_"
ROW, HEADER = 27, 35  # heights in tables, in pixels
READINGS = {"single_path": "One path is true", "independent": "Classes are independent, given their parents"}
LABELS = {"all": "All classes, ancestors included", "most_specific": "The most specific classes only"}


def setting(widget: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a widget as the field of a setting, to be called as `bind` says."""
    return binding.setting(widget, PREFIX + name, PROBABILITIES, name)


def choose(label: str, options: Iterable[str], name: str, **settings: Any) -> None:
    """Draw a select box for a setting."""
    setting(st.selectbox, name)(label, list(options), **settings)


def view_switch() -> None:
    """Draw the switch between one instance and a file."""
    setting(st.segmented_control, "view")(
        "Look at",
        [ONE, FILE],
        required=True,
        label_visibility="collapsed",
        help="One instance: its tree, its curve and every candidate prediction. A file: a whole test set.",
        width="content",
    )


def settings_button(content: Callable[[], None]) -> None:
    """Draw the popover of settings."""
    panel = popover("Settings", key="probabilities_settings")
    if panel.open:
        with panel:
            content()


def source_choice(sources: Mapping[str, Source]) -> None:
    """Draw the choice of the probabilities to begin with."""
    sheet = model().on_sheet
    binding.bind(st.selectbox, PREFIX + "source", sheet.source.title, lambda title: begin(sources[title]))(
        "Probabilities of",
        list(sources),
        format_func=lambda title: f"{title}, changed" if title == sheet.source.title and sheet.edited else title,
        width=280,
        label_visibility="collapsed",
        help="Figures of papers with their numbers, or the hierarchy that is open in the Explorer.",
    )


def unfolded(label: str, name: str) -> Any:
    """Return a part that begins folded; draw into it only where it is `open`."""
    return st.expander(label, key=f"{PREFIX}fold_{name}", on_change="rerun")


def instance_settings() -> None:
    """Draw the settings of one instance."""
    choose(
        "Which truths are possible",
        READINGS,
        "reading",
        format_func=READINGS.__getitem__,
        help="Probabilities of single classes do not say which classes occur together; a reading has to be chosen "
        "before anything can be expected.",
    )
    choose(
        "A measure is given",
        LABELS,
        "labels",
        format_func=LABELS.__getitem__,
        help="Plaud et al. compare whole sets with their ancestors; pair-based measures are meant for the most "
        "specific classes.",
    )
    curve_settings()
    setting(st.multiselect, "listed")("Measures in the table of values", list(CATALOGUE))


def curve_settings() -> None:
    """Draw the settings of curves and areas."""
    setting(st.toggle, "count_root")(
        "Count the root", help="Whether set-based measures and the curve count the root as a class."
    )
    choose("Area under the curve", INTERPOLATIONS, "interpolation", format_func=_with_meaning(INTERPOLATIONS))
    choose(
        "A class likelier than its parent, in the curve",
        INCOHERENT,
        "incoherent",
        format_func=_with_meaning(INCOHERENT),
    )


def _with_meaning(meanings: dict[str, str]) -> Callable[[str], str]:
    return lambda key: f"{key}: {meanings[key]}"


# --- tables ---------------------------------------------------------------------------------------


def show_table(frame: pd.DataFrame, name: str, *, rows: int, select: bool = False, **settings: Any) -> int | None:
    """Show a table with at most so many rows in view; return the number of the selected row."""
    shown: Any = st.dataframe(
        frame,
        hide_index=True,
        key=PREFIX + name,
        on_select="rerun" if select else "ignore",
        selection_mode="single-row",
        row_height=ROW,
        height=height(frame, rows),
        placeholder="–",
        **settings,
    )
    chosen = shown["selection"]["rows"] if select else []
    return chosen[0] if chosen and chosen[0] < len(frame) else None


def height(frame: pd.DataFrame, most: int) -> int:
    """Return the height of a table with at most so many rows in view, in pixels."""
    return ROW * min(len(frame), most) + HEADER + 2


def decimals(help: str, label: str | None = None, **settings: Any) -> Any:
    """Return a column of numbers with three decimals."""
    return st.column_config.NumberColumn(label, format="%.3f", help=help, **settings)
