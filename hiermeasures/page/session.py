"""The Explorer behind a page: a state, what the browser sends of gestures and links, and the JSON
of what is drawn then. It runs in the page's worker, where Python is Pyodide, and as well anywhere
else.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module, invalidate_caches
from importlib.abc import MetaPathFinder
from typing import Any
from urllib.parse import parse_qsl

from hiermeasures.explorer import location, screen
from hiermeasures.explorer.library import OPENING, figure
from hiermeasures.explorer.model import Host, State
from hiermeasures.explorer.outbox import Gesture, Inbox, Receiver
from hiermeasures.explorer.state import History

HOST = Host(window=True, address_bar=True)
TOKEN = "page"  # of the session that first.json is of


class Session:
    """One Explorer, from the opening figure on. Each answer is the text of a JSON object: `data`,
    the drawing; `word`, its part of the page's address (location.py); `kept`, true if that address
    shows it again in another session; `fault`, the reason why a link could not be opened.
    """

    def __init__(self, token: str = TOKEN, address: str = "") -> None:
        self._host = replace(HOST, address=address)
        self._inbox = Inbox(Receiver(token))
        self._state = screen.ready(State(History(figure(OPENING))), self._host)
        self._begun = False

    def received(self, message: str) -> str:
        self._begun |= self._inbox.apply(json.loads(message), self._apply)
        return self.answer()

    def _apply(self, gesture: Gesture) -> None:
        self._state = screen.after(self._state, self._host, gesture.component, gesture.kind, gesture.value)

    def opened(self, word: str) -> str:
        """Show what the word of an address stands for ("": the opening figure); return the answer.
        What was shown before can be undone to, except the opening figure.
        """
        begins, self._begun = not self._begun, True
        if begins and word:
            made = location.opening(self._state, dict(parse_qsl(f"{location.PARAMETER}={word}")))
        else:
            made = location.walked(self._state, {"word": word})
        self._state = screen.ready(made, self._host)
        return self.answer()

    def answer(self) -> str:
        import_module("networkx")  # not first while a structure is built: its time counts (explorer/table.py)
        data = screen.data(self._state, self._inbox.receiver, self._host)
        word = data.pop("location")["word"]
        fault = self._state.link_fault[1] if self._state.link_fault else ""
        said = {"data": data, "word": word, "kept": not word.startswith(location.UNNAMED), "fault": fault}
        return json.dumps(said, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def start(token: str, place: Callable[[], object], told: str) -> Session:
    find_later(place)
    return Session(token, json.loads(told)["address"])


def find_later(place: Callable[[], object]) -> None:
    """Have networkx, which only flows need, put in `place` when it is first imported."""
    sys.meta_path.insert(0, _Later("networkx", place))


class _Later(MetaPathFinder):
    """Puts a package in place when it is first asked for; the usual finders find it then."""

    def __init__(self, package: str, place: Callable[[], object]) -> None:
        self._package, self._place = package, place

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name == self._package:
            sys.meta_path.remove(self)
            self._place()
            invalidate_caches()
