"""The format of the case files: which entries there are and what each may hold. docs/cases.md shows
it by example.

Nothing is computed here; library.py makes cases of the entries, checks.py compares the published
cells with our values.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from hiermeasures.core.errors import unknown


def words(value: Any) -> Any:
    """Names separated by blanks or commas; a list for names that hold blanks themselves."""
    return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


def bars(value: Any) -> Any:
    """Entries separated by bars, as in a printed table; or a list."""
    return tuple(part.strip() for part in value.split("|")) if isinstance(value, str) else value


def _signs(value: Any) -> Any:
    return bars(value.replace("-", "−") if isinstance(value, str) else value)


def _paths(value: Any) -> Any:
    """Paths such as `R>A>D`, separated by blanks; or a list of them."""
    items = value.replace(" > ", ">").split() if isinstance(value, str) else value
    if isinstance(items, list):
        return tuple(
            tuple(step.strip() for step in item.split(">")) if isinstance(item, str) else item for item in items
        )
    return items


def under(entry: str) -> BeforeValidator:
    """A text or a list that stands for a mapping of one entry."""
    return BeforeValidator(lambda value: {entry: value} if isinstance(value, str | list) else value)


def known(what: str, names: Collection[str], parted: Callable[[Any], Any]) -> BeforeValidator:
    """Words, parted as a function says, of which each has to be one of some names."""

    def check(value: Any) -> Any:
        found = parted(value)
        for word in found if isinstance(found, tuple | list) else ():
            if word not in names:
                raise ValueError(unknown(what, str(word), names))
        return found

    return BeforeValidator(check)


def _times(value: Any) -> Any:
    """Instances as often as they occur: `a*3 b`, or with their classes, `T1,T2|P1*3 T1|`."""
    items = value.split() if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        return items
    found = []
    for item in items:
        name, star, times = item.rpartition("*")
        if not star:
            name, times = item, "1"
        if not times.isdecimal() or not 1 <= int(times) <= MOST_TIMES:
            raise ValueError(f"an instance is a case or true|predicted, *3 where it occurs three times, not '{item}'")
        found.append((name, int(times)))
    return tuple(found)


# What a figure can be about, to find it by.
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
MOST_TIMES = 10_000  # that an instance occurs among several
Text = Annotated[str, Field(min_length=1)]
Words = Annotated[tuple[str, ...], BeforeValidator(words)]
Bars = Annotated[tuple[str, ...], BeforeValidator(bars)]
Topics = Annotated[tuple[str, ...], known("topic", TOPICS, bars)]
Times = Annotated[tuple[tuple[str, int], ...], BeforeValidator(_times)]
Paths = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_paths)]
Settings = dict[str, str]
EVERY_TEXT = ""  # what a quotation or a place is given for where one text of it serves all texts of the paper
# One text for every text of the paper, or a mapping by the names of paper.yaml's `texts`.
ByText = Annotated[dict[str, Text], BeforeValidator(lambda v: {EVERY_TEXT: v} if isinstance(v, str) else v)]
ClaimKind = Literal["number", "unreproduced", "formula", "text", "ambiguity", "criticism", "code", "tool"]
PaperKind = Literal["paper", "tool"]


class Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PaperEntry(Entry):
    """paper.yaml, or the entry `paper` of a case file that stands alone. `kind`: what a tool prints
    is its output. `options`: what the paper computes with where its figures do not say otherwise,
    offered beside the options of the measures. `texts`: which texts of it were read, by the names
    that quotations and places use; `numbering`: where their numbers differ. `withdrawn`: claims
    that were given up, by their number, with why. `unchecked`: published tables that cannot be
    checked, with why. `note`: what no case shows. `pages`: where docs/ says more, by title, as the
    path of the page.
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


class HierarchyEntry(Entry):
    """Edges as text (`A>B A>C B>T1`), a nested mapping, or another case's hierarchy with edges
    added (`like`).

    `weights`: what each class weighs; `icm_weights`: where a class weighs something else in ICM.
    """

    edges: str | tuple[str, ...] = ()
    nested: Any = None
    like: str = ""
    weights: dict[str, float] = {}
    icm_weights: dict[str, float] = {}

    @model_validator(mode="after")
    def _one_source(self) -> "HierarchyEntry":
        if not (self.edges or self.nested or self.like):
            raise ValueError("a hierarchy needs 'edges' (such as A>B A>C), 'nested', or 'like'")
        return self


Hierarchies = Annotated[HierarchyEntry, under("edges")]


class Labels(Entry):
    """True and predicted classes, and how they are evaluated; the rest is taken from around."""

    hierarchy: Hierarchies | None = None
    true: Words | None = None
    predicted: Words | None = None
    true_paths: Paths | None = None
    predicted_paths: Paths | None = None
    options: Settings = {}


class CaseEntry(Labels):
    part: str = ""
    title: str = ""
    teaches: str = ""
    topics: Topics = ()
    reconstructed: str = ""
    define: dict[str, Text] = {}
    probabilities: dict[str, Annotated[float, Field(ge=0, le=1)]] | None = None


class RowEntry(Entry):
    """A row of a printed table, and the case, or the instances together, that it is about."""

    cells: Bars
    case: str = ""
    together: Times = ()
    of: str = ""
    options: Settings = {}


