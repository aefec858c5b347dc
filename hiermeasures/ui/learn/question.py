"""The question of a card: its words, the fields in which it is answered beside clicks on the drawing, and the verdict.

`question` draws it wherever a card is: on the Learn page, in Practice and in Present. Judging is hiermeasures.lessons'.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.lessons import Card, Question, Verdict
from hiermeasures.measures import Instance
from hiermeasures.ui.binding import bind, button, show_fault
from hiermeasures.ui.explore import editing
from hiermeasures.ui.graph.neighbourhood import MOST_DRAWN
from hiermeasures.ui.learn import answering
from hiermeasures.ui.learn.model import Answer, again, answer_of, check, enter, reveal, set_answer
from hiermeasures.ui.prose import Paragraph, Part, show_prose
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown
from hiermeasures.ui.text import escaped
from hiermeasures.ui.views import VIEWS

FIELDS_BEGIN = "answer_"  # the keys of the fields and buttons in which a question is answered
HINTS = {
    "classes": "Click the classes on the drawing.",
    "pairs": "Click a class and then the class that it pairs with; a class that is left over is clicked twice.",
    "number": "A fraction or a decimal, such as 2/3 or 0.67.",
    "choice": "",
    "instance": "Click classes on the drawing.",
}


def question(card: Card, key: str, more: Callable[[], None] = lambda: None) -> None:
    """The question of a card, or the way to what it hides where it asks nothing. `key` is that of the answer, `more`
    draws further buttons behind its own.
    """
    asked, answer = card.question, answer_of(key)
    with st.container(key="learn_question"):
        if asked is not None:
            answered = "" if answer.open else "answered"
            show_prose(paragraphs(asked, answer), key="answer_words", announced=True, follow=(key, answered))
            if answer.open:
                fields(asked, key, answer)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_buttons"):
            if asked is not None or card.hidden:
                _buttons(card, key, answer)
            more()
        if answer.fault:
            show_text(answer.fault, "error", key="answer_fault")


def card_text(card: Card) -> list[Paragraph]:
    """The title, the text with what was computed in it, and where the instance is from."""
    text = [Paragraph(tuple(Part(p.text, p.kind, p.expression) for p in pieces)) for pieces in card.text]
    source = [Paragraph.of(card.source, "note")] if card.source else []
    return [Paragraph.of(card.title, "title"), *text, *source]


def paragraphs(asked: Question, answer: Answer) -> list[Paragraph]:
    """The question in words, and after the answer the verdict."""
    found = [Paragraph.of(asked.words, "question")]
    if answer.verdict is not None:
        found += verdict_words(asked, answer.verdict, revealed=answer.revealed)
    return found


def verdict_words(asked: Question, verdict: Verdict, *, revealed: bool = False) -> list[Paragraph]:
    """Whether it is right, what would be, for what a wrong one would have been right, and why."""
    answer = verdict.answer_words
    if revealed:
        found = [Paragraph.of(f"The answer: {answer}", "right")]
    elif verdict.right:
        found = [Paragraph.of(f"Right: {verdict.given_words or answer}", "right")]
    else:
        given = f": {verdict.given_words}" if verdict.given_words else ""
        found = [Paragraph.of(f"Not right{given}", "wrong"), Paragraph.of(f"The answer: {answer}")]
    more = ("" if revealed or verdict.right else verdict.would_be, verdict.why, asked.explain)
    return [*found, *(Paragraph.of(text) for text in more if text)]


# --- buttons ------------------------------------------------------------------------------------------------------


def turning(name: str, turn: Callable[[int], object], *, first: bool, onward: str = "Next") -> None:
    """The buttons to the question before, which the `first` has not, and to the next, with their keys."""
    for label, by, arrow, off in (("Back", -1, "Left", first), (onward, 1, "Right", False)):
        button(
            label,
            key=f"{name}_{'back' if by < 0 else 'next'}",
            icon=f":material/chevron_{arrow.lower()}:",
            action=partial(turn, by),
            keys=f"Arrow{arrow}",
            disabled=off,
        )


def _buttons(card: Card, key: str, answer: Answer) -> None:
    asked = card.question
    if not answer.open:
        button("Try again", key="learn_again", action=partial(again, key), icon=":material/replay:")
        if asked is not None and answering.compared(asked, answer):
            _switch(card, key, answer)
        return
    if asked is not None:
        button(
            "Check",
            key="learn_check",
            action=partial(check, asked, key),
            keys="Enter",
            fields=FIELDS_BEGIN,
            type="primary",
            icon=":material/check:",
        )
    button("Reveal", key="learn_reveal", action=partial(reveal, asked, key), icon=":material/visibility:")


def _switch(card: Card, key: str, answer: Answer) -> None:
    """Whether the answer is drawn, or the structure that it was read off."""
    words = {
        "answer": "the answer" if answer.revealed else "your answer",
        "structure": VIEWS[answering.looked_at(card).view].title,
    }
    drawn = "structure" if answer.structure else "answer"
    bind(st.segmented_control, "answer_drawn", drawn, lambda to: set_answer(key, structure=to == "structure"))(
        "What is drawn", list(words), format_func=lambda to: words[to], required=True, label_visibility="collapsed"
    )


# --- fields -------------------------------------------------------------------------------------------------------


def fields(asked: Question, key: str, answer: Answer) -> None:
    """The field of the question's input; what it holds and what was clicked is the same."""
    hint = HINTS[asked.input] if asked.change() != "hierarchy" else "Change the lines: a parent and its child in each."
    if hint:
        show_text(hint, "note", key="answer_hint")
    FIELDS[asked.input](asked, key, answer)


