"""A table shared out to the workers of a Dask cluster: what is computed where, when again, and joined in which order is
Dask's business.

Each worker is sent the hierarchy once, as a plugin, also one that comes later or is started again. A task evaluates a
partition of a Dask frame, or a row group of a Parquet file, and gives bytes (hiermeasures.partial_results); tasks join
such bytes eight at a time.
"""

import logging
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from hiermeasures.batch.partials import PartialReport
from hiermeasures.batch.tables import Asked, Piece, Progress, parquet_pieces
from hiermeasures.errors import InputError, shown
from hiermeasures.extras import require
from hiermeasures.frames import is_dask_frame
from hiermeasures.partial_results import from_bytes, merge, to_bytes

OnWorker = Callable[[Callable[..., Any]], Callable[..., Any]]
JOINED_AT_ONCE = 8
SECONDS_TO_ANSWER = 30
_QUIET: dict[str, Any] = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
"""A dashboard for this machine only, which without a host would be open to the network; faults are raised."""


def partial_on_cluster(
    asked: Asked, table: Any, cluster: Any = None, progress: Progress | None = None
) -> PartialReport:
    """The result of the rows of a Dask frame, or of a folder of Parquet files.

    Parameters
    ----------
    asked : Asked
    table : dask DataFrame, or path
        A path means the same folder on every worker.
    cluster : distributed.Client, "local" or an address, optional
        By default the client that the process has, and where it has none, threads of this process.
    progress : callable, optional
        Called with (tasks done, tasks in all), as the scheduler counts them.
    """
    require("cluster", "evaluating a Dask frame or on a cluster")
    known = asked.nothing.arguments  # refuses unknown measures here, and has keys in place of formulas
    asked = replace(asked, arguments={**known, "n_jobs": known["n_jobs"] or 1})
    data = computed(asked, lambda on_worker: _reduced(on_worker, asked, table), cluster, progress)
    found: PartialReport = from_bytes(asked.hierarchy, data)
    return found


def computed(asked: Any, tasks: Callable[[OnWorker], Any], cluster: Any, progress: Progress | None) -> Any:
    """What some tasks give.

    Parameters
    ----------
    asked : object
        Sent to every worker once.
    tasks : callable
        Given a function, it makes what is computed. That function makes of `work`, which takes what is asked and
        arguments, a function of the arguments alone, for a task.
    cluster, progress
        As above.
    """
    with _client(cluster) as client, _in_words():
        sent = _sent(asked)
        client.register_plugin(sent)
        try:
            return _result(client, tasks(lambda work: _OnWorker(work, sent.name)), progress)
        finally:
            with suppress(OSError):  # the scheduler is gone, and with it the plugin
                client.unregister_worker_plugin(sent.name)


@contextmanager
def _in_words() -> Iterator[None]:
    """What goes wrong between machines, as an InputError."""
    from distributed import KilledWorker

    try:
        yield
    except KilledWorker as error:
        raise InputError(f"workers were lost again and again at the same task, perhaps for memory: {error}") from None
    except (CancelledError, OSError) as error:
        raise InputError(f"the evaluation on the cluster broke off: {error}") from None
    except ModuleNotFoundError as error:
        raise InputError(f"what is installed here has to be on the scheduler and all workers, too: {error}") from None


def _reduced(on_worker: OnWorker, asked: Asked, table: Any) -> Any:
    """The bytes of the whole, still to be computed: a bag of which every partition is reduced, and then those."""
    from dask import bag

    first: Callable[[Asked, Any], bytes]
    if is_dask_frame(table):
        _check_columns(table, asked.columns)
        parts, first = bag.from_delayed(table[list(dict.fromkeys(asked.columns))].to_delayed()), bytes_of_frame
    else:
        parts, first = bag.from_sequence(parquet_pieces(table, asked.columns), partition_size=1), bytes_of_pieces
    return parts.reduction(on_worker(first), on_worker(joined), split_every=JOINED_AT_ONCE)


