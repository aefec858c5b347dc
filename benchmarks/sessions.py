"""Many people on one server. Their sessions click classes in the Explorer.

    python benchmarks/sessions.py [--sessions 1 10 25 50] [--every 2] [--seconds 30]

The program starts the app in its own process, with its default settings. It speaks the protocol of
a browser. Every session opens the Explorer and then clicks a class every two seconds. If the answer
to its last click takes longer, it waits. A click is a gesture in the state value of the mailbox
(hiermeasures/explore/scripts/mailbox.js). Its answer is complete when the run has finished. It must
show exactly the classes that this session has clicked. You need psutil and websockets.
"""

import argparse
import asyncio
import json
import random
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
COUNTS = (1, 10, 25, 50)
WARM_UP = 3  # clicks of each session that are not counted
IDLE = 5.0  # seconds without any clicks
PATIENCE = 60.0  # a session gives up after so many seconds without a message

Result = dict[str, Any]


@contextmanager
def server(script: str = "app.py") -> Iterator[tuple[str, int]]:
    """Start the app, or another script, on a free port. Yield its address and process id."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        script,
        f"--server.port={port}",
        "--server.headless=true",
    ]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(f"http://localhost:{port}/_stcore/health", process)
        yield f"ws://localhost:{port}/_stcore/stream", process.pid
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(address: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the app did not start")


class Session:
    """One browser page, as the server sees it."""

    def __init__(self, socket: Any, number: int) -> None:
        self.socket = socket
        self.chosen = random.Random(number)
        self.components: dict[
            str, tuple[str, str, dict[str, Any]]
        ] = {}  # id, fragment and data, by name
        self.clicks = self.messages = self.bytes = 0
        self.times: list[float] = []
        self.predicted: set[str] = set()

    async def open(self) -> None:
        """Wait for the first run, and for those that the page requests by itself."""
        from streamlit.proto.BackMsg_pb2 import BackMsg

        message = BackMsg()
        message.rerun_script.query_string = ""
        await self.socket.send(message.SerializeToString())
        await self._answer()
        for name in [name for name in self.components if name.startswith("scripts_")]:
            await self._send(name, {"loaded": True})
            await self._answer()
        self.predicted = self._shown()

    async def click(self) -> None:
        """Click one class and wait for the answer."""
        shape = self.chosen.choice(self._shapes())
        self.clicks += 1
        self.predicted ^= {shape["title"]}
        value = {"kind": "click", "id": shape["id"], "name": shape["title"], "mode": "predicted"}
        gesture = {"number": self.clicks, "model": "explorer", "key": "graph", "value": value}
        session = self.components["explorer"][2]["session"]
        start = time.perf_counter()
        await self._send("mailbox", {"pending": {"session": session, "gestures": [gesture]}})
        while self.components["explorer"][2]["seen"] < self.clicks:
            await self._answer()
        self.times.append(time.perf_counter() - start)
        if self._shown() != self.predicted:
            raise AssertionError(f"shown {sorted(self._shown())}, clicked {sorted(self.predicted)}")

    def forget(self) -> None:
        """Start all counts again."""
        self.messages = self.bytes = 0
        self.times = []

    def _shapes(self) -> list[dict[str, Any]]:
        drawing = next(
            area for area in self.components["explorer"][2]["areas"] if area["key"] == "drawing"
        )
        parts = [drawing]
        while parts:
            part = parts.pop()
            if part.get("component") == "graph":
                return list(part["data"]["scene"]["shapes"])
            parts += part.get("parts", [])
        raise AssertionError("the drawing is missing")

    def _shown(self) -> set[str]:
        return {shape["title"] for shape in self._shapes() if shape.get("predicted") == "class"}

    async def _send(self, component: str, state: dict[str, Any]) -> None:
        from streamlit.proto.BackMsg_pb2 import BackMsg

        message = BackMsg()
        identity, message.rerun_script.fragment_id, _ = self.components[component]
        widget = message.rerun_script.widget_states.widgets.add()
        widget.id, widget.json_value = identity, json.dumps(state)
        await self.socket.send(message.SerializeToString())

    async def _answer(self) -> None:
        """Read all messages up to the end of a run."""
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        while True:
            received = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            self.messages += 1
            self.bytes += len(received)
            message = ForwardMsg.FromString(received)
            if message.HasField("delta") and message.delta.new_element.HasField("bidi_component"):
                component = message.delta.new_element.bidi_component
                name = component.component_name.removeprefix("hiermeasures_")
                data = json.loads(component.json or component.bytes or "{}")
                self.components[name] = component.id, message.delta.fragment_id, data
            if (
                message.WhichOneof("type") == "script_finished"
                and message.script_finished != RESTARTED
            ):
                return


RESTARTED = 2  # ForwardMsg.FINISHED_EARLY_FOR_RERUN: another run follows at once


async def clicking(address: str, pid: int, sessions: int, every: float, seconds: float) -> Result:
    """Run several sessions at once for some seconds."""
    import psutil
    import websockets

    process, protocol = psutil.Process(pid), websockets.Subprotocol("streamlit")
    connections = [
        await websockets.connect(address, max_size=None, subprotocols=[protocol])
        for _ in range(sessions)
    ]
    people = [Session(connection, number) for number, connection in enumerate(connections)]
    opened = []
    for person in people:
        start = time.perf_counter()
        await person.open()
        opened.append(time.perf_counter() - start)
        for _ in range(WARM_UP):
            await person.click()
        person.forget()
    before, start = _processor(process), time.perf_counter()
    await asyncio.gather(
        *(_visit(p, i * every / sessions, every, start + seconds) for i, p in enumerate(people))
    )
    after = _processor(process)
    await asyncio.sleep(IDLE)
    idle = (_processor(process) - after) / IDLE
    for connection in connections:
        await connection.close()
    times = sorted(t for person in people for t in person.times)
    clicks = len(times)
    return {
        "sessions": sessions,
        "clicks": clicks,
        "opened": statistics.median(opened),
        "idle": idle,
        "processor": (after - before) / clicks,
        "messages": sum(person.messages for person in people) / clicks,
        "bytes": sum(person.bytes for person in people) / clicks,
        "median": statistics.median(times),
        "p95": times[min(clicks - 1, int(0.95 * clicks))],
    }


def _processor(process: Any) -> float:
    """Return the seconds of processor time of a process."""
    times = process.cpu_times()
    return float(times.user + times.system)


async def _visit(person: Session, first: float, every: float, end: float) -> None:
    due = time.perf_counter() + first
    while due < end:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await person.click()
        due = max(due + every, time.perf_counter())


def measure(
    counts: tuple[int, ...] = COUNTS, every: float = 2.0, seconds: float = 30.0
) -> list[Result]:
    """Return the results for each number of sessions, on one server."""
    with server() as (address, pid):
        return [asyncio.run(clicking(address, pid, count, every, seconds)) for count in counts]


def lines(results: list[Result]) -> list[str]:
    """Return the results as a Markdown table."""
    rows = [
        f"| {r['sessions']} | {r['clicks']} | {1000 * r['processor']:.0f} ms | "
        f"{r['messages']:.0f} | {r['bytes'] / 1000:.1f} kB | {1000 * r['median']:.0f} ms | "
        f"{1000 * r['p95']:.0f} ms | {1000 * r['opened']:.0f} ms | {100 * r['idle']:.1f} % |"
        for r in results
    ]
    head = "| sessions | clicks | processor time per click | messages | sent | answered, median | 95 % within | "
    head += "opened, median | left alone |"
    return [head, "|---:|---:|---:|---:|---:|---:|---:|---:|---:|", *rows]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", nargs="+", type=int, default=COUNTS)
    parser.add_argument("--every", type=float, default=2.0, help="seconds from click to click")
    parser.add_argument(
        "--seconds", type=float, default=30.0, help="seconds for each number of sessions"
    )
    given = parser.parse_args()
    print("\n".join(lines(measure(tuple(given.sessions), given.every, given.seconds))))


if __name__ == "__main__":
    main()
