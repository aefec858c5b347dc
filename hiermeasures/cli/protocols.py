"""`protocols`: named conventions."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hiermeasures.cli import declare
from hiermeasures.cli.forensics import rows_of
from hiermeasures.cli.printing import as_json, print_notes
from hiermeasures.core.errors import InputError, listed, unknown
from hiermeasures.picture.terminal import as_text

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
    from hiermeasures.forensics.counts import codes

    files = [file for file in (*(predicted or ()), *(arguments.scores or ())) if file is not None]
    needed = None not in (arguments.hierarchy, arguments.true) and (name is not None or arguments.command == "evaluate")
    if not files or not needed or (arguments.scores and len(files) > len(arguments.scores)):
        raise InputError("the numbers of a protocol need its name, --hierarchy, --true, and --predicted or --scores")
    chosen = None if name is None else _over_scores(protocol(name), arguments)
    hierarchy, true, systems = rows_of(arguments, declare.named_once(files))
    sides = (true, *(() if arguments.scores else systems.values()))
    if chosen is None or arguments.caption:
        said = (chosen or _over_scores(_own(arguments, hierarchy, sides), arguments)).numbers.values()
        captions = [caption(hierarchy, true, systems, each) for each in said]
        print("\n".join(each.latex if arguments.caption == "latex" else each.text for each in captions))
        return 0
    unseen: dict[str, int] = {}
    for rows in sides:
        codes(hierarchy, rows, unseen)
    if unseen:
        print_notes([f"labels not in the hierarchy, which count as the convention says: {listed(unseen)}"])
    values = {file: chosen.values(hierarchy, true, rows) for file, rows in systems.items()}
    if arguments.json:
        print(as_json(values[files[0]] if len(values) == 1 else values))
        return 0
    for file, found in values.items():
        print("\n".join([file, *(f"  {key:24} {as_text(value)}" for key, value in found.items())]))
    return 0


def _over_scores(protocol: Any, arguments: argparse.Namespace) -> Any:
    """The protocol with the decision that makes labels of scores, where there are some."""
    found = {}
    for key, convention in protocol.numbers.items():
        named = "decision" in dict(convention.choices)
        if arguments.decision and (named or not arguments.scores):
            raise InputError("--decision is for --scores, and where no id names a decision")
        decides = bool(arguments.scores) and not named
        found[key] = convention.decided(arguments.decision or "at_least@0.5") if decides else convention
    return replace(protocol, numbers=found)


def _own(arguments: argparse.Namespace, hierarchy: Any, sides: Sequence[Any]) -> Any:
    """The conventions of the measures that `evaluate` is asked for, as a protocol; of hF where none is."""
    from hiermeasures.core.options import Options
    from hiermeasures.forensics import Protocol, convention_of

    strange = {"true": "", "predicted": ""}
    for side, rows in zip(("true", *["predicted"] * len(sides)), sides, strict=False):
        strange[side] = strange[side] or next((x for row in rows for x in row if x not in hierarchy), "")
    known = {"drop": ("true", "predicted"), "wrong": ("predicted",)}.get(arguments.unknown, ())  # as evaluate has it
    for label in (label for side, label in strange.items() if label and side not in known):
        raise InputError(unknown("class", label, hierarchy.nodes))
    how = {"average": arguments.average, "unknown": arguments.unknown if any(strange.values()) else None}
    options = Options.make(declare.settings_of(arguments.settings))
    keys = declare.measures_of(arguments) or ["hF"]
    numbers = {key: convention_of(key, hierarchy, options, **how) for key in keys}
    return Protocol(key="", title="", source="", read="", numbers=numbers, note="")


def _described(protocol: Any, whole: bool) -> str:
    lines = [f"{protocol.key}: {protocol.title.rstrip('.')}. {protocol.source}."]
    for name, convention in protocol.numbers.items():
        lines.append(f"  {name:24} {convention.id}")
        if whole:
            lines.append(f"  {'':24} {convention.sentence()}")
    return "\n".join([*lines, f"  {protocol.note}", f"  read: {protocol.read}"] if whole else lines)
