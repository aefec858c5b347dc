"""`verify` and `sheet`: the case library, the lessons, what the documentation claims, and exercises to print."""

import argparse
import json
import sys
from pathlib import Path

from hiermeasures.cli.declare import argument, command, flag, keys_of
from hiermeasures.cli.printing import Progress, print_notes
from hiermeasures.core.errors import InputError


@command(
    "verify",
    "every published cell against ours, every lesson, and what the documentation claims",
    "Every published cell against ours, every claim and answer of the lessons, and every general sentence of the "
    "documentation about measures. Exit status 0 when each is what its file says.",
    argument("--paper", "NAME", "only this paper"),
    argument("--cases", "FOLDER", "case files of your own; may be repeated", action="append", default=[]),
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
)
def verify(arguments: argparse.Namespace) -> int:
    from hiermeasures.cases import Verification, errata_page
    from hiermeasures.cases import verify as verified
    from hiermeasures.formats.source import save
    from hiermeasures.guide.claims import verify_claims
    from hiermeasures.lessons.library import verify_lessons

    only_lessons = arguments.lessons and not (arguments.cases or arguments.paper or arguments.errata)
    report = Verification() if only_lessons else verified(arguments.cases, paper=arguments.paper)
    some_cases = arguments.cases or arguments.paper
    lessons = verify_lessons(arguments.lessons) if arguments.lessons or not some_cases else None
    claims = verify_claims() if not (arguments.lessons or some_cases) else None
    more = {name: found for name, found in (("lessons", lessons), ("claims", claims)) if found}
    if arguments.errata:
        save(errata_page(report), arguments.errata)
    if arguments.json:
        print(json.dumps(report.as_json() | {name: found.as_json() for name, found in more.items()}, indent=2))
    else:
        print("\n".join([*([] if only_lessons else [report.as_text()]), *(f.as_text() for f in more.values())]))
    faults = [*(lessons.faults + lessons.broken if lessons else ()), *(claims.broken if claims else ())]
    for fault in (*report.faults, *faults):
        print(f"hiermeasures: {fault}", file=sys.stderr)
    unexplained = arguments.strict and report.counts.unexplained > 0
    statuses: list[int] = [report.exit_status, *(found.exit_status for found in more.values()), int(unexplained)]
    return max(statuses)


@command(
    "sheet",
    "exercises and solutions to print",
    "Worksheets for some students, each with other exercises, and the solutions of all. LaTeX: variant-01.tex, … and "
    "solutions.tex; HTML: worksheets.html and solutions.html, which print.",
    argument(
        "--questions",
        "K,…",
        "kinds of question, in turn: prefers (which of two predictions?), click (a set), pair (a pairing), value, "
        "make (so that a condition holds), which (measure could have said this?); by default all that fit the measures",
    ),
    argument("--number", "N", "exercises on a sheet (6)", type=int, default=6),
    argument("--variants", "N", "sheets, one for each student (1)", type=int, default=1),
    argument("--seed", "N", "another seed, other exercises (1)", type=int, default=1),
    argument("--classes", "N", "classes of a hierarchy (7)", type=int, default=7),
    flag("--dag", "DAGs instead of trees"),
    argument("--labels", "N", "true or predicted classes at most (2)", type=int, default=2),
    argument("--measures", "K,…", "only about these measures, by key, or families of them"),
    argument("--format", "tex,html", "what to write (both)"),
    argument("--title", "TEXT", "what stands above each sheet"),
    flag("--overwrite", "replace files that are there already"),
    argument("--out", "DIR", "the folder to write to; made if it is not there", required=True),
)
def sheet(arguments: argparse.Namespace) -> int:
    from hiermeasures.formats.source import save
    from hiermeasures.lessons.exercises import ExerciseRequest, left_out
    from hiermeasures.lessons.kinds import KINDS
    from hiermeasures.lessons.random_instances import Difficulty, with_families
    from hiermeasures.lessons.sheets import MOST_VARIANTS, TITLE, file_names, formats_of, sheet_files, sheets
    from hiermeasures.measures.catalogue import counted

    difficulty = {name: getattr(arguments, name) for name in ("classes", "dag", "labels")}
    difficulty["measures"] = with_families(keys_of(arguments.measures, "--measures") or ())
    kinds = keys_of(arguments.questions, "--questions")
    if kinds is None:  # all that can be asked about these; where none can, ExerciseRequest says why
        impossible = left_out(KINDS, Difficulty(**difficulty))
        kinds = [kind for kind in KINDS if kind not in impossible] or list(KINDS)
    request = ExerciseRequest(**difficulty, kinds=tuple(kinds))
    formats = formats_of(keys_of(arguments.format, "--format"))
    folder, names = Path(arguments.out), file_names(min(arguments.variants, MOST_VARIANTS), formats)
    there = [name for name in names if (folder / name).exists()]
    if there and not arguments.overwrite:
        raise InputError(f"{folder / there[0]} is there already; --overwrite replaces it")
    title = TITLE if arguments.title is None else arguments.title
    with Progress("sheet", "sheets") as progress:
        made = sheets(request, arguments.seed, arguments.number, arguments.variants, title=title, progress=progress)
    folder.mkdir(exist_ok=True)
    for name, text in sheet_files(made, formats):
        save(text, folder / name)
    what = f"{counted(len(made), 'worksheet')} of {counted(arguments.number, 'exercise')}"
    print(f"{what}, with solutions, in {folder} ({', '.join(formats)})")
    print_notes(f"{folder / name} was replaced" for name in there)
    return 0
