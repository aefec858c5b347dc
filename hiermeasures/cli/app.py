"""`app`: the app in the browser."""

import argparse

from hiermeasures.cli import declare
from hiermeasures.core.extras import require


@declare.command(
    "app",
    "the app in the browser",
    "The app in the browser, until Ctrl+C ends it.",
    declare.argument("--port", "N", "where it answers (8501, or the next that is free)", type=int),
    declare.argument(
        "--address",
        "A",
        "for whom it answers: this machine only (localhost), or 0.0.0.0 for everyone on the network",
        default="localhost",
    ),
    declare.argument("--lessons", "DIR", "a folder with lessons of your own, listed below the course"),
    declare.flag(
        "--local-files",
        "print an address with a token; whoever opens it may name files of this computer by their paths",
    ),
    declare.flag(
        "--classroom",
        "let whoever presents a card open a class: students answer on their phones, and the answers are shown as bars",
    ),
    declare.group(
        "what it opens with",
        "Without these, the first figure.",
        declare.either(
            declare.argument(
                "--hierarchy", "FILE", "a file with a hierarchy, in any format that is read; or a case file"
            ),
            declare.argument("--case", "KEY", "a figure of the library, such as kosmopoulos2015/figure-15"),
        ),
        declare.argument("--true", "A,B", "true classes, in place of those of the case"),
        declare.argument("--predicted", "C,D", "predicted classes, in place of those of the case"),
        declare.SETTINGS,
    ),
)
def app(arguments: argparse.Namespace) -> int:
    require("app", "hiermeasures app")
    from hiermeasures.app.server import run
    from hiermeasures.explorer.location import Opening

    opening = Opening(
        arguments.hierarchy,
        arguments.case,
        declare.classes_of(arguments.true),
        declare.classes_of(arguments.predicted),
        declare.settings_of(arguments.settings),
    )
    return run(
        arguments.port,
        arguments.address,
        arguments.lessons,
        opening,
        local_files=arguments.local_files,
        classroom=arguments.classroom,
    )
