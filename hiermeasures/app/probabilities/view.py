"""The view of one instance: from probabilities to a prediction and its expected values.

instance.py draws it. This module lists the starting points: figures of papers, the Explorer's
hierarchy, and instances of files of scores.
"""

from pathlib import Path

import streamlit as st

from hiermeasures.app.binding import bind
from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.app.probabilities.instance import follow_typing, one_instance
from hiermeasures.app.probabilities.model import (
    MOST_OFFERED,
    ScoredInstances,
    StartingPoint,
    begin,
    change,
    even,
    figures,
    model,
)
from hiermeasures.app.probabilities.parts import PREFIX, choose, setting
from hiermeasures.evaluation.scores import INCOHERENT
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


def draw_instance(scored: ScoredInstances | None = None) -> None:
    """Draw one instance from files of scores. Without files, draw a figure."""
    st.html(Path(__file__).with_name("style.css"))
    sources = _sources()
    _open(sources, scored)
    follow_typing()
    with st.container(key="probabilities", gap="small"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="probabilities_head"):
            if scored is not None and scored.ids:
                _choose_instance(scored)
            _choose_source(sources)
            with st.popover("Settings", key="probabilities_settings"):
                _settings()
        one_instance(_newer(sources))


def _choose_instance(scored: ScoredInstances) -> None:
    """Draw the fields of the system and the instance in files of scores."""
    now = scored.find(model().origin.title)
    names, ids = list(scored.systems), scored.ids
    system = now[0] if now else names[0]
    if len(names) > 1:
        bind(
            st.selectbox,
            PREFIX + "system",
            system,
            lambda name: begin(scored.starting_point(name, now[1] if now else ids[0])),
        )("System", names, width=220)
    bind(
        st.selectbox,
        PREFIX + "instance",
        now[1] if now else None,
        lambda name: begin(scored.starting_point(system, name)),
    )(
        "Instance",
        ids,
        width=220,
        placeholder="none chosen",
        help=f"The first {MOST_OFFERED:,} instances. Use Filter above to see others."
        if len(ids) == MOST_OFFERED
        else None,
    )


def _choose_source(sources: dict[str, StartingPoint]) -> None:
    now, edited = model().origin.title, model().edited
    bind(st.selectbox, PREFIX + "source", now, lambda title: begin(sources[title]))(
        "Probabilities of",
        list(sources),
        format_func=lambda title: f"{title}, changed" if title == now and edited else title,
        width=280,
        help="A figure of a paper with its numbers, or your hierarchy from the Explorer.",
    )


def _settings() -> None:
    choose(
        "Which truths are possible",
        READINGS,
        "what.reading",
        format_func=READINGS.__getitem__,
        help="Probabilities of single classes do not say which classes occur together. Choose "
        "an assumption to compute expected values.",
    )
    choose(
        "A measure is given",
        LABELS,
        "what.labels",
        format_func=LABELS.__getitem__,
        help="Plaud et al. compare sets with all their ancestors. For measures of pairs, choose "
        "the most specific classes.",
    )
    words = "Count the root as a class in set-based measures and in the curve."
    setting(st.toggle, "what.count_root")("Count the root", help=words)
    choose(
        "Classes that are likelier than their parent, in the curve",
        INCOHERENT,
        "what.incoherent",
        format_func=lambda key: f"{key}: {INCOHERENT[key]}",
    )
    setting(st.multiselect, "what.listed")("Measures in the table of values", list(CATALOGUE))


# --- what the page begins with --------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def _figures() -> dict[str, StartingPoint]:
    return figures(own_cases())


def _sources() -> dict[str, StartingPoint]:
    """Return the starting points: figures and the Explorer's hierarchy."""
    found = dict(_figures())
    if EXPLORER.filled:
        explored = EXPLORER.value.history.present
        if len(explored.hierarchy) > 1:
            title = f"Explorer: {explored.title}"
            found[title] = even(
                explored.hierarchy, title, explored.instance.options, explored.instance.true
            )
    return found


def _open(sources: dict[str, StartingPoint], scored: ScoredInstances | None) -> None:
    """Begin with the first instance of new files, or with a figure on a first visit.

    The list of sources keeps the present one.
    """
    if scored is not None and model().files is not scored.files and scored.ids:
        change(files=scored.files)
        begin(scored.starting_point(next(iter(scored.systems)), scored.ids[0]))
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
    """Return the new source if you changed its hierarchy in the Explorer."""
    source = sources[model().origin.title]
    return None if source.probabilities.hierarchy == model().probabilities.hierarchy else source
