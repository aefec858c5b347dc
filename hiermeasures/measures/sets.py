"""Set-based measures: flat, augmented by ancestors or descendants, and H-loss.

Each builder makes the two sets to compare (Kosmopoulos et al. 2015, Section 2.4, phase 1). Every
measure reads the sizes of their overlap (phase 2). LCA graphs have their own module.

The options `too_specific` and `too_general` credit a class below or above the right one, in flat
and in ancestor sets. docs/how-to/credit-in-one-direction.md has the rules. If you swap the sides,
swap the two options too. From `wrong` to `ignored` to `right`, a defined precision, recall or F1
never falls.
Proof: of p classes on a side, s are shared and e ≤ p − s are credited. Then s / p ≤ s / (p − e) ≤
(s + e) / p. No share s / q falls if e is added to both or subtracted from q.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

from hiermeasures.hierarchy.elementwise import where
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import CREDIT, Options
from hiermeasures.hierarchy.words import agree, write_count
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.catalogue import (
    Derivation,
    Family,
    Instance,
    Measure,
    Structure,
    Term,
    cited,
    fraction,
    mark_term,
    named,
    number,
)
from hiermeasures.measures.ratios import (
    Derive,
    derived_of_sets,
    f1_precision_recall,
    ratios_of,
    ratios_of_sets,
)


@dataclass(frozen=True)
class Part:
    """A part of two compared sets: its name in a table, its place in a sentence, and its classes.

    A rule removed a `struck` part from the sets. An `optional` part is shown only if it has
    classes.
    """

    title: str
    place: str
    classes: frozenset[str]
    struck: bool = False
    optional: bool = False


@dataclass(frozen=True)
class SetOverlap:
    """Two sets of classes and their overlap.

    Attributes
    ----------
    true, predicted : frozenset of str
        The two sets after augmentation.
    true_added, predicted_added : frozenset of str
        Classes that the augmentation added.
    true_removed, predicted_removed : frozenset of str
        Classes that a rule then removed (H-loss).
    classes : int
        The number of classes of the hierarchy that count.
    subscript : str
        The index of Y in formulas.
    before : SetOverlap or None
        The sets without credit, if a credit changed them.
    too_specific, too_general : frozenset of str
        Classes that were credited or removed.
    weights : mapping of str to float, or None
        Weights of the classes. None if each weighs 1 or is only counted.
    """

    true: frozenset[str]
    predicted: frozenset[str]
    true_added: frozenset[str] = frozenset()
    predicted_added: frozenset[str] = frozenset()
    true_removed: frozenset[str] = frozenset()
    predicted_removed: frozenset[str] = frozenset()
    classes: int = 0
    subscript: str = ""
    before: "SetOverlap | None" = None
    too_specific: frozenset[str] = frozenset()
    too_general: frozenset[str] = frozenset()
    weights: Mapping[str, float] | None = field(default=None, compare=False)

    @classmethod
    def of(
        cls, instance: Instance, true: frozenset[str], predicted: frozenset[str], **more: Any
    ) -> Self:
        """Return the two sets of an instance's labels, with the added classes."""
        added: dict[str, Any] = {
            "true_added": true - instance.true,
            "predicted_added": predicted - instance.predicted,
        }
        classes = len(instance.hierarchy) - len(instance.uncounted)
        return cls(true, predicted, **{**added, "classes": classes, **more})

    @property
    def uncredited(self) -> "SetOverlap":
        """The sets before `too_specific` and `too_general` changed them."""
        return self.before or self

    @property
    def shared(self) -> frozenset[str]:
        """The classes in both sets."""
        return self.true & self.predicted

    @property
    def missed(self) -> frozenset[str]:
        """The classes in the true set only."""
        return self.true - self.predicted

    @property
    def spurious(self) -> frozenset[str]:
        """The classes in the predicted set only."""
        return self.predicted - self.true

    def weight(self, classes: Iterable[str]) -> float:
        """Return the sum of the weights of some classes. Their order does not change it."""
        weights = self.weights
        return math.fsum(1.0 if weights is None else weights[c] for c in classes)

    @property
    def struck(self) -> frozenset[str]:
        """The classes that a rule removed from either set."""
        return self.true_removed | self.predicted_removed

    @property
    def struck_because(self) -> str:
        """The reason for struck-out classes, as a sentence."""
        if self.before:
            return "A struck-out class is left out because it is too specific or too general."
        return "A struck-out error does not count because it follows from an error above it."

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that the numbers count. Each class is in at most one part."""
        struck = Part(
            "struck out, not counted",
            "struck out, below another error",
            self.struck,
            True,
            optional=True,
        )
        return (
            Part("in both", "in both sets", self.shared - self.too_specific - self.too_general),
            *self._credited,
            Part("true only, missed", "in the true set only", self.missed),
            Part("predicted only, spurious", "in the predicted set only", self.spurious),
            *(() if self.before else (struck,)),
        )

    @property
    def _credited(self) -> tuple[Part, ...]:
        both = (
            (("too specific", self.too_specific), ("too general", self.too_general))
            if self.before
            else ()
        )
        return tuple(
            Part(f"{what}, {how}", f"{how}, as {what}", classes, struck=struck, optional=True)
            for what, found in both
            for how, classes, struck in (
                ("counted as right", found - self.struck, False),
                ("left out", found & self.struck, True),
            )
        )

    @property
    def note(self) -> str:
        """A sentence about credited classes, for a derivation."""
        return "".join(
            f" {part.title.capitalize()}: {named(part.classes)}."
            for part in self._credited
            if part.classes
        )

    @property
    def empty(self) -> bool:
        """True if both sets are empty and therefore agree."""
        return not (self.true or self.predicted)


@dataclass(frozen=True)
class LevelCounts:
    """The true positives, false positives and false negatives of one level, and their ratios."""

    level: int
    tp: int
    fp: int
    fn: int
    options: Options

    @property
    def precision(self) -> float:
        """The share of the predicted classes of this level that are true."""
        return float(_OF_COUNTS.precision(self, self.options))

    @property
    def recall(self) -> float:
        """The share of the true classes of this level that are predicted."""
        return float(_OF_COUNTS.recall(self, self.options))

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return float(_OF_COUNTS.f1(self, self.options))


_OF_COUNTS = ratios_of("tp", "fp", "fn")


@dataclass(frozen=True)
class SpecificClasses:
    """The most specific classes of a label set.

    `classes` have no descendant in the set, and they are in the hierarchy's order. `dropped` are
    the others. If a set contains a class and its ancestors, only the class counts.
    """

    classes: tuple[str, ...]
    dropped: frozenset[str]

    @classmethod
    def of(cls, hierarchy: Hierarchy, labels: Iterable[str]) -> "SpecificClasses":
        """Split a label set.

        >>> h = Hierarchy.from_edges([("R", "A"), ("A", "B"), ("R", "C")])
        >>> SpecificClasses.of(h, {"A", "B", "C"})
        SpecificClasses(classes=('C', 'B'), dropped=frozenset({'A'}))
        """
        given = frozenset(labels)
        above = _union(hierarchy.ancestors(c) for c in given) if len(given) > 1 else frozenset()
        return cls(tuple(sorted(given - above, key=hierarchy.index)), given & above)

    def or_root(self, hierarchy: Hierarchy) -> tuple[str, ...]:
        """Return the classes. Without classes, return the root, which is true of everything."""
        return self.classes or (hierarchy.root,)


def flat(instance: Instance) -> SetOverlap:
    """Return the two label sets, with the credit that the options give.

    >>> h = Hierarchy.from_edges([("R", "A"), ("A", "B"), ("R", "C")])
    >>> sets = flat(Instance(h, frozenset("A"), frozenset("BC"), Options(too_specific="right")))
    >>> sorted(sets.predicted), sorted(sets.too_specific)
    (['A', 'C'], ['B'])
    """
    sets = SetOverlap.of(instance, instance.true, instance.predicted)
    specific, general = _credited_classes(instance)
    if not (specific or general):
        return sets
    true, predicted, options = set(sets.true), set(sets.predicted), instance.options
    out = [_replaced(specific, predicted, true, options.too_specific)]
    out += [_replaced(general, true, predicted, options.too_general)]
    return SetOverlap(
        frozenset(true),
        frozenset(predicted),
        true_removed=(out[0] | out[1]) & sets.true,
        predicted_removed=(out[0] | out[1]) & sets.predicted,
        classes=sets.classes if true or predicted else 0,
        subscript="^{*}",
        before=sets,
        too_specific=out[0] or frozenset(specific),
        too_general=out[1] or frozenset(general),
    )


def _replaced(
    credited: Mapping[str, frozenset[str]], own: set[str], other: set[str], how: str
) -> frozenset[str]:
    """Replace credited classes by the classes above them on the other side, or leave out both.

    `how` is "right" or "ignored". Return the classes that are left out.
    """
    above = _union(credited.values())
    own.difference_update(credited)
    if how == "right":
        own |= above
        return frozenset()
    lonely = above - own
    other -= lonely
    return lonely.union(credited)


def augmented_by_ancestors(instance: Instance) -> SetOverlap:
    """Return both sets with all their ancestors (Kosmopoulos et al. 2015, Eqs. 2–3)."""
    return _augmented(instance, instance.hierarchy.ancestors, r"_{\mathrm{aug}}")


def weigh_classes(instance: Instance, sets: SetOverlap, row: int = 0) -> dict[str, float] | None:
    """Return the weights of the classes in both sets, or None if every class weighs 1.

    `row` selects one of the hierarchy's rows of weights.
    """
    h = instance.hierarchy
    if h.class_weights is None:
        return None
    return {c: h.class_weights[row][h.index(c)] for c in sets.true | sets.predicted}


def credited_by_ancestors(instance: Instance) -> SetOverlap:
    """Return the augmented sets with the credit that the options give."""
    sets, h, options = augmented_by_ancestors(instance), instance.hierarchy, instance.options
    specific, general = (
        frozenset(a for c in found for a in h.up(c)) for found in _credited_classes(instance)
    )
    specific, general = specific & sets.spurious, general & sets.missed
    if not (specific or general):
        return sets
    credited = ((specific, options.too_specific), (general, options.too_general))
    right = _union(classes for classes, how in credited if how == "right")
    out = (specific | general) - right
    return replace(
        sets,
        true=(sets.true | right) - out,
        predicted=(sets.predicted | right) - out,
        true_removed=out & general,
        predicted_removed=out & specific,
        subscript=r"^{*}_{\mathrm{aug}}",
        before=sets,
        too_specific=specific,
        too_general=general,
    )


def augmented_by_descendants(instance: Instance) -> SetOverlap:
    """Return both sets with all their descendants (Ipeirotis et al. 2001)."""
    return _augmented(instance, instance.hierarchy.descendants, r"_{\mathrm{De}}")


def tolerant(instance: Instance) -> SetOverlap:
    """Return the ancestor sets of H-loss (Cesa-Bianchi et al. 2006).

    Errors that follow from an error above are removed. A class is removed from one set if neither
    the class nor any of its parents is in the other set (Kosmopoulos et al. 2015, Eqs. 4–5). The
    root stays, because it has no parent. A root that is not counted is treated as part of both
    sets. In a DAG, one parent in the other set is enough to keep a class. So a class below an error
    still counts if another of its parents is right. Class weights are the costs of errors.
    """
    sets, free = augmented_by_ancestors(instance), instance.uncounted

    def below_an_error(wrong: frozenset[str], other: frozenset[str]) -> frozenset[str]:
        above = {c: instance.hierarchy.parents(c) for c in wrong}
        return frozenset(
            c for c, parents in above.items() if parents and (other | free).isdisjoint(parents)
        )

    true_removed = below_an_error(sets.missed, sets.predicted)
    predicted_removed = below_an_error(sets.spurious, sets.true)
    return replace(
        sets,
        true=sets.true - true_removed,
        predicted=sets.predicted - predicted_removed,
        true_removed=true_removed,
        predicted_removed=predicted_removed,
        subscript=r"'_{\mathrm{aug}}",
        weights=weigh_classes(instance, sets),
    )


def per_level(hierarchy: Hierarchy, sets: SetOverlap, options: Options) -> tuple[LevelCounts, ...]:
    """Return the overlap by level, from the top. Levels without these classes are left out."""
    levels = sorted({hierarchy.level(c) for c in sets.true | sets.predicted})

    def at(classes: Iterable[str], level: int) -> int:
        return sum(hierarchy.level(c) == level for c in classes)

    return tuple(
        LevelCounts(v, at(sets.shared, v), at(sets.spurious, v), at(sets.missed, v), options)
        for v in levels
    )


def _augmented(
    instance: Instance, related: Callable[[str], frozenset[str]], subscript: str
) -> SetOverlap:
    def grown(labels: frozenset[str]) -> frozenset[str]:
        return labels.union(*(related(c) for c in labels)) - instance.uncounted

    return SetOverlap.of(
        instance, grown(instance.true), grown(instance.predicted), subscript=subscript
    )


def _credited_classes(
    instance: Instance,
) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return the classes that the options credit.

    First come the predicted classes that are too specific, then the true classes whose prediction
    is too general. Each is mapped to the most specific classes above it on the other side.
    """
    h, options = instance.hierarchy, instance.options

    def below(labels: frozenset[str], other: frozenset[str]) -> dict[str, frozenset[str]]:
        ends = frozenset(SpecificClasses.of(h, other).classes) - {instance.top}
        return {c: above for c in labels if (above := ends & h.ancestors(c))}

    specific = below(instance.predicted, instance.true) if options.too_specific != "wrong" else {}
    general = below(instance.true, instance.predicted) if options.too_general != "wrong" else {}
    return specific, general


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


