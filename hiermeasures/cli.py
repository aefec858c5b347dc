"""The command line: reads arguments, calls the library, prints. Exit status 0 done, 1 the check failed, 2 bad input.

Each command is one function; heavy libraries are imported inside, so that a small command answers at once.
"""

import argparse
import csv
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from hiermeasures.errors import InputError, shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    try:
        options = _parser().parse_args(arguments)
        return options.run(options)
    except InputError as error:
        return _refused(str(error))
    except OSError as error:
        return _refused(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        print("hiermeasures: stopped", file=sys.stderr)
        return 130


def _refused(message: str) -> int:
    print(f"hiermeasures: {' '.join(message.split())}", file=sys.stderr)
    return 2


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one plain line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="hiermeasures", description="Hierarchical evaluation measures, and the structures behind them.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    score = commands.add_parser("score", help="every measure of one instance", description="Every measure of one instance.")
    score.set_defaults(run=_score)
    score.add_argument("hierarchy", metavar="HIERARCHY", help="a file with the hierarchy, in any format that is read")
    score.add_argument("--true", required=True, metavar="A,B", help='true classes; quote a name with a comma: \'"A, B",C\'')
    score.add_argument("--predicted", required=True, metavar="C,D", help="predicted classes")
    score.add_argument("--explain", action="store_true", help="add the sentence behind each value")
    _add_settings(score)
    score.add_argument("--json", action="store_true", help="print {measure: value} instead of a table")
    return parser


def _add_settings(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", dest="settings", help="an option of the measures, such as dmax=5"
    )


# --- score ----------------------------------------------------------------------------------------------------------


def _score(arguments: argparse.Namespace) -> int:
    from hiermeasures.io import read_hierarchy
    from hiermeasures.measures import explain

    hierarchy = read_hierarchy(Path(arguments.hierarchy))
    explanation = explain(
        hierarchy, _classes(arguments.true), _classes(arguments.predicted), **_settings(arguments.settings)
    )
    if arguments.json:
        print(as_json(explanation))
    else:
        for note in hierarchy.notes:
            print(f"note: {note}")
        print("\n".join(_value_lines(explanation, with_sentences=arguments.explain)))
    return 0


def _value_lines(explanation: Any, with_sentences: bool) -> list[str]:
    from hiermeasures.measures import CATALOGUE, FAMILIES

    lines = []
    for family in FAMILIES.values():
        lines += ["", family.title]
        for measure in CATALOGUE.values():
            if measure.family == family.key:
                direction = "higher is better" if measure.better == "higher" else "lower is better"
                sentence = f"  {explanation.derivation(measure.key).sentence}" if with_sentences else ""
                lines.append(f"  {measure.key:14}{as_text(explanation[measure.key]):>12}  {direction:18}{sentence}".rstrip())
    return lines[1:]


def _classes(text: str) -> list[str]:
    """Class names separated by commas; a name with a comma stands in double quotes."""
    row = next(csv.reader([text], skipinitialspace=True), [])
    return [name.strip() for name in row if name.strip()]


def _settings(pairs: Sequence[str]) -> dict[str, Any]:
    """Options from NAME=VALUE; a value is a number, true, false, none, or a word."""
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"--set takes OPTION=VALUE, not {shown(pair)}")
        settings[name.strip()] = _value(value.strip())
    return settings


def _value(text: str) -> Any:
    words = {"true": True, "yes": True, "false": False, "no": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


# --- printing -------------------------------------------------------------------------------------------------------


def as_text(value: float) -> str:
    """A value for a table: four decimals, whole counts as they are, a dash where it is undefined.

    >>> as_text(2 / 3), as_text(7.0), as_text(float("nan"))
    ('0.6667', '7', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if value == int(value) and abs(value) >= 2 else f"{value:.4f}"


def as_json(values: Mapping[str, Any]) -> str:
    """Values as one JSON object; undefined ones are null."""
    return json.dumps({key: None if value != value else value for key, value in values.items()}, ensure_ascii=False, indent=2)
