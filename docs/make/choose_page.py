"""The selector of docs/choose.md, as a page without a server.

The page contains every text of a card, with the answers that lead to it. style/choose.js shows the
texts that match your answers. Without scripts the page is a list of rules. The rules come from
hiermeasures/verify.
"""

import html
import json
from collections.abc import Iterable, Iterator
from itertools import starmap
from typing import Any

from docs.make.links import anchor
from hiermeasures.draw.text import markdown_text
from hiermeasures.measures import CATALOGUE
from hiermeasures.verify.claims import Claim
from hiermeasures.verify.selector import (
    ASKED,
    CAPTIONS,
    CLAIMS,
    MEASURES,
    QUESTIONS,
    RULES,
    Conditions,
    SelectorQuestion,
    flag,
    keyword,
)

SCRIPTLESS = "<noscript><p>Without scripts this page lists all rules. Each rule names the answers that lead to it.</p></noscript>"


def write_selector() -> str:
    """Return the questions and every rule, with all claims computed now.

    Raises
    ------
    InputError
        If a claim is false.
    """
    parts = [
        SCRIPTLESS,
        '<div id="choose-faults" role="status"></div>',
        f'<script type="application/json" '
        f'id="choose-data">{json.dumps(_data(), ensure_ascii=False)}</script>',
        f'<form id="choose-questions" class="choose" '
        f"hidden>\n{''.join(starmap(_fieldset, QUESTIONS.items()))}</form>",
        "## Your protocol",
        *(
            _shown([rule.when], f"**Contradiction.** {markdown_text(rule.conflict)}", "conflict")
            for rule in RULES
            if rule.conflict
        ),
        '<div id="choose-measures" hidden></div>',
        *_filled_in("Command line", "command"),
        *_filled_in("Python", "python"),
        *_filled_in("Caption of the table", "caption"),
        "### Pitfalls",
        *_claims("pitfalls"),
        "### Why",
        *_reasons(),
        *_claims("why"),
        '<p id="choose-link" hidden><a href="">Link to these answers</a></p>',
    ]
    return "\n\n".join(parts)


def _fieldset(title: str, questions: Iterable[SelectorQuestion]) -> str:
    return f"<fieldset><legend>{html.escape(title)}</legend>\n{''.join(map(_question, questions))}</fieldset>\n"


def _question(question: SelectorQuestion) -> str:
    first = next(iter(question.answers))
    answers = "".join(
        f'<label><input type="radio" name="{question.key}" '
        f'value="{key}"{" checked" * (key == first)}> '
        f"<span>{html.escape(words)}</span></label>"
        for key, words in question.answers.items()
    )
    help_ = f"<small>{html.escape(question.help)}</small>" if question.help else ""
    asks = f"<legend>{html.escape(question.asks)}</legend>"
    return f'<fieldset class="question">{asks}{help_}<div>{answers}</div></fieldset>\n'


def _filled_in(title: str, name: str) -> Iterator[str]:
    yield f"### {title} {{ #{name} }}"
    yield f'<div id="choose-{name}" class="choose-lines" hidden><pre><code></code></pre></div>'


def _reasons() -> Iterator[str]:
    for says in dict.fromkeys(rule.says for rule in RULES if rule.says):
        yield _shown(
            [rule.when for rule in RULES if rule.says == says], markdown_text(says), "rule"
        )


def _claims(part: str) -> Iterator[str]:
    """Return each claim that is a pitfall, or a reason, with all answers that lead to it."""
    for claim in CLAIMS:
        conditions = [rule.when for rule in RULES if claim in getattr(rule, part)]
        if conditions:
            yield _shown(conditions, _claim(claim), "claim")


def _claim(claim: Claim) -> str:
    proof = f" Because {markdown_text(claim.because)}." if claim.because else ""
    evidence = "; ".join(claim.evidence())
    return f"*{claim.known}.* {markdown_text(claim.says)}{proof}\n{{ .says }}\n\n{evidence}\n{{ .evidence }}"


def _shown(conditions: list[Conditions], markdown: str, kind: str) -> str:
    """Return a part of the page that is visible if one of the conditions is true."""
    when = html.escape(json.dumps(conditions), quote=True)
    words = " — or — ".join(_in_words(condition) for condition in conditions)
    said = f'<small class="when">{words}</small>'
    return (
        f'<div class="choose-{kind}" data-when="{when}" markdown>\n\n{markdown}\n\n{said}\n\n</div>'
    )


def _in_words(condition: Conditions) -> str:
    asked = {question.key: question for question in ASKED}
    said = (
        f"{asked[key].asks} {' or '.join(asked[key].answers[answer] for answer in answers)}"
        for key, answers in condition.items()
    )
    return html.escape(" · ".join(said) or "always")


def _data() -> dict[str, Any]:
    """Return data for the script: measures, settings and lines of rules, and links to measures."""
    kept = ("when", "report", "beside", "not_alone", "command", "python", "apart", "caption")
    found = []
    for rule in RULES:
        entry = {name: value for name in kept if (value := getattr(rule, name)) or name == "when"}
        settings = {
            name: [flag(name, value), keyword(name, value)] for name, value in rule.settings.items()
        }
        if len(entry) > 1 or settings:
            found.append({**entry, **({"settings": settings} if settings else {})})
    return {
        "questions": {question.key: [question.asks, list(question.answers)] for question in ASKED},
        "measures": {
            key: [name, anchor(f"{key}: {name}") if key in CATALOGUE else "", CAPTIONS.get(key, "")]
            for key, name in MEASURES.items()
            if any(key in (*rule.report, *rule.beside, *rule.not_alone) for rule in RULES)
        },
        "rules": found,
    }
