"""`compare`: several systems on the same instances, ranked by every measure, with ties where a
difference is not significant.

Values come from the array engine's reports; here they are only ordered, tested and correlated. The
paired tests of whether one system beats another are all one-sided: each takes the differences "a
minus b" of the per-instance values of one measure, oriented so that a positive one favours a, and
answers the p-value of "a is better".
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from hiermeasures.core.elementwise import at_least
from hiermeasures.core.errors import InputError, check_known
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.measures import Measure
from hiermeasures.measures.own import called
from hiermeasures.picture.export import latex_label, latex_table, latex_tabular
from hiermeasures.picture.text import as_text

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.engine import Report
    from hiermeasures.engine.engine import Reading

Test = Callable[[np.ndarray], float]
ARROWS = {"higher": "↑", "lower": "↓"}
_TAU = "Kendall's tau-b between the rankings"


@dataclass(frozen=True, repr=False)
class Comparison:
    """Scores, ranks and tests of several systems.

    Attributes
    ----------
    scores : DataFrame, systems × measures
    ranks : DataFrame, systems × measures, of whole numbers
        Dense ranks. Going down a measure's order, a system shares the rank of the best one above it
        from which it does not differ significantly, and otherwise takes the next.
    p_values : mapping from measure to DataFrame, systems × systems
        Corrected one-sided p-value of "the row's system is better than the column's"; 1 on the
        diagonal and where the score says otherwise.
    correlations : DataFrame, measures × measures
        Kendall's tau-b between the measures' rankings.
    predictions : Series
        Predicted classes per instance.
    consistency : Series
        The share of instances whose predicted classes contain the ancestors of each of them.
    """

    scores: "pd.DataFrame"
    ranks: "pd.DataFrame"
    p_values: Mapping[str, "pd.DataFrame"]
    correlations: "pd.DataFrame"
    predictions: "pd.Series"
    consistency: "pd.Series"
    test: str
    alpha: float
    correction: str | None
    reports: Mapping[str, "Report"]

    def measure(self, key: str) -> Measure:
        return next(iter(self.reports.values())).measure(key)

    def as_json(self) -> dict[str, Any]:
        def clean(values: Mapping[Any, Any]) -> dict[str, Any]:
            numbers = {str(k): v.item() if hasattr(v, "item") else v for k, v in values.items()}
            return {k: None if v != v else v for k, v in numbers.items()}

        def rows(frame: "pd.DataFrame") -> dict[str, dict[str, Any]]:
            return {str(row): clean(values) for row, values in frame.to_dict("index").items()}

        return {
            "scores": rows(self.scores),
            "ranks": rows(self.ranks),
            "correlations": rows(self.correlations),
            "p_values": {key: rows(frame) for key, frame in self.p_values.items()},
            "predictions_per_instance": clean(self.predictions.to_dict()),
            "hierarchical_consistency": clean(self.consistency.to_dict()),
            "test": self.test,
            "alpha": self.alpha,
            "correction": self.correction,
            "signature": self.signature,
        }

    @property
    def signature(self) -> str:
        """The run in one line, which `compare` takes back as `like`."""
        return next(iter(self.reports.values())).signature

    def to_frame(self) -> "pd.DataFrame":
        """One row per system: score and rank of every measure side by side."""
        keys = [name for key in self.scores.columns for name in (key, f"{key} rank")]
        table = self.scores.join(self.ranks.add_suffix(" rank"))[keys]
        extent = {"predictions per instance": self.predictions, "hierarchical consistency": self.consistency}
        return table.assign(**extent)

    def as_text(self) -> str:
        """Scores with ranks in brackets and, of three systems and more, correlations, as text."""
        keys, rows = list(self.scores.columns), self.score_rows()
        width = max(map(len, map(str, [*self.scores.index, *(keys if self.correlated else ())]))) + 2
        wide = max(15, *(len(cell) + 2 for _, cells in rows for cell in cells))

        def line(name: str, cells: Iterable[str], wide: int = wide) -> str:
            return name.ljust(width) + "".join(f"{cell:>{wide}}" for cell in cells)

        lines = [line("", keys), *(line(*row) for row in rows), "", self.about_ranks(), *self.value_notes()]
        if self.correlated:
            lines += ["", _TAU, *(line(key, map(as_text, self.correlations.loc[key])) for key in keys)]
        lines += ["", "predicted classes per instance, hierarchical consistency"]
        lines += [line(name, cells, wide=15) for name, *cells in self._extent_rows()]
        return "\n".join([*lines, "", self.signature])

    __str__ = as_text

    @property
    def correlated(self) -> bool:
        """True of three systems and more: of two, the ranks show how the rankings differ."""
        return len(self.scores) > 2

    def about_ranks(self) -> str:
        return f"Ranks in brackets; equal ranks do not differ significantly ({self._how})."

    @property
    def _how(self) -> str:
        corrected = f", {self.correction.capitalize()} correction" if self.correction else ""
        return f"{self.test} test, alpha {self.alpha:g}{corrected}"

    def score_rows(self) -> list[tuple[str, list[str]]]:
        """Each system with its scores, and its ranks in brackets, as they are printed."""
        cells = {name: report.cells(as_text) for name, report in self.reports.items()}
        return [
            (str(name), [f"{cells[name][k]} ({self.ranks.at[name, k]})" for k in self.scores.columns])
            for name in self.scores.index
        ]

    def value_notes(self) -> list[str]:
        """Sentences about means over fewer instances, and measures not meant for these labels."""
        return [f"{system}: {note}" for system, report in self.reports.items() for note in report.value_notes]

    def _extent_rows(self) -> list[tuple[str, str, str]]:
        return [(str(s), as_text(self.predictions[s]), as_text(self.consistency[s])) for s in self.scores.index]

    def correlation_rows(self) -> list[tuple[str, list[str]]]:
        """Each measure with its correlations, without those above the diagonal, as printed."""
        rows = enumerate(self.correlations.iterrows())
        return [(key, [as_text(v) if j <= i else "" for j, v in enumerate(row)]) for i, (key, row) in rows]

    def to_latex(self) -> str:
        """Tables as 11 and 12 of Kosmopoulos et al. 2015: scores with ranks, and correlations."""
        tables = (latex_table(tabular, caption) for tabular, caption in self.latex_tabulars())
        return "\n\n".join([f"% {self.signature}", *tables])

    def latex_tabulars(self) -> list[tuple[str, str]]:
        """The same by themselves, each with its LaTeX."""
        symbols = {key: f"${self.measure(key).symbol}$" for key in self.scores.columns}
        scores = [(latex_label(system), cells) for system, cells in self.score_rows()]
        tables = [(_tabular(["System", *symbols.values()], scores), latex_label(self.about_ranks()))]
        if self.correlated:
            correlations = [(symbols[key], cells) for key, cells in self.correlation_rows()]
            caption = "Kendall's $\\tau_b$ between the rankings."
            tables.append((_tabular(["", *symbols.values()], correlations), caption))
        return tables

    def __repr__(self) -> str:
        systems, measures = self.scores.shape
        return f"Comparison({systems} systems by {measures} measures, {self._how})"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from hiermeasures.picture.notebook_repr import bundle, output, paragraphs

        return bundle(
            include,
            exclude,
            text=self.as_text,
            html=lambda: output(*self._html_tables()),
            latex=lambda: paragraphs(*(part for table in self.latex_tabulars() for part in table)),
        )

    def _html_tables(self) -> Iterable[str]:
        from hiermeasures.picture.notebook_repr import paragraph, table

        keys = list(self.scores.columns)
        numbers = range(1, len(keys) + 1)
        arrows = [f"{called(key)} {ARROWS[self.measure(key).better]}" for key in keys]
        yield table(("", *arrows), [("", [(system, *cells) for system, cells in self.score_rows()])], numbers)
        yield paragraph(self.about_ranks())
        if self.correlated:
            correlations = [(called(key), *cells) for key, cells in self.correlation_rows()]
            yield table((_TAU, *map(called, keys)), [("", correlations)], numbers)
        extent = [("", self._extent_rows())]
        yield table(("", "predicted classes per instance", "hierarchical consistency"), extent, (1, 2))


def compare(
    hierarchy: Hierarchy,
    y_true: Any,
    systems: Mapping[str, Any],
    *,
    measures: Iterable[str | Measure] | str | None = None,
    test: str = "sign",
    alpha: float = 0.05,
    correction: str | None = "holm",
    **settings: "Unpack[Reading]",
) -> Comparison:
    """Evaluate several systems on the same instances and hold them against each other.

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true : label sets
        As `evaluate` takes them.
    systems : mapping from a system's name to its predictions
    measures : sequence of str, optional
        As for `evaluate`; by default the core.
    test : "sign", "wilcoxon" or "bootstrap"
    alpha : float
        Level below which a difference is significant.
    correction : "holm" or None
        Over all pairs of systems, for each measure.
    settings :
        What else `evaluate` takes, such as `define` and the options.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        For fewer than two systems, an unknown measure or test, and whatever `evaluate` refuses.
    """
    from hiermeasures.engine import evaluate

    reports = {
        name: evaluate(hierarchy, y_true, predicted, measures=measures, **settings)
        for name, predicted in systems.items()
    }
    return compare_reports(reports, test=test, alpha=alpha, correction=correction)


def compare_reports(
    reports: Mapping[str, "Report"],
    *,
    measures: Sequence[str] | None = None,
    test: str = "sign",
    alpha: float = 0.05,
    correction: str | None = "holm",
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Like `compare`, from reports over the same instances; `progress` gets (tested, in all)."""
    import pandas as pd

    from hiermeasures.engine.encode import consistent

    if len(reports) < 2:
        raise InputError(f"a comparison needs at least two systems; there is {len(reports)}")
    check_known("test", test, TESTS)
    if correction is not None:
        check_known("correction", correction, ["holm"])
    if not 0 < alpha < 1:
        raise InputError(f"alpha is a level between 0 and 1, not {alpha!r}")
    check_same_size(reports.values())
    keys = list(next(iter(reports.values())).per_instance.columns if measures is None else measures)
    if not keys:
        raise InputError("there is no measure to compare the systems by")
    names, p_values, ranks = list(reports), {}, {}
    scores = pd.DataFrame({k: [reports[n][k] for n in names] for k in keys}, index=names)
    for done, k in enumerate(keys):
        if progress:
            progress(done, len(keys))
        sign = 1.0 if reports[names[0]].measure(k).better == "higher" else -1.0
        order = (sign * scores[k]).fillna(-np.inf)  # larger is better; undefined ones come last
        p_values[k] = _p_values(k, order, reports, sign=sign, test=TESTS[test], correction=correction)
        ranks[k] = _ranks(order, p_values[k], alpha)
    correlations = [[tau_b(ranks[a].to_numpy(), ranks[b].to_numpy()) for b in keys] for a in keys]
    return Comparison(
        scores=scores,
        ranks=pd.DataFrame(ranks, index=names),
        p_values=p_values,
        correlations=pd.DataFrame(correlations, keys, keys),
        predictions=pd.Series({n: len(r.kept.predicted.idx) / max(len(r), 1) for n, r in reports.items()}),
        consistency=pd.Series({n: float(consistent(r.hierarchy, r.kept.predicted).mean()) for n, r in reports.items()}),
        test=test,
        alpha=alpha,
        correction=correction,
        reports=dict(reports),
    )


