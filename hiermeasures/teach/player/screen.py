"""The screen of a player as controls, and the JSON that a host sends to its browser.

The screen is the list of lessons, a card (card.py), or a presented card. It works for every host.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.draw.views import ViewState
from hiermeasures.explore import controls, present
from hiermeasures.explore.controls import Control, Controls, box, button, component, row, words
from hiermeasures.explore.outbox import Inbox
from hiermeasures.explore.present import PresentedDrawing, Presenting, Stage
from hiermeasures.teach.cards import Card, Hidden
from hiermeasures.teach.player.card import (
    Paragraph,
    area,
    card_controls,
    card_text,
    check_button,
    click,
    own_table,
    prose,
    question_fields,
    question_text,
)
from hiermeasures.teach.player.drawing import CardDrawing, choose_view
from hiermeasures.teach.player.inputs import INPUTS, AnswerState
from hiermeasures.teach.player.model import LESSON, Marks, Place, Player, Shelf
from hiermeasures.teach.questions import Question

MODEL = "player"  # which gestures on the screen name
KEPT = "This browser remembers the cards that you solved and saw."
LEAD = "Take lessons and answer questions by clicking. Every number is computed as you read."
ABOUT = (
    "Show the drawing, the text, the question and the values large. You reveal the values one by "
    "one."
)
Code = Callable[[Player], Mapping[str, Any]]


def screen(player: Player, code: Code | None = None) -> Controls:
    """Return the controls of a player. If the host has an address, `code` returns link and QR
    code.
    """
    at, kept = player.place, _kept(player)
    reason = player.faults.get(LESSON, "")
    fault = (words(reason, "error", key="learn_fault"),) if reason else ()
    if at is None:
        return (area(words(LEAD, key="learn_lead"), *fault, *_lists(player), kept),)
    if player.presenting is not None:
        return (area(*fault, *present_card(player, at, code), kept),)
    card = card_controls(player, at.card, at.card_key, *_ways(player, at))
    head = Control("area", "toolbar", parts=(_head(player, at),))
    return (head, area(*fault, card, *_summary(player, at), kept))


def after(player: Player, key: str, value: Any) -> Player:
    return controls.after(player, screen(player), key, value)


def draw_player(
    player: Player, inbox: Inbox, areas: Controls, model: str = MODEL
) -> dict[str, Any]:
    """Return all data for the browser, with the card's address and the request to the host."""
    return {
        **inbox.address(model),
        "areas": [control.as_data(player.faults) for control in areas],
        "address": player.parameters(),
        "wish": player.wish,
        "presenting": player.presenting is not None,
    }


def _lists(player: Player) -> Controls:
    found: list[Control] = []
    for shelf in player.host.shelves():
        found += [words(shelf.title, "title", key=f"{shelf.key}_title")] if shelf.title else []
        found.append(
            component(
                f"learn_{shelf.key}",
                "lessons",
                partial(_listed, player, shelf),
                choose=choose_lesson,
            )
        )
        found += [
            words(said, "error", key=f"{shelf.key}_fault_{k}")
            for k, said in enumerate(shelf.faults)
        ]
    return tuple(found)


def _listed(player: Player, shelf: Shelf) -> dict[str, Any]:
    """Return the lessons with their progress."""
    return {"lessons": [{**entry, **_progress(player, entry)} for entry in shelf.index()]}


