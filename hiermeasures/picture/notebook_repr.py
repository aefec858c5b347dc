"""The notebook output of each kind of object, in every format."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.renderers import Renderer, register
from hiermeasures.measures import CORE, Explanation, Measure
from hiermeasures.measures.catalogue import by_family, counted, named
from hiermeasures.measures.own import called
from hiermeasures.picture import html
from hiermeasures.picture.drawing import Drawing, drawing_of_explanation, drawing_of_hierarchy
from hiermeasures.picture.export import latex_label, values_tabular
from hiermeasures.picture.html import Bundle, bundle
from hiermeasures.picture.terminal import Values, as_text, family_lines, value_lines

Asked = Collection[str] | None
BUDGET = 2.0  # seconds of processor time after which no further structure is built to be shown


def show_hierarchy(hierarchy: Hierarchy, include: Asked = None, exclude: Asked = None) -> Bundle:
    """Its drawing, and what is to know of it."""
    drawing = drawing_of_hierarchy(hierarchy)
    kind = "tree" if hierarchy.is_tree else "DAG"
    parts = (
        counted(len(hierarchy), "class", "classes"),
        counted(hierarchy.edge_count, "edge"),
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
        latex=lambda: paragraphs(drawing.latex, latex_label(words)),
    )


def show_explanation(
    explanation: Explanation, include: Asked = None, exclude: Asked = None, drawing: Drawing | None = None
) -> Bundle:
    """The classes with their ancestors on the hierarchy, or another drawing of it, and the values
    of the best known measures and own ones: none where no class is marked, for what empty sets
    score is a convention.
    """
    drawing = drawing or drawing_of_explanation(explanation)
    values = _within_budget(explanation) if explanation.true or explanation.predicted else {}
    measures = [explanation.measure(key) for key in values]
    words = instance_in_words(explanation)
    late = [key for key in (*CORE, *explanation.defined) if values and key not in values]
    left_out = f"Left out, as it takes long: {', '.join(late)}." if late else ""

    def as_html() -> str:
        table = _value_table([("", measures)], values) if values else ""
        return html.output(html.beside(drawing.html, table + html.paragraph(left_out)), html.paragraph(words))

    def as_latex() -> str:
        table = values_tabular(measures, values) if values else ""
        return paragraphs(drawing.latex, latex_label(words), table, latex_label(left_out))

    return bundle(
        include,
        exclude,
        text=lambda: _text(words, drawing.text, "\n".join(value_lines(measures, [values])), left_out),
        html=as_html,
        latex=as_latex,
    )


def values_shown(
    about: str,
    measures: Sequence[Measure],
    values: Mapping[str, float],
    *,
    cells: Mapping[str, str],
    instances: Mapping[str, int],
    notes: Sequence[str],
) -> dict[str, Callable[[], str]]:
    """Return what makes text, HTML and LaTeX of values by family, between a sentence and notes:
    `cells` as they are printed, in text the number of `instances` of each.
    """
    columns: list[Values] = [values, {key: f"{n:,}" for key, n in instances.items()}] if instances else [values]
    heads = ("value", "n")[: len(columns)]
    return {
        "text": lambda: _text(
            about, "\n".join(family_lines(measures, columns, heads=heads)), "\n".join(notes[:-1]), *notes[-1:]
        ),
        "html": lambda: html.output(
            html.paragraph(about), _value_table(_families(measures), cells), *map(html.paragraph, notes)
        ),
        "latex": lambda: paragraphs(latex_label(about), values_tabular(measures, values), latex_label(" ".join(notes))),
    }


def instance_in_words(explanation: Explanation) -> str:
    """The classes of an instance, and the options that were set."""
    options = explanation.options
    settings = ", ".join(f"{name}={getattr(options, name)}" for name in options.changed)
    sides = f"True: {named(explanation.true)}. Predicted: {named(explanation.predicted)}."
    return f"{sides} Options: {settings}." if settings else sides


def _within_budget(explanation: Explanation) -> dict[str, float]:
    """Values, while what is not built yet does not take long."""
    start, found = explanation.spent, {}
    for key in (*CORE, *explanation.defined):
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


def _text(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def paragraphs(*parts: str) -> str:
    """Pieces of LaTeX one below the other, for a document with any preamble."""
    return "\n\n\\medskip\\noindent\n".join(part.strip() for part in parts if part) + "\n"


register(Hierarchy, Renderer(drawing_of_hierarchy, show_hierarchy))
register(Explanation, Renderer(drawing_of_explanation, show_explanation))
