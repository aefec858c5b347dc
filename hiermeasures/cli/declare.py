"""Declarations of commands and shared arguments, with parsers of their values."""

import argparse
import csv
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.read.reading import OPTIONS

Add = Callable[[Any], object]  # adds arguments to a parser, or to a group of one


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(2)


@dataclass(frozen=True)
class Command:
    """A command with its arguments and its function. The function returns the exit status."""

    name: str
    help: str
    description: str
    arguments: tuple[Add, ...]
    run: Callable[[argparse.Namespace], int]

    def add_to(self, commands: Any) -> None:
        parser = commands.add_parser(self.name, help=self.help, description=self.description)
        for add in self.arguments:
            add(parser)
        parser.set_defaults(command=self.name, flags=re.findall(r"--[\w-]+", parser.format_usage()))


def command(
    name: str, help: str, description: str, arguments: Sequence[Add]
) -> Callable[[Callable[[argparse.Namespace], int]], Command]:
    return lambda run: Command(name, help, description, tuple(arguments), run)


def argument(name: str, metavar: str | None, help: str | None, **how: Any) -> Add:
    return lambda parser: parser.add_argument(name, metavar=metavar, help=help, **how)


def flag(name: str, help: str) -> Add:
    return lambda parser: parser.add_argument(name, action="store_true", help=help)


def choice(name: str, choices: Sequence[str], help: str, default: str | None = None) -> Add:
    return argument(name, None, help, choices=choices, default=default)


def group(title: str, description: str, arguments: Sequence[Add]) -> Add:
    return lambda parser: [
        add(group) for group in [parser.add_argument_group(title, description)] for add in arguments
    ]


def either(*arguments: Add) -> Add:
    """Return arguments that exclude each other."""
    return lambda parser: [
        add(group) for group in [parser.add_mutually_exclusive_group()] for add in arguments
    ]


def completed(add: Add, words: Callable[[str], Iterable[str]]) -> Add:
    """Return an argument that the shell completes. `words` gets the text typed so far."""

    def adding(parser: Any) -> Any:
        action: Any = add(parser)
        action.completer = lambda prefix, **_: list(words(prefix))
        return action

    return adding


def _measures(typed: str) -> Iterator[str]:
    from hiermeasures.measures import CATALOGUE, FAMILIES

    head = typed[: typed.rfind(",") + 1]
    return (head + key for key in (*CATALOGUE, "core", "all", *FAMILIES))


def _options(typed: str) -> Iterator[str]:
    from hiermeasures.hierarchy.options import DECLARED

    return (f"{name}=" for name in DECLARED)


# --- shared by several commands -----------------------------------------------------------------

