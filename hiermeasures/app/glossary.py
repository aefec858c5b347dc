"""The Glossary page: every measure on a live three-class example, with terms and references.

Text comes from the catalogue, and numbers come from `explain`.
"""

from dataclasses import dataclass, field

import streamlit as st

from hiermeasures.app.binding import setting
from hiermeasures.app.components import MenuEntry, contents, mailbox, stacking_columns
from hiermeasures.app.inbox import Slot
from hiermeasures.app.pages import Page
from hiermeasures.draw.text import escaped, markdown_text
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import DECLARED
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import CATALOGUE, Explanation, Measure, explain
from hiermeasures.measures.catalogue import by_family, works_in
from hiermeasures.measures.registry import TITLES, in_tier, question, same_as
from hiermeasures.measures.terms import TERMS
from hiermeasures.measures.weighted import other_names

EXAMPLE = Hierarchy.from_edges([("A", "B"), ("A", "C")])
NO_BREAK = "\u00a0"


@dataclass(frozen=True)
class Glossary:
    """State of the page: the chosen classes."""

    true: tuple[str, ...] = ("B",)
    predicted: tuple[str, ...] = ("C",)


GLOSSARY: Slot[Glossary] = Slot("glossary_model", Glossary)


@dataclass(frozen=True)
class Contents:
    """The parts of the glossary page with their entries."""

    parts: list[MenuEntry] = field(default_factory=list)
    entries: list[MenuEntry] = field(default_factory=list)


def page() -> None:
    st.title("Glossary")
    st.caption(
        "Every measure on the smallest example there is: a root A with the children B and C. "
        "Choose the classes and watch."
    )
    with st.container(key="with_contents"):  # below each other on a narrow page (style.css)
        left, right = st.columns([2, 9], gap="large")
    found = Contents()
    with right:
        _measures(_example(), found)
        _other_names(found)
        _references(found)
        _terms(found)
    with left:
        terms_first = sorted(found.entries, key=lambda entry: entry.about != "term")
        contents("glossary_contents", "Search measures and terms", terms_first, found.parts)
    mailbox()


def _header(title: str, key: str, found: Contents) -> None:
    st.header(title, divider="gray", anchor=key)
    found.parts.append(MenuEntry(title, to=key))


def _example() -> Explanation:
    for name, marked, column in zip(
        ("true", "predicted"), ("Circled", "Boxed"), st.columns(2), strict=True
    ):
        setting(column.multiselect, f"glossary_{name}", GLOSSARY, name)(
            f"{name.capitalize()} classes", EXAMPLE.nodes, help=f"{marked} in a drawing."
        )
    return explain(EXAMPLE, GLOSSARY.value.true, GLOSSARY.value.predicted)


def _measures(explanation: Explanation, found: Contents) -> None:
    start, asked, parts = (in_tier(tier, CATALOGUE.values()) for tier in TITLES)
    _header(TITLES["start"], "glossary_start", found)
    for measure in start:
        _measure(measure, explanation, found)
    st.header(TITLES["question"], divider="gray")
    for family, measures in by_family(asked).items():
        key = f"glossary_family_{family.key}"
        st.subheader(question(family), anchor=key)
        st.caption(family.description)
        found.parts.append(MenuEntry(question(family), to=key))
        for measure in measures:
            _measure(measure, explanation, found)
    found.parts.append(MenuEntry(TITLES["part"], to="glossary_parts"))
    with st.expander(
        f"{TITLES['part']}: {write_count(len(parts), 'measure')}", key="glossary_parts"
    ):
        for family, measures in by_family(parts).items():
            st.subheader(family.title)
            st.caption(family.description)
            for measure in measures:
                _measure(measure, explanation, found, inside="glossary_parts")


