"""A card as controls: its text, one or two drawings, the values of its measures, and the question.

A click on a drawing answers the question. Texts are shown without changes, and computed parts look
different (prose.js). `key` is always the key of the answer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from hiermeasures.debug.what_if import change as value_change
from hiermeasures.draw.panel import Column, PanelTable, Row, Text
from hiermeasures.draw.scene import Arrangement
from hiermeasures.draw.views import VIEWS
from hiermeasures.explore.component_data import clicked, symbol_parts, two_decimals
from hiermeasures.explore.controls import (
    Control,
    Controls,
    attempted,
    box,
    button,
    component,
    row,
    switch,
    words,
)
from hiermeasures.measures import Explanation, Measure
from hiermeasures.measures.catalogue import DIRECTIONS, named
from hiermeasures.measures.own import spoken
from hiermeasures.measures.terms import split_at_terms
from hiermeasures.teach.cards import Card
from hiermeasures.teach.player.drawing import (
    CardDrawing,
    choose_view,
    drawings_of,
    shows_comparison,
)
from hiermeasures.teach.player.inputs import INPUTS, AnswerState
from hiermeasures.teach.player.model import Player
from hiermeasures.teach.questions import Question, Verdict
from hiermeasures.verify.values import Piece, PieceKind

MISSED = "Change your answer, or show the right one."
HIDDEN = "▒▒▒"
PREFERRED = "Boxed: the value this measure prefers."
Look = Literal["text", "title", "question", "right", "wrong", "note"]


@dataclass(frozen=True)
class Paragraph:
    """Parts in a row, each with its text, kind and hover text.

    The look "title" is a heading. The looks "right" and "wrong" have a sign in front.
    """

    parts: tuple[tuple[str, PieceKind, str], ...]
    look: Look = "text"

    @classmethod
    def of(cls, text: str, look: Look = "text") -> "Paragraph":
        """Return a paragraph with only words."""
        return cls(((text, "words", ""),), look)


def prose(
    key: str,
    paragraphs: Iterable[Paragraph],
    *,
    announced: bool = False,
    follow: tuple[str, str] | None = None,
) -> Control:
    """Return a control that shows paragraphs.

    Screen readers read `announced` paragraphs when they appear or change. `follow` is the subject
    with its state. When it changes, the focus moves to the paragraphs.
    """
    set_as = [{"look": p.look, "parts": [list(part) for part in p.parts]} for p in paragraphs]
    return component(
        key, "prose", lambda: {"paragraphs": set_as, "announced": announced, "follow": follow}
    )


def card_text(card: Card) -> list[Paragraph]:
    known: set[str] = set()
    text = [
        Paragraph(tuple(part for p in pieces for part in _parts(card, p, known)))
        for pieces in card.text
    ]
    notes = [Paragraph.of(note, "note") for note in (card.source, *card.notes) if note]
    return [Paragraph.of(card.title, "title"), *text, *notes]


def _parts(card: Card, piece: Piece, known: set[str]) -> Iterator[tuple[str, PieceKind, str]]:
    """Return a piece as parts with hover texts: definitions of terms, or names of values."""
    if piece.kind != "words":
        yield piece.text, piece.kind, _hover(card, piece)
        return
    for text, meaning in split_at_terms(piece.text, known):
        yield text, piece.kind, meaning


def _hover(card: Card, piece: Piece) -> str:
    """Return the meaning of a part of a text, or "" if the text is clear without it."""
    words = card.subject.name(piece.expression) if piece.kind in ("value", "classes") else ""
    return "" if words == piece.text else words


def question_text(asked: Question, answer: AnswerState) -> list[Paragraph]:
    """Return a question with its verdict, or with a hint after a first wrong answer."""
    found, verdict, more = (
        [Paragraph.of(asked.words, "question")],
        answer.verdict or answer.miss,
        [""],
    )
    if verdict is None:
        return found
    wrong = "" if answer.revealed or verdict.right else _thought(verdict)
    if not verdict.right:
        found.append(
            Paragraph.of(
                f"Not right{f': {verdict.given_words}' if verdict.given_words else ''}", "wrong"
            )
        )
    if answer.verdict is None:
        hint = asked.hint()
        more = [wrong, f"Hint: {hint} {MISSED}" if hint else MISSED]
    else:
        more = [wrong, verdict.why, asked.explain]
        if answer.revealed:
            found.append(Paragraph.of(f"The answer: {verdict.answer_words}", "right"))
        elif verdict.right:
            found.append(
                Paragraph.of(f"Right: {verdict.given_words or verdict.answer_words}", "right")
            )
        else:
            found.append(Paragraph.of(f"The answer: {verdict.answer_words}"))
    return [*found, *(Paragraph.of(text) for text in more if text)]


def _thought(verdict: Verdict) -> str:
    """Return the mistake with its marked classes in words, because the drawing may be out of sight.

    If the mistake is unknown, return the question that the answer belongs to.
    """
    marked = {
        item
        for sides in verdict.mistaken
        for items in sides
        for item in items
        if isinstance(item, str)
    }
    more = f" Marked on the drawing: {named(marked)}." if marked else ""
    return f"{verdict.thought}{more}" if verdict.thought else verdict.would_be


def area(*parts: Control) -> Control:
    return Control("area", "wide", parts=parts)


def card_controls(
    player: Player, card: Card, key: str, *more: Control, graded: bool = False
) -> Control:
    """Return all controls of a card, with `more` after its buttons. Others judge a `graded`
    card.
    """
    layout = "two" if len(card.instances) > 1 else "one"
    at = choose_view(player, card, key)
    drawings = (
        box(
            words(drawing.caption, "note", key=f"learn_name_{drawing.k}")
            if drawing.caption
            else None,
            component(
                f"learn_graph_{drawing.k}",
                "graph",
                partial(drawing.graph, at),
                click=partial(_clicked, drawing),
                unfold=partial(_unfold, drawing),
            ),
        )
        for drawing in drawings_of(player, card, key)
    )
    tables = _tables(player, card, key)
    return box(
        prose("learn_text", card_text(card), follow=("card", key)),
        row(*drawings, key=f"drawings_{len(card.instances)}", style="drawings"),
        *((box(*tables, key="learn_tables"),) if len(tables) > 1 else tables),
        box(*_question(player, card, key, *more, graded=graded), style="question"),
        key=f"card_{layout}",
        style=f"card {layout}",
    )


def _tables(player: Player, card: Card, key: str) -> Controls:
    """Return the card's own table and the values of its measures, if any."""
    values = partial(values_of, player, card, key)
    choose = partial(_choose_measure, card, key)
    return (
        *own_table("learn_table", card),
        *(
            (component("learn_values", "table", lambda: values().as_data(), choose=choose),)
            if card.measures
            else ()
        ),
    )


