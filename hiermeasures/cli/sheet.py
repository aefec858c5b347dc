"""`sheet`: exercises to print."""

import argparse
from pathlib import Path

from hiermeasures.cli.declare import argument, command, flag, keys_of
from hiermeasures.cli.printing import Progress, print_notes
from hiermeasures.core.errors import InputError


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
