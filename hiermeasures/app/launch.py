"""Starting the app from the command line: where it answers, how Streamlit is called, what the app
is told by the environment, and who may name files of this computer by their paths.

Streamlit is imported last, once all that a person gave is known to be right. Its settings are those
of .streamlit/config.toml beside the entry, in a checkout and in an installed package alike.

Paths may be named only in a session that was opened at the address with the token that
`hiermeasures app --local-files` prints. Where a visitor comes from, and by which name the app is
asked for, prove nothing: forwarders and strangers' pages can send the same.
"""

import errno
import hmac
import os
import re
import secrets
import signal
import socket
import threading
from pathlib import Path
from typing import Any

from hiermeasures.core.errors import InputError, shown
from hiermeasures.explorer.location import Opening

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


def run(
    port: int | None,
    address: str,
    lessons: str | None,
    opening: Opening,
    *,
    local_files: bool = False,
    classroom: bool = False,
) -> int:
    """Run the app in this process until it is stopped; the exit status.

    Parameters
    ----------
    port : int, optional
        By default 8501, or the next one that is free.
    address : str
        Of this machine: who may ask for the app.
    lessons : str, optional
        A folder of lessons.
    opening : Opening
        What the Explorer opens with.
    local_files : bool
        Print an address with a token, at which files of this computer may be named by their paths.
    classroom : bool
        Let whoever presents a card have it answered by a class.

    Raises
    ------
    InputError
        For a port, folder, address, file or class that cannot be, before anything is started.
    """
    told = {**_lessons(lessons), **opening.environment(), **({CLASSROOM: "1"} if classroom else {})}
    port = _checked_port(port, address)
    os.environ.update(told)
    make_token(wanted=local_files)
    print(f"hiermeasures: the app is at {_url(address, port)}; Ctrl+C ends it", flush=True)
    # Streamlit's own greeting asks a server on the internet which address this machine has.
    settings = [f"--server.port={port}", f"--server.address={address}", "--logger.hideWelcomeMessage=true"]
    before = {number: signal.signal(number, _end_at_once) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        from streamlit.web.cli import main

        return int(main(["run", str(entry()), *settings], prog_name="streamlit", standalone_mode=False) or 0)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_at_once(number: int, frame: Any) -> None:
    """End at once before the server is there. It has handlers of its own, ends in order, and then
    sends the signal once more, which has nothing left to do.
    """
    if not SERVED.is_set():
        os._exit(128 + number)


def entry() -> Path:
    """The script that Streamlit runs, with its settings beside it: the checkout's, or what
    hiermeasures.packaging has put into the installed package.
    """
    here = Path(__file__).resolve().parent
    for folder in (here.parents[1], here / "entry"):
        if (folder / ".streamlit" / "config.toml").is_file():
            return folder / "app.py"
    raise InputError("the app's entry and its settings are not where hiermeasures was installed")


def _lessons(folder: str | None) -> dict[str, str]:
    if folder is None:
        return {}
    if not Path(folder).is_dir():
        raise InputError(f"--lessons: no folder {shown(folder)}")
    return {LESSONS: str(Path(folder).resolve())}


def _checked_port(port: int | None, address: str) -> int:
    """The port that is asked for, if it is free; the first free one where none is."""
    if not ADDRESS.fullmatch(address):
        raise InputError(f"--address: {shown(address)} is no address; 0.0.0.0 is this machine's in every network")
    if port is None:
        for candidate in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
            if _is_free(candidate, address):
                return candidate
        raise InputError(f"no port of {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1} is free; --port names another")
    if port not in PORTS:
        raise InputError(f"there is no port {port}; ports are {PORTS[0]} to {PORTS[-1]:,}")
    if not _is_free(port, address):
        raise InputError(f"port {port} is taken; without --port the next free one is used")
    return port


def _is_free(port: int, address: str) -> bool:
    """Return True if a server could answer there now; InputError where none ever can."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # a port that was just left is free
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            return True
    except socket.gaierror:
        raise InputError(f"--address: no machine is called {shown(address)}") from None
    except PermissionError:
        raise InputError(f"port {port} is the system's; --port names one above 1023") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return False
        reason = error.strerror or str(error)
        raise InputError(f"--address: nothing can answer at {shown(address)} on this machine ({reason})") from None


def _url(address: str, port: int) -> str:
    if address in EVERYONE:
        return f"http://{THIS_MACHINE}:{port}{query()}, and for everyone who reaches this machine"
    return f"http://{f'[{address}]' if ':' in address else address}:{port}{query()}"


# --- the token ----------------------------------------------------------------------------------


def make_token(wanted: bool = True) -> None:
    """Make the token of this start, with which files may be named by their paths; or have none."""
    global _token
    _token = secrets.token_urlsafe(32) if wanted else None


def query() -> str:
    """Return what follows the app's address to bring the token of this start, or nothing."""
    return f"/?{PARAMETER}={_token}" if _token else ""


def take_token(address: Any, session: Any) -> None:
    """Take the token out of the address, and remember in the session if it is the right one."""
    if (given := address.get(PARAMETER)) is None:
        return
    del address[PARAMETER]
    if _token is not None and hmac.compare_digest(given.encode("utf-8", "replace"), _token.encode()):
        session[_ALLOWED] = True


def are_allowed(session: Any) -> bool:
    """Return whether this session may name files by their paths."""
    return _ALLOWED in session
