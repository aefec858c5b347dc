"""Measures by their keys: those of the catalogue, and own ones, each a `Measure` made from an
expression over measures of the catalogue and named parts of structures.

An own measure is written as a definition, "NAME=EXPRESSION": `mine=0.5*hF + 0.5*F_LCA`, or with the
direction and the bounds after the name, `cost:lower:0..1=GIE / (len_T + len_P)`. The grammar is
that of hiermeasures.hierarchy.expressions; which names there are is said here, and listed in
docs/expressions.md.
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
    key="own",
    title="Your own",
    description="Measures of your own, each made from an expression.",
    rank=0,
)

_NUMBER = r"(?:-?(?:[0-9]+\.?[0-9]*|\.[0-9]+))?"
_HEAD = re.compile(
    rf"\s*(?P<name>[A-Za-z][A-Za-z0-9_]{{0,{LONGEST_NAME - 1}}})\s*(?::\s*(?P<better>higher|lower))?\s*"
    rf"(?::\s*(?P<low>{_NUMBER})\s*\.\.\s*(?P<high>{_NUMBER}))?\s*",
    re.ASCII,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnMeasure(Measure):
    """A measure made from an expression. `parts` are the measures that its names stand for;
    `structure`, which is drawn, is that of the name that comes first.
    """

    expression: Expression
    parts: Mapping[str, Measure]

    @property
    def heading(self) -> str:
        return called(self.key)

    @property
    def title(self) -> str:
        return f"{called(self.key)} = {self.name}"

    @property
    def group(self) -> Family:
        return OWN

    @property
    def structures(self) -> tuple[Structure[Any], ...]:
        return tuple(dict.fromkeys(part.structure for part in self.parts.values())) or (
            self.structure,
        )

    def reads(self, options: Options) -> dict[str, tuple[Structure[Any], Options]]:
        found = {FLAT.table(options): (FLAT, options)}
        for part in self.parts.values():
            found |= part.reads(options)
        return found

    def columns(self, tables: Mapping[str, Any], options: Options) -> Any:
        """The values of its names; and under "" if nothing is true and nothing predicted."""
        flat = tables[FLAT.table(options)]
        nothing = (flat.given_true == 0) & (flat.given_predicted == 0)
        parts = {name: 1.0 * part.value(tables, options) for name, part in self.parts.items()}
        return {"": nothing, **parts}

    def evidence(
        self, built: Callable[[Structure[Any]], Any], tables: Mapping[str, Any], options: Options
    ) -> Any:
        return {name: float(v) for name, v in self.columns(tables, options).items() if name}


def is_definition(key: Any) -> bool:
    """True if a measure's key is the definition of an own one."""
    return isinstance(key, str) and "=" in key


def parted(definition: str) -> tuple[str, str]:
    """The name of a definition, with what follows it, and the expression."""
    head, _, expression = definition.partition("=")
    return head.strip(), expression.strip()


def called(key: str) -> str:
    """Return the name of a measure in tables: its key, or the name in its definition."""
    return parted(key)[0].partition(":")[0].strip()


def spoken(key: str) -> str:
    """Return the name of a measure in a sentence: keys that are words have no underscores there."""
    return key.replace("_", " ") if key in CATALOGUE and key.islower() else called(key)


def own_measures(define: Mapping[str, str]) -> dict[str, Measure]:
    """Own measures by name, of expressions by name: `{"mine": "hF / 2", "cost:lower": "GIE / 2"}`.

    InputError for a name that cannot be used or is given twice, an expression that is none, and
    more than six of them.
    """
    if len(define) > MOST_OWN:
        raise InputError(f"there can be {MOST_OWN} own measures at a time, not {len(define)}")
    found: dict[str, Measure] = {}
    for head, expression in define.items():
        own = own_measure(f"{head}={expression}")
        name = called(own.key)
        if name in found:
            raise InputError(f"the own measure {shown(name)} is defined twice")
        found[name] = replace(own, key=name)
    return found