def check_same_size(reports: Iterable["Report"]) -> None:
    sizes = {len(report) for report in reports}
    if len(sizes) > 1:
        raise InputError(f"the systems were evaluated on different numbers of instances: {sorted(sizes)}")


def _p_values(
    key: str, order: "pd.Series", reports: Mapping[str, "Report"], *, sign: float, test: Test, correction: str | None
) -> "pd.DataFrame":
    import pandas as pd

    def differences(a: str, b: str) -> np.ndarray:
        values: np.ndarray = reports[a].per_instance[key].to_numpy(float) - reports[b].per_instance[key].to_numpy(float)
        values[np.abs(values) < 1e-12] = 0.0  # sums in another order must not make a difference out of nothing
        favoured: np.ndarray = sign * values[~np.isnan(values)]
        return favoured

    pairs = [(a, b) if order[a] >= order[b] else (b, a) for a, b in combinations(order.index, 2)]
    raw = np.array([test(differences(a, b)) for a, b in pairs])
    table = pd.DataFrame(1.0, order.index, order.index)
    for (a, b), p in zip(pairs, holm(raw) if correction == "holm" else raw, strict=True):
        table.at[a, b] = p
    return table


def _ranks(order: "pd.Series", p_values: "pd.DataFrame", alpha: float) -> "pd.Series":
    ranked = order.sort_values(ascending=False, kind="stable").index
    ranks = {}
    best, rank = ranked[0], 1
    for name in ranked:
        if name != best and p_values.at[best, name] < alpha:
            best, rank = name, rank + 1
        ranks[name] = rank
    return order.index.to_series().map(ranks)


