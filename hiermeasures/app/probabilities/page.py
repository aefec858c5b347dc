"""The Probabilities page: from probabilities to a prediction, and what a measure makes of it, for
one instance (instance.py) or a file (file.py); and what the page can begin with.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from hiermeasures.app.binding import bind
from hiermeasures.app.components import mailbox
from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.app.pages import Page
from hiermeasures.app.probabilities import file as probability_file
from hiermeasures.app.probabilities.instance import follow_typing, one_instance
from hiermeasures.app.probabilities.model import FILE, ONE, Source, begin, change, even, figures, model
from hiermeasures.app.probabilities.parts import PREFIX, choose, setting
from hiermeasures.cases.library import own_cases
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.measures import CATALOGUE
from hiermeasures.probabilities import INCOHERENT, INTERPOLATIONS, NodeProbabilities

OPENING_FIGURE = "Figure 3"
READINGS = {"single_path": "One path is true", "independent": "Classes are independent, given their parents"}
LABELS = {"all": "All classes, ancestors included", "most_specific": "The most specific classes only"}


def page() -> None:
    """Draw the page."""
    st.html(Path(__file__).with_name("style.css"))
    sources = _sources()
    _open(sources)
    follow_typing()
    in_file = model().view == FILE
    with st.container(horizontal=True, vertical_alignment="center", key="probabilities_head"):
        st.title("Probabilities", width="content")
        _view_switch()
        if not in_file:
            _source_choice(sources)
        _settings_button(_curve_settings if in_file else _instance_settings)
    if in_file:
        probability_file.show(_file_hierarchies(sources), _open_instance)
    else:
        one_instance(_newer(sources))
    mailbox()


# --- choices and settings -------------------------------------------------------------------------


def _view_switch() -> None:
    """Draw the switch between one instance and a file."""
    setting(st.segmented_control, "view")(
        "Look at",
        [ONE, FILE],
        required=True,
        label_visibility="collapsed",
        help="One instance: its tree, its curve and every candidate prediction. A file: a whole test set.",
        width="content",
    )


def _settings_button(content: Callable[[], None]) -> None:
    """Draw the popover of settings."""
    with st.popover("Settings", key="probabilities_settings"):
        content()


def _source_choice(sources: Mapping[str, Source]) -> None:
    """Draw the choice of the probabilities to begin with."""
    sheet = model().on_sheet
    bind(st.selectbox, PREFIX + "source", sheet.source.title, lambda title: begin(sources[title]))(
        "Probabilities of",
        list(sources),
        format_func=lambda title: f"{title}, changed" if title == sheet.source.title and sheet.edited else title,
        width=280,
        label_visibility="collapsed",
        help="Figures of papers with their numbers, or the hierarchy that is open in the Explorer.",
    )


def _instance_settings() -> None:
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
    _curve_settings()
    setting(st.multiselect, "listed")("Measures in the table of values", list(CATALOGUE))


def _curve_settings() -> None:
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


# --- what the page begins with --------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def _figures() -> dict[str, Source]:
    return figures(own_cases())


def _sources() -> dict[str, Source]:
    """Return the sources of a sheet: figures, the Explorer's hierarchy, an instance of a file."""
    found = dict(_figures())
    if EXPLORER.filled:
        explored = EXPLORER.value.history.present
        if len(explored.hierarchy) > 1:
            title = f"Explorer: {explored.title}"
            found[title] = even(explored.hierarchy, title, explored.instance.options, explored.instance.true)
    opened = model().opened
    return found | ({opened.title: opened} if opened else {})


def _open(sources: dict[str, Source]) -> None:
    """Lay out the sheet of a first visit, and keep the sheet's source among those there are."""
    now = model().sheet
    if now is None:
        begin(
            next((s for title, s in sources.items() if title.startswith(OPENING_FIGURE)), next(iter(sources.values())))
        )
    elif now.source.title not in sources:
        sources[now.source.title] = now.source
    elif (newer := _newer(sources)) is not None and not now.edited:
        begin(newer)


def _newer(sources: dict[str, Source]) -> Source | None:
    """The sheet's source, if its hierarchy was changed in the Explorer since."""
    now = model().on_sheet
    source = sources[now.source.title]
    return None if source.probabilities.hierarchy == now.hierarchy else source


def _open_instance(title: str, probabilities: NodeProbabilities, truth: frozenset[str]) -> None:
    words = "An instance of a file. Edits stay here; the file is not changed."
    options = model().on_sheet.source.options
    opened = Source(title, probabilities, options, truth & frozenset(probabilities.hierarchy.nodes), words=words)
    begin(opened)
    change(opened=opened, view=ONE)


def _file_hierarchies(sources: dict[str, Source]) -> dict[str, Hierarchy]:
    """The hierarchies that a file may be read with, the one on the sheet first."""
    now = model().on_sheet
    named = {f"{now.source.title} (on this page)": now.hierarchy}
    return named | {title: s.probabilities.hierarchy for title, s in sources.items() if title != now.source.title}


PAGE = Page("Probabilities", page, "Expected values of a prediction under a distribution, and thresholds.")
