"""Exercises without end, a part of the Learn page: what is asked for, the exercise, and the score.

What is held is practice_model.py's; a sheet to take away is sheet_panel.py's.
"""

from collections.abc import Iterable
from functools import partial

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.lessons.exercises import Exercise
from hiermeasures.lessons.format import KIND_NAMES
from hiermeasures.lessons.wishes import ASKED, FEWEST_CLASSES, MOST_CLASSES, MOST_LABELS
from hiermeasures.measures import FAMILIES
from hiermeasures.ui.binding import bind, button, show_fault
from hiermeasures.ui.learn import practice_model as model
from hiermeasures.ui.learn.drawing import drawings
from hiermeasures.ui.learn.explorer import open_card
from hiermeasures.ui.learn.practice_model import LARGEST_SEED, Practice, practised, wished
from hiermeasures.ui.learn.question import question, turning
from hiermeasures.ui.learn.sheet_panel import take_a_sheet
from hiermeasures.ui.learn.values import value_table
from hiermeasures.ui.popover import popover
from hiermeasures.ui.prose import Paragraph, show_prose
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.text import sentence

LEVELS = {"Easy": (5, False, 1), "Medium": (7, False, 2), "Hard": (10, True, 3)}  # classes, whether a DAG, labels
KINDS = {
    "prefers": "Which prediction",
    "click": "Sets",
    "pair": "Pairings",
    "value": "Values",
    "make": "Make it so",
    "which": "Which measure",
}
STYLE = """<style>
.st-key-practice_head { gap: 0.75rem 1rem; flex-wrap: wrap; }
.st-key-practice_head > :has(.st-key-practice_score) { flex: 1 1 16rem; min-width: 0; }
[data-testid="stPopoverBody"]:has(.st-key-practice_wishes) { width: 30rem; max-width: 92vw; }
@media (max-width: 900px) { [class*="st-key-practice_"] button { min-height: 44px; } }
</style>"""


def practice() -> None:
    """All of it."""
    st.html(STYLE)
    model.arrive()
    one, fault = _exercise(practised())
    if one is not None:
        model.count(one.question.kind, practised().key)
    _head(practised())
    for k, words in enumerate(filter(None, (practised().fault, fault))):
        show_text(words, "error", key=f"practice_fault_{k}")
    if one is not None:
        _card(one, practised())


def _exercise(at: Practice) -> tuple[Exercise | None, str]:
    """What is asked, or why there is nothing."""
    try:
        return model.drawn(at), ""
    except InputError as error:
        return None, sentence(error)


# --- what is asked for --------------------------------------------------------------------------------------------


def _head(at: Practice) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="practice_head"):
        level = next((name for name, size in LEVELS.items() if size == at.difficulty), None)
        bind(st.segmented_control, "practice_level", level, _set_level)(
            "Difficulty", list(LEVELS), label_visibility="collapsed"
        )
        panel = popover("Questions", icon=":material/tune:", key="practice_settings")
        if panel.open:
            with panel, st.container(key="practice_wishes"):
                _wishes(at)
        take_a_sheet(at)
        with st.container(key="practice_score"):
            show_text(score_words(at), "note", key="practice_score_words")


def _set_level(level: str) -> None:
    classes, dag, labels = LEVELS[level]
    wished(classes=classes, dag=dag, labels=labels)


def _wishes(at: Practice) -> None:
    bind(st.pills, "practice_kinds", list(at.kinds), lambda kinds: wished(kinds=_in_order(kinds, KIND_NAMES)))(
        "What is asked", KIND_NAMES, selection_mode="multi", format_func=KINDS.__getitem__
    )
    show_fault("practice_kinds")
    for kind, reason in at.left_out.items():
        show_text(f"{KINDS[kind]}: left out, for {reason}.", "note", key=f"practice_left_out_{kind}")
    bind(st.pills, "practice_families", list(at.families), lambda found: wished(families=_in_order(found, ASKED)))(
        "About which measures", list(ASKED), selection_mode="multi", format_func=lambda key: FAMILIES[key].title
    )
    show_fault("practice_families")
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    bind(left.number_input, "practice_classes", at.classes, lambda n: wished(classes=n))(
        "Classes", FEWEST_CLASSES, MOST_CLASSES
    )
    bind(middle.number_input, "practice_labels", at.labels, lambda n: wished(labels=n))(
        "Labels at most", 1, MOST_LABELS, help="Of the true and of the predicted side."
    )
    bind(right.toggle, "practice_dag", at.dag, lambda dag: wished(dag=dag))("DAG")
    for name in ("practice_classes", "practice_labels", "practice_dag"):
        show_fault(name)
    bind(st.number_input, "practice_seed", at.seed, lambda seed: wished(seed=seed))(
        "Seed", 0, LARGEST_SEED, help="The same seed gives the same exercises, to everyone who opens this address."
    )


def _in_order(chosen: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    found = set(chosen)
    return tuple(name for name in known if name in found)


def score_words(at: Practice) -> str:
    """The seed, and the score: all, and by kind where there are several.

    >>> score_words(Practice(score={"value": (1, 2), "click": (1, 1)}))
    'Seed 1 · 2 of 3 right · Values 1/2 · Sets 1/1'
    """
    right, asked = (sum(pair[k] for pair in at.score.values()) for k in (0, 1))
    kinds = [f"{KINDS[kind]} {r}/{n}" for kind, (r, n) in at.score.items()] if len(at.score) > 1 else []
    return " · ".join([f"Seed {at.seed}", f"{right} of {asked} right" if asked else "nothing answered yet", *kinds])


# --- the exercise -------------------------------------------------------------------------------------------------


def _card(one: Exercise, at: Practice) -> None:
    """As a card of a lesson."""
    with st.container(key="learn_pair" if len(one.card.instances) > 1 else "learn_single"):
        notes = [one.given] if one.given else []
        words = [Paragraph.of(one.card.title, "title"), *(Paragraph.of(note, "note") for note in notes)]
        show_prose(words, key="learn_text")
        drawings(one.card, at.key)
        value_table(one.card, at.key)
        with st.container(key="learn_ask"):
            question(one.card, at.key)
            _ways(one, at)


def _ways(one: Exercise, at: Practice) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_ways"):
        turning("practice", model.go, first=at.number == 1)
        button(
            "Open in the Explorer",
            key="practice_explorer",
            icon=":material/open_in_new:",
            action=partial(open_card, one.card, at.key, f"exercise {at.number}"),
        )
