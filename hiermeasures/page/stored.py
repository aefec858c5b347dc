"""Answers that the page stores, so that it can show them before Python has started.

They are answers of sessions (session.py), computed when the page is built. Each answer has a name.
`then` names the stored answers to the next gestures. A gesture is written as the page's scripts
write it: the key, and the value as JSON.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hiermeasures.explore.screen import MODEL as EXPLORER
from hiermeasures.measures import CORE
from hiermeasures.page.session import Lessons, Session, course_index
from hiermeasures.teach.library import load_lessons, short_key

Answer = Mapping[str, Any]
SIDES = {"true": "◯ true", "predicted": "▢ predicted"}


def gesture_name(key: str, value: Any) -> str:
    """Return a gesture exactly as the scripts write it, with their spaces and escapes."""
    return f"{key} {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"


PAPER = ("paper_tools", True)  # of a browser that remembers it


def story_answers() -> tuple[dict[str, str], dict[str, Answer]]:
    """Return the answers to likely first gestures in the Explorer.

    The gestures are a click on each class as true and as predicted, a row of the table, and What
    if. Each comes with and without the tools for papers. The first part has the names of the
    answers to first gestures, the second has the answers.
    """
    answers: dict[str, Answer] = {}

    def follow(*gestures: tuple[str, Any]) -> tuple[str, str]:
        name = str(len(answers))
        answers[name] = _after(gestures)
        return gesture_name(*gestures[-1]), name

    def clicks(*before: tuple[str, Any], sides: Iterable[str]) -> dict[str, str]:
        values = (
            {"kind": "click", "id": shape["id"], "name": shape["title"], "mode": side}
            for shape in _shapes()
            for side in sides
        )
        return dict(follow(*before, ("graph", value)) for value in values)

    def likely(*before: tuple[str, Any]) -> dict[str, str]:
        then = clicks(*before, sides=SIDES)
        for place, (side, word) in enumerate(SIDES.items()):
            switch = ("click", {"place": place, "word": word})
            gesture, name = follow(*before, switch)
            then[gesture] = name
            answers[name] = {**answers[name], "then": clicks(*before, switch, sides=[side])}
        rows = (("values", {"kind": "choose", "key": key}) for key in CORE)
        others = [*rows, ("stepping", {"place": 1, "word": "What if"})]
        return then | dict(follow(*before, gesture) for gesture in others)

    then = likely()
    paper, name = follow(PAPER)
    answers[name] = {**answers[name], "then": likely(PAPER)}
    return {**then, paper: name}, answers


def _shapes() -> list[dict[str, Any]]:
    areas = json.loads(Session().answer())["data"]["areas"]
    graph = next(part["data"] for part in parts_of(areas) if part.get("key") == "graph")
    shapes: list[dict[str, Any]] = graph["scene"]["shapes"]
    return shapes


def _after(gestures: tuple[tuple[str, Any], ...]) -> Answer:
    """Return the answer of a new Explorer to gestures, one after the other."""
    session = Session()
    sent = [
        {"number": number, "model": EXPLORER, "key": key, "value": value}
        for number, (key, value) in enumerate(gestures, 1)
    ]
    return _stored(session.received(json.dumps({"session": "page", "gestures": sent})))


def card_answers() -> Iterator[tuple[str, dict[str, Answer]]]:
    """Yield each lesson's short key and the answers of its cards, by names such as "1/1"."""
    index = course_index()
    for lesson in load_lessons().lessons:
        short = short_key(lesson.key)
        names = [f"{short}/{number}" for number in range(1, len(lesson.cards) + 1)]
        answers: dict[str, Answer] = {}
        for number, name in enumerate(names):
            found = _stored(Lessons(index).opened(f"lesson={short}&card={number + 1}"))
            ways = {"learn_next": names[number + 1 : number + 2], "learn_back": names[:number][-1:]}
            then = {gesture_name(key, None): way[0] for key, way in ways.items() if way}
            answers[name] = {**found, "then": then}
        yield short, answers


def list_answers() -> dict[str, str]:
    """Return the name of the answer to each choice in the list of lessons."""
    return {
        gesture_name(
            "learn_course", {"kind": "choose", "key": lesson.key}
        ): f"{short_key(lesson.key)}/1"
        for lesson in load_lessons().lessons
    }


def _stored(answer: str) -> Answer:
    found = json.loads(answer)
    return {"data": found["data"], "word": found["word"]}


def parts_of(controls: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield all controls and their parts."""
    for control in controls:
        yield control
        yield from parts_of(control.get("parts", []))
