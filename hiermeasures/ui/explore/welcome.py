"""The welcome of a first visit: a hint on the opening figure, which says what there is to see and to click and leads
into the course. The browser remembers that it was closed (graph/hint.js); what the hint looks like is said there.
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any
from urllib.parse import urlencode

from hiermeasures.lessons.library import own_keys
from hiermeasures.ui import gestures
from hiermeasures.ui.explore.model import change, explorer
from hiermeasures.ui.library import OPENING, figure
from hiermeasures.ui.pages import leave_for
from hiermeasures.ui.state import Shown

LEAD = "Click classes and see what each measure makes of the prediction."
MORE = "A circle is a true class, a box a predicted one. Click a class to change that, a measure to see why."
COURSE = "New to this? Start with lesson 1"
CLOSE = "Close the welcome"


def welcome(shown: Shown) -> dict[str, Any] | None:
    """What hint.js needs, while the opening figure's hierarchy is shown and the hint was not closed in this session."""
    if explorer().introduced or shown.hierarchy != figure(OPENING).hierarchy:
        return None
    first = _first_card()
    return {
        "lead": LEAD,
        "more": MORE,
        "course": {"words": COURSE, "address": f"learn?{urlencode(first)}"} if first else None,
        "close": CLOSE,
        "address": gestures.address(
            "welcome", close=lambda value: change(introduced=True), course=partial(_go_to_course, first)
        ),
    }


@cache
def _first_card() -> Mapping[str, str]:
    """Where the course begins, as parameters of the Learn page; nothing where there is no course."""
    return {"lesson": key, "card": "1"} if (key := next(iter(own_keys()), "")) else {}


def _go_to_course(first: Mapping[str, str], value: Mapping[str, Any]) -> None:
    leave_for("learn", first)
