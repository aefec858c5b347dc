"""The questions, rules and captions of rules.yaml, and the card of an answer."""

from collections.abc import Mapping
from typing import Any

from hiermeasures.core.data_file import data_file
from hiermeasures.core.version import VERSION
from hiermeasures.guide.claims import Claim, claim
from hiermeasures.guide.selector import Answers, Card, Conditions, Question, Rule, card
from hiermeasures.measures import CATALOGUE

_DATA: Mapping[str, Any] = data_file(__package__, "rules.yaml")


def _conditions(text: str) -> Conditions:
    """Return the answers that a text such as `labelled ranks=yes|no` asks for."""
    found: dict[str, tuple[str, ...]] = {}
    for word in text.split():
        question, equals, answers = word.partition("=")
        found |= {question: tuple(answers.split("|"))} if equals else _conditions(_DATA["conditions"][word])
    return found


def _rule(entry: Mapping[str, Any]) -> Rule:
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
    values |= {part: tuple(map(claim, entry.get(part, ()))) for part in ("why", "pitfalls")}
    caption = entry.get("caption", "").replace("{version}", VERSION)
    return Rule(**values | {"when": _conditions(entry.get("when", "")), "caption": caption})


QUESTIONS: Mapping[str, tuple[Question, ...]] = {
    title: tuple(Question(key, **question) for key, question in group.items())
    for title, group in _DATA["questions"].items()
}
ASKED: tuple[Question, ...] = tuple(question for group in QUESTIONS.values() for question in group)
RULES: tuple[Rule, ...] = tuple(map(_rule, _DATA["rules"]))
CLAIMS: tuple[Claim, ...] = tuple(dict.fromkeys(found for rule in RULES for found in (*rule.why, *rule.pitfalls)))
CAPTIONS: Mapping[str, str] = _DATA["captions"]
MEASURES: Mapping[str, str] = {key: measure.name for key, measure in CATALOGUE.items()} | _DATA["names"]
"""Names of all that is reported; some are no measures of label sets."""


def protocol(answers: Answers) -> Card:
    """Return the card of complete answers."""
    return card(answers, RULES, CAPTIONS)
