"""`compare`: several systems on the same instances, ranked by every measure.

Systems share a rank if their difference is not significant. Values come from reports. This module
orders, tests and correlates them. A test is about the printed value. The sign test and Wilcoxon's
test compare the values of instances, so they can only test means over instances. The permutation
test can test any average. The bootstrap can test any average except means over classes.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from hiermeasures.draw.export import latex_label, latex_table, latex_tabular
from hiermeasures.draw.text import about_intervals, as_text, write_interval
from hiermeasures.evaluation.averages import basis_of, notes_about_values
from hiermeasures.evaluation.compare.finding import check_same_size
from hiermeasures.evaluation.compare.significance import OF_INSTANCES, SMALLEST, TESTS, holm
from hiermeasures.hierarchy.errors import InputError, check_known
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import capitalize
from hiermeasures.measures import Measure
from hiermeasures.measures.catalogue import ARROWS
from hiermeasures.measures.own import called

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.evaluation import Report
    from hiermeasures.evaluation.compare.resampling import Resampling
    from hiermeasures.evaluation.compare.why import DifferenceSplit
    from hiermeasures.evaluation.engine import EvaluateArguments

    class CompareArguments(EvaluateArguments, total=False):
        """Types of the arguments that `compare` passes to `evaluate`."""

        measures: Iterable[str | Measure] | str | None


_TAU = "Kendall's tau-b between the rankings"


@dataclass(frozen=True, repr=False)
class Comparison:
    """Scores, ranks and tests of several systems.

    Attributes
    ----------
    scores : DataFrame, systems × measures
    ranks : DataFrame, systems × measures, of whole numbers
        Dense ranks, from the best system down. A system shares the rank of the best system above
        it that does not differ from it significantly. Otherwise it takes the next rank. A rank is
        missing if the system has no value, or the test cannot test the value (see `unranked`).
    p_values : mapping from measure to DataFrame, systems × systems
        The corrected two-sided p-value of each difference, in the row of the better system. The
        other cells are 1. Measures without a test are left out.
    correlations : DataFrame, measures × measures
        Kendall's tau-b between the measures' rankings.
    predictions : Series
        The mean number of predicted classes per instance, by system.
    consistency : Series
        The share of instances with consistent predictions, by system: each predicted class comes
        with all its ancestors.
    tests : mapping from measure to the name of its test
    unranked : mapping from a measure without ranks to the reason
    intervals : mapping from measure to DataFrame, systems × (low, high)
        Confidence intervals of the scores, if `confidence` is not None.

    See Also
    --------
    compare : Evaluate and compare several systems.
    compare_reports : Compare reports that you have already.
    """

    scores: "pd.DataFrame"
    ranks: "pd.DataFrame"
    p_values: Mapping[str, "pd.DataFrame"]
    correlations: "pd.DataFrame"
    predictions: "pd.Series"
    consistency: "pd.Series"
    tests: Mapping[str, str]
    unranked: Mapping[str, str]
    intervals: Mapping[str, "pd.DataFrame"]
    confidence: float | None
    alpha: float
    correction: str | None
    reports: Mapping[str, "Report"]

    @property
    def test(self) -> str:
        """The names of the tests, the test of most measures first."""
        used = list(self.tests.values())
        return ", ".join(sorted(dict.fromkeys(used), key=used.count, reverse=True))

    def measure(self, key: str) -> Measure:
        """Return the measure with this key. InputError if it was not evaluated."""
        return next(iter(self.reports.values())).measure(key)

    def as_json(self) -> dict[str, Any]:
        """Return scores, ranks, tests and settings as plain data. Missing numbers are None."""

        def clean(values: Mapping[Any, Any]) -> dict[str, Any]:
            numbers = {str(k): v.item() if hasattr(v, "item") else v for k, v in values.items()}
            return {k: v if v == v else None for k, v in numbers.items()}

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
            "tests": dict(self.tests),
            "unranked": dict(self.unranked),
            "confidence": self.confidence,
            "intervals": {key: rows(frame) for key, frame in self.intervals.items()},
            "alpha": self.alpha,
            "correction": self.correction,
            "signature": self.signature,
        }

    @property
    def signature(self) -> str:
        """The signature of the run: one line on the computation of the values."""
        return next(iter(self.reports.values())).signature

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per system: the score, interval (if any) and rank by each measure.

        Returns
        -------
        DataFrame, systems × columns
            Columns such as "hF" and "hF rank". With intervals, also "hF low" and "hF high".

        See Also
        --------
        to_latex : Write LaTeX tables.
        to_html : Write an HTML page.
        """
        from hiermeasures.evaluation.needs_pandas import pd

        table: dict[str, Any] = {}
        for key in self.scores.columns:
            ends = self.intervals[key].add_prefix(f"{key} ") if key in self.intervals else {}
            table |= {key: self.scores[key], **dict(ends), f"{key} rank": self.ranks[key]}
        extent = {
            "predictions per instance": self.predictions,
            "hierarchical consistency": self.consistency,
        }
        return pd.DataFrame(table | extent)

    def as_text(self) -> str:
        """Return the printed form: scores with ranks in brackets.

        With three or more systems, correlations follow.
        """
        keys, rows = list(self.scores.columns), self.score_rows()
        width = (
            max(map(len, map(str, [*self.scores.index, *(keys if self.correlated else ())]))) + 2
        )
        wide = max(15, *(len(cell) + 2 for _, cells in rows for cell in cells))

        def line(name: str, cells: Iterable[str], wide: int = wide) -> str:
            return name.ljust(width) + "".join(f"{cell:>{wide}}" for cell in cells)

        table = [line("", keys), *(line(*row) for row in rows)]
        lines = [*table, "", *self.about(), *self.value_notes()]
        if self.correlated:
            lines += [
                "",
                _TAU,
                *(line(key, map(as_text, self.correlations.loc[key])) for key in keys),
            ]
        lines += ["", "predicted classes per instance, hierarchical consistency"]
        lines += [line(name, cells, wide=15) for name, *cells in self._extent_rows()]
        return "\n".join([*lines, "", self.signature])

    __str__ = as_text

    @property
    def correlated(self) -> bool:
        """True for three or more systems. With two, the ranks show how the rankings differ."""
        return len(self.scores) > 2

    def about(self) -> list[str]:
        """Return the sentences about values, ranks and intervals."""
        sentences = [self.about_values(), self.about_ranks()]
        return [*sentences, *self.about_intervals(), *self.rank_notes()]

    def about_values(self) -> str:
        """Return the average of the values, and whether the root was counted."""
        words = next(iter(self.reports.values())).convention
        return f"{capitalize(words)}."

    def about_ranks(self) -> str:
        """Return the sentence about the ranks and their tests."""
        if not self.tests:
            return "There are no ranks."
        return f"Ranks in brackets. Equal ranks do not differ significantly ({self._how})."

    def rank_notes(self) -> list[str]:
        """Return sentences about measures and systems without ranks."""
        reasons: dict[str, list[str]] = {}
        for key, why in self.unranked.items():
            reasons.setdefault(why, []).append(called(key))
        notes = [f"No ranks by {', '.join(keys)}: {why}." for why, keys in reasons.items()]
        for name in self.scores.index:
            if keys := [called(key) for key in self.tests if self.rank(name, key) is None]:
                notes.append(f"{name} has no rank by {', '.join(keys)}, because it has no value.")
        return notes

    def about_intervals(self) -> list[str]:
        """Return a sentence about the intervals, or an empty list without intervals."""
        return [] if self.confidence is None else [about_intervals(self.confidence)]

    @property
    def _how(self) -> str:
        corrected = f", {self.correction.capitalize()} correction" if self.correction else ""
        return f"{self.tests_in_words}, alpha {self.alpha:g}{corrected}"

    @property
    def tests_in_words(self) -> str:
        """Return the test, or the tests with their measures."""
        first, *others = self.test.split(", ")
        measures = {
            test: [called(key) for key, each in self.tests.items() if each == test]
            for test in others
        }
        more = "".join(f"; {test} test for {', '.join(keys)}" for test, keys in measures.items())
        return f"two-sided {first} test{more}"

    def score_rows(self) -> list[tuple[str, list[str]]]:
        """Return each system with its scores, intervals and ranks in brackets, as printed."""
        cells = {name: report.cells(as_text) for name, report in self.reports.items()}

        def row(name: Any) -> list[str]:
            keys = self.scores.columns
            return [
                cells[name][k] + self.write_interval(name, k, " ") + self._rank(name, k)
                for k in keys
            ]

        return [(str(name), row(name)) for name in self.scores.index]

    def write_interval(self, name: Any, key: str, before: str = "") -> str:
        """Return the interval of a score in square brackets, or "" without an interval."""
        if key not in self.intervals:
            return ""
        words = write_interval(*self.intervals[key].loc[name])
        return words and f"{before}{words}"

    def _rank(self, name: Any, key: str) -> str:
        rank = self.rank(name, key)
        return "" if rank is None else f" ({rank})"

    def rank(self, name: Any, key: str) -> int | None:
        """Return the rank of a system by a measure, or None."""
        rank = float(self.ranks[key].astype(float)[name])
        return int(rank) if rank == rank else None

    def value_notes(self) -> list[str]:
        """Return sentences about means over fewer instances and about unsuitable measures."""
        return notes_about_values(self.reports)

    def _extent_rows(self) -> list[tuple[str, str, str]]:
        columns = zip(self.scores.index, self.predictions, self.consistency, strict=True)
        return [(str(name), as_text(n), as_text(share)) for name, n, share in columns]

    def correlation_rows(self) -> list[tuple[str, list[str]]]:
        """Return each measure with its correlations below the diagonal, as printed."""
        names = list(self.correlations.index)
        table = self.correlations.to_numpy()
        return [
            (name, [*map(as_text, table[i, : i + 1]), *[""] * (len(names) - i - 1)])
            for i, name in enumerate(names)
        ]

    def why(
        self, first: str, second: str, a: str | None = None, b: str | None = None
    ) -> "DifferenceSplit":
        """Split the difference of two systems by two measures into parts that add up to it.

        The parts are by kinds of mistakes, by level and by top class. They show the mistakes that
        one measure counts and the other does not.

        Parameters
        ----------
        first, second : str
            Keys of the measures.
        a, b : str, optional
            Names of the systems. You need them for three or more systems.

        Returns
        -------
        DifferenceSplit

        Raises
        ------
        InputError
            If a system or measure is unknown, or a value is not a mean over instances.

        See Also
        --------
        hiermeasures.evaluation.compare.finding.disagreement : Compare two measures on one system.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "A1"), ("A", "A2")])
        >>> systems = {"near": ["A", "A2", "A1"], "far": ["A1", "B", "B"]}
        >>> found = compare(h, ["A1", "A1", "A1"], systems, measures=["accuracy", "hF"])
        >>> split = found.why("accuracy", "hF")
        >>> split.kinds["hF"].round(2).tolist(), round(split.differences["hF"], 2)
        ([-0.07, 0.09, 0.2], 0.22)
        """
        from hiermeasures.evaluation.compare.why import split_difference

        asked, last = (first, second, a, b), self._last_split
        split = last.get(asked)
        if split is None:
            split = split_difference(self.reports, (first, second), (a, b))
            last.clear()
            last[asked] = split
        return split

    @cached_property
    def _last_split(self) -> "dict[tuple[str | None, ...], DifferenceSplit]":
        """The last requested split. A page asks for it several times."""
        return {}

    def to_latex(self) -> str:
        """Return two LaTeX tables: scores with ranks, and correlations.

        They look like Tables 11 and 12 of Kosmopoulos et al. 2015.

        See Also
        --------
        scores_to_latex : Write the scores only, without tests.
        """
        tables = (latex_table(tabular, caption) for tabular, caption in self.latex_tabulars())
        return "\n\n".join([f"% {self.signature}", *tables])

    def to_html(
        self, title: str = "", remarks: Iterable[str] = (), split: "DifferenceSplit | None" = None
    ) -> str:
        """Return one HTML page for a colleague: ranks, mistakes, worst instances, settings.

        The page needs no server, network or script.

        Parameters
        ----------
        title : str
            The heading, such as the name of the data set.
        remarks : iterable of str
            Sentences about the data.
        split : DifferenceSplit, optional
            A result of `why`. If you compare two systems, the default is about two measures that
            disagree.

        See Also
        --------
        hiermeasures.evaluation.Report.to_html : Write a page about one system.
        """
        from hiermeasures.evaluation.html_report import write_page

        return write_page(self.reports, self, title=title, remarks=remarks, split=split)

    def latex_tabulars(self) -> list[tuple[str, str]]:
        """Return each table in LaTeX, with its caption."""
        symbols = {key: f"${self.measure(key).symbol}$" for key in self.scores.columns}
        scores = [(latex_label(system), cells) for system, cells in self.score_rows()]
        caption = latex_label(" ".join(self.about()))
        tables = [(_tabular(["System", *symbols.values()], scores), caption)]
        if self.correlated:
            correlations = [(symbols[key], cells) for key, cells in self.correlation_rows()]
            caption = "Kendall's $\\tau_b$ between the rankings."
            tables.append((_tabular(["", *symbols.values()], correlations), caption))
        return tables

    def __repr__(self) -> str:
        systems, measures = self.scores.shape
        return f"Comparison({systems} systems by {measures} measures{f', {self._how}' if self.tests else ''})"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from hiermeasures.draw.notebook_repr import bundle, output, paragraphs

        return bundle(
            include,
            exclude,
            text=self.as_text,
            html=lambda: output(*self._html_tables()),
            latex=lambda: paragraphs(*(part for table in self.latex_tabulars() for part in table)),
        )

    def _html_tables(self) -> Iterable[str]:
        from hiermeasures.draw.notebook_repr import paragraph, table

        keys = list(self.scores.columns)
        numbers = range(1, len(keys) + 1)
        arrows = [f"{called(key)} {ARROWS[self.measure(key).better]}" for key in keys]
        yield table(
            ("", *arrows),
            [("", [(system, *cells) for system, cells in self.score_rows()])],
            numbers,
        )
        yield from map(paragraph, self.about())
        if self.correlated:
            correlations = [(called(key), *cells) for key, cells in self.correlation_rows()]
            yield table((_TAU, *map(called, keys)), [("", correlations)], numbers)
        extent = [("", self._extent_rows())]
        yield table(
            ("", "predicted classes per instance", "hierarchical consistency"), extent, (1, 2)
        )


