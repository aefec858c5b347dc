"""`verify`: check the case library, the lessons, and the claims of the documentation."""

import argparse
import json
import sys

from hiermeasures.cli.declare import argument, command, flag
from hiermeasures.cli.printing import check_targets, write
from hiermeasures.hierarchy.extras import require


@command(
    "verify",
    "every published cell against ours, every lesson, and what the documentation claims",
    "Every published cell against ours, every claim and answer of the lessons, and the general "
    "sentences of the documentation about measures. Exit status 0 when each is what its file says.",
    [
        argument("files", "FILE", "case files of your own, and only these", nargs="*"),
        argument("--paper", "NAME", "only this paper"),
        argument(
            "--cases",
            "FOLDER",
            "case files of your own; may be repeated",
            action="append",
            default=[],
        ),
        argument(
            "--lessons",
            "DIR",
            "a folder or file of lessons of your own, and only these; may be repeated",
            action="append",
            default=[],
        ),
        flag("--strict", "exit status 1 also where a cell is openly unexplained"),
        argument("--errata", "FILE", "write the errata of the papers as a page (Markdown)"),
        flag("--json", "print the counts as JSON"),
    ],
)
def verify(arguments: argparse.Namespace) -> int:
    from hiermeasures.teach.library import verify_lessons
    from hiermeasures.verify import Verification, errata_page
    from hiermeasures.verify import verify as verified
    from hiermeasures.verify.claims import verify_claims

    check_targets([arguments.errata], [])
    own = [*arguments.files, *arguments.cases]
    if not (own or arguments.paper):
        require("compare", "verifying the papers' cases", "pandas", "scipy")
    only_lessons = arguments.lessons and not (own or arguments.paper or arguments.errata)
    report = Verification() if only_lessons else verified(own, paper=arguments.paper)
    some_cases = own or arguments.paper
    lessons = verify_lessons(arguments.lessons) if arguments.lessons or not some_cases else None
    claims = verify_claims() if not (arguments.lessons or some_cases) else None
    more = {name: found for name, found in (("lessons", lessons), ("claims", claims)) if found}
    if arguments.errata:
        write(errata_page(report).removesuffix("\n"), arguments.errata, "the errata of the papers")
    if arguments.json:
        print(
            json.dumps(
                report.as_json() | {name: found.as_json() for name, found in more.items()}, indent=2
            )
        )
    else:
        print(
            "\n".join(
                [
                    *([] if only_lessons else [report.as_text()]),
                    *(f.as_text() for f in more.values()),
                ]
            )
        )
    faults = [
        *(lessons.faults + lessons.broken if lessons else ()),
        *(claims.broken if claims else ()),
    ]
    for fault in (*report.faults, *faults):
        print(f"hiermeasures: {fault}", file=sys.stderr)
    unexplained = arguments.strict and report.counts.unexplained > 0
    statuses: list[int] = [
        report.exit_status,
        *(found.exit_status for found in more.values()),
        int(unexplained),
    ]
    return max(statuses)
