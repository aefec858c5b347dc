"""A card as controls: its text, its one or two drawings, on which a click answers its question, the
values of its measures, and the question with its buttons. Lessons and exercises are made of these.
Every text is shown as exactly its characters, with what was computed set apart (prose.js).

`key` is always that of the answer.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from hiermeasures.behaviour.what_if import change as value_change
from hiermeasures.explorer.component_data import clicked, two_decimals
from hiermeasures.explorer.controls import Control, Controls, attempted, box, button, component, row, switch, words
from hiermeasures.explorer.player.drawing import Drawing, compared, drawings_of, looked_at
from hiermeasures.explorer.player.inputs import INPUTS, Answer
from hiermeasures.explorer.player.model import Player
from hiermeasures.lessons.cards import Card
from hiermeasures.lessons.exercises import Exercise
from hiermeasures.lessons.questions import Question, Verdict
from hiermeasures.lessons.values import PieceKind
from hiermeasures.measures import CATALOGUE, Explanation, Measure
from hiermeasures.measures.catalogue import DIRECTIONS, named
from hiermeasures.measures.own import spoken
from hiermeasures.picture.panel import Column, Row, Table, Text
from hiermeasures.picture.scene import Arrangement
from hiermeasures.picture.views import VIEWS, ViewState

# --- the words of a card ------------------------------------------------------------------------

MISSED = "Change your answer and check it once more, or have the answer shown."
_WORD = re.compile(r"\w+")
Look = Literal["text", "title", "question", "right", "wrong", "note"]


@dataclass(frozen=True)
class Part:
    """A part of a paragraph, and what it was computed of, which is said under the mouse."""

    text: str
    kind: PieceKind = "words"
    says: str = ""


@dataclass(frozen=True)
class Paragraph:
    """Parts in a row; a `title` is a heading, "right" and "wrong" have a sign before them."""

    parts: tuple[Part, ...]
    look: Look = "text"

    @classmethod
    def of(cls, text: str, look: Look = "text") -> "Paragraph":
        """A paragraph of words alone."""
        return cls((Part(text),), look)


def prose(
    key: str, paragraphs: Iterable[Paragraph], *, announced: bool = False, follow: tuple[str, str] | None = None
) -> Control:
    """A control that shows them; `announced` ones are read aloud when they come or change. `follow`
    is what they are about and its state, with whose change the focus comes to them.
    """
    set_as = [{"look": p.look, "parts": [[part.text, part.kind, part.says] for part in p.parts]} for p in paragraphs]
    return component(key, "prose", lambda: {"paragraphs": set_as, "announced": announced, "follow": follow})


def card_text(card: Card) -> list[Paragraph]:
    """Title and text of a card, and where it is from."""
    text = [
        Paragraph(tuple(Part(p.text, p.kind, "" if p.kind == "words" else p.expression) for p in pieces))
        for pieces in card.text
    ]
    source = [Paragraph.of(card.source, "note")] if card.source else []
    return [Paragraph.of(card.title, "title"), *text, *source]


def asked_text(asked: Question, answer: Answer, known: Container[str] | None = None) -> list[Paragraph]:
    """A question with its verdict, or with what helps on after a miss. `known` are the measures
    that can be spoken of, where not all can.
    """
    found = [Paragraph.of(asked.words, "question")]
    if answer.verdict is not None:
        found += verdict_text(asked, answer.verdict, revealed=answer.revealed, known=known)
    elif answer.miss is not None:
        thought = _thought(answer.miss) or _fitting(answer.miss.would_be, known)
        hint = asked.hint()
        more = (thought, f"A hint: {hint}" if hint else "", MISSED)
        found += [_not_right(answer.miss), *(Paragraph.of(text) for text in more if text)]
    return found


def _not_right(verdict: Verdict) -> Paragraph:
    return Paragraph.of(f"Not right{f': {verdict.given_words}' if verdict.given_words else ''}", "wrong")


def _thought(verdict: Verdict) -> str:
    """The mistake, with the classes that are marked, for the drawing may be out of sight."""
    marked = {item for sides in verdict.mistaken for items in sides for item in items if isinstance(item, str)}
    return f"{verdict.thought} Marked on the drawing: {named(marked)}." if marked else verdict.thought


def _fitting(text: str, known: Container[str] | None) -> str:
    """The text, where it names no measure that is not known yet."""
    names = _WORD.findall(text)
    return text if known is None or all(name in known for name in names if name in CATALOGUE) else ""


def verdict_text(
    asked: Question, verdict: Verdict, *, revealed: bool = False, known: Container[str] | None = None
) -> list[Paragraph]:
    """A verdict: what is right, what a wrong answer would have been, and why."""
    answer = verdict.answer_words
    if revealed:
        found = [Paragraph.of(f"The answer: {answer}", "right")]
    elif verdict.right:
        found = [Paragraph.of(f"Right: {verdict.given_words or answer}", "right")]
    else:
        found = [_not_right(verdict), Paragraph.of(f"The answer: {answer}")]
    wrong = "" if revealed or verdict.right else _thought(verdict) or _fitting(verdict.would_be, known)
    more = (wrong, verdict.why, asked.explain)
    return [*found, *(Paragraph.of(text) for text in more if text)]


HIDDEN = "▒▒▒"
PREFERRED = "In a box: what the measure prefers."


def area(*parts: Control) -> Control:
    """Controls that take the whole width of a screen."""
    return Control("area", "wide", parts=parts)


def notes_of(one: Exercise) -> list[str]:
    """Facts that an exercise needs: what its measures are, and the value it speaks of."""
    about = [one.card.subject.measure(key) for key in one.card.measures]
    said = [f"{measure.name}: {measure.description}" for measure in about]
    return [*said, *([one.given] if one.given else [])]


def card_controls(
    player: Player, card: Card, key: str, *more: Control, notes: Iterable[str] = (), graded: bool = False
) -> Control:
    """All of a card: `notes` below the text, `more` behind buttons. `graded`: judged elsewhere."""
    text = [*card_text(card), *(Paragraph.of(note, "note") for note in notes)]
    layout = "two" if len(card.instances) > 1 else "one"
    return box(
        prose("learn_text", text, follow=("card", key)),
        _drawings(player, card, key),
        _value_table(player, card, key),
        box(*_question(player, card, key, *more, graded=graded), style="question"),
        key=f"card_{layout}",
        style=f"card {layout}",
    )


# --- drawings -------------------------------------------------------------------------------------


def _drawings(player: Player, card: Card, key: str) -> Control:
    at = looked_at(player, card, key)
    found = (
        box(
            words(drawing.caption, "note", key=f"learn_name_{drawing.k}") if drawing.caption else None,
            _graph(drawing, at),
        )
        for drawing in drawings_of(player, card, key)
    )
    return row(*found, key=f"drawings_{len(card.instances)}", style="drawings")


def _graph(drawing: Drawing, at: ViewState) -> Control:
    return component(
        f"learn_graph_{drawing.k}",
        "graph",
        partial(drawing.graph, at),
        click=lambda player, value: click(drawing, drawing.arrangement, player, value),
        unfold=partial(_unfold, drawing),
    )


def click(drawing: Drawing, places: Arrangement, player: Player, value: Mapping[str, Any]) -> Player:
    """The player after a click on a class of a drawing with its classes in some places."""
    label, answer = clicked(places, value), player.answer(drawing.key)
    if drawing.question is None or drawing.asking is None or label is None or not answer.open:
        return player
    made = drawing.asking.clicked(drawing.question, answer, label)
    return replace(player, answers={**player.answers, drawing.key: made})


def _unfold(drawing: Drawing, player: Player, value: Mapping[str, Any]) -> Player:
    label, unfolded = clicked(drawing.arrangement, value), player.answer(drawing.key).unfolded
    return player if label is None else player.with_answer(drawing.key, unfolded=unfolded | {label})


# --- values ---------------------------------------------------------------------------------------


def _value_table(player: Player, card: Card, key: str) -> Control | None:
    """A row per measure. One that is chosen is drawn."""
    if not card.measures:
        return None
    choose = partial(_choose_measure, card, key)
    return component("learn_values", "table", lambda: values_of(player, card, key).as_data(), choose=choose)


def values_of(player: Player, card: Card, key: str) -> Table:
    """The table; a measure that is better for one of two predictions has a box around its value."""
    drawn = drawings_of(player, card, key)
    found = [drawing.explained for drawing in drawn]
    chosen = player.chosen.get(key) or card.measures[0]
    rows = []
    for name in card.measures:
        measure = found[0].measure(name)
        cells = [Text(HIDDEN, says="hidden until it is answered")] * len(found)
        if "values" not in drawn[0].hidden:
            cells = _cells(measure, found)
        about = f"{measure.name}; {DIRECTIONS[measure.better]}"
        rows.append(Row((Text(spoken(name), says=about), Text(measure.name), *cells), (), name, name == chosen))
    names = ("First", "Second") if len(found) > 1 else ("Value",)
    columns = (Column("Measure"), Column("", "rest"), *(Column(name, "number") for name in names))
    note = PREFERRED if any(isinstance(c, Text) and c.strong for row in rows for c in row.cells) else ""
    return Table("The values of the measures", columns, tuple(rows), note)


def _cells(measure: Measure, found: list[Explanation]) -> list[Text]:
    values = [explanation.value(measure) for explanation in found]
    better = [False] * len(values)
    if len(values) == 2:
        word = value_change(measure, values[0], values[1]).word
        better = [word == "worse", word == "better"]
    return [
        Text(two_decimals(value), strong=strong, says=repr(value)) for value, strong in zip(values, better, strict=True)
    ]


def _choose_measure(card: Card, key: str, player: Player, value: Mapping[str, Any]) -> Player:
    name = value.get("key")
    return replace(player, chosen={**player.chosen, key: name}) if name in card.measures else player


# --- the question ---------------------------------------------------------------------------------


def _question(player: Player, card: Card, key: str, *more: Control, graded: bool) -> Controls:
    """The question, or the way to what is hidden where nothing is asked."""
    asked, answer = card.question, player.answer(key)
    fields = question_fields(player, asked, key) if asked is not None and answer.open else ()
    buttons = _buttons(player, card, key, fields, graded) if asked is not None or card.hidden else ()
    last = row(*buttons, *more)
    if asked is None:
        return (last,)
    known = player.place.known if player.place is not None else None
    answered = "answered" if not answer.open else "" if answer.miss is None else "missed"
    said = prose("answer_words", asked_text(asked, answer, known), announced=True, follow=(key, answered))
    return (said, *fields, last)


def question_fields(player: Player, asked: Question, key: str, *, clicks: bool = True) -> Controls:
    """The fields that answer an open question; without `clicks`, only what no drawing does."""
    way, answer = INPUTS[asked.input], player.answer(key)
    hint = words(way.hint(asked), "note", key="answer_hint") if way.hint(asked) else None
    fields = () if way.on_drawing and not clicks else way.fields(asked, key, answer)
    return tuple(part for part in (hint, *fields) if part is not None)


def check_button(name: str, check: Callable[[Player], Player], fields: Controls, words: str = "Check") -> Control:
    """The button that has the answer judged; a fault is said below its field, if there is one."""
    field = next((part.key for top in fields for part in top.all() if part.act is not None), name)
    return button(name, words, lambda player: attempted(player, field, check), keys="Enter", primary=True)


def _buttons(player: Player, card: Card, key: str, fields: Controls, graded: bool) -> Controls:
    asked, answer = card.question, player.answer(key)
    if answer.open and graded:
        return ()
    if answer.open:
        judged = lambda player: player.checking(asked, key)  # noqa: E731
        check = (check_button("learn_check", judged, fields),) if asked is not None else ()
        words = "Reveal" if asked is None else "Show the answer"
        return (*check, button("learn_reveal", words, lambda player: player.revealing(asked, key)))
    again = () if graded else (button("learn_again", "Try again", lambda player: player.again(key)),)
    if asked is None or not compared(asked, answer):
        return again
    said = {
        False: "the answer" if answer.revealed else "your answer",
        True: VIEWS[looked_at(player, card, key).view].title,
    }
    drawn = switch(
        "answer_drawn",
        "What is drawn",
        answer.structure,
        said,
        lambda player, on: player.with_answer(key, structure=on),
    )
    return (*again, drawn)


def turning(name: str, turn: Callable[[int, Any], Any], *, first: bool, onward: str = "Next") -> Controls:
    """The buttons to the question before (-1) and the next (1); the `first` has none before it."""
    back = button(f"{name}_back", "Back", partial(turn, -1), keys="ArrowLeft", disabled=first)
    return back, button(f"{name}_next", onward, partial(turn, 1), keys="ArrowRight")
