"""A kind of question is one class and its name in KINDS: a new one is used like the others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any

import pytest

from hiermeasures.app.server import LESSONS
from hiermeasures.cli import main
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach import KINDS, read_lesson
from hiermeasures.teach.questions import FormField, Given, Question, QuestionEntry, Verdict, one_of
from hiermeasures.teach.random_instances import Difficulty, draw
from tests.app.screen import bound, play, run, sent
from tests.app.test_learn_page import learn, press, texts
from tests.app.test_my_lesson import WritingHand


@dataclass(frozen=True)
class Children(Question):
    """Ask for the number of children of the class `of`."""

    class Entry(QuestionEntry):
        of: Annotated[str, FormField("Class whose children are counted", "B")] = ""

    kind = "children"
    title = "Children"
    input = "number"
    entry: Entry

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> Any:
        drawn = draw(wanted, rng, "")
        return drawn and drawn.card(
            [rng.choice(wanted.chosen)], kind=cls.kind, of=drawn.hierarchy.root
        )

    def asked(self) -> str:
        return f"How many children has {self.entry.of}?"

    def check(self) -> None:
        self.answer()

    def answer(self) -> str:
        return str(len(self.instances[0].hierarchy.children(self.entry.of)))

    def read(self, text: str | Iterable[str]) -> str:
        return one_of(text)

    def assess(self, given: Given) -> Verdict:
        if not isinstance(given, str) or not given.isdigit():
            raise InputError("an answer is a whole number")
        words = f"The children are those of {self.entry.of}."
        return Verdict(
            given == self.answer(), given, self.answer(), why=words, answer_words=self.answer()
        )


CARD: Mapping[str, Any] = {
    "title": "A card",
    "hierarchy": "A>B A>C B>T1 B>P1 B>P2",
    "true": "T1",
    "predicted": "P1",
}
LESSON = """
lesson: Children
learns: Counting.
minutes: 1
cards:
  - title: A card
    hierarchy: A>B A>C B>T1 B>P1 B>P2
    true: T1
    predicted: P1
    question: {kind: children, of: B, answer: ANSWER}
"""


@pytest.fixture(autouse=True)
def one_kind_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, Children.kind, Children)


def test_a_lesson_file_asks_it_and_verify_checks_its_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    for answer, status in (("3", 0), ("2", 1)):
        (tmp_path / "one.yaml").write_text(LESSON.replace("ANSWER", answer))
        assert main(["verify", "--lessons", str(tmp_path)]) == status
    assert "the answer is 3, not 2: The children are those of B." in capsys.readouterr().err
    for wrong, reason in (
        ("", "needs the entry 'of'"),
        ("of: B, off: C", r"unknown entry 'off' \(did you mean 'of'"),
    ):
        with pytest.raises(InputError, match=reason):
            read_lesson(LESSON.replace("of: B", wrong or "ask: How many?").encode(), "one.yaml")


def test_learn_asks_it_and_practice_draws_it_and_keeps_its_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.yaml").write_text(LESSON.replace("ANSWER", "3"))
    monkeypatch.setenv(LESSONS, str(tmp_path))
    app = learn(lesson="teacher/one")
    assert "How many children has B?" in texts(app)
    play(app, "answer_number", "3")
    assert "The children are those of B." in texts(press(app, "learn_check"))
    app = learn(practice="7.1.7-2.children")
    assert any(text.startswith("How many children has A?") for text in texts(app))
    assert "Children" in bound(run(app), "practice_kinds").options
    press(press(app, "learn_reveal"), "learn_next")
    press(app, "learn_reveal")
    assert "Seed 7 · 0 of 2 right" in [each["text"] for each in sent(app, "text")]


def test_my_lesson_offers_it_with_its_entries() -> None:
    at = WritingHand(CARD)
    assert at.control("card_kind")["words"][-1] == "children"
    at.set("card_kind", "children")
    field = at.control("question_of")
    assert (field["label"], field["placeholder"]) == ("Class whose children are counted", "B")
    at.set("question_of", "B")
    assert at.control("card_answer")["text"] == "The answer: 3"
    lesson = at.read()
    assert isinstance(lesson.cards[0].question, Children)
    assert '"of":"B"' in lesson.entries.model_dump_json()


def test_sheets_print_it(tmp_path: Path) -> None:
    arguments = [
        "sheet",
        "--questions",
        "children",
        "--number",
        "2",
        "--seed",
        "7",
        "--out",
        str(tmp_path / "sheets"),
    ]
    assert main(arguments) == 0
    for name in ("worksheets.html", "variant-01.tex"):
        assert (tmp_path / "sheets" / name).read_text("utf-8").count(
            "How many children has A?"
        ) == 2
    assert (tmp_path / "sheets" / "solutions.html").read_text("utf-8").count("<b>Answer: ") == 2
