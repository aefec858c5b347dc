"""A process of Python beside this one, which imports what this one would. What it runs is decided by who begins it."""

import os
import subprocess
import sys
from typing import Any


def begin(code: str, **streams: Any) -> subprocess.Popen[bytes]:
    """Run some code in another process; OSError where none can be started.

    It finds modules where this process finds them, and not in the folder that it happens to stand in, which may hold
    files of strangers (`-P`).
    """
    if not sys.executable:
        raise OSError("this Python does not know where it is installed")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen([sys.executable, "-P", "-c", code], env=environment, **streams)
