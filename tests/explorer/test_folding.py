"""A hierarchy that cannot be read at a glance begins folded, whichever host it came to."""

from collections.abc import Callable

import pytest

from hiermeasures.app.explore.model import Explorer as AppState
from hiermeasures.behaviour.random_hierarchies import random_hierarchy
from hiermeasures.explorer.model import State
from hiermeasures.explorer.share_link import decoded, encoded
from hiermeasures.explorer.state import History, Shown
from hiermeasures.notebook import Explorer as Widget
from hiermeasures.picture.layout import READABLE
from hiermeasures.picture.views import OPENING

from .hand import Hand

DAG = Shown.make(random_hierarchy(200, 5, 6, 0.3, 1), title="dag")


@pytest.mark.parametrize(
    "begun",
    [
        lambda: State(History(DAG)),
        lambda: Hand().state.showing(DAG),
        lambda: AppState(History(decoded(encoded(DAG, OPENING)).shown)),
        lambda: Widget(DAG.hierarchy)._state,
    ],
    ids=["opened with it", "loaded later", "by a link", "in a notebook"],
)
def test_a_large_dag_begins_folded_by_every_way_in(begun: Callable[[], State]) -> None:
    at = Hand(begun())
    (note,) = at.data("graph")["scene"]["notes"][-1:]
    assert f"of {len(DAG.hierarchy)} classes drawn" in note
    assert len(at.shapes) <= READABLE


def test_a_click_on_a_count_draws_the_children_too_and_they_can_be_folded_again() -> None:
    at = Hand(DAG)
    folded = next(shape for shape in at.shapes.values() if shape["folded"])
    before = len(at.shapes)
    at.do("graph", "unfold", id=folded["id"], name=folded["title"])
    assert len(at.shapes) > before
    assert at.data("graph")["anchor"] == at.shapes[folded["title"]]["id"]
    assert at.data("graph")["unfolded"]
    at.do("graph", "fold")
    assert len(at.shapes) == before
    assert "unfolded" not in at.data("graph")


def test_a_new_class_is_drawn_for_its_name_is_awaited() -> None:
    at = Hand(DAG).set("click", "✎ edit")
    at.set("edit_selected", [*at.shapes][-1]).press("edit_child")
    assert at.data("graph")["editing"]["naming"]
    assert at.state.pencil.naming in at.shapes
