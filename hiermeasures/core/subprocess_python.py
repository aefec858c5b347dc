"""Start another Python with the same import path."""

import os
import subprocess
import sys
from typing import Any


def start_python(code: str, **streams: Any) -> subprocess.Popen[bytes]:
    """Run some code in another process; OSError where none can be started.

    The current folder, which may hold files of strangers, is not on its path (`-P`).
    """
    if not sys.executable:
        raise OSError("this Python does not know where it is installed")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen([sys.executable, "-P", "-c", code], env=environment, **streams)
