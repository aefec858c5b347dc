"""CAFA's tables: thresholds, exact sums over targets, and the report of columns.

Sums of floats depend on their order. But all numbers of a namespace are multiples of one small
power of two, which follows from the weights of its terms: `Grid` says which, and the kernel adds
them as integers.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from hiermeasures.core.errors import InputError
from hiermeasures.core.options import Options
from hiermeasures.measures.catalogue import ratio

if TYPE_CHECKING:
    from hiermeasures.cafa.protocol import ScoredTargets

Normalisation = Literal["cafa", "pred", "gt"]
Propagation = Literal["max", "fill"]
NORMALISATIONS: dict[Normalisation, str] = {
    "cafa": "precision over the targets with a prediction, all else over all targets with truth",
    "pred": "everything over the targets with a prediction",
    "gt": "everything over all targets with truth",
}
PROPAGATIONS: dict[Propagation, str] = {
    "max": "a term gets the highest score of itself and all below it",
    "fill": "a term that has a score keeps it, another gets the highest of its children",
}
COLUMNS = (
    "n", "tp", "fp", "fn", "pr", "rc", "cov", "mi", "ru", "f", "s", "pr_micro", "rc_micro", "f_micro",
)  # fmt: skip
"""Columns at a threshold; weighted by information under the same name with `_w`."""
STEP = 0.01
DEFAULT = Options.make()  # a ratio of nothing to nothing is 0
SUMMARY: dict[str, str] = {
    "F_max": "f", "F_max_w": "f_w", "S_min": "s", "S_min_w": "s_w", "F_micro": "f_micro", "F_micro_w": "f_micro_w",
}  # fmt: skip
"""Best values over all thresholds, and the column whose highest value (of S the lowest) each is."""
DIGIT = 32  # bits
SUMS, FN = 6, 2  # what the kernel adds up at a threshold, and which of these are false negatives
WEIGHTS = (1e-100, 1e100)  # the least and the largest weight besides 0


def thresholds(step: float = STEP) -> np.ndarray:
    """From a step by that step to below 1, as the public evaluator counts them.

    Each is the step and a multiple of it added up in binary, so that some are larger than the
    decimal number by a bit: a score of 0.29 does not reach the threshold 0.29.

    >>> len(thresholds()), float(thresholds()[0]), float(thresholds()[28])
    (99, 0.01, 0.29000000000000004)
    """
    if not 1e-4 <= step < 1:
        raise InputError(f"a step between thresholds is from 0.0001 to below 1, not {step:g}")
    return np.arange(step, 1, step)


@dataclass(frozen=True)
class Grid:
    """The numbers of a namespace as integers: `digits` of 32 bits after the point.

    Sums of weights are divided by 2 to the power of `exponents` (one for each weighting) first, so
    that none exceeds 1; ratios and numbers of targets are as they are.
    """

    exponents: tuple[int, ...]
    digits: int

    @classmethod
    def of(cls, weights: np.ndarray) -> "Grid":
        """The one in which every sum of the weights (weightings, terms) of some terms, and every
        ratio of two such sums, is exact as the kernel computes them in floats.

        A float sum is a multiple of the last bit of the least weight, which is 2^-53 of the power
        of two above it. A ratio is no less than that weight over all of them, and a multiple of
        2^-53 of the power of two above itself. A bit is left for what the sums were rounded by.
        """
        exponents, bits = [], 0
        for row in weights:
            above = math.frexp(math.fsum(row))[1] + 1
            least = math.frexp(row[row > 0].min(initial=math.inf))[1] if row.any() else above
            exponents.append(above)
            bits = max(bits, above - least + 54)
        return cls(tuple(exponents), -(-bits // DIGIT))

    @property
    def scales(self) -> np.ndarray:
        """Factors of the sums of each weighting: powers of two, which round nothing."""
        return np.asarray(np.ldexp(1.0, -np.array(self.exponents)))

    def single(self, digits: np.ndarray) -> np.ndarray:
        """Floats from their digits (targets, weightings, thresholds, sums, digits)."""
        found = digits @ np.ldexp(1.0, -DIGIT * np.arange(1, self.digits + 1))
        found[..., : FN + 1] *= np.ldexp(1.0, np.array(self.exponents))[:, None, None]
        return np.asarray(found)

    def rounded(self, digits: np.ndarray) -> np.ndarray:
        """The floats nearest to sums (weightings, thresholds, sums), from sums of their digits."""
        whole: np.ndarray = np.zeros(digits.shape[:-1], object)
        for k in range(self.digits):
            whole = (whole << DIGIT) + digits[..., k].astype(object)
        found = np.empty(whole.shape)
        for place, number in np.ndenumerate(whole):
            shift = DIGIT * self.digits - (self.exponents[place[0]] if place[-1] <= FN else 0)
            found[place] = (number << max(-shift, 0)) / (1 << max(shift, 0))
        return found


@dataclass(frozen=True, eq=False)
class CafaReport:
    """The columns of `COLUMNS` for each file, namespace and threshold.

    `table` is a DataFrame with the columns filename, ns, tau and those of COLUMNS, then, where
    there are weights, the same with `_w`; a row for each threshold that some score reaches.
    `targets` is the number of targets with truth in each namespace, and `notes` says what was left
    out, a sentence each. `scored` leads from a file and a namespace back to their targets, where
    they were to be kept.
    """

    table: pd.DataFrame
    targets: Mapping[str, int]
    notes: tuple[str, ...]
    scored: Mapping[tuple[str, str], "ScoredTargets"] = field(default_factory=dict)

    def best(self) -> pd.DataFrame:
        """For each file and namespace the values of SUMMARY that can be had, each with the lowest
        threshold that reaches it in the column of its name and `_tau`; and `coverage`, the share of
        the targets with a prediction.
        """
        found = []
        for (name, ns), rows in self.table.groupby(["filename", "ns"], sort=False):
            line: dict[str, Any] = {"filename": name, "ns": ns, "coverage": rows["cov"].max()}
            for key, column in SUMMARY.items():
                if column in rows:
                    place = rows[column].idxmin() if key.startswith("S") else rows[column].idxmax()
                    line |= {key: rows.at[place, column], f"{key}_tau": rows.at[place, "tau"]}
            found.append(line)
        return pd.DataFrame(found)

    def as_json(self) -> dict[str, dict[str, dict[str, float]]]:
        """The same as {file: {namespace: {value: …}}}."""
        found: dict[str, dict[str, dict[str, float]]] = {}
        for line in self.best().to_dict("records"):
            values = {str(key): float(value) for key, value in line.items() if key not in ("filename", "ns")}
            found.setdefault(line["filename"], {})[line["ns"]] = values
        return found

    def as_text(self) -> str:
        """A table for each namespace, with a row per file."""
        best = self.best()
        keys = [key for key in SUMMARY if key in best]
        width = max(map(len, best["filename"]))
        blocks = []
        for ns, rows in best.groupby("ns"):
            lines = [f"{ns}, {self.targets[str(ns)]:,} targets"]
            lines.append(f"  {'':{width}}  coverage" + "".join(f"{key:>12}       τ" for key in keys))
            for row in rows.to_dict("records"):
                cells = "".join(f"{row[key]:12.6f}  {row[f'{key}_tau']:6.4g}" for key in keys)
                lines.append(f"  {row['filename']:{width}}  {row['coverage']:8.4f}{cells}")
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)


def columns_at(taus: np.ndarray, sums: np.ndarray, targets: int, normalisation: Normalisation) -> pd.DataFrame:
    """The columns of one file and namespace; thresholds that no score reaches are left out."""
    columns: dict[str, Any] = {"tau": np.round(taus, 10)}
    for suffix, each in zip(("", "_w"), sums, strict=False):
        tp, fp, fn, pr, rc, n = each.T
        over_all = np.full(len(n), float(targets))
        by = {"cafa": (n, over_all), "pred": (n, n), "gt": (over_all, over_all)}[normalisation]
        pr, (tp, fp, fn, rc) = ratio(pr, by[0], DEFAULT), (ratio(part, by[1], DEFAULT) for part in (tp, fp, fn, rc))
        micro = ratio(tp, tp + fp, DEFAULT), ratio(tp, tp + fn, DEFAULT)
        f, s = harmonic(pr, rc), np.hypot(fp, fn)
        values = (n.astype(np.int64), tp, fp, fn, pr, rc, n / targets, fp, fn, f, s, *micro, harmonic(*micro))
        columns |= {f"{key}{suffix}": value for key, value in zip(COLUMNS, values, strict=True)}
    table = pd.DataFrame(columns)
    return table[table["cov"] > 0]


def harmonic(a: np.ndarray, b: np.ndarray) -> Any:
    return ratio(2 * a * b, a + b, DEFAULT)
