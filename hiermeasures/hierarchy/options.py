"""Options of the measures.

Each option is declared once. The library, the command line and the screens read the declarations.
The papers discuss the interpretations behind the defaults, and docs/measures.md lists them.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, TypedDict

from hiermeasures.hierarchy.errors import SHOWN, InputError, check_known, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import agree


@dataclass(frozen=True)
class DeclaredOption:
    """The declaration of an option: its type, default, range, title and description."""

    annotation: Any
    default: Any
    title: str
    description: str
    gt: float | None = None
    ge: float | None = None
    le: float | None = None

    @property
    def bounds(self) -> dict[str, float]:
        """The bounds that are set, by the names `gt`, `ge` and `le`."""
        found = {"gt": self.gt, "ge": self.ge, "le": self.le}
        return {name: bound for name, bound in found.items() if bound is not None}


def _option(default: Any, **declared: Any) -> Any:
    return field(default=default, metadata=declared)


def _bound(title: str, description: str) -> Any:
    """Declare a bound on the number of pairs of a class."""
    return _option(None, ge=0, le=10_000, title=title, description=f"Own pairing: {description}")


@dataclass(frozen=True)
class Options:
    """The options of the measures. Each has a default.

    `Options.make` builds checked options. docs/measures.md lists the options with their meanings.

    Examples
    --------
    >>> Options.make(dmax=3, graphs="extended").changed
    {'dmax': 3.0, 'graphs': 'extended'}
    """

    dmax: float = _option(
        5.0,
        gt=0,
        le=1e100,  # sums stay finite
        title="D_max",
        description="The cost of a class without a partner (pair-based measures).",
    )
    normaliser: Literal["union", "symmetric_difference"] = _option(
        "union",
        title="MGIA normaliser",
        description="MGIA divides by D_max times the size of this set of classes. The paper's "
        "tables and its argument need the union. The symmetric difference is the other reading of "
        "its formula.",
    )
    count_root: bool | None = _option(
        None,
        title="Count the root",
        description="Whether set-based measures count the root. By default they count a real root "
        "and do not count a virtual one.",
    )
    too_specific: Literal["wrong", "right", "ignored"] = _option(
        "wrong",
        title="Too specific",
        description="How flat and ancestor sets count a predicted class below a true one: as "
        "wrong, as the true class itself, or not at all.",
    )
    too_general: Literal["wrong", "right", "ignored"] = _option(
        "wrong",
        title="Too general",
        description="How flat and ancestor sets count a true class below a predicted one: as "
        "missed, as found, or not at all.",
    )
    path: Literal["ancestor", "any"] = _option(
        "ancestor",
        title="Paths between classes",
        description="Pair-based distances follow paths through a common ancestor, or along any "
        "edges.",
    )
    max_pair_distance: float | None = _option(
        None,
        gt=0,
        title="Longest pair",
        description="Pairs at a larger distance are forbidden. By default all pairs are allowed.",
    )
    alpha_p: int | None = _bound("α_p", "the fewest true partners of a predicted class.")
    beta_p: int | None = _bound("β_p", "the most true partners of a predicted class.")
    alpha_t: int | None = _bound("α_t", "the fewest predicted partners of a true class.")
    beta_t: int | None = _bound("β_t", "the most predicted partners of a true class.")
    default_classes: bool = _option(
        True,
        title="Default classes",
        description="Own pairing: a class may stay without a partner. This costs D_max.",
    )
    graphs: Literal["minimal", "extended"] = _option(
        "minimal",
        title="LCA graphs",
        description="P_LCA, R_LCA and F_LCA use the minimal graphs of Problem 2, or the extended "
        "graphs of Definition 5.",
    )
    solver: Literal["auto", "exact", "greedy"] = _option(
        "auto",
        title="LCA solver",
        description="How to find the minimal graphs: by exact search, by the paper's greedy "
        "Algorithms 1 and 2, or by exact search while it is small.",
    )
    negatives: Literal["children", "descendants"] = _option(
        "children",
        title="HCM negatives",
        description="The true negatives below the end of the common path: its children (the "
        "paper's figure) or all its descendants (the paper's text).",
    )
    path_derivation: Literal["greedy", "benevolent"] = _option(
        "greedy",
        title="Paths from labels",
        description="How a set of labels becomes paths: by a greedy cover of the labels, or, for each "
        "most specific class, by the path that agrees best with the other side.",
    )
    path_ties: Literal["structure", "names"] = _option(
        "structure",
        title="Equally good paths",
        description="How to choose among equally good paths in the confusion matrix. By structure, "
        "the path that shares most with the remaining classes comes first. By name, the last path "
        "comes first, and of equally near classes the one with the longest name. Then values "
        "depend on names. By name, the authors' GermEval sums are reproduced to the last digit. By "
        "structure, they differ by at most 10 TP and 85 TN of 150,743 cells.",
    )
    max_level: int | None = _option(
        None,
        ge=0,
        title="Highest CoPHE level",
        description="CoPHE counts classes from the deepest level up to this level. By default it "
        "counts up to the root.",
    )
    rank: int | None = _option(
        None,
        ge=0,
        title="Rank",
        description="The measures at a rank cut both sides at this level, counted from the root. "
        "By default they cut nothing off.",
    )
    hops: float = _option(
        1.0,
        ge=0,
        le=1e100,
        title="Hops",
        description="Hop-k accuracy counts a prediction as right up to this distance (k).",
    )
    depth: Literal["longest", "shortest"] = _option(
        "longest",
        title="Depth of a class",
        description="Wu–Palmer similarity uses the longest or the shortest path from the root.",
    )
    edge_weights: Literal["given", "constant", "level", "exponential", "classes"] = _option(
        "given",
        title="Edge weights",
        description="The weights of edges: the hierarchy's own (1 by default), 1 for every edge, weights "
        "that fall evenly or exponentially with the level, or the weight of the lower class.",
    )
    weight_base: float = _option(
        0.5,
        gt=0,
        le=4,
        title="Weight base",
        description="The base of exponential edge weights. An edge into a level weighs "
        "base ** (level − 1).",
    )
    class_weights: Literal["one", "given", "information", "leaves", "depth"] = _option(
        "one",
        title="Class weights",
        description="The weight of a class in the measures of weighted classes: 1, the hierarchy's "
        "own weight (1 by default), its information in the true labels of a batch, its information "
        "if all leaves are equally likely, or its level. An edge into the class gets this weight "
        "if edge_weights is classes.",
    )
    information_smoothing: Literal["unseen", "dummy"] = _option(
        "unseen",
        title="Counting information",
        description="How to count classes for their information: a class without instances once "
        "(ICM), or every class once more (the dummy of CAFA).",
    )
    max_ancestor_distance: int | None = _option(
        None,
        ge=1,
        title="Longest ancestor distance",
        description="Ancestors beyond this distance are ignored. Classes without a common ancestor "
        "then meet in one artificial ancestor at this distance (the long distance problem).",
    )
    zero_division: float = _option(
        0.0,
        ge=0,
        le=1,
        title="Value of 0/0",
        description="The value of a ratio whose denominator is 0.",
    )

    @classmethod
    def make(cls, given: "Mapping[str, Any] | Options | None" = None, **more: Any) -> "Options":
        """Build options from keyword arguments, a mapping or other options.

        Parameters
        ----------
        given : mapping or Options, optional
        more
            Options by name. They replace the options in `given`.

        Raises
        ------
        InputError
            For an unknown name or a value out of range. The message suggests a similar name or
            contains the range.

        Examples
        --------
        >>> Options.make(dmax=3).dmax
        3.0
        >>> Options.make(d_max=3)
        Traceback (most recent call last):
        hiermeasures.hierarchy.errors.InputError: unknown option 'd_max' (did you mean 'dmax'?)
        """
        known = given.given if isinstance(given, Options) else given or {}
        settings = {**known, **more}
        for name in settings:
            check_known("option", name, DECLARED)
        try:
            return _made(tuple(sorted(settings.items())))
        except TypeError:  # a value that cannot be hashed
            raise InputError("the value of an option must be a number, a word or None") from None

    @property
    def given(self) -> dict[str, Any]:
        """The options that you set, including those that you set to their default.

        >>> Options.make(dmax=5, graphs="extended").given
        {'dmax': 5.0, 'graphs': 'extended'}
        """
        return dict(self.__dict__.get("_given", self.changed))

    @property
    def changed(self) -> dict[str, Any]:
        """The options with a value that is not the default.

        >>> Options.make(dmax=5, graphs="extended").changed
        {'graphs': 'extended'}
        """
        mine = self.as_dict()
        return {name: mine[name] for name, each in DECLARED.items() if mine[name] != each.default}

    def with_values(self, **values: Any) -> "Options":
        """Return a copy of the options with other values. The values are not checked."""
        return replace(self, **values)

    def as_dict(self) -> dict[str, Any]:
        """Return all options by name."""
        return {name: getattr(self, name) for name in DECLARED}

    def idle(self, declared: Iterable[Collection[str]]) -> tuple[str, ...]:
        """Return the changed options that act on no measure.

        Parameters
        ----------
        declared : iterable of collection of str
            The options of each measure.

        Examples
        --------
        >>> Options.make(class_weights="leaves", dmax=3).idle([("count_root",), ("dmax",)])
        ('class_weights',)
        """
        measures = [frozenset(names) for names in declared]
        return tuple(
            name for name in self.changed if not any(self._acts(name, names) for names in measures)
        )

    def describe_idle(self, declared: Iterable[Collection[str]]) -> list[str]:
        """Return a note about changed options that act on no measure, or an empty list.

        >>> Options.make(dmax=3).describe_idle([("count_root",)])
        ['an option that no measure here uses: dmax']
        """
        idle = self.idle(declared)
        some = f"{agree(len(idle), 'an option', 'options')} that no measure here uses"
        return [f"{some}: {', '.join(idle)}"] if idle else []

    def _acts(self, name: str, names: Collection[str]) -> bool:
        """Return whether an option can change a measure while the other options stay the same.

        `names` are the options of the measure.
        """
        weighs = "edge_weights" not in names or self.edge_weights == "classes"
        needs = {
            "weight_base": self.edge_weights == "exponential",
            "class_weights": weighs,
            "information_smoothing": weighs and self.class_weights == "information",
            "solver": self.graphs == "minimal",
        }
        return name in names and needs.get(name, True)

    def counts_root(self, hierarchy: Hierarchy) -> bool:
        """Return whether set-based measures count the root of this hierarchy."""
        return not hierarchy.virtual_root if self.count_root is None else self.count_root


CREDIT = ("too_specific", "too_general")
"""The options that give credit to a class below or above the right one."""

EDGE_WEIGHTS = ("edge_weights", "weight_base", "class_weights", "information_smoothing")
"""The options that change the weights of edges."""


DECLARED: Mapping[str, DeclaredOption] = {
    each.name: DeclaredOption(each.type, each.default, **each.metadata) for each in fields(Options)
}
"""The declaration of every option by its name."""


@cache
def _made(settings: tuple[tuple[str, Any], ...]) -> Options:
    made = _checked(dict(settings)) if settings else {}
    options = Options(**made)
    object.__setattr__(options, "_given", made)
    return options


def _checked(settings: dict[str, Any]) -> dict[str, Any]:
    """Check settings and convert them to their types. It imports pydantic only here: it is slow."""
    from pydantic import ValidationError

    try:
        checked = _model()(**settings)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"option {first['loc'][0]}: {_plain(first)}") from None
    return {name: getattr(checked, name) for name in DECLARED if name in settings}


@cache
def _model() -> Any:
    """Return the pydantic model that checks options."""
    from pydantic import ConfigDict, Field, create_model

    declared: Any = {
        name: (each.annotation, Field(each.default, gt=each.gt, ge=each.ge, le=each.le))
        for name, each in DECLARED.items()
    }
    return create_model("CheckedOptions", __config__=ConfigDict(allow_inf_nan=False), **declared)


def _plain(error: Mapping[str, Any]) -> str:
    given = error.get("input")
    message = str(error["msg"]).removeprefix("Input should be ")
    value = shown(given) if isinstance(given, str) else repr(given)[:SHOWN]
    return f"{value} must be {message}" if message != error["msg"] else f"{value}: {message}"


Credit = Literal["wrong", "right", "ignored"]


def split_arguments(
    arguments: Mapping[str, Any], names: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split keyword arguments into the arguments with some names and all others.

    >>> split_arguments({"n_jobs": 2, "dmax": 3}, ["n_jobs"])
    ({'n_jobs': 2}, {'dmax': 3})
    """
    theirs = {name: value for name, value in arguments.items() if name in names}
    return theirs, {name: value for name, value in arguments.items() if name not in names}


class Settings(TypedDict, total=False):
    """The options as keyword arguments, for type checkers."""

    dmax: float
    normaliser: Literal["union", "symmetric_difference"]
    count_root: bool | None
    too_specific: Credit
    too_general: Credit
    path: Literal["ancestor", "any"]
    max_pair_distance: float | None
    alpha_p: int | None
    beta_p: int | None
    alpha_t: int | None
    beta_t: int | None
    default_classes: bool
    graphs: Literal["minimal", "extended"]
    solver: Literal["auto", "exact", "greedy"]
    negatives: Literal["children", "descendants"]
    path_derivation: Literal["greedy", "benevolent"]
    path_ties: Literal["structure", "names"]
    max_level: int | None
    rank: int | None
    hops: float
    depth: Literal["longest", "shortest"]
    edge_weights: Literal["given", "constant", "level", "exponential", "classes"]
    weight_base: float
    class_weights: Literal["one", "given", "information", "leaves", "depth"]
    information_smoothing: Literal["unseen", "dummy"]
    max_ancestor_distance: int | None
    zero_division: float
