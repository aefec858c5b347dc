"""Gestures from the browser: each is applied once and in order, and what is none does no harm."""

from typing import Any

import pytest
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest

from hiermeasures.app import job
from hiermeasures.app.learn.model import LEARN
from hiermeasures.app.learn.practice import score_words
from hiermeasures.explorer.outbox import LARGEST_NUMBER, MOST_AT_ONCE, MOST_CHARACTERS, Receiver


def sent(*numbers: Any, session: Any = "token", **parts: Any) -> dict[str, Any]:
    item = {"component": "graph", "kind": "click", "value": {}} | parts
    return {"session": session, "gestures": [item | {"number": number} for number in numbers]}


def numbers(value: Any, seen: int = 0) -> list[int]:
    return [gesture.number for gesture in Receiver("token", seen).unseen(value)]


def test_what_was_seen_or_came_twice_is_passed_over_and_the_rest_is_in_order() -> None:
    assert numbers(sent(3, 1, 2, 4, 4, 5), seen=2) == [3, 4, 5]


def test_another_session_has_nothing_to_say() -> None:
    assert numbers(sent(1, session="before the restart")) == []


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, {"session": "token"}, {"session": "token", "gestures": {}}])
def test_what_is_no_list_of_gestures_is_none(value: Any) -> None:
    assert numbers(value) == []


def test_what_has_no_number_is_no_gesture() -> None:
    assert numbers(sent(None, "1", 1.5, True, 0, -1, LARGEST_NUMBER + 1)) == []
    assert numbers({"session": "token", "gestures": [None, [], 1]}) == []


@pytest.mark.parametrize(
    "parts", [{"component": 1}, {"kind": None}, {"value": []}, {"value": {"name": "x" * MOST_CHARACTERS}}]
)
def test_a_malformed_gesture_is_acknowledged_and_goes_nowhere(parts: dict[str, Any]) -> None:
    (gesture,) = Receiver("token").unseen(sent(1, **parts))
    assert (gesture.number, gesture.component, gesture.kind, gesture.value) == (1, "", "", {})


def test_only_so_many_are_taken_at_a_time() -> None:
    assert numbers(sent(*range(1, 2 * MOST_AT_ONCE))) == [*range(1, MOST_AT_ONCE + 1)]


APP = """
import streamlit as st
from hiermeasures.app import components

def add(value):
    components.apply_pending()  # as every reading of the state does; the next must wait until this one is applied
    if value.get("fails") and not st.session_state.get("failed"):
        st.session_state.failed = True
        raise ValueError("once")
    st.session_state.setdefault("applied", []).append(value["x"])

session = components.address("graph", click=add)["session"]
values = [{"x": i, "fails": i == FAILING} for i in range(4)]
items = [{"number": i + 1, "component": "graph", "kind": "click", "value": value} for i, value in enumerate(values)]
items.insert(2, {"number": 9, "component": "nobody", "kind": "click", "value": {}})
st.session_state.mailbox = {"pending": {"session": session, "gestures": items}}  # as the browser sends them
components.apply_pending()
components.apply_pending()
st.text(f"{st.session_state.applied} {components.address('graph', click=add)['seen']}")
"""


def test_each_is_applied_once_and_finished_before_the_next_and_unknown_ones_are_acknowledged() -> None:
    app = AppTest.from_string(APP.replace("FAILING", "None"), default_timeout=30).run()
    assert app.text[0].value == "[0, 1, 2, 3] 9"
    assert app.run().text[0].value == "[0, 1, 2, 3] 9"


def test_one_that_fails_is_not_tried_again_and_those_after_it_are_applied_in_the_next_run() -> None:
    app = AppTest.from_string(APP.replace("FAILING", "1"), default_timeout=30).run()
    assert len(app.exception) == 1
    assert app.run().text[0].value == "[0, 2, 3] 9"


# Streamlit ends a run at its next look into the session's state where a newer one waits: here each
# run of the app in turn, at each of the looks that a press needs until its job has begun and its
# result is there.
PRESSED = """
from dataclasses import dataclass
import streamlit as st
from hiermeasures.app import components
from hiermeasures.app.binding import Slot, button
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
components.apply_pending()
st.session_state.mailbox = {"pending": {"session": components.receiver().session, "gestures": [
    {"number": 1, "component": "count", "kind": "press", "value": {}}]}}
"""


# An answer, and two exercises on: of Practice what hears a person and what draws.
PRACTISED = """
import streamlit as st
from hiermeasures.app.learn import model, practice
from hiermeasures.app.learn.model import LEARN, Learn
from hiermeasures.explorer.player.screen import screen

model.mount = lambda data, **more: None
if not LEARN.filled:
    LEARN.set(Learn(part="practice"))
    practice.arrive("7.1.7-2.value.ancestors")
model.receive(screen)
model.play(screen)
done = [("set", "answer_number"), ("press", "learn_check"), ("press", "learn_next"), ("press", "learn_next")]
gestures = [
    {"number": n, "component": "control", "kind": kind, "value": {"key": key, "value": "77"}}
    for n, (kind, key) in enumerate(done, 1)
]
st.session_state.player = {"pending": {"session": model.INBOX.value.receiver.session, "gestures": gestures}}
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


def test_a_press_counts_once_wherever_streamlit_ends_the_run(looks: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "AT_ONCE", 5.0)
    needed = 1
    while looks[1] < needed:
        app = AppTest.from_string(PRESSED, default_timeout=30).run()
        looks[:] = 0, looks[1] + 1
        for _ in range(3):
            assert not app.run().exception
        needed = max(needed, looks[0])
        assert app.session_state.model.found == (7,), looks


@pytest.mark.slow
def test_an_answer_and_each_turn_of_practice_count_once_wherever_streamlit_ends_the_run(looks: list[int]) -> None:
    needed = 1
    while looks[1] < needed:
        at_look, looks[:] = looks[1] + 1, [0, 0]
        app = AppTest.from_string(PRACTISED, default_timeout=30).run()
        looks[:] = 0, at_look
        for _ in range(3):
            assert not app.run().exception
        needed = max(needed, looks[0])
        player = app.session_state[LEARN.name].player
        assert (player.card, score_words(7, player)) == (2, "Seed 7 · 0 of 1 right"), looks
        assert [answer.given for answer in player.answers.values()] == ["77"], looks
