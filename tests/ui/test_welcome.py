"""The welcome of a first visit: what it says and where it leads, and when it is not there. That the browser keeps it
closed is tested in tests/browser/test_sizes.py.
"""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.ui import pages
from hiermeasures.ui.learn.model import course

from .screen import gesture, opened, paste, sent


def hint(app: AppTest) -> Any:
    """What lies on the drawing, if anything does."""
    return sent(app, "graph")[0]["hint"]


def test_it_says_what_there_is_to_do_and_leads_to_the_first_card_of_the_first_lesson(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    went: list[Any] = []
    monkeypatch.setattr(pages, "switch_to", lambda *place: went.append(place))
    app = opened()
    assert hint(app)["lead"] == "Click classes and see what each measure makes of the prediction."
    first = course().lessons[0].key
    assert hint(app)["course"]["address"] == f"learn?lesson={first}&card=1"
    gesture(app, "course", component="welcome")
    assert went == [("learn", {"lesson": first, "card": "1"})]


def test_closed_it_stays_away_for_the_session() -> None:
    app = opened()
    gesture(app, "close", component="welcome")
    assert hint(app) is None
    app.run()
    assert hint(app) is None


def test_it_lies_on_the_opening_figure_only_whose_classes_leave_room_for_it() -> None:
    app = opened()
    paste(app, "A B\nA C\n")
    assert hint(app) is None
