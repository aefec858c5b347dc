"""Starting the app from the command line: how Streamlit is called, and what the app is told by the environment.

Imports no Streamlit. Below a checkout the app runs with the checkout's settings; an installed package has none of its
own, so what matters of them is said here.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from hiermeasures.errors import InputError, shown

LESSONS = "HIERMEASURES_LESSONS"  # the environment's name for the folder of a teacher's lessons
PORTS = range(1, 65_536)
FRAME = Path(__file__).with_name("frame.py")
CHECKOUT = FRAME.parents[2]
THIS_MACHINE = "localhost"
ADDRESS = re.compile(r"[0-9A-Za-z.:-]{1,253}")
SETTINGS = (
    "--browser.gatherUsageStats=false",
    "--client.toolbarMode=viewer",
    "--client.showErrorDetails=none",
    "--server.maxUploadSize=20",
    "--global.minCachedMessageSize=1000000000",
)


def run(port: int, lessons: str | None = None, address: str = THIS_MACHINE) -> int:
    """Run the app until it is stopped; the exit status. InputError for a port, folder or address that cannot be."""
    called, environment, folder = command(port, lessons, address)
    environment = {**os.environ, **environment}
    if os.name != "posix":
        return subprocess.call(called, env=environment, cwd=folder)
    if folder is not None:
        os.chdir(folder)
    os.execve(called[0], called, environment)  # in place of this process, so that what ends it ends the app


def command(
    port: int, lessons: str | None = None, address: str = THIS_MACHINE
) -> tuple[list[str], Mapping[str, str], Path | None]:
    """How Streamlit is called, with which environment and in which folder (None: this one)."""
    if port not in PORTS:
        raise InputError(f"there is no port {port}; ports are {PORTS[0]} to {PORTS[-1]:,}")
    if not ADDRESS.fullmatch(address):
        raise InputError(f"--address: {shown(address)} is no address; 0.0.0.0 is this machine's in every network")
    if lessons is not None and not Path(lessons).is_dir():
        raise InputError(f"--lessons: no folder {shown(lessons)}")
    environment = {LESSONS: str(Path(lessons).resolve())} if lessons is not None else {}
    here = (CHECKOUT / ".streamlit" / "config.toml").is_file()
    called = [sys.executable, "-m", "streamlit", "run", str(FRAME)]
    return (
        [*called, f"--server.port={port}", f"--server.address={address}", *(() if here else SETTINGS)],
        environment,
        CHECKOUT if here else None,
    )
