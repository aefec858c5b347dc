"""Read a table that was pasted from a PDF, LaTeX, Markdown or a spreadsheet.

The printed digits stay unchanged. The first row names the columns, and the first column names the
rows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.measures import CATALOGUE
from hiermeasures.verify.printed import number

MOST_CELLS = 10_000
BLANK = ("", "-", "–", "—", "−", "n/a", "N/A")
_RULES = re.compile(
    r"\\(hline|toprule|midrule|bottomrule|cline\{[^}]*\}|begin\{[^}]*\}(\{[^}]*\})?|end\{[^}]*\})"
)
_COMMAND = re.compile(r"\\(?:textbf|textit|emph|mathbf|underline|text|mathrm)\{([^{}]*)\}")
_MARKDOWN_RULE = re.compile(r"[\s|:+-]*-{2}[\s|:+-]*")


@dataclass(frozen=True)
class PastedTable:
    """A pasted table. Each row has a name and one text for each entry of the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def read_table(text: str) -> PastedTable:
    r"""Read a pasted table. InputError if the text is not a table.

    >>> read_table("System  hP  hR\nfirst one  0.50  0.66").rows
    (('first one', ('0.50', '0.66')),)
    >>> read_table(r"& $hP$ & hR \\ \hline A & \textbf{0.5} & -- \\").head
    ('hP', 'hR')
    """
    lines = _split(text)
    if len(lines) < 2:
        raise InputError("The table has too few rows. Paste a row of names and rows with numbers")
    if sum(map(len, lines)) > MOST_CELLS:
        raise InputError(f"The table has more than {MOST_CELLS:,} cells. Paste a part of it")
    width = max(map(len, lines[1:]))
    head = [""] * (width - len(lines[0])) + lines[0]
    if width < 2 or len(head) > width:
        raise InputError(
            "The names of columns or rows are missing. Name the columns in the first row and the "
            "rows in the first column"
        )
    names: dict[str, tuple[str, ...]] = {}
    for line in lines[1:]:
        name = line[0] or f"row {len(names) + 1}"
        while name in names:
            name += "′"
        names[name] = (*line[1:], *[""] * (width - len(line)))
    return PastedTable(tuple(head[1:]), tuple(names.items()))


def _split(text: str) -> list[list[str]]:
    if re.search(r"(?<!\\)&", text):
        plain = _RULES.sub(" ", text)
        while _COMMAND.search(plain):
            plain = _COMMAND.sub(r"\1", plain)
        rows = (re.split(r"(?<!\\)&", row) for row in re.split(r"\\\\|\\tabularnewline", plain))
        return [[_plain(cell) for cell in row] for row in rows if "".join(row).strip()]
    if not text.strip():
        return []
    lines = [line for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not _MARKDOWN_RULE.fullmatch(line)]
    for mark in "\t|;":
        if all(mark in line for line in lines):
            # a Markdown row begins and ends with a bar, a line of a spreadsheet may begin blank
            cut = [line.strip().strip("|") if mark == "|" else line for line in lines]
            return [[cell.strip() for cell in row.split(mark)] for row in cut]
    if len({line.count(",") for line in lines}) == 1 and "," in lines[0]:
        return [[cell.strip() for cell in line.split(",")] for line in lines]
    wide = [re.split(r"\s{2,}", line.strip()) for line in lines]
    if all(len(cells) > 1 for cells in wide):
        return wide
    head = lines[0].split()
    corner = measure_named(head[0]) is None and len(head[0]) > 2
    return [head, *(_words(line, len(head) - corner) for line in lines[1:])]


def _words(line: str, most: int) -> list[str]:
    """Split a line at blanks into the name of the row, which can have blanks, and its cells."""
    words = line.split()
    k = len(words)
    while k > max(1, len(words) - most) and _is_cell(words[k - 1]):
        k -= 1
    return [" ".join(words[:k]), *words[k:]]


def _plain(cell: str) -> str:
    """Return a LaTeX cell without math signs and escapes."""
    text = re.sub(r"\\(?=[&%_#$])", "", cell.replace("$", " ").replace("~", " "))
    text = re.sub(r"\^\{?[*†‡]\}?|[{}]", "", text)
    return "" if text.strip() == "--" else " ".join(text.split())


def _is_cell(text: str) -> bool:
    if text in BLANK:
        return True
    try:
        number(text)
    except InputError:
        return False
    return True


def printed_cells(row: str, columns: Sequence[str], cells: Sequence[str]) -> list[str]:
    """Return the printed cells of a row. A dash is a blank cell. InputError for another text."""
    for column, cell in zip(columns, cells, strict=True):
        if not _is_cell(cell):
            raise InputError(
                f"Row {shown(row)}, column {shown(column)}: {shown(cell)} is not a number. Correct it"
            )
    return ["" if cell in BLANK else cell for cell in cells]


def measure_named(title: str) -> str | None:
    """Return the key of the measure that a column title names, or None.

    >>> measure_named("Hierarchical F1"), measure_named("hp"), measure_named("System")
    ('hF', 'hP', None)
    """
    wanted = title.casefold().strip()
    found = [m.key for m in CATALOGUE.values() if wanted in (m.key.casefold(), m.name.casefold())]
    return found[0] if len(found) == 1 else None
