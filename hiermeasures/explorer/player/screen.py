"""The screen of a player as controls, the same for every host: the list of lessons, a card
(card.py), or the card as it is presented (stage.py); and the one JSON that a host sends to its
browser.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.explorer import heard
from hiermeasures.explorer.controls import Control, Controls, button, row, words
from hiermeasures.explorer.heard import part
from hiermeasures.explorer.outbox import Receiver
from hiermeasures.explorer.player.card import card_controls, turning
from hiermeasures.explorer.player.model import LESSON, Place, Player
from hiermeasures.explorer.player.stage import Code, presented
from hiermeasures.explorer.present import Presenting

LEAD = "Lessons with questions that you answer by clicking. Every number in them is computed as you read."
ABOUT = "Nothing but the drawing, the question and the values, large, and hidden until you reveal them."


def screen(player: Player, code: Code | None = None) -> Controls:
    """The controls of a player; `code` gives the link and QR code of what is presented, where the
    host has an address.
    """
    at = player.place
    if at is None:
        lead = words(LEAD, key="learn_lead")
        return (area(lead, *fault(player), lesson_list(player, "learn_course", player.host.index)),)
    if player.presenting is not None:
        return (area(*presented(player, at, code)),)
    card = card_controls(player, at.card, at.card_key, *_ways(player, at))
    return (Control("area", "toolbar", parts=(_head(player, at),)), area(card))


def area(*parts: Control) -> Control:
    """Controls that take the whole width of a screen."""
    return Control("area", "wide", parts=parts)


def after(player: Player, component: str, kind: str, value: Mapping[str, Any]) -> Player:
    """The player after a gesture."""
    return heard.after(player, screen(player), component, kind, value)


def drawn(player: Player, receiver: Receiver, areas: Controls) -> dict[str, Any]:
    """All that a browser draws of a player's screen, and what a host needs of it: the address of the
    card, the cards that are done, what a person asked of it, and whether a card is presented.
    """
    return {
        "session": receiver.session,
        "seen": receiver.seen,
        "areas": [control.as_data(player.faults) for control in areas],
        "address": player.parameters(),
        "met": sorted(player.met),
        "wish": player.wish,
        "presenting": player.presenting is not None,
    }


# --- the list -------------------------------------------------------------------------------------


def fault(player: Player) -> Controls:
    """The reason why the lesson that was asked for is not shown."""
    reason = player.faults.get(LESSON, "")
    return (words(reason, "error", key="learn_fault"),) if reason else ()


def lesson_list(player: Player, key: str, index: Sequence[Mapping[str, Any]]) -> Control:
    """Lessons of an index (index.py), with how far each is done."""
    return part(key, "lessons", lambda: {"lessons": lesson_entries(player, index)}, choose=chosen)


def lesson_entries(player: Player, index: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Entries of an index with how far each is done."""
    return [{**entry, "done": _done(player, entry)} for entry in index]


def _done(player: Player, entry: Mapping[str, Any]) -> str:
    key, cards, questions = entry["key"], entry["cards"], entry["questions"]
    met = player.met_of(key, cards)
    if met < cards:
        return f"{met} of {cards}" if met else ""
    verdicts = player.verdicts_of(key, cards)
    return f"✓ {sum(verdicts)} of {questions} right" if verdicts and len(verdicts) == questions else "✓ done"


def chosen(player: Player, value: Mapping[str, Any]) -> Player:
    """The player at the lesson that was chosen from the index."""
    key = value.get("key")
    return player.going(key) if isinstance(key, str) else player


# --- around a card --------------------------------------------------------------------------------


def _head(player: Player, at: Place) -> Control:
    """The way back, the place, and what else can be done with the card."""
    back = button("learn_list", "All lessons", lambda player: player.going(""), icon="←")
    if at.key == player.host.draft:
        back = button("learn_form", "Back to the form", partial(wishing, "form"), icon="✎")
    place = f"{at.lesson.title}  ·  {at.index + 1} / {len(at.lesson.cards)}"
    return row(
        back,
        words(place, "line", key="learn_place_words"),
        button("learn_explorer", "Open in the Explorer", partial(wishing, "explorer")),
        button("learn_present", "Present", _presenting, keys="P", help=ABOUT),
        style="place",
    )


def wishing(wish: str, player: Player) -> Player:
    """The player with something asked of the host."""
    return replace(player, wish=wish)


def _presenting(player: Player) -> Player:
    return replace(player, presenting=Presenting())


def _ways(player: Player, at: Place) -> Controls:
    last = at.index + 1 == len(at.lesson.cards)
    onward = ("Next lesson" if player.host.following(at.key) else "Finish") if last else "Next"
    return turning("learn", lambda by, player: player.stepping(by), first=at.index == 0, onward=onward)
