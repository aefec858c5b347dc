"""Python's end of the outbox (outbox.js).

It checks the browser's untrusted gestures, and takes each once and in order. Other modules define
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
    """One thing that a person did: the name of the model that it changes, the key of what was used
    on the screen, and a value. The value of a field is its entry, that of a button is None, and
    that of a component is a mapping with the `kind` of the gesture.
    """

    model: str = ""
    key: str = ""
    value: Any = None


@dataclass
class Inbox:
    """The gestures of a session: its token, and the number of the last gesture that was applied.

    It is changed in place. So nothing is between a handler's return and the acknowledgement, where
    Streamlit may end a run.
    """

    session: str = field(default_factory=lambda: secrets.token_hex(8))
    seen: int = 0
    _applying: bool = field(default=False, init=False)

    def address(self, model: str) -> dict[str, Any]:
        """Return the data by which the gestures of a screen or component reach a model."""
        return {"model": model, "session": self.session, "seen": self.seen}

    def unseen(self, sent: Any) -> dict[int, Gesture]:
        """Return the gestures that were not applied yet, by their numbers and in order."""
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
        """Apply the gestures that were not applied yet, each once and in order. Return True if
        there were any.

        A gesture is acknowledged after its handler returned or failed. One whose handler was ended
        (by a BaseException that is not an Exception) comes again: a handler changes the state last
        and once. While a handler runs, nothing else is applied.
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
    """Return a gesture from the browser. A malformed or too large one belongs to no model."""
    model, key, value = (item.get(part) for part in ("model", "key", "value"))
    if not (isinstance(model, str) and isinstance(key, str)):
        return Gesture()
    texts = isinstance(value, str) or (isinstance(value, Mapping) and "text" in value)
    most = MOST_OF_TEXT if texts else MOST_CHARACTERS
    fits = len(json.dumps(item, ensure_ascii=False)) <= most
    return Gesture(model, key, value) if fits else Gesture()
