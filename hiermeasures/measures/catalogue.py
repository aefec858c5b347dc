"""What a measure is: one declaration, from which tables, tooltips, the glossary, the command line and the docs are
made.

The families' modules declare their measures with these types; hiermeasures.measures gathers them into the catalogue.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.options import Options

Path = tuple[str, ...]
Direction = Literal["higher", "lower"]


@dataclass(frozen=True)
class Instance:
    """What a structure is built from: one instance's true and predicted classes in a hierarchy, and the options.

    The paths are those a DAG classifier gave, root first; None where only label sets are known.
    """

    hierarchy: Hierarchy
    true: frozenset[str]
    predicted: frozenset[str]
    options: Options
    true_paths: tuple[Path, ...] | None = None
    predicted_paths: tuple[Path, ...] | None = None

    @property
    def uncounted(self) -> frozenset[str]:
        """The classes that set-based measures leave out: the root, or none."""
        return frozenset() if self.options.counts_root(self.hierarchy) else frozenset({self.hierarchy.root})

    @cached_property
    def distances(self) -> dict[tuple[str, str], float]:
        """The distance of every (predicted, true) pair along the ways that the options allow; the pair-based networks
        share it.
        """
        distance, path = self.hierarchy.distance, self.options.path
        return {(p, t): distance(p, t, path) for p in self.predicted for t in self.true}


@dataclass(frozen=True)
class Derivation:
    """How a number came about: the formula with this instance's numbers in it (LaTeX), and one plain sentence."""

    latex: str
    sentence: str


@dataclass(frozen=True)
class Family:
    """Measures that read the same kind of structure."""

    key: str
    title: str
    description: str


@dataclass(frozen=True)
class Measure:
    """One measure of the catalogue.

    `structure` names what it reads (a part of an Explanation), `score` reads the number off it, `derive` says how.
    `low` and `high` bound the value (None: no bound); `better` says which end is good. `options` names the settings
    that change it. Where `perfect_varies`, a perfect prediction need not reach the good end, as where every pair of
    classes is summed.
    """

    key: str
    symbol: str
    name: str
    family: str
    structure: str
    formula: str
    description: str
    source: str
    score: Callable[[Any, Options], float]
    derive: Callable[[Any, Options], Derivation]
    better: Direction = "higher"
    low: float | None = 0.0
    high: float | None = 1.0
    options: tuple[str, ...] = ()
    perfect_varies: bool = False

    @property
    def perfect(self) -> float | None:
        """The value of a perfect prediction; None where it depends on the instance (counts without bound, sums over all
        pairs).
        """
        if self.perfect_varies:
            return None
        return self.high if self.better == "higher" else self.low


def ratio(part: float, whole: float, options: Options, agree: bool = False) -> float:
    """part / whole; where whole is 0: 1.0 if the two sides agree (both are empty), else `zero_division`."""
    if whole:
        return part / whole
    return 1.0 if agree else options.zero_division


def number(value: float) -> str:
    """A number for a derivation: four decimals at most, no trailing zeros.

    >>> number(2 / 3), number(4.0), number(float("nan"))
    ('0.6667', '4', '–')
    """
    if value != value:
        return "–"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def fraction(part: float, whole: float, value: float) -> str:
    r"""LaTeX for a ratio and its value.

    >>> fraction(2, 4, 0.5)
    '\\frac{2}{4} = 0.5'
    """
    return rf"\frac{{{number(part)}}}{{{number(whole)}}} = {number(value)}"


def named(labels: Iterable[str], limit: int = 8) -> str:
    """Class names in a sentence, sorted, the first few of them; "none" where there are none.

    >>> named({"B", "A"}), named([])
    ('A, B', 'none')
    """
    ordered = sorted(labels)
    if not ordered:
        return "none"
    rest = len(ordered) - limit
    return ", ".join(ordered[:limit]) + (f" and {rest} more" if rest > 0 else "")


_LATEX_TEXT = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\textdollar{}", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def latex_text(label: str, limit: int = 40) -> str:
    r"""A class name as upright text inside a LaTeX formula; nothing in it acts as a command, and long names are cut.

    >>> latex_text("R&D_1")
    '\\text{R\\&D\\_1}'
    """
    return rf"\text{{{escaped_latex(label if len(label) <= limit else label[: limit - 1] + '…')}}}"


def escaped_latex(text: str) -> str:
    r"""Text for LaTeX in which nothing acts as a command.

    >>> escaped_latex("a_b & 50%")
    'a\\_b \\& 50\\%'
    """
    return "".join(_LATEX_TEXT.get(c, c) if c.isprintable() else " " for c in text)


def counted(n: int, singular: str, plural: str | None = None) -> str:
    """A count with its noun.

    >>> counted(1, "class", "classes"), counted(3, "class", "classes")
    ('1 class', '3 classes')
    """
    return f"{n} {singular if n == 1 else plural or singular + 's'}"
