"""Sums computed by the workers of a Dask cluster: what is computed where, when again, and joined in
which order is Dask's business.

What is evaluated (`asked`) is sent to each worker once, as a plugin, also to one that comes later
or is started again. A task gives the bytes of a partial result, and tasks join such bytes eight at
a time (hiermeasures.engine.codec).
"""

import logging
import signal
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.extras import require
from hiermeasures.engine.batch import Progress
from hiermeasures.engine.codec import from_bytes, merge, to_bytes

Task = Callable[..., Any]
JOINED_AT_ONCE = 8
SECONDS_TO_ANSWER = 30
_QUIET: dict[str, Any] = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
"""A dashboard for this machine only, which without a host would be open to the network; faults are
raised.
"""


class Asked(Protocol):
    """An evaluation, of any part of the instances."""

    @property
    def of(self) -> Any:
        """The hierarchy or ontology, by which bytes are read."""

    def partial(self, *part: Any) -> Any:
        """The partial result of a part."""


def sums_on_cluster(
    asked: Asked,
    tasks: Callable[[Callable[..., Task]], tuple[list[Any], list[Any]]],
    *,
    cluster: Any = None,
    progress: Progress | None = None,
    keep: Callable[[int, bytes], None] | None = None,
) -> tuple[Any, list[Any]]:
    """The partial result of all parts, and what else tasks give; on the client that the process has
    if no `cluster` is named, or else by threads. `progress` gets (tasks done, in all), `keep` the
    number and the bytes of each part as soon as it is done.

    `tasks` makes the tasks: one for the bytes of each part, by `task(bytes_of_part)(*part)`, and
    others. The `task` that it is given makes of a function of what is asked and arguments one that
    takes the arguments, as Dask's `delayed` does.
    """
    require("cluster", "evaluating on a cluster")
    from dask import delayed

    name = f"hiermeasures-{uuid.uuid4().hex}"

    def task(work: Task, **how: Any) -> Task:
        made: Task = delayed(_OnWorker(work, name), pure=False, **how)
        return made

    with _client(cluster) as client, _in_words():
        client.register_plugin(_plugin(asked, name))
        try:
            parts, others = tasks(task)
            if keep:
                parts = client.compute(parts)
            whole = delayed(list)([together(task, parts), *others])
            data, *rest = _result(client, whole, progress, _Keeping(dict(enumerate(parts)), keep) if keep else None)
        finally:
            with suppress(OSError):  # the scheduler is gone, and with it the plugin
                client.unregister_worker_plugin(name)
    return from_bytes(asked.of, data), rest


def together(task: Callable[..., Task], parts: list[Any]) -> Any:
    """The task that joins the bytes of parts along a tree."""
    join = task(joined)
    while len(parts) > 1:
        parts = [join(parts[k : k + JOINED_AT_ONCE]) for k in range(0, len(parts), JOINED_AT_ONCE)]
    return parts[0]


@contextmanager
def _in_words() -> Iterator[None]:
    """Raise what goes wrong between machines as an InputError."""
    from distributed import KilledWorker

    try:
        yield
    except KilledWorker as error:
        raise InputError(f"workers were lost again and again at the same task, perhaps for memory: {error}") from None
    except (CancelledError, OSError) as error:
        raise InputError(f"the evaluation on the cluster broke off: {error}") from None
    except ModuleNotFoundError as error:
        raise InputError(f"what is installed here has to be on the scheduler and all workers, too: {error}") from None


@dataclass
class _Keeping:
    """Parts that are computed, by number, and where each goes once it is done."""

    waiting: dict[int, Any]
    keep: Callable[[int, bytes], None]

    def look(self) -> None:
        for number in [k for k, future in self.waiting.items() if future.status == "finished"]:
            self.keep(number, self.waiting.pop(number).result())


def _result(client: Any, whole: Any, progress: Progress | None, keeping: _Keeping | None = None) -> Any:
    """Wait for the result, keep parts, and report how far the scheduler is."""
    future = client.compute(whole)
    try:
        seen = _watched(client, future) if progress else []
        while (progress or keeping) and not future.done():
            with suppress(TimeoutError):
                future.result(timeout=0.2)
            for numbers in seen:
                progress(*numbers)  # type: ignore[misc]
            if keeping:
                keeping.look()
        return future.result()
    except BaseException:
        with suppress(OSError):
            future.cancel()
        raise


def _watched(client: Any, future: Any) -> list[tuple[int, int]]:
    """Return the latest numbers of tasks (done, in all) that the scheduler tells."""
    from distributed.diagnostics.progressbar import ProgressBar

    seen: list[tuple[int, int]] = []

    class Seen(ProgressBar):  # type: ignore[misc]
        def _draw_bar(self, remaining: int, all: int, **_: Any) -> None:
            seen[:] = [(all - remaining, all)]

    client.loop.add_callback(Seen([future], client.scheduler.address, interval="500ms").listen)
    return seen


@contextmanager
def _client(cluster: Any) -> Iterator[Any]:
    from distributed import Client, default_client

    if cluster is None:
        with suppress(ValueError):
            cluster = default_client()
    if isinstance(cluster, Client):
        yield cluster
        return
    with _local_workers() if cluster == "local" else nullcontext(cluster) as address:
        try:
            quiet = {"processes": False, **_QUIET} if cluster is None else {"timeout": SECONDS_TO_ANSWER}
            client = Client(address, set_as_default=False, **quiet)
        except (OSError, TimeoutError, ValueError) as error:
            why = shown(str(error).partition("\n")[0], 120)[1:-1]
            raise InputError(f"no scheduler of Dask answers at {shown(str(cluster))} ({why})") from None
        with client:
            yield client


@contextmanager
def _local_workers() -> Iterator[Any]:
    """Worker processes on this machine. A terminal sends Ctrl+C to them, too: they are started with
    this signal blocked, so that this process alone stops, and ends them.
    """
    from multiprocessing import resource_tracker

    from distributed import LocalCluster

    resource_tracker.ensure_running()  # which unblocks the signal when it is started
    can_block = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if can_block else ()
    with ExitStack() as stack:
        try:
            local = stack.enter_context(LocalCluster(threads_per_worker=1, **_QUIET))
        finally:
            if can_block:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield local


# --- workers ------------------------------------------------------------------------------------


def _plugin(asked: Asked, name: str) -> Any:
    from distributed import WorkerPlugin

    class Sent(WorkerPlugin):  # type: ignore[misc]
        def __init__(self) -> None:
            self.asked, self.name = asked, name

    return Sent()


@dataclass(frozen=True)
class _OnWorker:
    """A task whose arguments are on its worker, under the plugin's name."""

    work: Task
    name: str

    @property
    def __name__(self) -> str:
        """Name of the task on Dask's dashboard."""
        return self.work.__name__

    def __call__(self, *arguments: Any) -> Any:
        from distributed import get_worker

        return self.work(get_worker().plugins[self.name].asked, *arguments)


def bytes_of_part(asked: Asked, *part: Any) -> bytes:
    return to_bytes(asked.partial(*part))


def joined(asked: Asked, parts: list[bytes]) -> bytes:
    return to_bytes(merge(from_bytes(asked.of, part) for part in parts))
