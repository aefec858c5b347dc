"""The Glossary page: every measure on a live three-class example, with terms and references.

Text comes from the catalogue, and numbers come from `explain`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import streamlit as st
from markupsafe import Markup, escape

from hiermeasures.app.binding import setting
from hiermeasures.app.components import MenuEntry, contents, formula, mailbox
from hiermeasures.app.inbox import Slot
from hiermeasures.app.pages import Page
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import DECLARED
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import CATALOGUE, Explanation, Measure, explain
from hiermeasures.measures.catalogue import Reference, by_family, works_in
from hiermeasures.measures.registry import TITLES, in_tier, question, same_as
from hiermeasures.measures.terms import TERMS
from hiermeasures.measures.weighted import OtherName, other_names

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
    _cards(start, explanation, found)
    st.header(TITLES["question"], divider="gray")
    for family, measures in by_family(asked).items():
        key = f"glossary_family_{family.key}"
        st.subheader(question(family), anchor=key)
        st.caption(family.description)
        found.parts.append(MenuEntry(question(family), to=key))
        _cards(measures, explanation, found)
    found.parts.append(MenuEntry(TITLES["part"], to="glossary_parts"))
    with st.expander(
        f"{TITLES['part']}: {write_count(len(parts), 'measure')}", key="glossary_parts"
    ):
        for family, measures in by_family(parts).items():
            st.subheader(family.title)
            st.caption(family.description)
            _cards(measures, explanation, found, inside="glossary_parts")


def _cards(
    measures: Sequence[Measure], explanation: Explanation, found: Contents, inside: str = ""
) -> None:
    for measure in measures:
        others = " ".join(n.called for n in other_names() if measure.key in n.measures)
        text = f"{measure.description} {measure.source} {measure.group.title} {others}"
        to = f"glossary_{measure.key}"
        found.entries.append(MenuEntry(measure.name, measure.key, text, to=to, inside=inside))
    _show(_card(measure, explanation) for measure in measures)


def _card(measure: Measure, explanation: Explanation) -> Markup:
    low = "no lower bound" if measure.low is None else f"{measure.low:g}".replace("-", "−")
    ends = f"From {low} {'up' if measure.high is None else f'to {measure.high:g}'}"
    titles = [DECLARED[name].title for name in measure.options]
    options = f" Options: {', '.join(titles)}." if titles else ""
    same = "".join(
        f" At the defaults `{s.key} = {s.expression}`{f', {s.where}' * bool(s.where)}."
        for s in same_as(measure.key)
    )
    derivation = explanation.derivation(measure.key)
    return CARD.format(
        key=measure.key,
        name=measure.name,
        description=_with_code(measure.description),
        about=_with_code(f"{ends}; {measure.better} is better. {measure.source}.{options}{same}"),
        formula=formula(f"{measure.symbol} = {measure.formula}"),
        live=formula(derivation.latex),
        sentence=derivation.sentence,
    )


CARD = Markup(
    '<section id="glossary_{key}" class="card"><div><p><b>{name}</b> &nbsp; <code>{key}</code></p>'
    '<p>{description}</p><p class="about">{about}</p></div><div>{formula}</div>'
    '<div>{live}<p class="about">{sentence}</p></div></section>'
)
NAME = Markup(
    '<section id="glossary_name_{key}" class="card"><p><b>{called}</b><br>'
    '<span class="about">{source}</span></p><p>{here}</p><p>{when}</p></section>'
)
WORK = Markup("<p><b>{short}</b> &nbsp; <code>{key}</code><br>{title}. {about}</p>")
TERM = Markup('<section id="glossary_term_{k}" class="term"><b>{name}</b><p>{text}</p></section>')


def _show(parts: Iterable[Markup]) -> None:
    """Draw parts of the page as one element, because a browser takes long for hundreds."""
    st.html(Markup('<div class="hm-glossary">{}</div>').format(Markup().join(parts)))


def _with_code(text: str) -> Markup:
    """Return a sentence of ours, with code in backticks, as HTML."""
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def _other_names(found: Contents) -> None:
    _header("The same under another name", "glossary_names", found)
    st.caption(
        "Weighted measures use three sums over the ancestor-augmented sets: tp over shared "
        "classes, mi over classes that are only predicted, ru over classes that are only true. "
        "One value often has many names. Each name below means this value if its condition is true."
    )
    for name in other_names():
        text = f"{name.source} {name.formula} {name.condition} {name.when}"
        keys = ", ".join(name.measures)
        to = f"glossary_name_{name.key}"
        found.entries.append(MenuEntry(name.called, keys or "other name", text, to=to))
    _show(_other_name(name) for name in other_names())


def _other_name(name: OtherName) -> Markup:
    keys = ", ".join(f"`{key}`" for key in name.measures)
    sums = name.formula.replace(" ", NO_BREAK).replace(f",{NO_BREAK}", ", ")
    return NAME.format(
        key=name.key,
        called=name.called,
        source=name.source,
        here=_with_code(" = ".join(filter(None, [keys, sums]))),
        when=_with_code(f"Where: {name.condition}" if name.condition else name.when.capitalize()),
    )


def _references(found: Contents) -> None:
    key = "glossary_references"
    found.parts.append(MenuEntry("References", to=key))
    sources = [*(m.source for m in CATALOGUE.values()), *(n.source for n in other_names())]
    works = {work.key: work for source in sources for work in works_in(source)}
    ordered = [work for _, work in sorted(works.items())]
    for work in ordered:
        text = f"{work.title} {work.text}"
        found.entries.append(MenuEntry(work.short, "reference", text, to=key, inside=key))
    with st.expander(f"References: {write_count(len(works), 'work')}", key=key):
        _show(map(_work, ordered))


def _work(work: Reference) -> Markup:
    link = Markup('<a href="{}" target="_blank">{}</a>')
    return WORK.format(
        short=work.short,
        key=work.key,
        title=link.format(work.link, work.title) if work.link else work.title,
        about=_with_code(f"{work.published}. Read: {work.read}. {work.text}"),
    )


def _terms(found: Contents) -> None:
    _header("Terms", "glossary_words", found)
    for k, term in enumerate(TERMS):
        found.entries.append(MenuEntry(term.name, "term", term.text, to=f"glossary_term_{k}"))
    _show(
        TERM.format(k=k, name=term.name, text=_with_code(term.text)) for k, term in enumerate(TERMS)
    )


PAGE = Page(
    "Glossary",
    page,
    "Look up the formula, range, direction and source of every measure. The first ones are a "
    "good start.",
)
