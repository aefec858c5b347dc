"""The sums over targets that CAFA's tables are read off, as integers, so that those of parts of the
targets join to what one run over all gives, to the last bit; and the tables.

Sums of floats depend on their order, and the way of engine/exact.py to add exactly is too slow for
the hundred million numbers of a large file. But all numbers of a namespace are multiples of one
small power of two, which follows from the weights of its terms: `Grid` says which.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from hiermeasures.core.errors import InputError
from hiermeasures.core.options import Options
from hiermeasures.engine.codec import InstanceCount, Integers, Named, Of, check
from hiermeasures.engine.exact import DIGIT, added, check_same_settings
from hiermeasures.formats.ontology import Ontology
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
SUMS, FN = 6, 2  # what the kernel adds up at a threshold, and which of these are false negatives
MOST_NOTES = 1000
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


# --- exact sums ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid:
    """The numbers of a namespace as integers: `digits` of 32 bits after the point.

    Sums of weights are divided by 2 to the power of `exponents` (one for each weighting) first, so
    that none exceeds 1; ratios and numbers of targets are as they are.
    """

    exponents: tuple[Annotated[int, Field(ge=-400, le=400)], ...]
    digits: Annotated[int, Field(ge=1, le=32)]  # weights from 1e-100 to 1e100 need fewer

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

    def rounded(self, integers: np.ndarray) -> np.ndarray:
        """The floats nearest to the sums (weightings, thresholds, sums)."""
        found = np.empty(integers.shape)
        for place, number in np.ndenumerate(integers):
            shift = DIGIT * self.digits - (self.exponents[place[0]] if place[-1] <= FN else 0)
            found[place] = (number << max(-shift, 0)) / (1 << max(shift, 0))
        return found


@dataclass(frozen=True, eq=False)
class SpaceSums:
    """The number of targets with truth in one namespace, and the weights of their true terms."""

    targets: Annotated[InstanceCount, Field(ge=1)]
    whole: Annotated[np.ndarray, Integers("weightings")]
    grid: Grid

    def __add__(self, other: "SpaceSums") -> "SpaceSums":
        if self.grid != other.grid:
            raise InputError("CAFA results of terms that weigh differently cannot be joined")
        return added(self, other, "targets", "whole")

    def check(self, of_files: Iterable[np.ndarray]) -> None:
        """Refuse sums of files that are no sums over these targets, of at most 1 for each."""
        most = self.targets << DIGIT * self.grid.digits
        for sums in (self.whole, *(self.all_counted(sums) for sums in of_files)):
            check(all(0 <= number <= most for number in sums.flat), "a sum is out of range")

    def all_counted(self, sums: np.ndarray) -> np.ndarray:
        """The sums of a file with what it misses of all targets."""
        found = sums.copy()
        found[..., FN] += self.whole[:, None]
        return found


@dataclass(frozen=True)
class CafaSettings:
    """With what a partial result was made; `weights` is a digest of the terms' weights."""

    normalisation: Normalisation
    propagation: Propagation
    orphans: bool
    step: Annotated[float, Named("thresholds", lambda step: len(thresholds(step)))]
    weights: Annotated[str | None, Named("weightings", lambda weights: 1 if weights is None else 2)] = None


