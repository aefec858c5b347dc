"""The Behaviour page without a browser: what it finds, what a cell shows, and the way to the Explorer."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.behaviour import study
from hiermeasures.options import Options
from hiermeasures.ui.behaviour.model import BEHAVIOUR, Asked, BehaviourModel
from hiermeasures.ui.explore.model import EXPLORER

from .screen import bound

PAGE = "from hiermeasures.ui.behaviour.page import page\npage()"
SMALL = Asked(measures=("hF", "GIE"), trees=3, dags=3, pair=("hF", "GIE"))


def run(page: AppTest) -> AppTest:
    """Run the page until its search has finished."""
    for _ in range(100):
        page.run()
        assert not page.exception, [e.stack_trace for e in page.exception]
        if page.session_state[BEHAVIOUR.name].job is None:
            return page
        page.session_state[BEHAVIOUR.name].job.wait(10)
    raise AssertionError("the search does not end")


@pytest.fixture
def page() -> AppTest:
    """The page on trees and DAGs of up to 3 classes, which need no kernels."""
    app = AppTest.from_string(PAGE, default_timeout=60)
    app.session_state[BEHAVIOUR.name] = BehaviourModel(asked=SMALL)
    return run(app)


def frame(page: AppTest):
    return page.dataframe[0].value


def shown(page: AppTest) -> str:
    return "\n".join(e.value for kind in (page.markdown, page.caption, page.success, page.info) for e in kind)


def test_the_matrix_is_what_the_search_finds(page):
    found = study(["hF", "GIE"], trees=3, dags=3).verdicts
    cells = frame(page)
    assert list(cells.columns) == ["hF", "GIE"]
    assert len(cells) == len(found)
    assert cells.loc["More truth never hurts", "GIE"] == "✗ 3"
    assert cells.loc["More truth never hurts", "hF"] == "✓ 25"


def test_a_broken_property_shows_both_pictures_and_values(page):
    bound(page, "behaviour_property").set_value("more_truth_never_hurts")
    bound(page, "behaviour_measure").set_value("GIE")
    run(page)
    assert "`GIE` **2** (lower is better)" in shown(page)
    assert "`GIE` **5** (lower is better)" in shown(page)


def test_a_kept_property_says_up_to_where(page):
    bound(page, "behaviour_measure").set_value("hF")
    run(page)
    assert "Kept up to 3 classes, in 25 pairs of instances." in shown(page)


def test_two_measures_that_disagree_open_in_the_explorer_with_before_pinned(page, monkeypatch):
    """R→a, b, T = {a}: with {a, b} for {b} hF rises and GIE's error too; tests/behaviour has the numbers."""
    went: list[str] = []
    monkeypatch.setattr("hiermeasures.ui.behaviour.page.switch_to", went.append)
    page.button(key="behaviour_open_pair").click()
    run(page)
    assert went == ["explore"]
    explorer = page.session_state[EXPLORER.name]
    assert explorer.history.present.instance.predicted == {"a", "b"}
    assert explorer.pinned.shown.instance.predicted == {"b"}
    assert explorer.pinned.comparable(explorer.history.present)


def test_what_an_option_turned_is_marked(page):
    """With D_max = 1 the extra class costs no more than the wrong pair did before, and GIE keeps the property."""
    model = page.session_state[BEHAVIOUR.name]
    page.session_state[BEHAVIOUR.name] = replace(model, asked=replace(SMALL, options=Options.make(dmax=1)))
    run(page)
    assert frame(page).loc["More truth never hurts", "GIE"] == "✓ 25 ⟲"
    assert frame(page).loc["More truth never hurts", "hF"] == "✓ 25"


def test_other_measures_are_searched_anew(page):
    bound(page, "behaviour_measures").set_value(["SP"])
    run(page)
    assert list(frame(page).columns) == ["SP"]
    assert frame(page).loc["Perfect is best", "SP"] == "✗ 3"
