"""The Probabilities page: from probabilities to a prediction, and what a measure makes of it, for
one instance (instance.py) or a file (file.py); and what the page can begin with.
"""

from pathlib import Path

import streamlit as st

from hiermeasures.app.binding import bind
from hiermeasures.app.components import mailbox
from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.app.pages import Page
from hiermeasures.app.probabilities import file as probability_file
from hiermeasures.app.probabilities.instance import follow_typing, one_instance
from hiermeasures.app.probabilities.model import (
    FILE,
    ONE,
    StartingPoint,
    begin,
    change,
    even,
    figures,
    model,
)
from hiermeasures.app.probabilities.parts import PREFIX, choose, setting
from hiermeasures.evaluation.scores import INCOHERENT, INTERPOLATIONS, NodeProbabilities
from hiermeasures.measures import CATALOGUE
from hiermeasures.verify.library import own_cases

OPENING_FIGURE = "Figure 3"
READINGS = {
    "single_path": "One path is true",
    "independent": "Classes are independent, given their parents",
}
LABELS = {
    "all": "All classes, ancestors included",
    "most_specific": "The most specific classes only",
}


def page() -> None:
    """Draw the page."""
    st.html(Path(__file__).with_name("style.css"))
    sources = _sources()
    _open(sources)
    follow_typing()
    in_file = model().view == FILE
    with st.container(horizontal=True, vertical_alignment="center", key="probabilities_head"):
        st.title("Probabilities", width="content")
        setting(st.segmented_control, "view")(
            "Look at",
            [ONE, FILE],
            required=True,
            label_visibility="collapsed",
            help="One instance: its tree, its curve and every candidate prediction. A file: a "
            "whole test set.",
            width="content",
        )
        if not in_file:
            _choose_source(sources)
        with st.popover("Settings", key="probabilities_settings"):
            _settings(in_file)
    now = model()
    if in_file:
        hierarchies = {f"{now.origin.title} (on this page)": now.probabilities.hierarchy}
        hierarchies |= {
            t: s.probabilities.hierarchy for t, s in sources.items() if t != now.origin.title
        }
        probability_file.show(hierarchies, _open_instance)
    else:
        one_instance(_newer(sources))
    mailbox()


def _choose_source(sources: dict[str, StartingPoint]) -> None:
    now, edited = model().origin.title, model().edited
    bind(st.selectbox, PREFIX + "source", now, lambda title: begin(sources[title]))(
        "Probabilities of",
        list(sources),
        format_func=lambda title: f"{title}, changed" if title == now and edited else title,
        width=280,
        label_visibility="collapsed",
        help="Figures of papers with their numbers, or the hierarchy that is open in the Explorer.",
    )


def _settings(in_file: bool) -> None:
    if not in_file:
        choose(
            "Which truths are possible",
            READINGS,
            "reading",
            format_func=READINGS.__getitem__,
            help="Probabilities of single classes do not say which classes occur together; a "
            "reading has to be chosen "
            "before anything can be expected.",
        )
        choose(
            "A measure is given",
            LABELS,
            "labels",
            format_func=LABELS.__getitem__,
            help="Plaud et al. compare whole sets with their ancestors; pair-based measures are "
            "meant for the most "
            "specific classes.",
        )
    words = "Whether set-based measures and the curve count the root as a class."
    setting(st.toggle, "count_root")("Count the root", help=words)
    for label, meanings, name in (
        ("Area under the curve", INTERPOLATIONS, "interpolation"),
        ("A class likelier than its parent, in the curve", INCOHERENT, "incoherent"),
    ):
        choose(
            label,
            meanings,
            name,
            format_func=lambda key, meanings=meanings: f"{key}: {meanings[key]}",
        )
    if not in_file:
        setting(st.multiselect, "listed")("Measures in the table of values", list(CATALOGUE))


# --- what the page begins with --------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def _figures() -> dict[str, StartingPoint]:
    return figures(own_cases())


def _sources() -> dict[str, StartingPoint]:
    """Return the starting points: figures, the Explorer's hierarchy, an instance of a file."""
    found = dict(_figures())
    if EXPLORER.filled:
        explored = EXPLORER.value.history.present
        if len(explored.hierarchy) > 1:
            title = f"Explorer: {explored.title}"
            found[title] = even(
                explored.hierarchy, title, explored.instance.options, explored.instance.true
            )
    opened = model().opened
    return found | ({opened.title: opened} if opened else {})


def _open(sources: dict[str, StartingPoint]) -> None:
    """Begin a first visit with a figure, and keep the source among those there are."""
    now = model().source
    if now is None:
        begin(
            next(
                (s for title, s in sources.items() if title.startswith(OPENING_FIGURE)),
                next(iter(sources.values())),
            )
        )
    elif now.title not in sources:
        sources[now.title] = now
    elif (newer := _newer(sources)) is not None and not model().edited:
        begin(newer)


def _newer(sources: dict[str, StartingPoint]) -> StartingPoint | None:
    """The source, if its hierarchy was changed in the Explorer since."""
    source = sources[model().origin.title]
    return None if source.probabilities.hierarchy == model().probabilities.hierarchy else source


def _open_instance(title: str, probabilities: NodeProbabilities, truth: frozenset[str]) -> None:
    words = "An instance of a file. Edits stay here; the file is not changed."
    truth &= frozenset(probabilities.hierarchy.nodes)
    opened = StartingPoint(title, probabilities, model().origin.options, truth, words=words)
    begin(opened)
    change(opened=opened, view=ONE)


PAGE = Page(
    "Probabilities", page, "Expected values of a prediction under a distribution, and thresholds."
)