_METAVARS = {"levels": "COLUMN,…", "rule": "RULE", "relations": "NAME,…"}
SETTINGS = completed(
    argument(
        "--set",
        "OPTION=VALUE",
        "an option, such as dmax=5",
        action="append",
        default=[],
        dest="settings",
    ),
    _options,
)
DEFINE = argument(
    "--define",
    "NAME=EXPR",
    "your own measure, such as 'mine=0.5*hF + 0.5*F_LCA', or 'cost:lower=GIE / len_P' if lower "
    "is better. You can repeat this option. docs/expressions.md lists the names in expressions",
    action="append",
    default=[],
)
MEASURES = completed(argument("--measures", "K,…", "only these measures, by key"), _measures)
HIERARCHY = argument("--hierarchy", "FILE", "in any format that is read", required=True)
READING = (
    choice(
        "--errors",
        ["raise", "drop"],
        "the treatment of faulty entries of an edge list or table (classes that are their own "
        "parents, unknown parents, repeated entries, cycles): refuse the file (raise), or "
        "list the entries and leave them out (drop)",
        default="raise",
    ),
    *(argument(f"--{name}", _METAVARS.get(name, "COLUMN"), help) for name, help in OPTIONS.items()),
)
SIGNATURE = flag(
    "--signature", "print the signature of the run. It names everything that changes the values"
)
TRUE = argument("--true", "FILE", "true labels, in any format that is read", required=True)
LABEL_FORMAT = argument("--format", "NAME", "the format of the labels (detected by default)")
TASK = choice("--task", ["a", "b"], "the sub-task in GermEval files")
CLASS_WEIGHTS = argument(
    "--class-weights", "FILE", "weights of classes, one line `class weight` each"
)
UNKNOWN = choice(
    "--unknown",
    ["error", "fail", "wrong", "prefix", "nearest", "drop"],
    "the treatment of a label that is not in the hierarchy: stop (error or fail), count it as a "
    "wrong class under the root (wrong, the default except with --parquet), use the deepest "
    "class on its path (prefix) or the class with the nearest name (nearest), or leave "
    "it out (drop)",
)
NORMALISE = argument(
    "--normalise",
    "K,…",
    "ignore these differences between labels: case, blanks, unicode, quotes, signs, or all",
)
AVERAGE = choice(
    "--average",
    ["samples", "micro", "macro"],
    "mean over the instances (samples, the default), "
    "one value from summed counts (micro), or mean over classes (macro)",
    default="samples",
)
TABLE = argument(
    "table",
    "TABLE",
    "one table with true labels and answers. Name its columns with --true and --predicted",
    nargs="?",
)
ONE_TABLE = group(
    "one table",
    "The table is a CSV or TSV file with a header, JSON lines or Parquet. --predicted takes "
    "columns, separated by commas. The labels define the hierarchy, unless you name one with "
    "--hierarchy.",
    [
        argument(
            "--paths",
            "SEPARATOR",
            "labels are paths with this text between their parts (detected by default)",
        ),
        argument(
            "--codes",
            "SEPARATOR|N,…",
            "labels are codes with this text between their parts, or with parts that end after "
            "these numbers of letters and digits, such as 1,2,3,4",
        ),
        argument("--several", "SEPARATOR", "the text between several labels in a cell"),
        choice(
            "--classes",
            ["all", "truth"],
            "paths and codes that occur only in answers are normal classes (all, the default) or "
            "one wrong class (truth)",
        ),
    ],
)
WHICH = either(
    completed(
        argument("--measures", "K,…", "these measures, by key, tier or family (the core)"),
        _measures,
    ),
    flag("--all", "all measures, except those that need labels with all their ancestors"),
)
OUTPUTS = either(
    flag("--json", "print JSON. evaluate then computes all measures, unless you name some"),
    argument("--csv", "FILE", "write a table"),
    argument("--latex", "FILE", "write LaTeX tables (- prints them)"),
)
INTERVALS = argument(
    "--intervals",
    "P",
    "add a bootstrap interval with this confidence to each value (0.95)",
    type=float,
    nargs="?",
    const=0.95,
)
HTML = argument(
    "--html",
    "FILE",
    "write one page for a colleague that works without a server: scores, mistakes, confusion "
    "matrices, worst instances with drawings, settings",
)
PARTIAL = argument(
    "--partial",
    "FILE",
    "write the sums over these instances instead of the values. `hiermeasures merge` adds the "
    "sums over other instances. This works with any --unknown",
)
CLUSTER = argument(
    "--cluster",
    "ADDRESS|local",
    "use a Dask cluster: the address of its scheduler, such as tcp://host:8786, or workers on "
    "this machine (local)",
)
KIND = choice(
    "--kind",
    ["nodes", "leaves", "conditional", "conditional_softmax", "conditional_sigmoid"],
    "the kind of numbers: probabilities of all classes (nodes), of the leaves, of each class "
    "given its parent (conditional), or logits",
    default="nodes",
)


def sizes(trees: int, dags: int) -> tuple[Add, Add]:
    return (
        argument(
            "--trees",
            "N",
            f"search every rooted tree of up to N classes ({trees})",
            type=int,
            default=trees,
        ),
        argument(
            "--dags",
            "N",
            f"search every rooted DAG of up to N classes ({dags})",
            type=int,
            default=dags,
        ),
    )


def label_files(predictions: str) -> tuple[Add, ...]:
    return (
        argument("--hierarchy", "FILE", "the hierarchy, in any format that is read"),
        *READING,
        argument("--true", "FILE", "the true labels"),
        argument("--predicted", "FILE", predictions, nargs="+"),
        LABEL_FORMAT,
        TASK,
        CLASS_WEIGHTS,
        UNKNOWN,
        NORMALISE,
        choice(
            "--missing",
            ["empty", "fail"],
            "an instance without a prediction counts as an empty prediction (empty, the default) "
            "or is an error (fail)",
            default="empty",
        ),
    )


# --- parsers of argument values -----------------------------------------------------------------


def measures_of(arguments: argparse.Namespace) -> list[str] | None:
    """Return the measures that --measures lists, or ["all"], or None for the default.

    `evaluate --json` has all measures by default, because programs read it.
    """
    for_program = arguments.command == "evaluate" and arguments.json and arguments.measures is None
    if getattr(arguments, "all", False) or for_program:
        return ["all"]
    return keys_of(arguments.measures, "--measures")


