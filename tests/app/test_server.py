"""The server, asked over HTTP and the WebSocket as by anybody: uploads that no page asked for, and
its metrics.
"""

import asyncio
import gzip
import http.client
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from hiermeasures.app import server
from hiermeasures.app.pages import PLACES
from hiermeasures.app.systems.page import FORMS as KINDS_OF_FILES
from hiermeasures.explore.parts import source
from tests.browser.conftest import PROJECT, free_port, running

MB = 1_000_000
SURROUNDINGS = {
    "HIERMEASURES_COMPILE_AHEAD": "no",
    "STREAMLIT_SERVER_HEADLESS": "true",
    "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1",
}


@dataclass(frozen=True)
class Server:
    port: int
    process: int

    def ask(
        self, method: str, way: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, Any, bytes]:
        connection = http.client.HTTPConnection("localhost", self.port)
        connection.request(method, way, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def memory(self) -> float:
        """Megabytes that the process takes."""
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1000


class Session:
    """A session that was opened by no browser, and what it uploads."""

    def __init__(self, at: Server) -> None:
        self.at = at
        url = f"ws://localhost:{at.port}/_stcore/stream"
        self.connection = connect(url, subprotocols=["streamlit"], max_size=None, proxy=None)  # type: ignore[list-item]

    def __enter__(self) -> "Session":
        socket = self.connection.__enter__()
        message = BackMsg()
        message.rerun_script.query_string = ""
        socket.send(message.SerializeToString())
        while (told := ForwardMsg.FromString(socket.recv())).WhichOneof("type") != "new_session":  # type: ignore[arg-type]
            pass
        self.id = told.new_session.initialize.session_id
        while ForwardMsg.FromString(socket.recv()).WhichOneof("type") != "script_finished":  # type: ignore[arg-type]
            pass
        cookie = self.at.ask("GET", "/_stcore/health")[1]["Set-Cookie"]
        token = re.findall("_streamlit_xsrf=([^;]+)", cookie)[0]
        self.headers = {"Cookie": f"_streamlit_xsrf={token}", "X-Xsrftoken": token}
        return self

    def __exit__(self, *fault: object) -> None:
        self.connection.__exit__(*fault)  # type: ignore[arg-type]

    def upload(self, file: str, size: int) -> tuple[int, bytes]:
        head = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'
        form = {"Content-Type": "multipart/form-data; boundary=x"}
        body = head + os.urandom(size) + b"\r\n--x--\r\n"
        status, _, answer = self.at.ask("PUT", self._way(file), body, **self.headers, **form)
        return status, answer

    def take_away(self, file: str) -> int:
        return self.at.ask("DELETE", self._way(file), **self.headers)[0]

    def _way(self, file: str) -> str:
        return f"/_stcore/upload_file/{self.id}/{file}"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    command = [sys.executable, "-m", "hiermeasures", "app", "--port", str(port)]
    log = tmp_path_factory.mktemp("server") / "log"
    with running(command, port, log, cwd=PROJECT, env={**os.environ, **SURROUNDINGS}) as process:
        yield Server(port, process.pid)


def test_a_page_names_the_scripts_and_a_browser_keeps_them(app: Server) -> None:
    name = re.findall("<(.*)>; rel=modulepreload", app.ask("GET", "/learn")[1]["Link"])[0]
    status, headers, content = app.ask("GET", f"/{name}")
    assert (status, headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert "immutable" in headers["Cache-Control"]
    assert gzip.decompress(content).endswith(source("formulas.js").encode())


@pytest.mark.slow
def test_uploads_that_no_page_asked_for_end_at_the_bound_and_their_memory_comes_back(
    app: Server,
) -> None:
    fits = server.MOST_UPLOADED // (19 * MB)
    with Session(app) as session:
        before = app.memory()
        assert [session.upload(f"f{k}", 19 * MB)[0] for k in range(fits)] == [204] * fits
        status, reason = session.upload("more", 19 * MB)
        assert (status, b"upload limit" in reason) == (413, True)
        # what it would replace is there until it comes
        assert session.upload("f0", 19 * MB)[0] == 413
        assert session.take_away("f0") == 204
        assert session.upload("more", 18 * MB)[0] == 204
        with Session(app) as other:
            assert other.upload("f", 19 * MB)[0] == 204
        full = app.memory()
        assert full - before > 0.9 * server.MOST_UPLOADED / MB
    deadline = time.monotonic() + 60
    while full - app.memory() < 0.5 * server.MOST_UPLOADED / MB:  # nobody else comes
        assert time.monotonic() < deadline, (
            f"{app.memory():.0f} MB after {full:.0f}, {before:.0f} before"
        )
        time.sleep(0.5)


def test_the_metrics_are_nobodys_business(app: Server) -> None:
    for way in (
        "/_stcore/metrics",
        "/_stcore/metrics?families=x",
        "/_stcore/metrics/",
        "/_stcore/%6Detrics",
    ):
        assert app.ask("GET", way)[0] == 404, way
    assert app.ask("GET", "/_stcore/health")[2] == b"ok"


@pytest.mark.parametrize(
    ("earlier", "now"),
    [
        ("/cases?figure=kosmopoulos2015/figure-11", "papers?figure=kosmopoulos2015/figure-11"),
        ("/choose?shape=dag&a=%26", "measures?show=choose&shape=dag&a=%26"),
        ("/behaviour", "measures?show=properties"),
        ("/own_paper/", "../papers?show=own"),
        ("/behind/a/proxy/systems", "compare"),
        ("/?lesson=3&card=2", "learn?lesson=3&card=2"),
        ("/behind/a/proxy/?lesson=3", "learn?lesson=3"),
    ],
)
def test_earlier_and_short_addresses_lead_to_todays_with_their_parameters(
    app: Server, earlier: str, now: str
) -> None:
    status, headers, _ = app.ask("GET", earlier)
    assert (status, headers["Location"]) == (307, now)


def test_every_earlier_address_leads_to_a_page_and_no_place_is_led_away() -> None:
    places = set()
    for address in server.MOVED.values():
        place, _, key = address.partition("?show=")
        places.add(place)
        kinds = KINDS_OF_FILES if place == "compare" else PLACES[place]
        assert not key or key in kinds
    assert places == {"compare", "measures", "papers"}
    assert not server.MOVED.keys() & PLACES.keys()


def asked(session: str = "s", *, method: str = "PUT", **headers: str) -> dict[str, Any]:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "method": method,
        "path": f"/_stcore/upload_file/{session}/f",
        "headers": raw,
    }


async def outcome(guard: server.Guard, scope: dict[str, Any]) -> int:
    """The status of the guard's own answer; 0 where it lets the request through."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await guard(scope, None, send)  # type: ignore[arg-type]
    return sent[0]["status"] if sent else 0


def finished(work: Coroutine[Any, Any, Any]) -> Any:
    """Return a coroutine's result, run in a thread: this one may have a loop of a browser."""
    with ThreadPoolExecutor() as pool:
        return pool.submit(asyncio.run, work).result()


def test_what_all_sessions_may_keep_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    async def through(*request: object) -> None:
        pass

    kept = Counter({f"other {k}": 195 * MB for k in range(5)})
    monkeypatch.setattr(server, "_kept", lambda: kept)
    guard = server.Guard(through)
    assert finished(outcome(guard, asked(content_length=str(20 * MB)))) == 0
    kept["one more"] = 6 * MB
    assert finished(outcome(guard, asked(content_length=str(20 * MB)))) == 413
    assert finished(outcome(guard, asked(content_length=str(20 * MB), method="DELETE"))) == 0


@pytest.mark.parametrize(
    "headers",
    [{}, {"content_length": "5", "transfer_encoding": "chunked"}, {"content_length": "9" * 5000}],
)
def test_requests_under_way_count_as_what_they_may_bring(
    headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_kept", lambda: Counter({"s": server.MOST_UPLOADED - 50 * MB}))
    monkeypatch.setattr(server.st, "get_option", {"server.maxUploadSize": 20}.get)

    async def together(end: Callable[[], Any]) -> list[int]:
        async def slow(*request: object) -> None:
            await end()

        guard = server.Guard(slow)
        return await asyncio.gather(*(outcome(guard, asked(**headers)) for _ in range(4)))

    assert finished(together(lambda: asyncio.sleep(0.05))) == [0, 0, 413, 413]