OVERLAP = ("true", "predicted", "shared")
OVERLAP_MEANINGS = ("classes on the true side", "classes on the predicted side", "classes on both")


def overlap(sets: SetOverlap, options: Options) -> cat.Row:
    """Return the row of two sets: their sizes, and the size of their overlap."""
    return len(sets.true), len(sets.predicted), len(sets.shared)


def accuracy(c: Any, options: Options) -> Any:
    """Return 1 if the two sets are equal, else 0 (subset accuracy)."""
    return (c.shared == c.true) & (c.shared == c.predicted)


def symmetric_difference(c: Any, options: Options) -> Any:
    """Return the number of classes in one of the two sets only."""
    return c.true + c.predicted - 2 * c.shared


def hamming(c: Any, options: Options) -> Any:
    """Return the share of the hierarchy's classes that are in one of the two sets only."""
    wrong = symmetric_difference(c, options)
    return cat.ratio(wrong, c.classes, options, agree=wrong == 0, perfect=0.0)


def _unless_left_out(read: Callable[[Any, Options], Any]) -> Callable[[Any, Options], Any]:
    """Wrap the formula of a flat measure: it returns nan if an option left out all classes."""

    def of(c: Any, options: Options) -> Any:
        nothing = c.classes + c.true + c.predicted == 0
        return where(nothing & (c.given_true + c.given_predicted > 0), math.nan, read(c, options))

    return of