def own_table(name: str, card: Card) -> Controls:
    """Return the card's own table as a control, if the card has one."""
    return (component(name, "table", lambda: _table(card).as_data()),) if card.table else ()


def _table(card: Card) -> PanelTable:
    titles, *rows = card.table
    columns = tuple(map(Column, titles))
    return PanelTable(card.title, columns, tuple(Row(cells) for cells in rows), compact=True)


def _clicked(drawing: CardDrawing, player: Player, value: Mapping[str, Any]) -> Player:
    return click(drawing, drawing.arrangement, player, value)


def click(
    drawing: CardDrawing, places: Arrangement, player: Player, value: Mapping[str, Any]
) -> Player:
    """Return the player after a click on a class of a drawing."""
    label, answer = clicked(places, value), player.answer(drawing.key)
    if drawing.question is None or drawing.asking is None or label is None or not answer.open:
        return player
    made = drawing.asking.clicked(drawing.question, answer, label)
    return replace(player, answers={**player.answers, drawing.key: made})


def _unfold(drawing: CardDrawing, player: Player, value: Mapping[str, Any]) -> Player:
    label, unfolded = clicked(drawing.arrangement, value), player.answer(drawing.key).unfolded
    return player if label is None else player.with_answer(drawing.key, unfolded=unfolded | {label})


