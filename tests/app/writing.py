"""A person's hand on the screen of My lesson, without a browser and without Streamlit."""

import json
from functools import cached_property
from typing import Any

from hiermeasures.app.learn import draft_form
from hiermeasures.app.learn.draft_lesson import DraftLesson, Entries, Writing, as_file
from hiermeasures.explorer.outbox import Receiver
from hiermeasures.explorer.state import History
from hiermeasures.lessons import Lesson, read_lesson
from tests.explorer.hand import Hand


class WritingHand(Hand):
    """On a lesson of some cards, by default of none."""

    def __init__(self, *cards: Entries, at: Writing | None = None) -> None:
        self.now = (at or Writing(History(DraftLesson(cards=cards)))).ready()

    def do(self, component: str, kind: str, **value: Any) -> "WritingHand":
        self.__dict__.pop("drawn", None)
        self.now = draft_form.after(self.now, component, kind, value)
        return self

    def click(self, label: str, mode: str = "") -> "WritingHand":
        shape = self.shapes[label]
        return self.do("my_graph", "click", id=shape["id"], name=label, mode=mode or self.now.click)

    @cached_property
    def drawn(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(json.dumps(draft_form.drawn(self.now, Receiver("token")), allow_nan=False))
        return found

    @property
    def shapes(self) -> dict[str, dict[str, Any]]:
        return {shape["title"]: shape for shape in self.data("my_graph")["scene"]["shapes"]}

    @property
    def lesson(self) -> DraftLesson:
        return self.now.lesson

    @property
    def card(self) -> Entries:
        return self.lesson.card

    @property
    def wrong(self) -> dict[str, str]:
        """The faults of the card, by the key of what says it."""
        found = ((control.get("key", ""), control) for control in self.all() if control.get("style") == "error")
        return {key: control["text"] for key, control in found}

    @property
    def dots(self) -> list[bool]:
        """For each card, whether it is marked as unfinished."""
        return [bool(row["cells"][-1]["text"]) for row in self.data("my_cards")["rows"]]

    def read(self) -> Lesson:
        """The file of the lesson, read again."""
        return read_lesson(as_file(self.lesson).encode(), "saved.yaml")
