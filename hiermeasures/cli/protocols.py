"""`protocols`: named conventions."""

import argparse
from collections.abc import Sequence
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
    declare.flag("--json", "print JSON"),
)
def protocols(arguments: argparse.Namespace) -> int:
    from hiermeasures.forensics import protocol
    from hiermeasures.forensics import protocols as known

    if arguments.hierarchy or arguments.true or arguments.predicted:
        return numbers_of(arguments, arguments.name, [arguments.predicted])
    chosen = [protocol(arguments.name)] if arguments.name is not None else list(known().values())
    if arguments.json:
        print(as_json({p.key: {name: c.id for name, c in p.numbers.items()} for p in chosen}))
    else:
        print("\n\n".join(_described(each, arguments.name is not None) for each in chosen))
    return 0


def numbers_of(arguments: argparse.Namespace, name: str | None, predicted: Sequence[str | None] | None) -> int:
    """Print the numbers of a protocol over prediction files, or with --caption what a paper should
    say of them; without a name, of the measures of `evaluate`.
    """
    from hiermeasures.forensics import caption, protocol
    from hiermeasures.forensics.counts import codes

    files = [file for file in predicted or () if file is not None]
    if not files or None in (arguments.hierarchy, arguments.true) or (name is None and arguments.command != "evaluate"):
        raise InputError("the numbers of a protocol need its name, --hierarchy, --true and --predicted")
    chosen = None if name is None else protocol(name)
    hierarchy, true, systems = rows_of(arguments, declare.named_once(files))
    if chosen is None or arguments.caption:
        said = _own(arguments, hierarchy, (true, *systems.values())) if chosen is None else chosen.numbers.values()
        captions = [caption(hierarchy, true, systems, each) for each in said]
        print("\n".join(each.latex if arguments.caption == "latex" else each.text for each in captions))
        return 0
    unseen: dict[str, int] = {}
    for rows in (true, *systems.values()):
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


def _own(arguments: argparse.Namespace, hierarchy: Any, sides: Sequence[Any]) -> list[Any]:
    """The conventions of the measures that `evaluate` is asked for; of hF where none is."""
    from hiermeasures.core.options import Options
    from hiermeasures.forensics import convention_of

    strange = {"true": "", "predicted": ""}
    for side, rows in zip(("true", *["predicted"] * len(sides)), sides, strict=False):
        strange[side] = strange[side] or next((x for row in rows for x in row if x not in hierarchy), "")
    known = {"drop": ("true", "predicted"), "wrong": ("predicted",)}.get(arguments.unknown, ())  # as evaluate has it
    for label in (label for side, label in strange.items() if label and side not in known):
        raise InputError(unknown("class", label, hierarchy.nodes))
    how = {"average": arguments.average, "unknown": arguments.unknown if any(strange.values()) else None}
    options = Options.make(declare.settings_of(arguments.settings))
    return [convention_of(key, hierarchy, options, **how) for key in declare.measures_of(arguments) or ["hF"]]


def _described(protocol: Any, whole: bool) -> str:
    lines = [f"{protocol.key}: {protocol.title.rstrip('.')}. {protocol.source}."]
    for name, convention in protocol.numbers.items():
        lines.append(f"  {name:24} {convention.id}")
        if whole:
            lines.append(f"  {'':24} {convention.sentence()}")
    return "\n".join([*lines, f"  {protocol.note}", f"  read: {protocol.read}"] if whole else lines)