def _progress(player: Player, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers of solved and seen cards, and both in words ("" without progress)."""
    cards, questions = entry["cards"], entry["questions"]
    solved, seen = player.marks.of(entry["key"], cards)
    parts = [
        f"{solved} of {questions} solved" if questions else "",
        f"{seen} of {cards} seen" if seen < cards else "",
    ]
    if seen == cards and solved == questions:
        parts = ["✓ solved" if questions else "✓ seen"]
    return {"solved": solved, "seen": seen, "done": " · ".join(filter(None, parts)) if seen else ""}


def choose_lesson(player: Player, value: Mapping[str, Any]) -> Player:
    key = value.get("key")
    return player.going(key) if isinstance(key, str) else player


def _kept(player: Player) -> Control:
    """Return a note about the data in the browser and a button that deletes them, next to the
    list.
    """
    data = {**player.marks.as_data(), "words": KEPT if player.place is None else ""}
    return component(
        "learn_marks",
        "marks",
        lambda: data,
        bring=lambda player, value: replace(player, marks=player.marks.with_kept(value)),
        forget=lambda player, value: replace(player, marks=Marks()),
    )


def _head(player: Player, at: Place) -> Control:
    """Return the link back, the place, and the other actions of the card."""
    back: Control | None = button(
        "learn_list", "All lessons", lambda player: player.going(""), icon="←"
    )
    if at.key == player.host.draft:
        back = button("learn_form", "Back to the form", partial(wish_for, "form"), icon="✎")
    mark = player.marks.word(at.card_key) if at.card.question is not None else ""
    place = "  ·  ".join(
        filter(None, (at.lesson.title, at.words, f"✓ {mark}" if mark == "solved" else mark))
    )
    return row(
        None if at.is_drawn else back,
        words(place, "line", key="learn_place_words"),
        *(() if player.student else _tools()),
        style="place",
    )


def _tools() -> Controls:
    """Return the buttons for teachers. Student links omit them, and phones hide them
    (learn.css).
    """
    return (
        button("learn_explorer", "Open in the Explorer", partial(wish_for, "explorer")),
        button(
            "learn_present",
            "Present",
            lambda p: replace(p, presenting=Presenting()),
            keys="P",
            help=ABOUT,
        ),
    )


def wish_for(wish: str, player: Player) -> Player:
    return replace(player, wish=wish)


def _summary(player: Player, at: Place) -> Controls:
    """Return the summary of a lesson, below its last card when the card is done."""
    open_ = at.card.question is not None and player.answer(at.card_key).open
    if not at.is_last or open_ or not at.lesson.summary:
        return ()
    said = [
        Paragraph.of("In short", "title"),
        *(Paragraph.of(f"· {text}") for text in at.lesson.summary),
    ]
    return (box(prose("learn_summary", said), style="frame summary"),)


def _ways(player: Player, at: Place) -> Controls:
    onward = "Next"
    if at.is_last:
        onward = "Next lesson" if player.host.following(at.key) else "Finish"
    return (
        button(
            "learn_back", "Back", lambda p: p.stepping(-1), keys="ArrowLeft", disabled=at.index == 0
        ),
        button(
            "learn_next",
            onward,
            lambda p: p.stepping(1),
            keys="ArrowRight",
            primary=_is_done(player, at),
        ),
    )


def _is_done(player: Player, at: Place) -> bool:
    """Return True if the card has no open question or hidden part, so that the next card
    follows.
    """
    asks = at.card.question is not None or at.card.hidden
    return not (asks and player.answer(at.card_key).open)


ANSWER = "the answer"  # revealed last, after values and parts of the drawing
DRAWN: tuple[Hidden, ...] = ("true", "predicted", "view")


def present_card(player: Player, at: Place, code: Code | None) -> Controls:
    """Return the card on the screen. `code` returns its link and QR code."""
    now = _now(player, at)
    shown = replace(stage(player, at, now), shared=code is not None)
    places = shown.arranged[1]
    clicks = [
        partial(click, drawing, places[k]) for k, drawing in enumerate(_drawings(player, at, now))
    ]
    told = code(player) if code is not None and now.code else None
    return present.controls_of(shown, now, told, heard=partial(_heard, at), clicks=clicks)


def stage(player: Player, at: Place, now: Presenting) -> Stage:
    card, asked, answer = at.card, at.card.question, player.answer(at.card_key)
    values = card.measures if "values" in card.hidden else ()
    seen = replace(choose_view(player, card, at.card_key), step=now.step)
    drawings, several = _drawings(player, at, now), len(card.instances) > 1
    question = "Is the second better for each measure?" if several else "What is each value?"
    return Stage(
        key=at.card_key,
        title=card.title,
        question=question if values and asked is None else "",
        predictions=tuple(_prediction(drawing, seen) for drawing in drawings),
        at=seen,
        measures=card.measures,
        items=(*_hidden(card), *values, *([ANSWER] if asked is not None else ())),
        first_shown=several and asked is None,
        votes=several and bool(values) and asked is None,
        walks=not (drawings[0].card.hidden or _draws_answer_alone(asked, answer)),
        place=at.words,
        ask=(*_ask(player, at, now), *player.host.beside(card, at.card_key, player)),
        read=_read(player, at),
        turns=True,
    )


def _draws_answer_alone(asked: Question | None, answer: AnswerState) -> bool:
    """Return True if the drawing shows an answer without the structure and its steps."""
    if asked is None or not INPUTS[asked.input].on_drawing or answer.structure:
        return False
    return answer.open or asked.input != "classes"


def _now(player: Player, at: Place) -> Presenting:
    """Return the step of the presentation. An answered card shows everything."""
    now = player.presenting or Presenting()
    return now if player.answer(at.card_key).open else now.reveal_all()


def _hidden(card: Card) -> tuple[Hidden, ...]:
    return tuple(part for part in DRAWN if part in card.hidden)


def _drawings(player: Player, at: Place, now: Presenting) -> list[CardDrawing]:
    unseen: frozenset[Hidden] = frozenset(part for part in _hidden(at.card) if not now.shows(part))
    if "values" in at.card.hidden and not now.everything:
        unseen |= {"values"}
    seen = replace(at.card, hidden=unseen)
    return [
        CardDrawing(seen, k, at.card_key, player.answer(at.card_key))
        for k in range(len(at.card.instances))
    ]


def _prediction(drawing: CardDrawing, at: ViewState) -> PresentedDrawing:
    click = drawing.click if drawing.click["mode"] != "nothing" else None
    overlay, coming = partial(drawing.overlay, at), drawing.coming(at)
    return PresentedDrawing(drawing.caption, drawing.explained, overlay, click, coming)


def _read(player: Player, at: Place) -> Controls:
    """Return the text and the table of a card next to its open question."""
    if at.card.question is None or not player.answer(at.card_key).open:
        return ()
    text = [paragraph for paragraph in card_text(at.card)[1:] if paragraph.look == "text"]
    table = own_table("present_table", at.card)
    parts = (*([prose("present_text", text)] if text else []), *table)
    return (box(*parts, style=f"stage-read {'with-table' if table else ''}"),) if parts else ()


def _ask(player: Player, at: Place, now: Presenting) -> Controls:
    """Return the question with the fields that clicks cannot replace, or the text after everything
    is shown.
    """
    card, asked, answer = at.card, at.card.question, player.answer(at.card_key)
    if asked is None:
        return (
            (prose("answer_words", card_text(card)[1:]),)
            if now.everything or not card.hidden
            else ()
        )
    said = prose("answer_words", question_text(asked, answer), announced=True)
    if not answer.open:
        return (said,)
    fields = question_fields(player, asked, at.card_key, clicks=False)
    check = check_button("present_check", partial(_checked, at), fields)
    return (
        said,
        *fields,
        *([check] if answer.given is not None or asked.input == "number" else []),
    )


def _heard(at: Place, kind: str, player: Player, value: Mapping[str, Any]) -> Player:
    now = _now(player, at)
    shown = stage(player, at, now)
    if kind == "leave":
        return replace(player, presenting=None)
    if kind != "go":
        return _revealed(at, player, present.after(shown, now, kind, value))
    by = present.direction(value)
    step = present.walked(shown.at.step, by, shown.steps)
    if step != shown.at.step:
        return replace(player, presenting=replace(now, step=step))
    if not 0 <= at.index + by < len(at.lesson.cards):
        return player
    return replace(player.going(at.key, at.index + by), presenting=Presenting())


def _revealed(at: Place, player: Player, now: Presenting) -> Player:
    """Return the player at this progress of the presentation. If everything is revealed, so is the
    answer.
    """
    if now.everything:
        player = player.revealing_all(at.card, at.card_key)
    elif not player.answer(at.card_key).open:
        player = player.again(at.card_key)
    return replace(player, presenting=now)


def _checked(at: Place, player: Player) -> Player:
    """Judge the answer and return the player. Without an answer, reveal the next part."""
    question, now = at.card.question, _now(player, at)
    if question is None:
        return player
    if player.answer(at.card_key).given in (None, ""):
        return _revealed(at, player, now.reveal_next(stage(player, at, now).items))
    made = player.checking(question, at.card_key)
    return made if made.answer(at.card_key).open else replace(made, presenting=now.reveal_all())
