"""The page's settings as fields: each shows one attribute of the model and sets it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from hiermeasures.inference import INCOHERENT, INTERPOLATIONS
from hiermeasures.measures import CATALOGUE
from hiermeasures.ui.binding import bind, changing
from hiermeasures.ui.popover import popover
from hiermeasures.ui.probabilities.model import FILE, ONE, PROBABILITIES, Source, begin, model

PREFIX = "prob_"
READINGS = {"single_path": "One path is true", "independent": "Classes are independent, given their parents"}
LABELS = {"all": "All classes, ancestors included", "most_specific": "The most specific classes only"}


def setting(widget: Callable[..., Any], name: str, value: Any) -> Callable[..., Any]:
    """A widget as the field of a setting, to be called as `bind` says."""
    return bind(widget, PREFIX + name, value, changing(PROBABILITIES, name))


def choose(label: str, options: Sequence[str], name: str, **settings: Any) -> None:
    """A select box for a setting."""
    setting(st.selectbox, name, getattr(model(), name))(label, list(options), **settings)


def view_switch() -> None:
    """One instance, or a file."""
    setting(st.segmented_control, "view", model().view)(
        "Look at",
        [ONE, FILE],
        required=True,
        help="One instance: its tree, its curve and every candidate prediction. A file: a whole test set.",
        width="content",
    )


def settings_button(content: Callable[[], None]) -> None:
    """The popover of settings."""
    panel = popover("Settings", key="probabilities_settings")
    if panel.open:
        with panel:
            content()


def source_choice(sources: Mapping[str, Source]) -> None:
    """What the page begins with."""
    bind(st.selectbox, PREFIX + "source", model().on_sheet.source.title, lambda title: begin(sources[title]))(
        "Probabilities of",
        list(sources),
        width=280,
        help="Figures of papers with their numbers, or the hierarchy that is open in the Explorer.",
    )


def unfolded(label: str, name: str) -> Any:
    """A part of the page that begins folded. Draw into it only where its `open` says so: what nobody sees is not
    computed.
    """
    return st.expander(label, key=f"{PREFIX}fold_{name}", on_change="rerun")


def instance_settings() -> None:
    """How one instance is read and measured."""
    choose(
        "Which truths are possible",
        list(READINGS),
        "reading",
        format_func=READINGS.__getitem__,
        help="Probabilities of single classes do not say which classes occur together; a reading has to be chosen "
        "before anything can be expected.",
    )
    choose(
        "A measure is given",
        list(LABELS),
        "labels",
        format_func=LABELS.__getitem__,
        help="Plaud et al. compare whole sets with their ancestors; pair-based measures are meant for the most "
        "specific classes.",
    )
    curve_settings()
    setting(st.multiselect, "listed", list(model().listed))("Measures in the table of values", list(CATALOGUE))


def curve_settings() -> None:
    """How curves and areas are made."""
    setting(st.toggle, "count_root", model().count_root)(
        "Count the root", help="Whether set-based measures and the curve count the root as a class."
    )
    choose("Area under the curve", list(INTERPOLATIONS), "interpolation", format_func=_with_meaning(INTERPOLATIONS))
    choose(
        "A class likelier than its parent, in the curve",
        list(INCOHERENT),
        "incoherent",
        format_func=_with_meaning(INCOHERENT),
    )


def _with_meaning(meanings: dict[str, str]) -> Callable[[str], str]:
    return lambda key: f"{key}: {meanings[key]}"
