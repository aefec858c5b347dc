"""`protocols`: named conventions."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hiermeasures.cli import declare
from hiermeasures.cli.forensics import rows_of
from hiermeasures.cli.printing import as_json, print_notes
from hiermeasures.core.errors import InputError, listed, unknown
from hiermeasures.picture.text import as_text

CAPTION = declare.argument(
    "--caption",
    None,
    "print what a paper should say of these numbers in place of them: each choice that matters on these data, with the "
    "id that --protocol takes back",
    nargs="?",
    const="text",
    choices=["text", "latex"],
)

SCORES = declare.group(
    "scores",
    "In place of --predicted, with --caption or a protocol.",
    declare.argument("--scores", "FILE", "files of scores, a column per class: CSV, Parquet, NPZ", nargs="+"),
    declare.KIND,
    declare.argument(
        "--decision",
        "D",
        "how they become labels: above@T, at_least@T, levels (the best class of each), top@K, best or best_grown (T of "
        "the best micro F1 on these data); at_least@0.5 where no id says it",
    ),
)


@declare.command(
    "protocols",
    "named conventions",
    "What programs and papers compute under the names they print: a list, or one of them; with files, its numbers.",
    declare.argument("name", "NAME", "a protocol", nargs="?"),
    declare.argument("--hierarchy", "FILE", "in any format that is read"),
    declare.ERRORS,
    declare.argument("--true", "FILE", "true labels"),
    declare.argument("--predicted", "FILE", "predicted labels"),
    declare.LABEL_FORMAT,
    declare.TASK,
    CAPTION,
    SCORES,
    declare.flag("--json", "print JSON"),
)
def protocols(arguments: argparse.Namespace) -> int:
    from hiermeasures.forensics import protocol
    from hiermeasures.forensics import protocols as known

    if arguments.hierarchy or arguments.true or arguments.predicted or arguments.scores:
        return numbers_of(arguments, arguments.name, [arguments.predicted])
    chosen = [protocol(arguments.name)] if arguments.name is not None else list(known().values())
    if arguments.json:
        print(as_json({p.key: {name: c.id for name, c in p.numbers.items()} for p in chosen}))
    else:
        print("\n\n".join(_described(each, arguments.name is not None) for each in chosen))
    return 0


def numbers_of(arguments: argparse.Namespace, name: str | None, predicted: Sequence[str | None] | None) -> int:
    """Print the numbers of a protocol over prediction files, or files of scores, or with --caption
    what a paper should say of them; without a name, of the measures of `evaluate`.
    """
    from hiermeasures.forensics import caption, protocol

    files = [file for file in (*(predicted or ()), *(arguments.scores or ())) if file is not None]
    needed = None not in (arguments.hierarchy, arguments.true) and (name is not None or arguments.command == "evaluate")
    if not files or not needed or (arguments.scores and len(files) > len(arguments.scores)):
        raise InputError("the numbers of a protocol need its name, --hierarchy, --true, and --predicted or --scores")
    chosen = None if name is None else protocol(name)
    if chosen is not None:
        chosen = replace(chosen, numbers=_over_scores(chosen.numbers, arguments))
    hierarchy, true, systems = rows_of(arguments, declare.named_once(files))
    sides = (true, *(() if arguments.scores else systems.values()))
    if chosen is None or arguments.caption:
        said = _over_scores(_own(arguments, hierarchy, sides), arguments) if chosen is None else chosen.numbers
        captions = [caption(hierarchy, true, systems, each) for each in said.values()]
        print("\n".join(each.latex if arguments.caption == "latex" else each.text for each in captions))
        return 0
    if unseen := _unseen(hierarchy, sides):
        print_notes([f"labels not in the hierarchy, which count as the convention says: {listed(unseen)}"])
    values = {file: chosen.values(hierarchy, true, rows) for file, rows in systems.items()}
    if arguments.json:
        print(as_json(values[files[0]] if len(values) == 1 else values))
        return 0
    for file, found in values.items():
        print("\n".join([file, *(f"  {key:24} {as_text(value)}" for key, value in found.items())]))
    return 0


def _over_scores(numbers: Mapping[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """The conventions with the decision that makes labels of scores, where there are some."""
    found = {}
    for key, convention in numbers.items():
        named = "decision" in dict(convention.choices)
        if arguments.decision and (named or not arguments.scores):
            raise InputError("--decision is for --scores, and where no id names a decision")
        decides = bool(arguments.scores) and not named
        found[key] = convention.decided(arguments.decision or "at_least@0.5") if decides else convention
    return found


def _unseen(hierarchy: Any, sides: Sequence[Any]) -> list[str]:
    """The labels of some rows that name no class."""
    from hiermeasures.forensics.counts import codes

    found: dict[str, int] = {}
    for rows in sides:
        codes(hierarchy, rows, found)
    return list(found)


def _own(arguments: argparse.Namespace, hierarchy: Any, sides: Sequence[Any]) -> dict[str, Any]:
    """The conventions of the measures that `evaluate` is asked for; of hF where none is."""
    from hiermeasures.core.options import Options
    from hiermeasures.forensics import convention_of

    true, predicted = (list(filter(None, _unseen(hierarchy, part))) for part in (sides[:1], sides[1:]))
    refused = {"drop": [], "wrong": true}.get(arguments.unknown, true + predicted)  # as evaluate has it
    if refused:
        raise InputError(unknown("class", refused[0], hierarchy.nodes))
    how = {"average": arguments.average, "unknown": arguments.unknown if true + predicted else None}
    options = Options.make(declare.settings_of(arguments.settings))
    return {key: convention_of(key, hierarchy, options, **how) for key in declare.measures_of(arguments) or ["hF"]}


def _described(protocol: Any, whole: bool) -> str:
    lines = [f"{protocol.key}: {protocol.title.rstrip('.')}. {protocol.source}."]
    for name, convention in protocol.numbers.items():
        lines.append(f"  {name:24} {convention.id}")
        if whole:
            lines.append(f"  {'':24} {convention.sentence()}")
    return "\n".join([*lines, f"  {protocol.note}", f"  read: {protocol.read}"] if whole else lines)
