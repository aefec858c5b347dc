"""Pages of the documentation that are made from the code and the case files, and the badges of the
README: `python -m docs.make.generated` rewrites all of them. Pages of measured numbers
(docs/benchmarks.md, docs/lca-solvers.md) are made by the programs in benchmarks/.
"""

import re
from pathlib import Path
from typing import Any

from docs.make.badges import BADGES
from docs.make.links import anchor
from hiermeasures.hierarchy.expressions import (
    FUNCTIONS,
    MAX_DEPTH,
    MAX_LENGTH,
    MAX_NUMBER,
    MAX_VALUES,
    Expression,
)
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, FAMILIES, Measure
from hiermeasures.measures.catalogue import Reference, by_family, references, works_in
from hiermeasures.measures.own import LONGEST_NAME, MOST_OWN, named_value, names
from hiermeasures.measures.registry import TITLES, in_tier, question, same_as
from hiermeasures.measures.weighted import other_names
from hiermeasures.read import HIERARCHY_FORMATS, LABEL_FORMATS
from hiermeasures.read.reading import OPTIONS

FOLDER = Path(__file__).resolve().parents[1]

_HEAD = """# Measures and options

Made from the catalogue by `python -m docs.make.generated`. $T$ are the true classes of an instance, $P$ the predicted
ones; $Y$ and $\\hat{Y}$ are the two sets after augmentation.
"""

_EDGE_CASES = """## What happens at the edges

| input | answer |
|---|---|
| both sets empty | they agree: 1 for scores, 0 for errors; ICM is 0, and HCM counts its cells as ever |
| one set empty | a ratio whose denominator is 0 is `zero_division` (0 by default); \
GIE and MGIA send every class to a default class; TIE and all pairs are undefined, for there is no pair; \
the shortest path starts at the root; a hierarchical confusion matrix compares with the path that ends at the root |
| a prediction of the root alone | in ancestor sets a class like any other where the root counts, an empty set where \
it does not; pairs, descendant sets and Hamming loss take it as a class in any case |
| `ignored` leaves nothing of an instance in flat sets | undefined |
| TIE with unequal numbers of classes | undefined: its bounds ask every class for exactly one partner, \
and no default class exists |
| bounds that cannot be met (own pairing) | undefined, and the sentence names the bound |
| a true or predicted class that is not in the hierarchy | an error that names it and the nearest known class |
| an unknown option or measure | an error that names it and the nearest known one |
| an option out of range | an error that names the option and its range |
| an edge weight that is zero, negative or no number | an error that names the edge |
| `path="any"` between unconnected classes | cannot happen: one root joins all classes |
| `max_ancestor_distance` with given paths | an error: the truncated hierarchy no longer holds the paths |
| undefined values | `nan` in Python, `null` in JSON, a dash on screen; averages leave them out and say how many |
"""


def measures_page() -> str:
    """docs/measures.md: every measure by family, parts and variants folded, every option, and the
    answers to edge cases.
    """
    lines = [_HEAD, *_overview()]
    for family in FAMILIES.values():
        lines += [f"## {family.title}", "", family.description, ""]
        found = [m for m in CATALOGUE.values() if m.family == family.key]
        parts = in_tier("part", found)
        lines += [line for m in found if m not in parts for line in _entry(m)]
        if parts:
            keys = ", ".join(f"<code>{m.key}</code>" for m in parts)
            lines += ['<details markdown="1">', f"<summary>{TITLES['part']}: {keys}</summary>", ""]
            lines += [*(line for m in parts for line in _entry(m)), "</details>", ""]
    lines += ["## Options", "", "| option | default | values | meaning |", "|---|---|---|---|"]
    schema = Options.model_json_schema()["properties"]
    lines += [
        f"| `{name}` | {_code(spec.get('default'))} | {_values(spec)} | {spec['description']} |"
        for name, spec in schema.items()
    ]
    return "\n".join([*lines, "", _EDGE_CASES])


