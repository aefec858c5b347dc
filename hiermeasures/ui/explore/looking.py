"""What a person looks at: one measure, the view that draws its structure, and how far into it they have gone.

Choosing a measure brings a view that draws it, choosing a view brings the best known of its measures. What a view looks
like is said in overlays and in evidence; here is only which one it is.
"""

from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from hiermeasures.measures import CATALOGUE
from hiermeasures.options import Options
from hiermeasures.ui.fields import is_entry, key_showing


@dataclass(frozen=True)
class View:
    """A way to draw structures on the hierarchy. The first of `structures` is the one that the view brings."""

    key: str
    title: str
    structures: tuple[str, ...]
    about: str

    @property
    def best_known(self) -> str:
        """The measure that the view brings."""
        return next(key for key, measure in CATALOGUE.items() if measure.structure.key == self.structures[0])


PAIRINGS = ("pairing_MGIA", "pairing_GIE", "pairing_TIE", "pairing_all_pairs", "pairing_own")

VIEWS = {
    view.key: view
    for view in (
        View("classes", "classes", ("flat",), "The true and predicted classes alone."),
        View("ancestors", "ancestors", ("augmented", "h_loss"), "Both sets with all ancestors of their classes."),
        View("descendants", "descendants", ("descendants",), "Both sets with all descendants of their classes."),
        View("lca", "LCA", ("lca",), "The graphs that join each class with its nearest of the other side."),
        View(
            "pairing",
            "pairing",
            PAIRINGS,
            "Which true class pairs with which predicted one, and the flow network that decides it.",
        ),
        View("confusion", "confusion", ("confusion",), "The four cells of every predicted path."),
        View("counts", "counts", ("counts",), "How many true and predicted classes lie at or below every class."),
        View(
            "distances",
            "distances",
            ("shortest_path", *PAIRINGS),
            "The distance of every predicted from every true class.",
        ),
    )
}

WITH_STEPS = ("lca", "pairing", "confusion")


@dataclass(frozen=True)
class Looking:
    """The chosen measure and view; which LCA graphs (None: those of the options) and which path of the confusion matrix
    (None: all), counted from 0; and the step that is shown, counted from 0 (None: the result).

    >>> Looking().choosing("GIE").view, Looking().viewing("confusion").measure
    ('pairing', 'HCM_F1')
    >>> Looking().choosing("GIE").viewing("distances").measure
    'GIE'
    """

    measure: str = "hF"
    view: str = "ancestors"
    graphs: Literal["minimal", "extended"] | None = None
    path: int | None = None
    step: int | None = None

    @property
    def structure(self) -> str:
        """The structure that the measure is read off."""
        return CATALOGUE[self.measure].structure.key

    @property
    def stepping(self) -> bool:
        """Whether a step is shown instead of the result."""
        return self.step is not None and self.view in WITH_STEPS

    def choosing(self, measure: str) -> "Looking":
        """The same with another measure, and a view that draws it."""
        structure = CATALOGUE[measure].structure.key
        candidates = [VIEWS[self.view], *VIEWS.values()]
        view = next(v.key for v in candidates if structure in v.structures)
        kept = structure == self.structure and view == self.view
        chosen = Looking(measure, view, "extended" if measure.endswith("_ext") else None)
        return replace(chosen, path=self.path, step=self.step) if kept else chosen

    def viewing(self, view: str) -> "Looking":
        """The same in another view, and a measure that is drawn there."""
        measure = self.measure if self.structure in VIEWS[view].structures else VIEWS[view].best_known
        return replace(Looking(measure, view), graphs=self.graphs if view == self.view else None)

    def graphs_shown(self, options: Options) -> Literal["minimal", "extended"]:
        """Which LCA graphs are drawn."""
        return self.graphs or options.graphs


def looking() -> Looking:
    """What is looked at in this session."""
    return st.session_state.setdefault("looking", Looking())


def look(at: Looking) -> None:
    """Look at something else."""
    st.session_state.looking = at


def view_switch() -> None:
    """The switch above the graph: one view at a time."""
    key = key_showing("view", looking().view)
    with st.container(horizontal=True, vertical_alignment="center", key="views"):
        st.markdown("Show", width="content")
        st.segmented_control(
            "What is drawn on the hierarchy",
            list(VIEWS),
            key=key,
            required=True,
            label_visibility="collapsed",
            format_func=lambda view: VIEWS[view].title,
            on_change=_choose_view,
            args=(key,),
        )


def _choose_view(key: str) -> None:
    if is_entry("view", key) and st.session_state[key] in VIEWS:
        look(looking().viewing(st.session_state[key]))
