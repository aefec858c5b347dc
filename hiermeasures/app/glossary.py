"""The Glossary page: every measure of the catalogue on a live three-class example, the works that
they come from, and words. Text comes from the catalogue, numbers from `explain`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from hiermeasures.app.binding import Slot, setting
from hiermeasures.app.components import Entry, columns_with_contents, contents, mailbox, stacking_columns
from hiermeasures.app.pages import Page
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.options import Options
from hiermeasures.measures import CATALOGUE, Explanation, Family, Measure, explain
from hiermeasures.measures.catalogue import Reference, by_family, counted, works_in
from hiermeasures.measures.registry import TITLES, in_tier, question, same_as
from hiermeasures.measures.weighted import other_names
from hiermeasures.picture.text import escaped, markdown_text

EXAMPLE = Hierarchy.from_edges([("A", "B"), ("A", "C")])
NO_BREAK = "\u00a0"
OTHERS, WORKS = "The same under another name", "glossary_references"
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
    """State of the page: the chosen classes."""

    true: tuple[str, ...] = ("B",)
    predicted: tuple[str, ...] = ("C",)


GLOSSARY: Slot[Glossary] = Slot("glossary_model", Glossary)


def page() -> None:
    """Draw the page."""
    st.title("Glossary")
    st.caption(
        "Every measure on the smallest example there is: a root A with the children B and C. Choose the classes and "
        "watch."
    )
    left, right = columns_with_contents()
    with left:
        contents("glossary_contents", "Search measures and words", entries(), parts())
    with right:
        explanation = _example()
        _tiers(explanation)
        _other_names()
        _references()
        _terms()
    mailbox()


# --- contents -------------------------------------------------------------------------------------


def entries() -> list[Entry]:
    """All that can be looked up: words, measures with their other names, and the works."""
    found = [Entry(term, "word", text, to=f"glossary_term_{k}") for k, (term, text) in enumerate(TERMS.items())]
    folded = set(in_tier("part", CATALOGUE.values()))
    for m in CATALOGUE.values():
        others = " ".join(n.called for n in other_names() if m.key in n.measures)
        text = f"{m.description} {m.source} {m.group.title} {others}"
        inside = "glossary_parts" if m in folded else ""
        found.append(Entry(m.name, m.key, text, to=f"glossary_{m.key}", inside=inside))
    for n in other_names():
        text = f"{n.source} {n.formula} {n.condition} {n.when}"
        found.append(Entry(n.called, ", ".join(n.measures) or "other name", text, to=f"glossary_name_{n.key}"))
    for work in _works():
        found.append(Entry(work.short, "reference", f"{work.title} {work.text}", to=WORKS, inside=WORKS))
    return found


def parts() -> list[Entry]:
    """The parts of the page, in its order."""
    families = by_family(in_tier("question", CATALOGUE.values()))
    return [
        Entry(TITLES["start"], to="glossary_start"),
        *(Entry(question(family), to=f"glossary_family_{family.key}") for family in families),
        Entry(TITLES["part"], to="glossary_parts"),
        Entry(OTHERS, to="glossary_names"),
        Entry("References", to=WORKS),
        Entry("Words", to="glossary_words"),
    ]


# --- the page -------------------------------------------------------------------------------------


def _example() -> Explanation:
    for name, marked, column in zip(("true", "predicted"), ("Circled", "Boxed"), st.columns(2), strict=True):
        setting(column.multiselect, f"glossary_{name}", GLOSSARY, name)(
            f"{name.capitalize()} classes", EXAMPLE.nodes, help=f"{marked} in a drawing."
        )
    return explain(EXAMPLE, GLOSSARY.value.true, GLOSSARY.value.predicted)


def _tiers(explanation: Explanation) -> None:
    """Draw the measures: those to start with, those that answer a question, and the others."""
    start, asked, parts = (in_tier(tier, CATALOGUE.values()) for tier in TITLES)
    st.header(TITLES["start"], divider="gray", anchor="glossary_start")
    for measure in start:
        _measure(measure, explanation)
    st.header(TITLES["question"], divider="gray")
    _families(asked, explanation, question)
    with st.expander(f"{TITLES['part']}: {counted(len(parts), 'measure')}", key="glossary_parts"):
        _families(parts, explanation, lambda family: family.title, anchored=False)


def _families(
    measures: list[Measure], explanation: Explanation, title: Callable[[Family], str], anchored: bool = True
) -> None:
    for family, found in by_family(measures).items():
        st.subheader(title(family), anchor=f"glossary_family_{family.key}" if anchored else None)
        st.caption(family.description)
        for measure in found:
            _measure(measure, explanation)


def _measure(measure: Measure, explanation: Explanation) -> None:
    with st.container(border=True, key=f"glossary_{measure.key}"):
        about, formula, live = stacking_columns(measure.key, 3, gap="medium")
        about.markdown(f"**{markdown_text(measure.name)}** &nbsp; `{measure.key}`")
        about.markdown(markdown_text(measure.description))
        about.caption(
            f"{_range(measure)}; {measure.better} is better. {markdown_text(measure.source)}."
            f"{_options(measure)}{_same(measure)}"
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


def _same(measure: Measure) -> str:
    found = (
        f"`{s.key} = {s.expression}`" + markdown_text(f", {s.where}" * bool(s.where)) for s in same_as(measure.key)
    )
    return "".join(f" At the defaults {words}." for words in found)


def _other_names() -> None:
    """Names in the field for readings of weighted sums, and when they are the same."""
    st.header(OTHERS, divider="gray", anchor="glossary_names")
    st.caption(
        "With weights on the ancestor-augmented sets there are three sums: tp of what both have, mi of what is "
        "predicted only, ru of what is true only. What is read off them has many names; each is the same thing where "
        "its condition holds."
    )
    for name in other_names():
        with st.container(border=True, key=f"glossary_name_{name.key}"):
            called, here, when = stacking_columns(f"name_{name.key}", [3, 4, 5], gap="medium")
            called.markdown(f"**{markdown_text(name.called)}**  \n:small[{markdown_text(name.source)}]")
            keys = ", ".join(f"`{key}`" for key in name.measures)
            formula = markdown_text(name.formula.replace(" ", NO_BREAK).replace(f",{NO_BREAK}", ", "))
            here.markdown(" = ".join(filter(None, [keys, formula])))
            when.markdown(markdown_text(f"Where: {name.condition}" if name.condition else name.when.capitalize()))


def _works() -> list[Reference]:
    """The works that are cited, by their keys."""
    sources = [*(m.source for m in CATALOGUE.values()), *(n.source for n in other_names())]
    found = {work.key: work for source in sources for work in works_in(source)}
    return [found[key] for key in sorted(found)]


def _references() -> None:
    """The works, each with what was read of it."""
    with st.expander(f"References: {counted(len(_works()), 'work')}", key=WORKS):
        for work in _works():
            st.markdown(_reference(work))


def _reference(work: Reference) -> str:
    title = f"[{markdown_text(work.title)}]({work.link})" if work.link else markdown_text(work.title)
    about = markdown_text(f"{work.published}. Read: {work.read}. {work.text}")
    return f"**{markdown_text(work.short)}** &nbsp; `{work.key}`  \n{title}. {about}"


def _terms() -> None:
    st.header("Words", divider="gray", anchor="glossary_words")
    for k, (term, meaning) in enumerate(TERMS.items()):
        with st.container(key=f"glossary_term_{k}"):
            word, says = st.columns([3, 9])
            word.markdown(f"**{term}**")
            says.markdown(markdown_text(meaning))


PAGE = Page("Glossary", page, "Every measure, what to start with first: formula, range, direction, source.")
