"""Gestures from the browser: each is applied once and in order, and what is none does no harm."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest

from hiermeasures.app import job
from hiermeasures.app.learn.model import LEARN
from hiermeasures.app.learn.practice import score_words
from hiermeasures.explore.outbox import (
    LARGEST_NUMBER,
    MOST_AT_ONCE,
    MOST_CHARACTERS,
    Gesture,
    Inbox,
)


def sent(*numbers: Any, session: Any = "token", **parts: Any) -> dict[str, Any]:
    item = {"model": "explorer", "key": "graph", "value": None} | parts
    return {"session": session, "gestures": [item | {"number": number} for number in numbers]}


@pytest.mark.parametrize(
    ("value", "seen", "taken"),
    [
        # what came twice is passed over, and the rest is in order
        (sent(3, 1, 2, 4, 4, 5), 2, [3, 4, 5]),
        (sent(1, session="before the restart"), 0, []),
        *(
            (value, 0, [])
            for value in (
                None,
                7,
                "x",
                [],
                {},
                {"session": "token"},
                {"session": "token", "gestures": {}},
            )
        ),
        (sent(None, "1", 1.5, True, 0, -1, LARGEST_NUMBER + 1), 0, []),
        ({"session": "token", "gestures": [None, [], 1]}, 0, []),
        (sent(*range(1, 2 * MOST_AT_ONCE)), 0, [*range(1, MOST_AT_ONCE + 1)]),
    ],
)
def test_new_gestures_of_this_session_are_taken_in_order_and_nothing_else(
    value: Any, seen: int, taken: list[int]
) -> None:
    assert [*Inbox("token", seen).unseen(value)] == taken


@pytest.mark.parametrize(
    "parts", [{"model": 1}, {"key": None}, {"value": {"name": "x" * MOST_CHARACTERS}}]
)
def test_a_malformed_gesture_is_acknowledged_and_goes_nowhere(parts: dict[str, Any]) -> None:
    assert Inbox("token").unseen(sent(1, **parts)) == {1: Gesture()}


APP = """
import streamlit as st
from hiermeasures.app import inbox

def add(value):
    inbox.apply_pending()  # as every reading of the state does; the next must wait until this one is applied
    if value.get("fails") and not st.session_state.get("failed"):
        st.session_state.failed = True
        raise ValueError("once")
    st.session_state.setdefault("applied", []).append(value["x"])

session = inbox.hear("table", add)["session"]
values = [{"x": i, "fails": i == FAILING} for i in range(4)]
items = [{"number": i + 1, "model": "page", "key": "table", "value": value} for i, value in enumerate(values)]
for number, (model, key) in enumerate([("nobody", "table"), ("page", "nobody"), ("fields", "size")], 7):
    items.insert(2, {"number": number, "model": model, "key": key, "value": {}})
inbox.handlers()["fields", "size"] = add  # a field, whose entries come by Streamlit only
st.session_state.mailbox = {"pending": {"session": session, "gestures": items}}  # as the browser sends them
inbox.apply_pending()
inbox.apply_pending()
st.text(f"{st.session_state.applied} {inbox.session_inbox().seen}")
"""


@pytest.mark.parametrize(("failing", "applied"), [("None", "[0, 1, 2, 3] 9"), ("1", "[0, 2, 3] 9")])
def test_each_is_applied_once_before_the_next_unknown_ones_are_acknowledged_and_failing_ones_not_tried_again(
    failing: str, applied: str
) -> None:
    app = AppTest.from_string(APP.replace("FAILING", failing), default_timeout=30).run()
    assert len(app.exception) == (failing != "None")
    for _ in range(2):
        assert app.run().text[0].value == applied


# Streamlit ends a run at its next look into the session's state where a newer one waits: here each
# run of the app in turn, at each of the looks that a press needs until its job has begun and its
# result is there.
PRESSED = """
from dataclasses import dataclass
import streamlit as st
from hiermeasures.app import inbox
from hiermeasures.app.binding import button
from hiermeasures.app.inbox import Slot
from hiermeasures.app.job import Working, settle, start

@dataclass(frozen=True)
class Model(Working):
    asked: bool = False
    found: tuple = ()

SLOT = Slot("model", Model)
settle(SLOT, lambda result: {"found": (*SLOT.value.found, result)})
button("Count", key="count", action=lambda: SLOT.change(asked=True))
if SLOT.value.asked:
    start(SLOT, "count", lambda report: 7, asked=False)
inbox.apply_pending()
st.session_state.mailbox = {"pending": {"session": inbox.session_inbox().session, "gestures": [
    {"number": 1, "model": "page", "key": "count", "value": None}]}}
"""


# An answer, and two exercises on: of Practice what hears a person and what draws.
PRACTISED = """
import streamlit as st
from hiermeasures.app import inbox
from hiermeasures.app.learn import model, practice
from hiermeasures.app.learn.model import LEARN, Learn
from hiermeasures.teach.player.screen import screen

model.mount = lambda data, **more: None
if not LEARN.filled:
    LEARN.set(Learn(part="practice"))
    practice.arrive("7.1.7-2.value.ancestors")
model.play(screen(LEARN.value.player))
done = [("answer_number", "77"), ("learn_check", None), ("learn_next", None), ("learn_next", None)]
gestures = [{"number": n, "model": "player", "key": key, "value": value} for n, (key, value) in enumerate(done, 1)]
st.session_state.mailbox = {"pending": {"session": inbox.session_inbox().session, "gestures": gestures}}
"""


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Number of a run's looks into the session's state, and of the look that ends it (0: none)."""
    looks = [0, 0]
    look = ScriptRunner._maybe_handle_execution_control_request

    def ended(runner: ScriptRunner) -> None:
        looks[0] += 1
        if looks[0] == looks[1]:
            runner._requests.request_rerun(RerunData())
        look(runner)

    monkeypatch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", ended)
    return looks


def pressed(app: AppTest) -> None:
    assert app.session_state.model.found == (7,)


def practised(app: AppTest) -> None:
    player = app.session_state[LEARN.name].player
    assert (player.card, score_words(7, player)) == (2, "Seed 7 · 0 of 1 right")
    assert [answer.given for answer in player.answers.values()] == ["77"]


@pytest.mark.parametrize(
    ("script", "counted"),
    [(PRESSED, pressed), pytest.param(PRACTISED, practised, marks=pytest.mark.slow)],
)
def test_what_is_done_counts_once_wherever_streamlit_ends_the_run(
    looks: list[int],
    monkeypatch: pytest.MonkeyPatch,
    script: str,
    counted: Callable[[AppTest], None],
) -> None:
    monkeypatch.setattr(job, "AT_ONCE", 5.0)
    needed = at_look = 1
    while at_look <= needed:
        looks[:] = 0, 0
        app = AppTest.from_string(script, default_timeout=30).run()
        looks[:] = 0, at_look
        for _ in range(3):
            assert not app.run().exception
        needed = max(needed, looks[0])
        counted(app)
        at_look += 1
