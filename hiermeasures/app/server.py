"""The server around the pages.

This module starts the app for the command line, limits uploads, refuses some addresses, opens a
browser, and decides who may name files of this computer by their paths. Streamlit's settings are in
.streamlit/config.toml next to the entry, in a checkout and in an installed package.

Paths may be named only in a session that was opened with the token that `hiermeasures app
--local-files` prints. A visitor's address and the app's name in the request prove nothing, because
forwarders and strangers' pages can send the same ones.
"""

import asyncio
import errno
import hmac
import os
import re
import secrets
import signal
import socket
import threading
import webbrowser
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import get_instance
from streamlit.starlette import App
from streamlit.web.server.server_util import get_display_address, get_url

from hiermeasures.explore.location import StartInstance
from hiermeasures.hierarchy.errors import InputError, shown

LESSONS = "HIERMEASURES_LESSONS"  # the environment's name for the folder of a teacher's lessons
CLASSROOM = "HIERMEASURES_CLASSROOM"  # "1" where teachers may open classes
PORTS = range(1, 65_536)
FIRST_PORT, PORTS_TRIED = 8501, 100
THIS_MACHINE, EVERYONE = "localhost", ("0.0.0.0", "::")
SERVED = threading.Event()  # the server is there, or was
ADDRESS = re.compile(r"[0-9A-Za-z.:-]{1,253}")
PARAMETER = "token"
_ALLOWED = "local_files_allowed"  # in the session, which no visitor can write
_token: str | None = None  # of this start; without one nobody may
MOST_UPLOADED = 200_000_000
"""Bytes of uploads that the server keeps for a session."""
MOST_IN_ALL = 1_000_000_000
"""Bytes of uploads that it keeps for all sessions together."""

UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+/?\Z")
METRICS = re.compile(r"/_stcore/metrics/?\Z")
LOOK = 10.0  # seconds
_BESIDE = 2_000  # bytes that an upload takes beside its content and names