def _overview() -> list[str]:
    """The measures by tier: a list of links."""

    def links(measures: list[Measure]) -> str:
        return ", ".join(f"[`{m.key}`](#{anchor(_heading(m))})" for m in measures)

    start, asked = (in_tier(tier, CATALOGUE.values()) for tier in ("start", "question"))
    lines = [f"**{TITLES['start']}** {links(start)}.", "", f"**{TITLES['question']}**", ""]
    lines += [f"- {question(family)} {links(found)}" for family, found in by_family(asked).items()]
    return [*lines, "", f"**{TITLES['part']}** are folded, below the measures of their family.", ""]


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
    """A text in which each name of a work leads to its entry in docs/references.md, unless it is
    linked already.
    """
    for work in {work.key: work for work in works_in(text)}.values():
        text = re.sub(
            rf"(?<!\[)\b{re.escape(work.short)}\b(?!\])",
            f"[{work.short}](references.md#{work.key})",
            text,
        )
    return text


_REFERENCES = """# References

Made from `hiermeasures/measures/references.json`, which is CSL-JSON for reference managers, by `python -m
docs.make.generated`. The catalogue, the Glossary and these pages cite by its keys. Of each work it says what was read:
the *whole*, the *abstract*, or nothing, where the text was *not at hand*. What is said of a work that was not at hand
is taken from those that cite it or from a program, and its bibliographic data were not checked against the publication.
"""


def references_page() -> str:
    """docs/references.md: the bibliography, what was read of it, and which measures cite it."""
    return "\n".join([_REFERENCES, *(_reference(work) for work in references().values()), ""])


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


def _values(spec: dict[str, Any]) -> str:
    kinds = [kind for kind in spec.get("anyOf", [spec]) if kind.get("type") != "null"]
    words = [_code(value) for kind in kinds for value in kind.get("enum", [])]
    if words:
        return ", ".join(words)
    kind = kinds[0]
    limits = [f"above {kind['exclusiveMinimum']:g}"] if "exclusiveMinimum" in kind else []
    limits += [f"from {kind['minimum']:g}"] if "minimum" in kind else []
    limits += [f"up to {kind['maximum']:g}"] if "maximum" in kind else []
    return " ".join(
        [
            {"integer": "whole number", "number": "number", "boolean": "true, false"}[kind["type"]],
            *limits,
        ]
    )


_EXPRESSIONS = """# Expressions

Made from the declarations by `python -m docs.make.generated`. Conditions of `hiermeasures find`, own measures, case
files and lessons are written in one small language: arithmetic and comparisons over names. An expression has at most {length}
characters, {values} names and numbers, and {depth} brackets within each other. A fault is said with its place.

## Your own measure

A name and an expression: on the command line, in Python, in a case file (`define`), in the Explorer ("Own measures"):

    hiermeasures score h.txt --true A --predicted B --define 'mine=0.5*hF + 0.5*F_LCA'
    hiermeasures evaluate … --define 'cost:lower=GIE / (len_T + len_P)'
    explain(h, {{"A"}}, {{"B"}}, define={{"mine": "2*augmented.shared / (len_T + augmented.predicted)"}})["mine"]

After the name may follow `:lower`, where lower is better, and bounds, `mine:0..1` or `cost:lower:0..`. A name has at
most {name} letters, digits and `_`; there can be {most} own measures at a time.

A division of 0 by 0 gives the option `zero_division`. If nothing is true and nothing predicted, it gives the value of a
perfect prediction (1, or 0 where lower is better). Any other division by 0 is undefined, and so is a number beyond
{largest}. A part without a value makes the whole undefined, and a condition with such a part does not hold.

The `samples` average is the mean over instances. The `micro` average is read
off sums over the instances, and there is one only where all names are counts (marked below); there is none over
classes.

## What there is

| written | gives |
|---|---|
| `a + b`, `a - b`, `a * b`, `a / b`, `-a`, `( )` | arithmetic; there are no powers |
| `a < b`, `<=`, `>`, `>=`, `==`, `!=`, `a < b < c` | a condition; numbers within 1e-9 are equal |
| `and`, `or`, `not` | conditions joined |
{functions}

An own measure is a number, what `find` looks for a condition. With `--edit`, `find` knows each name also with `_after`
behind it: its value after the edit. Over prediction files, `hF_2` is hF of the second file. In case files and lessons some
names take classes in brackets, as in `distance(a, b)` or `hF({{a, b}}, {{c}})`: [these quantities](cases.md#published-values).

## Names

| name | of | value | |
|---|---|---|---|
{names}

and every [measure](measures.md) by its key, with the options that are set.
"""


