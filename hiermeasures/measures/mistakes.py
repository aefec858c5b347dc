"""The mistakes of one instance: pairs of a true class and the wrong class in its place.

Each side is first reduced to its most specific classes, as in the LCA measures. A class in both
sets is right. The other classes are paired from the bottom of the hierarchy up: first the missed
and the wrong class that meet lowest. If several pairs meet equally low, they share the count. A
true class without a pair is missed. A predicted class without a pair is extra.

hiermeasures.evaluation.mistakes computes this for many instances.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from hiermeasures.hierarchy.hierarchy import Hierarchy

KINDS = (
    "right",
    "extra",
    "missed",
    "too general",
    "too specific",
    "sibling",
    "cousin",
    "other top class",
    "unknown",
    "no answer",
)
"""The kinds, the gravest last. The kind of an instance is the gravest of its kinds."""

RULE = (
    "Only the most specific labels of the truth and of the prediction count. A label in both is "
    "right. Then each missed label is paired with a wrong one. Those that meet lowest in the "
    "hierarchy go first. If several pairs are equally close, they split the count, so you may see "
    "fractions. A true label without a pair is missed. A predicted label without a pair is extra."
)
"""An explanation of the pairing of labels, for people."""


@dataclass(frozen=True)
class Mistake:
    """A true class, the class predicted in its place, and the kind of this mistake.

    Attributes
    ----------
    true : str or None
        The true class. None for an extra class.
    predicted : str or None
        The predicted class. None for a missed class.
    kind : str
        One of KINDS.
    height : int or None
        The height of the lowest class in which both meet. None if one of them is None.
    count : Fraction
        The share of the two classes that is paired here. It is 1 unless several pairs compete.

    See Also
    --------
    pair_labels : Return the mistakes of an instance.
    """

    true: str | None
    predicted: str | None
    kind: str
    height: int | None
    count: Fraction


Pair = tuple[str, str]
Shares = dict[str, Fraction]


def pair_labels(
    hierarchy: Hierarchy, true: Collection[str], predicted: Collection[str]
) -> tuple[Mistake, ...]:
    """Pair the true classes of an instance with its predicted ones.

    The counts of each most specific class, true or predicted, add up to 1.

    Parameters
    ----------
    hierarchy : Hierarchy
    true : collection of str
    predicted : collection of str
        A label that is not a class is unknown. It meets other classes only in the root.

    Returns
    -------
    tuple of Mistake
        All pairs, also those of kind "right".

    See Also
    --------
    hiermeasures.evaluation.mistakes : Count the mistakes of many instances.

    Examples
    --------
    Two siblings compete for one true class. Each gets half of the count. The other half is extra:

    >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b", "c"], "B": ["d"]}})
    >>> for m in pair_labels(h, {"a", "d"}, {"b", "c", "d"}):
    ...     print(m.true, m.predicted, m.kind, m.count)
    a b sibling 1/2
    a c sibling 1/2
    d d right 1
    None b extra 1/2
    None c extra 1/2
    """
    h = hierarchy.base or hierarchy
    rows, columns = _keep_most_specific(h, true), _keep_most_specific(h, predicted)
    missed = dict.fromkeys(rows - columns, Fraction(1))
    wrong = dict.fromkeys(columns - rows, Fraction(1))
    heights = {(i, j): find_meeting_height(h, i, j) for i in missed for j in wrong}
    shares = _share_from_below(heights, missed, wrong)
    left = "missed" if predicted else "no answer"
    found = [Mistake(c, c, "right", h.height(c), Fraction(1)) for c in rows & columns]
    found += [
        Mistake(i, j, name_kind(h, i, j), heights[i, j], share) for (i, j), share in shares.items()
    ]
    found += [Mistake(i, None, left, None, share) for i, share in missed.items()]
    found += [
        Mistake(None, j, "extra" if j in h else "unknown", None, share)
        for j, share in wrong.items()
    ]
    some = (mistake for mistake in found if mistake.count)
    return tuple(sorted(some, key=lambda m: (m.true is None, m.true or "", m.predicted or "")))


def find_meeting_height(hierarchy: Hierarchy, true: str, predicted: str) -> int:
    """Return the least height of a common ancestor. A class counts as its own ancestor."""
    if predicted not in hierarchy:
        return hierarchy.height(hierarchy.root)
    common = hierarchy.up(true).keys() & hierarchy.up(predicted).keys()
    return min(map(hierarchy.height, common))


def name_kind(hierarchy: Hierarchy, true: str, predicted: str) -> str:
    """Return the kind of the mistake for a class that is predicted in place of another one."""
    if predicted not in hierarchy:
        return "unknown"
    if predicted in hierarchy.ancestors(true):
        return "too general"
    if true in hierarchy.ancestors(predicted):
        return "too specific"
    parents = {*hierarchy.parents(true)} & {*hierarchy.parents(predicted)}
    if parents - {hierarchy.root}:
        return "sibling"
    above = hierarchy.ancestors(true) & hierarchy.ancestors(predicted)
    return "cousin" if above - {hierarchy.root} else "other top class"


def _keep_most_specific(hierarchy: Hierarchy, labels: Collection[str]) -> frozenset[str]:
    known = [label for label in labels if label in hierarchy]
    return frozenset(labels).difference(*map(hierarchy.ancestors, known))


def _share_from_below(
    heights: Mapping[Pair, int], missed: Shares, wrong: Shares
) -> dict[Pair, Fraction]:
    """Return the count of each pair. The unpaired rest remains in `missed` and `wrong`.

    At each height, the pairs that meet there or lower divide the rest of their classes. The share
    of a pair is the product of the rests of its two classes, divided by the rest of all partners of
    one class. There are two such sums. The larger one is used, so no class is used more than once.
    """
    shares: dict[Pair, Fraction] = defaultdict(Fraction)
    for height in sorted({*heights.values()}):
        pairs = [pair for pair, lowest in heights.items() if lowest <= height]
        of_true = defaultdict[str, Fraction](Fraction)
        of_predicted = defaultdict[str, Fraction](Fraction)
        for i, j in pairs:
            of_true[i] += wrong[j]
            of_predicted[j] += missed[i]
        now = {
            (i, j): missed[i] * wrong[j] / max(of_true[i], of_predicted[j])
            for i, j in pairs
            if missed[i] and wrong[j]
        }
        for (i, j), share in now.items():
            shares[i, j] += share
            missed[i] -= share
            wrong[j] -= share
    return shares
