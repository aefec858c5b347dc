"""Parse uploads in another process, so that a crash costs only that upload.

The first upload starts a worker. On Linux the worker forks for each upload, with limits of memory
and processor time. Other systems have only a time limit.
"""

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import IO, Any, ParamSpec, TypeVar

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.label_notation import Notation
from hiermeasures.hierarchy.package import start_python
from hiermeasures.read.source import UPLOAD

P = ParamSpec("P")
T = TypeVar("T")

SECONDS = 60.0
"""Seconds that an upload may take to read, or to wait for a free worker."""
MEMORY = 2_000_000_000
"""Bytes that reading may take in addition to Python and the libraries."""
WORKERS = 2

FORKS = sys.platform == "linux"
_USED = (
    "networkx",
    "pandas",
    "pyarrow.parquet",
    "pyarrow.compute",
    "scipy.sparse",
    "hiermeasures.verify.library",
    "hiermeasures.evaluation.scores.files",
)
_SERVE = "from hiermeasures.read.sandbox import serve; serve()"
_PLAIN = {
    "array": {"array", "_array_reconstructor"},
    "builtins": {"frozenset", "set", "complex", "bytearray", "slice", "range"},
    "collections": {"OrderedDict"},
    "numpy": {"ndarray", "dtype"},
    "pathlib": {"PosixPath", "WindowsPath", "Path"},
}


def sandboxed(read: Callable[P, T], *arguments: P.args, **settings: P.kwargs) -> T:
    """Call `read` in another process and return its result.

    Parameters
    ----------
    read : callable
        A function of a module of this package. Its arguments and its result must be picklable.

    Raises
    ------
    InputError
        If `read` raises it, takes too much time or memory, or ends its process.
    """
    try:
        worker = _free.get(timeout=SECONDS)
    except queue.Empty:
        raise InputError(
            "other people are reading large files at the moment. Try again in a minute."
        ) from None
    try:
        outcome, result = worker.ask(pickle.dumps((read, arguments, settings)))
    finally:
        _free.put(worker)
    if outcome == "refused":
        raise InputError(result)
    returned: T = result
    return returned


def hierarchy_of_labels(labels: Sequence[str], notation: Notation | None) -> Hierarchy:
    """Make a hierarchy of labels from an upload. It raises InputError as `sandboxed` does."""
    return sandboxed(Hierarchy.from_labels, labels, notation, most_names=UPLOAD.names)


class _Worker:
    """A process that reads one upload after another. It starts when needed, also after a crash."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: bytes) -> tuple[str, Any]:
        """Return ("done", result) or ("refused", reason)."""
        try:
            process = self._running()
        except OSError as error:
            return (
                "refused",
                (
                    "uploads cannot be read here, because no process can be started "
                    f"({error.strerror or error})"
                ),
            )
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(SECONDS, stop)
        timer.daemon = True
        timer.start()
        try:
            process.stdin.write(len(request).to_bytes(8, "little") + request)
            process.stdin.flush()
            outcome, result = _PlainUnpickler(process.stdout).load()
        except Exception:  # an answer that is incomplete or cannot be unpickled
            self._end()
            if late.is_set():
                return (
                    "refused",
                    (
                        f"reading this took longer than {SECONDS:.0f} s, the limit. Try a smaller "
                        "file."
                    ),
                )
            return (
                "refused",
                (
                    "this cannot be read: it takes too much memory, or its reader crashed. Try a "
                    "smaller file."
                ),
            )
        finally:
            timer.cancel()
            if late.is_set():
                self._end()
        return outcome, result

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = start_python(
                _SERVE,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C in the terminal reaches the server only
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in filter(None, (process.stdin, process.stdout)):
                with suppress(OSError):
                    stream.close()


_free: "queue.LifoQueue[_Worker]" = queue.LifoQueue()
for _ in range(WORKERS):
    _free.put(_Worker())


class _PlainUnpickler(pickle.Unpickler):
    """Unpickle classes of this package and arrays, but no functions."""

    def find_class(self, module: str, name: str) -> Any:
        plain = name in _PLAIN.get(module, ()) or (
            module
            in (
                "numpy._core.multiarray",
                "numpy.core.multiarray",
                "numpy._core.numeric",
                "numpy.core.numeric",
            )
            and name in ("_reconstruct", "scalar", "_frombuffer")
        )
        if not plain and (not module.startswith("hiermeasures.") or "." in name):
            raise pickle.UnpicklingError(f"{module}.{name} is not plain data")
        found = super().find_class(module, name)
        if not plain and not (isinstance(found, type) and found.__module__ == module):
            raise pickle.UnpicklingError(f"{module}.{name} is not a class of this package")
        return found


# --- in the worker ------------------------------------------------------------------------------


def serve() -> None:
    """Answer requests on the standard streams until they end."""
    for module in _USED:  # once here, so that no upload has to import it
        with suppress(ModuleNotFoundError):  # some are optional
            import_module(module)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keep what libraries print out of the answers
    while head := requests.read(8):
        request = requests.read(int.from_bytes(head, "little"))
        if not FORKS:
            _answer(request, answers)
            continue
        child = os.fork()
        if not child:
            _answer_in_limits(request, answers)
        if os.waitpid(child, 0)[1]:
            os._exit(1)  # the answer is incomplete: end, so that `ask` stops waiting


def _answer_in_limits(request: bytes, answers: IO[bytes]) -> None:
    import resource
    import signal

    status = 1
    try:
        with open("/proc/self/statm") as pages:
            used = int(pages.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS) + 5, int(SECONDS) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _end_with_parent(signal.SIGKILL)
        _answer(request, answers)
        status = 0
    finally:
        os._exit(status)


def _end_with_parent(signal_number: int) -> None:
    import ctypes

    set_death_signal = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(set_death_signal, int(signal_number))


def _answer(request: bytes, answers: IO[bytes]) -> None:
    try:
        read, arguments, settings = pickle.loads(request)
        outcome = "done", read(*arguments, **settings)
    except InputError as error:
        outcome = "refused", str(error)
    except MemoryError:
        outcome = "refused", "this takes too much memory to read. Try a smaller file."
    except RecursionError:
        outcome = "refused", "this is nested too deeply to read. Try a flatter file."
    pickle.dump(outcome, answers, protocol=5)
    answers.flush()
