"""An overlay: what a view lays over a hierarchy. Marks and badges at classes, sides of edges, links
between classes, and the legend.

A mark says which side a class is on, true (circled) and predicted (boxed), and how: as a class of
its own or put in by a measure. A badge is a short text at a class. Here are labels and no places:
scene.py puts an overlay on arranged classes and settles what it looks like.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from hiermeasures.measures import Explanation

Edge = tuple[str, str]
Sides = Literal["none", "true", "predicted", "both"]


class Side(IntEnum):
    """The part of a class on one side."""

    NONE = 0
    ADDED = 1
    CLASS = 2


@dataclass(frozen=True)
class Mark:
    """The look of one class: its part on the true and on the predicted side, whether a rule struck
    it out, and whether it is ringed as one that was looked at but is on neither side.
    """

    true: Side = Side.NONE
    predicted: Side = Side.NONE
    struck: bool = False
    ringed: bool = False


PLAIN = Mark()


@dataclass(frozen=True)
class Badge:
    """A short text at a class. `kind` names its line in the legend; `words` are hover text."""

    text: str
    kind: str
    words: str = ""


@dataclass(frozen=True)
class Link:
    """A curve between two classes of which neither need be above the other, and the text on it."""

    start: str
    end: str
    text: str
    kind: str


@dataclass(frozen=True)
class LegendEntry:
    """A line of the legend for badges, links or edges of a kind: a sample of it, and what it means.

    All of the kind are drawn alike: `faint` what was not taken or counts for nothing, `struck` what
    a rule took out.
    """

    what: Literal["badge", "link", "edge", "focus"]
    sample: str
    words: str
    faint: bool = False
    struck: bool = False


@dataclass(frozen=True)
class Overlay:
    """A structure as it is drawn on the hierarchy.

    `marks` are by class (classes without one are plain) and `words` says what each kind of mark
    means here. `edges` are the marked (parent, child); None leaves it to the marks at their ends.
    `focus` are the classes that a step is about. `legend` explains badges and links by kind, edges
    as "true", "predicted" and "both", and the focus as "focus". `weights` are what classes weigh,
    where they are drawn in a size that shows it.
    """

    title: str
    marks: Mapping[str, Mark]
    words: Mapping[Mark, str] = field(default_factory=dict)
    badges: Mapping[str, Badge] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    edges: Mapping[Edge, Sides] | None = None
    focus: frozenset[str] = frozenset()
    legend: Mapping[str, LegendEntry] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)

    def meaning(self, mark: Mark) -> str:
        """The meaning of a mark, in plain words."""
        return self.words.get(mark) or _meaning(mark, self.words)

    def legend_entries(self, drawn: Iterable[str], edges: Iterable[Edge] = ()) -> tuple[tuple[str, LegendEntry], ...]:
        """The legend beside that of the marks, by kind: what is on these classes and edges."""
        classes = set(drawn)
        kinds = {badge.kind for label, badge in self.badges.items() if label in classes}
        kinds |= {link.kind for link in self.links if {link.start, link.end} <= classes}
        kinds |= {self.edges[e] for e in edges if e in self.edges} if self.edges is not None else set()
        kinds |= {"focus"} if self.focus & classes else set()
        return tuple((kind, line) for kind, line in self.legend.items() if kind in kinds)


def side_of(label: str, own: frozenset[str], grown: Iterable[str]) -> Side:
    """The part of a class on a side with `own` classes that a measure has `grown`."""
    return Side.CLASS if label in own else Side.ADDED if label in grown else Side.NONE


def marks_of(explanation: Explanation, true: frozenset[str], predicted: frozenset[str]) -> dict[str, Mark]:
    """The marks of two sets of classes, the given classes firm among them and always drawn."""
    drawn = true | predicted | explanation.true | explanation.predicted
    return {
        c: Mark(side_of(c, explanation.true, true), side_of(c, explanation.predicted, predicted))
        for c in sorted(drawn, key=explanation.hierarchy.index)
    }


def sides(true: bool, predicted: bool) -> Sides:
    """The word for one side, for both, or for none."""
    return "both" if true and predicted else "true" if true else "predicted" if predicted else "none"


def edge_marks(true: Iterable[Edge], predicted: Iterable[Edge]) -> dict[Edge, Sides]:
    """The sides that have each edge."""
    of_true, of_predicted = set(true), set(predicted)
    return {e: sides(e in of_true, e in of_predicted) for e in sorted(of_true | of_predicted)}


def edge_legend(true: str, predicted: str, both: str) -> dict[str, LegendEntry]:
    """The legend of marked edges."""
    words = {"both": both, "true": true, "predicted": predicted}
    return {kind: LegendEntry("edge", kind, meaning) for kind, meaning in words.items()}


def mark_words(added: tuple[str, str, str], beside: tuple[str, str]) -> dict[Mark, str]:
    """The words of the legend: on what was `added` to the true side, the predicted one and both,
    and on true and on predicted classes that were added to the other side (`beside`).
    """
    none, more, own = Side.NONE, Side.ADDED, Side.CLASS
    marks = (own, none), (none, own), (own, own), (more, none), (none, more), (more, more), (own, more), (more, own)
    words = "true", "predicted", "true and predicted", *added, f"true, and {beside[0]}", f"predicted, and {beside[1]}"
    return {Mark(*sides): said for sides, said in zip(marks, words, strict=True)}


def words_for(added: str) -> dict[Mark, str]:
    """The words of the legend where a set was made of each side by adding classes of one kind."""
    beside = f"among the {added}s of predicted", f"among the {added}s of true"
    return mark_words((f"{added} of true only", f"{added} of predicted only", f"{added} of both"), beside)


def words_in(what: str, where: str = "in") -> dict[Mark, str]:
    """The words of the legend where each side has a graph or paths of its own.

    >>> words_in("graph")[Mark(Side.ADDED, Side.ADDED)]
    'in both graphs'
    """
    true, predicted = f"{where} the true {what}", f"{where} the predicted {what}"
    return mark_words((true, predicted, f"{where} both {what}s"), (predicted, true))


def _meaning(mark: Mark, words: Mapping[Mark, str]) -> str:
    if mark.struck:
        return f"{_meaning(Mark(mark.true, mark.predicted), words)}, not counted"
    return words.get(mark) or words_for("ancestor").get(mark, "in neither set")
