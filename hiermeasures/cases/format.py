"""The format of the case files: which entries there are and what each may hold. docs/cases.md shows it by example.

Nothing is computed here; library.py makes cases of the entries, figures.py and tables.py compare the published cells
with our values.
"""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator


def _words(value: Any) -> Any:
    """Names separated by blanks or commas; a list for names that hold blanks themselves."""
    return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


def _bars(value: Any) -> Any:
    """Entries separated by bars, as in a printed table; or a list."""
    return tuple(part.strip() for part in value.split("|")) if isinstance(value, str) else value


def _paths(value: Any) -> Any:
    """Paths such as `R>A>D`, separated by blanks; or a list of them."""
    items = value.replace(" > ", ">").split() if isinstance(value, str) else value
    if isinstance(items, list):
        return tuple(
            tuple(step.strip() for step in item.split(">")) if isinstance(item, str) else item for item in items
        )
    return items


def _hierarchy(value: Any) -> Any:
    return {"edges": value} if isinstance(value, str | list) else value


def _row(value: Any) -> Any:
    return {"cells": value} if isinstance(value, str | list) else value


Text = Annotated[str, Field(min_length=1)]
Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
Bars = Annotated[tuple[str, ...], BeforeValidator(_bars)]
Paths = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_paths)]
Settings = dict[str, str]


class Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PaperEntry(Entry):
    """paper.yaml, or the entry `paper` of a case file that stands alone. `options`: what the paper computes with where
    its figures do not say otherwise, offered beside the options of the measures.
    """

    name: Text
    authors: Text
    year: Annotated[int, Field(ge=1900, le=2200)]
    title: Text
    citation: Text
    url: str = ""
    key: str = ""
    options: Settings | None = None


class HierarchyEntry(Entry):
    """Edges as text (`A>B A>C B>T1`), a nested mapping, or another case's hierarchy with edges added (`like`)."""

    edges: str | tuple[str, ...] = ()
    nested: Any = None
    like: str = ""

    @model_validator(mode="after")
    def _one_source(self) -> "HierarchyEntry":
        if not (self.edges or self.nested or self.like):
            raise ValueError("a hierarchy needs 'edges' (such as A>B A>C), 'nested', or 'like'")
        return self


Hierarchies = Annotated[HierarchyEntry, BeforeValidator(_hierarchy)]


class Labels(Entry):
    """What was true and what was predicted, and how it is evaluated. Entries left out are taken from around."""

    hierarchy: Hierarchies | None = None
    true: Words | None = None
    predicted: Words | None = None
    true_paths: Paths | None = None
    predicted_paths: Paths | None = None
    options: Settings = {}


class CaseEntry(Labels):
    """One drawn hierarchy with its classes: a sub-figure."""

    part: str = ""
    title: str = ""
    teaches: str = ""
    reconstructed: str = ""
    probabilities: dict[str, Annotated[float, Field(ge=0, le=1)]] | None = None


class RowEntry(Entry):
    """One row of a printed table: its cells, and which case they are about."""

    cells: Bars
    case: str = ""
    of: str = ""
    options: Settings = {}


class BlockEntry(Entry):
    """Published values from one place of the paper: a table (`columns` and `rows`), or single `cells`."""

    source: Text
    case: str = ""
    options: Settings = {}
    cells: dict[str, str] = {}
    columns: Bars = ()
    rows: dict[str, Annotated[RowEntry, BeforeValidator(_row)]] = {}

    @model_validator(mode="after")
    def _some_cells(self) -> "BlockEntry":
        if bool(self.columns) != bool(self.rows):
            raise ValueError("a published table needs both 'columns' and 'rows'")
        if not (self.cells or self.rows):
            raise ValueError("nothing is published here: 'cells', or 'columns' and 'rows', are missing")
        return self


class VariantEntry(Labels):
    """What reproduces a printed string: another measure, an expression over values, other options or other classes."""

    measure: str = ""
    value: str = ""
    decimal_comma: bool = False


class DiscrepancyEntry(Entry):
    """Cells of one source that our values do not give, why, and the variant that does; without a variant the cells are
    openly unexplained.

    `coincidence` is for a cell with whose few printed digits our value happens to agree although another number is
    meant.
    """

    source: Text
    rows: Bars = ()
    cells: Bars
    explanation: Text
    variant: VariantEntry | None = None
    coincidence: bool = False


class ShownEntry(VariantEntry):
    """A value of ours that an erratum rests on."""

    case: str = ""
    gives: Text


class ErratumEntry(Entry):
    """Something in the paper's text or formulas that its own numbers contradict."""

    where: Text
    explanation: Text
    shows: tuple[ShownEntry, ...] = ()


class FigureFile(CaseEntry):
    """A case file: a figure with its sub-figures, and what is published about them."""

    paper: PaperEntry | None = None
    figure: Text
    cases: tuple[CaseEntry, ...] = ()
    published: tuple[BlockEntry, ...] = ()
    discrepancies: tuple[DiscrepancyEntry, ...] = ()
    errata: tuple[ErratumEntry, ...] = ()


class ViewEntry(Labels):
    """A case, perhaps with other classes, in which a situation can be seen."""

    case: Text


class SituationEntry(Entry):
    """One row of a table of judgements: the criterion in words and as an expression, and the printed signs."""

    situation: Text
    criterion: Text
    judgement: str = ""
    views: dict[str, ViewEntry]
    read: dict[str, str] = {}
    plus: Text
    star: str = ""
    printed: Bars


class SituationsFile(Entry):
    """A table that says which measure handles which situation."""

    paper: PaperEntry | None = None
    table: Text
    title: Text
    teaches: str = ""
    columns: Bars
    situations: tuple[SituationEntry, ...]
    errata: tuple[ErratumEntry, ...] = ()


class CorrelationEntry(Entry):
    """A printed table of rank correlations between the columns of a ranking. `unexplained` are cells, `hF, GIE`, of
    which the file says openly that nothing explains them.
    """

    table: Text
    file: Text
    unexplained: tuple[str, ...] = ()


class RankingFile(Entry):
    """A printed table of systems with scores and ranks, and the rank correlations printed from it."""

    paper: PaperEntry | None = None
    table: Text
    title: Text
    teaches: str = ""
    ranking: Text
    correlations: CorrelationEntry
    errata: tuple[ErratumEntry, ...] = ()


def kind_of(data: Any) -> type[FigureFile] | type[SituationsFile] | type[RankingFile]:
    """Which of the three kinds of case file a document is, told by the entry that only that kind has."""
    if isinstance(data, dict) and "ranking" in data:
        return RankingFile
    if isinstance(data, dict) and "situations" in data:
        return SituationsFile
    return FigureFile
