"""What a claim of the guide rests on: a cell of the behaviour matrix, a search of every small hierarchy, an instance.

Cells and their proofs are read from docs/behaviour.md, which the search of hiermeasures/behaviour made, and a proof
is explained anew. Texts and their braces are in the package's __init__.py.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hiermeasures.behaviour.find import Question, find
from hiermeasures.behaviour.properties import PROPERTIES
from hiermeasures.cases.case import edges_of, settings_of
from hiermeasures.cases.library import own_cases
from hiermeasures.errors import InputError, shown, unknown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.lessons.values import DoesNotHold, Subject
from hiermeasures.measures import CATALOGUE, FAMILIES, Instance, explain
from hiermeasures.measures.explain import find_measure

_CELL = re.compile(r"(?P<measure>\w+) (?P<verb>keeps|breaks) (?P<property>\w+)")
_ONLY = re.compile(r"only (?P<measures>\w+(?:, \w+)*) keep (?P<property>\w+)")
_PICTURE = re.compile(r"(?P<edges>[^;{}]+); T = \{(?P<true>[^{}]*)\}, P = \{(?P<predicted>[^{}]*)\}")
_SEARCH = re.compile(
    r"(?P<kind>trees|DAGs) of (?P<size>\d)(?P<one>, one label)?(?P<leaves>, leaves)?"
    r"(?: \| (?P<options>[^:]+))?: (?P<what>.+)"
)
_AGAINST = re.compile(r"(\w+) against (\w+)")
_LOSES = re.compile(r"(\w+) loses by ([\w-]+)")


class Matrix:
    """The tables and proofs of docs/behaviour.md."""

    def __init__(self, page: str) -> None:
        self._page = page

    def cell(self, text: str) -> str:
        """What `hF keeps symmetric` or `hF breaks symmetric` says as a link to the cell, a broken one with its proof;
        empty for other texts.

        Raises
        ------
        InputError
            Where the matrix says otherwise, and for a property or measure that it does not have.
        """
        match = _CELL.fullmatch(text)
        if not match:
            return ""
        key, prop = match["measure"], match["property"]
        if prop not in PROPERTIES:
            raise InputError(unknown("property", prop, PROPERTIES))
        found = self._verdict(find_measure(key).key, prop)
        if found[0] != ("✓" if match["verb"] == "keeps" else "✗"):
            raise DoesNotHold(f"{shown(text)} does not hold: the cell is {found}")
        if match["verb"] == "keeps":
            return _link(key, found, prop, FAMILIES[CATALOGUE[key].family].title)
        return f"{_link(key, found, prop, PROPERTIES[prop].name)} {self._example(key, prop)}"

    def only(self, text: str) -> str:
        """What `only hamming, all_pairs keep symmetric` says: of all measures these, and no others.

        Raises
        ------
        DoesNotHold
            Where others do, or one of them does not.
        """
        match = _ONLY.fullmatch(text)
        if not match:
            return ""
        prop = match["property"]
        keeping = {k for k in CATALOGUE if self._verdict(k, prop).startswith("✓")}
        if keeping != set(match["measures"].split(", ")):
            raise DoesNotHold(f"{shown(text)} does not hold: {', '.join(sorted(keeping))} do")
        links = [self.cell(f"{key} keeps {prop}") for key in match["measures"].split(", ")]
        return f"only {', '.join(links[:-1])} and {links[-1]} always charge it"

    def _verdict(self, key: str, prop: str) -> str:
        title = FAMILIES[CATALOGUE[key].family].title
        section = self._section(f"## {title}")
        head, row = (
            next((line.strip("| \n").split(" | ") for line in section if line.startswith(start)), [])
            for start in ("| property |", f"| `{prop}` |")
        )
        if f"`{key}`" not in head or not row:
            raise InputError(f"docs/behaviour.md has no cell for {shown(key)} and {shown(prop)}")
        return row[head.index(f"`{key}`")]

    def _example(self, key: str, prop: str) -> str:
        """The smallest proof, explained again: `` `R>a; …`: 0.5 → 0.4 ``."""
        for line in self._section(f"### {PROPERTIES[prop].name}"):
            match = re.match(rf"- `([^`]+)`: .*?`{key}` (\S+ → [^\s,]+)", line)
            if match:
                values = " → ".join(f"{round(value, 9) + 0.0:.4g}" for value in _values(match[1], key))
                if values != match[2]:
                    raise DoesNotHold(f"on {match[1]} {key} is {values}, not {match[2]}")
                return f"`{match[1]}`: {values}"
        raise InputError(f"docs/behaviour.md has no proof for {shown(key)} and {shown(prop)}")

    def _section(self, heading: str) -> list[str]:
        lines = self._page.splitlines()
        if heading not in lines:
            raise InputError(f"docs/behaviour.md has no {shown(heading)}")
        after = lines[lines.index(heading) + 1 :]
        end = next((k for k, line in enumerate(after) if line.startswith("#")), len(after))
        return after[:end]


def _link(key: str, verdict: str, prop: str, heading: str) -> str:
    return f'[`{key}` {verdict}](behaviour.md#{_anchor(heading)} "{prop}")'


def _anchor(title: str) -> str:
    """What a heading is linked by, on GitHub and on the site."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _values(pictures: str, key: str) -> Iterator[float]:
    for case in pictured(pictures).cases:
        yield case.explained[key]


