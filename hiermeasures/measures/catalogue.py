"""Types that declare a measure and its structure, and the bibliography.

Each family's module declares its measures with these types. hiermeasures.measures collects them in
the catalogue. Tables, tooltips, the glossary, the command line and the docs are made from the
declarations.

`references.json` is in the format CSL-JSON, and reference managers can read it. Its field `custom`
says how much of a work we read: "whole", "abstract" or "not at hand".
"""

import json
import re
from collections import Counter, namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

from hiermeasures.hierarchy.elementwise import LARGE, is_array, where
from hiermeasures.hierarchy.errors import check_known
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.words import quote_comma, write_count, write_list

Path = tuple[str, ...]
Row = tuple[float, ...]
Direction = Literal["higher", "lower"]
DIRECTIONS: dict[Direction, str] = {"higher": "higher is better", "lower": "lower is better"}
ARROWS: dict[Direction, str] = {"higher": "↑", "lower": "↓"}
ABOUT_ARROWS = "↑ higher is better, ↓ lower is better."
SideName = Literal["true", "predicted"]
SIDES: tuple[SideName, SideName] = ("true", "predicted")
T = TypeVar("T")
MOST_NAMED = (
    4  # classes, pairs or paths of a kind in a sentence about a change; the others are counted
)


@dataclass(frozen=True)
class Instance:
    """The input of a structure: a hierarchy, its true and predicted classes, and options.

    Attributes
    ----------
    hierarchy : Hierarchy
    true, predicted : frozenset of str
        The classes of both sides. Either side may be empty.
    options : Options
    true_paths, predicted_paths : tuple of paths, or None
        The paths of a DAG classifier, root first. None if only label sets are known.
    exact_work : int or None
        The largest number of steps in the exact search for minimal LCA graphs. None means the
        default of lca_solvers.
    uncut : Hierarchy or None
        The hierarchy before it was cut at a distance.

    See Also
    --------
    hiermeasures.measures.explain_instance : Explain an instance.
    """

    hierarchy: Hierarchy
    true: frozenset[str]
    predicted: frozenset[str]
    options: Options
    true_paths: tuple[Path, ...] | None = None
    predicted_paths: tuple[Path, ...] | None = None
    exact_work: int | None = None
    uncut: Hierarchy | None = None

    @property
    def top(self) -> str:
        """The root of the whole hierarchy. A side without classes is treated as the root."""
        return (self.hierarchy if self.uncut is None else self.uncut).root

    @property
    def uncounted(self) -> frozenset[str]:
        """The classes that set-based measures leave out: the root, or an empty set."""
        return (
            frozenset()
            if self.options.counts_root(self.hierarchy)
            else frozenset({self.hierarchy.root})
        )

    def with_classes(self, side: SideName, labels: frozenset[str]) -> "Instance":
        """Return a copy with other classes on one side. Paths of the old classes are removed."""
        if side == "true":
            return replace(self, true=labels, true_paths=None)
        return replace(self, predicted=labels, predicted_paths=None)

    @cached_property
    def distances(self) -> dict[tuple[str, str], float]:
        """The distance of every (predicted, true) pair, along the paths that the options allow."""
        distance, path = self.hierarchy.distance, self.options.path
        return {(p, t): distance(p, t, path) for p in self.predicted for t in self.true}


OPEN, BETWEEN, CLOSE = "\ue000\ue001\ue002"  # private-use characters; labels never contain them
_MARKS = re.compile(f"{OPEN}[^{BETWEEN}]*{BETWEEN}|{CLOSE}")


def mark_term(key: str, latex: Any) -> str:
    """Mark a part of a LaTeX formula with the key of its term. `remove_marks` removes the mark.

    >>> remove_marks(mark_term("true", "|Y|") + " + 1")
    '|Y| + 1'
    """
    return f"{OPEN}{key}{BETWEEN}{latex}{CLOSE}"


def remove_marks(marked: str) -> str:
    """Return a formula as plain LaTeX."""
    return _MARKS.sub("", marked)


@dataclass(frozen=True)
class Term:
    """The meaning of a term of a formula: in words, and as a set of classes."""

    words: str
    classes: frozenset[str]

    @classmethod
    def of(cls, what: str, classes: Iterable[str]) -> "Term":
        """Return the term of some classes. Its words list them.

        >>> Term.of("in both sets", ["B", "A"]).words
        '2 classes in both sets: A, B'
        """
        found = frozenset(classes)
        listed = f": {named(found)}" if found else ""
        return cls(f"{write_count(len(found), 'class')} {what}{listed}", found)


@dataclass(frozen=True)
class Derivation:
    """A formula filled with the numbers of one instance, and a sentence about it.

    Attributes
    ----------
    marked : str
        The formula in LaTeX. Its terms are marked with the keys of `Structure.terms`.
    sentence : str
        One plain sentence.

    See Also
    --------
    Explanation.derivation : Return the derivation of a measure.
    """

    marked: str
    sentence: str

    @property
    def latex(self) -> str:
        """The formula in plain LaTeX."""
        return remove_marks(self.marked)


