"""Output that the commands share: JSON, tables, notes, progress, files that they write."""

import codecs
import json
import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hiermeasures.cli.terminal import Bar, say
from hiermeasures.core.errors import InputError

# What a terminal would take for a command: names in a partial result may be anyone's.
CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)), "\ufffd")
TOLD_FROM = 0.05  # of the work: before, compiling and starting workers would count for every step
PRINTED = ("-", "/dev/stdout")  # names of the output, as files to write
PLAINER = "hiermeasures.plainer"
_IN_ASCII = {"−": "-", "–": "-", "—": "-", "…": "...", "’": "'", "“": '"', "”": '"', "×": "x", "→": "->", "≥": ">="}


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """Characters that the output does not know: nearest in ASCII, or escaped as in JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    odd = error.object[error.start : error.end]
    return "".join(_IN_ASCII.get(c) or json.dumps(c)[1:-1] for c in odd), error.end


codecs.register_error(PLAINER, _plainer)


def one_line(text: str) -> str:
    return " ".join(text.split()).translate(CONTROLS)


def print_notes(notes: Iterable[str], about: str = "") -> None:
    """Print notes about an input, such as a file, on the error stream."""
    for note in notes:
        say(f"note: {one_line(f'{about}: {note}' if about else note)}", "yellow")


def as_json(content: Any) -> str:
    """Nested mappings as JSON; undefined numbers are null. An output that does not know every
    character gets escapes, which lose nothing.
    """

    def clean(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {k: clean(v) for k, v in value.items()}
        return None if isinstance(value, float) and math.isnan(value) else value

    every = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
    return json.dumps(clean(content), ensure_ascii=not every, indent=2)


def check_targets(targets: Iterable[str | None], read: Iterable[str | Path | None]) -> None:
    """Refuse before a long evaluation what cannot be written in the end, or would replace a file
    that is read.
    """
    inputs = [Path(file) for file in read if file is not None]
    for target in targets:
        if target is None or target == "-":
            continue
        if not Path(target).parent.is_dir() or Path(target).is_dir():
            reason = "a folder" if Path(target).is_dir() else "no such folder"
            raise InputError(f"{target or repr(target)}: cannot be written ({reason})")
        if any(_is_same(Path(target), file) for file in inputs):
            raise InputError(f"{target}: cannot be written (it is read)")


def _is_same(a: Path, b: Path) -> bool:
    try:
        return a.samefile(b)
    except (OSError, ValueError):
        return False


def write(content: str | bytes, target: str, what: str) -> None:
    """Write a file, whole or not at all, and say what of; "-" prints it."""
    from hiermeasures.formats.source import save

    if target not in PRINTED:
        save(content if isinstance(content, bytes) else content + "\n", target)
        if sys.stderr.isatty():
            say(written(target, what), "green")
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        print(content)


def written(target: str | Path, what: str) -> str:
    """Return the line that says what was written, and where: the same for all commands."""
    return one_line(f"written to {target}: {what}")


def write_table(
    head: Sequence[str], rows: Iterable[Sequence[Any]], target: str, what: str, delimiter: str = ","
) -> None:
    from hiermeasures.formats import csv_text

    write(csv_text(head, rows, delimiter).removesuffix("\n"), target, what)


def write_partial(found: Any, target: str) -> int:
    """Write sums for `hiermeasures merge`."""
    from hiermeasures.engine.codec import to_bytes
    from hiermeasures.measures.catalogue import counted

    if found.partial_kind == "cafa":
        over = ", ".join(f"{counted(space.targets, 'target')} of {name}" for name, space in found.spaces.items())
    else:
        over = counted(len(found), "instance")
    write(to_bytes(found), target, f"sums over {over}; hiermeasures merge joins such files")
    return 0


class Progress:
    """A line on the error stream that says how far a long evaluation is; nothing where the stream
    is no terminal.
    """

    def __init__(self, name: str, what: str = "instances") -> None:
        self.name, self.what, self.start = name, what, time.monotonic()
        self._bar: Bar | None = None

    def __enter__(self) -> "Progress":
        return self

    def __call__(self, done: int, total: int) -> None:
        spent = time.monotonic() - self.start
        if sys.stderr.isatty() and spent > 1 and done:
            self._bar = self._bar or Bar()
            left = f", about {spent / done * (total - done):,.0f} s left" if done >= TOLD_FROM * total else ""
            self._bar.draw(self.name, done, total, f"{self.what}{left}")

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()