def _measure(measure: Measure, explanation: Explanation, found: Contents, inside: str = "") -> None:
    key = f"glossary_{measure.key}"
    others = " ".join(n.called for n in other_names() if measure.key in n.measures)
    text = f"{measure.description} {measure.source} {measure.group.title} {others}"
    found.entries.append(MenuEntry(measure.name, measure.key, text, to=key, inside=inside))
    low = "no lower bound" if measure.low is None else f"{measure.low:g}".replace("-", "−")
    ends = f"From {low} {'up' if measure.high is None else f'to {measure.high:g}'}"
    titles = [DECLARED[name].title for name in measure.options]
    options = f" Options: {', '.join(map(markdown_text, titles))}." if titles else ""
    same = "".join(
        f" At the defaults `{s.key} = {s.expression}`"
        + markdown_text(f", {s.where}" * bool(s.where))
        + "."
        for s in same_as(measure.key)
    )
    with st.container(border=True, key=key):
        about, formula, live = stacking_columns(measure.key, 3, gap="medium")
        about.markdown(f"**{markdown_text(measure.name)}** &nbsp; `{measure.key}`")
        about.markdown(markdown_text(measure.description))
        about.caption(
            f"{ends}; {measure.better} is better. {markdown_text(measure.source)}.{options}{same}"
        )
        formula.latex(f"{measure.symbol} = {measure.formula}")
        derivation = explanation.derivation(measure.key)
        live.latex(derivation.latex)
        live.caption(escaped(derivation.sentence))


def _other_names(found: Contents) -> None:
    _header("The same under another name", "glossary_names", found)
    st.caption(
        "Weighted measures use three sums over the ancestor-augmented sets: tp over shared "
        "classes, mi over classes that are only predicted, ru over classes that are only true. "
        "One value often has many names. Each name below means this value if its condition is true."
    )
    for name in other_names():
        key = f"glossary_name_{name.key}"
        text = f"{name.source} {name.formula} {name.condition} {name.when}"
        found.entries.append(
            MenuEntry(name.called, ", ".join(name.measures) or "other name", text, to=key)
        )
        with st.container(border=True, key=key):
            called, here, when = stacking_columns(f"name_{name.key}", [3, 4, 5], gap="medium")
            called.markdown(
                f"**{markdown_text(name.called)}**  \n:small[{markdown_text(name.source)}]"
            )
            keys = ", ".join(f"`{key}`" for key in name.measures)
            formula = markdown_text(
                name.formula.replace(" ", NO_BREAK).replace(f",{NO_BREAK}", ", ")
            )
            here.markdown(" = ".join(filter(None, [keys, formula])))
            when.markdown(
                markdown_text(
                    f"Where: {name.condition}" if name.condition else name.when.capitalize()
                )
            )


def _references(found: Contents) -> None:
    key = "glossary_references"
    found.parts.append(MenuEntry("References", to=key))
    sources = [*(m.source for m in CATALOGUE.values()), *(n.source for n in other_names())]
    works = {work.key: work for source in sources for work in works_in(source)}
    with st.expander(f"References: {write_count(len(works), 'work')}", key=key):
        for _, work in sorted(works.items()):
            found.entries.append(
                MenuEntry(work.short, "reference", f"{work.title} {work.text}", to=key, inside=key)
            )
            title = (
                f"[{markdown_text(work.title)}]({work.link})"
                if work.link
                else markdown_text(work.title)
            )
            about = markdown_text(f"{work.published}. Read: {work.read}. {work.text}")
            st.markdown(f"**{markdown_text(work.short)}** &nbsp; `{work.key}`  \n{title}. {about}")


def _terms(found: Contents) -> None:
    _header("Terms", "glossary_words", found)
    for k, term in enumerate(TERMS):
        key = f"glossary_term_{k}"
        found.entries.append(MenuEntry(term.name, "term", term.text, to=key))
        with st.container(key=key):
            name, meaning = st.columns([3, 9])
            name.markdown(f"**{markdown_text(term.name)}**")
            meaning.markdown(markdown_text(term.text))


PAGE = Page(
    "Glossary",
    page,
    "Look up the formula, range, direction and source of every measure. The first ones are a "
    "good start.",
)
