"""The page "Which one to report": questions about a task, and the protocol card for the answers.

Each pitfall on the card opens in the Explorer. hiermeasures.verify.selector makes the card. The
address of answers is `/measures?show=choose&shape=dag&labels=several`. The first answer of each
question is the default and is left out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from urllib.parse import urlencode

import streamlit as st

from hiermeasures.app.binding import bind, button
from hiermeasures.app.components import mailbox, show_text, stacking_columns
from hiermeasures.app.explore import model as explorer
from hiermeasures.app.inbox import Slot
from hiermeasures.app.pages import Page, address_of, leave, leave_for
from hiermeasures.draw.text import markdown_text
from hiermeasures.explore.library import to_compare
from hiermeasures.verify import selector
from hiermeasures.verify.claims import Claim, instances
from hiermeasures.verify.selector import (
    ASKED,
    CLAIMS,
    MEASURES,
    QUESTIONS,
    SelectorCard,
    SelectorQuestion,
    protocol,
)

LEAD = (
    "Describe your task, and we recommend what to report: measures, options, code, a caption, and "
    "pitfalls. The preset answers describe the simplest task."
)
OPENS = "Show this instance in the Explorer"
KEYS = {question.key for question in ASKED}
BADGES = {"proved": "green", "example": "gray"}


@dataclass(frozen=True)
class Choose:
    """The answers, the faults of a link, and the last parameters and answers in the address."""

    answers: Mapping[str, str] = field(default_factory=lambda: selector.complete({})[0])
    faults: tuple[str, ...] = ()
    address: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=lambda: selector.complete({})[0])


CHOOSE: Slot[Choose] = Slot("choose_model", Choose)


def page() -> None:
    _arrive()
    leave()
    st.title("Which one to report")
    st.caption(LEAD)
    for k, fault in enumerate(CHOOSE.value.faults):
        show_text(fault, "error", key=f"choose_fault_{k}")
    left, right = stacking_columns("choose", [5, 8], gap="large")
    with left:
        for title, questions in QUESTIONS.items():
            st.header(title, divider="gray")
            for question in questions:
                _question(question)
    with right, st.container(border=True, key="choose_card"):
        _card(protocol(CHOOSE.value.answers))
    _depart()
    mailbox()


# --- the address ----------------------------------------------------------------------------------


def _arrive() -> None:
    """Use the answers of a new address. An address without answers keeps the current ones.

    A person arrives at such an address from another page.
    """
    current = {name: st.query_params[name] for name in st.query_params if name in KEYS}
    if current != CHOOSE.value.address:
        CHOOSE.change(address=current)
        if current:
            answers, faults = selector.complete(current)
            CHOOSE.change(answers=answers, told=answers, faults=tuple(faults))


def _depart() -> None:
    """Write changed answers into the address and keep its other parameters."""
    at = CHOOSE.value
    if at.answers != at.told:
        wanted = selector.parameters(at.answers)
        others = {name: st.query_params[name] for name in st.query_params if name not in KEYS}
        st.query_params.from_dict({**others, **wanted})
        CHOOSE.change(address=wanted, told=at.answers)


# --- questions ------------------------------------------------------------------------------------


def _question(question: SelectorQuestion) -> None:
    def answer(chosen: str) -> None:
        CHOOSE.change(answers={**CHOOSE.value.answers, question.key: chosen}, faults=())

    bind(
        st.segmented_control, f"choose_{question.key}", CHOOSE.value.answers[question.key], answer
    )(
        question.asks,
        list(question.answers),
        required=True,
        format_func=lambda answer: question.answers[answer],
        help=question.help or None,
    )


# --- the card -------------------------------------------------------------------------------------


def _card(card: SelectorCard) -> None:
    st.header("Your protocol")
    for conflict in card.conflicts:
        st.warning(markdown_text(conflict), icon=":material/warning:")
    columns = stacking_columns("choose_measures", 3)
    lists = (("Report", card.report), ("Next to it", card.beside), ("Not alone", card.not_alone))
    for column, (title, keys) in zip(columns, lists, strict=True):
        column.markdown(
            "\n".join(
                [
                    f"**{title}**",
                    "",
                    *(f"- `{key}`  \n  {markdown_text(MEASURES[key])}" for key in keys),
                ]
            )
        )
    for title, code in (
        ("Command line", card.command),
        ("Python", card.python),
        ("Caption of the table", card.caption),
    ):
        st.subheader(title)
        show_text(code, "code", key=f"choose_{title}")
    st.subheader("Pitfalls")
    _claims(card.pitfalls)
    st.subheader("Why")
    for says, claims in card.why.items():
        st.markdown(markdown_text(says))
        _claims(claims)
    here = (st.context.url or "").partition("?")[0]
    st.subheader("Link to these answers")
    _, query = address_of("choose", selector.parameters(CHOOSE.value.answers))
    link = f"{here}?{urlencode(query)}"
    show_text(link, "code", key="choose_link")


def _claims(claims: Iterable[Claim]) -> None:
    for claim in claims:
        number = CLAIMS.index(claim)
        with st.container(key=f"choose_claim_{number}", border=True):
            says, opens = st.columns([5, 1], vertical_alignment="center")
            badge = f":{BADGES.get(claim.known, 'blue')}-badge[{claim.known}]"
            proof = f" Because {markdown_text(claim.because)}." if claim.because else ""
            says.markdown(f"{badge} {markdown_text(claim.says)}{proof}")
            says.caption(_evidence(claim))
            if claim.instance:
                with opens:
                    button(
                        "Open",
                        key=f"choose_open_{number}",
                        action=partial(_open, claim),
                        help=OPENS,
                    )


@cache
def _evidence(claim: Claim) -> str:
    return "; ".join(claim.evidence(lambda search: search.in_words))


def _open(claim: Claim) -> None:
    """Show the instance of a claim in the Explorer. If there are two, show the second and pin the
    first.
    """
    shown, before = to_compare(instances(claim.instance), "The instance of a pitfall")
    back = explorer.WayBack(
        "Back to Which one to report", "choose", selector.parameters(CHOOSE.value.answers)
    )
    explorer.open_shown(
        shown, pinned=before, measures=(claim.measure,) if claim.measure else (), back=back
    )
    leave_for("explore")


PAGE = Page(
    "Which one to report",
    page,
    "Answer questions about your task, and read what to report, with the lines that compute it.",
)
