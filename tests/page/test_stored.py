"""What the page stores is what its sessions answer."""

import json

import pytest

from hiermeasures.explore.loading import story
from hiermeasures.measures import CORE
from hiermeasures.page.session import Session, Sessions, first
from hiermeasures.page.stored import card_answers, gesture_name, list_answers, story_answers

CLASSES = story().hierarchy.descendants(story().hierarchy.root) | {story().hierarchy.root}


def test_every_class_and_every_row_has_its_stored_answer() -> None:
    then, answers = story_answers()
    for side, other in (("true", "Penguin"), ("predicted", "Eagle")):
        for label in CLASSES:
            named = next(name for name in then if f'"name":"{label}","mode":"{side}"' in name)
            found = answers[then[named]]
            mode = answers[then[gesture_name("click", SWITCH[side])]]
            assert set(found) == {"data", "word"}
            assert named in mode["then"]
            graph = next(
                part["data"] for part in controls(found["data"]) if part.get("key") == "graph"
            )
            marked = {s["title"] for s in graph["scene"]["shapes"] if s.get(side) == "class"}
            assert marked == {label} ^ {other}
    for key in CORE:
        assert gesture_name("values", {"kind": "choose", "key": key}) in then


SWITCH = {"true": {"place": 0, "word": "◯ true"}, "predicted": {"place": 1, "word": "▢ predicted"}}


def controls(data: dict[str, object]) -> list[dict[str, object]]:
    """All controls of an answer."""
    found = [data]
    for control in found:
        found += control.get("areas", []) + control.get("parts", [])  # type: ignore[operator]
    return found


def test_a_stored_answer_is_what_a_session_answers() -> None:
    """Gestures one by one, as the scripts send them, to a session that has answered before."""
    then, answers = story_answers()
    paths = [([named], name) for named, name in then.items()]
    for gestures, name in paths:
        then = answers[name].get("then", {})
        paths += [([*gestures, named], last) for named, last in then.items()]
    assert len(paths) == len(answers) >= 4 * len(CLASSES) + len(CORE)
    for gestures, name in paths:
        session = Session()
        sent, answer = [], {}
        for number, named in enumerate(gestures, 1):
            key, _, value = named.partition(" ")
            gesture = {
                "number": number,
                "model": "explorer",
                "key": key,
                "value": json.loads(value),
            }
            sent.append(gesture)
            answer = json.loads(session.received(json.dumps({"session": "page", "gestures": sent})))
        assert answers[name]["data"] == answer["data"], gestures
        assert answers[name]["word"] == answer["word"]


@pytest.mark.slow
def test_a_stored_card_is_what_the_lessons_answer() -> None:
    stored = dict(card_answers())
    told = json.dumps({"data": json.loads(first()["lessons"])["data"], "address": ""})
    for lesson, cards in stored.items():
        for number in range(1, len(cards) + 1):
            sessions = Sessions()
            sessions.begin("lessons", "lessons", told)
            answer = json.loads(sessions.opened("lessons", f"lesson={lesson}&card={number}"))
            found = cards[f"{lesson}/{number}"]
            assert (found["data"], found["word"]) == (answer["data"], answer["word"])
            assert set(found["then"].values()) <= set(cards)
    chosen = list_answers()
    assert set(chosen.values()) == {f"{lesson}/1" for lesson in stored}
