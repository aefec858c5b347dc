"""Conventions of programs and papers (protocols.yaml), and captions for the tables of a paper.

A protocol has the convention behind each number that a program or paper prints.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.package import data_file
from hiermeasures.hierarchy.words import capitalize
from hiermeasures.measures import find_measure
from hiermeasures.measures.catalogue import escaped_latex
from hiermeasures.verify.forensics.counts import Scores
from hiermeasures.verify.forensics.grid import OTHER_NAMES, Convention, axes, is_meant, measures
from hiermeasures.verify.forensics.search import values_of


@dataclass(frozen=True)
class Protocol:
    """A program or paper, with the convention of each number that it prints.

    `read` names the source that we read. `note` lists facts that the conventions do not express.
    `field` is the community that uses it.
    """

    key: str
    title: str
    source: str
    read: str
    numbers: Mapping[str, Convention]
    note: str
    field: str = ""

    def values(
        self, hierarchy: Hierarchy, y_true: Sequence[Any], y_pred: Sequence[Any] | Scores
    ) -> dict[str, float]:
        """Compute the numbers of the protocol.

        Parameters
        ----------
        hierarchy : Hierarchy
        y_true : sequence of label collections
        y_pred : sequence of label collections, or Scores
            Scores need conventions that name a decision.

        Returns
        -------
        dict
            The numbers by name.

        Raises
        ------
        InputError
            If the protocol has no number of two sets of labels.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
        >>> protocol("hiclass").values(h, [{"T1"}], [{"P1"}])["f1_micro"]
        0.5
        """
        if not self.numbers:
            raise InputError(f"{self.key} has no number of two sets of labels. {self.note}")
        return dict(
            zip(
                self.numbers,
                values_of(hierarchy, y_true, y_pred, list(self.numbers.values())),
                strict=True,
            )
        )


@lru_cache(maxsize=1)
def protocols() -> Mapping[str, Protocol]:
    found = {}
    for key, entry in data_file(__package__, "protocols.yaml").items():
        numbers = {name: Convention.parse(text) for name, text in entry.pop("numbers").items()}
        found[key] = Protocol(key=key, numbers=numbers, **entry)
    return found


def protocol(name: str) -> Protocol:
    """Return a protocol by its key, or a protocol of one convention by the convention's id.

    Parameters
    ----------
    name : str
        A key such as "hiclass", or an id such as "F|average:micro".

    Raises
    ------
    InputError
        For an unknown name.

    See Also
    --------
    protocols : All protocols by key.

    Examples
    --------
    >>> protocol("F|average:micro").numbers["F|average:micro"]["ancestors"]
    'both'
    """
    if name not in protocols() and name.partition("|")[0] in (*measures(), *OTHER_NAMES):
        said = Convention.parse(name)
        return Protocol(
            said.id,
            "A convention",
            source=said.sentence(),
            read="",
            numbers={said.id: said},
            note="",
        )
    if name not in protocols():
        raise InputError(unknown("protocol", name, protocols()))
    return protocols()[name]


# Measures of `evaluate` that a convention can express: its quantity, with ancestors or without.
SAID = {
    **{f"h{quantity}": (quantity, "both") for quantity in "PRF"},
    **{
        key: (quantity, "none")
        for key, quantity in (("precision", "P"), ("recall", "R"), ("f1", "F"))
    },
    "accuracy": ("accuracy", "none"),
}


@dataclass(frozen=True)
class Caption:
    """A convention in words, with its value for each system.

    `matters` are the axes that matter: another choice gives another number on these data.
    """

    convention: Convention
    values: Mapping[str, float]
    matters: tuple[str, ...]

    @property
    def value(self) -> float:
        return next(iter(self.values.values()))

    @property
    def text(self) -> str:
        return "{} ({}). {}.".format(*self._parts)

    @property
    def latex(self) -> str:
        """The caption for LaTeX. The id is in typewriter, because other fonts lack the bar."""
        return r"{} (\texttt{{{}}}). {}.".format(*map(escaped_latex, self._parts))

    @property
    def _parts(self) -> tuple[str, str, str]:
        said = (
            self.convention.sentence(self.matters)
            if self.matters
            else "no choice of convention matters on these data"
        )
        name = measures()[self.convention.measure]["name"]
        return capitalize(name), self.convention.id, capitalize(said)


def caption(
    hierarchy: Hierarchy,
    y_true: Sequence[Any],
    y_pred: Sequence[Any] | Scores | Mapping[str, Sequence[Any] | Scores],
    said: Convention,
) -> Caption:
    """Return a caption with the choices that change a number on these data.

    One axis is changed at a time. An axis is in the caption if a change of it changes the number of
    at least one system.

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true : sequence of label collections
    y_pred : sequence of label collections, Scores, or a mapping of systems to them
    said : Convention
        The convention of the number. For scores it names a decision. The alternatives are then the
        decisions of the scores.

    Returns
    -------
    Caption

    See Also
    --------
    convention_of : The convention of a measure.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1")])
    >>> print(caption(h, [["T1"], ["C"]], [["P1"], ["C"]], Convention.of("F", average="micro")).text)
    F1 (F|average:micro). Average: one ratio of sums over all instances; ancestors: added on both sides; \