def _noted(derive: Derive) -> Derive:
    """Add a sentence about credited classes to a derivation, also if the value is undefined."""

    def of(sets: SetOverlap, value: float, options: Options) -> Derivation:
        if sets.before and math.isnan(value):
            t, p = _symbols(sets)
            latex = rf"{t} = {p} = \emptyset \;\Rightarrow\; {number(value)}"
            return Derivation(
                latex, f"All classes are left out, so the value is undefined.{sets.note}"
            )
        found = derive(sets, value, options)
        return replace(found, sentence=found.sentence + sets.note)

    return of


def mark_differences(predicted: str, true: str, weighted: bool = False) -> str:
    """Return the size of the symmetric difference in LaTeX, with marked terms."""
    written = r"\sum_{c \in %s} w(c)" if weighted else "|%s|"
    spurious, missed = rf"{predicted} \setminus {true}", rf"{true} \setminus {predicted}"
    return f"{mark_term('spurious', written % spurious)} + {mark_term('missed', written % missed)}"


@_noted
def derive_symmetric_difference(sets: SetOverlap, value: float, options: Options) -> Derivation:
    """Return the derivation of the symmetric difference of two sets."""
    t, p = _symbols(sets)
    removed = sets.uncredited.struck
    sizes = " + ".join(
        mark_term(part, number(sets.weight(getattr(sets, part)))) for part in ("spurious", "missed")
    )
    return Derivation(
        f"{mark_differences(p, t, sets.weights is not None)} = {sizes} = {number(value)}",
        f"Spurious: {named(sets.spurious)}. Missed: {named(sets.missed)}."
        + (
            f" Not counted, because an error above counts already: {named(removed)}."
            if removed
            else ""
        ),
    )