class BlockEntry(Entry):
    """Published values from one place of the paper: a table (`columns` and `rows`), or single
    `cells`.

    `together`: the values are of several instances of the case's hierarchy, evaluated as one batch.
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
            raise ValueError("a published table needs both 'columns' and 'rows'")
        if not (self.cells or self.rows):
            raise ValueError("nothing is published here: 'cells', or 'columns' and 'rows', are missing")
        return self


class VariantEntry(Labels):
    """Another measure, an expression, other options or other classes that give a printed string.
    `measures`: for each of several cells another measure, by the cell's own.
    """

    measure: str = ""
    measures: dict[str, str] = {}
    value: str = ""
    decimal_comma: bool = False


class ReadingEntry(Entry):
    """A way to read a ranking: by scores or by ranks, with systems exchanged (`GIE: A3, E3`) or one
    given the score of another (`F_LCA: J3, H3`: J3 that of H3). What is counted are the printed
    correlations that come out, `of` one measure or all; or `between` two measures, the correlation
    itself.
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


class ClaimEntry(Entry):
    """Entries that every claim about a paper has.

    `label`: the number it is cited by, which never changes; `quotation`: the disputed words,
    exactly as they are read; `places`: where they stand; `considered`: the reading that would make
    them right, and why it does not do; `shows`: the values of ours that the claim rests on;
    `small`: a slip that nobody is misled by, listed after the others.
    """

    number: Annotated[int, Field(ge=1)] | None = Field(default=None, alias="label")
    kind: ClaimKind = "number"
    quotation: ByText = {}
    places: ByText = {}
    considered: str = ""
    shows: tuple[ShownEntry, ...] = ()
    small: bool = False


class DiscrepancyEntry(ClaimEntry):
    """Cells of one source that our values do not give, why, and the variant that does; without a
    variant the cells are openly unexplained.

    `coincidence` is for a cell with whose few printed digits our value happens to agree although
    another number is meant.
    """

    source: Text
    rows: Bars = ()
    cells: Bars
    explanation: Text
    variant: VariantEntry | None = None
    coincidence: bool = False


class ErratumEntry(ClaimEntry):
    where: Text
    explanation: Text

    @model_validator(mode="after")
    def _quoted(self) -> "ErratumEntry":
        for name in ("kind", "quotation", "places", "considered"):
            if name not in self.model_fields_set or not getattr(self, name):
                raise ValueError(f"an erratum needs {name!r}: docs/cases.md says what a claim takes")
        if self.kind == "number" and not self.shows:
            raise ValueError("an erratum about a number needs 'shows', the values of ours that it rests on")
        return self


class FigureFile(CaseEntry):
    """A case file: a figure with its sub-figures, and what is published about them."""

    paper: PaperEntry | None = None
    figure: Text
    cases: tuple[CaseEntry, ...] = ()
    published: tuple[BlockEntry, ...] = ()
    discrepancies: tuple[DiscrepancyEntry, ...] = ()
    errata: tuple[ErratumEntry, ...] = ()


class TableFile(Entry):
    """Entries of every case file about a table."""

    paper: PaperEntry | None = None
    table: Text
    title: Text
    teaches: str = ""
    errata: tuple[ErratumEntry, ...] = ()


class ViewEntry(Labels):
    """A case, perhaps with other classes, in which a situation can be seen."""

    case: Text


class SituationEntry(Entry):
    """A row of judgements: the criterion in words and as an expression, and the printed signs; the
    key of the `property` that speaks of the same, and a `note` on it, or why none can.
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
    """A table that says which measure handles which situation."""

    columns: Bars
    situations: tuple[SituationEntry, ...]

    def signs(self, row: SituationEntry) -> dict[str, str]:
        """Return the signs of a row by column."""
        return dict(zip(self.columns, row.printed, strict=True))


class CorrelationEntry(ClaimEntry):
    """A printed table of rank correlations between the columns of a ranking; what is said where it
    does not come out is worked out, `explanation` adds to it. `unexplained` are cells, `hF, GIE`,
    of which the file says openly that nothing explains them.
    """

    table: Text
    file: Text
    explanation: str = ""
    unexplained: tuple[str, ...] = ()


class RankingFile(TableFile):
    """A printed table of systems with scores and ranks, and its printed rank correlations."""

    ranking: Text
    correlations: CorrelationEntry


class DerivedRow(Entry):
    """One row of printed numbers: what they equal, or what they cannot exceed, worked out from the
    given ones. Of the columns in `unexplained` the file says openly that they do not and nothing
    explains them.
    """

    printed: Bars
    equals: str = ""
    at_most: str = ""
    unexplained: Bars = ()

    @model_validator(mode="after")
    def _one_relation(self) -> "DerivedRow":
        if bool(self.equals) == bool(self.at_most):
            raise ValueError("a row says either what it 'equals' or what it is 'at_most'")
        return self


class DerivedFile(TableFile):
    """A table some of whose printed numbers follow from others beside them (`given`)."""

    columns: Bars
    given: dict[str, Bars]
    rows: dict[str, DerivedRow]


CaseFile = FigureFile | SituationsFile | RankingFile | DerivedFile


def kind_of(data: Any) -> type[CaseFile]:
    by_entry: dict[str, type[CaseFile]] = {"ranking": RankingFile, "situations": SituationsFile, "given": DerivedFile}
    return next((kind for name, kind in by_entry.items() if isinstance(data, dict) and name in data), FigureFile)
