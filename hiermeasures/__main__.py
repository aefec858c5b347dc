"""`hiermeasures` and `python -m hiermeasures`: from the first line on, before anything that takes
time is imported, a signal or a closed stream ends the command without a traceback.

What the commands do is in cli, which may also be called from a program: that keeps its signals
and streams.
"""

import os
import signal
import sys
import time
from types import FrameType
from typing import Any

STOPPED, TERMINATED = 130, 143  # what a shell says of a command that SIGINT or SIGTERM has ended
LONGEST_IMPORT = 10  # seconds for which a signal waits until a module is imported
HAS_TIMER = hasattr(signal, "setitimer")  # not on Windows
LOST = 1  # seconds after which a signal's exception that nobody handles is taken for lost, and raised again


def main() -> int:
    """Run the command of sys.argv; return its exit status."""
    signals = _Signals()
    try:
        signals.handle()
        sys.unraisablehook = _raised_in_vain
        _open_closed_streams()
        from hiermeasures.cli import main as command

        return command()
    except KeyboardInterrupt:  # before the command could say that it stops, or while it said so
        return STOPPED
    except OSError:  # nor can the reason be written
        sys.stderr = None
        return 2
    except Exception:  # Python 3.11 raises a RuntimeError from what a signal raises while a class is made
        if signals.status is None:
            raise
        return signals.status
    finally:
        signals.leave()


class _Signals:
    """The handling of SIGINT and SIGTERM: each raises an exception, as Ctrl+C does in Python, so
    that neither processes nor unfinished files are left. One that comes while a module is imported
    waits for the end of the import: compiled modules lose such an exception, or abort with a
    message of their own. One that was lost all the same is raised again, until the command ends.
    """

    def __init__(self) -> None:
        self.status: int | None = None  # of the signal that was raised
        self._latest = 0.0  # when a signal that waits is raised at the latest

    def handle(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._came)

    def leave(self) -> None:
        """Leave the signals to Python, which ends."""
        if HAS_TIMER:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)

    def _came(self, number: int, frame: FrameType | None) -> None:
        if HAS_TIMER and _is_importing(frame):
            self._latest = self._latest or time.monotonic() + LONGEST_IMPORT
            if time.monotonic() < self._latest:
                return self._wait(0.02, number)
        self._wait(LOST, number)
        self.status = STOPPED if number == signal.SIGINT else TERMINATED
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(TERMINATED)

    def _wait(self, seconds: float, number: int) -> None:
        """Look at a signal again after so many seconds; it waits while its exception is handled."""

        def look(_: int, frame: FrameType | None) -> None:
            if isinstance(sys.exc_info()[1], KeyboardInterrupt | SystemExit):
                return self._wait(seconds, number)
            self._came(number, frame)

        if HAS_TIMER:
            signal.signal(signal.SIGALRM, look)
            signal.setitimer(signal.ITIMER_REAL, seconds)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _raised_in_vain(unraisable: Any) -> None:
    """Repeat a signal that came where Python drops exceptions, such as in the callback of a weak
    reference.
    """
    for kind, number in ((KeyboardInterrupt, signal.SIGINT), (SystemExit, signal.SIGTERM)):
        if issubclass(unraisable.exc_type, kind):
            signal.raise_signal(number)
            return
    sys.__unraisablehook__(unraisable)


def _open_closed_streams() -> None:
    """Put the null device in place of closed standard streams (`>&-`), which are None in Python."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


if __name__ == "__main__":
    sys.exit(main())
