"""The server around the pages.

This module starts the app for the command line, limits uploads, refuses some addresses, opens a
browser, and decides who may name files of this computer by their paths. Streamlit's settings are in
.streamlit/config.toml next to the entry, in a checkout and in an installed package.

You can name paths only in a session that you open with the token from `hiermeasures app
--local-files`. The visitor's address and the host name are no proof, because proxies and other
websites can forge them.
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
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import get_instance
from streamlit.starlette import App
from streamlit.web.server.server_util import get_display_address, get_url

from hiermeasures.app.network import EVERYONE, find_addresses
from hiermeasures.app.scripts import script_file
from hiermeasures.explore.location import StartInstance
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.verify.library import CASES, own_cases

LESSONS = "HIERMEASURES_LESSONS"  # variable with the folder of a teacher's lessons
CLASSROOM = "HIERMEASURES_CLASSROOM"  # "1" if teachers may open classes
PORTS = range(1, 65_536)
FIRST_PORT, PORTS_TRIED = 8501, 100
THIS_MACHINE = "localhost"
SERVED = threading.Event()  # set once the server runs
ADDRESS = re.compile(r"[0-9A-Za-z.:-]{1,253}")
PARAMETER = "token"
UPLOADED = "uploaded"  # the parameter with the key of a session's kept uploads (kept_models.py)
_ALLOWED = "local_files_allowed"  # in the session, where visitors cannot write
_token: str | None = None  # new at each start; without it no session may name paths
MOST_UPLOADED = 200_000_000
"""Bytes of uploads that the server keeps for a session."""
MOST_IN_ALL = 1_000_000_000
"""Bytes of uploads that it keeps for all sessions together."""

UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+/?\Z")
METRICS = re.compile(r"/_stcore/metrics/?\Z")
SCRIPTS = re.compile(r"/hiermeasures-[0-9a-f]{16}\.js\Z")
MOVED = {
    "systems": "compare",
    "probabilities": "compare?show=scores",
    "glossary": "measures",
    "behaviour": "measures?show=properties",
    "choose": "measures?show=choose",
    "cases": "papers",
    "own_paper": "papers?show=own",
}
"""Earlier addresses of pages, with those of today."""
OF_LEARN = re.compile(r"(?:\A|&)lesson=")  # in a query, a card of a lesson
LOOK = 10.0  # seconds
_BESIDE = 2_000  # bytes per upload in addition to content and names


def run(
    port: int | None,
    address: str,
    folders: Mapping[str, str | None],
    opening: StartInstance,
    *,
    local_files: bool = False,
    classroom: bool = False,
) -> int:
    """Run the app in this process until it is stopped. Return the exit status.

    The default port is 8501, or the next one that is free. With `local_files`, the printed address
    has a token that lets you name files of this computer by their paths. `folders` are the folders
    of lessons and cases, by their names in the environment. A wrong port, folder, address, file or
    class raises InputError before anything starts.
    """
    given = {name: folder for name, folder in folders.items() if folder is not None}
    for name, folder in given.items():
        if not Path(folder).is_dir():
            option = name.removeprefix("HIERMEASURES_").lower()
            raise InputError(f"--{option}: {shown(folder)} is not a folder")
    os.environ.update({name: str(Path(folder).resolve()) for name, folder in given.items()})
    if CASES in given:
        own_cases()  # refused here if it holds no case file
    told = {**opening.environment(), **({CLASSROOM: "1"} if classroom else {})}
    port = _checked_port(port, address)
    os.environ.update(told)
    make_token(wanted=local_files)
    print(_greeting(address, port), flush=True)
    # Streamlit's own greeting asks an internet server for the address of this machine.
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


def _greeting(address: str, port: int) -> str:
    """Return the line with the app's addresses for this computer and its networks."""
    host, others = f"[{address}]" if ":" in address else address, ""
    if address in EVERYONE:
        found = " or ".join(f"http://{at.host}:{port} ({at.name})" for at in find_addresses())
        alone = ", and for nobody else, because this computer is not connected to a network"
        host, others = THIS_MACHINE, f", and in your network at {found}" if found else alone
    return f"hiermeasures: the app is at http://{host}:{port}{query()}{others}; Ctrl+C stops it"


def _end_at_once(number: int, frame: Any) -> None:
    """End the process at once if the server is not running yet.

    Later the server's own handlers end it. It then sends the signal again, which has no effect.
    """
    if not SERVED.is_set():
        os._exit(128 + number)


def entry() -> Path:
    """Return the script that Streamlit runs, with its settings next to it.

    It is in the checkout, or in the installed package (hiermeasures.packaging puts it there).
    """
    here = Path(__file__).resolve().parent
    for folder in (here.parents[1], here / "entry"):
        if (folder / ".streamlit" / "config.toml").is_file():
            return folder / "app.py"
    raise InputError("app.py and its settings are missing. Install hiermeasures again.")


