"""One command from its start to its end: how long it takes, how much processor time and how much
memory.

    python benchmarks/timed.py COMMAND [ARGUMENT ...]

prints them as JSON. A process of its own that imports nothing large: on Linux the peak of a
command's memory counts what its parent had when it was started.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Run:
    """Seconds that passed, seconds of processor time of the command and of what it started, GB of
    memory at its peak; and what it printed.
    """

    seconds: float
    processor: float
    memory: float
    output: str


def timed(command: Sequence[str], environment: dict[str, str] | None = None) -> Run:
    """A command run by a process of its own; CalledProcessError where it fails."""
    starter = [sys.executable, "-S", __file__, *command]
    # Python keeps compiled modules unless it is told not to, as on some machines for tests.
    around = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(environment or {})}
    done = subprocess.run(
        starter, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, env=around
    )
    return Run(**json.loads(done.stdout))


def _run(command: Sequence[str]) -> Run:
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        output = out.read().decode("utf-8", "replace")
    if process.returncode:
        sys.exit(process.returncode)
    return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20, output)


if __name__ == "__main__":
    print(json.dumps(asdict(_run(sys.argv[1:]))))