@_noted
def derive_accuracy(sets: SetOverlap, value: float, options: Options) -> Derivation:
    """Return the derivation of an accuracy: 1 if two sets are equal, else 0."""
    t, p = _symbols(sets)
    same = sets.true == sets.predicted
    words = "equal" if same else "not equal"
    formula = f"[{mark_term('predicted', p)} = {mark_term('true', t)}]"
    return Derivation(f"{formula} = {int(same)}", f"The two sets are {words}.")


@_noted
def derive_hamming(sets: SetOverlap, value: float, options: Options) -> Derivation:
    """Return the derivation of the Hamming loss."""
    t, p = _symbols(sets)
    wrong = len(sets.missed) + len(sets.spurious)
    share, filled = (
        fraction(mark_term("wrong", part), whole)
        for part, whole in ((rf"|{p} \bigtriangleup {t}|", "|C|"), (wrong, sets.classes))
    )
    return Derivation(
        f"{share} = {filled} = {number(value)}",
        f"{wrong} of the hierarchy's {write_count(sets.classes, 'class')} "
        f"{agree(wrong, 'is')} labelled wrongly: {named(sets.missed | sets.spurious)}.",
    )


def _symbols(sets: SetOverlap) -> tuple[str, str]:
    return f"Y{sets.subscript}", rf"\hat{{Y}}{sets.subscript}"