@dataclass(frozen=True, kw_only=True)
class Family:
    """A group of measures that read one kind of structure.

    Attributes
    ----------
    key, title, description : str
    rank : int
        The place on screen and in print. The best-known family comes first.
    exercises : tuple of str
        Keys of the measures that exercises ask for, the best known first. You can compute them on
        paper.
    """

    key: str
    title: str
    description: str
    rank: int
    exercises: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Structure(Generic[T]):
    """The declaration of a structure: how to build it, and which numbers to keep per instance.

    A measure reads only the columns. So one formula works for one instance, for an array of
    instances and for their sums. A kernel (hiermeasures.evaluation) fills the columns without
    building the structure.

    Attributes
    ----------
    key : str
    family : Family
    build : function of an Instance
        Returns the structure. It is the readable definition, and views draw its result.
    columns : tuple of str
        Names of the numbers that are kept per instance.
    row : function of the structure and Options
        Returns these numbers: counts, or floats if `whole` is false.
    meanings : tuple of str
        An explanation of each column. The default is its name.
    whole : bool
    variant : function of Options
        Returns an ending for the table's name, if options decide the content of a row.
    row_of_class : function of three counts, optional
        Returns the row of one class, or of an array of classes. The counts are the instances with
        the class on the true side, on the predicted side, and on both. Without this function the
        measures have no macro averages and no values per level.
    terms : function of the structure and Options
        Returns the meanings of the terms in the formulas, by key.
    view : str
        The key of the view that draws the structure (hiermeasures.draw.views). "classes" draws the
        two label sets and lists the columns.
    changes : function of two structures and Options, optional
        Describes their difference. By default the numbers of the rows are compared.

    See Also
    --------
    STRUCTURES : All structures by key.
    Explanation.built : Build a structure for one instance.
    """

    key: str
    family: Family
    build: Callable[[Instance], T]
    columns: tuple[str, ...]
    row: Callable[[T, Options], Row]
    meanings: tuple[str, ...] = ()
    whole: bool = True
    variant: Callable[[Options], str] = lambda options: ""
    row_of_class: Callable[[Any, Any, Any], tuple[Any, ...]] | None = None
    terms: Callable[[T, Options], Mapping[str, Term]] = lambda built, options: {}
    view: str = "classes"
    changes: Callable[[T, T, Options], list[str]] | None = None

    @cached_property
    def named_columns(self) -> dict[str, str]:
        """The columns with their meanings. A column's default meaning is its name."""
        return dict(zip(self.columns, self.meanings or self.columns, strict=True))

    @cached_property
    def named_row(self) -> Any:
        """The named tuple of a row."""
        return namedtuple("Columns", self.columns)

    def table(self, options: Options) -> str:
        """Return the name of the table with the columns. It depends on the options."""
        return self.key + self.variant(options)

    def read(self, built: T, options: Options) -> Any:
        """Return the row of a built structure as a named tuple."""
        return self.named_row(*self.row(built, options))


