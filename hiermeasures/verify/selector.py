"""Turn answers about a task into a protocol card: measures to report, options and reasons.

rules.yaml has the questions, answers and rules. Each rule that matches your answers adds to your
card. The app's page Measures and docs/choose.md show the card.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hiermeasures.hierarchy.errors import shown
from hiermeasures.hierarchy.package import data_file, version
from hiermeasures.measures import CATALOGUE
from hiermeasures.verify.claims import Claim, claim

LONGEST = 40  # characters of an answer in a link


@dataclass(frozen=True)
class SelectorQuestion:
    key: str
    asks: str
    answers: Mapping[str, str]
    help: str = ""


Answers = Mapping[str, str]
Conditions = Mapping[str, tuple[str, ...]]  # matching answers per question


@dataclass(frozen=True)
class SelectorRule:
    """A rule that adds to the card if the answers match.

    `when` lists the matching answers for each question. rules.yaml explains the other fields.
    """

    when: Conditions
    says: str = ""
    report: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    not_alone: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    python: str = ""
    apart: bool = False
    caption: str = ""
    why: tuple[Claim, ...] = ()
    pitfalls: tuple[Claim, ...] = ()
    conflict: str = ""

    def holds(self, answers: Answers) -> bool:
        return all(answers[question] in those for question, those in self.when.items())


@dataclass(frozen=True)
class SelectorCard:
    report: tuple[str, ...]
    beside: tuple[str, ...]
    not_alone: tuple[str, ...]
    settings: Mapping[str, Any]
    command: str
    python: str
    caption: str
    why: Mapping[str, tuple[Claim, ...]]
    pitfalls: tuple[Claim, ...]
    conflicts: tuple[str, ...]


_DATA: Mapping[str, Any] = data_file(__package__, "rules.yaml")


def _conditions(text: str) -> Conditions:
    """Read the conditions in a text such as `labelled ranks=yes|no`."""
    found: dict[str, tuple[str, ...]] = {}
    for word in text.split():
        question, equals, answers = word.partition("=")
        found |= (
            {question: tuple(answers.split("|"))}
            if equals
            else _conditions(_DATA["conditions"][word])
        )
    return found


def _rule(entry: Mapping[str, Any]) -> SelectorRule:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()
    }
    values |= {part: tuple(map(claim, entry.get(part, ()))) for part in ("why", "pitfalls")}
    caption = entry.get("caption", "").replace("{version}", version())
    return SelectorRule(**values | {"when": _conditions(entry.get("when", "")), "caption": caption})


QUESTIONS: Mapping[str, tuple[SelectorQuestion, ...]] = {
    title: tuple(SelectorQuestion(key, **question) for key, question in group.items())
    for title, group in _DATA["questions"].items()
}
ASKED: tuple[SelectorQuestion, ...] = tuple(
    question for group in QUESTIONS.values() for question in group
)
RULES: tuple[SelectorRule, ...] = tuple(map(_rule, _DATA["rules"]))
CLAIMS: tuple[Claim, ...] = tuple(
    dict.fromkeys(found for rule in RULES for found in (*rule.why, *rule.pitfalls))
)
CAPTIONS: Mapping[str, str] = _DATA["captions"]
MEASURES: Mapping[str, str] = {key: measure.name for key, measure in CATALOGUE.items()} | _DATA[
    "names"
]
"""The names on a card. Some are not measures of label sets."""


def flag(name: str, value: Any) -> str:
    """Write a setting as an argument of the command line.

    >>> flag("count_root", False), flag("average", "micro"), flag("class_weights", "given")
    ('--set count_root=false', '--average micro', '--class-weights weights.tsv')
    """
    if name in ("average", "unknown", "missing"):
        return f"--{name} {value}"
    if (name, value) == ("class_weights", "given"):
        return "--class-weights weights.tsv"
    return f"--set {name}={str(value).lower() if isinstance(value, bool) else value}"


def keyword(name: str, value: Any) -> str:
    """Write a setting as an argument of `evaluate`, or "" if it belongs to the matching of files."""
    return "" if name == "missing" else f"{name}={value!r}".replace("'", '"')


def protocol(answers: Answers) -> SelectorCard:
    holding = [rule for rule in RULES if rule.holds(answers)]
    report = _once(key for rule in holding for key in rule.report)
    beside = tuple(
        key for key in _once(key for rule in holding for key in rule.beside) if key not in report
    )
    settings = {name: value for rule in holding for name, value in rule.settings.items()}
    apart = {key for rule in holding if rule.apart for key in rule.report}
    measures = [key for key in (*report, *beside) if key not in apart]
    words = {
        "measures": ",".join(measures),
        "list": "[" + ", ".join(f'"{key}"' for key in measures) + "]",
        "reported": ". ".join(
            f"{key}: {CAPTIONS[key]}" for key in (*report, *beside) if key in CAPTIONS
        ),
        "root": "not counted"
        if settings.get("count_root") is False
        else "counted (a virtual one not)",
        "flags": "".join(f" {flag(*each)}" for each in settings.items()),
        "shared": "".join(f" {flag(*each)}" for each in settings.items() if each[0] != "average"),
        "fit": "".join(
            f" {flag(*each)}" for each in settings.items() if each[0] in ("missing", "unknown")
        ),
        "missing": ', missing="fail"' if settings.get("missing") == "fail" else "",
        "unknown": f", {keyword('unknown', settings['unknown'])}" if "unknown" in settings else "",
        "keywords": "".join(f", {said}" for each in settings.items() if (said := keyword(*each))),
    }
    lines = [line for rule in holding for line in _filled(rule.python, words).splitlines()]
    return SelectorCard(
        report=report,
        beside=beside,
        not_alone=_once(key for rule in holding for key in rule.not_alone),
        settings=settings,
        command="\n".join(_filled(rule.command, words) for rule in holding if rule.command),
        python="\n".join(
            [*_imports(lines), "", *(line for line in lines if not line.startswith("from "))]
        ),
        caption=". ".join(
            _filled(_filled(rule.caption, words), words) for rule in holding if rule.caption
        )
        + ".",
        why=_reasons(holding),
        pitfalls=_once(claim for rule in holding for claim in rule.pitfalls),
        conflicts=_once(rule.conflict for rule in holding if rule.conflict),
    )


def _reasons(holding: Iterable[SelectorRule]) -> dict[str, tuple[Claim, ...]]:
    """Return the sentences of the rules with their claims. Each claim occurs once."""
    found: dict[str, tuple[Claim, ...]] = {}
    for rule in holding:
        if rule.says and rule.says not in found:
            before = {claim for claims in found.values() for claim in claims}
            found[rule.says] = tuple(claim for claim in rule.why if claim not in before)
    return found


def _once(found: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(found))


def _imports(lines: Iterable[str]) -> list[str]:
    names: dict[str, set[str]] = {}
    for line in lines:
        if line.startswith("from "):
            module, _, imported = line.removeprefix("from ").partition(" import ")
            names.setdefault(module, set()).update(imported.split(", "))
    return [f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names)]


def _filled(template: str, words: Mapping[str, str]) -> str:
    """Fill in known names in braces. Other braces, such as those of Python code, stay.

    >>> _filled("evaluate --measures {measures} {x: 1}", {"measures": "hF"})
    'evaluate --measures hF {x: 1}'
    """
    return re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), template)


def complete(given: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return an answer to every question, and a sentence about each invalid answer.

    Invalid answers and unknown questions are ignored.
    """
    answers, faults = {}, []
    for question in ASKED:
        first, wanted = next(iter(question.answers)), given.get(question.key)
        answers[question.key] = first
        if wanted in question.answers:
            answers[question.key] = str(wanted)
        elif wanted is not None:
            said = f"Ignored the answer {shown(wanted, LONGEST)} to “{question.asks}”."
            faults.append(f"{said} You can answer {', '.join(question.answers)}.")
    return answers, faults


def parameters(answers: Answers) -> dict[str, str]:
    """Return the answers for a link, without answers that are the default."""
    return {q.key: answers[q.key] for q in ASKED if answers[q.key] != next(iter(q.answers))}
