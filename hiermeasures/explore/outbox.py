"""Python's end of the outbox (outbox.js): untrusted gestures of the browser are checked, and each
is taken once and in order. Their transport and their effects are defined elsewhere.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

MOST_AT_ONCE = 50
# the latter of a gesture that may bring a file (controls.py)
MOST_CHARACTERS, MOST_OF_TEXT = 20_000, 9_000_000
LARGEST_NUMBER = 2**53 - 1

Handler = Callable[[Mapping[str, Any]], object]


@dataclass(frozen=True)
class Gesture:
    """One thing that a person did: the component's key, the kind of gesture, and its value."""

    number: int
    component: str
    kind: str
    value: Mapping[str, Any]


@dataclass(frozen=True)
class Receiver:
    """The progress of a session: its token, and the number of the last gesture that was applied."""

    session: str
    seen: int = 0

    def unseen(self, sent: Any) -> list[Gesture]:
        """The gestures sent that were not applied yet, in order. Others are skipped."""
        if not isinstance(sent, Mapping) or sent.get("session") != self.session:
            return []
        items = sent.get("gestures")
        found = (
            (_gesture(item, self.seen) for item in items[:MOST_AT_ONCE])
            if isinstance(items, list)
            else ()
        )
        unseen = {gesture.number: gesture for gesture in found if gesture is not None}
        return [unseen[number] for number in sorted(unseen)]


@dataclass
class Inbox:
    """The gestures of a session as they are applied. It is changed in place, so that nothing stands
    between a handler's return and the acknowledgement, where Streamlit may end a run.
    """

    receiver: Receiver
    _applying: bool = field(default=False, init=False)

    def apply(self, sent: Any, handle: Callable[[Gesture], object]) -> bool:
        """Apply the gestures that were not applied yet, each once and in order; return if there
        were any.

        A gesture is acknowledged after its handler returned or failed. One whose handler was ended
        (by a BaseException that is not an Exception) comes again: a handler changes the state last
        and once. While a handler runs, nothing else is applied.
        """
        if self._applying:
            return False
        unseen = self.receiver.unseen(sent)
        self._applying = True
        try:
            for gesture in unseen:
                seen = replace(self.receiver, seen=gesture.number)
                try:
                    handle(gesture)
                except Exception:
                    self.receiver = seen
                    raise
                self.receiver = seen
        finally:
            self._applying = False
        return bool(unseen)


def _gesture(item: Any, seen: int) -> Gesture | None:
    """One gesture as the browser sends it; None if it is none, or was seen. One that is
    malformed or too large keeps its number only, so that it is acknowledged.
    """
    if not isinstance(item, Mapping):
        return None
    number, component, kind, value = (
        item.get(part) for part in ("number", "component", "kind", "value")
    )
    if type(number) is not int or not seen < number <= LARGEST_NUMBER:
        return None
    if not (isinstance(component, str) and isinstance(kind, str) and isinstance(value, dict)):
        return Gesture(number, "", "", {})
    most = MOST_OF_TEXT if (component, kind) == ("control", "set") else MOST_CHARACTERS
    if len(json.dumps(item, ensure_ascii=False)) > most:
        return Gesture(number, "", "", {})
    return Gesture(number, component, kind, value)
