"""Views: measures bring views, views bring measures, every view draws everything, and a new one
needs one line.
"""

from dataclasses import replace
from functools import cache

import pytest

from hiermeasures.draw.panel import Column, PanelTable, Row
from hiermeasures.draw.scene import Overlay
from hiermeasures.draw.views import (
    VIEWS,
    View,
    ViewState,
    overlay_for,
    steps,
    with_measure,
    with_view,
)
from hiermeasures.draw.views.pairing import FlowFigure
from hiermeasures.explore.library import figure, figures
from hiermeasures.measures import CATALOGUE, Explanation, explain
from tests.conftest import FIGURE_11A

from .hand import Hand


def test_steps_and_paths_belong_to_their_structure() -> None:
    at = ViewState(measure="HCM_F1", view="confusion", path=1, step=2)
    assert with_measure(at, "HCM_PPV") == ViewState("HCM_PPV", "confusion", None, 1, 2)
    assert with_measure(at, "GIE") == ViewState("GIE", "pairing")
    assert with_view(at, "counts") == ViewState("CoPHE_F1", "counts")


# --- every view, and one more -------------------------------------------------------------------


@cache
def explained(case: str) -> Explanation:
    return figure(case).explained()


def is_sound(overlay: Overlay, x: Explanation) -> bool:
    """True where all that is drawn has a place and a line of the legend."""
    kinds = {badge.kind for badge in overlay.badges.values()} | {
        link.kind for link in overlay.links
    }
    drawn = {
        *overlay.marks,
        *overlay.badges,
        *overlay.focus,
        *(c for k in overlay.links for c in (k.start, k.end)),
    }
    return kinds <= set(overlay.legend) and drawn <= set(x.hierarchy.nodes)


def is_full(panel: object) -> bool:
    """True where a panel has something to show, each row as many cells as there are columns."""
    if isinstance(panel, FlowFigure):
        return bool(panel.scene.shapes)
    assert isinstance(panel, PanelTable)
    return all(len(row.cells) == len(panel.columns) for row in panel.rows)


EMPTY = [((), ()), (("T1",), ()), ((), ("P1",)), (("A",), ("T1", "B"))]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_draws_every_case_of_the_library_and_empty_sides_with_its_panel_and_its_steps(
    view: str,
) -> None:
    of_structure = {measure.structure.key: key for key, measure in reversed(CATALOGUE.items())}
    cases = {case: explained(case) for case in figures()}
    cases |= {str(sides): explain(FIGURE_11A, *sides) for sides in EMPTY}
    for case, x in cases.items():
        for structure in VIEWS[view].structures:
            at = ViewState(of_structure[structure], view)
            overlay = overlay_for(x, at)
            assert is_sound(overlay, x), (case, structure)
            assert set(overlay.badges) <= set(overlay.marks), (case, structure)
            assert is_full(VIEWS[view].panel(x, at, overlay)), (case, structure)
            walked = steps(x, replace(at, step=0))
            assert bool(walked) == (VIEWS[view].walk is not None), (case, structure)
            for step in walked:
                assert step.phase
                assert step.sentence
                assert is_sound(step.overlay(), x), (case, structure, step.sentence)
                assert is_full(step.table()), (case, structure, step.sentence)


def test_a_new_view_is_drawn_by_its_line_of_the_registry_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = View(
        key="root",
        title="root",
        also=("classes",),
        overlay=lambda x, at: Overlay("The root", {}, focus=frozenset({x.hierarchy.root})),
        panel=lambda x, at, drawn: PanelTable(
            "The root", (Column("class"),), (Row((x.hierarchy.root,)),)
        ),
    )
    monkeypatch.setitem(VIEWS, "root", root)
    at = Hand().set("view", "root")
    assert at.data("panel")["caption"] == "The root"
    assert at.measure == "accuracy"
