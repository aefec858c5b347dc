"""Uploads and results of a page in the server's memory, so that a reload of the page keeps them.

A reload begins a new session, which knows only the page's address. So the address contains a random
key, and the server keeps the page's model under this key for a while. A cookie makes sure that a
key works only in its own browser. The number, size and age of models are limited.
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
from hiermeasures.app.server import UPLOADED
from hiermeasures.read.source import size_in_words

COOKIE = "_streamlit_xsrf"  # Streamlit gives every browser one, with a random token
GIVEN: Slot[str] = Slot("kept_key_given", lambda: st.query_params.get(UPLOADED, ""))
"""The key in the first address of a session, on any page."""
MINUTES = 30
MOST_MODELS, MOST_BYTES, MOST_BYTES_OF_ONE = 40, 400_000_000, 100_000_000


@dataclass(frozen=True)
class KeptModel:
    """A model with its browser, its size in bytes, and its expiry time."""

    model: Any
    browser: str
    size: int
    until: float


class ModelShelf:
    """The kept models of a server by key, for any thread. Newer models replace the oldest."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, KeptModel] = {}  # in the order in which they were put

    def put(self, key: str, browser: str, model: Any, size: int) -> None:
        """Keep a model, replacing an earlier one with this key. Forget it if it is too large."""
        with self._lock:
            self._known().pop(key, None)
            if size > MOST_BYTES_OF_ONE:
                return
            self._kept[key] = KeptModel(model, browser, size, self._clock() + 60 * MINUTES)
            while len(self._kept) > MOST_MODELS or self._size() > MOST_BYTES:
                del self._kept[next(iter(self._kept))]

    def get(self, key: str, browser: str) -> Any | None:
        """Return the model of a browser and key, or None."""
        with self._lock:
            kept = self._known().get(key)
            return kept.model if kept is not None and kept.browser == browser else None

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
"""The key of a session. Each session gets a random key, so that other people cannot choose it."""


def keep_over_reload(slot: Slot[Any], size: Callable[[Any], int]) -> None:
    """Keep a page's model while it has uploads, or bring it back after a reload.

    `size` returns the bytes of the model. If the server no longer has it, the page shows a message.
    """
    browser = _browser()
    if GIVEN.value and not KEY.filled and not _has_uploads(slot.value.form):
        kept = SHELF.get(GIVEN.value, browser)
        if kept is None:
            st.info(
                f"Your files are gone. Upload them again. The server keeps your files for {MINUTES} "
                f"minutes after your last action, up to {size_in_words(MOST_BYTES_OF_ONE)}, and only "
                "for the browser that you used.",
                icon=":material/upload:",
            )
            return
        slot.set(kept)
    if _has_uploads(slot.value.form):
        if browser:
            SHELF.put(KEY.value, browser, _at_rest(slot.value), size(slot.value))
        st.query_params[UPLOADED] = KEY.value


def key_in_address() -> dict[str, str]:
    """Return the address parameter with which uploads survive a reload on another page."""
    return {UPLOADED: KEY.value} if KEY.filled else {}


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
    """Return the secret that the sessions of a browser share, or "".

    The cookie is `2|mask|masked token|time`. Each answer of the server has another mask.
    """
    try:
        _, mask, masked, _ = st.context.cookies.get(COOKIE, "").strip('"').split("|")
        key = bytes.fromhex(mask)
        return bytes(b ^ key[k % 4] for k, b in enumerate(bytes.fromhex(masked))).hex()
    except (ValueError, IndexError):
        return ""
