"""The findings about one published value, or one table of correlations. The check itself is in
figures.py, tables.py and checks.py; verification.py gathers what they found.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from hiermeasures.cases.ranking_search import Search

Status = Literal["match", "explained", "unexplained"]
STATUSES: tuple[Status, ...] = ("match", "explained", "unexplained")


@dataclass(frozen=True)
class CheckedCell:
    """One published value beside ours.

    `source`, `row` and `column` say where it is printed, `quantity` what it is about; `case` is the
    key of the case it was computed on, or empty. `ours` is our value, `ours_text` the same as text.
    For an explained cell `explanation` tells the discrepancy in words, `variant` what was computed
    instead, `variant_text` its value, which agrees with the print. `truncated` marks a number that
    agrees by cutting digits off and not by rounding, `openly` a cell whose case file itself says
    that nothing explains it.
    """

    paper: str
    file: str
    line: int
    figure: str
    source: str
    row: str
    column: str
    quantity: str
    printed: str
    ours: Any
    ours_text: str
    status: Status
    case: str = ""
    explanation: str = ""
    variant: str = ""
    variant_text: str = ""
    truncated: bool = False
    openly: bool = False

    @property
    def place(self) -> str:
        """Where it is printed: `Table 1, row b, R_LCA`."""
        return ", ".join([self.source, *([f"row {self.row}"] if self.row else []), self.quantity])


@dataclass(frozen=True)
class RankingCheck:
    """A printed correlation table: the search's outcome, also in words, and printed ranks that
    contradict the printed scores.
    """

    paper: str
    ranking: str
    correlations: str
    search: "Search"
    summary: str
    contradictions: tuple[tuple[str, str, str], ...]