def tau_b(a: np.ndarray, b: np.ndarray) -> float:
    """Return Kendall's tau-b between two rankings; nan if one of them ranks all alike.

    >>> tau_b(np.array([1, 2, 3, 3]), np.array([1, 3, 2, 2]))
    0.2
    """
    one, other = (np.sign(np.subtract.outer(ranks, ranks)) for ranks in (a, b))  # importing scipy takes a second
    untied = math.sqrt(np.abs(one).sum() * np.abs(other).sum())
    return float((one * other).sum() / untied) if untied else math.nan


def sign_test(differences: np.ndarray) -> float:
    """The paper's micro sign test (Kosmopoulos et al. 2015, Eq. 6, after Yang and Liu 1999).

    With k of n differing instances in favour of a, Z = (k − n/2) / (√n / 2) is compared with the
    standard normal distribution; up to n = 12 the binomial distribution itself is used. Without a
    difference p is 1.

    >>> round(sign_test(np.array([1.0] * 9 + [-1.0])), 4)     # P(k ≥ 9 of 10) = 11/1024
    0.0107
    """
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    n = better + worse
    if n == 0:
        return 1.0
    if n <= 12:
        return at_least(better, n)
    z = (better - 0.5 * n) / (0.5 * math.sqrt(n))
    return 0.5 * math.erfc(z / math.sqrt(2))


