"""Pydantic models of the case files. docs/cases.md describes the files with examples.

This module only validates. library.py builds cases from the entries, and checks.py compares the
published cells with computed values.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from hiermeasures.hierarchy.errors import unknown


def words(value: Any) -> Any:
    """Split names at blanks or commas. Use a list for names with blanks."""
    return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


def bars(value: Any) -> Any:
    """Split entries at bars, as in a printed table. A list stays unchanged."""
    return tuple(part.strip() for part in value.split("|")) if isinstance(value, str) else value


def _signs(value: Any) -> Any:
    return bars(value.replace("-", "−") if isinstance(value, str) else value)


def _paths(value: Any) -> Any:
    """Split paths such as `R>A>D`. They are separated by blanks or in a list."""
    items = value.replace(" > ", ">").split() if isinstance(value, str) else value
    if isinstance(items, list):
        return tuple(
            tuple(step.strip() for step in item.split(">")) if isinstance(item, str) else item
            for item in items
        )
    return items


def under(entry: str) -> BeforeValidator:
    """Return a validator that turns a text or list into the mapping `{entry: value}`."""
    return BeforeValidator(lambda value: {entry: value} if isinstance(value, str | list) else value)


def known(what: str, names: Collection[str], split: Callable[[Any], Any]) -> BeforeValidator:
    """Return a validator that splits a value and refuses words that are not in `names`."""

    def check(value: Any) -> Any:
        found = split(value)
        for word in found if isinstance(found, tuple | list) else ():
            if word not in names:
                raise ValueError(unknown(what, str(word), names))
        return found

    return BeforeValidator(check)


def _times(value: Any) -> Any:
    """Read instances with their counts: cases `a*3 b`, or classes `T1,T2|P1*3 T1|`."""
    items = value.split() if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        return items
    found = []
    for item in items:
        name, star, times = item.rpartition("*")
        if not star:
            name, times = item, "1"
        if not times.isdecimal() or not 1 <= int(times) <= MOST_TIMES:
            raise ValueError(
                f"'{item}' is not an instance. Write a case or true|predicted, and add *3 if it "
                "occurs three times"
            )
        found.append((name, int(times)))
    return tuple(found)


# Topics for finding figures.
TOPICS = (
    "pairing",
    "long distance",
    "several paths",
    "too specific or too general",
    "lowest common ancestors",
    "ancestor sets",
    "counts",
    "confusion matrix",
    "expected values",
)
MOST_TIMES = 10_000  # limit on the count of one instance
Text = Annotated[str, Field(min_length=1)]
Words = Annotated[tuple[str, ...], BeforeValidator(words)]
Bars = Annotated[tuple[str, ...], BeforeValidator(bars)]
Topics = Annotated[tuple[str, ...], known("topic", TOPICS, bars)]
Times = Annotated[tuple[tuple[str, int], ...], BeforeValidator(_times)]
Paths = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_paths)]
Settings = dict[str, str]
EVERY_TEXT = ""  # key of a quotation or place that serves all versions of the paper
# One string for all versions of the paper, or one each by the names in paper.yaml's `texts`.
ByText = Annotated[
    dict[str, Text], BeforeValidator(lambda v: {EVERY_TEXT: v} if isinstance(v, str) else v)
]
ClaimKind = Literal[
    "number", "differs", "unreproduced", "formula", "text", "ambiguity", "criticism", "code", "tool"
]
Severity = Literal["conclusion", "number", "word"]
PaperKind = Literal["paper", "tool"]


class FileEntry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PaperEntry(FileEntry):
    """The content of paper.yaml, or the entry `paper` of a single case file.

    - `kind`: "paper" or "tool". Values of a tool are output, not publications.
    - `options`: settings of the paper, unless a figure overrides them. The app lists them under
      "Conventions of".
    - `texts`: the versions that we read, by the names in quotations and places.
    - `numbering`: a note if the numbers of these versions differ.
    - `withdrawn`: reasons for dropping claims, by number.
    - `unchecked`: reasons why published tables cannot be checked, by table.
    - `note`: remarks about the whole paper.
    - `pages`: paths of related pages in docs/, by title.
    """

    name: Text
    authors: Text
    year: Annotated[int, Field(ge=1900, le=2200)]
    title: Text
    citation: Text
    url: str = ""
    key: str = ""
    options: Mapping[str, str] | None = None
    texts: dict[str, Text] = {}
    numbering: str = ""
    withdrawn: dict[Annotated[int, Field(ge=1)], Text] = {}
    unchecked: dict[str, Text] = {}
    kind: PaperKind = "paper"
    note: str = ""
    pages: dict[str, Text] = {}


class HierarchyEntry(FileEntry):
    """A hierarchy.

    It is a text of edges (`A>B A>C B>T1`), a nested mapping, or the hierarchy of another case
    (`like`) with more edges. `weights` are class weights. ICM uses `icm_weights` instead.
    """

    edges: str | tuple[str, ...] = ()
    nested: Any = None
    like: str = ""
    weights: dict[str, float] = {}
    icm_weights: dict[str, float] = {}

    @model_validator(mode="after")
    def _one_source(self) -> "HierarchyEntry":
        if not (self.edges or self.nested or self.like):
            raise ValueError(
                "the hierarchy has no edges. Add 'edges' (such as A>B A>C), 'nested' or 'like'"
            )
        return self


Hierarchies = Annotated[HierarchyEntry, under("edges")]


class LabelsEntry(FileEntry):
    """True and predicted classes, and options.

    A missing entry is inherited from the enclosing entry.
    """

    hierarchy: Hierarchies | None = None
    true: Words | None = None
    predicted: Words | None = None
    true_paths: Paths | None = None
    predicted_paths: Paths | None = None
    options: Settings = {}


class CaseEntry(LabelsEntry):
    part: str = ""
    title: str = ""
    teaches: str = ""
    topics: Topics = ()
    reconstructed: str = ""
    define: dict[str, Text] = {}
    probabilities: dict[str, Annotated[float, Field(ge=0, le=1)]] | None = None


class RowEntry(FileEntry):
    """A row of a printed table, and its case or its batch of instances (`together`)."""

    cells: Bars
    case: str = ""
    together: Times = ()
    of: str = ""
    options: Settings = {}


class BlockEntry(FileEntry):
    """Published values from one place of the paper.

    They are a table (`columns` and `rows`) or single `cells`. With `together`, the values are about
    several instances of the case's hierarchy, evaluated as one batch.
    """

    source: Text
    case: str = ""
    together: Times = ()
    options: Settings = {}
    cells: dict[str, str] = {}
    columns: Bars = ()
    rows: dict[str, Annotated[RowEntry, under("cells")]] = {}

    @model_validator(mode="after")
    def _some_cells(self) -> "BlockEntry":
        if bool(self.columns) != bool(self.rows):
            raise ValueError("a published table has 'columns' and 'rows'. Add the missing one")
        if not (self.cells or self.rows):
            raise ValueError(
                "the published values are missing. Add 'cells', or 'columns' and 'rows'"
            )
        return self


class VariantEntry(LabelsEntry):
    """A measure, an expression, options or classes that give a printed string.

    `measures` has the replacement of each cell's measure, for several cells.
    """

    measure: str = ""
    measures: dict[str, str] = {}
    value: str = ""
    decimal_comma: bool = False


class ReadingEntry(FileEntry):
    """Assumptions for computing the correlations of a ranking.

    `basis` is scores or ranks. `swap` exchanges two systems (`GIE: A3, E3`). `tie` gives a system
    the score of another (`F_LCA: J3, H3`: J3 gets the score of H3). The value is the correlation
    `between` two measures. Without `between` it is the number of reproduced printed correlations,
    for one measure with `of`, and else for all.
    """

    basis: Literal["scores", "ranks"] = "scores"
    swap: Bars = ()
    tie: Bars = ()
    of: str = ""
    between: str = ""


class ShownEntry(VariantEntry):
    case: str = ""
    ranking: ReadingEntry | None = None
    gives: Text


class ClaimEntry(FileEntry):
    """The entries of every claim about a paper.

    - `label`: the number to cite. It never changes.
    - `quotation`: the disputed words, exactly as printed.
    - `places`: the places of these words.
    - `considered`: the interpretation that would make them right, and why it fails.
    - `shows`: our values that support the claim.
    - `severity`: the thing that the claim changes, if its kind does not imply it.
    - `matters`: one line that says why the claim matters, for the first claims on a paper's page.
    - `small`: True for a slip that changes a word and misleads no reader.
    """

    number: Annotated[int, Field(ge=1)] | None = Field(default=None, alias="label")
    kind: ClaimKind = "number"
    quotation: ByText = {}
    places: ByText = {}
    considered: str = ""
    shows: tuple[ShownEntry, ...] = ()
    severity: Severity | None = None
    matters: str = ""
    small: bool = False


class DiscrepancyEntry(ClaimEntry):
    """Cells of one source that our values do not reproduce, with the reason and a variant.

    The variant reproduces the cells. Without a variant they count as unexplained. With
    `conjecture`, the variant is a guess, and the cells count as conjectured. With `coincidence`,
    our value agrees with the few printed digits by chance, and the paper means another number.
    """

    source: Text
    rows: Bars = ()
    cells: Bars
    explanation: Text
    variant: VariantEntry | None = None
    conjecture: bool = False
    coincidence: bool = False


class ErratumEntry(ClaimEntry):
    where: Text
    explanation: Text

    @model_validator(mode="after")
    def _quoted(self) -> "ErratumEntry":
        for name in ("kind", "quotation", "places", "considered"):
            if name not in self.model_fields_set or not getattr(self, name):
                raise ValueError(
                    f"the erratum has no entry {name!r}. Add it (docs/cases.md describes it)"
                )
        if self.kind == "number" and not self.shows:
            raise ValueError(
                "the erratum is about a number and has no 'shows'. Add our values that support it"
            )
        return self


class FigureFile(CaseEntry):
    """A case file: a figure with its sub-figures and their published values."""

    paper: PaperEntry | None = None
    figure: Text
    cases: tuple[CaseEntry, ...] = ()
    published: tuple[BlockEntry, ...] = ()
    discrepancies: tuple[DiscrepancyEntry, ...] = ()
    errata: tuple[ErratumEntry, ...] = ()


class TableFile(FileEntry):
    """The entries that all case files about tables share."""

    paper: PaperEntry | None = None
    table: Text
    title: Text
    teaches: str = ""
    errata: tuple[ErratumEntry, ...] = ()


class ViewEntry(LabelsEntry):
    """A case that shows a situation. It can have other classes."""

    case: Text


class SituationEntry(FileEntry):
    """A row of a table of situations.

    It has the criterion in words and as expressions (`plus`, `star`), the printed signs, and the
    key of the corresponding `property`. A `note` describes the property, or says why it is missing.
    """

    situation: Text
    criterion: Text
    judgement: str = ""
    views: dict[str, ViewEntry]
    read: dict[str, str] = {}
    plus: Text
    star: str = ""
    printed: Annotated[tuple[str, ...], known("sign", ("+", "−", "*"), _signs)]
    property: str = ""
    note: str = ""


class SituationsFile(TableFile):
    """A table of judgements: one for each measure and situation."""

    columns: Bars
    situations: tuple[SituationEntry, ...]

    def signs(self, row: SituationEntry) -> dict[str, str]:
        """Return the printed signs of a row by column."""
        return dict(zip(self.columns, row.printed, strict=True))


class CorrelationEntry(ClaimEntry):
    """A printed table of rank correlations between the columns of a ranking.

    The explanations of cells that differ are generated, and `explanation` is added to them.
    `unexplained` lists cells without a known explanation, such as `hF, GIE`.
    """

    table: Text
    file: Text
    explanation: str = ""
    unexplained: tuple[str, ...] = ()


class RankingFile(TableFile):
    """A printed table of systems with scores, ranks and rank correlations."""

    ranking: Text
    correlations: CorrelationEntry


CaseFile = FigureFile | SituationsFile | RankingFile


def kind_of(data: Any) -> type[CaseFile]:
    by_entry: dict[str, type[CaseFile]] = {"ranking": RankingFile, "situations": SituationsFile}
    return next(
        (kind for name, kind in by_entry.items() if isinstance(data, dict) and name in data),
        FigureFile,
    )
