"""Commands that run until you stop them, or that describe the installation.

`app` runs the app in the browser, `page` writes the Explorer as static files, `completion` prints a
script for a shell, and `info` prints versions and the machine.
"""

import argparse
from pathlib import Path

from hiermeasures.cli import declare
from hiermeasures.cli.printing import as_json
from hiermeasures.hierarchy.extras import require


@declare.command(
    "app",
    "run the app in the browser",
    "Run the app in the browser, until Ctrl+C ends it. Example: hiermeasures app --case "
    "kosmopoulos2015/figure-15",
    [
        declare.argument("--port", "N", "the app's port (8501, or the next free one)", type=int),
        declare.argument(
            "--address",
            "A",
            "who can open the app: only this machine (localhost), or everyone on the network "
            "(0.0.0.0, the default with --classroom)",
        ),
        declare.argument(
            "--lessons", "DIR", "a folder with your own lessons, listed below the course"
        ),
        declare.argument(
            "--cases", "DIR", "a folder with your own case files, listed after the papers"
        ),
        declare.flag(
            "--local-files",
            "print an address with a token. People who open it can name files of this computer "
            "by their paths",
        ),
        declare.flag(
            "--classroom",
            "allow classes next to a presented card: students answer on their phones, and you "
            "see the answers as bars. Everyone on the network can open the app, unless you "
            "set --address",
        ),
        declare.group(
            "the first screen",
            "By default, the app opens the first figure.",
            [
                declare.either(
                    declare.argument(
                        "--hierarchy",
                        "FILE",
                        "a hierarchy file in any supported format, or a case file",
                    ),
                    declare.argument(
                        "--case",
                        "KEY",
                        "a figure of the library, such as kosmopoulos2015/figure-15",
                    ),
                ),
                declare.argument("--true", "A,B", "true classes, instead of those of the case"),
                declare.argument(
                    "--predicted", "C,D", "predicted classes, instead of those of the case"
                ),
                declare.SETTINGS,
            ],
        ),
    ],
)
def app(arguments: argparse.Namespace) -> int:
    require("app", "hiermeasures app")
    from hiermeasures.app.network import EVERYONE
    from hiermeasures.app.server import LESSONS, THIS_MACHINE, run
    from hiermeasures.explore.location import StartInstance
    from hiermeasures.verify.library import CASES

    opening = StartInstance(
        arguments.hierarchy,
        arguments.case,
        declare.classes_of(arguments.true),
        declare.classes_of(arguments.predicted),
        declare.settings_of(arguments.settings),
    )
    return run(
        arguments.port,
        arguments.address or (EVERYONE[0] if arguments.classroom else THIS_MACHINE),
        {LESSONS: arguments.lessons, CASES: arguments.cases},
        opening,
        local_files=arguments.local_files,
        classroom=arguments.classroom,
    )


@declare.command(
    "page",
    "write the Explorer as static files for any web server",
    "Write the Explorer as a folder of static files for any web server. Python runs in the "
    "reader's browser, and data stay there. npm and pip download Pyodide and its wheels "
    "once. Example: hiermeasures page --out site --serve",
    [
        declare.argument(
            "--out", "DIR", "the folder to write. It is created if it is missing", required=True
        ),
        declare.argument(
            "--pyodide",
            "DIR",
            "a folder with Pyodide's files and the wheels, to use without a download",
        ),
        declare.flag("--serve", "serve the folder to this machine, until Ctrl+C ends it"),
        declare.argument("--port", "N", "the port of --serve (any free port)", type=int, default=0),
    ],
)
def page(arguments: argparse.Namespace) -> int:
    require("page", "hiermeasures page")
    from hiermeasures.page.build import serve, write_page

    out = Path(arguments.out)
    written = write_page(out, Path(arguments.pyodide) if arguments.pyodide else None)
    for file in sorted(written, key=lambda file: -file.sent):
        print(f"{file.sent:>10,}  {file.path}")
    print(
        f"{sum(file.sent for file in written):>10,}  bytes in all with gzip, in {out}", flush=True
    )
    if arguments.serve:
        serve(out, arguments.port)
    return 0


@declare.command(
    "completion",
    "completion for a shell",
    "Print a script that lets TAB complete commands, options, measures and files. Add "
    'eval "$(hiermeasures completion bash)" to ~/.bashrc, or with zsh to ~/.zshrc. For fish, run '
    "hiermeasures completion fish > ~/.config/fish/completions/hiermeasures.fish",
    [declare.choice("shell", ["bash", "zsh", "fish"], "which shell")],
)
def completion(arguments: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["hiermeasures"], shell=arguments.shell))
    return 0


@declare.command(
    "info",
    "print versions and the machine for a bug report",
    "Print versions, cores, compiled kernels and folders. Copy this into a bug report.",
    [declare.flag("--json", "print JSON instead of lines")],
)
def info(arguments: argparse.Namespace) -> int:
    from hiermeasures.info import info, info_lines

    found = info()
    print(as_json(found) if arguments.json else "\n".join(info_lines(found)))
    return 0
