"""Find measures by key, in the catalogue and among your own.

An own measure is an expression over measures of the catalogue and named parts of structures. You
write it as a definition, "NAME=EXPRESSION": `mine=0.5*hF + 0.5*F_LCA`. The direction and the bounds
can follow the name: `cost:lower:0..1=GIE / (len_T + len_P)`. The grammar is in
hiermeasures.hierarchy.expressions. This module declares the names, and docs/expressions.md lists
them.
"""

import keyword
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from hiermeasures.hierarchy.elementwise import divide, where
from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.expressions import FUNCTIONS, Expression
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures.catalogue import Derivation, Family, Measure, Structure, number
from hiermeasures.measures.registry import CATALOGUE, FAMILIES, STRUCTURES, in_tier
from hiermeasures.measures.sets import FLAT

NOTHING: Mapping[str, Measure] = MappingProxyType({})
MOST_OWN = 6  # own measures at a time
LONGEST_NAME = 16  # characters
SIZES = {"len_T": ("given_true", "true classes"), "len_P": ("given_predicted", "predicted classes")}
OWN = Family(
    key="own", title="Your own", description="Measures that you define by expressions.", rank=0
)

_NUMBER = r"(?:-?(?:[0-9]+\.?[0-9]*|\.[0-9]+))?"
_HEAD = re.compile(
    rf"\s*(?P<name>[A-Za-z][A-Za-z0-9_]{{0,{LONGEST_NAME - 1}}})\s*(?::\s*(?P<better>higher|lower))?\s*"
    rf"(?::\s*(?P<low>{_NUMBER})\s*\.\.\s*(?P<high>{_NUMBER}))?\s*",
    re.ASCII,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnMeasure(Measure):
    """A measure made from an expression.

    `parts` are the measures behind its names. `structure` is the structure of the first name. The
    app draws it.
    """

    expression: Expression
    parts: Mapping[str, Measure]

    @property
    def heading(self) -> str:
        """The name above a column."""
        return called(self.key)

    @property
    def title(self) -> str:
        """The name with its expression."""
        return f"{called(self.key)} = {self.name}"

    @property
    def group(self) -> Family:
        """The family of own measures."""
        return OWN

    @property
    def structures(self) -> tuple[Structure[Any], ...]:
        """The structures of all names, each once."""
        return tuple(dict.fromkeys(part.structure for part in self.parts.values())) or (
            self.structure,
        )

    def reads(self, options: Options) -> dict[str, tuple[Structure[Any], Options]]:
        """Return the tables that the names read, and the table of the sizes."""
        found = {FLAT.table(options): (FLAT, options)}
        for part in self.parts.values():
            found |= part.reads(options)
        return found

    def columns(self, tables: Mapping[str, Any], options: Options) -> Any:
        """Return the values of the names. The name "" maps to true if both sides are empty."""
        flat = tables[FLAT.table(options)]
        nothing = (flat.given_true == 0) & (flat.given_predicted == 0)
        parts = {name: 1.0 * part.value(tables, options) for name, part in self.parts.items()}
        return {"": nothing, **parts}

    def evidence(
        self, built: Callable[[Structure[Any]], Any], tables: Mapping[str, Any], options: Options
    ) -> Any:
        """Return the values of the names as floats."""
        return {name: float(v) for name, v in self.columns(tables, options).items() if name}


def is_definition(key: Any) -> bool:
    """Return true if a measure's key is the definition of an own measure."""
    return isinstance(key, str) and "=" in key


def parted(definition: str) -> tuple[str, str]:
    """Split a definition into its head (before the "=") and the expression."""
    head, _, expression = definition.partition("=")
    return head.strip(), expression.strip()


def called(key: str) -> str:
    """Return a measure's name for tables: its key, or the name in its definition."""
    return parted(key)[0].partition(":")[0].strip()


def spoken(key: str) -> str:
    """Return a measure's name for a sentence: keys that are words have blanks, not underscores."""
    return key.replace("_", " ") if key in CATALOGUE and key.islower() else called(key)


def own_measures(define: Mapping[str, str]) -> dict[str, Measure]:
    """Return own measures by name, from expressions by name: `{"mine": "hF / 2"}`.

    Raises
    ------
    InputError
        If a name cannot be used or appears twice, if an expression is wrong, or if there are more
        than six measures.
    """
    if len(define) > MOST_OWN:
        raise InputError(
            f"you defined {len(define)} own measures, and at most {MOST_OWN} are possible. Remove "
            "some"
        )
    found: dict[str, Measure] = {}
    for head, expression in define.items():
        own = own_measure(f"{head}={expression}")
        name = called(own.key)
        if name in found:
            raise InputError(
                f"the own measure {shown(name)} is defined twice. Rename one of the two"
            )
        found[name] = replace(own, key=name)
    return found


@lru_cache(maxsize=512)
def own_measure(definition: str) -> OwnMeasure:
    """Return the measure of a definition. The definition is also its key.

    Raises
    ------
    InputError
        If the name or the bounds cannot be used.
    ExpressionError
        If the expression is wrong. It has the place of the fault.

    Examples
    --------
    >>> own = own_measure("cost:lower=GIE / (len_T + len_P)")
    >>> own.better, own.low, own.structure.key
    ('lower', None, 'pairing_GIE')
    """
    head, text = parted(definition)
    name, ends = _head(head)
    expression = Expression(text)
    expression.must_be(condition=False)
    parts = {part: named_value(expression, part) for part in expression.used}
    perfect = 1.0 if ends["better"] == "higher" else 0.0

    def read(values: Any, options: Options) -> Any:
        # 0/0 as in `ratio`, else undefined
        empty = where(values[""], perfect, options.zero_division)
        number = expression.numbers(
            values, lambda a, b: where((b == 0) & (a == 0), empty, divide(a, b))
        )
        return where(values[""], number, number)  # a constant also needs a value for each row

    def derive(values: Any, value: float, options: Options) -> Derivation:
        numbers = expression.latex(lambda part: _latex_number(values[part]))
        found = f" = {numbers} = {number(value)}" if parts else f" = {number(value)}"
        return Derivation(formula + found, _in_words(values, value))

    formula = expression.latex(lambda part: parts[part].symbol)
    first = next(iter(parts.values()), None)
    options = dict.fromkeys(o for part in parts.values() for o in part.options)
    counts = all(p.structure.whole and p.key not in CATALOGUE for p in parts.values())
    return OwnMeasure(
        key=definition,
        symbol=_symbol(name),
        name=expression.text,
        structure=first.structure if first else FLAT,
        read=read,
        formula=formula,
        derive=derive,
        description=f"Your own measure: {expression.text}.",
        source="your own",
        **ends,
        options=tuple(options | {"zero_division": None}),
        pooled="micro" if counts else "undefined",
        expression=expression,
        parts=parts,
    )


def _symbol(name: str) -> str:
    """Return a name in LaTeX. The parts after an underscore are its index."""
    start, *more = [piece for piece in name.split("_") if piece]
    below = rf"_{{\mathrm{{{','.join(more)}}}}}" if more else ""
    return rf"\mathrm{{{start}}}{below}"


def names() -> dict[str, str]:
    """Return every name that an expression may contain, with its meaning."""
    found = {key: measure.name for key, measure in CATALOGUE.items()}
    for s in STRUCTURES.values():
        found |= {f"{s.key}.{column}": meaning for column, meaning in s.named_columns.items()}
    return found | {name: meaning for name, (_, meaning) in SIZES.items()}


def named_value(
    expression: Expression, name: str, defined: Mapping[str, Measure] = NOTHING, ending: str = ""
) -> Measure:
    """Return the measure behind a name in an expression.

    A name is a measure of the catalogue or of `defined`, a part of a structure, or a size. `ending`
    is removed from the name. It tells which of several instances the name is about.

    Raises
    ------
    ExpressionError
        If the name is unknown.
    """
    key = name.removesuffix(ending)
    if key in CATALOGUE or key in defined:
        return CATALOGUE.get(key) or defined[key]
    kind, _, column = (FLAT.key, ".", SIZES[key][0]) if key in SIZES else key.partition(".")
    if kind in STRUCTURES and column in STRUCTURES[kind].columns:
        return _column(key, STRUCTURES[kind], column)
    raise expression.fault(unknown("name", key, [*names(), *defined]), *expression.used[name].place)


def _head(head: str) -> tuple[str, Mapping[str, Any]]:
    """Split a head into the name, the good end and the bounds."""
    match = _HEAD.fullmatch(head) if len(head) <= 80 else None
    if match is None:
        raise InputError(
            f"{shown(head, 40)} is not the start of an own measure. Write NAME=EXPRESSION. If "
            "lower is better, write NAME:lower=EXPRESSION, and with bounds NAME:0..1=EXPRESSION. "
            f"A name has at most {LONGEST_NAME} letters, digits and _"
        )
    name = match["name"]
    if (
        name in CATALOGUE
        or name in STRUCTURES
        or name in SIZES
        or name in FUNCTIONS
        or keyword.iskeyword(name)
    ):
        raise InputError(
            f"the name {shown(name)} has another meaning already. Give your measure another name"
        )
    low, high = (float(match[side]) if match[side] else None for side in ("low", "high"))
    if low is not None and high is not None and low >= high:
        raise InputError(
            f"the bounds of {shown(name)} are {low:g}..{high:g}. Write the lower bound first, and "
            "a higher one after it"
        )
    return name, {"better": match["better"] or "higher", "low": low, "high": high}


@lru_cache(maxsize=128)
def _column(name: str, structure: Structure[Any], column: str) -> Measure:
    """Return a column of a structure as a measure."""
    meaning = structure.named_columns[column]
    return Measure(
        key=name,
        symbol=rf"\mathrm{{{name}}}".replace("_", r"\_"),
        name=meaning,
        structure=structure,
        read=lambda columns, options: getattr(columns, column),
        formula="",
        derive=lambda built, value, options: Derivation(
            number(value), f"{meaning}: {number(value)}."
        ),
        description=meaning,
        source="",
        high=None,
    )


def _latex_number(value: float) -> str:
    text = number(value)
    return text if value >= 0 else rf"\left({text}\right)" if value < 0 else r"\text{–}"


def _in_words(values: Mapping[str, float], value: float) -> str:
    parts = ", ".join(f"{name} {number(v)}" for name, v in values.items())
    undefined = (
        ""
        if value == value
        else " The value is undefined: a part has no value, or a number is divided by 0."
    )
    return (f"With {parts}." if parts else "A constant number.") + undefined


ALL = "all"  # the name of the catalogue without measures that are not `by_default`
_TIERS = {"core": "start", "question": "question", "part": "part"}


def find_measure(
    key: str, defined: Mapping[str, Measure] = NOTHING, others: Iterable[str] = ()
) -> Measure:
    """Return the measure with a key.

    Parameters
    ----------
    key : str
        A key of the catalogue or of `defined`, or a definition ("mine=0.5*hF + 0.5*F_LCA").
    defined : mapping of str to Measure, optional
        Own measures by name.
    others : iterable of str, optional
        Further names that the error message can suggest.

    Returns
    -------
    Measure

    Raises
    ------
    InputError
        For an unknown key. The message names the nearest one.

    See Also
    --------
    find_measures : Find several measures, also by tier or family.

    Examples
    --------
    >>> find_measure("TIE").name
    'Tree-induced error'
    """
    found = CATALOGUE.get(key) or defined.get(key)
    if found is None and not is_definition(key):
        raise InputError(unknown("measure", str(key), [*CATALOGUE, *defined, *others]))
    return found or own_measure(key)


def find_measures(
    asked: Iterable[str | Measure] | str | None, defined: Mapping[str, Measure] = NOTHING
) -> tuple[Measure, ...]:
    """Return the named measures, each once.

    Parameters
    ----------
    asked : str, Measure, iterable of them, or None
        A name is a measure's key (as for `find_measure`), a tier ("core", "question", "part"), a
        family, or "all". "all" leaves out the measures that are evaluated only if you name them.
        None means "core".
    defined : mapping of str to Measure, optional
        Own measures by name.

    Returns
    -------
    tuple of Measure

    Raises
    ------
    InputError
        For an unknown name. The message names the nearest one.

    See Also
    --------
    find_measure : Find one measure by key.

    Examples
    --------
    >>> [measure.key for measure in find_measures(["TIE", "core"])]
    ['TIE', 'hF', 'F_LCA', 'MGIA', 'GIE', 'hP', 'hR', 'f1', 'accuracy']
    >>> [measure.key for measure in find_measures("counts")]
    ['CoPHE_F1', 'CoPHE_P', 'CoPHE_R']
    >>> find_measures("cor")
    Traceback (most recent call last):
    hiermeasures.hierarchy.errors.InputError: unknown measure 'cor' (did you mean 'core'?)
    """
    names = [asked] if isinstance(asked, str) else ["core"] if asked is None else asked
    found = (measure for name in names for measure in _named(name, defined))
    return tuple({measure.key: measure for measure in found}.values())


def _named(name: str | Measure, defined: Mapping[str, Measure]) -> Iterable[Measure]:
    if isinstance(name, Measure):
        return [name]
    if name in defined:
        return [defined[name]]
    measures = CATALOGUE.values()
    if name == ALL:
        return [measure for measure in measures if measure.by_default]
    if name in _TIERS:
        return in_tier(_TIERS[name], measures)
    if name in FAMILIES:
        return [measure for measure in measures if measure.group.key == name]
    return [find_measure(name, defined, [ALL, *_TIERS, *FAMILIES])]