@dataclass(frozen=True, eq=False, repr=False)
class CafaPartial:
    """CAFA's sums over some targets, which join with those over others: `a + b`. Made by
    `cafa_partial`.

    `spaces` has the namespaces in which targets have truth, `files` the names of the files of
    predictions. `sums` holds, for each file and in it each namespace of which it predicts
    something, integers (weightings, thresholds, 6); those of false negatives less the weight of all
    true terms, so that targets for which a file has nothing need not be counted.
    """

    partial_kind: ClassVar = "cafa"
    ontology: Annotated[Ontology, Of()]
    settings: CafaSettings
    spaces: Mapping[str, SpaceSums]
    files: Annotated[tuple[str, ...], Field(max_length=100_000)]
    sums: Mapping[str, Mapping[str, Annotated[np.ndarray, Integers(f"weightings thresholds {SUMS}")]]]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        targets = ", ".join(f"{name}: {space.targets} targets" for name, space in self.spaces.items())
        return f"CafaPartial({len(self.files)} files; {targets})"

    def __add__(self, other: "CafaPartial") -> "CafaPartial":
        if self.ontology.fingerprint != other.ontology.fingerprint:
            raise InputError("CAFA results of different ontologies cannot be joined")
        check_same_settings(self.settings, other.settings, "CAFA results", "weights")
        files = self.files if self.files == other.files else tuple(sorted({*self.files, *other.files}))
        notes = self.notes if self.notes == other.notes else tuple(sorted({*self.notes, *other.notes})[:MOST_NOTES])
        return added(self, other, "spaces", "sums", files=files, notes=notes)

    def sent(self) -> "CafaPartial":
        """The fields that are written: of notes the first."""
        return replace(self, notes=self.notes[:MOST_NOTES])

    def received(self) -> "CafaPartial":
        """The same, where all of it fits together."""
        check(self.spaces.keys() <= self.ontology.namespaces.keys(), "namespaces do not fit")
        weightings = 1 if self.settings.weights is None else 2
        check(all(len(s.grid.exponents) == weightings for s in self.spaces.values()), "weights do not fit")
        check(len(set(self.files)) == len(self.files), "two files have one name")
        check(self.sums.keys() <= set(self.files), "sums do not fit")
        check(all(each.keys() <= self.spaces.keys() for each in self.sums.values()), "sums do not fit")
        for name, space in self.spaces.items():
            space.check([each[name] for each in self.sums.values() if name in each])
        return self

    def report(self) -> "CafaReport":
        """The report that `cafa_evaluate` gives for these targets, with the notes of all parts, at
        most 1,000.
        """
        if not self.spaces:
            raise InputError("no target has a true term of the ontology")
        if not any(self.sums.values()):
            why = "; ".join(self.notes[-3:])
            raise InputError(
                "no file predicts a term of the ontology for a target with truth" + f" ({why})" * bool(why)
            )
        spaces = [ns for ns in self.ontology.namespaces if ns in self.spaces]
        tables = [self._table(file, ns) for file in self.files for ns in spaces if ns in self.sums.get(file, ())]
        table = pd.concat(tables, ignore_index=True)
        if table.empty:
            raise InputError(f"no score reaches the lowest threshold, {self.settings.step:g}")
        return CafaReport(table, {ns: self.spaces[ns].targets for ns in spaces}, self.notes)

    def _table(self, file: str, ns: str) -> pd.DataFrame:
        """The columns of one file and namespace; thresholds that no score reaches are left out."""
        space = self.spaces[ns]
        floats = space.grid.rounded(space.all_counted(self.sums[file][ns]))
        columns: dict[str, Any] = {
            "filename": file, "ns": ns, "tau": np.round(thresholds(self.settings.step), 10)
        }  # fmt: skip
        for suffix, each in zip(("", "_w"), floats, strict=False):
            found = _columns(each, space.targets, self.settings.normalisation)
            columns |= {f"{key}{suffix}": values for key, values in found.items()}
        table = pd.DataFrame(columns)
        return table[table["cov"] > 0]


# --- what is read off them ----------------------------------------------------------------------


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


def _columns(sums: np.ndarray, targets: int, normalisation: Normalisation) -> dict[str, np.ndarray]:
    tp, fp, fn, pr, rc, n = sums.T
    over_all = np.full(len(n), float(targets))
    by = {"cafa": (n, over_all), "pred": (n, n), "gt": (over_all, over_all)}[normalisation]
    pr, (tp, fp, fn, rc) = ratio(pr, by[0], DEFAULT), (ratio(part, by[1], DEFAULT) for part in (tp, fp, fn, rc))
    micro = ratio(tp, tp + fp, DEFAULT), ratio(tp, tp + fn, DEFAULT)
    f, s = harmonic(pr, rc), np.hypot(fp, fn)
    values = (n.astype(np.int64), tp, fp, fn, pr, rc, n / targets, fp, fn, f, s, *micro, harmonic(*micro))
    return dict(zip(COLUMNS, values, strict=True))


def harmonic(a: np.ndarray, b: np.ndarray) -> Any:
    return ratio(2 * a * b, a + b, DEFAULT)
