"""What exercises can be wished: kinds of question, difficulty, and the measures that they are about.

What is wished is checked here; exercises.py draws it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hiermeasures.errors import InputError, unknown
from hiermeasures.lessons.format import KIND_NAMES, Kind
from hiermeasures.measures import CATALOGUE

FEWEST_CLASSES, MOST_CLASSES, MOST_LABELS = 4, 14, 4

# What can be worked out on paper, by family and best known first.
ASKED: Mapping[str, tuple[str, ...]] = {
    "ancestors": ("hF", "hP", "hR", "SDL"),
    "lca": ("F_LCA", "P_LCA", "R_LCA"),
    "pairs": ("GIE", "MGIA", "TIE", "all_pairs"),
    "confusion": ("HCM_F1", "HCM_PPV", "HCM_TPR", "HCM_ACC"),
    "counts": ("CoPHE_F1", "CoPHE_P", "CoPHE_R"),
    "paths": ("SP",),
    "descendants": ("hF_desc", "hP_desc", "hR_desc"),
    "flat": ("f1", "precision", "recall"),
}
MEASURES = tuple(key for keys in ASKED.values() for key in keys)
PAIRED = ("GIE", "MGIA", "TIE")  # in all_pairs there is nothing to choose
SETS: Mapping[str, tuple[str, ...]] = {
    "ancestors": ("augmented(true)", "augmented(predicted)"),
    "lca": ("G_t", "G_p", "LCA({t}, predicted)", "LCA({p}, true)", "S_best({t}, predicted)", "S_best({p}, true)"),
    "confusion": ("cell(TP)", "cell(TN)", "cell(FP)", "cell(FN)"),
}


@dataclass(frozen=True)
class Wish:
    """What exercises are wished: the kinds of question, in turn; how many classes a hierarchy has, whether it is a DAG,
    how many labels a side has at most (never more than half of the classes); and about which measures (none named: all
    in MEASURES).

    Raises
    ------
    InputError
        For what there are no exercises about, with what there is.
    """

    kinds: tuple[Kind, ...] = KIND_NAMES
    classes: int = 7
    dag: bool = False
    labels: int = 2
    measures: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.kinds:
            raise InputError(f"no kind of question is chosen; there are {', '.join(KIND_NAMES)}")
        for kind in self.kinds:
            if kind not in KIND_NAMES:
                raise InputError(unknown("kind of question", kind, KIND_NAMES))
        for key in self.measures:
            if key not in CATALOGUE:
                raise InputError(unknown("measure or family", key, (*MEASURES, *ASKED)))
            if key not in MEASURES:
                raise InputError(f"there are no exercises about {key}; there are about {', '.join(MEASURES)}")
        if not FEWEST_CLASSES <= self.classes <= MOST_CLASSES:
            raise InputError(f"a hierarchy has {FEWEST_CLASSES} to {MOST_CLASSES} classes, not {self.classes}")
        if not 1 <= self.labels <= MOST_LABELS:
            raise InputError(f"a side has 1 to {MOST_LABELS} labels, not {self.labels}")
        if self.dag and self.classes < 5:
            raise InputError("a DAG has 5 classes at least")
        for kind, reason in left_out(self.kinds, self.labels, self.measures).items():
            raise InputError(f"{kind}: {reason}")

    @cached_property
    def chosen(self) -> tuple[str, ...]:
        """The measures that questions are about."""
        return _chosen(self.measures)

    @cached_property
    def families(self) -> tuple[str, ...]:
        """Their families, best known first."""
        return tuple(family for family, keys in ASKED.items() if not set(keys).isdisjoint(self.chosen))


def left_out(kinds: Iterable[Kind], labels: int, measures: Sequence[str] = ()) -> dict[Kind, str]:
    """Those of some kinds of question that cannot be asked with so many labels and about these measures, with why.

    >>> left_out(("value", "pair"), labels=1)
    {'pair': 'it takes two labels on a side'}
    """
    chosen = set(_chosen(measures))
    in_sets = {key for family in SETS for key in ASKED[family]}
    reasons: dict[Kind, str] = {}
    if not chosen & in_sets:
        reasons["click"] = "it asks about ancestor sets, LCA graphs and confusion cells, of which no measure is chosen"
    if not chosen & set(PAIRED):
        reasons["pair"] = f"it asks about {', '.join(PAIRED)}, of which none is chosen"
    elif labels < 2:
        reasons["pair"] = "it takes two labels on a side"
    if chosen <= set(ASKED["flat"]):
        reasons["make"] = "of flat measures alone there is too little to change"
        if labels < 2:
            reasons = dict.fromkeys(KIND_NAMES, "of one label flat measures are 0 or 1")
    if len(chosen) < 2:
        reasons["which"] = "it takes two measures to choose from"
    return {kind: reasons[kind] for kind in kinds if kind in reasons}


def _chosen(measures: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(measures)) or MEASURES


def with_families(names: Iterable[str]) -> tuple[str, ...]:
    """Measures by key, with those of a family for the family's name.

    >>> with_families(["hF", "lca", "paths"])
    ('hF', 'F_LCA', 'P_LCA', 'R_LCA', 'SP')
    """
    return tuple(key for name in names for key in ASKED.get(name, (name,)))
