"""`score`: compute the measures of one instance, in the terminal."""

import argparse
from pathlib import Path
from typing import Any

from hiermeasures.cli import declare
from hiermeasures.cli.printing import as_json, print_notes, show
from hiermeasures.draw.text import as_text, family_lines
from hiermeasures.hierarchy.errors import InputError


@declare.command(
    "score",
    "compute the measures of one instance",
    "Compute the measures of one instance. Example: hiermeasures score hierarchy.txt --true A1a "
    "--predicted A1b,B2",
    [
        declare.argument(
            "hierarchy", "HIERARCHY", "a hierarchy file in any supported format, or a case file"
        ),
        declare.argument(
            "--true",
            "A,B",
            "true classes, unless a case names them. Quote a name with a comma: '\"A, B\",C'",
        ),
        declare.argument("--predicted", "C,D", "predicted classes, unless a case names them"),
        *declare.READING,
        declare.WHICH,
        declare.flag("--explain", "explain each value in a sentence"),
        declare.SETTINGS,
        declare.DEFINE,
        declare.flag(
            "--json", "print {measure: value} instead of a table (all measures by default)"
        ),
    ],
)
def score(arguments: argparse.Namespace) -> int:
    from hiermeasures.hierarchy.options import Options
    from hiermeasures.measures import CATALOGUE, find_measures

    explanation = _explained(arguments)
    asked = declare.measures_of(arguments)
    found = (
        CATALOGUE.values()
        if arguments.json and asked is None
        else find_measures(asked, explanation.defined)
    )
    measures = [*found, *(() if arguments.measures else explanation.defined.values())]
    keys = [measure.key for measure in measures]
    chosen = Options.make(declare.settings_of(arguments.settings))
    print_notes(chosen.describe_idle(measure.options for measure in measures))
    if arguments.json:
        print(as_json({key: explanation[key] for key in keys}))
        return 0
    for note in explanation.given.notes:
        print(f"note: {note}")
    sentences = (
        (lambda key: explanation.derivation(key).sentence)
        if arguments.explain
        else explanation.caution
    )
    cells = {key: "–" if explanation.caution(key) else as_text(explanation[key]) for key in keys}
    show("\n".join(family_lines(measures, [cells], sentences)))
    return 0


def _explained(arguments: argparse.Namespace) -> Any:
    """Return the instance of a case file, or of a hierarchy file with the classes in arguments.
    Arguments override the file.
    """
    define = declare.definitions_of(arguments.define)
    from hiermeasures.hierarchy.options import Options
    from hiermeasures.measures import explain
    from hiermeasures.read import read_hierarchy

    path = Path(arguments.hierarchy)
    true, predicted = declare.classes_of(arguments.true), declare.classes_of(arguments.predicted)
    settings = declare.settings_of(arguments.settings)
    if case := _case_in(path):
        define = {**case.define, **define}
        options = Options.make({**case.options, **settings})
        if true is None and predicted is None:
            return case.explain(define=define, **settings)
        sides = (
            case.true if true is None else true,
            case.predicted if predicted is None else predicted,
        )
        return explain(case.hierarchy, *sides, define=define, options=options)
    if true is None or predicted is None:
        missing = "--true" if true is None else "--predicted"
        raise InputError(f"add {missing}, because {path} is not a case file with classes")
    options = Options.make(settings)
    hierarchy = read_hierarchy(path, **declare.reading_of(arguments))
    print_notes([f"left out: {entry}" for entry in hierarchy.dropped], arguments.hierarchy)
    return explain(hierarchy, true, predicted, define=define, options=options)


def _case_in(path: Path) -> Any:
    """Return the first case of a case file, or None if the file is a hierarchy."""
    if path.suffix.lower() not in (".yaml", ".yml", ".json"):
        return None  # the code for case files takes as long to load as all the rest
    from hiermeasures.verify.library import case_file_in, read_cases

    found = case_file_in(path)
    return read_cases(*found)[0] if found else None
