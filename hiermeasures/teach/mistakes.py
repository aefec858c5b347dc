"""Typical mistakes behind wrong answers. Each computes the wrong answer that it leads to.

A mistake changes the computation of a value, of a set or pairing, or of both. For a value, the
measure's own formula reads a wrong row of numbers (`altered`). Wrong answers are not listed in a
table. The module computes the answer with the mistake and compares it with the given answer. If the
mistake is about sets, the drawing marks the classes that it leaves out or adds.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE, Explanation, Measure
from hiermeasures.measures.catalogue import SIDES
from hiermeasures.measures.lca import compared_graphs
from hiermeasures.measures.own import OwnMeasure
from hiermeasures.measures.sets import SetOverlap
from hiermeasures.teach.kinds.choose import Prefers, Which
from hiermeasures.teach.kinds.click import Click
from hiermeasures.teach.kinds.pair import Pairing
from hiermeasures.teach.kinds.value import Value
from hiermeasures.teach.questions import Altered, Given, Items, Mistaken, Pair, Question

Row = Any  # a named tuple: the numbers of a structure
Sets = tuple[frozenset[str], frozenset[str]]  # true and predicted
Change = Callable[[Explanation, Sets], Sets]  # the sets that count, as a mistake has them
RowChange = Callable[[Measure, Explanation, Row], Row | None]
_SETS = ("augmented", "descendants")  # structures that compare two sets of classes


@dataclass(frozen=True)
class Misconception:
    """A misconception: its key, its sentence for the student, and its values (empty if they are
    unchanged).

    `counts` returns the classes that a wrong value counts, and `pairs` returns the wrong pairs, if
    they can be drawn.
    """

    key: str
    sentence: str
    altered: Altered | None = None
    counts: Change | None = None
    pairs: Callable[[Explanation], Iterable[Pair]] | None = None

    def answers(self, question: Question) -> Iterator[Given]:
        made = [question.answer_with(self.altered)] if self.altered is not None else []
        if isinstance(question, Pairing) and self.pairs is not None:
            x = question.subject.explained[0]
            made.append(_complete(x, self.pairs(x)))
        for given in (*made, *_chosen(question).get(self.key, ())):
            if given is not None and not question.assess(given).right:
                yield given

    def mistaken(self, question: Question) -> Mistaken:
        """Return the classes or pairs that the mistake counts wrongly, by instance of a
        question.
        """
        if (altered := self.altered) is None or not (self.counts or self.pairs):
            return ()
        explained = question.subject.explained
        found: list[tuple[Items, Items]] = [(frozenset(), frozenset())] * len(explained)

        def note(measure: Measure, x: Explanation) -> None:
            k = next(k for k, other in enumerate(explained) if other is x)
            if altered(measure, x) is not None and not any(found[k]):
                found[k] = self._apart(measure, x)

        question.answer_with(note)
        return tuple(found)

    def _apart(self, measure: Measure, x: Explanation) -> tuple[Items, Items]:
        """Return the classes (or pairs) that the mistake removes from a measure's sets, and those
        that it adds.
        """
        if self.pairs is not None:
            right = frozenset(
                (p.predicted, p.true)
                for p in x.built(measure.structure).pairs
                if p.predicted and p.true
            )
            wrong = frozenset(self.pairs(x))
            return right - wrong, wrong - right
        sets = _counting(measure, x)
        apart = list(zip(sets, self.counts(x, sets) if self.counts else sets, strict=True))
        left_out = frozenset().union(*(right - wrong for right, wrong in apart))
        return left_out, frozenset().union(*(wrong - right for right, wrong in apart)) - left_out


def recognise_mistake(question: Question, given: Given) -> Mapping[str, Any]:
    """Return the sentence of the first mistake that leads to this wrong answer, if any."""
    for mistake in MISTAKES:
        with suppress(InputError):  # the mistake has no value here
            if any(question.same(given, wrong) for wrong in mistake.answers(question)):
                mistaken = mistake.mistaken(question)
                return {"mistake": mistake.key, "thought": mistake.sentence, "mistaken": mistaken}
    return {}


def _counting(measure: Measure, x: Explanation) -> Sets:
    """Return the classes that a measure counts on either side. Without sides, return all."""
    built: Any = x.built(measure.structure)
    if measure.structure.key == "counts":
        true, predicted = (
            frozenset(c.label for c in built.classes if getattr(c, side)) for side in SIDES
        )
        return true, predicted
    if measure.structure.key == "confusion":
        tp, tn, fp, fn = (_cell(x, name) for name in ("TP", "TN", "FP", "FN"))
        also = tn if "TN" in measure.formula else frozenset()
        return tp | fn | also, tp | fp | also
    if measure.structure.key == "lca":
        built = compared_graphs(built, x.options).overlap
    return (
        (built.true, built.predicted)
        if isinstance(built, SetOverlap)
        else (x.true | x.predicted,) * 2
    )


def _cell(x: Explanation, name: str) -> frozenset[str]:
    of_paths = (getattr(path, name.lower()) for path in x.confusion.paths)
    left_over = (path[1:] for path in x.confusion.unmatched if name == "FN")
    return frozenset().union(*of_paths, *left_over)


def _chosen(question: Question) -> Mapping[str, Iterable[Given | None]]:
    if isinstance(question, Click):
        nodes = frozenset(question.explained.hierarchy.nodes)
        return {
            key: [c for c in sets if c and c <= nodes] for key, sets in _clicked(question).items()
        }
    if isinstance(question, Prefers) and question.measure.better == "lower":
        return {"direction": [{"first": "second", "second": "first"}.get(question.answer())]}
    if isinstance(question, Which):  # not every one for which it holds
        right = question.answer().split()
        return {
            "one_is_enough": [
                " ".join(c) for n in range(1, len(right)) for c in combinations(right, n)
            ]
        }
    if isinstance(question, Value):
        return {
            f"{a}_for_{b}": [question.average_as(a)]
            for a, b in (("micro", "samples"), ("samples", "micro"))
        }
    return {}


def _clicked(question: Click) -> dict[str, list[frozenset[str]]]:
    x, answer, (name, arguments) = question.explained, question.answer(), question.asked_for
    root = frozenset({x.hierarchy.root})
    found = {"left_out_root": [answer - root]}
    if name in ("augmented", "cell"):
        found["counted_root"] = [answer | root]
    if name == "augmented" and arguments[0] in SIDES:
        other = "predicted" if arguments[0] == "true" else "true"
        classes = getattr(x, arguments[0])
        found |= {"forgot_ancestors": [classes], "other_side": [getattr(x.augmented, other)]}
        found["one_way_only"] = [_one_way(x, classes, place) for place in (0, -1)]
    if name in ("G_t", "G_p"):
        found["other_side"] = [question.as_if("G_p" if name == "G_t" else "G_t")]
        found["too_far_up"] = [x.augmented.true if name == "G_t" else x.augmented.predicted]
    if name == "LCA":
        found["too_far_up"] = [root, x.augmented.shared]
    if name == "cell":
        swapped = {"FP": "FN", "FN": "FP", "TP": "TN", "TN": "TP"}
        found["other_side"] = [question.as_if(f"cell({swapped[arguments[0]]})")]
        if arguments[0] == "TN":
            found["every_other_class"] = [
                frozenset(x.hierarchy.nodes) - x.augmented.true - x.augmented.predicted - root
            ]
    return found


def _one_way(x: Explanation, classes: Iterable[str], place: int) -> frozenset[str]:
    """Return classes with ancestors, following only one parent of each class."""
    found = set(classes)
    todo = sorted(found)
    while todo:
        above = x.hierarchy.parents(todo.pop())
        if above and above[place] not in found:
            found.add(above[place])
            todo.append(above[place])
    return frozenset(found)


def _reading(change: RowChange) -> Altered:

    def altered(measure: Measure, x: Explanation) -> float | None:
        if len(measure.structures) > 1 or isinstance(measure, OwnMeasure):
            return None
        row = change(measure, x, measure.structure.read(x.built(measure.structure), x.options))
        return None if row is None else float(measure.read(row, x.options))

    return altered


def _of_sets(counts: Change, /, **others: RowChange) -> dict[str, Any]:
    """Return the values of wrong sets, or of changed rows by structure, with the sets to draw."""

    def change(measure: Measure, x: Explanation, row: Row) -> Row | None:
        key = measure.structure.key
        if key not in _SETS:
            return others[key](measure, x, row) if key in others else None
        true, predicted = counts(x, _counting(measure, x))
        return row._replace(true=len(true), predicted=len(predicted), shared=len(true & predicted))

    return {"altered": _reading(change), "counts": counts}


def _own_counts(measure: Measure, x: Explanation, row: Row) -> Row:
    hits, p, t = len(x.true & x.predicted), len(x.predicted), len(x.true)
    return row._replace(TP=hits, FP=p - hits, FN=t - hits)


def _counts_but_top(measure: Measure, x: Explanation, row: Row) -> Row | None:
    if x.hierarchy.root not in x.augmented.true | x.augmented.predicted:
        return None
    t, p = len(x.true), len(x.predicted)
    return row._replace(TP=row.TP - min(t, p), FP=row.FP - max(p - t, 0), FN=row.FN - max(t - p, 0))


def _other_share(asked: str, taken: str) -> Altered:
    """Return the values of two ratios of one structure, exchanged."""

    def altered(measure: Measure, x: Explanation) -> float | None:
        if asked not in measure.name.lower():
            return None
        name = measure.name.lower().replace(asked, taken)
        other = [
            m
            for m in CATALOGUE.values()
            if m.name.lower() == name and m.structure is measure.structure
        ]
        return x.value(other[0]) if other else None

    return altered


def _arithmetic(measure: Measure, x: Explanation) -> float | None:
    same = [
        m
        for m in CATALOGUE.values()
        if m.structure is measure.structure and m.fixed == measure.fixed
    ]
    parts = [m for m in same for word in ("precision", "recall") if word in m.name.lower()]
    return sum(map(x.value, parts)) / 2 if "F1" in measure.name and len(parts) == 2 else None


def _without_tn(measure: Measure, x: Explanation, row: Row) -> Row | None:
    return (
        row._replace(TN=0)
        if measure.structure.key == "confusion" and "TN" in measure.formula
        else None
    )


def _with_tn(measure: Measure, x: Explanation, row: Row) -> Row | None:
    of_ratio = (
        measure.structure.key == "confusion" and "TN" not in measure.formula and measure.high == 1.0
    )
    return row._replace(TP=row.TP + row.TN) if of_ratio else None


def _of_true_alone(measure: Measure, x: Explanation, row: Row) -> Row | None:
    return (
        row._replace(union=len(x.true))
        if "union" in row._fields and measure.better == "higher"
        else None
    )


def _greedy(x: Explanation) -> Iterator[Pair]:
    """Pair classes in the order of their distance, each class once."""
    left = sorted(x.instance.distances.items(), key=lambda item: (item[1], item[0]))
    while left:
        p, t = left[0][0]
        yield p, t
        left = [(pair, d) for pair, d in left if p != pair[0] and t != pair[1]]


def _nearest(x: Explanation) -> Iterator[Pair]:
    """Pair each predicted class with its nearest true class. Other true classes stay alone."""
    for p in sorted(x.predicted if x.true else ()):
        yield p, min(sorted(x.true), key=lambda t: x.instance.distances[p, t])


def _right_pairs(x: Explanation) -> Iterator[Pair]:
    """Return the pairs of GIE, if it has any."""
    yield from (
        (pair.predicted, pair.true)
        for pair in x.pairing("GIE").pairs
        if pair.predicted and pair.true
    )


def _complete(x: Explanation, pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Return pairs, with the classes that are left over."""
    made = frozenset(pairs)
    left_p = {(p, "") for p in x.predicted - {p for p, _ in made}}
    return made | left_p | {("", t) for t in x.true - {t for _, t in made}}


