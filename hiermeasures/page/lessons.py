"""The lessons behind a page: a player, what the browser sends of gestures and addresses, and the JSON
of what is drawn then. A page can hold it in the place of session.py's Session.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from hiermeasures.core.errors import InputError
from hiermeasures.explorer import share_link
from hiermeasures.explorer.outbox import Gesture, Inbox, Receiver
from hiermeasures.explorer.player.drawing import shared
from hiermeasures.explorer.player.index import index_of
from hiermeasures.explorer.player.model import Host, Player
from hiermeasures.explorer.player.screen import after, drawn, screen
from hiermeasures.explorer.qr_code import code_data
from hiermeasures.lessons.library import load_lessons, own_lesson
from hiermeasures.page.session import find_later

TOKEN = "lessons"  # of the session that lessons.json is of
LONGEST = 2_000  # characters of an address


class Lessons:
    """The lessons, at the list or at the card of an address, such as `lesson=01-accuracy&card=2`.
    Every answer is the text of a JSON object: `data`, what is drawn; `word`, what the address says
    of it; `explorer`, where a person asked for that, the word of the card in the Explorer.

    Parameters
    ----------
    index : sequence of mappings
        The entries of the list (`index_of`), in the order of the lessons. A lesson is read when it is
        opened.
    address : str
        What links begin with; without one there are none.
    """

    def __init__(self, index: Sequence[Mapping[str, Any]], token: str = TOKEN, address: str = "") -> None:
        self._inbox = Inbox(Receiver(token))
        self._player = Player(Host.of(index, own_lesson))
        self._address = address

    def received(self, message: str) -> str:
        """Answer to gestures of the browser, which are acknowledged in any case."""
        self._inbox.apply(json.loads(message), self._apply)
        return self.answer()

    def _apply(self, gesture: Gesture) -> None:
        self._player = after(self._player, gesture.component, gesture.kind, gesture.value)

    def opened(self, word: str) -> str:
        """Answer to an address."""
        self._player = self._player.at(dict(parse_qsl(word[:LONGEST])))
        return self.answer()

    def answer(self) -> str:
        """The text of what is drawn now."""
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
    """The answer that a page shows before Python is there: the list of lessons."""
    return Lessons(index_of({lesson.key: lesson for lesson in load_lessons().lessons})).answer()


def start(token: str, place: Callable[[], object], told: str) -> Lessons:
    """Begin a session in the worker, as session.py's `start`. `told` is the JSON of what the page
    shows (`data`), and what its links begin with (`address`).
    """
    find_later(place)
    given = json.loads(told)
    index = next(part["data"]["lessons"] for part in given["data"]["areas"][0]["parts"] if part["kind"] == "component")
    return Lessons(index, token, given["address"])
