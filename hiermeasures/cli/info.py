"""`info`: versions and the machine."""

import argparse

from hiermeasures.cli.declare import command, flag
from hiermeasures.cli.printing import as_json


@command(
    "info",
    "versions and the machine, for a bug report",
    "Versions, cores, compiled kernels and places: what a bug report should say.",
    flag("--json", "print JSON instead of lines"),
)
def info(arguments: argparse.Namespace) -> int:
    from hiermeasures.info import info, info_lines

    found = info()
    print(as_json(found) if arguments.json else "\n".join(info_lines(found)))
    return 0