def reading_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the given options for reading a hierarchy."""
    given = {name: getattr(arguments, name) for name in ("errors", *OPTIONS)}
    return {name: value for name, value in given.items() if value is not None}


def classes_of(text: str | None) -> list[str] | None:
    """Return class names separated by commas. A name with a comma needs quotes."""
    if text is None:
        return None
    try:
        row = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        raise InputError(
            f"{shown(text)} is not a list of names. Write names in one line, separated by commas"
        ) from None
    return [name.strip() for name in row if name.strip()]


def named_once(files: Sequence[str]) -> list[str]:
    if not files:
        raise InputError("--predicted is empty. Name a file or a column")
    if len(set(files)) < len(files):
        raise InputError("a prediction file or column is named twice. Name it once")
    return list(files)


def settings_of(pairs: Sequence[str]) -> dict[str, Any]:
    """Return options from NAME=VALUE. A value is a number, true, false, none, or a word."""
    return {
        name.strip(): _value(value.strip())
        for name, value in _named(pairs, "--set takes OPTION=VALUE")
    }


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


def definitions_of(definitions: Sequence[str]) -> dict[str, str]:
    """Return the measures of --define NAME=EXPRESSION: expressions by name."""
    from hiermeasures.measures.own import own_measures

    found: dict[str, str] = {}
    for head, expression in _named(definitions, "--define takes NAME=EXPRESSION"):
        if head in found:
            raise InputError(f"--define names {shown(head)} twice. Rename one")
        found[head] = expression
    own_measures(found)
    return found


def _named(entries: Sequence[str], form: str) -> Iterator[tuple[str, str]]:
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not equals:
            raise InputError(f"{form}, not {shown(entry)}")
        yield name, value


def keys_of(text: str | None, option: str) -> list[str] | None:
    """Return names separated by commas, or None if the option is not given."""
    if text is None:
        return None
    keys = [key.strip() for key in text.split(",") if key.strip()]
    if not keys:
        raise InputError(f"{option} is empty. Write names separated by commas")
    return keys


def count_of(text: str, option: str) -> int:
    if not text.strip().isdecimal() or not int(text):
        raise InputError(f"{option} takes whole numbers from 1, not {shown(text)}")
    return int(text)


def shares_of(text: str, option: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"{option} takes numbers in [0, 1], not {shown(text)}") from None


def files_in(paths: Sequence[str]) -> dict[str, Path]:
    """Return files by name.

    A folder stands for all files in and below it. Their names are their paths in the folder.
    """
    found: dict[str, Path] = {}
    for given in map(Path, paths):
        inside = sorted(p for p in given.rglob("*") if p.is_file()) if given.is_dir() else [given]
        if not inside:
            raise InputError(f"{given}: this folder contains no files. Check the path")
        for path in inside:
            name = (
                path.relative_to(given).as_posix().replace("/", "_")
                if given.is_dir()
                else path.name
            )
            if name in found:
                raise InputError(f"two prediction files are called {shown(name)}. Rename one")
            found[name] = path
    return found


READ = (
    *(
        "hierarchy",
        "true",
        "predicted",
        "probabilities",
        "scores",
        "class_weights",
        "source",
        "files",
    ),
)
"""Arguments that name files to read. Other arguments name files to write, and `-` prints them."""


def read_from_pipe(arguments: argparse.Namespace) -> argparse.Namespace:
    """Replace `-` by the standard input. It can be read only once."""
    read = (*READ, "table") if arguments.command in ("evaluate", "compare") else READ
    given = {
        name: value for name, value in vars(arguments).items() if name in read and value is not None
    }
    lists = {
        name: [value] if isinstance(value, str) else list(value) for name, value in given.items()
    }
    if sum(values.count("-") for values in lists.values()) > 1:
        raise InputError("- reads the standard input only once. Use it for one file")
    for name, values in lists.items():
        piped = ["/dev/stdin" if value == "-" else value for value in values]
        setattr(arguments, name, piped[0] if isinstance(given[name], str) else piped)
    return arguments


def check_alone(arguments: argparse.Namespace, *names: str, why: str) -> None:
    """Refuse each of these arguments if it is given. `why` begins the message."""
    for name in names:
        if getattr(arguments, name, None):
            raise InputError(
                f"{why}. Leave out --{name.replace('settings', 'set').replace('_', '-')}"
            )
