"""Axes on which evaluation code differs (axes.yaml), and conventions.

A convention has a choice on every axis that applies to it. Combinations without a meaning of their
own are left out for all data. search.py joins conventions that are equal on the given data.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product

from hiermeasures.hierarchy.errors import InputError, repeated, unknown
from hiermeasures.hierarchy.package import data_file

SETS = ("P", "R", "F")  # the quantities of two sets of classes
# These axes select the counted classes. The other axes select the number that is computed.
MARKING = (
    "ancestors",
    "namespaces",
    "root",
    "levels",
    "too_specific",
    "too_general",
    "unknown",
    "duplicates",
    "denominator",
)
OTHER_NAMES = {
    name: key
    for key, names in {
        "P": "hP precision",
        "R": "hR recall",
        "F": "hF F1 f1 hF1",
        "distance": "TIE",
    }.items()
    for name in names.split()
}


@dataclass(frozen=True)
class Choice:
    """A choice on an axis."""

    key: str
    words: str


@dataclass(frozen=True)
class ConventionAxis:
    """An axis on which evaluation code differs. Its first choice is the usual one.

    It applies to `measures` and `averages`. Empty `averages` mean all. An axis with `needs` applies
    only to this input (scores), and none of its choices is usual.
    """

    key: str
    title: str
    choices: tuple[Choice, ...]
    averages: tuple[str, ...]
    measures: tuple[str, ...]
    needs: str
    usual: str

    def applies(self, measure: str, average: str) -> bool:
        return (
            not self.needs
            and measure in self.measures
            and (not self.averages or average in self.averages)
        )

    def choice(self, key: str) -> Choice:
        """Return a choice by its key. The key can end with a number, such as above@0.5.

        For an unknown key, an InputError names the nearest one.
        """
        name, at, number = key.partition("@")
        for choice in self.choices:
            if choice.key == name and not at:
                return choice
            if choice.key == name and self.needs and _is_number(number):
                return Choice(key, f"{choice.words} ({number})")
        raise InputError(
            unknown(f"choice of {self.key}", key, [choice.key for choice in self.choices])
        )


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal() and text.isascii()


@cache
def axes() -> Mapping[str, ConventionAxis]:
    found = {}
    for entry in data_file(__package__, "axes.yaml")["axes"]:
        choices = tuple(Choice(key, choice["words"]) for key, choice in entry["choices"].items())
        averages, needs = tuple(entry.get("for", ())), entry.get("with", "")
        found[entry["key"]] = ConventionAxis(
            entry["key"],
            entry["title"],
            choices,
            averages,
            measures=tuple(entry.get("measures", (*SETS, "accuracy"))),
            needs=needs,
            usual="" if needs else choices[0].key,
        )
    return found


@cache
def axes_of(
    measure: str, average: str, needed: frozenset[str] = frozenset()
) -> tuple[ConventionAxis, ...]:
    """Return the axes that apply to a quantity and an average.

    Axes with `needs` are included only if `needed` has their keys.
    """
    return tuple(
        a for a in axes().values() if a.applies(measure, average) or (a.needs and a.key in needed)
    )


@cache
def measures() -> Mapping[str, Mapping[str, str]]:
    """Return the names and meanings of the quantities by key."""
    found: Mapping[str, Mapping[str, str]] = data_file(__package__, "axes.yaml")["measures"]
    return found


def known_measure(name: str) -> str:
    """Return the key of a quantity from any of its names. InputError for an unknown name."""
    key = OTHER_NAMES.get(name, name)
    if key in measures():
        return key
    raise InputError(unknown("quantity", name, [*measures(), *OTHER_NAMES]))


@dataclass(frozen=True)
class Convention:
    """A quantity with a choice on each axis that applies to it, in the order of `axes`.

    See Also
    --------
    protocols : The conventions of programs and papers.

    Examples
    --------
    >>> theirs = Convention.of("F", average="micro", root="in")
    >>> theirs.id, theirs["ancestors"], theirs.departures
    ('F|average:micro|root:in', 'both', ('average', 'root'))
    """

    measure: str
    choices: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, measure: str, /, **choices: str) -> "Convention":
        """Return the convention with these choices, and the usual ones on the other axes.

        Parameters
        ----------
        measure : str
            A quantity: P, R, F, accuracy or distance, or another name of one.
        **choices
            A choice for each axis that you name.

        Raises
        ------
        InputError
            If a quantity, axis or choice is unknown, if an axis does not apply, or if the choices
            contradict each other.
        """
        measure = known_measure(measure)
        for key, choice in choices.items():
            if key not in axes():
                raise InputError(unknown("axis", key, axes()))
            axes()[key].choice(choice)
        average = choices.get("average", axes()["average"].usual) if measure in SETS else ""
        found = {
            a.key: choices.get(a.key, a.usual)
            for a in axes_of(measure, average, frozenset(choices))
        }
        if odd := [key for key in choices if key not in found]:
            raise InputError(
                f"leave out the axis {odd[0]!r}. It does not apply to {measure} {average}".strip()
            )
        if not is_meant(found, measure):
            raise InputError(
                "these choices make no sense together: "
                f"{', '.join(f'{a}:{c}' for a, c in choices.items())}. Leave one out"
            )
        return cls(measure, tuple(found.items()))

    @classmethod
    def parse(cls, text: str) -> "Convention":
        measure, *parts = text.strip().split("|")
        pairs = [part.partition(":") for part in parts]
        if bad := [part for part, (_, colon, _) in zip(parts, pairs, strict=True) if not colon]:
            raise InputError(f"{bad[0]!r} is not a choice. Write a convention as F|axis:choice|…")
        if twice := repeated("axis", (axis for axis, _, _ in pairs)):
            raise InputError(twice)
        return cls.of(measure, **{axis: choice for axis, _, choice in pairs})

    def __getitem__(self, axis: str) -> str:
        return dict(self.choices)[axis]

    def decided(self, decision: str) -> "Convention":
        """Return the convention for scores that this decision turns into labels."""
        return Convention.of(self.measure, **{**dict(self.choices), "decision": decision})

    @property
    def marking(self) -> dict[str, str]:
        return {axis: choice for axis, choice in self.choices if axis in MARKING}

    @cached_property
    def departures(self) -> tuple[str, ...]:
        return tuple(axis for axis, choice in self.choices if choice != axes()[axis].usual)

    @property
    def id(self) -> str:
        """The short name that `parse` reads. It has the choices that differ from the usual ones."""
        chosen = dict(self.choices)
        return "|".join([self.measure, *(f"{axis}:{chosen[axis]}" for axis in self.departures)])

    def sentence(self, only: tuple[str, ...] | None = None) -> str:
        """Return the choices in words: those on the axes in `only`, or the unusual ones."""
        chosen = dict(self.choices)
        keys = self.departures if only is None else only
        parts = [
            f"{inside(axes()[key].title)}: {axes()[key].choice(chosen[key]).words}" for key in keys
        ]
        return "; ".join(parts) or "as usual"


def inside(title: str) -> str:
    return title if title[1:2].isdigit() else title[:1].lower() + title[1:]


def is_meant(chosen: Mapping[str, str], measure: str = "") -> bool:
    """Return False if one choice makes another meaningless.

    Added ancestors would bring back labels that were left out. Credit for a class above or below a
    true one needs all labels, without ancestors. Namespaces need added ancestors. A mean of F1
    values has no precision and recall to round. Accuracy compares whole sets, so the definition of
    a hit does not matter.
    """
    if measure == "accuracy" and chosen["ancestors"] == "path":
        return False
    if chosen.get("rounding") == "whole" and chosen.get("f_of") == "each":
        return False
    if "ancestors" not in chosen:
        return True
    if chosen["namespaces"] == "within" and chosen["ancestors"] in ("none", "path"):
        return False
    is_restricted = chosen["levels"] != "pooled"
    is_credited = "right" in (chosen["too_specific"], chosen["too_general"])
    if chosen["ancestors"] == "none":
        return not (is_restricted and is_credited)
    return not is_restricted and not is_credited


def markings(absent: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield every selection of counted classes.

    `absent` has the choices on axes that cannot matter.
    """
    # the selection of labels and instances changes least often, so counts are shared
    order = MARKING[::-1]
    options = [
        (absent[key],) if key in absent else [c.key for c in axes()[key].choices] for key in order
    ]
    for combination in product(*options):
        chosen = dict(zip(order, combination, strict=True))
        if is_meant(chosen):
            yield chosen
