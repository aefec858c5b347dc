"""The registry: every measure, family and structure that the modules of this package declare.

It also sorts them, and it lists the measures that are equal at the defaults. A new module needs no
entry here, because every module with MEASURES is found. Only the tiers are lists: the core to start
with, and the parts and variants of other measures. Every other measure answers the question of its
family.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from hiermeasures.measures.catalogue import Family, Measure, Structure

_READERS = ("explain", "own", "registry")  # of the catalogue, not parts of it


def _declared() -> list[Measure]:
    folder = str(Path(__file__).parent)
    names = sorted(module.name for module in iter_modules([folder]) if module.name not in _READERS)
    modules = [import_module(f"{__package__}.{name}") for name in names]
    found = [measure for module in modules for measure in getattr(module, "MEASURES", ())]
    return sorted(found, key=lambda measure: measure.structure.family.rank)


CATALOGUE: dict[str, Measure] = {measure.key: measure for measure in _declared()}
STRUCTURES: dict[str, Structure[Any]] = {m.structure.key: m.structure for m in CATALOGUE.values()}
FAMILIES: dict[str, Family] = {s.family.key: s.family for s in STRUCTURES.values()}


TITLES: Mapping[str, str] = {
    "start": "Start with",
    "question": "By question",
    "part": "Parts and variants",
}

CORE = ("hF", "F_LCA", "MGIA", "GIE", "hP", "hR", "f1", "accuracy")
"""The measures that you get if you name no measure, the most useful first.

Each has a value for any two sets of classes.
"""
_PARTS = """
    precision recall hP_desc hR_desc P_LCA R_LCA SDL_LCA F_LCA_ext P_LCA_ext R_LCA_ext MGIA_error own_pairing
    own_accuracy HCM_PPV HCM_TPR HCM_FNR HCM_FPR HCM_PT HCM_TP HCM_TN HCM_FP HCM_FN CoPHE_P CoPHE_R C_P C_R wP wR
    mi ru ICM_norm SP_up SP_down
""".split()

QUESTIONS: Mapping[str, str] = {
    "flat": "How many labels are wrong, ignoring the hierarchy?",
    "ancestors": "How much differs once ancestors are added?",
    "descendants": "How much do the classes below overlap?",
    "lca": "How far are both sides from the classes where they meet?",
    "pairs": "Which classes are paired, and at what cost?",
    "paths": "How far apart are the classes, along edges?",
    "confusion": "Which classes were rightly left out (negatives)?",
    "counts": "How many labels does each class contain (counts)?",
    "ranks": "Is the whole path right, and down to which rank?",
    "similarity": "How similar are two classes, as in lexicons and ontologies?",
    "weighted": "Do some classes count more than others (weights)?",
}


def tier_of(key: str) -> str:
    """Return the tier of a measure, a key of TITLES. The default is "question"."""
    return "start" if key in CORE else "part" if key in _PARTS else "question"


def in_tier(tier: str, measures: Iterable[Measure]) -> list[Measure]:
    """Return the measures of a tier. The first tier has the core's order."""
    found = [measure for measure in measures if tier_of(measure.key) == tier]
    return sorted(found, key=lambda measure: CORE.index(measure.key)) if tier == "start" else found


def question(family: Family) -> str:
    """Return the question that a family's measures answer, or the family's title."""
    return QUESTIONS.get(family.key, family.title)


@dataclass(frozen=True)
class Same:
    """A theorem with its proof: at the defaults a measure equals an expression over other measures.

    `where` restricts it in words, and `given` expresses this restriction as a condition.
    `one_label` means at most one class on each side. `trees` means only in a tree.
    """

    key: str
    expression: str
    because: str
    where: str = ""
    given: str = ""
    one_label: bool = False
    trees: bool = False

    @property
    def refuted_by(self) -> str:
        """The condition of an instance that would refute the theorem."""
        differs = f"{self.key} != {self.expression}"
        return f"{self.given} and {differs}" if self.given else differs

    @property
    def words(self) -> str:
        """The theorem in words: `HCM_FNR = 1 - HCM_TPR, if TP + FN > 0`."""
        return f"{self.key} = {self.expression}" + f", {self.where}" * bool(self.where)


def _complement(key: str, other: str, right: str, wrong: str) -> Same:
    given = f"confusion.{right} + confusion.{wrong} > 0"
    return Same(
        key,
        f"1 - {other}",
        f"both are shares of {right} + {wrong}",
        f"if {right} + {wrong} > 0",
        given,
    )


_WEIGH_ONE = "every class weighs 1, so the sums of weights are numbers of classes"
_ONE = "one class on each side"
_NEAR = f"{_ONE}, at most 2·D_max apart"
_WAY = "the classes on one side only are the path between the two without its top"
_ABOVE_BOTH = "the classes above both are the path from the root to the lowest common ancestor"
_NOT_EMPTY = "len_T > 0 and len_P > 0"
_ONE_PAIR = "there is one pair, and two default partners cost no less"
SAME = (
    Same("own_pairing", "GIE", "the default bounds are those of GIE"),
    Same("wF", "hF", _WEIGH_ONE),
    Same("wP", "hP", _WEIGH_ONE),
    Same("wR", "hR", _WEIGH_ONE),
    Same(
        "simGIC", "hF / (2 - hF)", f"{_WEIGH_ONE}; hF = 2J / (1 + J) for two sets, and simGIC is J"
    ),
    Same("SDL", "mi + ru", _WEIGH_ONE),
    _complement("HCM_FNR", "HCM_TPR", "TP", "FN"),
    _complement("HCM_FPR", "HCM_TNR", "TN", "FP"),
    Same("GIE", "TIE", _ONE_PAIR, _NEAR, "TIE <= 10", one_label=True),
    Same("MGIA_error", "TIE", _ONE_PAIR, _NEAR, "TIE <= 10", one_label=True),
    Same("all_pairs", "TIE", "there is one pair", _ONE, one_label=True),
    Same(
        "SP",
        "SP_up + SP_down",
        "each LCA is the top of a cheapest path, and these are its two parts",
    ),
    Same(
        "SP", "TIE", "there is one pair, and neither class is above another", _ONE, one_label=True
    ),
    Same("SDL", "TIE", _WAY, f"{_ONE} of a tree", one_label=True, trees=True),
    Same("CoPHE_F1", "hF", "each class is counted once, as in the sets", _ONE, one_label=True),
    *(
        Same(key, other, _ABOVE_BOTH, f"{_ONE} of a tree", _NOT_EMPTY, one_label=True, trees=True)
        for key, other in {"Wu_Palmer": "hF", "Lin": "wF", "Jiang_Conrath": "mi + ru"}.items()
    ),
    Same("f1", "accuracy", "one class is right or wrong", _ONE, one_label=True),
    Same("rank_F", "accuracy", "without a rank no class is cut off", _ONE, one_label=True),
)


def same_as(key: str) -> list[Same]:
    """Return the entries of SAME for a key."""
    return [same for same in SAME if same.key == key]
