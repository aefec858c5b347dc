"""Classes: an answer for each seat, to be changed until the answers are shown; bounded, forgotten,
off by itself.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app import server
from hiermeasures.app.learn import classroom
from hiermeasures.app.learn.classroom import (
    HOUR,
    MOST_ANSWERS,
    MOST_ANSWERS_OF_ONE,
    MOST_ROOMS,
    MOST_ROOMS_OF_ONE,
    UNWATCHED,
    Classroom,
    Room,
    SentAnswer,
)
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach import Card
from hiermeasures.teach.library import own_lesson

from .screen import controls
from .test_learn_page import learn, press


@pytest.fixture
def clock() -> list[float]:
    """The time, which a test sets."""
    return [0.0]


@pytest.fixture
def rooms(clock: list[float]) -> Classroom:
    return Classroom(lambda: clock[0])


def card(kind: str) -> Card:
    lessons = (own_lesson(key) for key in ("01-accuracy", "02-too-deep-too-high", "03-pairing"))
    return next(
        card
        for lesson in lessons
        for card in lesson.cards
        if card.question and card.question.kind == kind
    )


def asked(rooms: Classroom, kind: str = "prefers") -> Room:
    rooms.open("teacher")
    rooms.ask("teacher", card(kind), f"x/{kind}")
    return now(rooms)


def now(rooms: Classroom) -> Room:
    found = rooms.of("teacher")
    assert found is not None
    return found


def send(
    rooms: Classroom, seat: str, words: str = "first", room: Room | None = None, client: str = ""
) -> None:
    at = room or now(rooms)
    question = at.question
    assert question is not None
    rooms.send(
        at.code,
        seat,
        at.asked,
        replace(SentAnswer.of(question, question.read(words)), client=client),
    )


def test_a_seat_has_one_answer_which_is_the_last_it_sent(rooms: Classroom) -> None:
    asked(rooms)
    for seat, words in (("a", "first"), ("b", "second"), ("a", "second"), ("c", "equal")):
        send(rooms, seat, words)
    assert Counter({bar.words: bar.number for bar in now(rooms).bars()}) == Counter(
        {"the first": 0, "the second": 2, "neither, they are equal": 1}
    )


def test_an_answer_that_comes_too_late_is_refused_and_counts_nowhere(rooms: Classroom) -> None:
    before = asked(rooms)
    rooms.show("teacher", "shown")
    with pytest.raises(InputError, match="closed"):
        send(rooms, "a")
    rooms.ask("teacher", card("value"), "x/value")
    with pytest.raises(InputError, match="closed"):
        send(rooms, "a", room=before)
    assert not now(rooms).answers


@pytest.mark.parametrize(
    ("kind", "words", "parts"),
    [("value", "2/4", {"0.5"}), ("click", None, None), ("pair", None, None), ("make", None, None)],
)
def test_answers_of_every_kind_are_counted_and_the_right_one_is_found(
    rooms: Classroom, kind: str, words: str | None, parts: set[str] | None
) -> None:
    room = asked(rooms, kind)
    question = room.question
    assert question is not None
    given = question.answer() if words is None else question.read(words)
    rooms.send(room.code, "a", room.asked, SentAnswer.of(question, given))
    bars = now(rooms).bars()
    assert all(bar.number == 1 for bar in bars)
    assert parts is None or {bar.words for bar in bars} == parts
    rooms.show("teacher", "marked")
    assert now(rooms).right == (words is None)
    if words is None and question.unique:
        assert all(bar.right for bar in now(rooms).bars())


def test_rooms_answers_and_their_sizes_are_bounded(rooms: Classroom) -> None:
    room = asked(rooms)
    for k in range(MOST_ANSWERS):
        send(rooms, str(k), client=f"address {k % 2}")
    with pytest.raises(InputError, match="300 answers"):
        send(rooms, "one more")
    send(rooms, "7", "second")  # whoever has a seat may still change
    for k in range(MOST_ROOMS - 1):
        rooms.open(f"teacher {k}", f"address {k}")
    with pytest.raises(InputError, match="50 classes"):
        rooms.open("one more")
    assert rooms.open("teacher").code == room.code


def test_a_room_is_forgotten_an_hour_after_its_teacher_did_anything(
    rooms: Classroom, clock: list[float]
) -> None:
    room = asked(rooms)

    def look_until(time: float) -> None:
        while clock[0] < time:
            clock[0] = min(clock[0] + 60, time)
            rooms.of("teacher")

    look_until(HOUR - 1)
    rooms.show("teacher", "shown")
    look_until(2 * HOUR - 2)
    assert rooms.room(room.code) is not None
    clock[0] = 2 * HOUR
    with pytest.raises(InputError, match="This class is over"):
        send(rooms, "a", room=room)
    rooms.open("another")
    rooms.close("another")
    assert rooms.of("another") is None


@pytest.mark.parametrize(
    "look", [lambda rooms, room: rooms.of("teacher"), lambda rooms, room: rooms.room(room.code)]
)
def test_a_room_that_no_page_looks_at_ends_soon(
    rooms: Classroom, clock: list[float], look: Callable[..., object]
) -> None:
    room = asked(rooms)
    for _ in range(5):  # a page that is hidden looks once a minute, the teacher's or a phone's
        clock[0] += 60
        assert look(rooms, room)
    for k in range(9):  # looks at other rooms keep this one no longer
        rooms.open(f"other {k}")
    clock[0] += UNWATCHED
    assert rooms.room(room.code) is None
    for k in range(MOST_ROOMS_OF_ONE):
        rooms.open(f"teacher {k}")


def test_one_address_has_neither_all_rooms_nor_all_seats(rooms: Classroom) -> None:
    for k in range(MOST_ROOMS_OF_ONE):
        rooms.open(f"attacker {k}", "one")
    with pytest.raises(InputError, match="network address"):
        rooms.open("attacker", "one")
    asked(rooms)
    for k in range(200):  # students behind one address of a school
        send(rooms, f"student {k}", client="school")
    for k in range(MOST_ANSWERS_OF_ONE - 200):
        send(rooms, str(k), client="school")
    with pytest.raises(InputError, match="network address"):
        send(rooms, "one more", client="school")
    send(rooms, "student 7", "second", client="school")  # whoever has a seat may still change
    send(rooms, "one more", client="another")


def test_a_removed_seat_has_no_answer_and_sends_none(rooms: Classroom) -> None:
    asked(rooms)
    send(rooms, "a")
    send(rooms, "b", "second")
    rooms.remove("stranger", "a")
    assert len(now(rooms).answers) == 2
    rooms.remove("teacher", "a")
    assert list(now(rooms).answers) == ["b"]
    with pytest.raises(InputError, match="removed"):
        send(rooms, "a")
    rooms.ask("teacher", card("value"), "x/value")
    with pytest.raises(InputError, match="removed"):
        send(rooms, "a", "0.5")


def test_a_stranger_can_neither_show_nor_close(rooms: Classroom) -> None:
    for secret in ("", asked(rooms).code, "teacher "):
        rooms.show(secret, "marked")
        rooms.close(secret)
    assert now(rooms).phase == "open"


def presented() -> AppTest:
    # which of two predictions hP prefers: neither
    return learn(lesson="02-too-deep-too-high", card="3", present="1")


def test_there_are_no_classes_unless_the_app_was_started_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(server.CLASSROOM, raising=False)
    assert "class_open" not in controls(presented())
    assert "class_gone" not in controls(learn(**{"class": "abcdef"}))
    monkeypatch.setenv(server.CLASSROOM, "1")
    assert "class_open" in controls(presented())


def test_a_student_answers_and_the_teacher_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(server.CLASSROOM, "1")
    monkeypatch.setattr(classroom, "ROOMS", rooms := Classroom())
    teacher = press(presented(), "class_open")
    assert "0 answers" in controls(teacher)["class_words"]["text"]
    (room,) = rooms._rooms.values()
    student = learn(**{"class": room.code})
    press(student, "class_send")
    assert "choose an answer first" in str(controls(student)).lower()
    press(press(student, "answer_choice_1"), "class_send")
    assert "You can change your answer" in controls(student)["class_said"]["text"]
    seat = student.query_params["seat"]
    again = press(
        press(learn(**{"class": room.code, "seat": seat}), "answer_choice_3"), "class_send"
    )
    assert [bar.number for bar in rooms._rooms[room.code].bars()] == [0, 0, 1]
    press(teacher, "class_show")
    assert "Right" not in str(controls(teacher)["class_bars"])
    press(again, "class_send")
    assert "class_send" not in controls(again)
    press(teacher, "class_mark")
    assert [bar["right"] for bar in controls(teacher)["class_bars"]["data"]["bars"]] == [
        False,
        False,
        True,
    ]
    again.run()
    assert "Right: neither, they are equal" in str(controls(again)["answer_words"])
    press(teacher, "class_close")
    again.run()
    assert not controls(again)