def expressions_page() -> str:
    """docs/expressions.md: the operators, functions and names of expressions."""
    functions = "\n".join(f"| `{f.form}` | {f.meaning} |" for f in FUNCTIONS.values())
    parts = {name: named_value(Expression(name), name) for name in names() if name not in CATALOGUE}
    rows = [
        f"| `{name}` | {part.group.title} | {part.name} | "
        f"{'count' if part.structure.whole else ''} |"
        for name, part in parts.items()
    ]
    return _EXPRESSIONS.format(
        length=MAX_LENGTH,
        values=MAX_VALUES,
        depth=MAX_DEPTH,
        name=LONGEST_NAME,
        most=MOST_OWN,
        largest=f"{MAX_NUMBER:g}",
        functions=functions,
        names="\n".join(rows),
    )


_TABLES = """Tables are read by the names of their columns:

| columns | a class is |
|---|---|
| `code`, `parent`, `title` in any order | the code; a parent that is empty, 0 or −1 means a top class |
| `code`, `title` | the code; its parent is the longest beginning that is listed |
| `level1`, `level2`, … or levels such as `Segment`, `Family` | the path of levels; their order follows from the data |
| `Feature ID`, `Taxon`, or another column of paths | the path |
| `DescriptorUI`, `DescriptorName`, `TreeNumbers` | the descriptor, below those of the tree numbers above its own |

Other columns are refused. Say what they are, on the command line, as arguments of `read_hierarchy`, or in the app under *Columns and codes*:

| option | what it names |
|---|---|
OPTIONS

With `errors="drop"`, or `--errors drop`, entries of edge lists and tables that cannot be used are left out and listed:
classes that are their own parents, unknown parents (where top classes have rows of their own), repeated edges and
cycles. [Codes and taxonomies of your field](how-to/codes-and-taxonomies.md) has an example of each."""

_CLASS_WEIGHTS = """`class_weight` is what a class weighs, from 0 up, in the
[measures of weighted classes](weighted-classes.md) with `class_weights=given`. A file gives it for every class or for
none; a virtual root weighs nothing. Where a class weighs something else in ICM, as information counted in a DAG does,
`icm_weight` beside it says so. In an edge list a class without a parent has a line of its own:

```
parent,child,class_weight
,A,0
A,B,1.5
A,C,0.5
```

The other formats have no place for weights of classes, and a hierarchy that has some is not written in them."""


_ONTOLOGIES = """[Hierarchies from ontologies](how-to/ontologies.md) shows the formats of other communities. Titles are
drawn, and a label may be a title, or another name that the file has for a class. Next to a table of levels, a
label may be the last part of a path. If several classes have the name, it is refused with their names. A name with a
comma is one label if the hierarchy has it. The extra `files`
brings the libraries that read them."""


def formats_page() -> str:
    """docs/formats.md: every file format of hierarchies and of labels."""
    lines = [
        "# File formats",
        "",
        "Made from the registries by `python -m docs.make.generated`. A format is recognised by a "
        "file's content and",
    ]
    lines.append("ending; `hiermeasures convert IN OUT` turns one into another.")
    for title, formats in (("Hierarchies", HIERARCHY_FORMATS), ("Labels", LABEL_FORMATS)):
        lines += [
            "",
            f"## {title}",
            "",
            "| key | format | endings | what is inside |",
            "|---|---|---|---|",
        ]
        for f in formats.values():
            endings = ", ".join(f"`{ending}`" for ending in f.extensions)
            extra = ", with the extra `files`" if getattr(f, "package", "") else ""
            lines.append(
                f"| `{f.key}` | {f.title} | {endings} | "
                f"{f.description.replace('|', '&#124;')}{extra} |"
            )
        if title == "Hierarchies":
            options = "\n".join(
                f"| `--{name}` | {text.replace('|', '&#124;')} |" for name, text in OPTIONS.items()
            )
            lines += ["", _ONTOLOGIES, "", _TABLES.replace("OPTIONS", options), "", _CLASS_WEIGHTS]
    return "\n".join([*lines, ""])


