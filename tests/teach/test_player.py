"""Lessons as they are taken, without what draws them: every card of the course answered, revealed
and presented.
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from hiermeasures.explore.controls import Control
from hiermeasures.explore.outbox import Inbox
from hiermeasures.explore.present import Presenting
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import Instance
from hiermeasures.teach import Lesson, load_lessons, read_lesson
from hiermeasures.teach.library import find_key, own_keys, own_lesson, short_key
from hiermeasures.teach.player.drawing import index_of
from hiermeasures.teach.player.model import Marks, Place, Player, PlayerHost
from hiermeasures.teach.player.screen import after, screen
from hiermeasures.teach.player.screen import draw_player as drawn_of
from hiermeasures.teach.questions import Question

KINDS = """
lesson: Every kind
learns: How each is answered.
minutes: 5
cards:
  - title: Prefers
    case: kosmopoulos2015/figure-11a
    second: {predicted: C}
    measures: hF
    hidden: values
    question: {kind: prefers, measure: hF, answer: first}
  - title: Click
    text: "The value is {hF}."
    case: kosmopoulos2015/figure-11a
    view: ancestors
    measures: hF
    hidden: values
    question: {kind: click, set: augmented(predicted), answer: A B P1 P2}
  - title: Pair
    case: kosmopoulos2015/figure-11a
    question: {kind: pair, measure: GIE, answer: P1>T1 P2>}
  - title: Value
    case: kosmopoulos2015/figure-11a
    measures: hF
    hidden: values
    question: {kind: value, value: hF, answer: 4/7}
  - title: Make
    case: kosmopoulos2015/figure-11a
    measures: hF
    question: {kind: make, condition: hF > 0.9, answer: T1}
  - title: Which
    case: kosmopoulos2015/figure-11a
    measures: hF GIE
    hidden: values
    question: {kind: which, choices: hF accuracy GIE, says: X = 7, answer: GIE}
  - title: Draw
    case: kosmopoulos2015/figure-11a
    measures: hF
    question: {kind: make, change: hierarchy, condition: hF > 0.6, answer: A>B A>C B>T1 T1>P1 B>P2}
"""
PAIRED = """  - title: Paired
    case: kosmopoulos2015/figure-11a
    measures: MGIA
    hidden: values
    question: {kind: value, value: MGIA, answer: 11/15}