root: not counted; precision and recall inside F1: are exact.
    """
    moved, found = {"average"}, {}
    for name, rows in (y_pred if isinstance(y_pred, Mapping) else {"prediction": y_pred}).items():
        neighbours = list(_neighbours(said, rows))
        found[name], *others = values_of(
            hierarchy, y_true, rows, [said, *(each for _, each in neighbours)]
        )
        pairs = zip(neighbours, others, strict=True)
        moved |= {axis for (axis, _), other in pairs if not abs(other - found[name]) <= 1e-12}
    return Caption(said, found, tuple(axis for axis, _ in said.choices if axis in moved))


def _neighbours(said: Convention, rows: Sequence[Any] | Scores) -> Iterator[tuple[str, Convention]]:
    """Yield each axis with a convention that differs on it.

    The axis `average` is left out, because another average is another number.
    """
    for axis, own in said.choices:
        choices = [choice.key for choice in axes()[axis].choices]
        if axis == "decision" and isinstance(rows, Scores):
            choices = rows.others(own)
        for choice in choices:
            changed = tuple(
                (name, choice if name == axis else given) for name, given in said.choices
            )
            if choice != own and axis != "average" and is_meant(dict(changed), said.measure):
                yield axis, Convention(said.measure, changed)


def convention_of(
    key: str,
    hierarchy: Hierarchy,
    options: Options,
    *,
    average: str = "samples",
    unknown: str | None = None,
) -> Convention:
    """Return the convention of a measure in `evaluate`.

    Parameters
    ----------
    key : str
        The key of a measure.
    hierarchy : Hierarchy
    options : Options
    average : {"samples", "micro", "macro"}
    unknown : str, optional
        The policy for unknown answers, if the data have such answers.

    Returns
    -------
    Convention

    Raises
    ------
    InputError
        If no convention expresses the measure with these settings.

    See Also
    --------
    caption : Describe the convention on your data.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> convention_of("hF", h, Options(), average="micro").id
    'F|average:micro|root:in'
    """
    measure = find_measure(key)
    if measure.key not in SAID:
        raise InputError(f"no caption describes {measure.key}. Use one of {', '.join(SAID)}")
    usual = Options.make({})
    if other := [
        o for o in measure.options if o != "count_root" and getattr(options, o) != getattr(usual, o)
    ]:
        raise InputError(f"no caption describes the option {other[0]}. Use its default")
    quantity, ancestors = SAID[measure.key]
    chosen = {"ancestors": ancestors}
    chosen |= {} if ancestors == "both" and not options.counts_root(hierarchy) else {"root": "in"}
    chosen |= {"unknown": "drop"} if unknown == "drop" else {}
    if quantity != "accuracy":
        chosen["average"] = average
    elif average == "macro":
        raise InputError("accuracy has no mean over classes. Use another average")
    if unknown == "wrong" and (average == "macro" or (ancestors == "both" and "root" in chosen)):
        raise InputError(
            "no caption describes unknown='wrong' with a counted root or with a mean over classes, "
            "because instances share the wrong classes under the root. Use another policy for "
            "unknown answers"
        )
    return Convention.of(quantity, **chosen)
