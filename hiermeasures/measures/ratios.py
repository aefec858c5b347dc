"""Precision, recall and F1: one maker of the three, which a family gives its sets or counts and its
words.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hiermeasures.core.options import Options
from hiermeasures.measures.catalogue import Derivation, Measure, Structure, counted, fraction, named, number, ratio

Read = Callable[[Any, Options], Any]
Derive = Callable[[Any, float, Options], Derivation]
Three = tuple[str, str, str]  # for F1, precision and recall


@dataclass(frozen=True)
class Ratios:
    """The three formulas over the columns of a structure."""

    f1: Read
    precision: Read
    recall: Read


def _of_sets(c: Any, options: Options) -> Any:
    return ratio(2 * c.shared, c.true + c.predicted, options, agree=True)


OF_SETS = Ratios(
    f1=_of_sets,
    precision=lambda c, options: ratio(c.shared, c.predicted, options, agree=c.true == 0),
    recall=lambda c, options: ratio(c.shared, c.true, options, agree=c.predicted == 0),
)
"""Read off the columns `true`, `predicted` and `shared`."""


def ratios_of(tp: str, fp: str, fn: str) -> Ratios:
    """Return the formulas over the columns of what is right, predicted only, and true only.

    >>> from collections import namedtuple
    >>> cells = namedtuple("Columns", "TP FP FN")(3, 1, 2)
    >>> ratios_of("TP", "FP", "FN").precision(cells, Options())
    0.75
    """

    def f1(c: Any, options: Options) -> Any:
        right, only_p, only_t = getattr(c, tp), getattr(c, fp), getattr(c, fn)
        return ratio(2 * right, 2 * right + only_p + only_t, options, agree=True)

    def share(wrong: str, other: str) -> Read:
        def read(c: Any, options: Options) -> Any:
            right = getattr(c, tp)
            return ratio(right, right + getattr(c, wrong), options, agree=getattr(c, other) == 0)

        return read

    return Ratios(f1, precision=share(fp, fn), recall=share(fn, fp))


def formulas_of_sets(true: str, predicted: str) -> Three:
    r"""Return the three formulas of two sets in LaTeX.

    >>> formulas_of_sets("Y", "P")[1]
    '\\frac{|P \\cap Y|}{|P|}'
    """
    shared = rf"|{predicted} \cap {true}|"
    f1 = rf"\frac{{2\,{shared}}}{{|{predicted}| + |{true}|}}"
    return f1, rf"\frac{{{shared}}}{{|{predicted}|}}", rf"\frac{{{shared}}}{{|{true}|}}"


def formulas_of(tp: str, fp: str, fn: str, space: str = " ") -> Three:
    r"""Return the three formulas of counts in LaTeX.

    >>> formulas_of("TP", "FP", "FN")[0]
    '\\frac{2 TP}{2 TP + FP + FN}'
    """
    f1 = rf"\frac{{2{space}{tp}}}{{2{space}{tp} + {fp} + {fn}}}"
    return f1, rf"\frac{{{tp}}}{{{tp} + {fp}}}", rf"\frac{{{tp}}}{{{tp} + {fn}}}"


def derived(
    formula: str,
    fraction_of: Callable[[Any], tuple[float, float]],
    about: Callable[[Any], str],
    about_undefined: bool = False,
) -> Derive:
    """Return the derivation of a ratio: `fraction_of` gives part and whole, `about` a sentence."""

    def derive(built: Any, value: float, options: Options) -> Derivation:
        part, whole = fraction_of(built)
        if whole:
            return Derivation(f"{formula} = {fraction(part, whole, value)}", about(built))
        if about_undefined:
            sentence = f"{about(built)} The ratio is 0/0: {number(value)}."
            return Derivation(rf"{formula} \;\Rightarrow\; {number(value)}", sentence)
        return Derivation(f"{formula} = {number(value)}", about(built))

    return derive


def derived_of_counts(
    formulas: Three,
    counts: Callable[[Any], tuple[float, float, float]],
    about: Callable[[Any], str],
    about_undefined: bool = False,
) -> tuple[Derive, ...]:
    """Return the three derivations of counts: right, predicted only, true only."""

    def f1(built: Any) -> tuple[float, float]:
        tp, fp, fn = counts(built)
        return 2 * tp, 2 * tp + fp + fn

    def share(place: int) -> Callable[[Any], tuple[float, float]]:
        return lambda built: (counts(built)[0], counts(built)[0] + counts(built)[place])

    fractions = (f1, share(1), share(2))
    return tuple(derived(*pair, about, about_undefined) for pair in zip(formulas, fractions, strict=True))


def derived_of_sets(
    *,
    overlap: Callable[[Any, Options], Any],
    symbols: Callable[[Any, Options], tuple[str, str]],
    share_words: Callable[[Options, str], tuple[str, str]],
    f1_words: Callable[[Any, Options], str],
    note: Callable[[Any, Options], str] = lambda built, options: "",
) -> tuple[Derive, ...]:
    """Return the three derivations of two sets.

    `overlap` gives the sets of a built structure, `symbols` how formulas write the true and the
    predicted one. `share_words` says where the classes of a side are, and what those are that both
    sets have; `f1_words` is the sentence of F1, and `note` comes after each.
    """

    def f1(built: Any, value: float, options: Options) -> Derivation:
        sets, (t, p) = overlap(built, options), symbols(built, options)
        if sets.empty:
            return Derivation(rf"{t} = {p} = \emptyset \;\Rightarrow\; {number(value)}", _BOTH_EMPTY)
        filled = rf"\frac{{2 \cdot {len(sets.shared)}}}{{{len(sets.predicted)} + {len(sets.true)}}}"
        return Derivation(
            f"{formulas_of_sets(t, p)[0]} = {filled} = {number(value)}", f1_words(sets, options) + note(built, options)
        )

    def share(place: int, side: str) -> Derive:
        def derive(built: Any, value: float, options: Options) -> Derivation:
            sets, (t, p) = overlap(built, options), symbols(built, options)
            symbol, classes = (t, sets.true) if side == "true" else (p, sets.predicted)
            if not classes:
                empty = f"The {side} side is empty; an undefined ratio is set to {number(value)}."
                latex = rf"{symbol} = \emptyset \;\Rightarrow\; {number(value)}"
                return Derivation(latex, _BOTH_EMPTY if sets.empty else empty)
            n, (where, found) = len(sets.shared), share_words(options, side)
            return Derivation(
                f"{formulas_of_sets(t, p)[place]} = {fraction(n, len(classes), value)}",
                f"{n} of the {counted(len(classes), 'class', 'classes')} {where} {'is' if n == 1 else 'are'} {found}: "
                f"{named(sets.shared)}.{note(built, options)}",
            )

        return derive

    return f1, share(1, "predicted"), share(2, "true")


_BOTH_EMPTY = "Both sides are empty and agree."


def f1_precision_recall(
    *,
    structure: Structure[Any],
    ratios: Ratios,
    keys: Three,
    function: str,
    name: str,
    symbols: Three,
    formulas: Three,
    derive: tuple[Derive, ...],
    descriptions: Three,
    **settings: Any,
) -> tuple[Measure, Measure, Measure]:
    """Return F1, precision and recall of a family.

    `function` is what their functions begin with, `name` has {} for "F1", "precision" and
    "recall"; `settings` are those that they share.
    """
    made = []
    for at, kind in enumerate(("f1", "precision", "recall")):
        title = name.format("F1" if kind == "f1" else kind)
        made.append(
            Measure(
                key=keys[at],
                function=f"{function}_{kind}_score",
                symbol=symbols[at],
                name=title[0].upper() + title[1:],
                structure=structure,
                read=getattr(ratios, kind),
                formula=formulas[at],
                derive=derive[at],
                description=descriptions[at],
                **settings,
            )
        )
    f1, precision, recall = made
    return f1, precision, recall