"""
PREFERS, CLICK, PAIR, VALUE, MAKE, WHICH, DRAW = range(7)


@cache
def course() -> tuple[Lesson, ...]:
    return load_lessons().lessons


def lesson(key: str) -> Lesson:
    return next(each for each in course() if each.key == key)


@cache
def every_kind() -> Lesson:
    return read_lesson(KINDS.encode(), "kinds.yaml")


def player(*lessons: Lesson) -> Player:
    shelf = {lesson.key: lesson for lesson in lessons}

    def found(key: str) -> Lesson:
        if key not in shelf:
            raise InputError(f"no lesson {key!r}")
        return shelf[key]

    return Player(PlayerHost.of(index_of(shelf), found))


def card(number: int) -> Player:
    return player(every_kind()).going("kinds", number)


def place(at: Player) -> Place:
    assert at.place is not None
    return at.place


def control(at: Player, key: str) -> Control:
    return next(c for top in screen(at) for c in top.all() if c.key == key)


def keys(at: Player) -> set[str]:
    return {c.key for top in screen(at) for c in top.all()}


def drawn(at: Player) -> dict[str, Any]:
    """Return the drawing of a player, through JSON as for a browser."""
    made: dict[str, Any] = json.loads(json.dumps(drawn_of(at, Inbox("token"), screen(at))))
    return made


def data(at: Player, key: str) -> Any:
    """Return the data of a component."""
    found = drawn(at)
    return next(part["data"] for part in _parts(found["areas"]) if part.get("key") == key)


def _parts(parts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in parts:
        yield each
        yield from _parts(each.get("parts", []))


def press(at: Player, *names: str) -> Player:
    for name in names:
        assert not control(at, name).data.get("disabled")
        at = after(at, name, None)
    return at


def enter(at: Player, key: str, value: Any) -> Player:
    return after(at, key, value)


def click(at: Player, *labels: str, graph: str = "learn_graph_0") -> Player:
    for label in labels:
        shape = next(s for s in data(at, graph)["scene"]["shapes"] if s["title"] == label)
        at = after(at, graph, {"kind": "click", "id": shape["id"], "name": label})
    return at


def said(at: Player) -> list[tuple[str, str]]:
    """Look and words of the paragraphs of the question."""
    return [
        (p["look"], "".join(part[0] for part in p["parts"]))
        for p in data(at, "answer_words")["paragraphs"]
    ]


def marks(at: Player) -> dict[str, tuple[str, str]]:
    return {
        s["title"]: (s.get("true", "none"), s.get("predicted", "none"))
        for s in data(at, "learn_graph_0")["scene"]["shapes"]
    }


def badges(at: Player, k: int = 0) -> dict[str, str]:
    scene = data(at, f"learn_graph_{k}")["scene"]
    titles = {shape["id"]: shape["title"] for shape in scene["shapes"]}
    return {titles[badge["shape"]]: badge["text"] for badge in scene["badges"]}


def cells(at: Player) -> list[str]:
    return [cell["text"] for row in data(at, "learn_values")["rows"] for cell in row["cells"][2:]]


def answered(at: Player, question: Question) -> Player:
    """With the right answer entered by the controls that the card has."""
    answer = question.answer()
    if question.input == "choice":
        right = str(answer).split()
        return press(
            at,
            *(
                f"answer_choice_{k}"
                for k, each in enumerate(question.choices(), 1)
                if each[0] in right
            ),
        )
    if question.input == "number":
        return enter(at, "answer_number", answer)
    if question.input == "pairs":
        words = list(control(at, "answer_pairs").data["words"])
        assert isinstance(answer, frozenset)
        return enter(
            at,
            "answer_pairs",
            [words.index(f"{p or 'nothing'} – {t or 'nothing'}") for p, t in answer],
        )  # type: ignore[str-unpack]
    if isinstance(answer, Instance) and question.change() == "hierarchy":
        return enter(at, "answer_lines", "\n".join(f"{p} {c}" for p, c in answer.hierarchy.edges))
    classes: Any = getattr(answer, question.change() or "", answer)
    return enter(at, "answer_classes", sorted(classes))


@pytest.mark.parametrize("lesson", course(), ids=lambda lesson: lesson.key)
def test_the_right_answer_of_every_card_solves_it_and_none_is_checked_before_it_is_answered(
    lesson: Lesson,
) -> None:
    at = player(lesson).going(lesson.key)
    for each in lesson.cards:
        if each.question is not None:
            early = press(at, "learn_check")
            (field,) = early.faults
            assert field.startswith("answer_")
            at = press(answered(early, each.question), "learn_check")
            assert (at.faults, said(at)[1][0]) == ({}, "right"), each.title
        assert at.answer(place(at).card_key).revealed is False
        at = press(at, "learn_next")
    assert at.place is None
    (entry,) = data(at, "learn_course")["lessons"]
    assert entry["done"] == "✓ solved"
    assert entry["solved"] == sum(each.question is not None for each in lesson.cards)


@pytest.mark.parametrize("lesson", course(), ids=lambda lesson: lesson.key)
def test_every_card_is_revealed_and_presented(lesson: Lesson) -> None:
    at = player(lesson).going(lesson.key)
    for k, each in enumerate(lesson.cards):
        shown = press(at, "learn_present")
        head, tools = data(shown, "present_head")["head"], data(shown, "present_tools")["tools"]
        assert (head["title"], head["place"]) == (each.title, f"{k + 1} / {len(lesson.cards)}")
        assert bool(tools["hidden"]) == bool(each.question or each.hidden)
        everything = after(shown, "present_tools", {"kind": "all"})
        assert data(everything, "present_tools")["tools"]["hidden"] == []
        if each.question is not None:
            revealed = press(at, "learn_reveal")
            assert said(everything) == said(revealed)
        at = press(at, "learn_next")


def test_gestures_from_nobody_change_nothing() -> None:
    at = card(CLICK)
    for key in keys(at):
        for value in (7, [[]], {"key": {}}, {"kind": "click", "id": {}}, {"kind": {}}):
            sent = after(at, key, value)
            assert (sent.place, sent.answers) == (at.place, at.answers)
    assert after(at, "nobody", {"kind": "click", "id": "n0"}) is at


def test_the_first_miss_is_met_by_a_hint_and_the_second_by_the_answer() -> None:
    at = press(card(PREFERS), "answer_choice_2", "learn_check")
    looks, texts = zip(*said(at), strict=True)
    assert looks[:2] == ("question", "wrong")
    assert any(place(at).card.question.hint() in text for text in texts)  # type: ignore[union-attr]
    assert not any("the first" in text for text in texts[1:])
    assert cells(at) == ["▒▒▒", "▒▒▒"]
    same = press(at, "learn_check")  # no other answer, so no second one
    assert (said(same), list(same.faults)) == (said(at), ["answer_choice_1"])
    look, answer = said(press(at, "learn_reveal"))[1]
    assert (look, "the first" in answer) == ("right", True)
    at = press(at, "answer_choice_3", "learn_check")
    assert [look for look, _ in said(at)[:3]] == ["question", "wrong", "text"]
    assert said(at)[2][1] == answer
    again = press(at, "learn_again")
    assert [look for look, _ in said(again)] == ["question"]
    assert control(again, "answer_choice_3").data["pressed"]
    assert cells(again) == ["▒▒▒", "▒▒▒"]


def test_a_mistake_about_classes_is_shown_on_the_drawing() -> None:
    # Figure 11(a): hF of the bare T1 and P1 P2 is 0; A and B were left out. Without A alone it is
    # 2/5.
    miss = press(enter(card(VALUE), "answer_number", "0"), "learn_check")
    assert badges(miss) == {"A": "missing", "B": "missing"}
    assert said(miss)[2][1].endswith(": A, B.")
    second = press(enter(miss, "answer_number", "2/5"), "learn_check")
    assert badges(second) == {"A": "missing"}
    assert (badges(press(second, "learn_again")), badges(press(miss, "learn_reveal"))) == ({}, {})
    # an arithmetic mean
    assert badges(press(enter(card(VALUE), "answer_number", "7/12"), "learn_check")) == {}
    # MGIA pairs P1 and P2 with T1, at distance 2: 1 − 4/15. With P2 alone, which costs 5: 1 − 7/15.
    mgia = read_lesson((KINDS.partition("  - title")[0] + PAIRED).encode(), "mgia.yaml")
    alone = press(enter(player(mgia).going("mgia"), "answer_number", "8/15"), "learn_check")
    links = {
        (link["text"], link["kind"]) for link in data(alone, "learn_graph_0")["scene"]["links"]
    }
    assert links == {("2", "pair"), ("2 missing", "left")}
    # Of both predictions; their sets A B T1, A B P1 P2 and A C.
    both = press(card(PREFERS), "answer_choice_3", "learn_check")
    assert badges(both) == badges(both, 1) == {"A": "missing", "B": "missing"}


def test_clicks_answer_and_the_field_is_in_step_with_them() -> None:
    at = click(card(CLICK), "A", "C", "B", "C")
    assert list(control(at, "answer_classes").data["values"]) == ["A", "B"]
    # the view, which would give the answer away, waits for it
    assert marks(at)["A"] == ("none", "none")
    at = press(click(at, "P1"), "learn_check")
    assert said(at)[1][0] == "wrong"
    at = press(click(at, "C"), "learn_check")
    # A, B, C, P1 of A, B, P1, P2; circle and box are those of the set, without a switch
    assert badges(at) == {"A": "✓", "B": "✓", "P1": "✓", "C": "✗", "P2": "missing"}
    assert (marks(at)["T1"], marks(at)["P2"], marks(at)["A"], marks(at)["C"]) == (
        ("class", "none"),
        ("none", "class"),
        ("added", "added"),
        ("none", "none"),
    )
    assert "answer_drawn" not in keys(at)
    # it is judged
    assert (
        after(at, "learn_graph_0", {"kind": "click", "id": "n0", "name": "A"}).answers == at.answers
    )


def test_a_pair_is_made_by_two_clicks_and_a_class_left_over_by_two_on_it() -> None:
    at = click(card(PAIR), "P1", "T1")
    assert [link["kind"] for link in data(at, "learn_graph_0")["scene"]["links"]] == ["yours"]
    at = press(click(at, "P2", "P2"), "learn_check")
    assert said(at)[1][0] == "right"
    # T1 is at distance 2 of P1 and of P2 alike
    assert said(press(click(card(PAIR), "T1", "P2"), "learn_check"))[1][0] == "right"
    wrong = press(click(card(PAIR), "P1", "P1", "P2", "P2"), "learn_check")
    assert said(wrong)[1][0] == "wrong"
    wrong = press(click(wrong, "T1", "T1"), "learn_check")
    assert said(wrong)[1][0] == "wrong"
    # A and C are on no side
    assert said(press(click(card(PAIR), "A", "C", "P1"), "learn_check")) == said(card(PAIR))


def test_a_prediction_is_changed_until_the_condition_holds_and_its_values_follow() -> None:
    at = click(card(MAKE), "T1", "P2")
    # {A, B, T1} and {A, B, T1, P1}: 2·3/7
    assert cells(at) == ["0.86"]
    assert said(press(at, "learn_check"))[1][0] == "wrong"
    assert said(press(click(at, "P1"), "learn_check"))[1][0] == "right"
    unknown = enter(at, "answer_classes", ["T1", "nowhere"])
    assert "nowhere" in unknown.faults["answer_classes"]
    assert unknown.answers == at.answers


def test_a_hierarchy_is_changed_by_its_lines_and_a_fault_leaves_it_as_it_was() -> None:
    at = card(DRAW)
    for lines, reason in (("A B\nB A", "cycle"), ("A B\nA C\nB T1\nB P1", "P2")):
        wrong = enter(at, "answer_lines", lines)
        assert reason in wrong.faults["answer_lines"]
        assert wrong.answers == at.answers
    at = enter(at, "answer_lines", "A B\nA C\nB T1\nT1 P1\nB P2")
    # {A, B, T1} and {A, B, T1, P1, P2}: 2·3/8
    assert cells(at) == ["0.75"]
    assert said(press(at, "learn_check"))[1][0] == "right"


def test_the_address_opens_exactly_that_card_and_says_where_it_leads_nowhere() -> None:
    at = player(every_kind()).at({"lesson": "kinds", "card": "4"})
    assert place(at).index == VALUE
    assert at.parameters() == {"lesson": "kinds", "card": "4"}
    shown = at.at({"lesson": "kinds", "card": "4", "present": "1", "revealed": "1"})
    assert shown.parameters() == {"lesson": "kinds", "card": "4", "present": "1", "revealed": "1"}
    assert said(shown)[1] == ("right", "The answer: 4/7 = 0.57")
    for wrong in (
        {"lesson": "nowhere"},
        {"lesson": "kinds", "card": "x"},
        {"lesson": "kinds", "card": "0"},
    ):
        lost = at.at(wrong)
        assert (lost.place, lost.parameters()) == (None, {})
        assert "learn_fault" in keys(lost)


def test_a_lesson_of_the_course_is_named_by_its_number_and_a_wrong_number_by_the_nearest() -> None:
    host = PlayerHost(own_lesson)
    assert [short_key(key) for key in own_keys()] == [str(k) for k in range(18)]
    assert {find_key(short_key(key)) for key in own_keys()} == set(own_keys())
    at = Player(host).at({"lesson": "3", "card": "2"})
    assert place(at).card_key == "03-pairing/1"  # as a browser kept it
    assert at.parameters() == {"lesson": "3", "card": "2"}
    assert Player(host).at({"lesson": "03-pairing", "card": "2"}) == at
    last = len(own_lesson("03-pairing").cards)
    over = at.at({"lesson": "3", "card": "99"})
    assert over.parameters() == {"lesson": "3", "card": str(last)}
    assert "learn_fault" in keys(over)
    assert f"last of {last} cards" in control(over, "learn_fault").data["text"]
    assert "learn_fault" not in keys(press(over, "learn_back"))
    for wrong, near in (
        ("18", "lesson 17"),
        ("9" * 5000, "lesson 17"),
        ("03-paring", "03-pairing"),
    ):
        lost = at.at({"lesson": wrong})
        assert lost.place is None
        assert near in control(lost, "learn_fault").data["text"]


def test_marks_are_brought_back_by_the_browser_and_forgotten_when_asked() -> None:
    at = press(card(PREFERS), "answer_choice_1", "learn_check")
    kept = data(press(at, "learn_next"), "learn_marks")
    assert (kept["solved"], kept["seen"]) == (["kinds/0"], ["kinds/0"])
    before = {"solved": ["kinds/0"], "seen": "no list", "finals": ["7"]}  # kept by older versions
    again = after(Player(at.host), "learn_marks", {"kind": "bring", **before})
    assert data(again, "learn_course")["lessons"][0]["done"] == "1 of 7 solved · 1 of 7 seen"
    assert after(again, "learn_marks", {"kind": "forget"}).marks == Marks()
    seen = ["x" * 5000, *(f"kinds/{k}" for k in range(9_999))]
    many = after(again, "learn_marks", {"kind": "bring", "seen": seen})
    assert len(many.marks.seen) <= 201


def test_a_presentation_reveals_part_by_part_and_the_answer_last() -> None:
    at = press(card(PREFERS), "learn_present")
    tools = data(at, "present_tools")["tools"]
    assert tools["hidden"] == ["hF", "the answer"]
    assert data(at, "present_rows")["rows"]["rows"][0]["values"] == [None, None]
    at = after(at, "present_rows", {"kind": "reveal", "item": "hF"})
    assert data(at, "present_rows")["rows"]["rows"][0]["values"] == ["0.57", "0.40"]
    assert at.answer("kinds/0").open
    at = after(at, "present_tools", {"kind": "reveal"})
    assert said(at)[1][0] == "right"
    hidden = after(at, "present_tools", {"kind": "hide"})
    assert data(hidden, "present_rows")["rows"]["rows"][0]["values"] == [None, None]
    assert hidden.answer("kinds/0").open


def test_a_presented_card_is_answered_turned_and_left() -> None:
    at = press(card(CLICK), "learn_present")
    assert "present_check" not in keys(at)
    at = click(at, "A", "B", "P1", "P2", graph="present_graph_0")
    at = press(at, "present_check")
    assert said(at)[1][0] == "right"
    turned = after(at, "present_tools", {"kind": "go", "by": 1})
    assert (place(turned).index, turned.presenting) == (PAIR, Presenting())
    first = at.going("kinds", PREFERS)
    assert place(after(first, "present_head", {"kind": "go", "by": -1})).index == PREFERS
    assert after(turned, "present_head", {"kind": "leave"}).presenting is None


def test_the_index_has_a_picture_of_each_first_card_without_what_that_hides() -> None:
    found = index_of({lesson.key: lesson for lesson in course()})
    assert [entry["title"] for entry in found] == [lesson.title for lesson in course()]
    assert all(entry["picture"].startswith("data:image/svg+xml;base64,") for entry in found)
    assert len(json.dumps(found)) < 150_000
    text = KINDS.replace("hidden: values", "hidden: predicted", 1)
    (entry,) = index_of({"one": read_lesson(text.encode(), "one.yaml")})
    assert "predicted: hidden" in entry["alt"]


@pytest.mark.parametrize("lesson", course(), ids=lambda lesson: lesson.key)
def test_no_drawing_prints_the_costs_that_make_a_hidden_value(lesson: Lesson) -> None:
    """Figure 11(a) under two D_max: +5 and +50 in the drawing say which value changes."""
    for k, each in enumerate(lesson.cards):
        at = player(lesson).going(lesson.key, k)
        family = each.subject.measure(each.measures[0]).family if each.measures else ""
        if "values" not in each.hidden or family not in ("pairs", "paths"):
            continue
        for n in range(len(each.instances)):
            scene = data(at, f"learn_graph_{n}")["scene"]
            printed = [part["text"] for name in ("links", "badges") for part in scene[name]]
            assert not [text for text in printed if any(letter.isdigit() for letter in text)], (
                each.title,
                printed,
            )


def test_a_link_for_students_has_no_tools_for_teachers_and_stays_one() -> None:
    def keys(at: Player) -> set[str]:
        return {part.key for top in screen(at) for part in top.all()}

    tools = {"learn_explorer", "learn_present"}
    address = {"lesson": "kinds", "card": "2"}
    teacher = Player(PlayerHost(lambda key: every_kind())).at(address)
    student = Player(PlayerHost(lambda key: every_kind())).at({**address, "student": "1"})
    assert tools <= keys(teacher)
    assert not tools & keys(student)
    assert student.stepping(1).parameters() == {"lesson": "kinds", "card": "3", "student": "1"}
    assert teacher.parameters() == address


def test_a_presented_card_has_its_text_next_to_its_open_question() -> None:
    at = press(card(CLICK), "learn_present")
    parts = [
        part for paragraph in data(at, "present_text")["paragraphs"] for part in paragraph["parts"]
    ]
    assert "".join(text for text, *_ in parts).startswith("The value is ")
    at = press(click(at, "A", "B", "P1", "P2", graph="present_graph_0"), "present_check")
    assert "present_text" not in keys(at)


def test_a_card_explains_each_term_at_its_first_place_and_keeps_its_text() -> None:
    """Lesson 4 names LCAs on its second card, and again in the paragraph below."""
    at = player(lesson("04-two-ways")).going("04-two-ways", 1)
    text = [part for p in data(at, "learn_text")["paragraphs"][1:] for part in p["parts"]]
    explained = [word for word, kind, meaning in text if kind == "words" and meaning]
    assert explained[:3] == ["Augmented sets", "LCA", "LCA graphs"]
    assert len({word.casefold().rstrip("s") for word in explained}) == len(explained)
    plain = "".join(piece.text for pieces in at.place.card.text for piece in pieces)
    assert "".join(word for word, *_ in text).startswith(plain)


def test_a_presented_card_has_its_table_next_to_its_open_question() -> None:
    """The shop's table of lesson 11 has four products, of which the question wants the mean."""
    at = press(player(lesson("11-story")).going("11-story"), "learn_present")
    assert len(data(at, "present_table")["rows"]) == 4
    assert "present_table" not in keys(after(at, "present_tools", {"kind": "all"}))


def test_a_class_is_asked_one_question_at_a_time() -> None:
    """Lesson 11 asks on its fourth card which measures prefer A's answer, and has no votes."""
    at = press(player(lesson("11-story")).going("11-story", 3), "learn_present")
    assert not data(at, "present_rows")["rows"]["votes"]


def test_an_edge_that_is_removed_leaves_the_classes_where_they_were() -> None:
    """In lesson 4 the answer removes an edge, and no class changes its level."""
    at = player(lesson("04-two-ways")).going("04-two-ways", 7)
    before, later = (
        {shape["text"]: (shape["x"], shape.get("y", 0)) for shape in shapes}
        for shown in (at, press(at, "learn_reveal"))
        for shapes in [data(shown, "learn_graph_0")["scene"]["shapes"]]
    )
    assert later == before
