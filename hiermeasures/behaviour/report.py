"""What a search found as text for a terminal, and as the page docs/behaviour.md."""

from collections.abc import Iterator, Mapping

from hiermeasures.behaviour.properties import PROPERTIES
from hiermeasures.behaviour.sampling import Sampled
from hiermeasures.behaviour.search import Behaviour, Verdict, study
from hiermeasures.behaviour.situations import SITUATIONS, Situation, judgement, printed
from hiermeasures.behaviour.worlds import dags, trees
from hiermeasures.measures import CATALOGUE, FAMILIES

Beyond = Mapping[str, Mapping[str, Sampled]]
PAGE_TREES, PAGE_DAGS = 5, 5

_HEAD = """# Behaviour

Made by `python -m hiermeasures.docs`: which property each measure keeps, on every rooted tree of up to {trees} classes
and every rooted DAG of up to {dags}, the root included, with every non-empty set of true and every set of predicted
classes; neither holds the root. {hierarchies} hierarchies, {instances:,} instances, default options.

"Better" follows the direction of the measure, and values within 1e-9 are equal. A pair of which one value is undefined
neither keeps nor breaks a property. ✓ n: kept in all n pairs of instances. ✗ k: broken, and the smallest proof has k
classes; it is listed below. A dash: no pair of instances has two values. `hiermeasures behaviour` searches larger
hierarchies and under other options.
"""


def behaviour_page() -> str:
    """docs/behaviour.md."""
    found = study(trees=PAGE_TREES, dags=PAGE_DAGS)
    lines = [_HEAD.format(**vars(found))]
    lines += ["## Properties", "", "| key | says | what was chosen |", "|---|---|---|"]
    lines += [f"| `{p.key}` | {p.says} | {p.choice} |" for p in PROPERTIES.values()]
    lines += ["", *hierarchies_table(), "", *situations_table(found), *matrix(found)]
    lines += ["## The smallest proofs", "", *proofs(found)]
    return "\n".join(lines) + "\n"


def hierarchies_table() -> list[str]:
    """How many hierarchies there are, by size, as Markdown."""
    sizes = range(1, 8)
    return [
        "| classes | " + " | ".join(map(str, sizes)) + " |",
        "|---" * (len(sizes) + 1) + "|",
        "| rooted trees | " + " | ".join(str(len(trees(n))) for n in sizes) + " |",
        "| rooted DAGs, trees among them | " + " | ".join(str(len(dags(n))) if n <= 5 else "" for n in sizes) + " |",
    ]


def situations_table(found: Behaviour) -> list[str]:
    """Table 9 of Kosmopoulos et al. beside what was found, as Markdown."""
    signs = printed()
    measures = list(next(iter(signs.values())))
    lines = [
        "## Table 9 of Kosmopoulos et al. 2015",
        "",
        "What the paper judged by hand, and what the search says of the property that speaks of the same: a plus is a "
        "property that is kept. The case file of the table checks every sign by a criterion in the paper's figures.",
        "",
        "| situation | property | " + " | ".join(f"`{m}`" for m in measures) + " |",
        "|---" * (len(measures) + 2) + "|",
    ]
    for situation in SITUATIONS:
        cells = [_judged(found, situation, m) for m in measures]
        prop = f"`{situation.property}`" if situation.property else "none can say it"
        lines.append(f"| {situation.name} | {prop} | " + " | ".join(cells) + " |")
    notes = [f"*{s.name}.* {s.note}" for s in SITUATIONS if not s.property]
    return [*lines, "", *(line for note in notes for line in (note, ""))]


def _judged(found: Behaviour, situation: Situation, measure: str) -> str:
    """The printed sign and the verdict, in bold where they differ."""
    said = judgement(situation.property, measure)
    if said is None:
        return printed()[situation.name][measure]
    verdict = found.verdicts[situation.property][measure]
    both = f"{said.sign} {_cell(verdict)}"
    return f"**{both}, not the same**" if said.agrees(verdict) is False else both


def matrix(found: Behaviour) -> list[str]:
    """A table of each family, properties × measures, as Markdown."""
    lines = []
    some = next(iter(found.verdicts.values()))
    for family in FAMILIES.values():
        keys = [key for key in some if key in CATALOGUE and CATALOGUE[key].family == family.key]
        if keys:
            lines += [f"## {family.title}", "", "| property | " + " | ".join(f"`{k}`" for k in keys) + " |"]
            lines += ["|---" * (len(keys) + 1) + "|"]
            for prop, row in found.verdicts.items():
                lines.append(f"| `{prop}` | " + " | ".join(_cell(row[k]) for k in keys) + " |")
            lines.append("")
    return lines


def _cell(verdict: Verdict) -> str:
    if not verdict.holds:
        return f"✗ {verdict.size}"
    undefined = f" ({verdict.undefined:,} undefined)" if verdict.undefined else ""
    return f"✓ {verdict.instances:,}{undefined}" if verdict.instances else f"–{undefined}"


def proofs(found: Behaviour) -> Iterator[str]:
    """Under each property the smallest counterexamples, each with the measures that it speaks about."""
    for prop, row in found.verdicts.items():
        same: dict[str, list[str]] = {}
        for key, verdict in row.items():
            if verdict.example is not None:
                same.setdefault(verdict.example.pictures, []).append(f"`{key}` {verdict.example.change}")
        if same:
            yield from (f"### {PROPERTIES[prop].name}", "", PROPERTIES[prop].says, "")
            yield from (f"- `{pictures}`: {', '.join(values)}" for pictures, values in same.items())
            yield ""


def as_text(found: Behaviour, beyond: Beyond | None = None) -> str:
    """The verdicts for a terminal, property by property."""
    kinds = f"{found.hierarchies} hierarchies (trees up to {found.trees}, DAGs up to {found.dags} classes)"
    lines = [f"{kinds}, {found.instances:,} instances"]
    if found.stopped:
        lines.append("stopped early: what is not broken was searched only as far as each line says")
    for prop, row in found.verdicts.items():
        lines += ["", f"{prop}: {PROPERTIES[prop].says}"]
        for key, verdict in row.items():
            sampled = (beyond or {}).get(prop, {}).get(key)
            lines.append(f"  {key:14}{_in_words(verdict)}" + (f"; beyond: {sampled}" if sampled is not None else ""))
    return "\n".join(lines)


def _in_words(verdict: Verdict) -> str:
    undefined = f", {verdict.undefined:,} undefined" if verdict.undefined else ""
    if verdict.example is not None:
        return f"broken   {verdict.example}{undefined}"
    return f"kept     up to {verdict.size} classes, {verdict.instances:,} instances{undefined}"
