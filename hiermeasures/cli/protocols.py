"""`protocols`: named conventions."""

import argparse
from typing import Any

from hiermeasures.cli import declare
from hiermeasures.cli.forensics import rows_of
from hiermeasures.cli.printing import as_json
from hiermeasures.core.errors import InputError


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
    declare.flag("--caption", "what a paper should say of its numbers on these data"),
    declare.flag("--json", "print JSON"),
)
def protocols(arguments: argparse.Namespace) -> int:
    from hiermeasures.forensics import caption, protocol
    from hiermeasures.forensics import protocols as known

    files = {f"--{name}": getattr(arguments, name) for name in ("hierarchy", "true", "predicted")}
    given = [name for name, file in files.items() if file is not None]
    if given and (arguments.name is None or len(given) < len(files)):
        raise InputError(f"numbers need a protocol and {', '.join(files)}")
    chosen = [protocol(arguments.name)] if arguments.name is not None else list(known().values())
    if given:
        hierarchy, true, systems = rows_of(arguments, [arguments.predicted])
        if arguments.caption:
            said = [caption(hierarchy, true, systems[arguments.predicted], c) for c in chosen[0].numbers.values()]
            print("\n".join(each.text for each in said))
            return 0
        values = chosen[0].values(hierarchy, true, systems[arguments.predicted])
        print(as_json(values) if arguments.json else "\n".join(f"{name:24} {x:.4f}" for name, x in values.items()))
    elif arguments.json:
        print(as_json({p.key: {name: c.id for name, c in p.numbers.items()} for p in chosen}))
    else:
        print("\n\n".join(_described(each, arguments.name is not None) for each in chosen))
    return 0


def _described(protocol: Any, whole: bool) -> str:
    lines = [f"{protocol.key}: {protocol.title}. {protocol.source}."]
    for name, convention in protocol.numbers.items():
        lines.append(f"  {name:24} {convention.id}")
        if whole:
            lines.append(f"  {'':24} {convention.sentence()}")
    return "\n".join([*lines, f"  {protocol.note}", f"  read: {protocol.read}"] if whole else lines)
