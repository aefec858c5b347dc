"""Practice without a browser: exercises, the score, the address, and sheets to take away."""

import io
import re
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.learn.practice import FILES, PRACTICE, Practice, make_files, read
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach.exercises import ExerciseRequest, exercise
from tests.app.screen import bound, controls, errors, play, run, sent
from tests.app.test_learn_page import address, learn, press, texts

VALUES = "7.1.7-2.value.ancestors"  # the first exercise of seed 7: a value, about ancestor sets
WISH = ExerciseRequest(kinds=("value",), measures=("hF", "hP", "hR", "SDL"))


def held(app: AppTest) -> Practice:
    found: Practice = app.session_state[PRACTICE.name]
    return found


def score(app: AppTest) -> str:
    return next(e["text"] for e in sent(app, "text") if e["text"].startswith("Seed "))


def notes(app: AppTest) -> list[str]:
    return [e["text"] for e in sent(app, "text") if e["kind"] == "note"]


def answer(app: AppTest, text: str) -> AppTest:
    return press(play(app, "answer_number", text), "learn_check")


@pytest.fixture
def app() -> AppTest:
    return learn(practice=VALUES)


def test_the_address_shows_the_same_exercise_to_everyone_and_the_first_answer_to_it_counts(
    app: AppTest,
) -> None:
    one, two = exercise(WISH, 7), exercise(WISH, 7, 2)
    assert one.question.words in texts(app)
    assert (address(app), score(app)) == ({"practice": VALUES}, "Seed 7 · nothing answered yet")
    for text in ("77", str(one.question.answer())):
        assert score(answer(app, text)) == "Seed 7 · 0 of 1 right"
    press(app, "learn_next")
    assert two.question.words in texts(app)
    assert address(app) == {"practice": "7.2.7-2.value.ancestors"}
    assert score(answer(app, str(two.question.answer()))) == "Seed 7 · 1 of 2 right"
    press(press(app, "learn_next"), "learn_reveal")
    assert score(app) == "Seed 7 · 1 of 3 right"


def test_a_chosen_difficulty_begins_a_series_anew(app: AppTest) -> None:
    press(app, "learn_next")
    run(app, bound(app, "practice_level").set_value("Hard"))
    assert held(app).difficulty == (10, True, 3)
    assert address(app) == {"practice": "7.1.10-dag-3.value.ancestors"}


def test_kinds_that_do_not_fit_are_left_out_with_why_and_none_is_refused(app: AppTest) -> None:
    run(app)
    run(app, bound(app, "practice_kinds").set_value(["value", "pair"]))
    assert "Pairings: left out, because it asks about GIE, MGIA, TIE. Choose one of them." in notes(
        app
    )
    run(app, bound(app, "practice_kinds").set_value(["pair"]))
    assert any("it asks about GIE" in text for text in errors(app))
    assert held(app).kinds == ("pair", "value")
    run(app, bound(app, "practice_kinds").set_value([]))
    assert any("at least" in text for text in errors(app))
    assert held(app).kinds == ("pair", "value")


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("x", "write a number from 0 to 1,000,000,000"),
        ("7.0", "100,000"),
        ("7.1.9-tree-2", "Write it as in 7.3.9-dag-2"),
        ("7.1.99-2", "4 to 14 classes, not 99"),
        ("7.1.7-2.valu", "did you mean 'value'"),
        ("7.1.7-2.value.lcs", "did you mean 'lca'"),
        ("7.1.7-2.pair.paths", "it asks about GIE"),
        ("7.1.7-2.value.lca.more", "Write it as in"),
        ("²", "write a number"),
        ("7" * 5000, "write a number"),
    ],
)
def test_a_word_that_names_no_exercise_is_refused(word: str, reason: str) -> None:
    with pytest.raises(InputError, match=re.escape(reason)):
        read(word, Practice())


def test_an_old_link_that_places_two_predictions_opens_its_card() -> None:
    app = learn(lesson="03-pairing", card="6", sides="7")
    assert not errors(app)
    assert address(app) == {"lesson": "3", "card": "6"}


@pytest.mark.parametrize("word", ["7", "broken"])
def test_an_old_link_to_a_final_leads_to_practice(word: str) -> None:
    app = learn(final=word)
    assert not errors(app)
    assert "learn_next" in controls(app)
    assert address(app).keys() == {"practice"}


def test_a_word_says_all_that_is_asked_for() -> None:
    asked = Practice(("click", "value"), ("lca", "paths"), 9, True, 3, seed=12)
    assert read(asked.word(4), Practice()) == (asked, 4)
    assert read(Practice(seed=5).word(), Practice()) == (Practice(seed=5), 1)


def test_a_sheet_is_made_when_asked_for_and_again_when_something_changed(app: AppTest) -> None:
    run(app)
    assert not app.get("download_button")
    bound(app, "sheet_variants").set_value(2)
    bound(app, "sheet_exercises").set_value(2)
    press(run(app), "sheet_make")
    labels = [element.proto.label for element in app.get("download_button")]
    assert labels == [words for words, _ in FILES.values()]
    assert labels[-1] == "Quiz for Moodle (XML)"
    run(app, bound(app, "sheet_variants").set_value(40))
    assert not app.get("download_button")
    bound(app, "sheet_exercises").set_value(20)
    press(run(app), "sheet_make")
    assert any("limit of 400 exercises" in text for text in errors(app))


def test_the_zip_has_a_document_for_each_student_and_the_solutions() -> None:
    made, _ = make_files(WISH, 7, 1, 2, "Week 3")
    with zipfile.ZipFile(io.BytesIO(made["zip"])) as archive:
        assert archive.namelist() == ["variant-01.tex", "variant-02.tex", "solutions.tex"]
        assert b"Week 3" in archive.read("variant-02.tex")
    make_files.cache_clear()
    assert make_files(WISH, 7, 1, 2, "Week 3")[0] == made


def test_an_exercise_is_presented_turned_and_its_code_leads_to_where_it_is_answered(
    app: AppTest,
) -> None:
    press(app, "learn_present")
    assert address(app) == {"practice": VALUES, "present": "1"}
    play(app, "present_tools", {"kind": "go", "by": 1})
    assert "practice_level" not in [field.key for field in app.button_group]
    tools = controls(play(app, "present_tools", {"kind": "code", "open": True}))["present_tools"][
        "data"
    ]["tools"]
    assert tools["code"]["link"].endswith("/learn?practice=7.2.7-2.value.ancestors")
    play(app, "present_tools", {"kind": "leave"})
    assert address(app) == {"practice": "7.2.7-2.value.ancestors"}
