"""`page`: the Explorer as static files."""

import argparse
from pathlib import Path

from hiermeasures.cli.declare import argument, command, flag
from hiermeasures.core.extras import require


@command(
    "page",
    "the Explorer as static files, for any host of them",
    "The Explorer as a folder of static files, which any host serves as they are: Python runs in the reader's browser, "
    "and nothing that a reader does leaves it. Pyodide and its wheels are fetched once, by npm and pip, and kept.",
    argument("--out", "DIR", "the folder to write; made where it is not there", required=True),
    argument("--pyodide", "DIR", "a folder that has Pyodide's files and the wheels, where nothing can be fetched"),
    flag("--serve", "serve the folder to this machine, until Ctrl+C ends it"),
    argument("--port", "N", "where --serve answers (any port that is free)", type=int, default=0),
)
def page(arguments: argparse.Namespace) -> int:
    require("page", "hiermeasures page")
    from hiermeasures.page.build import serve, write_page

    out = Path(arguments.out)
    written = write_page(out, Path(arguments.pyodide) if arguments.pyodide else None)
    for file in sorted(written, key=lambda file: -file.sent):
        print(f"{file.sent:>10,}  {file.path}")
    print(f"{sum(file.sent for file in written):>10,}  bytes in all with gzip, in {out}", flush=True)
    if arguments.serve:
        serve(out, arguments.port)
    return 0
