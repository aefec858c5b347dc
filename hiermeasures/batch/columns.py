"""Counts as columns, and the measures as readers of them.

A batch keeps, for every structure of the measures, one row of numbers per instance. Here is what its columns are, how
the same numbers are taken from a structure that `explain` built, and how each measure is read off them: of one
instance, or of the sums over many (micro averages). Computing the columns is the work of the kernels.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiermeasures.errors import InputError, unknown
from hiermeasures.measures import CATALOGUE
from hiermeasures.options import Options

Row = tuple[float, ...]


@dataclass(frozen=True)
class Columns:
    """The columns of one structure. `structure` is its name in the measures' BUILDERS, `take` reads a row off it."""

    name: str
    structure: str
    columns: tuple[str, ...]
    take: Callable[[Any], Row]
    whole: bool = True

    @property
    def dtype(self) -> type:
        """Counts are int64, distances float64."""
        return np.int64 if self.whole else np.float64


@dataclass(frozen=True)
class Context:
    """What a reader needs besides the columns."""

    options: Options


Table = Mapping[str, np.ndarray]
Read = Callable[[Table, Context], np.ndarray]


@dataclass(frozen=True)
class Reader:
    """How a measure is read off the columns of `source`.

    `summed`: the measure of many instances is read off their summed counts, whatever the average (confusion matrices).
    `pooled`: the micro average is; a measure that is no ratio of counts has its mean there.
    """

    key: str
    source: str
    read: Read
    pooled: bool = True
    summed: bool = False


# --- columns ------------------------------------------------------------------------------------------------------

OVERLAP = ("true", "predicted", "shared")


def _overlap(sets: Any) -> Row:
    return len(sets.true), len(sets.predicted), len(sets.shared)


def _pairing(network: Any) -> Row:
    true, predicted = set(network.true), set(network.predicted)
    return network.fnerror, len(true | predicted), len(true ^ predicted)


SOURCES: dict[str, Columns] = {
    c.name: c
    for c in (
        Columns("flat", "flat", (*OVERLAP, "classes"), lambda sets: (*_overlap(sets), sets.classes)),
        Columns("augmented", "augmented", OVERLAP, _overlap),
        Columns("h_loss", "h_loss", ("missed", "spurious"), lambda sets: (len(sets.missed), len(sets.spurious))),
        Columns("descendants", "descendants", OVERLAP, _overlap),
        Columns("lca", "lca", OVERLAP, lambda graphs: _overlap(graphs.minimal.overlap)),
        Columns("lca_ext", "lca", OVERLAP, lambda graphs: _overlap(graphs.extended.overlap)),
        *(
            Columns(
                f"pairing_{name}", f"pairing_{name}", ("error", "union", "symmetric_difference"), _pairing, whole=False
            )
            for name in ("TIE", "all_pairs", "GIE", "MGIA", "own")
        ),
        Columns("confusion", "confusion", ("TP", "TN", "FP", "FN"), lambda m: (m.tp, m.tn, m.fp, m.fn)),
        Columns("counts", "counts", ("TP", "FP", "FN"), lambda table: (table.tp, table.fp, table.fn)),
        Columns("shortest_path", "shortest_path", ("distance",), lambda paths: (paths.total,), whole=False),
    )
}


# --- ratios -------------------------------------------------------------------------------------------------------


def ratio(part: np.ndarray, whole: np.ndarray, agree: np.ndarray, context: Context) -> np.ndarray:
    """part / whole; where whole is 0: 1 where the two sides agree, else the option `zero_division`."""
    undefined = np.where(agree, 1.0, context.options.zero_division)
    return np.where(whole != 0, part / np.where(whole != 0, whole, 1), undefined)


def precision(t: Table, context: Context) -> np.ndarray:
    return ratio(t["shared"], t["predicted"], _empty(t), context)


def recall(t: Table, context: Context) -> np.ndarray:
    return ratio(t["shared"], t["true"], _empty(t), context)


def f1(t: Table, context: Context) -> np.ndarray:
    return ratio(2 * t["shared"], t["true"] + t["predicted"], _empty(t), context)