@dataclass(frozen=True, kw_only=True, eq=False)
class Measure:
    """A measure of the catalogue: its names, formula, range, direction, source and options.

    A measure reads one structure. An own measure (own.py) may read several. Its `structures`,
    `reads`, `columns` and `evidence` list them.

    Attributes
    ----------
    key, symbol, name : str
        The key in tables, the symbol in LaTeX, and the name in words.
    structure : Structure
        The structure that the measure reads.
    read : function of columns and Options
        The only formula. The columns are numbers or arrays, and it returns one value per row.
    formula : str
        The formula in LaTeX.
    derive : function of a built structure, its value and Options
        Explains the value.
    description, source : str
    better : "higher" or "lower"
        The good direction.
    low, high : float or None
        The bounds of the value. None means no bound.
    options : tuple of str
        The options that change the measure.
    fixed : mapping
        The options that the measure sets itself.
    pooled : "micro", "always", "never" or "undefined"
        When the value of many instances is computed from their summed columns: for the micro
        average only, always, or never. In all other cases it is the mean over the instances.
        "undefined" means that the measure has no micro average.
    macro : bool
        If true, the measure can also be computed from the counts of each class.
    perfect_varies : bool
        If true, a perfect prediction can miss the good end. Example: all pairs of classes are
        summed.
    by_default : bool
        If true, "all" includes the measure. Otherwise you have to name it.
    function : str
        The name in hiermeasures.metrics: "…_score" if higher is better, else "…_error" or
        "…_loss". It is empty for a measure outside the catalogue.

    See Also
    --------
    find_measure : Find a measure by key.
    CATALOGUE : All measures by key.

    Examples
    --------
    >>> from hiermeasures.measures import find_measure
    >>> hF = find_measure("hF")
    >>> hF.name, hF.better, hF.low, hF.high, hF.family
    ('Hierarchical F1', 'higher', 0.0, 1.0, 'ancestors')
    """

    key: str
    symbol: str
    name: str
    structure: Structure[Any]
    read: Callable[[Any, Options], Any]
    formula: str
    derive: Callable[[Any, float, Options], Derivation]
    description: str
    source: str
    better: Direction = "higher"
    low: float | None = 0.0
    high: float | None = 1.0
    options: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    pooled: Literal["micro", "always", "never", "undefined"] = "micro"
    macro: bool = False
    perfect_varies: bool = False
    by_default: bool = True
    function: str = ""

    @property
    def heading(self) -> str:
        """The name above a column."""
        return self.name

    @property
    def title(self) -> str:
        """The name with the key."""
        return f"{self.name} ({self.key})"

    @property
    def group(self) -> Family:
        """The family."""
        return self.structure.family

    @property
    def family(self) -> str:
        """The key of the family."""
        return self.group.key

    @property
    def structures(self) -> tuple[Structure[Any], ...]:
        """The structures that the measure reads, each once."""
        return (self.structure,)

    @property
    def perfect(self) -> float | None:
        """The value of a perfect prediction, or None if it depends on the instance."""
        if self.perfect_varies:
            return None
        return self.high if self.better == "higher" else self.low

    def settled(self, options: Options) -> Options:
        """Return the options with those that the measure sets itself (`fixed`)."""
        return options.with_values(**dict(self.fixed)) if self.fixed else options

    def reads(self, options: Options) -> dict[str, tuple[Structure[Any], Options]]:
        """Return the tables that the measure reads.

        Returns
        -------
        dict
            By the table's name, its structure and the options of its row.
        """
        settled = self.settled(options)
        return {self.structure.table(settled): (self.structure, settled)}

    def columns(self, tables: Mapping[str, Any], options: Options) -> Any:
        """Return the columns that the formula reads. `tables` has columns by table name."""
        return tables[self.structure.table(self.settled(options))]

    def value(self, tables: Mapping[str, Any], options: Options) -> Any:
        """Return the value, or one value per row if the columns of the tables are arrays."""
        return self.read(self.columns(tables, options), self.settled(options))

    def evidence(
        self, built: Callable[[Structure[Any]], Any], tables: Mapping[str, Any], options: Options
    ) -> Any:
        """Return the object that `derive` explains.

        Parameters
        ----------
        built : function of a Structure
            Returns the built structure.
        tables : mapping
            Columns by table name.
        options : Options
        """
        return built(self.structure)


LOSS: Mapping[str, Any] = {"better": "lower", "high": None, "pooled": "never"}
"""Settings of a measure that counts or sums errors: no upper bound, and a mean over instances."""


def names(key: str, function: str, symbol: str, name: str) -> Mapping[str, Any]:
    """Return a measure's names: key, function in hiermeasures.metrics, symbol in LaTeX, and name."""
    return {"key": key, "function": function, "symbol": symbol, "name": name}


def by_family(measures: Iterable[Measure]) -> dict[Family, list[Measure]]:
    """Group measures by family, the best known family first."""
    listed = list(measures)
    families = sorted(dict.fromkeys(m.group for m in listed), key=lambda family: family.rank)
    return {family: [m for m in listed if m.group == family] for family in families}


def ratio(part: Any, whole: Any, options: Options, agree: Any = False, perfect: float = 1.0) -> Any:
    """Return part / whole, for numbers or elementwise for arrays.

    If `whole` is 0 and the two sides agree (both are empty), the result is `perfect`. If they do
    not agree, it is the option `zero_division`.
    """
    if not is_array(whole):
        if whole:
            return part / whole
        return perfect if agree else options.zero_division
    defined = whole != 0
    return where(
        defined, part / where(defined, whole, 1), where(agree, perfect, options.zero_division)
    )


def number(value: float) -> str:
    """Write a number for a derivation: four decimals at most, no trailing zeros.

    >>> number(2 / 3), number(4.0), number(float("nan")), number(-1e30)
    ('0.6667', '4', '–', '-1e+30')
    """
    if abs(value) >= LARGE:
        return f"{value:.6g}"
    return "–" if value != value else f"{value:.4f}".rstrip("0").rstrip(".")


def fraction(part: object, whole: object) -> str:
    """Return a fraction in LaTeX."""
    return rf"\frac{{{part}}}{{{whole}}}"


def named(labels: Iterable[str], limit: int = 8) -> str:
    """Return the first few class names for a sentence, sorted. Without classes, return "none"."""
    return write_list([quote_comma(label) for label in sorted(labels)], limit) or "none"


