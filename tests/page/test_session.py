"""The Explorer and the lessons behind the page: gestures and links go in, one JSON comes out, as in
every host.
"""

import json
import re
from functools import cache
from typing import Any

import pytest

from hiermeasures.draw.views import OPENING
from hiermeasures.explore import share_link
from hiermeasures.explore.library import figure
from hiermeasures.explore.share_link import decoded
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.page.session import Lessons, Session, first, start
from hiermeasures.teach.library import load_lessons, own_keys, own_lesson


def click(session: Session, label: str, number: int, mode: str = "predicted") -> dict[str, Any]:
    """The answer to a click on a class of the drawing."""
    shapes = part(json.loads(session.answer()), "graph")["scene"]["shapes"]
    shape = next(s for s in shapes if (s.get("title") or s["text"]) == label)
    value = {"kind": "click", "id": shape["id"], "name": label, "mode": mode}
    return sent(session, {"number": number, "model": "explorer", "key": "graph", "value": value})


def sent(session: Session, *gestures: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(
        session.received(json.dumps({"session": "page", "gestures": gestures}))
    )
    return answer


def part(answer: dict[str, Any], component: str) -> Any:
    """The data of the first component of this kind on the screen."""

    def found(parts: list[dict[str, Any]]) -> Any:
        for each in parts:
            inner = (
                each["data"] if each.get("component") == component else found(each.get("parts", []))
            )
            if inner is not None:
                return inner
        return None

    return found(answer["data"]["areas"])


def marked(answer: dict[str, Any], side: str) -> set[str]:
    return {
        s.get("title") or s["text"]
        for s in part(answer, "graph")["scene"]["shapes"]
        if s.get(side) == "class"
    }


def test_it_opens_with_the_story_and_needs_no_word_for_it() -> None:
    answer = json.loads(Session().answer())
    assert (marked(answer, "true"), marked(answer, "predicted")) == ({"Penguin"}, {"Eagle"})
    assert (answer["word"], answer["fault"], answer["data"]["seen"]) == ("", "", 0)


def test_the_word_is_the_share_link_of_the_app() -> None:
    word = click(Session(), "Dog", 1)["word"]
    shared = share_link.decoded(word)
    assert shared.shown.classes("predicted") == {"Dog", "Eagle"}
    assert shared.view_state == OPENING


def test_a_link_is_opened_without_a_past() -> None:
    other = figure("kosmopoulos2015/figure-15")
    session = Session()
    session.answer()  # the worker asks for it when nothing else is to do
    answer = json.loads(session.opened(share_link.encoded(other, OPENING)))
    assert marked(answer, "true") == other.classes("true")
    undo = next(b for b in answer["data"]["areas"][0]["parts"] if b["key"] == "undo")
    assert undo.get("disabled")


@pytest.mark.parametrize("word", ["1.nonsense", "9.eJw", "x" * 20_000])
def test_a_link_that_cannot_be_used_is_said_and_changes_nothing(word: str) -> None:
    session = Session()
    click(session, "Dog", 1)
    answer = json.loads(session.opened(word))
    assert answer["fault"].startswith("This link ")
    assert answer["fault"].endswith("You see the earlier screen instead.")
    assert json.loads(Session().opened(word))["fault"].endswith(
        "You see the first example instead."
    )
    assert marked(answer, "predicted") == {"Dog", "Eagle"}
    assert click(session, "Dog", 2)["fault"] == ""


def test_links_of_the_share_menu_keep_their_state_from_the_server() -> None:
    session = Session("page", "https://example.org/explorer/#")
    click(session, "Dog", 1)
    answer = sent(session, {"number": 2, "model": "explorer", "key": "sharing", "value": True})
    (link,) = re.findall(
        r'"key":"link_address".*?"content":"([^"]+)"', json.dumps(answer, separators=(",", ":"))
    )
    before, _, word = link.partition("#state=")
    assert before == "https://example.org/explorer/"
    assert share_link.decoded(word).shown.classes("predicted") == {"Eagle", "Dog"}


# --- lessons --------------------------------------------------------------------------------------


@cache
def stored() -> str:
    return first()["lessons"]


def begun(word: str = "") -> Lessons:
    told = json.dumps({"data": json.loads(stored())["data"], "address": "https://example.org/#"})
    sessions = start(lambda: None)
    sessions.begin("lessons", "token", told)
    sessions.opened("lessons", word)
    session = sessions._begun["lessons"]
    assert isinstance(session, Lessons)
    return session


def answer_to(session: Lessons, *gestures: tuple[str, Any]) -> dict[str, Any]:
    """The answer to gestures."""
    seen = json.loads(session.answer())["data"]["seen"]
    numbered = [
        {"number": number, "model": "player", "key": key, "value": value}
        for number, (key, value) in enumerate(gestures, seen + 1)
    ]
    found: dict[str, Any] = json.loads(
        session.received(json.dumps({"session": "token", "gestures": numbered}))
    )
    return found


def press(key: str) -> tuple[str, None]:
    return key, None


def test_what_is_stored_is_what_the_session_begins_with() -> None:
    first, begins = json.loads(stored()), json.loads(begun().answer())
    assert begins["data"]["areas"] == first["data"]["areas"]
    assert (begins["word"], len(stored()) < 220_000) == ("", True)


def test_a_lesson_is_chosen_answered_and_counted() -> None:
    session = begun()
    key = own_keys()[0]
    answer = answer_to(session, ("learn_course", {"kind": "choose", "key": key}))
    assert answer["word"] == "lesson=0&card=1"
    answer = answer_to(session, press("learn_reveal"), press("learn_next"))
    assert answer["word"] == "lesson=0&card=2"
    answer = answer_to(session, press("learn_list"))
    assert f"solved · 1 of {len(own_lesson(key).cards)} seen" in _text(answer)


def _text(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False)


def test_an_address_of_the_app_opens_the_card_here() -> None:
    session = begun("lesson=3&card=3&present=1")
    answer = json.loads(session.answer())
    assert answer["data"]["presenting"] is True
    assert answer["word"] == "lesson=3&card=3&present=1"
    earlier = json.loads(session.opened("lesson=03-pairing&card=3&present=1"))
    assert earlier["word"] == answer["word"]
    lost = json.loads(session.opened("lesson=nowhere&card=1"))
    assert lost["word"] == ""
    assert "nowhere" in json.dumps(lost["data"]["areas"])
    assert json.loads(session.opened("%00&card=" + "9" * 10_000))["word"] == ""


def test_a_card_leads_to_the_explorer() -> None:
    session = begun("lesson=01-accuracy&card=1")
    answer = answer_to(session, press("learn_explorer"))
    found, card = decoded(answer["explorer"]), own_lesson("01-accuracy").cards[0]
    assert found.pinned is not None
    assert (found.pinned.instance.predicted, found.shown.instance.predicted) == tuple(
        instance.predicted for instance in card.instances
    )
    assert "explorer" not in json.loads(session.answer())


def test_one_lesson_is_read_by_itself() -> None:
    every = {lesson.key: lesson for lesson in load_lessons().lessons}
    assert [own_lesson(key).entries for key in own_keys()] == [
        lesson.entries for lesson in every.values()
    ]
    with pytest.raises(InputError, match="did you mean '01-accuracy'"):
        own_lesson("01-acuracy")
