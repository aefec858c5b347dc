"""Hints before an answer: where to begin, for what is asked. No hint looks at the instance, so that
none gives an answer away.
"""

from collections.abc import Iterable

from hiermeasures.measures import Measure

# By family of measures, or structure where one of a family begins otherwise.
HINTS = {
    "ancestors": "Add the ancestors of both sides first.",
    "h_loss": "Add the ancestors of both sides first, then take out what is wrong only because its parent is.",
    "lca": "Find where each class meets its nearest of the other side; nothing above that belongs to the graphs.",
    "pairs": "Write the distance of each predicted class to each true one down first.",
    "confusion": "Write both paths down from the root, and see how far they go together.",
    "counts": "Count first, at each class, how many true and how many predicted classes lie at or below it.",
    "ranks": "Look first which predicted classes come with all that is above them.",
    "paths": "Go up from both classes until the ways meet, and count the edges.",
    "weighted": "Add the ancestors of both sides first, then add up weights instead of counting classes.",
    "descendants": "Add to each class all that is below it first.",
    "flat": "Compare the classes as they are named; the hierarchy plays no part.",
    "expected": "Take the value for each possible truth times its probability first.",
    "micro": "Add the counts up over the instances first, and divide once.",
    "samples": "Work the value of each instance out first, and take their mean.",
    "macro": "Count for each class in how many instances it is true, predicted and both, and divide class by class.",
    "sign": "Count on how many instances the first is better, and on how many the second; ties are left out.",
    "weight": "Half as many are one bit more: how often can the number be halved?",
    "why": "Work the values out for both sides before you look for a reason.",
}
GENERAL = "Look at one side first: what does it say, and what of it is true?"
MOST = 2


def about(measures: Iterable[Measure]) -> tuple[str, ...]:
    """The keys of the hints for some measures, in their order."""
    return tuple(m.structure.key if m.structure.key in HINTS else m.family for m in measures)


def hint_of(keys: Iterable[str]) -> str:
    """The hint of what is asked about, of the first two.

    >>> hint_of(["flat", "flat"]), hint_of([])
    ('Compare the classes as they are named; the hierarchy plays no part.', \
'Look at one side first: what does it say, and what of it is true?')
    """
    found = [HINTS[key] for key in dict.fromkeys(keys) if key in HINTS]
    return " ".join(found[:MOST]) or GENERAL
