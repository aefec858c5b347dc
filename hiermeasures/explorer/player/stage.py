"""A card as it is presented to a class: its drawings, its question and its values, of which what it
hides and the answer are revealed one by one.

What a presentation looks like is present.py's, and how a card is answered card.py's.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from hiermeasures.explorer import present
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.player.card import check_button, click, question_fields
from hiermeasures.explorer.player.drawing import Drawing, looked_at
from hiermeasures.explorer.player.inputs import INPUTS
from hiermeasures.explorer.player.model import Player
from hiermeasures.explorer.player.prose import asked_text, card_text, prose
from hiermeasures.explorer.present import Prediction, Presenting, Stage
from hiermeasures.lessons.cards import Card, Hidden

ANSWER = "the answer"  # what is revealed last, beside values and parts of the drawing
Code = Callable[[Player], Mapping[str, Any]]
Turn = Callable[[Player, int], Player]
DRAWN: tuple[Hidden, ...] = ("true", "predicted", "view")


class Presented(Protocol):
    """A card with the key of its answer, and the words of its place."""

    @property
    def card(self) -> Card: ...

    @property
    def card_key(self) -> str: ...

    @property
    def words(self) -> str: ...


def presented(player: Player, at: Presented, code: Code | None, turn: Turn) -> Controls:
    """The card on the screen; `code` gives the link and the QR code of it, as present.js takes
    them, and `turn` the player at the card before (-1) or after (1).
    """
    now = _now(player, at)
    shown = replace(stage(player, at, now), shared=code is not None)
    clicks = [partial(_clicked, shown, k, drawing) for k, drawing in enumerate(_drawings(player, at, now))]
    told = code(player) if code is not None and now.code else None
    return present.controls_of(shown, now, told, heard=partial(_heard, at, turn), clicks=clicks)


def stage(player: Player, at: Presented, now: Presenting) -> Stage:
    """A card as it is presented."""
    card, asked, answer = at.card, at.card.question, player.answer(at.card_key)
    hidden, values = _hidden(card), card.measures if "values" in card.hidden else ()
    seen = replace(looked_at(player, card, at.card_key), step=now.step)
    drawings, several = _drawings(player, at, now), len(card.instances) > 1
    way = INPUTS[asked.input] if asked is not None else None
    return Stage(
        key=at.card_key,
        title=card.title,
        question=_question(card) if values and asked is None else "",
        predictions=tuple(_prediction(drawing, partial(drawing.overlay, seen)) for drawing in drawings),
        at=seen,
        measures=card.measures,
        items=(*hidden, *values, *([ANSWER] if asked is not None else ())),
        first_shown=several and asked is None,
        votes=several and bool(values) and (asked is None or asked.compares != "predictions"),
        walks=not (drawings[0].card.hidden or (way is not None and way.on_drawing and not answer.structure)),
        place=at.words,
        ask=(*_ask(player, at, now), *player.host.beside(card, at.card_key)),
        turns=True,
    )


def _now(player: Player, at: Presented) -> Presenting:
    """The step of the presentation: of a card that is answered, everything is shown."""
    now = player.presenting or Presenting()
    return now if player.answer(at.card_key).open else now.reveal_all()


def _hidden(card: Card) -> tuple[Hidden, ...]:
    return tuple(part for part in DRAWN if part in card.hidden)


def _drawings(player: Player, at: Presented, now: Presenting) -> list[Drawing]:
    unseen = frozenset(part for part in _hidden(at.card) if not now.shows(part))
    seen = replace(at.card, hidden=unseen)
    return [Drawing(seen, k, at.card_key, player.answer(at.card_key)) for k in range(len(at.card.instances))]


def _question(card: Card) -> str:
    return "Is the second better for each measure?" if len(card.instances) > 1 else "What is each value?"


def _prediction(drawing: Drawing, overlay: Any) -> Prediction:
    click = drawing.click if drawing.click["mode"] != "nothing" else None
    return Prediction(drawing.caption, drawing.explained, overlay, click)


def _ask(player: Player, at: Presented, now: Presenting) -> Controls:
    """The question, with the fields that no click on the drawing stands for. Of a card without one
    it is the text, once nothing is hidden any more.
    """
    card, asked, key = at.card, at.card.question, at.card_key
    if asked is None:
        return (prose("answer_words", card_text(card)[1:]),) if now.everything or not card.hidden else ()
    answer = player.answer(key)
    said = prose("answer_words", asked_text(asked, answer), announced=True)
    if not answer.open:
        return (said,)
    fields = question_fields(player, asked, key, clicks=False)
    check = check_button("present_check", partial(_checked, at), fields)
    return (said, *fields, *([check] if answer.given is not None or asked.input == "number" else []))


# --- gestures -------------------------------------------------------------------------------------


def _clicked(shown: Stage, k: int, drawing: Drawing, player: Player, value: Mapping[str, Any]) -> Player:
    return click(drawing, present.arranged(shown)[1][k], player, value)


def _heard(at: Presented, turn: Turn, kind: str, player: Player, value: Mapping[str, Any]) -> Player:
    now = _now(player, at)
    shown = stage(player, at, now)
    if kind == "leave":
        return replace(player, presenting=None)
    if kind != "go":
        return _revealed(at, player, present.after(shown, now, kind, value))
    by = present.direction(value)
    step = present.walked(shown.at.step, by, shown.steps)
    return replace(player, presenting=replace(now, step=step)) if step != shown.at.step else turn(player, by)


def _revealed(at: Presented, player: Player, now: Presenting) -> Player:
    """The player with so much revealed: with everything the answer is, too."""
    if now.everything:
        player = player.revealing_all(at.card, at.card_key)
    elif not player.answer(at.card_key).open:
        player = player.again(at.card_key)
    return replace(player, presenting=now)


def _checked(at: Presented, player: Player) -> Player:
    """The player with the answer judged; where nothing was entered, more is revealed."""
    question, now = at.card.question, _now(player, at)
    if question is None:
        return player
    if player.answer(at.card_key).given in (None, ""):
        return _revealed(at, player, now.reveal_next(stage(player, at, now).items))
    made = player.checking(question, at.card_key)
    return made if made.answer(at.card_key).open else replace(made, presenting=now.reveal_all())
