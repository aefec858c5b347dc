"""Partial results computed by the workers of a Dask cluster.

Dask decides on places, repetitions and the order of joining. Each worker gets the description of
the evaluation once, as a plugin, also if it comes later or is restarted. A task returns the bytes
of a partial result, and tasks join these bytes eight at a time.
"""

import logging
import signal
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from typing import Any

from hiermeasures.evaluation.batch import Progress
from hiermeasures.evaluation.partials import PartialReport, from_bytes, merge, to_bytes
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.extras import require
from hiermeasures.hierarchy.hierarchy import Hierarchy

JOINED_AT_ONCE = 8
SECONDS_TO_ANSWER = 30
_QUIET: dict[str, Any] = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
"""The dashboard accepts connections from this machine only. Without a host it would be open to the
network. The logger prints nothing because errors are raised.
"""


def sums_on_cluster(
    hierarchy: Hierarchy,
    of_part: Callable[[Any], PartialReport],
    groups: Sequence[Sequence[Any]],
    *,
    cluster: Any = None,
    progress: Progress | None = None,
    keep: Callable[[int, bytes], None] | None = None,
) -> PartialReport:
    """Return the partial result of all groups of parts.

    Without a `cluster` it uses the client of the process, or else threads. It calls `progress` with
    the number of finished tasks and of all tasks, and `keep` with the number and the bytes of each
    finished group.
    """
    require("cluster", "evaluating on a cluster")
    from dask import delayed

    name = f"hiermeasures-{uuid.uuid4().hex}"
    compute, join = delayed(bytes_of_part, pure=False), delayed(merge_parts, pure=False)

    def together(parts: list[Any]) -> Any:
        while len(parts) > 1:
            parts = [
                join(name, parts[k : k + JOINED_AT_ONCE])
                for k in range(0, len(parts), JOINED_AT_ONCE)
            ]
        return parts[0]

    with _client(cluster) as client, _in_words():
        client.register_plugin(_plugin(name, hierarchy, of_part))
        try:
            parts = [together([compute(name, part) for part in group]) for group in groups]
            parts = client.compute(parts) if keep else parts
            data = _result(
                client, delayed(bytes)(together(parts)), progress, parts if keep else [], keep
            )
        finally:
            with suppress(OSError):  # the scheduler has stopped, so the plugin is gone too
                client.unregister_worker_plugin(name)
    return from_bytes(hierarchy, data)


@contextmanager
def _in_words() -> Iterator[None]:
    """Turn errors between machines into an InputError."""
    from distributed import KilledWorker

    try:
        yield
    except KilledWorker as error:
        raise InputError(
            "a task failed because its workers stopped several times. They may need more memory. "
            f"Dask reports: {error}"
        ) from None
    except (CancelledError, OSError) as error:
        raise InputError(
            f"the evaluation on the cluster broke off. Start it again. Dask reports: {error}"
        ) from None
    except ModuleNotFoundError as error:
        raise InputError(
            "the scheduler or a worker lacks a package. Install there the packages that are "
            f"installed here. Dask reports: {error}"
        ) from None


def _result(
    client: Any,
    whole: Any,
    progress: Progress | None,
    parts: Sequence[Any],
    keep: Callable[[int, bytes], None] | None,
) -> Any:
    """Wait for the result, keep finished parts, and report the scheduler's progress."""
    future, waiting = client.compute(whole), dict(enumerate(parts))
    try:
        seen = _watched(client, future) if progress else []
        while (progress or keep) and not future.done():
            with suppress(TimeoutError):
                future.result(timeout=0.2)
            for numbers in seen:
                progress(*numbers)  # type: ignore[misc]
            for number in [k for k, part in waiting.items() if part.status == "finished"]:
                keep(number, waiting.pop(number).result())  # type: ignore[misc]
        return future.result()
    except BaseException:
        with suppress(OSError):
            future.cancel()
        raise


def _watched(client: Any, future: Any) -> list[tuple[int, int]]:
    """Return a list with the scheduler's latest numbers of finished tasks and of all tasks."""
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
            quiet = (
                {"processes": False, **_QUIET}
                if cluster is None
                else {"timeout": SECONDS_TO_ANSWER}
            )
            client = Client(address, set_as_default=False, **quiet)
        except (OSError, TimeoutError, ValueError) as error:
            why = shown(str(error).partition("\n")[0], 120)[1:-1]
            raise InputError(
                f"no Dask scheduler answers at {shown(str(cluster))} ({why}). Check the address, "
                "and start the scheduler."
            ) from None
        with client:
            yield client


@contextmanager
def _local_workers() -> Iterator[Any]:
    """Return worker processes on this machine.

    A terminal also sends Ctrl+C to the workers. They start with this signal blocked, so only this
    process receives it, and then it ends them.
    """
    from multiprocessing import resource_tracker

    from distributed import LocalCluster

    resource_tracker.ensure_running()  # started later, it would unblock the signal
    can_block = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if can_block else ()
    with ExitStack() as stack:
        try:
            local = stack.enter_context(LocalCluster(threads_per_worker=1, **_QUIET))
        finally:
            if can_block:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield local


def _plugin(name: str, hierarchy: Hierarchy, of_part: Callable[[Any], PartialReport]) -> Any:
    from distributed import WorkerPlugin

    class PackageSender(WorkerPlugin):  # type: ignore[misc]
        def __init__(self) -> None:
            self.name, self.hierarchy, self.of_part = name, hierarchy, of_part

    return PackageSender()


def _sent(name: str) -> Any:
    """Return the plugin of the worker that runs this task."""
    from distributed import get_worker

    return get_worker().plugins[name]


def bytes_of_part(name: str, part: Any) -> bytes:
    return to_bytes(_sent(name).of_part(part))


def merge_parts(name: str, parts: list[bytes]) -> bytes:
    hierarchy = _sent(name).hierarchy
    return to_bytes(merge(from_bytes(hierarchy, part) for part in parts))
