"""The server around the pages: bounds of uploads, what it does not answer, and its browser."""

import asyncio
import re
import webbrowser
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import get_instance
from streamlit.starlette import App
from streamlit.web.server.server_util import get_display_address, get_url

from hiermeasures.app import launch

MOST_UPLOADED = 200_000_000
"""Bytes of uploads that the server keeps for a session."""
MOST_IN_ALL = 1_000_000_000
"""Bytes of uploads that it keeps for all sessions together."""

UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+/?\Z")
METRICS = re.compile(r"/_stcore/metrics/?\Z")
LOOK = 10.0  # seconds
_BESIDE = 2_000  # bytes that an upload takes beside its content and names


class Guard:
    """Refuse `/_stcore/metrics`, and uploads beyond what is kept by the length they announce."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if METRICS.search(scope["path"]):
                await PlainTextResponse("Not Found", 404)(scope, receive, send)
                return
            if scope["method"] == "PUT" and (upload := UPLOAD.search(scope["path"])):
                await self._upload(upload.group(1), scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _upload(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        size = _announced(scope)
        kept = _kept() + self._coming
        if kept[session] + size > MOST_UPLOADED:
            reason = "this session has uploaded as much as it may; take a file away, or reload the page"
        elif kept.total() + size > MOST_IN_ALL:
            reason = "others have uploaded as much as there is room for; try it again later"
        else:
            self._coming[session] += size
            try:
                await self._app(scope, receive, send)
            finally:
                self._coming[session] -= size
                self._coming += Counter()  # forgets those at 0
            return
        await PlainTextResponse(reason, 413)(scope, receive, send)


def _announced(scope: Scope) -> int:
    """The bytes that an upload will take at most."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    most: int = (st.get_option("server.maxUploadSize") + 1) * 1024 * 1024  # Streamlit reads no more
    said = int(length) if length.isdigit() and len(length) < 12 and b"transfer-encoding" not in headers else most
    return min(said, most) + len(scope["path"]) + _BESIDE


def _kept() -> Counter[str]:
    """The bytes that uploads of each session take."""
    stored: Any = get_instance().uploaded_file_mgr
    return Counter(
        {
            session: sum(len(file.data) + len(file.name) + len(file.file_id) + _BESIDE for file in files.values())
            for session, files in list(stored.file_storage.items())
        }
    )


async def _close_left_sessions() -> None:
    """Close the sessions that nobody came back to in time; Streamlit does it when another ends."""
    runtime: Any = get_instance()
    while True:
        await asyncio.sleep(LOOK)
        for _, left in runtime._session_mgr._session_storage._cache.expire():
            left.session.shutdown()


@asynccontextmanager
async def lifespan(app: App) -> AsyncIterator[None]:
    """Open a browser, if there is one, as Streamlit does for a script; close sessions meanwhile."""
    if not st.get_option("server.headless"):
        url = get_url(get_display_address(st.get_option("server.address")))
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, url + launch.query())
    launch.SERVED.set()
    closing = asyncio.create_task(_close_left_sessions())
    yield
    closing.cancel()


MIDDLEWARE = [Middleware(Guard)]