def _checked_port(port: int | None, address: str) -> int:
    """Return the requested port if it is free. Without a request, return the first free port."""
    if not ADDRESS.fullmatch(address):
        raise InputError(
            f"--address: {shown(address)} is not an address. Use 0.0.0.0 to let others in your "
            f"network open the app."
        )
    if port is None:
        for candidate in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
            if _is_free(candidate, address):
                return candidate
        raise InputError(
            f"ports {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1} are all in use. Choose "
            f"another with --port."
        )
    if port not in PORTS:
        raise InputError(
            f"port {port} does not exist. Choose one from {PORTS[0]} to {PORTS[-1]:,}."
        )
    if not _is_free(port, address):
        raise InputError(f"port {port} is in use. Leave out --port to get a free one.")
    return port


def _is_free(port: int, address: str) -> bool:
    """Return True if a server can use the address now. InputError if it never can."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            address, port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # a port that was just closed is free
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            return True
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return False
        reason = error.strerror or str(error)
        raise InputError(
            f"this machine cannot use the address {shown(address)}, port {port} ({reason})"
        ) from None


# --- the token ----------------------------------------------------------------------------------


def make_token(wanted: bool = True) -> None:
    """Make or remove the token of this start, which lets you name files by their paths."""
    global _token
    _token = secrets.token_urlsafe(32) if wanted else None


def query() -> str:
    """Return the address's suffix with the token of this start, or ""."""
    return f"/?{PARAMETER}={_token}" if _token else ""


def take_token(address: Any, session: Any) -> None:
    """Remove the token from the address. If the token is right, the session remembers it."""
    if (given := address.get(PARAMETER)) is None:
        return
    del address[PARAMETER]
    if _token is not None and hmac.compare_digest(
        given.encode("utf-8", "replace"), _token.encode()
    ):
        session[_ALLOWED] = True


def are_allowed(session: Any) -> bool:
    """Return True if this session may name files by their paths."""
    return _ALLOWED in session


# --- requests ------------------------------------------------------------------------------------


async def _send_with_link(send: Send, message: Message) -> None:
    """Send a message. A page's headers get a link to the scripts, so that they come early."""
    if message["type"] == "http.response.start":
        headers = MutableHeaders(scope=message)
        if headers.get("content-type", "").startswith("text/html"):
            headers.append("link", f"<{script_file()[0]}>; rel=modulepreload")
    await send(message)


class Guard:
    """Send the components' scripts. Refuse `/_stcore/metrics` and uploads above the limit. Redirect
    earlier addresses.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif METRICS.search(scope["path"]):
            await PlainTextResponse("Not Found", 404)(scope, receive, send)
        elif SCRIPTS.search(scope["path"]):
            await script_file()[1](scope, receive, send)
        elif (place := _new_place(scope)) is not None:
            await RedirectResponse(place, 307)(scope, receive, send)
        elif scope["method"] == "PUT" and (upload := UPLOAD.search(scope["path"])):
            await self._upload(upload.group(1), scope, receive, send)
        else:
            await self._app(scope, receive, partial(_send_with_link, send))

    async def _upload(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        size = _announced(scope)
        kept = _kept() + self._coming
        if kept[session] + size > MOST_UPLOADED:
            reason = "You have reached the upload limit. Remove a file, or reload the page."
        elif kept.total() + size > MOST_IN_ALL:
            reason = "The server has no room for more uploads. Try again later."
        else:
            self._coming[session] += size
            try:
                await self._app(scope, receive, send)
            finally:
                self._coming[session] -= size
                self._coming += Counter()  # drops sessions with 0 bytes
            return
        await PlainTextResponse(reason, 413)(scope, receive, send)


def _new_place(scope: Scope) -> str | None:
    """Return today's address for an earlier or a short one, relative to it and with its parameters.

    `/?lesson=3&card=2` is short for `/learn?lesson=3&card=2`. None if the address stays.
    """
    path: str = scope["path"]
    query: str = scope.get("query_string", b"").decode("latin-1")
    folders, _, name = path.rstrip("/").rpartition("/")
    if path.endswith("/") and "/_stcore" not in path and OF_LEARN.search(query):
        return f"learn?{query}" if name != "learn" else None
    if name not in MOVED or "/_stcore" in folders:
        return None
    joint = "&" if "?" in MOVED[name] else "?"
    return "../" * path.endswith("/") + MOVED[name] + f"{joint}{query}" * bool(query)


def _announced(scope: Scope) -> int:
    """Return the maximum size of an upload in bytes."""
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
    """Close expired sessions. Streamlit itself waits until another session ends."""
    runtime: Any = get_instance()
    while True:
        await asyncio.sleep(LOOK)
        for _, left in runtime._session_mgr._session_storage._cache.expire():
            left.session.shutdown()


@asynccontextmanager
async def lifespan(app: App) -> AsyncIterator[None]:
    """Open a browser, as Streamlit does, and close expired sessions while the app runs."""
    if not st.get_option("server.headless"):
        url = get_url(get_display_address(st.get_option("server.address")))
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, url + query())
    SERVED.set()
    closing = asyncio.create_task(_close_left_sessions())
    yield
    closing.cancel()


MIDDLEWARE = [Middleware(Guard)]
