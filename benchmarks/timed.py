"""Time, processor time and memory of one command, from its start to its end.

    python benchmarks/timed.py COMMAND [ARGUMENT ...]

prints them as JSON. It runs in its own process without large imports. On Linux, the peak memory of a
command includes the memory of its parent at the start.
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
    """The seconds, the processor time with child processes, the peak memory in GB, and the output."""

    seconds: float
    processor: float
    memory: float
    output: str


def timed(command: Sequence[str], environment: dict[str, str] | None = None) -> Run:
    """Run a command in its own process. CalledProcessError if it fails."""
    starter = [sys.executable, "-S", __file__, *command]
    # Let Python keep compiled modules, even if the environment forbids it.
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