@lru_cache(maxsize=512)
def own_measure(definition: str) -> OwnMeasure:
    """The measure of one definition, whose key is the definition itself; ExpressionError for a
    wrong expression, with the place in it.

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
        return where(values[""], number, number)  # a constant, too, has a value for each row

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
        description=f"Your own measure, {expression.text}.",
        source="your own",
        **ends,
        options=tuple(options | {"zero_division": None}),
        pooled="micro" if counts else "undefined",
        expression=expression,
        parts=parts,
    )


def _symbol(name: str) -> str:
    """Return a name for LaTeX; what follows an underscore is its index."""
    start, *more = [piece for piece in name.split("_") if piece]
    below = rf"_{{\mathrm{{{','.join(more)}}}}}" if more else ""
    return rf"\mathrm{{{start}}}{below}"


def names() -> dict[str, str]:
    """Every name that an expression may hold, with its meaning."""
    found = {key: measure.name for key, measure in CATALOGUE.items()}
    for s in STRUCTURES.values():
        found |= {f"{s.key}.{column}": meaning for column, meaning in s.named_columns.items()}
    return found | {name: meaning for name, (_, meaning) in SIZES.items()}


def named_value(
    expression: Expression, name: str, defined: Mapping[str, Measure] = NOTHING, ending: str = ""
) -> Measure:
    """Return what a name in an expression stands for, as a measure of that key: one of the
    catalogue or of those defined, a part of a structure, or a size; else an ExpressionError. The
    name may have an ending, which says of what instance it is.
    """
    key = name.removesuffix(ending)
    if key in CATALOGUE or key in defined:
        return CATALOGUE.get(key) or defined[key]
    kind, _, column = (FLAT.key, ".", SIZES[key][0]) if key in SIZES else key.partition(".")
    if kind in STRUCTURES and column in STRUCTURES[kind].columns:
        return _column(key, STRUCTURES[kind], column)
    raise expression.fault(unknown("name", key, [*names(), *defined]), *expression.used[name].place)


def _head(head: str) -> tuple[str, Mapping[str, Any]]:
    """The name, and which end is good and where the ends are."""
    match = _HEAD.fullmatch(head) if len(head) <= 80 else None
    if match is None:
        raise InputError(
            "an own measure is written NAME=EXPRESSION, NAME:lower=EXPRESSION where lower is "
            f"better, or NAME:0..1=EXPRESSION with bounds, and a name has at most {LONGEST_NAME} "
            f"letters, digits and _; {shown(head, 40)} is not a name, or has no such bounds"
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
            f"{shown(name)} means something else already; give your measure another name"
        )
    low, high = (float(match[side]) if match[side] else None for side in ("low", "high"))
    if low is not None and high is not None and low >= high:
        raise InputError(
            f"the bounds of {shown(name)} are from a lower to a higher number, not "
            f"{low:g}..{high:g}"
        )
    return name, {"better": match["better"] or "higher", "low": low, "high": high}


@lru_cache(maxsize=128)
def _column(name: str, structure: Structure[Any], column: str) -> Measure:
    """A column of a structure as a measure that reads itself."""
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
        else " It is undefined here: a part has no value, or something is divided by 0."
    )
    return (f"With {parts}." if parts else "A number that nothing changes.") + undefined


ALL = "all"  # the name of the catalogue without measures that are not `by_default`
_TIERS = {"core": "start", "question": "question", "part": "part"}


def find_measure(
    key: str, defined: Mapping[str, Measure] = NOTHING, others: Iterable[str] = ()
) -> Measure:
    """Return the measure of a key: of the catalogue, one of those that are defined, or the own
    measure whose definition the key is ("mine=0.5*hF + 0.5*F_LCA"); else an InputError, which may
    name one of the `others` as the nearest.
    """
    found = CATALOGUE.get(key) or defined.get(key)
    if found is None and not is_definition(key):
        raise InputError(unknown("measure", str(key), [*CATALOGUE, *defined, *others]))
    return found or own_measure(key)


def find_measures(
    asked: Iterable[str | Measure] | str | None, defined: Mapping[str, Measure] = NOTHING
) -> tuple[Measure, ...]:
    """Return the requested measures, each once; those of the core where none are named.

    A name is a measure's key, as for `find_measure`, or that of several: of a tier ("core",
    "question", "part") or of a family, or "all" for the catalogue without those that are evaluated
    only where they are named.

    Raises
    ------
    InputError
        For an unknown name, with the nearest named.

    Examples
    --------
    >>> [measure.key for measure in find_measures(["TIE", "core"])]
    ['TIE', 'hF', 'F_LCA', 'MGIA', 'GIE', 'hP', 'hR', 'f1', 'accuracy']
    >>> [measure.key for measure in find_measures("counts")]
    ['CoPHE_F1', 'CoPHE_P', 'CoPHE_R']
    >>> find_measures("cor")
    Traceback (most recent call last):
    hiermeasures.hierarchy.errors.InputError: unknown measure 'cor'; nearest known: 'core'
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