def wilcoxon_test(differences: np.ndarray) -> float:
    """Wilcoxon's signed-rank test, which also weighs sizes; zero differences are dropped."""
    from scipy.stats import wilcoxon

    if not differences.any():
        return 1.0
    return float(wilcoxon(differences, alternative="greater", method="auto").pvalue)


def bootstrap_test(differences: np.ndarray, resamples: int = 1000, seed: int = 0) -> float:
    """The share of paired resamples in which a is not better, and the observed one (Davison and
    Hinkley 1997, 4.3).
    """
    if not len(differences) or not differences.any():
        return 1.0
    rng = np.random.default_rng(seed)
    not_better = 0
    batch = max(1, 5_000_000 // len(differences))
    for start in range(0, resamples, batch):
        drawn = rng.integers(0, len(differences), (min(batch, resamples - start), len(differences)))
        not_better += int((differences[drawn].mean(axis=1) <= 0).sum())
    return (not_better + 1) / (resamples + 1)


TESTS: dict[str, Test] = {"sign": sign_test, "wilcoxon": wilcoxon_test, "bootstrap": bootstrap_test}


def holm(p_values: np.ndarray) -> np.ndarray:
    """Holm's step-down correction: adjusted p-values in the order given, for rejecting at one level
    over all of them.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    steps = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def scores_to_latex(reports: Mapping[str, "Report"]) -> str:
    """Return the scores of several systems, without ranks, as a LaTeX table."""
    measures = next(iter(reports.values())).declared
    head = ["System", *(f"${m.symbol}$" for m in measures)]
    rows = [(latex_label(name), [as_text(report[m.key]) for m in measures]) for name, report in reports.items()]
    signature = next(iter(reports.values())).signature
    return f"% {signature}\n{latex_table(_tabular(head, rows), 'Scores of the systems.')}"


def _tabular(head: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    def cell(text: str) -> str:
        return text.replace("–", "--") if not text.startswith("-") else f"$-${text[1:]}"

    lines = [" & ".join([name, *map(cell, cells)]) for name, cells in rows]
    return latex_tabular("l" + "c" * (len(head) - 1), " & ".join(head), [r"\hline", *(rf"{line} \\" for line in lines)])
