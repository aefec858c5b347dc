"""The lessons behind the page: what is answered to gestures and addresses, and that no arrays are
needed.
"""

import io
import json
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hiermeasures.core.errors import InputError
from hiermeasures.explorer.share_link import decoded
from hiermeasures.lessons.library import load_lessons, own_keys, own_lesson
from hiermeasures.page import lessons
from hiermeasures.page.build import own_wheel
from hiermeasures.page.lessons import Lessons


@cache
def stored() -> str:
    return lessons.first()


def begun(word: str = "") -> Lessons:
    told = json.dumps({"data": json.loads(stored())["data"], "address": "https://example.org/#"})
    session = lessons.start("token", lambda: None, told)
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


WITHOUT = """
import json, sys
sys.path.insert(0, {place!r})
sys.modules |= dict.fromkeys(["numpy", "numba", "pandas", "scipy", "rapidfuzz", "yaml", "pyvis", "segno", "streamlit"])
from hiermeasures.page import lessons
session = lessons.start("token", lambda: None, open("told.json", encoding="utf-8").read())
for key in {keys!r}:
    for card in range(1, 9):
        for more in ("", "&present=1", "&present=1&revealed=1"):
            answer = json.loads(session.opened(f"lesson={{key}}&card={{card}}&sides=0{{more}}"))
            assert answer["word"].replace("&sides=0", "") == f"lesson={{key}}&card={{card}}{{more}}", answer["word"]
print("every card")
"""


def test_every_card_is_drawn_by_the_pages_wheel_without_arrays_and_yaml(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(own_wheel()[1])) as wheel:
        wheel.extractall(tmp_path)
    told = json.dumps({"data": json.loads(stored())["data"], "address": ""})
    (tmp_path / "told.json").write_text(told, "utf-8")  # longer than an argument may be
    code = WITHOUT.format(place=str(tmp_path), keys=own_keys())
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.stdout.strip(), done.stderr) == ("every card", "")
