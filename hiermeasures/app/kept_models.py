"""Uploads and results of a page in the server's memory, so that a reload of the page keeps them.

A reload begins a new session, which knows only the page's address. So the address has a random key,
and the server keeps the page's model under it for a while. A key works only for the visitor who has
it: the same network address and browser. Models are bounded in number, bytes and time.
"""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from hiermeasures.app.files import FileField
from hiermeasures.app.inbox import Slot
from hiermeasures.app.job import Working
from hiermeasures.app.server import visitor
from hiermeasures.read.source import size_in_words

UPLOADED = "uploaded"  # the parameter of the address with the key
MINUTES = 30
MOST_MODELS, MOST_BYTES, MOST_BYTES_OF_ONE = 40, 400_000_000, 100_000_000


@dataclass(frozen=True)
class KeptModel:
    """A model with its visitor, its size in bytes, and the time until which it is kept."""

    model: Any
    visitor: str
    size: int
    until: float


class ModelShelf:
    """The kept models of a server by key, for any thread. The oldest make room for newer ones."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, KeptModel] = {}  # in the order in which they were put

    def put(self, key: str, visitor: str, model: Any, size: int) -> None:
        """Keep a model instead of an earlier one with this key. Forget it if it is too large."""
        with self._lock:
            self._known().pop(key, None)
            if size > MOST_BYTES_OF_ONE:
                return
            self._kept[key] = KeptModel(model, visitor, size, self._clock() + 60 * MINUTES)
            while len(self._kept) > MOST_MODELS or self._size() > MOST_BYTES:
                del self._kept[next(iter(self._kept))]

    def get(self, key: str, visitor: str) -> Any | None:
        """Return the model that a visitor has put under a key, or None."""
        with self._lock:
            kept = self._known().get(key)
            return kept.model if kept is not None and kept.visitor == visitor else None

    # With the lock.

    def _known(self) -> dict[str, KeptModel]:
        now = self._clock()
        self._kept = {key: kept for key, kept in self._kept.items() if kept.until > now}
        return self._kept

    def _size(self) -> int:
        return sum(kept.size for kept in self._kept.values())


SHELF = ModelShelf()
"""The kept models of this server."""
KEY: Slot[str] = Slot("kept_key", lambda: secrets.token_urlsafe(16))
"""The key of a session. Each session has a new one, so that nobody can choose it for another."""


def keep_over_reload(slot: Slot[Any], size: Callable[[Any], int]) -> None:
    """Keep a page's model while it has uploads, or bring it back after a reload.

    `size` returns the bytes of the model. If the server has no model, a sentence says so.
    """
    given = st.query_params.get(UPLOADED, "")
    if not _has_uploads(slot.value.form) and given and given != KEY.value:
        kept = SHELF.get(given, _browser())
        if kept is None:
            st.info(
                f"Your files are gone. The server keeps up to {size_in_words(MOST_BYTES_OF_ONE)} "
                f"for {MINUTES} minutes after your last action, for the same browser. Upload them "
                "again.",
                icon=":material/upload:",
            )
            return
        slot.set(kept)
    if _has_uploads(slot.value.form):
        SHELF.put(KEY.value, _browser(), _at_rest(slot.value), size(slot.value))
        st.query_params[UPLOADED] = KEY.value


def _has_uploads(form: Any) -> bool:
    return any(isinstance(each, FileField) and each.uploads for each in vars(form).values())


def _at_rest(model: Any) -> Any:
    """Return the model without its job. The new session begins it again."""
    assert isinstance(model, Working)
    if model.job is None:
        return model
    asked = replace(model.form, asked=model.purpose == "files")  # type: ignore[attr-defined]
    return replace(model, job=None, begun={}, form=asked)  # type: ignore[call-arg]


def _browser() -> str:
    """Return a text that is the same for all sessions of a browser."""
    return f"{visitor()} {st.context.headers.get('User-Agent', '')}"
