"""Output of all commands: JSON, tables, notes, progress, and the files that they write.

On a terminal, tables fit its width, with colours and a progress bar. Elsewhere the text is plain,
so that scripts get stable input.
"""

import codecs
import json
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from hiermeasures.hierarchy.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

# What a terminal would take for a command: names in a partial result may be anyone's.
CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)), "\ufffd")
PRINTED = ("-", "/dev/stdout")  # names of the output, as files to write
PLAINER = "hiermeasures.plainer"
PROSE = 30  # letters from which a last column is taken for sentences
NARROWEST = 24  # letters beside a row, else sentences stand below it
_IN_ASCII = {
    "−": "-",
    "–": "-",
    "—": "-",
    "…": "...",
    "’": "'",
    "“": '"',
    "”": '"',
    "×": "x",
    "→": "->",
    "≥": ">=",
}


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that the output cannot write by the nearest in ASCII, or by an escape as
    in JSON.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    odd = error.object[error.start : error.end]
    return "".join(_IN_ASCII.get(c) or json.dumps(c)[1:-1] for c in odd), error.end


codecs.register_error(PLAINER, _plainer)


def one_line(text: str) -> str:
    return " ".join(text.split()).translate(CONTROLS)


def print_notes(notes: Iterable[str], about: str = "", *, at_once: bool = False) -> None:
    """Print notes on the error stream. `hold_notes` may collect them first, unless `at_once`."""
    for note in notes:
        text = one_line(f"{about}: {note}" if about else note)
        if _HELD and not at_once:
            _HELD[-1].append(text)
        else:
            say(f"note: {text}", "yellow")


_HELD: list[list[str]] = []


@contextmanager
def hold_notes() -> Iterator[list[str]]:
    """Collect the notes that `print_notes` gets. An error prints them."""
    notes: list[str] = []
    _HELD.append(notes)
    try:
        yield notes
    except BaseException:
        _HELD.pop()
        print_notes(notes)
        raise
    _HELD.pop()


def as_json(content: Any) -> str:
    """Return nested mappings as JSON. Undefined numbers are null.

    If the output cannot write every character, escapes are used, which keep all information.
    """

    def clean(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {k: clean(v) for k, v in value.items()}
        return None if isinstance(value, float) and math.isnan(value) else value

    every = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
    return json.dumps(clean(content), ensure_ascii=not every, indent=2)


def check_targets(targets: Iterable[str | None], read: Iterable[str | Path | None]) -> None:
    """Refuse files that cannot be written or would replace an input, before a long evaluation."""
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
    from hiermeasures.read.source import save

    if target not in PRINTED:
        save(content if isinstance(content, bytes) else content + "\n", target)
        if sys.stderr.isatty():
            say(written(target, what), "green")
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        print(content)


def written(target: str | Path, what: str) -> str:
    """Return the line that names a written file. All commands use it."""
    return one_line(f"written to {target}: {what}")


def write_table(head: Sequence[str], rows: Iterable[Sequence[Any]], target: str, what: str) -> None:
    from hiermeasures.read import csv_text

    write(csv_text(head, rows).removesuffix("\n"), target, what)


def write_partial(found: Any, target: str) -> int:
    from hiermeasures.evaluation import to_bytes
    from hiermeasures.hierarchy.words import write_count

    write(
        to_bytes(found),
        target,
        f"sums over {write_count(len(found), 'instance')}; hiermeasures merge joins such files",
    )
    return 0


class Progress:
    """A progress bar for a long evaluation, on the error stream if it is a terminal."""

    def __init__(self, name: str, what: str = "instances") -> None:
        self.name, self.what, self.start = name, what, time.monotonic()
        self.bars: Any = None

    def __enter__(self) -> "Progress":
        return self

    def __call__(self, done: int, total: int) -> None:
        if not sys.stderr.isatty() or time.monotonic() - self.start < 1:
            return
        if self.bars is None:
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bars

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn(self.what),
            )
            kept: dict[str, Any] = dict.fromkeys(("redirect_stdout", "redirect_stderr"), False)
            self.bars = Bars(
                *columns, TimeRemainingColumn(), console=console(error=True), transient=True, **kept
            )
            self.bars.add_task(self.name, total=total)
            self.bars.start()
        bar = self.bars.tasks[0]
        if done < bar.completed:  # another file
            self.bars.reset(bar.id, total=total)
        self.bars.update(bar.id, description=self.name, completed=done, total=total)

    def __exit__(self, *_: object) -> None:
        if self.bars:
            self.bars.stop()


@cache
def console(error: bool) -> "Console":
    from rich.console import Console

    return Console(stderr=error, highlight=not error, markup=False, emoji=False, soft_wrap=True)


def show(text: str) -> None:
    """Print one table or several, on a terminal no wider than the terminal."""
    if not sys.stdout.isatty():
        print(text)
        return
    to = console(error=False)
    blocks = (list(lines) for _, lines in groupby(text.split("\n"), bool))
    lines = [line for block in blocks for line in fitted(block, to.width)]
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        to.print(line, style="bold" if line[:1].strip() and below.startswith("  ") else None)


def say(text: str, style: str) -> None:
    if sys.stderr.isatty():
        console(error=True).print(text, style=style)
    else:
        print(text, file=sys.stderr)


def fitted(block: Sequence[str], width: int) -> list[str]:
    """Return the lines of a table, none wider than `width`.

    Its columns are split into several tables, each with the first column. Sentences are wrapped.

    >>> print("\\n".join(fitted(["    one  two  three", "a     1    2      3"], 10)))
        one
    a     1
    <BLANKLINE>
       two
    a    2
    <BLANKLINE>
       three
    a      3
    """
    rows = [line for line in block if "  " in line.strip() or line[:2] == "  "]
    if max(map(len, block)) <= width or not rows:
        return [part for line in block for part in (wrap(line, width) or [line])]
    ends = _column_ends(rows)
    prose = len(ends) > 1 and ends[-1] - ends[-2] > PROSE
    if prose:
        ends.pop()
    tables, used = [[ends[0]]], ends[0]
    for before, end in zip(ends, ends[1:], strict=False):
        if used + end - before > width and len(tables[-1]) > 1:
            tables.append([ends[0]])
            used = ends[0]
        tables[-1].append(end)
        used += end - before
    found: list[str] = []
    for number, kept in enumerate(tables):
        last = prose and number == len(tables) - 1
        found += [""] * bool(number)
        for line in block if not number else rows:
            if line not in rows:
                found += wrap(line, width)
                continue
            cut = "".join(line[max((e for e in ends if e < end), default=0) : end] for end in kept)
            found += (
                _with_sentence(cut, line[ends[-1] :].strip(), width) if last else [cut.rstrip()]
            )
    return found


def _column_ends(rows: Sequence[str]) -> list[int]:
    """Return where columns end: before two blanks in every row."""
    longest = max(map(len, rows))
    blank = [all(len(row) <= k or row[k] == " " for row in rows) for k in range(longest)] + [
        True,
        True,
    ]
    return [k for k in range(1, longest + 1) if not blank[k - 1] and blank[k] and blank[k + 1]]


def _with_sentence(row: str, sentence: str, width: int) -> list[str]:
    """Return a row with its sentence next to it, or below it if there is no room."""
    beside = width - len(row) - 2 >= NARROWEST
    indent = " " * (len(row) + 2 if beside else 6)
    lines = wrap(
        sentence,
        max(width, len(indent) + NARROWEST),
        initial_indent=indent,
        subsequent_indent=indent,
    )
    if beside and lines:
        return [row + lines[0][len(row) :], *lines[1:]]
    return [row.rstrip(), *lines]
