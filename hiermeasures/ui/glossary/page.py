"""The Glossary page: every measure of the catalogue with its formula, range, direction, source and options, on a live
three-class example.

Text comes from the catalogue, numbers from `explain`; nothing is worded or computed twice.
"""

from dataclasses import dataclass

import streamlit as st

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import CATALOGUE, FAMILIES, Explanation, Family, Measure, explain
from hiermeasures.measures.other_names import OTHER_NAMES, OtherName
from hiermeasures.options import Options
from hiermeasures.ui.binding import Slot, bind, changing
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.pages import Page
from hiermeasures.ui.text import escaped, markdown_text

EXAMPLE = Hierarchy.from_edges([("A", "B"), ("A", "C")])
NO_BREAK = "\u00a0"
TERMS = {
    "true class": "A class that the instance really has; circled in every drawing.",
    "predicted class": "A class that the classifier chose; boxed in every drawing.",
    "ancestor, descendant": "A class above, or below, another one in the hierarchy.",
    "augmented set": "The true or the predicted classes together with classes that a rule adds: ancestors, "
    "descendants, or what an LCA "
    "graph holds.",
    "lowest common ancestor (LCA)": "Where the cheapest way from one class to another turns from up to down; a DAG may "
    "have several.",
    "pairing": "Which predicted class answers for which true class, chosen so that the distances add up to as "
    "little as possible.",
    "default class": "The partner of a class that has none; being paired with it costs D_max.",
    "D_max": "What it costs to leave a class without a partner.",
    "fnerror": "The total cost of the cheapest pairing, before MGIA turns it into an accuracy.",
    "path": "The classes from the root down to a class, each the parent of the next.",
    "level": "The longest way from the root to a class, in edges.",
    "over-specialization": "The prediction is below the true class; under-specialization is the reverse.",
}


@dataclass(frozen=True)
class Glossary:
    """What a person chose and looks for."""

    true: tuple[str, ...] = ("B",)
    predicted: tuple[str, ...] = ("C",)
    search: str = ""


GLOSSARY: Slot[Glossary] = Slot("glossary_model", Glossary)


def page() -> None:
    """Draw the page."""
    st.title("Glossary")
    st.caption(
        "Every measure on the smallest example there is: a root A with the children B and C. Choose the classes and "
        "watch."
    )
    explanation, search = _example(), GLOSSARY.value.search
    bind(st.text_input, "glossary_search", search, changing(GLOSSARY, "search"))(
        "Find a measure", placeholder="name or key, for example recall or F_LCA"
    )
    words = search.strip().lower()
    found = [m for m in CATALOGUE.values() if words in f"{m.key} {m.name} {m.description}".lower()]
    names = [n for n in OTHER_NAMES if words in f"{n.called} {n.source} {' '.join(n.measures)}".lower()]
    if not (found or names):
        st.info(
            f"No measure is called like that; there are {len(CATALOGUE)}, from {next(iter(CATALOGUE))} to "
            f"{list(CATALOGUE)[-1]}."
        )
    for family in FAMILIES.values():
        _family(family, [m for m in found if m.family == family.key], explanation)
    _other_names(names)
    _terms()


def _example() -> Explanation:
    at = GLOSSARY.value
    for name, marked, column in zip(("true", "predicted"), ("Circled", "Boxed"), st.columns(2), strict=True):
        bind(column.multiselect, f"glossary_{name}", list(getattr(at, name)), changing(GLOSSARY, name))(
            f"{name.capitalize()} classes", EXAMPLE.nodes, help=f"{marked} in a drawing."
        )
    return explain(EXAMPLE, at.true, at.predicted)


def _family(family: Family, measures: list[Measure], explanation: Explanation) -> None:
    if not measures:
        return
    st.header(family.title, divider="gray")
    st.caption(family.description)
    for measure in measures:
        _measure(measure, explanation)


def _measure(measure: Measure, explanation: Explanation) -> None:
    with st.container(border=True, key=f"glossary_{measure.key}"):
        about, formula, live = stacking_columns(measure.key, 3, gap="medium")
        about.markdown(f"**{markdown_text(measure.name)}** &nbsp; `{measure.key}`")
        about.markdown(markdown_text(measure.description))
        about.caption(
            f"{_range(measure)}; {measure.better} is better. {markdown_text(measure.source)}.{_options(measure)}"
        )
        formula.latex(f"{measure.symbol} = {measure.formula}")
        derivation = explanation.derivation(measure.key)
        live.latex(derivation.latex)
        live.caption(escaped(derivation.sentence))


def _range(measure: Measure) -> str:
    low = "no lower bound" if measure.low is None else f"{measure.low:g}".replace("-", "−")
    return f"From {low} {'up' if measure.high is None else f'to {measure.high:g}'}"


def _options(measure: Measure) -> str:
    if not measure.options:
        return ""
    titles = [Options.model_fields[name].title or name for name in measure.options]
    return f" Options: {', '.join(markdown_text(title) for title in titles)}."


def _other_names(found: list[OtherName]) -> None:
    """What the field calls what is read off the sums of weighted classes, and under which condition it is the same."""
    if not found:
        return
    st.header("The same under another name", divider="gray")
    st.caption(
        "With weights on the ancestor-augmented sets there are three sums: tp of what both have, mi of what is "
        "predicted only, ru of what is true only. What is read off them has many names; each is the same thing where "
        "its condition holds."
    )
    for name in found:
        with st.container(border=True, key=f"glossary_name_{name.key}"):
            called, here, when = stacking_columns(f"name_{name.key}", [3, 4, 5], gap="medium")
            called.markdown(f"**{markdown_text(name.called)}**  \n:small[{markdown_text(name.source)}]")
            keys = ", ".join(f"`{key}`" for key in name.measures)
            formula = markdown_text(name.formula.replace(" ", NO_BREAK).replace(f",{NO_BREAK}", ", "))
            here.markdown(" = ".join(filter(None, [keys, formula])))
            when.markdown(markdown_text(f"Where: {name.condition}" if name.condition else name.when.capitalize()))


def _terms() -> None:
    st.header("Words", divider="gray")
    for term, meaning in TERMS.items():
        word, says = st.columns([3, 9])
        word.markdown(f"**{term}**")
        says.markdown(markdown_text(meaning))


PAGE = Page("Glossary", page)
