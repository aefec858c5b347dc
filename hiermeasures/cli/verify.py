"""`verify`: check the case library, the lessons, and the claims of the documentation."""

import argparse
import json
import sys

from hiermeasures.cli.declare import argument, command, flag
from hiermeasures.cli.printing import check_targets, write
from hiermeasures.hierarchy.extras import require


@command(
    "verify",
    "check published values, lessons and claims",
    "Compare every published value with ours. Check every claim and answer of the lessons, and the "
    "general statements of the documentation about measures. The exit status is 0 if all of them "
    "agree with their files. Example: hiermeasures verify --paper kosmopoulos2015",
    [
        argument("files", "FILE", "check only these case files", nargs="*"),
        argument("--paper", "NAME", "check only this paper"),
        argument(
            "--cases",
            "FOLDER",
            "also check your own case files. You can repeat this option",
            action="append",
            default=[],
        ),
        argument(
            "--lessons",
            "DIR",
            "check only these lessons, in a folder or file. You can repeat this option",
            action="append",
            default=[],
        ),
        flag("--strict", "also return exit status 1 if a value is marked as unexplained"),
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