def _f1_words(sets: SetOverlap, options: Options) -> str:
    shared = write_count(len(sets.shared), "class")
    return (
        f"The two sides share {shared}; {len(sets.missed)} missed, {len(sets.spurious)} spurious."
    )


_SHARES = derived_of_sets(
    overlap=lambda sets, options: sets,
    symbols=lambda sets, options: _symbols(sets),
    share_words=lambda options, side: (
        f"on the {side} side",
        "found" if side == "true" else "true",
    ),
    f1_words=_f1_words,
)


def changes(before: SetOverlap, after: SetOverlap, options: Options) -> list[str]:
    """Describe the classes that changed their part."""
    nowhere = "in neither set"
    was, now = (
        {c: part.place for part in sets.parts for c in part.classes} for sets in (before, after)
    )
    order = [*dict.fromkeys(part.place for sets in (after, before) for part in sets.parts), nowhere]
    parts, moved = [], cat.moved(was, now, nowhere)
    for (past, now_in), classes in sorted(
        moved.items(), key=lambda m: [order.index(place) for place in m[0][::-1]]
    ):
        verb, was_in = (agree(len(classes), word) for word in ("is", "was"))
        parts.append(f"{named(classes, cat.MOST_NAMED)} {verb} now {now_in} and {was_in} {past}")
    return parts


def explain_terms(sets: SetOverlap, options: Options) -> Mapping[str, Term]:
    """Return the terms of two sets: the sets and their parts."""
    return {
        "true": Term.of("on the true side", sets.true),
        "predicted": Term.of("on the predicted side", sets.predicted),
        "shared": Term.of("in both sets", sets.shared),
        "missed": Term.of("in the true set only", sets.missed),
        "spurious": Term.of("in the predicted set only", sets.spurious),
        "wrong": Term.of("in one of the two sets only", sets.missed | sets.spurious),
    }


