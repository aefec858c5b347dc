"""Parts of docs/behaviour.md: the properties of each measure, and Table 9 of Kosmopoulos et al. 2015.

The search takes minutes.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from docs.make.data_sets import DATA_PROPERTIES, DataVerdict, study_data
from hiermeasures.debug.properties import NOTATION, PROPERTIES, THEOREMS
from hiermeasures.debug.search import (
    FIRST,
    NOT_JUDGED,
    SETTINGS,
    Behaviour,
    PropertyVerdict,
    Setting,
    changes,
    search_beyond,
    survey,
    try_known,
)
from hiermeasures.debug.worlds import dags, trees
from hiermeasures.evaluation.averages import AVERAGES
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE, FAMILIES
from hiermeasures.verify.format import SituationEntry
from hiermeasures.verify.library import judgement, table_9

PAGE_TREES, PAGE_DAGS = 6, 5
PAGE_BEYOND = 8  # classes of the random hierarchies
PAGE_DATA_SETS = 100
PAPERS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("literature.yaml").read_text(encoding="utf-8")
)


def write_tables() -> str:
    """Return the properties, a table of each family, and the proofs."""
    found = search_properties()
    first = found[FIRST]
    lines = ["## Properties", "", "| key | meaning | our choice |", "|---|---|---|"]
    lines += [f"| `{p.key}` | {p.says} | {p.choice} |" for p in PROPERTIES.values()]
    lines += [
        "",
        *hierarchies_table(),
        "",
        *situations_table(first),
        *matrix(first, found),
        *other_settings(found),
    ]
    lines += [*literature_table(first), *data_sets(), *theorems(found)]
    lines += ["## The smallest proofs", "", *proofs(first)]
    return "\n".join(lines)


def count_instances() -> str:
    """Return the number of searched hierarchies and instances."""
    first = search_properties()[FIRST]
    return f"{first.hierarchies} hierarchies and {first.instances:,} instances"


def explain_not_judged() -> str:
    """Return the measures that are left out, with the reason."""
    return " ".join(f"`{key}` is not judged: {why}." for key, why in NOT_JUDGED.items())


@cache
def search_properties() -> dict[Setting, Behaviour]:
    """Return the verdicts under each setting.

    They come from every small hierarchy, from known instances, and from random ones.
    """

    def further(small: Behaviour) -> Behaviour:
        tried = small.with_sampled(try_known(small))
        return tried.with_sampled(search_beyond(tried, size=PAGE_BEYOND))

    found = survey(trees=PAGE_TREES, dags=PAGE_DAGS, deepen=further)
    for setting, behaviour in found.items():
        for prop, row in behaviour.verdicts.items():
            for key, verdict in row.items():
                if verdict.theorem and not verdict.holds:
                    raise InputError(
                        f"{prop} of {key} is called a theorem ({setting.name}), but this breaks it: {verdict.example}"
                    )
    return found


def hierarchies_table() -> list[str]:
    """Return the number of hierarchies by size, as Markdown."""
    sizes = range(1, 8)
    return [
        "| classes | " + " | ".join(map(str, sizes)) + " |",
        "|---" * (len(sizes) + 1) + "|",
        "| rooted trees | " + " | ".join(str(len(trees(n))) for n in sizes) + " |",
        "| rooted DAGs, trees among them | "
        + " | ".join(str(len(dags(n))) if n <= 5 else "" for n in sizes)
        + " |",
    ]


def situations_table(found: Behaviour) -> list[str]:
    """Return Table 9 of Kosmopoulos et al. next to our verdicts, as Markdown."""
    table = table_9()
    lines = [
        "## Table 9 of Kosmopoulos et al. 2015",
        "",
        "Each cell shows the paper's sign and our verdict on the property with the same meaning. "
        "A plus means that the measure keeps the property. The case file of the table checks "
        "every sign by a criterion in the paper's figures. If our verdict differs, the search "
        "found an instance that the figures do not show.",
        "",
        "| situation | property | " + " | ".join(f"`{m}`" for m in table.columns) + " |",
        "|---" * (len(table.columns) + 2) + "|",
    ]
    for situation in table.situations:
        cells = [_judged(found, situation, m) for m in table.columns]
        prop = f"`{situation.property}`" if situation.property else "no property"
        lines.append(f"| {situation.situation} | {prop} | " + " | ".join(cells) + " |")
    notes = [f"*{s.situation}.* {s.note}" for s in table.situations if s.note]
    return [*lines, "", *(line for note in notes for line in (note, ""))]


def _judged(found: Behaviour, situation: SituationEntry, measure: str) -> str:
    """Return the printed sign and the verdict, in bold if they differ."""
    said = judgement(situation.property, measure)
    if said is None:
        return table_9().signs(situation)[measure]
    verdict = found.verdicts[situation.property][measure]
    both = f"{said.sign} {cell_text(verdict)}"
    return f"**{both}, different**" if said.agrees(verdict) is False else both


def matrix(first: Behaviour, found: Mapping[Setting, Behaviour] | None = None) -> list[str]:
    """Return a table of each family, properties × measures, as Markdown."""
    lines = []
    some = next(iter(first.verdicts.values()))
    for family in FAMILIES.values():
        keys = [key for key in some if key in CATALOGUE and CATALOGUE[key].family == family.key]
        if keys:
            lines += [
                f"## {family.title}",
                "",
                "| property | " + " | ".join(f"`{k}`" for k in keys) + " |",
            ]
            lines += ["|---" * (len(keys) + 1) + "|"]
            for prop, row in first.verdicts.items():
                cells = (cell_text(row[k]) + _changing(found, prop, k) for k in keys)
                lines.append(f"| `{prop}` | " + " | ".join(cells) + " |")
            lines.append("")
    return lines


def cell_text(verdict: PropertyVerdict) -> str:
    """Return a verdict as the tables show it."""
    undefined = (
        f" ({verdict.undefined:,} undefined)"
        if verdict.undefined and verdict.kind != "theorem"
        else ""
    )
    return verdict.mark + (undefined if verdict.holds else "")


def _changing(found: Mapping[Setting, Behaviour] | None, prop: str, measure: str) -> str:
    """Return the settings that change the sign of a cell, as letters behind a dot."""
    turned = changes(found, prop, measure) if found else []
    return f" · {', '.join(setting.letters for setting in turned)}" if turned else ""


def other_settings(found: Mapping[Setting, Behaviour]) -> list[str]:
    """Return a table for each further setting, as Markdown.

    It has the cells with another sign than in the first setting.
    """
    lines = [
        "## Other settings",
        "",
        "These cells differ from the tables above. All other cells are equal.",
        "",
    ]
    for setting in (s for s in SETTINGS if s != FIRST):
        rows = dict(_turned(found[FIRST], found[setting]))
        size = f"up to {found[setting].trees if setting.trees else found[setting].dags} classes"
        cells = sum(len(keys) for row in rows.values() for keys in row.values())
        lines += [f"### {setting.letters}: {setting.name}", "", f"{cells} cells, {size}.", ""]
        lines += ["| property | here |", "|---|---|"]
        for prop, row in rows.items():
            here = "; ".join(
                f"{mark}: {', '.join(f'`{k}`' for k in keys)}" for mark, keys in row.items()
            )
            lines.append(f"| `{prop}` | {here} |")
        lines += ["", *_new_examples(found[FIRST], found[setting]), ""]
    return lines


def _turned(first: Behaviour, here: Behaviour) -> Iterator[tuple[str, dict[str, list[str]]]]:
    for prop, row in here.verdicts.items():
        marks: dict[str, list[str]] = {}
        for key, verdict in row.items():
            if verdict.mark[0] != first.verdicts[prop][key].mark[0]:
                marks.setdefault(verdict.mark, []).append(key)
        if marks:
            yield prop, marks


def _new_examples(first: Behaviour, here: Behaviour) -> list[str]:
    """Return counterexamples to properties that are kept in the first setting."""
    return [
        f"- `{prop}`: `{pictures}`: {', '.join(values)}"
        for prop, row in here.verdicts.items()
        for pictures, values in _by_example(
            {k: v for k, v in row.items() if first.verdicts[prop][k].holds}
        ).items()
    ]


def data_sets() -> list[str]:
    """Return the properties that averages over a data set keep, as Markdown."""
    found = study_data(tries=PAGE_DATA_SETS)
    lines = [
        "## Data sets",
        "",
        "These properties compare averages over instances. We tried each on "
        f"{PAGE_DATA_SETS} random data sets of 1 to 4 instances, in trees and DAGs of 3 to 6 "
        "classes. `[a | b,c]` is an instance with the true class a and the predicted classes b "
        "and c. Proofs are for `samples`, the mean over instances, if each instance has a value. "
        "The other averages were only searched. Many measures have no `macro`.",
        "",
    ]
    for prop, row in found.items():
        p = DATA_PROPERTIES[prop]
        lines += [
            f"### {p.name}",
            "",
            f"`{prop}`. {p.says}" + f" *Proof, for samples:* {p.proof}" * bool(p.proof),
            "",
        ]
        lines += ["| average | theorem | kept in all tries | broken |", "|---|---|---|---|"]
        for average in AVERAGES:
            marks: dict[str, list[str]] = {}
            for key, verdicts in row.items():
                marks.setdefault(verdicts[average].mark, []).append(f"`{key}`")
            lines.append(
                f"| {average} | "
                + " | ".join(", ".join(marks.get(k, ())) for k in ("✓ theorem", "✓", "✗"))
                + " |"
            )
        lines += ["", *_data_examples(row), ""]
    return lines


def _data_examples(row: Mapping[str, Mapping[str, DataVerdict]]) -> Iterator[str]:
    same: dict[tuple[str, str], list[str]] = {}
    for key, verdicts in row.items():
        for average, verdict in verdicts.items():
            if verdict.example is not None:
                same.setdefault((average, verdict.pictures), []).append(f"`{key}` {verdict.change}")
    yield from (
        f"- {average}, `{pictures}`: {', '.join(values)}"
        for (average, pictures), values in same.items()
    )


def literature_table(found: Behaviour) -> list[str]:
    """Return the demands of papers on a measure with the matching properties, as Markdown."""
    lines = [
        "## What papers ask for",
        "",
        "The tables show each demand of a paper, the properties with this meaning, and how many "
        "measures keep them in the first setting.",
        "",
    ]
    for paper in PAPERS:
        lines += [f"### {paper['title']}", "", paper["read"], ""]
        lines += ["| demand | property | kept by |", "|---|---|---|"]
        for demand in paper["demands"]:
            properties = demand.get("properties", ())
            keys = ", ".join(f"`{p}`" for p in properties) or "none"
            note = f". {demand['note']}" if "note" in demand else ""
            lines.append(
                f"| {demand['asks']} | {keys}{note} | "
                f"{', '.join(_kept(found, p) for p in properties)} |"
            )
        lines.append("")
    return lines


def _kept(found: Behaviour, prop: str) -> str:
    if prop not in found.verdicts:
        return "see below"
    verdicts = found.verdicts[prop].values()
    proved = sum(v.kind == "theorem" for v in verdicts)
    return f"{sum(v.holds and v.tested for v in verdicts)} of {len(verdicts)} ({proved} proved)"


def theorems(found: Mapping[Setting, Behaviour]) -> list[str]:
    """Return the proof of every cell that is called a theorem, as Markdown."""
    used = {
        verdict.theorem
        for behaviour in found.values()
        for row in behaviour.verdicts.values()
        for verdict in row.values()
        if verdict.kind == "theorem"
    }
    lines = ["## Theorems", "", NOTATION, ""]
    for theorem in (t for t in THEOREMS if t in used):
        measures = ", ".join(f"`{m}`" for m in theorem.measures)
        where = f" *({theorem.where})*" if theorem.where else ""
        lines += [
            f"- {', '.join(f'`{p}`' for p in theorem.properties)}: {measures}{where}. "
            f"{theorem.proof}"
        ]
    return [*lines, ""]


def proofs(found: Behaviour) -> Iterator[str]:
    """Return the smallest counterexamples of each property, with their measures."""
    for prop, row in found.verdicts.items():
        same = _by_example(row)
        if same:
            yield from (f"### {PROPERTIES[prop].name}", "", PROPERTIES[prop].says, "")
            yield from (f"- `{pictures}`: {', '.join(values)}" for pictures, values in same.items())
            yield ""


def _by_example(row: Mapping[str, PropertyVerdict]) -> dict[str, list[str]]:
    same: dict[str, list[str]] = {}
    for key, verdict in row.items():
        if verdict.example is not None:
            same.setdefault(verdict.example.pictures, []).append(
                f"`{key}` {verdict.example.change}"
            )
    return same
