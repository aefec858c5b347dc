"""Scores in place of predicted sets: the decisions by which evaluation code makes sets of them.

A decision is a choice on the axis `decision`, with its number behind an @ where it has one. Equal
scores are decided alike, and a class of score 0 is not predicted. A threshold that is tuned is the
largest with the best micro F1 on the very data, of labels as they stand (`best`) or with the
ancestors on both sides (`best_grown`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hiermeasures.core.errors import InputError, shown
from hiermeasures.engine.hierarchy_arrays import arrays_of
from hiermeasures.probabilities.probabilities import ProbabilityTable

Labels = tuple[np.ndarray, np.ndarray]  # instance and class number of each label
TUNED = ("best", "best_grown")
FORM = re.compile(r"(?:above|at_least)@[0-9]{1,4}(?:\.[0-9]{1,12})?|top@[1-9][0-9]{0,8}|levels|best|best_grown")


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of the classes for every instance, and the decisions that are tried.

    >>> from hiermeasures import Hierarchy
    >>> table = ProbabilityTable.of(Hierarchy.from_edges([("A", "B"), ("A", "C")]), [[0.9, 0.5]], ["B", "C"])
    >>> Scores.of(table, thresholds=[0.3]).decisions
    ('above@0.3', 'at_least@0.3', 'levels', 'top@1', 'best', 'best_grown')
    """

    table: ProbabilityTable
    decisions: tuple[str, ...]

    @classmethod
    def of(cls, table: ProbabilityTable, thresholds: Sequence[float] = (0.5,), top: Sequence[int] = (1,)) -> "Scores":
        """The usual decisions with these thresholds and numbers of classes; InputError for one that
        is none.
        """
        for t in thresholds:
            if not 0 <= t <= 1:
                raise InputError(f"a threshold is a number in [0, 1], not {t!r}")
        for k in top:
            if k < 1:
                raise InputError(f"the number of best classes is 1 or more, not {k!r}")
        texts = [f"{t:.12f}".rstrip("0").rstrip(".") for t in thresholds]
        at = [f"{rule}@{text}" for text in texts for rule in ("above", "at_least")]
        return cls(table, (*at, "levels", *(f"top@{k}" for k in top), *TUNED))

    def __len__(self) -> int:
        return len(self.table)

    def others(self, decision: str) -> list[str]:
        """The decisions beside one: those that are tried, and the same threshold with the other
        sign.
        """
        rule, _, number = decision.partition("@")
        signs = [f"{sign}@{number}" for sign in ("above", "at_least")] if rule in ("above", "at_least") else []
        return [other for other in dict.fromkeys((*self.decisions, *signs)) if other != decision]

    def decide(self, decision: str, true: Labels) -> Labels:
        """The labels that a decision predicts; what is tuned looks at the true ones."""
        if not FORM.fullmatch(decision):
            raise InputError(f"a decision is above@0.5, at_least@0.5, levels, top@1, best …, not {shown(decision)}")
        scores = np.array(self.table.values.T, order="C")  # of each class
        scores[0] = 0  # the root
        rule, _, number = decision.partition("@")
        if rule == "above":
            taken = scores > float(number)
        elif rule == "at_least":
            taken = scores >= float(number)
        elif rule == "top":
            k = min(int(number), len(scores))
            taken = scores >= np.partition(scores, len(scores) - k, axis=0)[len(scores) - k]
        elif rule == "levels":
            level, taken = arrays_of(self.table.hierarchy).level, np.zeros(scores.shape, bool)
            for depth in range(1, int(level.max()) + 1):
                taken[level == depth] = scores[level == depth] == scores[level == depth].max(axis=0)
        else:
            taken = scores >= self._tuned(scores, true, grown=rule == "best_grown")
        instance, code = np.nonzero((taken & (scores > 0)).T)
        return instance, code

    def _tuned(self, scores: np.ndarray, true: Labels, *, grown: bool) -> float:
        """The largest threshold of the best micro F1; it is the score of a true class."""
        is_true = np.zeros(scores.shape, bool)
        instance, code = true
        known = code < len(scores)
        is_true[code[known], instance[known]] = True
        if grown:
            arrays, scores = arrays_of(self.table.hierarchy), scores.copy()
            for k in range(len(scores) - 1, 0, -1):  # children come last
                for parent in arrays.parent_idx[arrays.parent_ptr[k] : arrays.parent_ptr[k + 1]].tolist():
                    np.maximum(scores[parent], scores[k], out=scores[parent])
                    is_true[parent] |= is_true[k]
            scores[0], is_true[0] = 0, False
        unknown = len(np.unique(instance[~known] * (int(code.max(initial=0)) + 1) + code[~known]))
        at = np.sort(scores[is_true & (scores > 0)])[::-1]
        predicted = scores.size - np.searchsorted(np.sort(scores, axis=None), at, side="left")
        hits = np.searchsorted(-at, -at, side="right")
        f1 = 2 * hits / (predicted + is_true.sum() + unknown)
        return float(at[np.argmax(f1)]) if len(at) else 1.0