_ANCESTORS = Family(
    key="ancestors",
    title="Ancestor sets",
    description="All ancestors are added to the true and to the predicted classes.",
    rank=1,
    exercises=("hF", "hP", "hR", "SDL"),
)
FLAT = Structure(
    key="flat",
    family=Family(
        key="flat",
        title="Flat",
        description="The true and the predicted classes are compared without the hierarchy.",
        rank=8,
        exercises=("f1", "precision", "recall"),
    ),
    build=flat,
    changes=changes,
    terms=explain_terms,
    columns=(*OVERLAP, "classes", "given_true", "given_predicted"),
    meanings=(
        *OVERLAP_MEANINGS,
        "classes of the hierarchy that count",
        "true classes as given",
        "predicted classes as given",
    ),
    row=lambda sets, options: (
        *overlap(sets, options),
        sets.classes,
        len(sets.uncredited.true),
        len(sets.uncredited.predicted),
    ),
    row_of_class=lambda true, predicted, shared: (true, predicted, shared, 1, true, predicted),
)
_OVERLAP: Mapping[str, Any] = {
    "changes": changes,
    "terms": explain_terms,
    "columns": OVERLAP,
    "meanings": OVERLAP_MEANINGS,
    "row": overlap,
    "row_of_class": lambda *counts: counts,
}
AUGMENTED: Structure[SetOverlap] = Structure(
    key="augmented", family=_ANCESTORS, view="ancestors", build=credited_by_ancestors, **_OVERLAP
)
H_LOSS = Structure(
    key="h_loss",
    family=_ANCESTORS,
    view="ancestors",
    build=tolerant,
    changes=changes,
    terms=explain_terms,
    columns=("missed", "spurious"),
    meanings=(
        "weight of missed true classes, without those below an error",
        "weight of spurious classes, without those below an error",
    ),
    row=lambda sets, options: (sets.weight(sets.missed), sets.weight(sets.spurious)),
    whole=False,
)
DESCENDANTS: Structure[SetOverlap] = Structure(
    key="descendants",
    family=Family(
        key="descendants",
        title="Descendant sets",
        description="All descendants are added to the true and to the predicted classes.",
        rank=7,
        exercises=("hF_desc", "hP_desc", "hR_desc"),
    ),
    view="descendants",
    build=augmented_by_descendants,
    **_OVERLAP,
)

WEIGHTED_SETS = ("class_weights", "information_smoothing", "count_root", "max_ancestor_distance")
"""The options of measures that sum class weights."""
_ROOT = ("count_root", "zero_division", "max_ancestor_distance")
_CREDITED = ("count_root", "max_ancestor_distance", *CREDIT)
_three = partial(f1_precision_recall, derive=tuple(map(_noted, _SHARES)), macro=True)
_F1, _PRECISION, _RECALL = _three(
    structure=FLAT,
    keys=("f1", "precision", "recall"),
    function="flat",
    name="{}",
    symbols=("F_1", "P", "R"),
    ratios=ratios_of_sets("Y", r"\hat{Y}"),
    descriptions=(
        "The harmonic mean of precision and recall.",
        "The share of the predicted classes that are true.",
        "The share of the true classes that are predicted.",
    ),
    source=cited("@plaud2024, Appendix B.2.1"),
    options=("zero_division", *CREDIT),
)