def checked_errata() -> str:
    """docs/errata.md: what the case files say of the papers, checked now."""
    from hiermeasures.verify import errata_page, verify

    return errata_page(verify())


def course_page() -> str:
    """docs/course.md: the lessons that come with the project, and the cards of each."""
    from hiermeasures.teach import load_lessons

    lines = [
        "# The course",
        "",
        "Made from `cases/lessons` by `python -m docs.make.generated`. The lessons are on the "
        "page Learn of the app; you",
        "can [write one](lessons.md) yourself. They ask for precision, recall and F1, and for no "
        "acquaintance with hierarchies.",
    ]
    for lesson in load_lessons().lessons:
        lines += [
            "",
            f"## {lesson.number}. {lesson.title}",
            "",
            f"{lesson.learns} About {lesson.minutes} minutes.",
            "",
        ]
        lines += [
            f"{k}. {card.title}" + f" ({card.source})" * bool(card.source)
            for k, card in enumerate(lesson.cards, 1)
        ]
    return "\n".join([*lines, ""])


_NAMES, _END_OF_NAMES = "<!-- names:", "<!-- end of names -->"


def weighted_page() -> str:
    """docs/weighted-classes.md, which is written by hand, with its table of names made anew."""
    lines = ["| here | read off | called | where it is the same |", "|---|---|---|---|"]
    for name in other_names():
        keys = ", ".join(f"`{key}`" for key in name.measures)
        lines.append(
            f"| {keys} | {name.formula} | {name.called} ({linked(name.source)}) | {name.when} |"
        )
    return _with_table("weighted-classes.md", _NAMES, _END_OF_NAMES, lines)


_FUNCTIONS, _END_OF_FUNCTIONS = "<!-- functions:", "<!-- end of functions -->"


def scikit_learn_page() -> str:
    """docs/scikit-learn.md, which is written by hand, with its table of functions made anew."""
    lines = ["| function | measure | better | macro |", "|---|---|---|---|"]
    lines += [
        f"| `{m.function}` | {m.name} (`{m.key}`) | {m.better} | {'yes' if m.macro else ''} |"
        for m in CATALOGUE.values()
    ]
    return _with_table("scikit-learn.md", _FUNCTIONS, _END_OF_FUNCTIONS, lines)


def _with_table(name: str, begin: str, end: str, lines: list[str]) -> str:
    """A page with these lines between two marks."""
    before, _, rest = (FOLDER / name).read_text(encoding="utf-8").partition(begin)
    marker, _, after = rest.partition("\n")
    return before + "\n".join([begin + marker, "", *lines, "", end]) + after.partition(end)[2]


def selector_page() -> str:
    """docs/choose.md: questions and the rules of the selector; its claims are computed now."""
    from docs.make.choose_page import choose_page

    return choose_page()


def searched_behaviour() -> str:
    """docs/behaviour.md: which property each measure keeps, searched now."""
    from docs.make.behaviour_page import behaviour_page

    return behaviour_page()


def proven_guide() -> str:
    """docs/which-measure.md: which measure to report; its claims are checked now, on
    docs/behaviour.md as it is.
    """
    from docs.make.guide_page import SOURCE, guide_page

    page = guide_page(
        SOURCE.read_text(encoding="utf-8"), (FOLDER / "behaviour.md").read_text(encoding="utf-8")
    )
    return linked(page)


def compared_protocols() -> str:
    """docs/protocols.md: named conventions and the smallest data on which they differ, searched
    now.
    """
    from docs.make.protocols_page import protocols_page

    return protocols_page()


def checked_claims() -> str:
    """docs/claims.md: what the documentation claims of measures in general, checked now."""
    from docs.make.guide_page import claims_page

    return claims_page()


PAGES = {
    "choose.md": selector_page,
    "measures.md": measures_page,
    "expressions.md": expressions_page,
    "formats.md": formats_page,
    "errata.md": checked_errata,
    "course.md": course_page,
    "scikit-learn.md": scikit_learn_page,
    "weighted-classes.md": weighted_page,
    "behaviour.md": searched_behaviour,
    "which-measure.md": proven_guide,
    "claims.md": checked_claims,
    "protocols.md": compared_protocols,
    "references.md": references_page,
    **BADGES,
}


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
