"""Types that declare a measure and its structure, and the bibliography.

Each family's module declares its measures with these types. hiermeasures.measures collects them in
the catalogue. Tables, tooltips, the glossary, the command line and the docs are made from the
declarations.

`references.json` is CSL-JSON, which reference managers read. Its field `custom` says how much of a
work we read: the whole, the abstract, or nothing ("not at hand").
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
    """The input of a structure: an instance's classes on both sides of a hierarchy, and options.

    The paths are the predictions of a DAG classifier, root first. They are None if only label sets
    are known. `exact_work` is the most steps of the exact search for minimal LCA graphs; None means
    the default of lca_solvers. `uncut` is the hierarchy before it was cut at a distance.
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
        """The root of the whole hierarchy. It stands for a side without classes."""
        return (self.hierarchy if self.uncut is None else self.uncut).root

    @property
    def uncounted(self) -> frozenset[str]:
        """The classes that set-based measures leave out: the root, or no class."""
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
        """Return the distance of every (predicted, true) pair along the paths that the options
        allow.
        """
        distance, path = self.hierarchy.distance, self.options.path
        return {(p, t): distance(p, t, path) for p in self.predicted for t in self.true}


OPEN, BETWEEN, CLOSE = "\ue000\ue001\ue002"  # for private use; no label has them in a formula
_MARKS = re.compile(f"{OPEN}[^{BETWEEN}]*{BETWEEN}|{CLOSE}")


def mark_term(key: str, latex: Any) -> str:
    """Return a part of a formula (LaTeX) with the key of its term. `remove_marks` takes it away.

    >>> remove_marks(mark_term("true", "|Y|") + " + 1")
    '|Y| + 1'
    """
    return f"{OPEN}{key}{BETWEEN}{latex}{CLOSE}"


def remove_marks(marked: str) -> str:
    """Return a formula as plain LaTeX."""
    return _MARKS.sub("", marked)


@dataclass(frozen=True)
class Term:
    """What a term of a formula stands for: in words, and its classes."""

    words: str
    classes: frozenset[str]

    @classmethod
    def of(cls, what: str, classes: Iterable[str]) -> "Term":
        """Return a term for some classes; the words name them.

        >>> Term.of("in both sets", ["B", "A"]).words
        '2 classes in both sets: A, B'
        """
        found = frozenset(classes)
        listed = f": {named(found)}" if found else ""
        return cls(f"{write_count(len(found), 'class')} {what}{listed}", found)


@dataclass(frozen=True)
class Derivation:
    """The formula with this instance's numbers in it, and one plain sentence.

    `marked` is LaTeX in which the terms have keys of `Structure.terms` (`mark_term`).
    """

    marked: str
    sentence: str

    @property
    def latex(self) -> str:
        return remove_marks(self.marked)


@dataclass(frozen=True, kw_only=True)
class Family:
    """Measures that read the same kind of structure.

    `rank` is the place on screen and in print; the best known family comes first. `exercises` are
    the keys of the measures that exercises ask for, because they can be computed on paper; the best
    known comes first.
    """

    key: str
    title: str
    description: str
    rank: int
    exercises: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Structure(Generic[T]):
    """A structure that measures read: how to build it, and which numbers to keep for an instance.

    `build` makes the structure of an instance. It is the readable definition, and views draw its
    result. `row` reads the numbers named in `columns` off the result: counts, or floats if `whole`
    is false. `meanings` explains each column. A measure reads only these columns, so one formula
    works for one instance, for an array of instances and for their sums. A kernel
    (hiermeasures.evaluation) fills the same columns without building the structure.

    If options decide the content of a row, `variant` returns an ending for the table's name.
    `row_of_class` makes a row for one class or an array of classes. Its input is the number of
    instances that have the class on the true side, on the predicted side, and on both. Without it
    there are no macro averages and no values per level.

    `terms` returns what the terms of the formulas stand for, by the keys with which derivations
    mark them. `view` is the key of the view that draws the structure (hiermeasures.draw.views). "classes"
    draws the two label sets and lists the columns. `changes` describes the difference between two
    built structures. Without it the numbers of the rows are compared.
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
        return namedtuple("Columns", self.columns)

    def table(self, options: Options) -> str:
        """Return the name under which a batch keeps the columns. It depends on the options."""
        return self.key + self.variant(options)

    def read(self, built: T, options: Options) -> Any:
        return self.named_row(*self.row(built, options))


@dataclass(frozen=True, kw_only=True, eq=False)
class Measure:
    """One measure of the catalogue.

    `read` is its only formula. It takes the columns of the structure, numbers or arrays, and
    returns one value per row. `derive` explains the value of a built structure. `low` and `high`
    are the bounds of the value (None: no bound), and `better` says which end is good. `options` are
    the settings that change the measure, and `fixed` are the settings that it makes itself. If
    `perfect_varies`, a perfect prediction may miss the good end, for example if all pairs of
    classes are summed. `function` is the name in hiermeasures.metrics: "…_score" if higher is
    better, else "…_error" or "…_loss". A measure outside the catalogue has no function.

    `pooled` says when the value of many instances is read off their summed columns: for the micro
    average, "always" or "never". Otherwise the value is the mean over instances. "undefined" means
    that the measure has no micro average. If `macro`, the measure can also be read off the counts
    of each class. If `by_default`, it is evaluated unless you name measures.

    A measure reads one structure. An own measure (own.py) may read several. Its `structures`,
    `reads`, `columns` and `evidence` list them.
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
        return self.name

    @property
    def title(self) -> str:
        return f"{self.name} ({self.key})"

    @property
    def group(self) -> Family:
        return self.structure.family

    @property
    def family(self) -> str:
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
        """Return the options together with the settings that the measure makes itself."""
        return options.with_values(**dict(self.fixed)) if self.fixed else options

    def reads(self, options: Options) -> dict[str, tuple[Structure[Any], Options]]:
        """Return the tables that the measure reads, by name: the structure, and the options of its
        row.
        """
        settled = self.settled(options)
        return {self.structure.table(settled): (self.structure, settled)}

    def columns(self, tables: Mapping[str, Any], options: Options) -> Any:
        """Return the columns that the formula reads, from some tables."""
        return tables[self.structure.table(self.settled(options))]

    def value(self, tables: Mapping[str, Any], options: Options) -> Any:
        """Return the value, or an array of values, read off the columns of the tables."""
        return self.read(self.columns(tables, options), self.settled(options))

    def evidence(
        self, built: Callable[[Structure[Any]], Any], tables: Mapping[str, Any], options: Options
    ) -> Any:
        """Return the object that `derive` explains. `built` returns structures, and `tables` has
        the columns.
        """
        return built(self.structure)