def values_of(player: Player, card: Card, key: str) -> PanelTable:
    drawn = drawings_of(player, card, key)
    found = [drawing.explained for drawing in drawn]
    chosen = player.chosen.get(key) or card.measures[0]
    boxed = compares_predictions(card)
    rows = []
    for name in card.measures:
        measure = found[0].measure(name)
        cells = [Text(HIDDEN, says="hidden until it is answered")] * len(found)
        if "values" not in drawn[0].hidden:
            cells = _cells(measure, found, boxed)
        about = f"{measure.name}; {DIRECTIONS[measure.better]}"
        symbol = symbol_parts(measure.symbol)
        rows.append(
            Row(
                (Text(spoken(name), says=about, symbol=symbol), Text(measure.name), *cells),
                (),
                name,
                name == chosen,
            )
        )
    names = ("First", "Second") if len(found) > 1 else ("Value",)
    columns = (Column("Measure"), Column("", "rest"), *(Column(name, "number") for name in names))
    note = (
        PREFERRED
        if any(isinstance(c, Text) and c.strong for row in rows for c in row.cells)
        else ""
    )
    return PanelTable("The values of the measures", columns, tuple(rows), note)


def compares_predictions(card: Card) -> bool:
    """Return True if a card has two predictions for one instance, so that you can prefer one."""
    if len(card.instances) != 2:
        return False
    one, other = card.instances
    same = replace(other, predicted=one.predicted, predicted_paths=one.predicted_paths) == one
    return same and other.predicted != one.predicted


def _cells(measure: Measure, found: list[Explanation], boxed: bool) -> list[Text]:
    values = [explanation.value(measure) for explanation in found]
    better = [False] * len(values)
    if boxed:
        word = value_change(measure, values[0], values[1]).word
        better = [word == "worse", word == "better"]
    return [
        Text(two_decimals(v), strong=strong, says=repr(v))
        for v, strong in zip(values, better, strict=True)
    ]


def _choose_measure(card: Card, key: str, player: Player, value: Mapping[str, Any]) -> Player:
    name = value.get("key")
    return replace(player, chosen={**player.chosen, key: name}) if name in card.measures else player


def _question(player: Player, card: Card, key: str, *more: Control, graded: bool) -> Controls:
    """Return the question. A card without a question has a button that reveals hidden parts."""
    asked, answer = card.question, player.answer(key)
    fields = question_fields(player, asked, key) if asked is not None and answer.open else ()
    buttons = (
        _buttons(player, card, key, fields, graded) if asked is not None or card.hidden else ()
    )
    last = row(*buttons, *more)
    if asked is None:
        return (last,)
    answered = "answered" if not answer.open else "" if answer.miss is None else "missed"
    said = prose(
        "answer_words", question_text(asked, answer), announced=True, follow=(key, answered)
    )
    return (said, *fields, last)


def question_fields(player: Player, asked: Question, key: str, *, clicks: bool = True) -> Controls:
    """Return the fields that answer an open question. Without `clicks`, omit those that a drawing
    replaces.
    """
    way, answer = INPUTS[asked.input], player.answer(key)
    hint = (words(way.hint(asked), "note", key="answer_hint"),) if way.hint(asked) else ()
    about = (words(asked.definition, "note", key="answer_about"),) if asked.definition else ()
    return (
        *about,
        *hint,
        *(() if way.on_drawing and not clicks else way.fields(asked, key, answer)),
    )


def check_button(
    name: str, check: Callable[[Player], Player], fields: Controls, words: str = "Check"
) -> Control:
    """Return the button that submits the answer. A fault is shown below its field."""
    field = next((part.key for top in fields for part in top.all() if part.act is not None), name)
    return button(
        name, words, lambda player: attempted(player, field, check), keys="Enter", primary=True
    )


def _buttons(player: Player, card: Card, key: str, fields: Controls, graded: bool) -> Controls:
    asked, answer = card.question, player.answer(key)
    if answer.open:
        if graded:
            return ()
        reveal = button(
            "learn_reveal",
            "Reveal" if asked is None else "Show the answer",
            lambda player: player.revealing(asked, key),
        )
        check = (
            ()
            if asked is None
            else (check_button("learn_check", lambda p: p.checking(asked, key), fields),)
        )
        return (*check, reveal)
    again = (
        () if graded else (button("learn_again", "Try again", lambda player: player.again(key)),)
    )
    if asked is None or asked.input == "classes" or not shows_comparison(asked, answer):
        return again
    said = {
        False: "the answer" if answer.revealed else "your answer",
        True: VIEWS[choose_view(player, card, key).view].title,
    }
    choose: Callable[[Player, bool], Player] = lambda player, on: player.with_answer(
        key, structure=on
    )
    return (*again, switch("answer_drawn", "What is drawn", answer.structure, said, choose))
