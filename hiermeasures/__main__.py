"""Start `hiermeasures` and `python -m hiermeasures`.

A signal or a closed stream ends the command without a traceback. This works from the first line,
before slow imports. At the end the process stops at once, which saves up to 0.1 s.

The module `cli` contains the commands. If a program calls it, the program keeps its own signals and
streams.
"""

import atexit
import os
import signal
import sys
from types import FrameType
from typing import Any

HANDLED = (signal.SIGINT, signal.SIGTERM)
_raised: list[int] = []  # signals whose exceptions were raised


def main() -> int:
    """Run the command of sys.argv and return its exit status."""
    try:
        _on_signals(_stop)
        _open_closed_streams()
        from hiermeasures.cli import main as command

        return command()
    except BaseException as error:  # a lock of Python can turn our exception into another
        if not isinstance(error, OSError) and not _raised:
            raise
        if not _raised:
            sys.stderr = None  # the reason cannot be written either
        return 2
    finally:
        _on_signals(signal.SIG_DFL)  # while Python ends
        if _raised:
            _end(128 + _raised[-1])


def _end(status: int) -> None:
    """End the process without waiting for threads, because nobody needs their results."""
    atexit._run_exitfuncs()  # ends child processes and removes temporary folders
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # closed, or nobody reads it
            continue
    os._exit(status)


def _on_signals(handler: Any) -> None:
    for number in HANDLED:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    """Raise an exception, like Ctrl+C in Python. So no processes or unfinished files are left.

    During an import, end at once. Compiled modules lose this exception, or abort with their own
    message. A second signal also ends at once.
    """
    if _raised:
        os._exit(128 + number)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            os._exit(128 + number)
        frame = frame.f_back
    _raised.append(number)
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)


def _open_closed_streams() -> None:
    """Replace closed standard streams (`>&-`) by the null device. In Python they are None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def run() -> None:
    """Run the command of sys.argv and end the process."""
    _end(main())


if __name__ == "__main__":
    run()
