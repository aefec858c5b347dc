"""The lessons for a page in the browser: apply its gestures and addresses, and return the drawing
as JSON. `Lessons` has the interface of session.py's Session, so that a page can use either.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from hiermeasures.core.errors import InputError
from hiermeasures.explorer import share_link
from hiermeasures.explorer.outbox import Gesture, Inbox, Receiver
from hiermeasures.explorer.player.drawing import index_of, shared
from hiermeasures.explorer.player.model import Host, Player, new_sides
from hiermeasures.explorer.player.screen import after, drawn, screen
from hiermeasures.explorer.present import code_data
from hiermeasures.lessons.library import load_lessons, own_lesson
from hiermeasures.page.session import find_later

TOKEN = "lessons"  # of the session whose first drawing is lessons.json
LONGEST = 2_000  # characters of an address that are read


class Lessons:
    """A session of the lessons, at the list or at a card, such as `lesson=01-accuracy&card=2`. Each
    answer is the text of a JSON object: `data`, the drawing; `word`, its part of the page's
    address; and `explorer`, if asked for, the part of an address that opens the card there. `index`
    are the entries of the list (`index_of`); links in QR codes begin with `address`, if any.
    """

    def __init__(self, index: Sequence[Mapping[str, Any]], token: str = TOKEN, address: str = "") -> None:
        self._inbox = Inbox(Receiver(token))
        self._player = Player(Host.of(index, own_lesson), sides=new_sides())
        self._address = address

    def received(self, message: str) -> str:
        self._inbox.apply(json.loads(message), self._apply)
        return self.answer()

    def _apply(self, gesture: Gesture) -> None:
        self._player = after(self._player, gesture.component, gesture.kind, gesture.value)

    def opened(self, word: str) -> str:
        """Go to the place that an address names, and return the answer."""
        self._player = self._player.at(dict(parse_qsl(word[:LONGEST])))
        return self.answer()

    def answer(self) -> str:
        player, self._player = self._player, replace(self._player, wish="")
        areas = screen(player, self._code if self._address else None)
        said = {"data": drawn(player, self._inbox.receiver, areas), "word": urlencode(player.parameters())}
        if player.wish == "explorer":
            said["explorer"] = _in_explorer(player)
        return json.dumps(said, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def _code(self, player: Player) -> Mapping[str, Any]:
        return code_data(f"{self._address}{urlencode(player.card_parameters())}")


def _in_explorer(player: Player) -> str:
    if (at := player.place) is None:
        return ""
    found = shared(player, at.card, at.card_key)
    try:
        return share_link.encoded(found.shown, found.view_state, found.pinned, found.own)
    except InputError:
        return ""


def first() -> str:
    return Lessons(index_of({lesson.key: lesson for lesson in load_lessons().lessons})).answer()


def start(token: str, place: Callable[[], object], told: str) -> Lessons:
    """Begin a session in the worker. `told` is JSON: the page's first drawing (`data`) and the
    beginning of its links (`address`).
    """
    find_later(place)
    given = json.loads(told)
    index = next(part["data"]["lessons"] for part in given["data"]["areas"][0]["parts"] if part["kind"] == "component")
    return Lessons(index, token, given["address"])