MEASURES = (
    Measure(
        **cat.names("accuracy", "flat_accuracy_score", r"\mathrm{accuracy}", "Accuracy"),
        structure=FLAT,
        read=_unless_left_out(accuracy),
        pooled="never",
        formula=r"[\hat{Y} = Y]",
        derive=derive_accuracy,
        description="1 if the predicted classes are exactly the true classes, else 0.",
        source="scikit-learn, subset accuracy",
        options=CREDIT,
    ),
    *(
        replace(measure, read=_unless_left_out(measure.read))
        for measure in (_PRECISION, _RECALL, _F1)
    ),
    Measure(
        **cat.names("hamming", "flat_hamming_loss", r"\mathrm{HM}", "Hamming loss"),
        structure=FLAT,
        better="lower",
        read=_unless_left_out(hamming),
        formula=r"\frac{|\hat{Y} \bigtriangleup Y|}{|C|}",
        derive=derive_hamming,
        description="The share of the hierarchy's classes that are missed or spurious.",
        source=cited(
            "scikit-learn, hamming_loss; @plaud2024, Section 5.3.2, take the classes of one level"
        ),
        options=("count_root", *CREDIT),
    ),
    *_three(
        structure=AUGMENTED,
        keys=("hF", "hP", "hR"),
        function="h",
        name="Hierarchical {}",
        symbols=(r"\mathrm{hF}", r"\mathrm{hP}", r"\mathrm{hR}"),
        ratios=ratios_of_sets(r"Y_{\mathrm{aug}}", r"\hat{Y}_{\mathrm{aug}}"),
        descriptions=(
            "The harmonic mean of hierarchical precision and recall.",
            "The share of the predicted classes and their ancestors that are true classes or "
            "ancestors of true classes.",
            "The share of the true classes and their ancestors that are predicted classes or "
            "ancestors of predicted classes.",
        ),
        source=cited("@kiritchenko2005; @kosmopoulos2015, Section 2.4"),
        options=(*_ROOT, *CREDIT),
    ),
    Measure(
        **cat.names(
            "path_accuracy",
            "path_accuracy_score",
            r"\mathrm{Acc}_{\mathrm{path}}",
            "Exact path accuracy",
        ),
        structure=AUGMENTED,
        read=accuracy,
        pooled="never",
        formula=r"[\hat{Y}_{\mathrm{aug}} = Y_{\mathrm{aug}}]",
        derive=derive_accuracy,
        description="1 if the two sets with their ancestors are equal, else 0.",
        source=cited("@park2025 (full-path accuracy)"),
        options=_CREDITED,
    ),
    Measure(
        **cat.LOSS,
        **cat.names("SDL", "symmetric_difference_loss", r"l_\Delta", "Symmetric difference loss"),
        structure=AUGMENTED,
        read=symmetric_difference,
        formula=r"|\hat{Y}_{\mathrm{aug}} \setminus Y_{\mathrm{aug}}| + |Y_{\mathrm{aug}} \setminus \hat{Y}_{\mathrm{aug}}|",
        derive=derive_symmetric_difference,
        description="The number of classes, with ancestors, that are on one side only.",
        source=cited("@kosmopoulos2015, Section 2.4"),
        options=_CREDITED,
    ),
    Measure(
        **cat.LOSS,
        **cat.names("H_loss", "h_loss", r"\ell_H", "H-loss"),
        structure=H_LOSS,
        read=lambda c, options: c.missed + c.spurious,
        formula=r"|\hat{Y}'_{\mathrm{aug}} \setminus Y'_{\mathrm{aug}}| + |Y'_{\mathrm{aug}} \setminus \hat{Y}'_{\mathrm{aug}}|",
        derive=derive_symmetric_difference,
        description="The symmetric difference without errors that follow from an error above "
        "them. In a DAG, an error below another error still counts if another of its parents is "
        "right. The cost of an error is the weight of its class.",
        source=cited("@cesabianchi2006; @kosmopoulos2015, Eqs. 4–5"),
        options=WEIGHTED_SETS,
    ),
    *_three(
        structure=DESCENDANTS,
        keys=("hF_desc", "hP_desc", "hR_desc"),
        function="descendant",
        name="Descendant {}",
        symbols=(r"F_{\mathrm{De}}", r"P_{\mathrm{De}}", r"R_{\mathrm{De}}"),
        ratios=ratios_of_sets(r"Y_{\mathrm{De}}", r"\hat{Y}_{\mathrm{De}}"),
        descriptions=(
            "The harmonic mean of descendant precision and recall.",
            "The share of the predicted classes and their descendants that are true classes or "
            "descendants of true classes.",
            "The share of the true classes and their descendants that are predicted classes or "
            "descendants of predicted classes.",
        ),
        source=cited("@ipeirotis2001; @kosmopoulos2015, Section 2.4.1"),
        options=_ROOT,
    ),
)