def symmetric_difference(t: Table, context: Context) -> np.ndarray:
    return (t["true"] + t["predicted"] - 2 * t["shared"]).astype(float)


def accuracy(t: Table, context: Context) -> np.ndarray:
    return ((t["shared"] == t["true"]) & (t["shared"] == t["predicted"])).astype(float)


def hamming(t: Table, context: Context) -> np.ndarray:
    wrong = symmetric_difference(t, context)
    return ratio(wrong, t["classes"], _never(wrong), context)


def _empty(t: Table) -> np.ndarray:
    return (t["true"] == 0) & (t["predicted"] == 0)


def error(t: Table, context: Context) -> np.ndarray:
    return np.asarray(t["error"], float)


def pairing_accuracy(t: Table, context: Context) -> np.ndarray:
    classes = t[context.options.normaliser]
    share = t["error"] / np.where(classes != 0, classes * context.options.dmax, 1.0)
    return np.where(classes != 0, 1.0 - share, 1.0 + 0.0 * t["error"])


# --- confusion matrices (Riehl et al. 2023, Table II) and CoPHE ---------------------------------------------------


def _cells(t: Table) -> tuple[np.ndarray, ...]:
    return tuple(np.asarray(t[name], float) for name in ("TP", "TN", "FP", "FN"))


def _acc(t: Table, context: Context) -> np.ndarray:
    tp, tn, fp, fn = _cells(t)
    return ratio(tp + tn, tp + tn + fp + fn, (fp == 0) & (fn == 0), context)


def _ppv(t: Table, context: Context) -> np.ndarray:
    return ratio(t["TP"], t["TP"] + t["FP"], t["FN"] == 0, context)


def _tpr(t: Table, context: Context) -> np.ndarray:
    return ratio(t["TP"], t["TP"] + t["FN"], t["FP"] == 0, context)


def _fnr(t: Table, context: Context) -> np.ndarray:
    nothing = (t["TP"] == 0) & (t["FN"] == 0) & (t["FP"] == 0)
    return np.where(nothing, 0.0, ratio(t["FN"], t["TP"] + t["FN"], _never(t["TP"]), context))


def _fpr(t: Table, context: Context) -> np.ndarray:
    nothing = (t["TN"] == 0) & (t["FP"] == 0) & (t["FN"] == 0)
    return np.where(nothing, 0.0, ratio(t["FP"], t["FP"] + t["TN"], _never(t["TP"]), context))


def _tnr(t: Table, context: Context) -> np.ndarray:
    return ratio(t["TN"], t["TN"] + t["FP"], t["FN"] == 0, context)


def _pt(t: Table, context: Context) -> np.ndarray:
    sensitivity, specificity = _tpr(t, context), _tnr(t, context)
    whole = sensitivity + specificity - 1
    defined = np.abs(whole) > 1e-12
    value = (np.sqrt(sensitivity * (1 - specificity)) + specificity - 1) / np.where(defined, whole, 1.0)
    return np.where(defined, value, context.options.zero_division)


def _mcc(t: Table, context: Context) -> np.ndarray:
    tp, tn, fp, fn = _cells(t)
    whole = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return ratio(tp * tn - fp * fn, whole, (fp == 0) & (fn == 0), context)


def _f1_of_cells(t: Table, context: Context) -> np.ndarray:
    return ratio(2 * t["TP"], 2 * t["TP"] + t["FP"] + t["FN"], (t["FP"] == 0) & (t["FN"] == 0), context)


def _never(like: np.ndarray) -> np.ndarray:
    return np.zeros(np.shape(like), bool)


def _column(name: str) -> Read:
    return lambda t, context: np.asarray(t[name], float)


# CoPHE's precision and recall agree only where no class counts at all.


def _nothing(t: Table) -> np.ndarray:
    return (t["TP"] == 0) & (t["FP"] == 0) & (t["FN"] == 0)


def _cophe_p(t: Table, context: Context) -> np.ndarray:
    return ratio(t["TP"], t["TP"] + t["FP"], _nothing(t), context)


def _cophe_r(t: Table, context: Context) -> np.ndarray:
    return ratio(t["TP"], t["TP"] + t["FN"], _nothing(t), context)