def gone_and_new(
    before: Iterable[T], after: Iterable[T], words: tuple[str, str], written: Callable[[T], str]
) -> list[str]:
    """Describe the items that are only in `before`, and those that are only in `after`.

    Each text starts with its heading from `words`. A heading without items is left out.
    """
    was, now = Counter(before), Counter(after)
    sides = zip(words, (was - now, now - was), strict=True)
    return [
        f"{word}: {write_list([written(each) for each in found.elements()], MOST_NAMED)}"
        for word, found in sides
        if found
    ]


def moved(
    before: Mapping[str, T], after: Mapping[str, T], nowhere: T
) -> dict[tuple[T, T], list[str]]:
    """Return the labels that changed their place, grouped by (old place, new place)."""
    found: dict[tuple[T, T], list[str]] = {}
    for label in before.keys() | after.keys():
        places = before.get(label, nowhere), after.get(label, nowhere)
        if places[0] != places[1]:
            found.setdefault(places, []).append(label)
    return found


def changed_numbers(before: Any, after: Any, words: Mapping[str, str]) -> list[str]:
    """Return one text about all numbers that changed, or an empty list.

    `words` has the attributes to compare, and a word for each.
    """
    numbers = {
        word: [number(getattr(side, name)) for side in (before, after)]
        for name, word in words.items()
    }
    changed = [f"{word} {was} → {now}" for word, (was, now) in numbers.items() if was != now]
    return [", ".join(changed)] if changed else []


_LATEX_TEXT = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\textdollar{}", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip
_PLAIN = {escaped: character for character, escaped in _LATEX_TEXT.items()}
_ESCAPED = re.compile("|".join(map(re.escape, _PLAIN)))


def latex_text(label: str, limit: int = 40) -> str:
    """Return a class name as upright text for a LaTeX formula. Commands are escaped."""
    return rf"\text{{{escaped_latex(label if len(label) <= limit else label[: limit - 1] + '…')}}}"


def escaped_latex(text: str) -> str:
    """Escape all LaTeX commands in a text."""
    return "".join(_LATEX_TEXT.get(c, c) if c.isprintable() else " " for c in text)


def plain_text(latex: str) -> str:
    """Undo `escaped_latex`."""
    return _ESCAPED.sub(lambda m: _PLAIN[m.group()], latex)


READ = ("whole", "abstract", "not at hand")


@dataclass(frozen=True)
class Reference:
    """A work of the bibliography.

    `read` says how much of it we read (one of READ). `text` names the version that we read. If we
    did not read the work, it names the work that we cite it from.
    """

    key: str
    authors: tuple[str, ...]
    year: int
    title: str
    published: str
    link: str
    read: str
    text: str

    @property
    def short(self) -> str:
        """The name in a sentence, for example `Kosmopoulos et al. 2015`."""
        first, *more = self.authors
        others = (
            ""
            if not more
            else f" and {more[0]}"
            if len(more) == 1 and more[0] != "others"
            else " et al."
        )
        return f"{first}{others} {self.year}"


@cache
def references() -> Mapping[str, Reference]:
    """Return the works of the bibliography by key, in alphabetical order.

    >>> references()["kosmopoulos2015"].short, references()["lin1998"].read
    ('Kosmopoulos et al. 2015', 'not at hand')
    """
    found = {}
    for entry in json.loads(
        files(__package__).joinpath("references.json").read_text(encoding="utf-8")
    ):
        place = " ".join(
            [
                entry.get("container-title") or entry["publisher"],
                *([entry["volume"]] if "volume" in entry else []),
            ]
        )
        found[entry["id"]] = Reference(
            key=entry["id"],
            authors=tuple(author.get("family") or author["literal"] for author in entry["author"]),
            year=entry["issued"]["date-parts"][0][0],
            title=entry["title"],
            published=", ".join([place, entry["page"]] if "page" in entry else [place]),
            link=entry.get("URL") or (f"https://doi.org/{entry['DOI']}" if "DOI" in entry else ""),
            read=entry["custom"]["read"],
            text=entry["custom"].get("text", ""),
        )
    return MappingProxyType(found)


def cited(text: str) -> str:
    """Replace every @key in a text by the short name of that work.

    >>> cited("@dekel2004; @kosmopoulos2015, Section 2.3.2")
    'Dekel et al. 2004; Kosmopoulos et al. 2015, Section 2.3.2'
    """

    def name(found: re.Match[str]) -> str:
        check_known("reference", found[1], references())
        return references()[found[1]].short

    return re.sub(r"@(\w+)", name, text)


def works_in(text: str) -> Iterator[Reference]:
    """Yield the works that a text names, in the order of the text."""
    by_name = {work.short: work for work in references().values()}
    for found in re.finditer("|".join(rf"\b{re.escape(name)}\b" for name in by_name), text):
        yield by_name[found[0]]
