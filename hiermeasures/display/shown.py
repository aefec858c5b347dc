"""What each kind of object shows: the parts of its output, in every format."""

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from hiermeasures.display import html
from hiermeasures.display.bundle import Bundle, bundle
from hiermeasures.display.drawing import Drawing, drawing_of_explanation, drawing_of_hierarchy
from hiermeasures.display.text import Values, as_text, family_lines, value_lines
from hiermeasures.export import latex_label, values_tabular
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import BEST_KNOWN, Explanation, Measure
from hiermeasures.measures.catalogue import by_family, counted, named
from hiermeasures.measures.own import called

if TYPE_CHECKING:
    from hiermeasures.batch import Report
    from hiermeasures.compare import Comparison

Asked = Collection[str] | None
BUDGET = 2.0  # seconds of processor time after which no further structure is built to be shown
ARROWS = {"higher": "↑", "lower": "↓"}
AVERAGES = {
    "samples": "mean over the instances",
    "micro": "read off the summed counts",
    "macro": "mean over the classes",
}


def show_hierarchy(hierarchy: Hierarchy, include: Asked = None, exclude: Asked = None) -> Bundle:
    """Its drawing, and what is to know of it."""
    drawing = drawing_of_hierarchy(hierarchy)
    kind = "tree" if hierarchy.is_tree else "DAG"
    parts = (
        counted(len(hierarchy), "class", "classes"),
        counted(len(hierarchy.arrays.parent_idx), "edge"),
        counted(hierarchy.depth, "level"),
    )
    about = "A {} of {} and {}, {} below the root.".format(kind, *parts)
    notes = [f"{note[:1].upper()}{note[1:]}." for note in hierarchy.notes]
    words = " ".join([about, *notes])
    return bundle(
        include,
        exclude,
        text=lambda: f"{words}\n{drawing.text}",
        html=lambda: html.output(drawing.html, html.paragraph(words)),
        latex=lambda: _paragraphs(drawing.latex, latex_label(words)),
    )


def show_explanation(
    explanation: Explanation, include: Asked = None, exclude: Asked = None, drawing: Drawing | None = None
) -> Bundle:
    """The classes with their ancestors on the hierarchy, or another drawing of it, and the values of the best known
    measures and own ones: none where no class is marked, for what empty sets score is a convention.
    """
    drawing = drawing or drawing_of_explanation(explanation)
    values = _within_budget(explanation) if explanation.true or explanation.predicted else {}
    measures = [explanation.measure(key) for key in values]
    words = instance_in_words(explanation)
    late = [key for key in (*BEST_KNOWN, *explanation.defined) if values and key not in values]
    left_out = f"Left out, as it takes long: {', '.join(late)}." if late else ""

    def as_html() -> str:
        table = _value_table([("", measures)], values) if values else ""
        return html.output(html.beside(drawing.html, table + html.paragraph(left_out)), html.paragraph(words))

    def as_latex() -> str:
        table = values_tabular(measures, values) if values else ""
        return _paragraphs(drawing.latex, latex_label(words), table, latex_label(left_out))

    return bundle(
        include,
        exclude,
        text=lambda: _text(words, drawing.text, "\n".join(value_lines(measures, [values])), left_out),
        html=as_html,
        latex=as_latex,
    )


def show_report(report: "Report", include: Asked = None, exclude: Asked = None) -> Bundle:
    """The values as they were averaged."""
    words = f"{counted(len(report), 'instance')}, {AVERAGES[report.average]}."
    undefined = {key: n for key, n in report.undefined.items() if n}
    missing = ", ".join(f"{key} {n:,}" for key, n in undefined.items())
    left_out = f"Left out of a mean, for having no value: {missing}." if missing else ""
    measures, values = report.declared, report.values
    return bundle(
        include,
        exclude,
        text=lambda: _text(words, "\n".join(family_lines(measures, [values])), left_out),
        html=lambda: html.output(
            html.paragraph(words), _value_table(_families(measures), values), html.paragraph(left_out)
        ),
        latex=lambda: _paragraphs(latex_label(words), values_tabular(measures, values), latex_label(left_out)),
    )


def show_comparison(comparison: "Comparison", include: Asked = None, exclude: Asked = None) -> Bundle:
    """Scores with ranks, and how the rankings correlate."""
    return bundle(
        include,
        exclude,
        text=comparison.as_text,
        html=lambda: html.output(*_comparison_tables(comparison)),
        latex=lambda: _paragraphs(*(part for table in comparison.latex_tabulars() for part in table)),
    )


def instance_in_words(explanation: Explanation) -> str:
    """The classes of an instance, and the options that were set."""
    options = explanation.options
    settings = ", ".join(f"{name}={getattr(options, name)}" for name in options.changed)
    sides = f"True: {named(explanation.true)}. Predicted: {named(explanation.predicted)}."
    return f"{sides} Options: {settings}." if settings else sides


def _within_budget(explanation: Explanation) -> dict[str, float]:
    """Values, while what is not built yet does not take long."""
    start, found = explanation.spent, {}
    for key in (*BEST_KNOWN, *explanation.defined):
        structures = explanation.measure(key).structures
        if explanation.spent - start < BUDGET or all(map(explanation.has_built, structures)):
            found[key] = explanation[key]
    return found


def _families(measures: Iterable[Measure]) -> Iterable[tuple[str, Sequence[Measure]]]:
    return ((family.title, members) for family, members in by_family(measures).items())


def _value_table(groups: Iterable[tuple[str, Sequence[Measure]]], values: Values) -> str:
    rows = (
        (title, [(called(m.key), m.name, as_text(values[m.key]), m.better) for m in measures])
        for title, measures in groups
    )
    return html.table(("measure", "", "value", "better"), rows, numbers=(2,))


def _comparison_tables(comparison: "Comparison") -> Iterable[str]:
    keys = list(comparison.scores.columns)
    numbers = range(1, len(keys) + 1)
    named_keys = [called(key) for key in keys]
    arrows = [f"{called(key)} {ARROWS[comparison.measure(key).better]}" for key in keys]
    scores = [(system, *cells) for system, cells in comparison.score_rows()]
    yield html.table(("", *arrows), [("", scores)], numbers)
    yield html.paragraph(comparison.about_ranks())
    correlations = [(called(key), *cells) for key, cells in comparison.correlation_rows()]
    yield html.table(("Kendall's tau-b between the rankings", *named_keys), [("", correlations)], numbers)
    per_instance = [
        (str(system), f"{comparison.predictions[system]:.3f}", f"{comparison.consistency[system]:.3f}")
        for system in comparison.scores.index
    ]
    yield html.table(("", "predicted classes per instance", "hierarchical consistency"), [("", per_instance)], (1, 2))


def _text(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def _paragraphs(*parts: str) -> str:
    """Pieces of LaTeX one below the other, in a document that somebody else set up."""
    return "\n\n\\medskip\\noindent\n".join(part.strip() for part in parts if part) + "\n"
