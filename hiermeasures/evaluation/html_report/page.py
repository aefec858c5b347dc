"""The parts of the HTML page: tables, drawings, and parts that can be opened. Plain data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from markupsafe import Markup

from hiermeasures.draw.matrix import MatrixPicture

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class PageCell:
    """A cell of a table: its text, and optionally a line and a bar below it."""

    text: str
    below: str = ""
    share: float | None = None
    first: bool = False  # True for the best rank

    @property
    def width(self) -> str:
        """The length of the bar in percent."""
        return f"{100 * (self.share or 0):.2f}"


@dataclass(frozen=True)
class PageTable:
    """A table: its head, its rows, and the number of text columns at the left."""

    head: Sequence[str]
    rows: Sequence[Sequence[PageCell]]
    words: int = 1


@dataclass(frozen=True)
class PagePart:
    """A part of the page: a title, sentences, tables and pictures, and parts that can be opened.

    `answer` is the sentence with the result of the part.
    """

    title: str
    answer: str = field(default="", kw_only=True)
    notes: Sequence[str] = ()
    tables: Sequence[PageTable] = ()
    matrices: Sequence[MatrixPicture] = ()
    drawings: Sequence["PageDrawing"] = ()
    parts: Sequence["PagePart"] = ()
    open: bool = False


@dataclass(frozen=True)
class PageDrawing:
    """A drawing as an HTML image, with the words above it."""

    image: Markup
    caption: str
    words: Sequence[str] = ()


@dataclass(frozen=True)
class PageFocus:
    """The view of a person who saves the page: the chosen systems and table.

    `systems` has one or two names. The page opens the matrix of the first, or of the difference of
    the two. `table_of` returns a table of the DifferenceSplit by its name, in the chosen order.
    """

    systems: Sequence[str] = ()
    table_of: Callable[[str], "pd.DataFrame"] | None = None