def _paired(of: Callable[[Explanation], Iterator[Pair]], alone: float = 1) -> dict[str, Any]:
    """Return values and pairings for any pairs, cheapest or not. A class without a pair costs
    `alone` times D_max.
    """

    def change(measure: Measure, x: Explanation, row: Row) -> Row | None:
        if measure.family != "pairs" or not (alone or "dmax" in measure.options):
            return None
        pairs = _complete(x, of(x))
        return row._replace(
            error=sum(x.instance.distances.get(pair, alone * x.options.dmax) for pair in pairs)
        )

    return {"altered": _reading(change), "pairs": of if alone else None}


MISTAKES = (
    Misconception("direction", "You may have chosen the higher value. Here lower is better."),
    Misconception("one_is_enough", "Your choices are right, but something is missing."),
    Misconception(
        "counted_root",
        "You may have counted the root, which does not count here.",
        **_of_sets(
            lambda x, sets: (sets[0] | {x.hierarchy.root}, sets[1] | {x.hierarchy.root}),
            confusion=lambda m, x, row: (
                row._replace(TP=row.TP + 1) if row.TP + row.FP and row.TP + row.FN else None
            ),
        ),
    ),
    Misconception(
        "left_out_root",
        "You may have left out the root, which counts here.",
        **_of_sets(
            lambda x, sets: (sets[0] - {x.hierarchy.root}, sets[1] - {x.hierarchy.root}),
            counts=_counts_but_top,
        ),
    ),
    Misconception(
        "forgot_ancestors",
        "You may have used the marked classes only. Here the hierarchy adds classes to them.",
        **_of_sets(lambda x, sets: (x.true, x.predicted), counts=_own_counts),
    ),
    Misconception(
        "true_side_only",
        "You may have added ancestors to the true side only.",
        **_of_sets(lambda x, sets: (sets[0], x.predicted)),
    ),
    Misconception(
        "predicted_side_only",
        "You may have added ancestors to the predicted side only.",
        **_of_sets(lambda x, sets: (x.true, sets[1])),
    ),
    Misconception(
        "paired_greedily",
        "You may have paired the nearest two classes first and then the rest. Another pairing can "
        "have a smaller sum.",
        **_paired(_greedy),
    ),
    Misconception(
        "each_with_nearest",
        "You may have paired each predicted class with its nearest true class, but not each true "
        "class with its nearest predicted class.",
        **_paired(_nearest),
    ),
    Misconception(
        "left_over_for_nothing",
        "You may have forgotten that a class without a partner costs D_max.",
        **_paired(_right_pairs, alone=0),
        counts=lambda x, sets: (
            (frozenset(label for pair in _right_pairs(x) for label in pair),) * 2
        ),
    ),
    Misconception(
        "precision_for_recall",
        "You may have divided by the predicted side, which gives precision instead of recall.",
        _other_share("recall", "precision"),
        lambda x, sets: (sets[1], sets[1]),
    ),
    Misconception(
        "recall_for_precision",
        "You may have divided by the true side, which gives recall instead of precision.",
        _other_share("precision", "recall"),
        lambda x, sets: (sets[0], sets[0]),
    ),
    Misconception(
        "arithmetic_mean",
        "You may have taken the arithmetic mean of precision and recall. F1 is their harmonic "
        "mean.",
        _arithmetic,
    ),
    Misconception(
        "micro_for_samples",
        "You may have added up the counts and divided once. Here you compute each value first and "
        "then take their mean.",
    ),
    Misconception(
        "samples_for_micro",
        "You may have taken the mean of the values over the instances. The question asks for "
        "another average.",
    ),
    Misconception(
        "forgot_tn",
        "You may have forgotten the true negatives.",
        _reading(_without_tn),
        lambda x, sets: (sets[0] - _cell(x, "TN"), sets[1] - _cell(x, "TN")),
    ),
    Misconception(
        "counted_tn",
        "You may have counted the true negatives, which do not count here.",
        _reading(_with_tn),
        lambda x, sets: (sets[0] | _cell(x, "TN"), sets[1] | _cell(x, "TN")),
    ),
    Misconception(
        "every_other_class", "You may have counted every class off the paths as a true negative."
    ),
    Misconception(
        "forgot_weights",
        "You may have counted the classes instead of adding up their weights.",
        lambda m, x: x[f"h{m.key[1]}"] if m.key in ("wF", "wP", "wR") else None,
    ),
    Misconception(
        "wrong_side",
        "You may have divided by the true classes only.",
        _reading(_of_true_alone),
        lambda x, sets: (x.true, x.true),
    ),
    Misconception(
        "counted_classes",
        "You may have counted the classes on the path. A distance is the number of edges.",
        lambda m, x: x.value(m) + 1 if m.key in ("TIE", "SP") else None,
    ),
    Misconception(
        "other_side",
        "You may have confused the true and the predicted side, or one cell with another.",
    ),
    Misconception("too_far_up", "You may have gone past the lowest common ancestor."),
    Misconception(
        "one_way_only", "You may have gone up by one parent only, although a class has several."
    ),
)
