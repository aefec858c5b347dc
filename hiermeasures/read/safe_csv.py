"""Write CSV and TSV cells that no spreadsheet runs as formulas, and read them back.

A spreadsheet may run a cell that starts with = + - @, a tab or a carriage return. The writer puts
an apostrophe before such text, also after a semicolon, where many spreadsheets begin a new cell.
Numbers stay as they are. Every writer of tables in this project uses this module.
"""

import csv
import io
import math
import re
from collections.abc import Iterable
from typing import Any

QUOTED_FOR = ";\t\r\n"
_FORMULA = re.compile(r"(?:^|(?<=;))(?='*[=+\-@\t\r])")
_GUARD = re.compile(r"(?:^|(?<=;))'(?='*[=+\-@\t\r])")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def safe_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet runs. Text that could start a formula gets an apostrophe,
    and everything else stays as it is.

    Text that already has apostrophes before such a character gets one more. So `original_cell`
    restores it exactly.

    >>> safe_cell("=1+1"), safe_cell("-2.5"), safe_cell(-2.5), safe_cell("A = B"), safe_cell("a;=1+1")
    ("'=1+1", '-2.5', -2.5, 'A = B', "a;'=1+1")
    """
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        return _FORMULA.sub("'", value)
    return value


def original_cell(text: str) -> str:
    """Return the original text of a cell from `safe_cell`.

    >>> original_cell("'=1+1"), original_cell("'quoted'")
    ('=1+1', "'quoted'")
    """
    return _GUARD.sub("", text)


def safe_row(cells: Iterable[Any]) -> list[Any]:
    return [safe_cell(cell) for cell in cells]


def csv_text(head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> str:
    """Return a whole table as safe CSV. An undefined value is an empty cell.

    >>> csv_text(["class", "value"], [["=x", 0.5], ["y", float("nan")]])
    "class,value\\n'=x,0.5\\ny,\\n"
    """
    text = io.StringIO()
    writer = SafeWriter(text)
    writer.writerow(head)
    writer.writerows(
        ["" if isinstance(cell, float) and math.isnan(cell) else cell for cell in row]
        for row in rows
    )
    return text.getvalue()


class SafeWriter:
    """A csv writer that makes every cell safe, with the methods of `csv.writer`.

    >>> import io
    >>> out = io.StringIO()
    >>> SafeWriter(out).writerow(["=cmd()", 1.5])
    >>> out.getvalue()
    "'=cmd(),1.5\\n"
    """

    def __init__(self, stream: Any, delimiter: str = ",", lineterminator: str = "\n") -> None:
        self._stream, self._end = stream, lineterminator
        # The csv module quotes a cell that contains the line ends it writes itself. With all of these,
        # a spreadsheet never sees a part of a cell as a new cell.
        self._line = io.StringIO(newline="")
        self._writer = csv.writer(self._line, delimiter=delimiter, lineterminator=QUOTED_FOR)

    def writerow(self, cells: Iterable[Any]) -> None:
        self._line.seek(0)
        self._line.truncate()
        self._writer.writerow(safe_row(cells))
        self._stream.write(self._line.getvalue().removesuffix(QUOTED_FOR) + self._end)

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        for row in rows:
            self.writerow(row)