def compare(
    hierarchy: Hierarchy,
    y_true: Any,
    systems: Mapping[str, Any],
    *,
    test: str | None = None,
    alpha: float = 0.05,
    correction: str | None = "holm",
    intervals: float | None = None,
    **settings: "Unpack[CompareArguments]",
) -> Comparison:
    """Evaluate several systems on the same instances and compare them.

    Parameters
    ----------
    hierarchy, y_true :
        As for `evaluate`.
    systems : mapping from a system's name to its predictions
    test : "sign", "wilcoxon", "permutation" or "bootstrap", optional
        A paired, two-sided test. "sign" and "wilcoxon" test only means over instances. "bootstrap"
        tests any average except means over classes. "permutation" tests any average. The default is
        the sign test for means over instances, and otherwise the permutation test.
    alpha : float
        The level of significance, between 0 and 1. A difference with a lower p-value is
        significant.
    correction : "holm" or None
        Correction over all pairs of systems.
    intervals : float, optional
        Confidence of a bootstrap interval for each value, for example 0.95. It uses 2,000
        resamples.
    settings :
        Arguments of `evaluate`: `measures` (by default the core), `average`, options and others.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If there are fewer than two systems or the test is unknown, and as for `evaluate`.

    See Also
    --------
    evaluate : Evaluate one system.
    compare_reports : Compare reports that you have already.
    Comparison.why : Find out why two measures disagree about two systems.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
    >>> found = compare(h, ["A"] * 9, {"one": ["A"] * 9, "two": ["B"] * 9}, measures=["hF"], average="micro")
    >>> found.ranks["hF"].to_dict(), found.tests
    ({'one': 1, 'two': 2}, {'hF': 'permutation'})
    """
    from hiermeasures.evaluation import evaluate

    how: dict[str, Any] = {"test": test, "alpha": alpha}
    how |= {"correction": correction, "intervals": intervals}
    _check_settings(systems, **how)  # before a long evaluation
    return compare_reports(
        {name: evaluate(hierarchy, y_true, each, **settings) for name, each in systems.items()},
        **how,
    )