def pictured(text: str) -> Subject:
    """The instances of a line such as `R>a R>b; T = {a}, P = {b} → {a}`: one, or two to compare.

    >>> [case.explained["f1"] for case in pictured("R>a R>b; T = {a}, P = {b} → {a}").cases]
    [0.0, 1.0]
    """
    first, arrow, second = text.partition(" → ")
    before = _PICTURE.fullmatch(first)
    if not before:
        raise InputError(f"{shown(text)} is no instance; one is written R>a R>b; T = {{a}}, P = {{b}}")
    found = [_instance(**before.groupdict())]
    if arrow:
        after = _PICTURE.fullmatch(second)
        found.append(
            _instance(**after.groupdict()) if after else _instance(before["edges"], before["true"], second.strip("{}"))
        )
    return Subject.of(found)


def _instance(edges: str, true: str, predicted: str) -> Instance:
    h = Hierarchy.from_edges(edges_of(edges))
    sides = [[name for name in side.split(", ") if name] for side in (true, predicted)]
    return explain(h, *sides).instance


def instances(text: str) -> Subject:
    """What `{on …}` names: a case by its key, two with `and` between, or a picture; options may follow after a bar.

    >>> instances("kosmopoulos2015/figure-11a | dmax=3").explained[0]["GIE"]
    5.0
    """
    text, _, given = text.partition(" | ")
    subject = pictured(text) if ";" in text else Subject(tuple(own_cases().case(key) for key in text.split(" and ")))
    settings = _settings(given)
    return replace(subject, cases=tuple(replace(c, options={**c.options, **settings}) for c in subject.cases))


def searched(text: str) -> str:
    """`trees of 6, one label: SDL != TIE`, searched now: nowhere does it hold, do two measures disagree about two
    predictions (`hF against TIE`), or is a measure worse after an edit (`hF loses by add-true`). In words, with how
    many instances were looked at. `, leaves` after the size asks for labels that are leaves; options follow a bar.

    Raises
    ------
    DoesNotHold
        Where an instance is found.

    Examples
    --------
    One class for each side, in a tree of 2, two of 3 and four of 4 classes: 1 + 2 · 4 + 4 · 9.

    >>> searched("trees of 4, one label: SDL != TIE")
    '`SDL != TIE` in 0 of 45 instances, trees up to 4 classes'
    """
    match = _SEARCH.fullmatch(text)
    if not match:
        raise InputError(f"{shown(text)} is no search; one is written trees of 6, one label: SDL != TIE")
    question, claim = _question(match["what"], bool(match["one"]), bool(match["leaves"]))
    size = int(match["size"])
    trees, dags = (size, 0) if match["kind"] == "trees" else (0, size)
    answer = find(question, trees=trees, dags=dags, **_settings(match["options"] or ""))
    if answer.example is not None:
        raise DoesNotHold(f"{shown(text)} does not hold on {answer.example}")
    what = "pairs of instances" if question.edit else "instances"
    options = f", `{match['options']}`" if match["options"] else ""
    return f"{claim} in 0 of {answer.instances:,} {what}, {match['kind']} up to {size} classes{options}"


def _question(what: str, one: bool, leaves: bool) -> tuple[Question, str]:
    """What is searched for, and in words."""
    if match := _AGAINST.fullmatch(what):
        asked = Question(edit="predict", gains=(match[1],), loses=(match[2],))
        claim = f"`{match[1]}` and `{match[2]}` disagree about two predictions"
    elif match := _LOSES.fullmatch(what):
        asked = Question(edit=match[2], loses=(match[1],))
        claim = f"`{match[1]}` is worse"
    else:
        asked, claim = Question(what), f"`{what}`"
    return replace(asked, single_label=one, leaves_only=leaves), claim


def _settings(text: str) -> dict[str, Any]:
    """Options as they are written, `dmax=3 count_root=false`."""
    return settings_of(dict(part.split("=", 1) for part in text.split()))
