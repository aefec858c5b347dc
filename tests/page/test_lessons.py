"""The lessons behind the page: what is answered to gestures and addresses."""

import json
from functools import cache
from typing import Any

import pytest

from hiermeasures.core.errors import InputError
from hiermeasures.explorer.share_link import decoded
from hiermeasures.lessons.library import load_lessons, own_keys, own_lesson
from hiermeasures.page.session import Lessons, first, start


@cache
def stored() -> str:
    return first()["lessons"]


def begun(word: str = "") -> Lessons:
    told = json.dumps({"data": json.loads(stored())["data"], "address": "https://example.org/#"})
    session = start("lessons", "token", lambda: None, told)
    assert isinstance(session, Lessons)
    session.opened(word)
    return session


def sent(session: Lessons, *gestures: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """The answer to gestures."""
    seen = json.loads(session.answer())["data"]["seen"]
    numbered = [
        {"number": number, "component": component, "kind": kind, "value": value}
        for number, (component, kind, value) in enumerate(gestures, seen + 1)
    ]
    found: dict[str, Any] = json.loads(session.received(json.dumps({"session": "token", "gestures": numbered})))
    return found


def press(key: str) -> tuple[str, str, dict[str, Any]]:
    return "control", "press", {"key": key}


def test_what_is_stored_is_what_the_session_begins_with() -> None:
    first, begins = json.loads(stored()), json.loads(begun().answer())
    assert begins["data"]["areas"] == first["data"]["areas"]
    assert (begins["word"], len(stored()) < 220_000) == ("", True)


def test_a_lesson_is_chosen_answered_and_counted() -> None:
    session = begun()
    key = own_keys()[0]
    answer = sent(session, ("learn_course", "choose", {"key": key}))
    assert answer["word"] == f"lesson={key}&card=1"
    answer = sent(session, press("learn_reveal"), press("learn_next"))
    assert answer["word"] == f"lesson={key}&card=2"
    answer = sent(session, press("learn_list"))
    assert f"solved · 1 of {len(own_lesson(key).cards)} seen" in _text(answer)


def _text(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False)


def test_what_is_presented_has_a_link_to_the_card_that_can_be_answered() -> None:
    session = begun("lesson=01-accuracy&card=2&present=1")
    answer = json.dumps(sent(session, ("present_tools", "code", {"open": True})))
    assert '"link": "https://example.org/#lesson=01-accuracy&card=2"' in answer


def test_an_address_of_the_app_opens_the_card_here() -> None:
    session = begun("lesson=03-pairing&card=3&present=1")
    answer = json.loads(session.answer())
    assert answer["data"]["presenting"] is True
    assert answer["word"] == "lesson=03-pairing&card=3&present=1"
    lost = json.loads(session.opened("lesson=nowhere&card=1"))
    assert lost["word"] == ""
    assert "nowhere" in json.dumps(lost["data"]["areas"])
    assert json.loads(session.opened("%00&card=" + "9" * 10_000))["word"] == ""


def test_a_card_leads_to_the_explorer() -> None:
    session = begun("lesson=01-accuracy&card=1")
    answer = sent(session, press("learn_explorer"))
    found, card = decoded(answer["explorer"]), own_lesson("01-accuracy").cards[0]
    assert found.pinned is not None
    assert (found.pinned.instance.predicted, found.shown.instance.predicted) == tuple(
        instance.predicted for instance in card.instances
    )
    assert "explorer" not in json.loads(session.answer())


def test_one_lesson_is_read_by_itself() -> None:
    every = {lesson.key: lesson for lesson in load_lessons().lessons}
    assert [own_lesson(key).entries for key in own_keys()] == [lesson.entries for lesson in every.values()]
    with pytest.raises(InputError, match="nearest known: '01-accuracy'"):
        own_lesson("01-acuracy")
