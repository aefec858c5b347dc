"""The screen of a player as controls, the same for every host: the list of lessons, a card
(card.py), or the card as it is presented (stage.py); and the one JSON that a host sends to its
browser.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.explorer import controls
from hiermeasures.explorer.controls import Control, Controls, box, button, component, row, words
from hiermeasures.explorer.outbox import Receiver
from hiermeasures.explorer.player.card import area, card_controls, turning
from hiermeasures.explorer.player.final import SIZE, final_of, new_final, seed_of
from hiermeasures.explorer.player.final_screen import final_screen
from hiermeasures.explorer.player.index import families_of
from hiermeasures.explorer.player.marks import Marks
from hiermeasures.explorer.player.model import COURSE, LESSON, Place, Player, Shelf
from hiermeasures.explorer.player.prose import Paragraph, prose
from hiermeasures.explorer.player.stage import Code, presented
from hiermeasures.explorer.present import Presenting

KEPT = "What you solved and saw is kept in this browser."
TAKEN = f"The final: {SIZE} questions, drawn at random, and no word on your answers until you hand them in."
LEAD = "Lessons with questions that you answer by clicking. Every number in them is computed as you read."
ABOUT = "Nothing but the drawing, the question and the values, large, and hidden until you reveal them."


def screen(player: Player, code: Code | None = None) -> Controls:
    """The controls of a player; `code` gives link and QR code, where the host has an address."""
    at, kept = player.place, _kept(player)
    if player.final is not None:
        return final_screen(player, player.final, code, kept)
    if at is None:
        return (area(words(LEAD, key="learn_lead"), *fault(player), *_lists(player), *_finals(player), kept),)
    if player.presenting is not None:
        turn = partial(_turned, at)
        return (area(*presented(player, at, code, turn), kept),)
    card = card_controls(player, at.card, at.card_key, *_ways(player, at))
    return (Control("area", "toolbar", parts=(_head(player, at),)), area(card, *_summary(player, at), kept))


def after(player: Player, component: str, kind: str, value: Mapping[str, Any]) -> Player:
    """The player after a gesture."""
    return controls.after(player, screen(player), component, kind, value)


def drawn(player: Player, receiver: Receiver, areas: Controls) -> dict[str, Any]:
    """All that a browser draws of a player's screen, and what a host needs of it: the address of
    the card, what a person asked of it, and whether a card is presented.
    """
    return {
        "session": receiver.session,
        "seen": receiver.seen,
        "areas": [control.as_data(player.faults) for control in areas],
        "address": player.parameters(),
        "wish": player.wish,
        "presenting": player.presenting is not None,
    }


# --- the list -------------------------------------------------------------------------------------


def fault(player: Player) -> Controls:
    """The reason why the lesson that was asked for is not shown."""
    reason = player.faults.get(LESSON, "")
    return (words(reason, "error", key="learn_fault"),) if reason else ()


def _lists(player: Player) -> Controls:
    found: list[Control] = []
    for shelf in player.host.shelves():
        found += [words(shelf.title, "title", key=f"{shelf.key}_title")] if shelf.title else []
        found.append(component(f"learn_{shelf.key}", "lessons", partial(_listed, player, shelf), choose=chosen))
        found += [words(said, "error", key=f"{shelf.key}_fault_{k}") for k, said in enumerate(shelf.faults)]
    return tuple(found)


def _listed(player: Player, shelf: Shelf) -> dict[str, Any]:
    """Lessons with how far each is done; above those of the course, the families of measures."""
    index = shelf.index()
    lessons = [{**entry, **_progress(player, entry)} for entry in index]
    return {"lessons": lessons, "families": families_of(index) if shelf.key == COURSE else []}


def _progress(player: Player, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers of the cards that are solved and seen, and both in words; "" where nothing is."""
    cards, questions = entry["cards"], entry["questions"]
    solved, seen = player.marks.of(entry["key"], cards)
    parts = [f"{solved} of {questions} solved" if questions else "", f"{seen} of {cards} seen" if seen < cards else ""]
    if seen == cards and solved == questions:
        parts = ["✓ solved" if questions else "✓ seen"]
    return {"solved": solved, "seen": seen, "done": " · ".join(filter(None, parts)) if seen else ""}


def _finals(player: Player) -> Controls:
    before = (
        button(f"final_kept_{k}", f"Result of final {seed_of(word)}", partial(_open_final, word))
        for k, word in enumerate(player.marks.finals)
    )
    begin = button("final_begin", "Take the final", lambda player: player.taking(new_final()))
    return (row(words(TAKEN, key="final_about"), begin, *before, key="finals", style="finals"),)


def _open_final(word: str, player: Player) -> Player:
    return player.taking(final_of(word))


def _kept(player: Player) -> Control:
    """The note on what the browser keeps, and a way to have it forgotten, which are in sight on the
    list.
    """
    shown = player.place is None and player.final is None
    data = {**player.marks.as_data(), "words": KEPT if shown else ""}
    bring = lambda player, value: replace(player, marks=player.marks.with_kept(value))  # noqa: E731
    forget = lambda player, value: replace(player, marks=Marks())  # noqa: E731
    return component("learn_marks", "marks", lambda: data, bring=bring, forget=forget)


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
    mark = player.marks.word(at.card_key) if at.card.question is not None else ""
    place = "  ·  ".join(filter(None, (at.lesson.title, at.words, f"✓ {mark}" if mark == "solved" else mark)))
    return row(
        back,
        words(place, "line", key="learn_place_words"),
        button("learn_explorer", "Open in the Explorer", partial(wishing, "explorer")),
        present_button(),
        style="place",
    )


def present_button() -> Control:
    return button("learn_present", "Present", _presenting, keys="P", help=ABOUT)


def wishing(wish: str, player: Player) -> Player:
    """The player with something asked of the host."""
    return replace(player, wish=wish)


def _presenting(player: Player) -> Player:
    return replace(player, presenting=Presenting())


def _summary(player: Player, at: Place) -> Controls:
    """The summary of a lesson, below its last card once nothing of it is open."""
    open_ = at.card.question is not None and player.answer(at.card_key).open
    if at.index + 1 < len(at.lesson.cards) or open_ or not at.lesson.summary:
        return ()
    said = [Paragraph.of("In short", "title"), *(Paragraph.of(f"· {text}") for text in at.lesson.summary)]
    return (box(prose("learn_summary", said), style="frame summary"),)


def _turned(at: Place, player: Player, by: int) -> Player:
    """The player at the card before or after, which begins hidden; at the ends of a lesson stay."""
    if not 0 <= at.index + by < len(at.lesson.cards):
        return player
    return replace(player.going(at.key, at.index + by), presenting=Presenting())


def _ways(player: Player, at: Place) -> Controls:
    last = at.index + 1 == len(at.lesson.cards)
    onward = ("Next lesson" if player.host.following(at.key) else "Finish") if last else "Next"
    return turning("learn", lambda by, player: player.stepping(by), first=at.index == 0, onward=onward)