LOSS: Mapping[str, Any] = {"better": "lower", "high": None, "pooled": "never"}
"""Settings of a measure that counts or sums what is wrong: no upper bound, and the mean of many."""


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

    If whole is 0, the result is `perfect` if the two sides agree (both are empty), else the option
    `zero_division`.
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
    """Return a number for a derivation: four decimals at most, no trailing zeros.

    >>> number(2 / 3), number(4.0), number(float("nan")), number(-1e30)
    ('0.6667', '4', '–', '-1e+30')
    """
    if abs(value) >= LARGE:
        return f"{value:.6g}"
    return "–" if value != value else f"{value:.4f}".rstrip("0").rstrip(".")


def fraction(part: object, whole: object) -> str:
    return rf"\frac{{{part}}}{{{whole}}}"


def named(labels: Iterable[str], limit: int = 8) -> str:
    """Return the first few class names for a sentence, sorted, or "none"."""
    return write_list([quote_comma(label) for label in sorted(labels)], limit) or "none"


def gone_and_new(
    before: Iterable[T], after: Iterable[T], words: tuple[str, str], written: Callable[[T], str]
) -> list[str]:
    """Return two texts: the items only in `before` and those only in `after`, each with its
    heading.

    A heading without items is left out.
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
    """Return the labels that changed their place, by the old and the new place."""
    found: dict[tuple[T, T], list[str]] = {}
    for label in before.keys() | after.keys():
        places = before.get(label, nowhere), after.get(label, nowhere)
        if places[0] != places[1]:
            found.setdefault(places, []).append(label)
    return found


def changed_numbers(before: Any, after: Any, words: Mapping[str, str]) -> list[str]:
    """Return one text about the attributes whose numbers changed, or an empty list."""
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
    """Return a class name as upright text for a LaTeX formula, with all commands escaped."""
    return rf"\text{{{escaped_latex(label if len(label) <= limit else label[: limit - 1] + '…')}}}"


def escaped_latex(text: str) -> str:
    """Return a text for LaTeX with all commands escaped."""
    return "".join(_LATEX_TEXT.get(c, c) if c.isprintable() else " " for c in text)


def plain_text(latex: str) -> str:
    """Return the text from which `escaped_latex` made this one."""
    return _ESCAPED.sub(lambda m: _PLAIN[m.group()], latex)


READ = ("whole", "abstract", "not at hand")


@dataclass(frozen=True)
class Reference:
    """A work of the bibliography.

    `read` says how much of it we read (one of READ). `text` names the version that we read, or the
    work that we cite it from.
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
        """The name in a sentence, such as `Kosmopoulos et al. 2015`."""
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
    """Replace every key with @ in a text by the work's name.

    >>> cited("@dekel2004; @kosmopoulos2015, Section 2.3.2")
    'Dekel et al. 2004; Kosmopoulos et al. 2015, Section 2.3.2'
    """

    def name(found: re.Match[str]) -> str:
        check_known("reference", found[1], references())
        return references()[found[1]].short

    return re.sub(r"@(\w+)", name, text)


def works_in(text: str) -> Iterator[Reference]:
    """Yield the works that `cited` finds in a text, in their order."""
    by_name = {work.short: work for work in references().values()}
    for found in re.finditer("|".join(rf"\b{re.escape(name)}\b" for name in by_name), text):
        yield by_name[found[0]]
