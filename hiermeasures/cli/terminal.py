"""Output on a terminal: tables cut to its width, colour, a bar of progress.

Elsewhere text stands as it is, so that what scripts read stays the same.
"""

import sys
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from rich.console import Console

PROSE = 30  # letters from which a last column is taken for sentences
NARROWEST = 24  # letters beside a row, else sentences stand below it


@cache
def console(error: bool) -> "Console":
    from rich.console import Console
    from rich.highlighter import RegexHighlighter

    class Numbers(RegexHighlighter):
        base_style = "repr."
        highlights: ClassVar = [r"(?<![\w.])(?P<number>-?\d[\d,]*(\.\d+)?)(?![\w.])"]

    return Console(stderr=error, highlight=not error, highlighter=Numbers(), markup=False, emoji=False, soft_wrap=True)


def show(text: str) -> None:
    """Print a table, or several; on a terminal no wider than that."""
    if not sys.stdout.isatty():
        print(text)
        return
    to = console(error=False)
    blocks = (list(lines) for _, lines in groupby(text.split("\n"), bool))
    lines = [line for block in blocks for line in fitted(block, to.width)]
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        to.print(line, style="bold" if line[:1].strip() and below.startswith("  ") else None)


def say(text: str, style: str) -> None:
    """Print a line on the error stream."""
    if sys.stderr.isatty():
        console(error=True).print(text, style=style)
    else:
        print(text, file=sys.stderr)


def fitted(block: Sequence[str], width: int) -> list[str]:
    """Lines of a table, none wider than `width`: its columns in several tables, each with the
    first, and sentences wrapped.

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
            found += _with_sentence(cut, line[ends[-1] :].strip(), width) if last else [cut.rstrip()]
    return found


def _column_ends(rows: Sequence[str]) -> list[int]:
    """Where columns end: before two blanks in every row."""
    longest = max(map(len, rows))
    blank = [all(len(row) <= k or row[k] == " " for row in rows) for k in range(longest)] + [True, True]
    return [k for k in range(1, longest + 1) if not blank[k - 1] and blank[k] and blank[k + 1]]


def _with_sentence(row: str, sentence: str, width: int) -> list[str]:
    beside = len(row) + 2 if width - len(row) - 2 >= NARROWEST else 6
    lines = wrap(sentence, max(width - beside, NARROWEST)) or [""]
    if beside == 6:
        return [row.rstrip(), *(" " * beside + line for line in lines if line)]
    return [f"{row}  {lines[0]}".rstrip(), *(" " * beside + line for line in lines[1:])]


class Bar:
    """A bar of progress on a terminal, drawn when told to."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Bars

        columns: list[Any] = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()]
        columns.append(TextColumn("{task.fields[words]}", style="dim"))
        still: dict[str, bool] = dict.fromkeys(("auto_refresh", "redirect_stdout", "redirect_stderr"), False)
        self._bars = Bars(*columns, console=console(error=True), transient=True, **still)  # type: ignore[arg-type]
        self._task = self._bars.add_task("", words="")

    def draw(self, name: str, done: int, total: int, words: str) -> None:
        self._bars.update(self._task, description=name, completed=done, total=total, words=words)
        self._bars.start()
        self._bars.refresh()

    def stop(self) -> None:
        self._bars.stop()
