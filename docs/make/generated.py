"""Parts of the site's pages that are made from the code and the case files at build time.

A page in docs/ shows the part NAME of `PARTS` in place of `<!-- made: NAME -->`. `fill_in` returns
the text of a page with these parts. Programs in benchmarks/ make the pages of measured numbers
(docs/benchmarks.md, docs/lca-solvers.md).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

from docs.make import behaviour_page, guide_page
from docs.make.choose_page import write_selector
from docs.make.links import anchor
from docs.make.protocols_page import compare_protocols
from hiermeasures.debug.search import FIRST
from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.expressions import (
    FUNCTIONS,
    MAX_DEPTH,
    MAX_LENGTH,
    MAX_NUMBER,
    MAX_VALUES,
    Expression,
)
from hiermeasures.hierarchy.options import DECLARED, DeclaredOption
from hiermeasures.measures import CATALOGUE, FAMILIES, Measure
from hiermeasures.measures.catalogue import Reference, by_family, references, works_in
from hiermeasures.measures.own import LONGEST_NAME, MOST_OWN, named_value, names
from hiermeasures.measures.registry import TITLES, in_tier, question, same_as
from hiermeasures.measures.terms import TERMS
from hiermeasures.measures.weighted import other_names
from hiermeasures.read import HIERARCHY_FORMATS, LABEL_FORMATS
from hiermeasures.read.reading import OPTIONS
from hiermeasures.teach import load_lessons
from hiermeasures.verify import verify
from hiermeasures.verify.errata import errata_overview, paper_errata
from hiermeasures.verify.forensics.grid import axes

FOLDER = Path(__file__).resolve().parents[1]


def list_measures() -> str:
    """Return the measures by tier, then every measure by family, with folded parts and variants."""
    lines = _overview()
    for family in FAMILIES.values():
        lines += [f"## {family.title}", "", family.description, ""]
        found = [m for m in CATALOGUE.values() if m.family == family.key]
        parts = in_tier("part", found)
        lines += [line for m in found if m not in parts for line in _entry(m)]
        if parts:
            keys = ", ".join(f"<code>{m.key}</code>" for m in parts)
            lines += ['<details markdown="1">', f"<summary>{TITLES['part']}: {keys}</summary>", ""]
            lines += [*(line for m in parts for line in _entry(m)), "</details>", ""]
    return "\n".join(lines)


def list_options() -> str:
    """Return a table of every option with its default, values and meaning."""
    return make_table(
        "option | default | values | meaning",
        (
            f"`{name}` | {_code(each.default)} | {_values(each)} | {each.description}"
            for name, each in DECLARED.items()
        ),
    )


def make_table(head: str, rows: Iterable[str]) -> str:
    """Return a table of Markdown.

    >>> print(make_table("a | b", ["1 | 2"]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    line = "|---" * (head.count("|") + 1) + "|"
    return "\n".join([f"| {head} |", line, *(f"| {row} |" for row in rows)])


def _overview() -> list[str]:
    """Return the measures by tier as a list of links."""

    def links(measures: list[Measure]) -> str:
        return ", ".join(f"[`{m.key}`](#{anchor(_heading(m))})" for m in measures)

    start, asked = (in_tier(tier, CATALOGUE.values()) for tier in ("start", "question"))
    lines = [f"**{TITLES['start']}** {links(start)}.", "", f"**{TITLES['question']}**", ""]
    lines += [f"- {question(family)} {links(found)}" for family, found in by_family(asked).items()]
    return [*lines, "", f"**{TITLES['part']}** are folded below the measures of their family.", ""]


def _heading(m: Measure) -> str:
    return f"{m.key}: {m.name}"


def _entry(m: Measure) -> list[str]:
    options = ", ".join(f"`{option}`" for option in m.options)
    facts = [
        f"{_bound(m.low, '−∞')} to {_bound(m.high, '∞')}, {m.better} is better.",
        f"Source: {linked(m.source)}.",
    ]
    facts += [f"Options: {options}."] * bool(options)
    facts += [
        f"At the defaults `{s.key} = {s.expression}`{', ' * bool(s.where)}{s.where}."
        for s in same_as(m.key)
    ]
    return [
        f"### {_heading(m)}",
        "",
        m.description,
        "",
        f"$$ {m.formula} $$",
        "",
        " ".join(facts),
        "",
    ]


def linked(text: str) -> str:
    """Return a text with a link from each name of a work to its entry in docs/references.md.

    Names that are links already stay.
    """
    for work in {work.key: work for work in works_in(text)}.values():
        text = re.sub(
            rf"(?<!\[)\b{re.escape(work.short)}\b(?!\])",
            f"[{work.short}](references.md#{work.key})",
            text,
        )
    return text


def list_references() -> str:
    """Return the references, the parts that we read, and the measures that cite each one."""
    return "\n".join(map(_reference, references().values()))


def _reference(work: Reference) -> str:
    authors = ", ".join(work.authors[:-1]) + " and " * (len(work.authors) > 1) + work.authors[-1]
    title = f"[{work.title}]({work.link})" if work.link else work.title
    by = ", ".join(f"`{m.key}`" for m in CATALOGUE.values() if work in works_in(m.source))
    parts = [
        f"{authors} ({work.year}). {title}. {work.published}.",
        f"*Read: {work.read}.*",
        work.text,
    ]
    parts += [f"Cited by {by}."] * bool(by)
    return f'- <a id="{work.key}"></a>`{work.key}` {" ".join(filter(None, parts))}'


def _bound(value: float | None, none: str) -> str:
    return none if value is None else f"{value:g}".replace("-", "−")


def _code(value: object) -> str:
    return (
        "none" if value is None else f"`{str(value).lower() if isinstance(value, bool) else value}`"
    )


def _values(option: DeclaredOption) -> str:
    kinds = get_args(option.annotation) or (option.annotation,)
    words = [_code(kind) for kind in kinds if isinstance(kind, str)]
    if words:
        return ", ".join(words)
    said = {int: "whole number", float: "number", bool: "true, false"}
    prefixes = {"gt": "above", "ge": "from", "le": "up to"}
    limits = [f"{prefixes[name]} {bound:g}" for name, bound in option.bounds.items()]
    return " ".join([said[kinds[0]], *limits])


def list_functions() -> str:
    """Return the rows of the functions that an expression may call."""
    return "\n".join(f"| `{f.form}` | {f.meaning} |" for f in FUNCTIONS.values())


def list_names() -> str:
    """Return a table of the names that an expression may contain, without the measures."""
    parts = {name: named_value(Expression(name), name) for name in names() if name not in CATALOGUE}
    return make_table(
        "name | of | value | ",
        (
            f"`{name}` | {part.group.title} | {part.name} | "
            f"{'count' if part.structure.whole else ''}"
            for name, part in parts.items()
        ),
    )


def list_limits() -> str:
    """Return a list of the limits on expressions and own measures."""
    return "\n".join(
        [
            f"- An expression has at most {MAX_LENGTH} characters, {MAX_VALUES} names and numbers, "
            f"and {MAX_DEPTH} brackets within each other.",
            f"- There can be {MOST_OWN} own measures at a time. A name has at most {LONGEST_NAME} "
            "letters, digits and `_`.",
            f"- A number beyond {MAX_NUMBER:g} is undefined.",
        ]
    )


def list_formats(formats: Mapping[str, Any]) -> str:
    """Return a table of file formats for hierarchies or for labels."""
    rows = []
    for f in formats.values():
        endings = ", ".join(f"`{ending}`" for ending in f.extensions)
        extra = ", with the extra `files`" if getattr(f, "package", "") else ""
        rows.append(f"`{f.key}` | {f.title} | {endings} | {_in_cell(f.description)}{extra}")
    return make_table("key | format | endings | content", rows)


def list_reading_options() -> str:
    """Return a table of the options for reading a table."""
    rows = (f"`--{name}` | {_in_cell(text)}" for name, text in OPTIONS.items())
    return make_table("option | meaning", rows)


def _in_cell(text: str) -> str:
    return text.replace("|", "&#124;")


def list_lessons() -> str:
    """Return the lessons that come with the project, and the cards of each."""
    lines = []
    for lesson in load_lessons().lessons:
        lines += [f"## {lesson.number}. {lesson.title}", ""]
        here = f'<a href="explorer/index.html?lesson={lesson.number}">Take it here</a>'
        lines += [f"{lesson.learns} About {lesson.minutes} minutes. {here}.", ""]
        lines += [
            f"{k}. {card.title}" + f" ({card.source})" * bool(card.source)
            for k, card in enumerate(lesson.cards, 1)
        ]
        lines.append("")
    return "\n".join(lines)


def list_weighted_names() -> str:
    """Return a table of other names for the measures of weighted classes."""
    rows = []
    for name in other_names():
        keys = ", ".join(f"`{key}`" for key in name.measures)
        rows.append(
            f"{keys} | {name.formula} | {name.called} ({linked(name.source)}) | {name.when}"
        )
    return make_table("here | formula | other name | condition", rows)


def list_terms() -> str:
    """Return a table of the terms with their definitions and other names."""
    return make_table(
        "term | meaning | other names",
        (f"**{term.name}** | {term.meaning} | {term.others}" for term in TERMS),
    )


def list_score_functions() -> str:
    """Return a table of the functions of `hiermeasures.metrics`."""
    return make_table(
        "function | measure | better | macro",
        (
            f"`{m.function}` | {m.name} (`{m.key}`) | {m.better} | {'yes' if m.macro else ''}"
            for m in CATALOGUE.values()
        ),
    )


def list_axes() -> str:
    """Return a table of the points of conventions, with the choices at each."""
    return make_table(
        "point | choices",
        (
            f"{axis.title} | {'; '.join(choice.words for choice in axis.choices)}"
            for axis in axes().values()
        ),
    )


PARTS: Mapping[str, Callable[[], str]] = {
    "axes": list_axes,
    "behaviour": behaviour_page.write_tables,
    "claims": guide_page.check_claims,
    "errata": lambda: errata_overview(verify()),
    "functions-of-expressions": list_functions,
    "hierarchy-formats": lambda: list_formats(HIERARCHY_FORMATS),
    "label-formats": lambda: list_formats(LABEL_FORMATS),
    "lessons": list_lessons,
    "limits-of-expressions": list_limits,
    "measures": list_measures,
    "names-of-expressions": list_names,
    "names-of-weighted-measures": list_weighted_names,
    "not-judged": behaviour_page.explain_not_judged,
    "options": list_options,
    "protocols": compare_protocols,
    "reading-options": list_reading_options,
    "references": list_references,
    "score-functions": list_score_functions,
    "searched": behaviour_page.count_instances,
    "selector": write_selector,
    "terms": list_terms,
}
_PART = re.compile(r"<!-- made: ([\w-]+) -->")


def write_errata() -> dict[str, str]:
    """Return the page of errata of each paper and tool, by its name on the site."""
    report = verify()
    return {
        f"errata-{paper.key}.md": f"# Errata: {paper.name}\n\n{paper_errata(report, paper)}\n"
        for paper in report.papers
    }


def fill_in(name: str, text: str) -> str:
    """Return the text of a page as the site shows it."""
    if name == "which-measure.md":
        found = behaviour_page.search_properties()[FIRST]
        proved = guide_page.prove(text, guide_page.Matrix(found.verdicts))
        text = linked(guide_page.fold_evidence(proved))
    return _PART.sub(lambda found: make_part(found[1]), text)


@cache  # `mkdocs serve` builds the site again after each change of a page
def make_part(name: str) -> str:
    """Return the part with this name."""
    if name not in PARTS:
        raise InputError(unknown("part of a page", name, PARTS))
    return PARTS[name]()
