"""Starting the app from the command line: how Streamlit is called, and what the app is told by the environment.

Imports no Streamlit. Below a checkout the app runs with the checkout's settings; an installed package has none of its
own, so what matters of them is said here.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from hiermeasures.errors import InputError, shown

LESSONS = "HIERMEASURES_LESSONS"  # the environment's name for the folder of a teacher's lessons
PORTS = range(1, 65_536)
FRAME = Path(__file__).with_name("frame.py")
CHECKOUT = FRAME.parents[2]
SETTINGS = (
    "--server.address=localhost",
    "--browser.gatherUsageStats=false",
    "--client.toolbarMode=viewer",
    "--client.showErrorDetails=none",
    "--server.maxUploadSize=20",
    "--global.minCachedMessageSize=1000000000",
)


def run(port: int, lessons: str | None = None) -> int:
    """Run the app until it is stopped; the exit status. InputError for a port or folder that cannot be."""
    called, environment, folder = command(port, lessons)
    environment = {**os.environ, **environment}
    if os.name != "posix":
        return subprocess.call(called, env=environment, cwd=folder)
    if folder is not None:
        os.chdir(folder)
    os.execve(called[0], called, environment)  # in place of this process, so that what ends it ends the app


def command(port: int, lessons: str | None = None) -> tuple[list[str], Mapping[str, str], Path | None]:
    """How Streamlit is called, with which environment and in which folder (None: this one)."""
    if port not in PORTS:
        raise InputError(f"there is no port {port}; ports are {PORTS[0]} to {PORTS[-1]:,}")
    if lessons is not None and not Path(lessons).is_dir():
        raise InputError(f"--lessons: no folder {shown(lessons)}")
    environment = {LESSONS: str(Path(lessons).resolve())} if lessons is not None else {}
    here = (CHECKOUT / ".streamlit" / "config.toml").is_file()
    called = [sys.executable, "-m", "streamlit", "run", str(FRAME), f"--server.port={port}"]
    return [*called, *(() if here else SETTINGS)], environment, CHECKOUT if here else None
