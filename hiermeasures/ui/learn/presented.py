"""A card as it is presented to a class, in the place of the page: its drawings, its question and its values.

What a presentation looks like is ui/present's; what is drawn of a card and how it is answered is the Learn page's.
"""

from dataclasses import replace
from functools import partial

from hiermeasures.errors import InputError
from hiermeasures.lessons import Card
from hiermeasures.ui.binding import button
from hiermeasures.ui.graph.scene import Arrangement
from hiermeasures.ui.learn import answering, drawing, location, mine
from hiermeasures.ui.learn.model import (
    MINE,
    OPENED,
    Answer,
    Place,
    again,
    answer_of,
    change,
    check,
    go,
    learn,
    place,
    reveal,
)
from hiermeasures.ui.learn.question import FIELDS_BEGIN, HINTS, card_text, fields, paragraphs
from hiermeasures.ui.present.draw import Moves, present
from hiermeasures.ui.present.model import Presenting
from hiermeasures.ui.present.stage import Clicks, Prediction, Stage
from hiermeasures.ui.prose import show_prose
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.views import ViewState

ANSWER = "the answer"  # what is revealed last, beside values and parts of the drawing
DRAWN = ("true", "predicted", "view")
ON_DRAWING = ("classes", "pairs")


def presented() -> None:
    """The card that is shown, presented."""
    at, now = place(), learn().presenting
    if at is not None and now is not None and now.everything and answer_of(at.card_key).open:
        _reveal(at)  # as the link says
    present(MOVES)


def begin() -> None:
    """Present the card that is shown, as far as it was answered."""
    change(presenting=Presenting())


# --- what is presented --------------------------------------------------------------------------------------------


def _now() -> tuple[Stage, Presenting] | None:
    at, now = place(), learn().presenting
    if at is None or now is None:
        return None
    answer = answer_of(at.card_key)
    now = now if answer.open else now.reveal_all()
    return stage(at, answer, now), now


def stage(at: Place, answer: Answer, now: Presenting) -> Stage:
    """A card as it is presented: what it hides and the answer are revealed one by one."""
    card = at.card
    asked, hidden = card.question, tuple(part for part in DRAWN if part in card.hidden)
    values = card.measures if "values" in card.hidden else ()
    seen = replace(card, hidden=frozenset(part for part in hidden if not now.shows(part)))
    looked_at = replace(answering.looked_at(card, learn().chosen.get(at.card_key, "")), step=now.step)
    several = len(card.instances) > 1
    return Stage(
        key=at.card_key,
        title=card.title,
        question=_question(card) if values and asked is None else "",
        predictions=tuple(_prediction(seen, k, at.card_key, answer, looked_at) for k in range(len(card.instances))),
        at=looked_at,
        measures=card.measures,
        items=(*hidden, *values, *([ANSWER] if asked is not None else ())),
        first_shown=several and asked is None,
        votes=several and bool(values) and (asked is None or asked.kind != "prefers"),
        walks=not (seen.hidden or (asked is not None and asked.input in ON_DRAWING and not answer.structure)),
        place=f"{at.index + 1} / {len(at.lesson.cards)}",
        ask=partial(_ask, at, answer, now),
    )


def _question(card: Card) -> str:
    return "Is the second better for each measure?" if len(card.instances) > 1 else "What is each value?"


def _prediction(seen: Card, k: int, key: str, answer: Answer, looked_at: ViewState) -> Prediction:
    """One of the drawings; `seen` hides no more than what is still to be revealed."""
    return Prediction(
        drawing.NAMES[k] if len(seen.instances) > 1 else "",
        answering.explained(seen, k, answer),
        partial(answering.picture, seen, k, answer, looked_at),
        partial(_clicks, seen, k, key, answer),
    )


def _clicks(card: Card, k: int, key: str, answer: Answer, places: Arrangement) -> Clicks | None:
    question = card.question if k == 0 else None
    mode = drawing.mode(question, answer)
    if mode == "nothing":
        return None
    instance = answering.instance_of(card, k, answer)
    click = {"switch": drawing.NO_SWITCH, "mode": mode, "modes": {}, "sides": False}
    return Clicks(click, partial(drawing.click, question, key, instance, places))


def _ask(at: Place, answer: Answer, now: Presenting) -> None:
    """The question with the fields that a click on the drawing does not stand for; of a card without one its text, once
    nothing is hidden any more.
    """
    card, asked = at.card, at.card.question
    if asked is None:
        if now.everything or not card.hidden:
            show_prose(card_text(card)[1:], key="answer_words")
        return
    show_prose(paragraphs(asked, answer), key="answer_words", announced=True)
    if not answer.open:
        return
    if asked.input in ON_DRAWING:
        show_text(HINTS[asked.input], "note", key="answer_hint")
    else:
        fields(asked, at.card_key, answer)
    if answer.given is not None or asked.input == "number":
        button(
            "Check",
            key="present_check",
            action=_check,
            keys="Enter",
            fields=FIELDS_BEGIN,
            type="primary",
            icon=":material/check:",
        )
    if answer.fault:
        show_text(answer.fault, "error", key="answer_fault")


# --- what a person does -------------------------------------------------------------------------------------------


def _check() -> None:
    """Have judged what was entered; where nothing was, the key reveals."""
    at = place()
    if at is None or at.card.question is None:
        return
    if answer_of(at.card_key).given in (None, ""):
        if (found := _now()) is not None:
            _change(found[1].reveal_next(found[0].items))
    else:
        check(at.card.question, at.card_key)
        now = learn().presenting
        if now is not None and not answer_of(at.card_key).open:
            change(presenting=now.reveal_all())


def _change(now: Presenting) -> None:
    at = place()
    if at is None:
        return
    if now.everything and answer_of(at.card_key).open:
        _reveal(at)
    elif not now.everything and not answer_of(at.card_key).open:
        again(at.card_key)
    change(presenting=now)


def _reveal(at: Place) -> None:
    if at.card.question is not None or at.card.hidden:
        reveal(at.card.question, at.card_key)


def _step(step: int | None) -> None:
    now = learn().presenting
    if now is not None:
        change(presenting=now.at_step(step))


def _turn(by: int) -> None:
    """To the card before or after, which begins hidden as it was left; at the ends of a lesson it stays."""
    at = place()
    if at is not None and 0 <= at.index + by < len(at.lesson.cards):
        go(at.key, at.index + by)
        change(presenting=Presenting())


def _link() -> str:
    """The address of exactly this. A lesson that only this session has travels in it."""
    at = place()
    parameters = dict(location.parameters(learn()))
    if at is not None and at.key == MINE:
        parameters = {location.OWN: location.lesson_word(mine.as_file(mine.mine())), **parameters}
        del parameters[location.LESSON]
    elif at is not None and at.key == OPENED and not learn().word:
        raise InputError("This lesson is too large for a link. Open its file where it is to be shown.")
    return location.link(parameters)


MOVES = Moves(now=_now, change=_change, step=_step, leave=lambda: change(presenting=None), link=_link, turn=_turn)
