"""Precision, recall and F1. Each family provides its sets or counts, and its words."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.words import agree, capitalize, write_count
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.catalogue import (
    Derivation,
    Measure,
    Structure,
    fraction,
    mark_term,
    named,
    number,
    ratio,
    remove_marks,
)

Derive = Callable[[Any, float, Options], Derivation]
Three = tuple[str, str, str]  # for F1, precision and recall


@dataclass(frozen=True)
class Ratio:
    """A ratio over the columns of a structure.

    `of` returns the part, the whole, and a flag. The flag decides the value if the whole is 0: true
    means that the two sides agree.
    """

    of: Callable[[Any], tuple[Any, Any, Any]]

    def __call__(self, c: Any, options: Options) -> Any:
        part, whole, agree = self.of(c)
        return ratio(part, whole, options, agree=agree)


@dataclass(frozen=True)
class Ratios:
    """F1, precision and recall over the columns of a structure, and in LaTeX with marked terms."""

    f1: Ratio
    precision: Ratio
    recall: Ratio
    marked: Three

    @property
    def formulas(self) -> Three:
        """The formulas in plain LaTeX."""
        f1, precision, recall = map(remove_marks, self.marked)
        return f1, precision, recall


def ratios_of_sets(true: str, predicted: str, shared: str = "") -> Ratios:
    r"""Return the ratios over the columns `true`, `predicted` and `shared` of two sets.

    The arguments are the sets in LaTeX. `shared` is the size of the overlap, with its bars.

    >>> ratios_of_sets("Y", "P").formulas[1]
    '\\frac{|P \\cap Y|}{|P|}'
    """
    both = mark_term("shared", shared or rf"|{predicted} \cap {true}|")
    p, t = mark_term("predicted", f"|{predicted}|"), mark_term("true", f"|{true}|")
    return Ratios(
        f1=Ratio(lambda c: (2 * c.shared, c.true + c.predicted, True)),
        precision=Ratio(lambda c: (c.shared, c.predicted, c.true == 0)),
        recall=Ratio(lambda c: (c.shared, c.true, c.predicted == 0)),
        marked=(fraction(rf"2\,{both}", f"{p} + {t}"), fraction(both, p), fraction(both, t)),
    )


def ratios_of(tp: str, fp: str, fn: str) -> Ratios:
    r"""Return the ratios over three counts: right, only predicted and only true classes.

    >>> from collections import namedtuple
    >>> cells, ratios = namedtuple("Columns", "TP FP FN")(3, 1, 2), ratios_of("TP", "FP", "FN")
    >>> ratios.precision(cells, Options()), ratios.formulas[0]
    (0.75, '\\frac{2\\,\\mathrm{TP}}{2\\,\\mathrm{TP} + \\mathrm{FP} + \\mathrm{FN}}')
    """

    def f1(c: Any) -> tuple[Any, Any, Any]:
        right, only_p, only_t = getattr(c, tp), getattr(c, fp), getattr(c, fn)
        return 2 * right, 2 * right + only_p + only_t, True

    def share(wrong: str, other: str) -> Ratio:
        return Ratio(
            lambda c: (getattr(c, tp), getattr(c, tp) + getattr(c, wrong), getattr(c, other) == 0)
        )

    right, over, under = (mark_term(cell, rf"\mathrm{{{cell}}}") for cell in (tp, fp, fn))
    marked = (
        fraction(rf"2\,{right}", rf"2\,{right} + {over} + {under}"),
        fraction(right, f"{right} + {over}"),
        fraction(right, f"{right} + {under}"),
    )
    return Ratios(Ratio(f1), share(fp, fn), share(fn, fp), marked)


def derived(
    structure: Structure[Any],
    formula: str,
    of: Ratio,
    about: Callable[[Any], str],
    about_undefined: bool = False,
) -> Derive:
    """Return the derivation of a ratio.

    `about` returns its sentence. `about_undefined` adds a sentence if the ratio is 0/0.
    """

    def derive(built: Any, value: float, options: Options) -> Derivation:
        part, whole, _ = of.of(structure.read(built, options))
        if whole:
            filled = fraction(number(part), number(whole))
            return Derivation(f"{formula} = {filled} = {number(value)}", about(built))
        if about_undefined:
            sentence = f"{about(built)} The ratio is 0/0: {number(value)}."
            return Derivation(rf"{formula} \;\Rightarrow\; {number(value)}", sentence)
        return Derivation(f"{formula} = {number(value)}", about(built))

    return derive


def derived_of_counts(
    structure: Structure[Any],
    ratios: Ratios,
    about: Callable[[Any], str],
    about_undefined: bool = False,
) -> tuple[Derive, ...]:
    """Return the derivations of F1, precision and recall, as `derived` makes them."""
    pairs = zip(ratios.marked, (ratios.f1, ratios.precision, ratios.recall), strict=True)
    return tuple(derived(structure, formula, of, about, about_undefined) for formula, of in pairs)


def derived_of_sets(
    *,
    overlap: Callable[[Any, Options], Any],
    symbols: Callable[[Any, Options], tuple[str, str]],
    share_words: Callable[[Options, str], tuple[str, str]],
    f1_words: Callable[[Any, Options], str],
    note: Callable[[Any, Options], str] = lambda built, options: "",
) -> tuple[Derive, ...]:
    """Return the derivations of F1, precision and recall of two sets.

    `overlap` returns the two sets of a built structure. `symbols` returns their symbols, the true
    one first. `share_words` returns two texts: the place of a side's classes, and the word for
    classes in both sets. `f1_words` returns the sentence of F1. `note` returns a further sentence
    for all three.
    """

    def derive(place: int, built: Any, value: float, options: Options) -> Derivation:
        sets, (t, p) = overlap(built, options), symbols(built, options)
        shared, side = len(sets.shared), ("both", "predicted", "true")[place]
        if place == 0:
            symbol, classes = f"{t} = {p}", sets.true | sets.predicted
            sentence, both = f1_words(sets, options), mark_term("shared", shared)
            sizes = (mark_term(each, len(getattr(sets, each))) for each in ("predicted", "true"))
            filled = fraction(rf"2 \cdot {both}", " + ".join(sizes))
        else:
            symbol, classes = (t, sets.true) if side == "true" else (p, sets.predicted)
            (where, found), every = (share_words(options, side), write_count(len(classes), "class"))
            filled = fraction(mark_term("shared", shared), mark_term(side, len(classes)))
            are_found = f"{agree(shared, 'is')} {found}"
            sentence = f"{shared} of the {every} {where} {are_found}: {named(sets.shared)}."
        if classes:
            formula = ratios_of_sets(t, p).marked[place]
            latex = f"{formula} = {filled} = {number(value)}"
            return Derivation(latex, sentence + note(built, options))
        empty = f"The {side} side is empty. The ratio is undefined and set to {number(value)}."
        latex = rf"{symbol} = \emptyset \;\Rightarrow\; {number(value)}"
        return Derivation(latex, "Both sides are empty and agree." if sets.empty else empty)

    return tuple(partial(derive, place) for place in range(3))


def f1_precision_recall(
    *,
    ratios: Ratios,
    keys: Three,
    function: str,
    name: str,
    symbols: Three,
    derive: tuple[Derive, ...],
    descriptions: Three,
    **settings: Any,
) -> tuple[Measure, Measure, Measure]:
    """Return F1, precision and recall of a family as measures.

    `function` is the start of the functions' names. `name` has {} in place of "F1", "precision" and
    "recall". `settings` are fields that all three share, for example their structure.
    """
    made = []
    for at, kind in enumerate(("f1", "precision", "recall")):
        title = name.format("F1" if kind == "f1" else kind)
        words = cat.names(keys[at], f"{function}_{kind}_score", symbols[at], capitalize(title))
        declared = {
            "formula": ratios.formulas[at],
            "derive": derive[at],
            "description": descriptions[at],
            **settings,
        }
        made.append(Measure(**words, read=getattr(ratios, kind), **declared))
    f1, precision, recall = made
    return f1, precision, recall
