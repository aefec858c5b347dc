"""Python's end of the outbox (outbox.js).

It checks the browser's untrusted gestures, and applies each once and in order. Other modules define
their transport and their effects.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_AT_ONCE = 50
# the latter of a gesture that brings a text or a file
MOST_CHARACTERS, MOST_OF_TEXT = 20_000, 9_000_000
LARGEST_NUMBER = 2**53 - 1


@dataclass(frozen=True)
class Gesture:
    """One input of a person: the name of a model, the key of a control on the screen, and a value.
    A field sends its entry, a button None, and a component a mapping with the `kind` of the
    gesture.
    """

    model: str = ""
    key: str = ""
    value: Any = None


@dataclass
class Inbox:
    """The gestures of a session: its token, and the number of the last applied gesture.

    It changes in place. So Streamlit cannot end a run between a handler's return and the
    acknowledgement.
    """

    session: str = field(default_factory=lambda: secrets.token_hex(8))
    seen: int = 0
    _applying: bool = field(default=False, init=False)

    def address(self, model: str) -> dict[str, Any]:
        """Return the data that direct the gestures of a screen or component to a model."""
        return {"model": model, "session": self.session, "seen": self.seen}

    def unseen(self, sent: Any) -> dict[int, Gesture]:
        """Return the new gestures by their numbers, in order."""
        if not isinstance(sent, Mapping) or sent.get("session") != self.session:
            return {}
        items = sent.get("gestures")
        found: dict[int, Gesture] = {}
        for item in items[:MOST_AT_ONCE] if isinstance(items, list) else ():
            number = item.get("number") if isinstance(item, Mapping) else None
            if type(number) is int and self.seen < number <= LARGEST_NUMBER:
                found[number] = _gesture(item)
        return dict(sorted(found.items()))

    def apply(self, sent: Any, handle: Callable[[Gesture], object]) -> bool:
        """Apply each new gesture once, in order. Return True if some were new.

        A gesture is acknowledged after its handler returned or failed. If a BaseException that is
        not an Exception ended the handler, the gesture comes again. So a handler must change the
        state last and once. While a handler runs, other gestures wait.
        """
        if self._applying:
            return False
        unseen = self.unseen(sent)
        self._applying = True
        try:
            for number, gesture in unseen.items():
                try:
                    handle(gesture)
                except Exception:
                    self.seen = number
                    raise
                self.seen = number
        finally:
            self._applying = False
        return bool(unseen)


def _gesture(item: Mapping[str, Any]) -> Gesture:
    """Return a gesture from the browser. A malformed or too large gesture has no model."""
    model, key, value = (item.get(part) for part in ("model", "key", "value"))
    if not (isinstance(model, str) and isinstance(key, str)):
        return Gesture()
    texts = isinstance(value, str) or (isinstance(value, Mapping) and "text" in value)
    most = MOST_OF_TEXT if texts else MOST_CHARACTERS
    fits = len(json.dumps(item, ensure_ascii=False)) <= most
    return Gesture(model, key, value) if fits else Gesture()
