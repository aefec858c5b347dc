"""Sessions behind the page: the state of the Explorer or of the lessons.

Gestures and links from the browser change the state, and the answer is JSON with the drawing.
Sessions run in the page's worker, where Python is Pyodide, and anywhere else.
"""

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module, invalidate_caches
from importlib.abc import MetaPathFinder
from typing import Any
from urllib.parse import parse_qsl, urlencode

from hiermeasures.explore import location, screen, share_link
from hiermeasures.explore.loading import story
from hiermeasures.explore.model import Host, State
from hiermeasures.explore.outbox import Gesture, Inbox
from hiermeasures.explore.present import code_data
from hiermeasures.explore.shown import History
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach.library import load_lessons, own_keys, own_lesson
from hiermeasures.teach.player import screen as player_screen
from hiermeasures.teach.player.drawing import index_of, share_card
from hiermeasures.teach.player.model import STUDENT, Player, PlayerHost

HOST = Host(
    window=True,
    address_bar=True,
    course={"lesson": next(key for key in own_keys() if key >= "01"), "card": "1"},
    lessons="lessons.html",
)
LONGEST = 2_000  # characters of an address of the lessons that are read


class _Session(ABC):
    """The common part of both sessions.

    Each answer is the text of a JSON object. It has `data` (the drawing), `word` (its part of the
    page's address), and more. Links begin with `address`, if any.
    """

    def __init__(self, token: str, address: str) -> None:
        self._inbox, self._address = Inbox(token), address

    def received(self, message: str) -> str:
        self._inbox.apply(json.loads(message), self._apply)
        return self.answer()

    def opened(self, word: str) -> str:
        """Show the state that an address's word encodes, and return the answer."""
        self._open(word)
        return self.answer()

    def answer(self) -> str:
        return json.dumps(self._said(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    @abstractmethod
    def _apply(self, gesture: Gesture) -> None: ...

    @abstractmethod
    def _open(self, word: str) -> None: ...

    @abstractmethod
    def _said(self) -> dict[str, Any]: ...


class Session(_Session):
    """One Explorer. It begins with the story, for the word "".

    Answers have two more parts. `kept` is true if the address shows the state again in another
    session. `fault` is the reason why a link could not be opened. Undo leads back to earlier states,
    except the story.
    """

    def __init__(self, token: str = "page", address: str = "") -> None:
        super().__init__(token, address)
        self._host = replace(HOST, address=address)
        self._state = screen.ready(State(History(story())), self._host)
        self._begun = False

    def _apply(self, gesture: Gesture) -> None:
        self._begun = True
        self._state = screen.after(self._state, self._host, gesture.key, gesture.value)

    def _open(self, word: str) -> None:
        begins, self._begun = not self._begun, True
        if begins and word:
            made = location.opening(self._state, dict(parse_qsl(f"{location.PARAMETER}={word}")))
        else:
            made = location.walked(self._state, {"word": word})
        self._state = screen.ready(made, self._host)

    def _said(self) -> dict[str, Any]:
        # now, because the time to build a structure counts (`worked_out`)
        import_module("networkx")
        data = screen.data(self._state, self._inbox, self._host)
        word = data.pop("location")["word"]
        fault = self._state.visiting.link_fault[1] if self._state.visiting.link_fault else ""
        return {
            "data": data,
            "word": word,
            "kept": not word.startswith(location.UNNAMED),
            "fault": fault,
        }


class Lessons(_Session):
    """The lessons, at the list or at a card, such as `lesson=1&card=2`.

    Answers also have `explorer`, if requested: the part of an address that opens the card there.
    `index` are the entries of the list (`index_of`).
    """

    def __init__(
        self, index: Sequence[Mapping[str, Any]], token: str = "lessons", address: str = ""
    ) -> None:
        super().__init__(token, address)
        self._player = Player(PlayerHost.of(index, own_lesson))

    def _apply(self, gesture: Gesture) -> None:
        self._player = player_screen.after(self._player, gesture.key, gesture.value)

    def _open(self, word: str) -> None:
        self._player = self._player.at(dict(parse_qsl(word[:LONGEST])))

    def _said(self) -> dict[str, Any]:
        player, self._player = self._player, replace(self._player, wish="")
        areas = player_screen.screen(player, self._code if self._address else None)
        data = player_screen.draw_player(player, self._inbox, areas)
        more = {"explorer": _in_explorer(player)} if player.wish == "explorer" else {}
        return {"data": data, "word": urlencode(player.parameters()), **more}

    def _code(self, player: Player) -> Mapping[str, Any]:
        word = urlencode({**player.card_parameters(), STUDENT: "1"})
        return code_data(f"{self._address}{word}")


def _in_explorer(player: Player) -> str:
    if (at := player.place) is None:
        return ""
    found = share_card(player, at.card, at.card_key)
    try:
        return share_link.encoded(found.shown, found.view_state, found.pinned, found.own)
    except InputError:
        return ""


def first() -> dict[str, str]:
    """Return the first answer of each session, by the page's content."""
    return {"page": Session().answer(), "lessons": Lessons(course_index()).answer()}


def course_index() -> list[dict[str, Any]]:
    """Return the entries of the list of lessons."""
    return index_of({lesson.key: lesson for lesson in load_lessons().lessons})


class Sessions:
    """The sessions of one page: of the Explorer ("page") and of the lessons."""

    def __init__(self) -> None:
        self._begun: dict[str, _Session] = {}

    def begin(self, shows: str, token: str, told: str) -> None:
        """Begin a session, for the gestures with its token.

        `told` is JSON with the beginning of its links (`address`) and the first drawing of the
        lessons (`data`).
        """
        given = json.loads(told)
        if shows == "page":
            self._begun[shows] = Session(token, given["address"])
            return
        index = next(
            part["data"]["lessons"]
            for part in given["data"]["areas"][0]["parts"]
            if part["kind"] == "component"
        )
        self._begun[shows] = Lessons(index, token, given["address"])

    def received(self, shows: str, message: str) -> str:
        return self._begun[shows].received(message)

    def opened(self, shows: str, word: str) -> str:
        return self._begun[shows].opened(word)

    def warm(self) -> None:
        """Import the modules that the next answer of a session needs."""
        for session in self._begun.values():
            session.answer()


def start(place: Callable[[], object]) -> Sessions:
    """Return the sessions of the worker. None has begun.

    Only flows need networkx. It is put in `place` when it is first imported.
    """
    sys.meta_path.insert(0, _Later("networkx", place))
    return Sessions()


class _Later(MetaPathFinder):
    """A finder that installs a package when it is first imported. The usual finders then find it."""

    def __init__(self, package: str, place: Callable[[], object]) -> None:
        self._package, self._place = package, place

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name == self._package:
            sys.meta_path.remove(self)
            self._place()
            invalidate_caches()