def run(
    port: int | None,
    address: str,
    lessons: str | None,
    opening: StartInstance,
    *,
    local_files: bool = False,
    classroom: bool = False,
) -> int:
    """Run the app in this process until it is stopped. Return the exit status.

    The default port is 8501, or the next one that is free. With `local_files` the printed address
    has a token, with which files of this computer may be named by their paths. A wrong port,
    folder, address, file or class raises InputError before anything starts.
    """
    if lessons is not None and not Path(lessons).is_dir():
        raise InputError(f"--lessons: no folder {shown(lessons)}")
    told = {**opening.environment(), **({CLASSROOM: "1"} if classroom else {})}
    told |= {} if lessons is None else {LESSONS: str(Path(lessons).resolve())}
    port = _checked_port(port, address)
    os.environ.update(told)
    make_token(wanted=local_files)
    host, everyone = f"[{address}]" if ":" in address else address, ""
    if address in EVERYONE:
        host, everyone = THIS_MACHINE, ", and for everyone who reaches this machine"
    print(
        f"hiermeasures: the app is at http://{host}:{port}{query()}{everyone}; Ctrl+C ends it",
        flush=True,
    )
    # Streamlit's own greeting asks a server on the internet which address this machine has.
    settings = [
        f"--server.port={port}",
        f"--server.address={address}",
        "--logger.hideWelcomeMessage=true",
    ]
    before = {
        number: signal.signal(number, _end_at_once) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        from streamlit.web.cli import main

        return int(
            main(["run", str(entry()), *settings], prog_name="streamlit", standalone_mode=False)
            or 0
        )
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_at_once(number: int, frame: Any) -> None:
    """End at once before the server is there.

    The server has handlers of its own and ends in order. It then sends the signal once more, which
    has no effect.
    """
    if not SERVED.is_set():
        os._exit(128 + number)


def entry() -> Path:
    """Return the script that Streamlit runs, with its settings next to it.

    It is the checkout's, or the one that hiermeasures.packaging put into the installed package.
    """
    here = Path(__file__).resolve().parent
    for folder in (here.parents[1], here / "entry"):
        if (folder / ".streamlit" / "config.toml").is_file():
            return folder / "app.py"
    raise InputError("the app's entry and its settings are not where hiermeasures was installed")


def _checked_port(port: int | None, address: str) -> int:
    """Return the requested port if it is free. Without a request, return the first free port."""
    if not ADDRESS.fullmatch(address):
        raise InputError(
            f"--address: {shown(address)} is not an address; 0.0.0.0 is this machine's in "
            f"every network"
        )
    if port is None:
        for candidate in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
            if _is_free(candidate, address):
                return candidate
        raise InputError(
            f"no port of {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1} is free; --port "
            f"names another"
        )
    if port not in PORTS:
        raise InputError(f"there is no port {port}; ports are {PORTS[0]} to {PORTS[-1]:,}")
    if not _is_free(port, address):
        raise InputError(f"port {port} is taken; without --port the next free one is used")
    return port


def _is_free(port: int, address: str) -> bool:
    """Return whether a server could use the address now. InputError if none ever can."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            address, port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # a port that was just left is free
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            return True
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return False
        reason = error.strerror or str(error)
        raise InputError(
            f"nothing can answer at {shown(address)}, port {port}, on this machine ({reason})"
        ) from None


# --- the token ----------------------------------------------------------------------------------


def make_token(wanted: bool = True) -> None:
    """Make the token of this start, which allows naming files by their paths, or remove it."""
    global _token
    _token = secrets.token_urlsafe(32) if wanted else None


def query() -> str:
    """Return the address's suffix with the token of this start, or ""."""
    return f"/?{PARAMETER}={_token}" if _token else ""


def take_token(address: Any, session: Any) -> None:
    """Take the token out of the address. If it is the right one, the session remembers it."""
    if (given := address.get(PARAMETER)) is None:
        return
    del address[PARAMETER]
    if _token is not None and hmac.compare_digest(
        given.encode("utf-8", "replace"), _token.encode()
    ):
        session[_ALLOWED] = True


def are_allowed(session: Any) -> bool:
    """Return whether this session may name files by their paths."""
    return _ALLOWED in session


# --- requests ------------------------------------------------------------------------------------


class Guard:
    """Refuse `/_stcore/metrics`, and uploads that are larger than the limit."""

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
            reason = (
                "this session has uploaded as much as it may; take a file away, or reload the page"
            )
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
    """Return the most bytes that an upload will take."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    most: int = (st.get_option("server.maxUploadSize") + 1) * 1024 * 1024  # Streamlit reads no more
    said = (
        int(length)
        if length.isdigit() and len(length) < 12 and b"transfer-encoding" not in headers
        else most
    )
    return min(said, most) + len(scope["path"]) + _BESIDE


def _kept() -> Counter[str]:
    """Return the bytes of the uploads of each session."""
    stored: Any = get_instance().uploaded_file_mgr
    return Counter(
        {
            session: sum(
                len(file.data) + len(file.name) + len(file.file_id) + _BESIDE
                for file in files.values()
            )
            for session, files in list(stored.file_storage.items())
        }
    )


async def _close_left_sessions() -> None:
    """Close sessions that nobody came back to in time. Streamlit does so only when another session
    ends.
    """
    runtime: Any = get_instance()
    while True:
        await asyncio.sleep(LOOK)
        for _, left in runtime._session_mgr._session_storage._cache.expire():
            left.session.shutdown()


@asynccontextmanager
async def lifespan(app: App) -> AsyncIterator[None]:
    """Open a browser, as Streamlit does for a script, and close sessions meanwhile."""
    if not st.get_option("server.headless"):
        url = get_url(get_display_address(st.get_option("server.address")))
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, url + query())
    SERVED.set()
    closing = asyncio.create_task(_close_left_sessions())
    yield
    closing.cancel()


MIDDLEWARE = [Middleware(Guard)]