def compare_reports(
    reports: Mapping[str, "Report"],
    *,
    measures: Sequence[str] | None = None,
    test: str | None = None,
    alpha: float = 0.05,
    correction: str | None = "holm",
    intervals: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare reports over the same instances.

    Parameters
    ----------
    reports : mapping from a system's name to its Report
        At least two, with instances.
    measures : sequence of str, optional
        Keys of the measures. The default is all measures of the first report.
    test, alpha, correction, intervals
        As for `compare`.
    progress : callable, optional
        Gets the number of tested measures and the number of all measures.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If there are fewer than two reports, if they have only sums or different numbers of
        instances, or if a measure or test is unknown.

    See Also
    --------
    compare : Evaluate and compare in one call.
    """
    from hiermeasures.evaluation.encode import consistent
    from hiermeasures.evaluation.needs_pandas import pd

    _check_settings(reports, test, alpha, correction, intervals)
    check_same_size(reports.values())
    keys = list(next(iter(reports.values())).measures if measures is None else measures)
    if not keys:
        raise InputError("measures is empty. Name at least one measure to compare the systems by.")
    plan = _Plan(list(reports.values()), keys, test, resample_all=intervals is not None)
    names, p_values, ranks = list(reports), {}, {}
    for done, k in enumerate(keys):
        if progress:
            progress(done, len(keys))
        p_values[k], ranks[k] = plan.rank(k, names, alpha, correction)
    numbers = {k: ranks[k].to_numpy(float, na_value=math.nan) for k in keys}
    correlations = [[tau_b(numbers[a], numbers[b]) for b in keys] for a in keys]
    predicted = {n: r.kept.predicted for n, r in reports.items()}
    counts = {n: len(each.idx) / max(len(each), 1) for n, each in predicted.items()}
    shares = {n: consistent(reports[n].hierarchy, each).mean() for n, each in predicted.items()}
    return Comparison(
        scores=pd.DataFrame({k: [reports[n][k] for n in names] for k in keys}, index=names),
        ranks=pd.DataFrame(ranks, index=names),
        p_values={k: p_values[k] for k in plan.tests},
        correlations=pd.DataFrame(correlations, keys, keys),
        predictions=pd.Series(counts),
        consistency=pd.Series(shares, dtype=float),
        tests=plan.tests,
        unranked=plan.unranked,
        intervals={} if intervals is None else plan.intervals(names, intervals),
        confidence=intervals,
        alpha=alpha,
        correction=correction,
        reports=dict(reports),
    )


def _check_settings(
    systems: Any, test: str | None, alpha: float, correction: str | None, intervals: float | None
) -> None:
    from hiermeasures.evaluation.compare.resampling import check_confidence

    if not hasattr(systems, "items"):
        example = "{'one': y_pred_one, 'two': y_pred_two}"
        kind = type(systems).__name__
        raise InputError(f"systems need names. Give a mapping such as {example}, not {kind}.")
    if len(systems) < 2:
        raise InputError(f"a comparison needs at least two systems. You gave {len(systems)}.")
    if test is not None:
        check_known("test", test, TESTS)
    if correction is not None:
        check_known("correction", correction, ["holm"])
    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha!r}. Give a level between 0 and 1.")
    if intervals is not None:
        check_confidence(intervals)


class _Plan:
    """The test of each measure, or the reason why it has no test. The tests share their resamples.

    `values` are the printed values by measure, an array over the systems. They are nan if a dash is
    printed.
    """

    def __init__(
        self, reports: Sequence["Report"], keys: Sequence[str], test: str | None, resample_all: bool
    ) -> None:
        self.reports, self.tests, self.unranked = reports, {}, {}
        self.values = {
            k: np.array([math.nan if k in r.cautions else r[k] for r in reports]) for k in keys
        }
        for k in keys:
            basis = basis_of(reports[0].measure(k), reports[0].average)
            chosen = test or ("sign" if basis == "instances" else "permutation")
            if np.isnan(self.values[k]).all():
                self.unranked[k] = "no system has a value"
            elif why := _untestable(chosen, basis):
                self.unranked[k] = why
            else:
                self.tests[k] = chosen
        resampled = [
            k for k in keys if resample_all or self.tests.get(k, "sign") not in OF_INSTANCES
        ]
        self.resampled = [k for k in resampled if not np.isnan(self.values[k]).all()]

    @cached_property
    def resampling(self) -> "Resampling":
        from hiermeasures.evaluation.compare.resampling import Resampling

        return Resampling(self.reports, [self.reports[0].measure(k) for k in self.resampled])

    def sign(self, key: str) -> float:
        return 1.0 if self.reports[0].measure(key).better == "higher" else -1.0

    def rank(
        self, key: str, names: Sequence[str], alpha: float, correction: str | None
    ) -> "tuple[pd.DataFrame, pd.Series]":
        """Return the p-values of pairs of systems by a measure, and the ranks of the systems."""
        from hiermeasures.evaluation.needs_pandas import pd

        places = range(len(names))
        order = pd.Series(self.sign(key) * self.values[key]).dropna()  # larger is better
        table = pd.DataFrame()
        ranks = pd.Series(pd.NA, places, dtype="Int64")
        if key in self.tests:
            table = _p_values(order, self.test_of(key), correction)
            ranks.update(_ranks(order, table, alpha).astype("Int64"))
            table = table.reindex(index=places, columns=places, fill_value=1.0)
            table = table.set_axis(names).set_axis(names, axis=1)
        return table, (ranks if ranks.hasnans else ranks.astype(int)).set_axis(names)

    def test_of(self, key: str) -> Callable[[int, int], float]:
        """Return the p-value of a pair of systems, by number. The first is not the worse one."""
        name = self.tests[key]
        if name in OF_INSTANCES:
            measure = self.reports[0].measure(key)
            values = [
                self.sign(key) * np.asarray(measure.value(r.kept.tables, r.options), float)
                for r in self.reports
            ]
            return lambda a, b: OF_INSTANCES[name](_differences(values[a], values[b]))
        printed, test = self.values[key], getattr(self.resampling, f"{name}_test")
        return lambda a, b: test(key, a, b, float(printed[a] - printed[b]))

    def intervals(self, names: Sequence[str], confidence: float) -> "dict[str, pd.DataFrame]":
        from hiermeasures.evaluation.needs_pandas import pd

        found = {}
        for k in self.resampled:
            ends = self.resampling.interval(k, self.values[k], confidence)
            ends[np.isnan(self.values[k])] = math.nan
            found[k] = pd.DataFrame(ends, names, ["low", "high"])
        return found


def _untestable(test: str, basis: str | None) -> str:
    """Return why a test cannot be about the printed value, or ""."""
    use = "Use the permutation test"
    if test in OF_INSTANCES and basis != "instances":
        read = "the counts of each class" if basis == "classes" else "summed counts"
        name = {"sign": "the sign test", "wilcoxon": "Wilcoxon's test"}[test]
        return f"{name} compares values of instances, but this value is computed from {read}. {use}"
    if test == "bootstrap" and basis == "classes":
        return f"the bootstrap loses rare classes, so it finds false differences. {use}"
    return ""


def _differences(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    apart: np.ndarray = a - b
    apart = apart[~np.isnan(apart)]
    apart[np.abs(apart) < SMALLEST] = 0.0
    return apart


def _p_values(
    order: "pd.Series", test: Callable[[int, int], float], correction: str | None
) -> "pd.DataFrame":
    """Test every pair of the systems with a value. `test` takes their numbers in `order`."""
    from hiermeasures.evaluation.needs_pandas import pd

    pairs = [(a, b) if order[a] >= order[b] else (b, a) for a, b in combinations(order.index, 2)]
    # of equal values none is favoured, whichever system is named first
    raw = np.array([test(a, b) if order[a] - order[b] > SMALLEST else 1.0 for a, b in pairs])
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
    """Return Kendall's tau-b between two rankings, over the systems with both ranks.

    It is nan if one of the rankings has only ties.

    >>> tau_b(np.array([1, 2, 3, 3]), np.array([1, 3, 2, 2]))
    0.2
    """
    known = ~np.isnan(a) & ~np.isnan(b)
    a, b = a[known], b[known]
    # importing scipy takes a second
    one, other = (np.sign(np.subtract.outer(ranks, ranks)) for ranks in (a, b))
    untied = math.sqrt(np.abs(one).sum() * np.abs(other).sum())
    return float((one * other).sum() / untied) if untied else math.nan


def scores_to_latex(reports: Mapping[str, "Report"]) -> str:
    """Return the scores of several systems, without ranks, as a LaTeX table."""
    measures = next(iter(reports.values())).declared
    head = ["System", *(f"${m.symbol}$" for m in measures)]
    rows = [
        (latex_label(name), [as_text(report[m.key]) for m in measures])
        for name, report in reports.items()
    ]
    first = next(iter(reports.values()))
    caption = latex_label(f"Scores of the systems: {first.convention}.")
    return f"% {first.signature}\n{latex_table(_tabular(head, rows), caption)}"


def _tabular(head: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    def cell(text: str) -> str:
        return text.replace("–", "--") if not text.startswith("-") else f"$-${text[1:]}"

    lines = [" & ".join([name, *map(cell, cells)]) for name, cells in rows]
    return latex_tabular(
        "l" + "c" * (len(head) - 1),
        " & ".join(head),
        [r"\hline", *(rf"{line} \\" for line in lines)],
    )