# --- the readers of the catalogue ---------------------------------------------------------------------------------


def readers(keys: Sequence[str], options: Options) -> list[Reader]:
    """The readers of some measures, in the order given.

    Raises
    ------
    InputError
        For a measure that is not in the catalogue; the nearest is named.
    """
    lca = "lca_ext" if options.graphs == "extended" else "lca"
    known = {
        r.key: r for r in (*_SETS, *_of_graphs("", lca), *_of_graphs("_ext", "lca_ext"), *_PAIRS, *_CONFUSION, *_COPHE)
    }
    for key in keys:
        if key not in CATALOGUE:
            raise InputError(unknown("measure", str(key), CATALOGUE))
    return [known.get(key) or Reader(key, _VALUE + key, _column("value"), pooled=False) for key in keys]


def source(name: str, options: Options) -> Columns:
    """The columns of a reader's source. A measure without columns of its own has one: its value as `explain`
    scores it.
    """
    if not name.startswith(_VALUE):
        return SOURCES[name]
    measure = CATALOGUE[name.removeprefix(_VALUE)]
    return Columns(
        name, measure.structure, ("value",), lambda structure: (measure.score(structure, options),), whole=False
    )


_VALUE = "value of "


_SETS = (
    Reader("accuracy", "flat", accuracy, pooled=False),
    Reader("hamming", "flat", hamming),
    *(
        Reader(key, name, read)
        for name, keys in (
            ("flat", ("precision", "recall", "f1")),
            ("augmented", ("hP", "hR", "hF")),
            ("descendants", ("hP_desc", "hR_desc", "hF_desc")),
        )
        for key, read in zip(keys, (precision, recall, f1), strict=True)
    ),
    Reader("SDL", "augmented", symmetric_difference, pooled=False),
    Reader("H_loss", "h_loss", lambda t, context: (t["missed"] + t["spurious"]).astype(float), pooled=False),
)


def _of_graphs(suffix: str, source: str) -> tuple[Reader, ...]:
    return (
        Reader("P_LCA" + suffix, source, precision),
        Reader("R_LCA" + suffix, source, recall),
        Reader("F_LCA" + suffix, source, f1),
        Reader("SDL_LCA" + suffix, source, symmetric_difference, pooled=False),
    )


_PAIRS = (
    *(
        Reader(key, f"pairing_{name}", error, pooled=False)
        for key, name in (
            ("TIE", "TIE"),
            ("all_pairs", "all_pairs"),
            ("GIE", "GIE"),
            ("MGIA_error", "MGIA"),
            ("own_pairing", "own"),
        )
    ),
    Reader("MGIA", "pairing_MGIA", pairing_accuracy),
    Reader("own_accuracy", "pairing_own", pairing_accuracy),
    Reader("SP", "shortest_path", _column("distance"), pooled=False),
)

_CONFUSION = tuple(
    Reader(f"HCM_{name}", "confusion", read, summed=True)
    for name, read in (
        *((cell, _column(cell)) for cell in ("TP", "TN", "FP", "FN")),
        ("ACC", _acc),
        ("PPV", _ppv),
        ("TPR", _tpr),
        ("FNR", _fnr),
        ("FPR", _fpr),
        ("TNR", _tnr),
        ("PT", _pt),
        ("F1", _f1_of_cells),
        ("MCC", _mcc),
    )
)

_COPHE = (
    Reader("CoPHE_P", "counts", _cophe_p),
    Reader("CoPHE_R", "counts", _cophe_r),
    Reader("CoPHE_F1", "counts", _f1_of_cells),
)

# Which precision, recall and F1 are read off counts per class, and so have macro averages and values per level.
BY_CLASS: dict[str, tuple[str, str, str]] = {
    "flat": ("precision", "recall", "f1"),
    "augmented": ("hP", "hR", "hF"),
    "descendants": ("hP_desc", "hR_desc", "hF_desc"),
    "counts": ("CoPHE_P", "CoPHE_R", "CoPHE_F1"),
}


def mean(total: float, n: int) -> float:
    """total / n; nan of nothing."""
    return total / n if n else math.nan