def _check_columns(table: Any, columns: Sequence[str]) -> None:
    for column in columns:
        if column not in table.columns:
            names = ", ".join(shown(str(c)) for c in table.columns)
            raise InputError(f"the frame has no column {shown(column)}; it has {names}")


def _result(client: Any, whole: Any, progress: Progress | None) -> Any:
    """Waits for the result, and says how far the scheduler is."""
    future = client.compute(whole)
    try:
        if progress:
            seen = _watched(client, future)
            while not future.done():
                with suppress(TimeoutError):
                    future.result(timeout=0.2)
                for numbers in seen:
                    progress(*numbers)
        return future.result()
    except BaseException:
        with suppress(OSError):
            future.cancel()
        raise


def _watched(client: Any, future: Any) -> list[tuple[int, int]]:
    """The numbers of tasks (done, in all) that the scheduler tells from now on, the latest last."""
    from distributed.diagnostics.progressbar import ProgressBar

    seen: list[tuple[int, int]] = []

    class Seen(ProgressBar):  # type: ignore[misc]
        def _draw_bar(self, remaining: int, all: int, **_: Any) -> None:
            seen[:] = [(all - remaining, all)]

    client.loop.add_callback(Seen([future], client.scheduler.address, interval="500ms").listen)
    return seen


# --- workers ------------------------------------------------------------------------------------------------------


def _sent(asked: Any) -> Any:
    """A plugin by which every worker has what is asked."""
    from distributed import WorkerPlugin

    class Sent(WorkerPlugin):  # type: ignore[misc]
        def __init__(self) -> None:
            self.asked, self.name = asked, f"hiermeasures-{uuid.uuid4().hex}"

    return Sent()


@dataclass(frozen=True)
class _OnWorker:
    """A task, which finds what is asked on its worker, under the name of the plugin."""

    work: Callable[..., Any]
    name: str

    @property
    def __name__(self) -> str:
        """What Dask calls it, on its dashboard."""
        return self.work.__name__

    def __call__(self, *arguments: Any) -> Any:
        from distributed import get_worker

        return self.work(get_worker().plugins[self.name].asked, *arguments)


def bytes_of_pieces(asked: Asked, pieces: Sequence[Piece]) -> bytes:
    found = asked.nothing
    for piece in pieces:
        found = asked.with_piece(found, piece)
    return to_bytes(found)


def bytes_of_frame(asked: Asked, frame: Any) -> bytes:
    try:
        return to_bytes(asked.with_rows(asked.nothing, frame, lambda row: f"row {frame.index[row]!s}"))
    except InputError as error:
        if any(str(frame[name].iloc[0]).startswith("['") for name in asked.columns):
            raise InputError(
                f"{error}; if the column held lists, Dask made text of them: call "
                "dask.config.set({'dataframe.convert-string': False}) before the frame is made"
            ) from None
        raise


def joined(asked: Asked, parts: Sequence[bytes]) -> bytes:
    return to_bytes(merge(from_bytes(asked.hierarchy, part) for part in parts))


@contextmanager
def _client(cluster: Any) -> Iterator[Any]:
    """A client of a cluster; one that is made here is closed at the end."""
    from distributed import Client, LocalCluster, default_client

    if isinstance(cluster, Client):
        yield cluster
        return
    if cluster is None:
        try:
            known = default_client()
        except ValueError:
            known = None
        if known is not None:
            yield known
            return
        with Client(processes=False, **_QUIET, set_as_default=False) as client:
            yield client
    elif cluster == "local":
        with LocalCluster(threads_per_worker=1, **_QUIET) as local, Client(local, set_as_default=False) as c:
            yield c
    else:
        yield from _connected(str(cluster))


def _connected(address: str) -> Iterator[Any]:
    from distributed import Client

    try:
        client = Client(address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        why = str(error).partition("\n")[0]
        raise InputError(f"no scheduler of Dask answers at {shown(address)} ({shown(why, 120)[1:-1]})") from None
    with client:
        yield client