def _choice(asked: Question, key: str, answer: Answer) -> None:
    with st.container(horizontal=True, gap="small", key="answer_choices"):
        for number, (choice, words) in enumerate(asked.choices(), 1):
            chosen = answer.given == choice
            button(
                escaped(words),
                key=f"answer_choice_{number}",
                action=partial(enter, key, choice),
                keys=str(number) if number < 10 else "",
                type="primary" if chosen else "secondary",
                icon=f":material/radio_button_{'checked' if chosen else 'unchecked'}:",
            )


def _classes(asked: Question, key: str, answer: Answer) -> None:
    h = asked.instances[0].hierarchy
    _class_field("Your answer", h, answering.given_classes(answer), lambda found: enter(key, h.check(found)))


def _class_field(label: str, h: Hierarchy, chosen: frozenset[str], apply: Callable[[list[str]], object]) -> None:
    """Classes as an ordinary field: the way without a mouse."""
    whole = len(h) <= MOST_DRAWN
    classes = sorted(chosen, key=h.index)
    bind(st.multiselect, "answer_classes", classes, apply, about=h)(
        label, h.nodes if whole else classes, placeholder="none", accept_new_options=not whole
    )
    show_fault("answer_classes")


def _pairs(asked: Question, key: str, answer: Answer) -> None:
    instance, chosen = asked.instances[0], answering.given_pairs(answer)
    true, predicted = sorted(instance.true), sorted(instance.predicted)
    offered = [(p, t) for p in [*predicted, ""] for t in [*true, ""] if p or t]
    bind(st.multiselect, "answer_pairs", sorted(chosen), lambda found: enter(key, frozenset(found)), about=instance)(
        "Your pairs: predicted – true", offered, format_func=_pair_words, placeholder="none"
    )


def _pair_words(pair: tuple[str, str]) -> str:
    return " – ".join(end or "nothing" for end in pair)


def _number(asked: Question, key: str, answer: Answer) -> None:
    given = answer.given if isinstance(answer.given, str) else ""
    bind(st.text_input, "answer_number", given, partial(enter, key))(
        "Your answer", placeholder="2/3", max_chars=40, width=180
    )


def _instance(asked: Question, key: str, answer: Answer) -> None:
    now, side = answering.given_instance(asked, answer), asked.change()
    if side == "true" or side == "predicted":
        classes = now.true if side == "true" else now.predicted
        label = f"{side.capitalize()} classes"
        _class_field(label, now.hierarchy, classes, lambda found: _enter_classes(asked, key, found))
        return
    lines = editing.as_lines(now.hierarchy)
    bind(st.text_area, "answer_lines", lines.text, partial(_enter_lines, key, now), about=now.hierarchy)(
        "Lines: parent child", height=180, help="One edge per line. Ctrl+Enter draws it.", disabled=bool(lines.why_not)
    )
    show_fault("answer_lines")


def _enter_classes(asked: Question, key: str, found: list[str]) -> None:
    now, side = answering.given_instance(asked, answer_of(key)), asked.change()
    if side == "true" or side == "predicted":
        enter(key, now.with_classes(side, now.hierarchy.check(found)))


def _enter_lines(key: str, now: Instance, text: str) -> None:
    """With the hierarchy of these lines; InputError as the reader of edge lists."""
    edited = editing.from_lines(Shown(now, ""), text)
    lost = (now.true | now.predicted) - frozenset(edited.hierarchy.nodes)
    if lost:
        raise InputError(f"the question is about {', '.join(sorted(lost))}, which these lines do not have")
    edited.explained()
    enter(key, replace(edited.instance, exact_work=now.exact_work))


FIELDS: dict[str, Callable[[Question, str, Answer], None]] = {
    "choice": _choice,
    "classes": _classes,
    "pairs": _pairs,
    "number": _number,
    "instance": _instance,
}
