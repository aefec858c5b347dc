"""`sheet`: exercises to print."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiermeasures.cli.declare import argument, command, flag, keys_of
from hiermeasures.cli.printing import Progress, print_notes, written
from hiermeasures.hierarchy.errors import InputError, check_known

if TYPE_CHECKING:
    from hiermeasures.teach.quiz import Quiz
    from hiermeasures.teach.sheets import Sheet

MOODLE = "moodle"  # the format of a quiz


@command(
    "sheet",
    "write exercises and solutions to print",
    "Write a worksheet with different exercises for each student, and all solutions. LaTeX files "
    "are variant-01.tex, … and solutions.tex. HTML files to print are worksheets.html and "
    "solutions.html. A quiz for Moodle, with exercises or with the questions of a lesson, is "
    "moodle.xml. Example: hiermeasures sheet --out sheets --variants 20",
    [
        argument(
            "--lesson",
            "NAME",
            "make a quiz of this lesson's questions, by key or file, without random exercises",
        ),
        argument(
            "--questions",
            "K,…",
            "the kinds of question, in turn: prefers (the better of two predictions), click (a set), "
            "pair (a pairing), value, make (an instance that satisfies a condition), which "
            "(measures that fit a statement). By default, all kinds that fit the measures",
        ),
        argument("--number", "N", "exercises on a sheet (6)", type=int, default=6),
        argument("--variants", "N", "sheets, one for each student (1)", type=int, default=1),
        argument("--seed", "N", "the seed of the exercises (1)", type=int, default=1),
        argument("--classes", "N", "classes of a hierarchy (7)", type=int, default=7),
        flag("--dag", "use DAGs instead of trees"),
        argument("--labels", "N", "true or predicted classes at most (2)", type=int, default=2),
        argument("--measures", "K,…", "ask only about these measures or families, by key"),
        argument(
            "--format",
            "F,…",
            "the formats: tex, html, moodle (by default tex,html, and for a lesson moodle)",
        ),
        argument("--title", "TEXT", "the title of each sheet"),
        flag("--overwrite", "replace existing files"),
        argument(
            "--out", "DIR", "the folder to write to. It is created if it is missing", required=True
        ),
    ],
)
def sheet(arguments: argparse.Namespace) -> int:
    from hiermeasures.hierarchy.words import write_count
    from hiermeasures.read.source import save
    from hiermeasures.teach.quiz import QUIZ_FILE, moodle_xml
    from hiermeasures.teach.sheets import MOST_VARIANTS, file_names, sheet_files

    chosen = _chosen_formats(arguments)
    formats = [name for name in chosen if name != MOODLE]
    names = list(file_names(min(arguments.variants, MOST_VARIANTS), formats))
    names += [QUIZ_FILE] if MOODLE in chosen else []
    folder = Path(arguments.out)
    replaced = [name for name in names if (folder / name).exists()]
    if replaced and not arguments.overwrite:
        raise InputError(f"{folder / replaced[0]} exists already. Add --overwrite to replace it")
    made = () if arguments.lesson else _sheets(arguments)
    quiz = _quiz(arguments, made) if MOODLE in chosen else None
    folder.mkdir(exist_ok=True)
    for name, text in sheet_files(made, formats):
        save(text, folder / name)
    if quiz is not None:
        save(moodle_xml(quiz), folder / QUIZ_FILE)
    exercises = write_count(arguments.number, "exercise")
    what = f"{write_count(len(made), 'worksheet')} of {exercises}, with solutions"
    if arguments.lesson and quiz is not None:
        what = write_count(len(quiz.items), "question")
    print(written(folder, f"{what} ({', '.join(chosen)})"))
    print_notes(f"{folder / name} was replaced" for name in replaced)
    print_notes(f"not in the quiz: {words}" for words in (quiz.told if quiz else ()))
    return 0


def _chosen_formats(arguments: argparse.Namespace) -> list[Any]:
    """Return the formats to write, in a fixed order. InputError for an unknown format."""
    from hiermeasures.teach.sheets import FORMATS

    known = [MOODLE] if arguments.lesson else [*FORMATS, MOODLE]
    wanted = keys_of(arguments.format, "--format") or ([MOODLE] if arguments.lesson else FORMATS)
    for name in wanted:
        check_known("format", name, known)
    return [name for name in known if name in wanted]


def _sheets(arguments: argparse.Namespace) -> "tuple[Sheet, ...]":
    from hiermeasures.teach.exercises import ExerciseRequest, find_left_out
    from hiermeasures.teach.kinds import KINDS
    from hiermeasures.teach.random_instances import Difficulty, with_families
    from hiermeasures.teach.sheets import TITLE, sheets

    difficulty = {name: getattr(arguments, name) for name in ("classes", "dag", "labels")}
    difficulty["measures"] = with_families(keys_of(arguments.measures, "--measures") or ())
    kinds = keys_of(arguments.questions, "--questions")
    if kinds is None:  # all possible kinds. If none is possible, ExerciseRequest gives the reason
        impossible = find_left_out(KINDS, Difficulty(**difficulty))
        kinds = [kind for kind in KINDS if kind not in impossible] or list(KINDS)
    request = ExerciseRequest(**difficulty, kinds=tuple(kinds))
    title = TITLE if arguments.title is None else arguments.title
    with Progress("sheet", "sheets") as progress:
        return sheets(
            request,
            arguments.seed,
            arguments.number,
            arguments.variants,
            title=title,
            progress=progress,
        )


def _quiz(arguments: argparse.Namespace, made: "Sequence[Sheet]") -> "Quiz":
    from hiermeasures.teach.library import load_lessons, own_lesson
    from hiermeasures.teach.quiz import quiz_of_lesson, quiz_of_sheets

    if not arguments.lesson:
        return quiz_of_sheets(made)
    if not Path(arguments.lesson).is_file():
        lesson = own_lesson(arguments.lesson)
    elif (found := load_lessons(arguments.lesson)).faults:
        raise InputError(str(found.faults[0]))
    else:
        lesson = found.lessons[0]
    quiz = quiz_of_lesson(lesson)
    return replace(quiz, title=arguments.title) if arguments.title else quiz
