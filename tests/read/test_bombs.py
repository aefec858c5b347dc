"""Files that unpack to gigabytes or take a parser for ever are one plain sentence, in bounded
memory and time.
"""

import json
import subprocess
import sys

import pytest

# MB for all files in one process, as a worker of the page may take; and per file on a busy machine
MEMORY, SECONDS = 2_000, 60

SCRIPT = """
import json, resource, sys, time
from hiermeasures.hierarchy.errors import InputError
from tests.read.bombs import READERS, bombs

for name, reader, content in bombs():
    assert len(content) <= 20_000_000, name
    open("/proc/self/clear_refs", "w").write("5")  # the peak begins anew
    began = time.monotonic()
    try:
        READERS[reader](content)
        said = ""
    except InputError as error:
        said = str(error)
    except BaseException as error:
        said = f"BARE {type(error).__name__}: {error}"[:500]
    seconds = time.monotonic() - began
    peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) // 1000
    print(json.dumps([name, said, seconds, peak, len(content)]), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the peak of memory is read from /proc"
)
def test_no_small_file_takes_much_memory_or_time():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=590
    )
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        name, said, seconds, peak, _ = json.loads(line)
        assert not said.startswith("BARE"), (name, said)
        assert len(said) < 1_000, (name, said)
        assert peak < MEMORY, (name, peak)
        assert seconds < SECONDS, (name, seconds)
