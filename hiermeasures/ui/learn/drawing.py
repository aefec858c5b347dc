"""The one or two drawings of a card, on which a click answers its question.

It is the clickable graph of the Explorer. What is marked on it, answering.py says.
"""

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from hiermeasures.errors import listed
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.lessons import Card, Question
from hiermeasures.measures import Instance
from hiermeasures.ui.graph.component import graph
from hiermeasures.ui.graph.data import clicked, graph_data
from hiermeasures.ui.graph.neighbourhood import neighbourhood
from hiermeasures.ui.graph.overlay import Overlay
from hiermeasures.ui.graph.scene import READABLE_ROOM, Arrangement, readable_on_screen
from hiermeasures.ui.learn import answering
from hiermeasures.ui.learn.model import Answer, answer_of, enter, learn, set_answer
from hiermeasures.ui.show_text import show_text

NAMES = ("First prediction", "Second prediction")
HALF_ROOM = (560.0, 230.0)  # for one of two drawings on a screen of 1280 x 800 pixels
MOST_AT_A_GLANCE = 30  # classes of a drawing that needs no zoom, so that the wheel scrolls the page
NO_SWITCH = "no_switch"  # no switch of the page says what a click does, the question does


def drawings(card: Card, key: str) -> None:
    """The drawings, side by side where there are two. `key` is that of the answer."""
    answer = answer_of(key)
    at = answering.looked_at(card, learn().chosen.get(key, ""))
    with st.container(key="learn_drawings"):
        for k in range(len(card.instances)):
            with st.container(key=f"learn_drawing_{k}"):
                if len(card.instances) > 1:
                    show_text(NAMES[k], "note", key=f"learn_name_{k}")
                _drawing(card, key, k, answer, answering.picture(card, k, answer, at))


def _drawing(card: Card, key: str, k: int, answer: Answer, overlay: Overlay) -> None:
    instance = answering.instance_of(card, k, answer)
    marked = instance.true | instance.predicted
    room = READABLE_ROOM if len(card.instances) == 1 else HALF_ROOM
    arrangement = arranged(instance.hierarchy, marked, answer.unfolded, room)
    question = card.question if k == 0 else None
    unseen = answering.hidden(card, answer)
    data = graph_data(
        arrangement,
        overlay,
        view=f"{key}|{k}|{bool(overlay.links)}",  # fitted anew when there are links, which hang below the classes
        alt=_described(instance, unseen),
        focus=sorted(marked.union(*map(instance.hierarchy.ancestors, marked))) if not unseen else [],
        click={"switch": NO_SWITCH, "mode": mode(question, answer), "modes": {}, "sides": False},
        zoom=len(arrangement.ids) > MOST_AT_A_GLANCE,
    )
    graph(
        data,
        key=f"learn_graph_{k}",
        on_click=partial(click, question, key, instance, arrangement),
        on_unfold=partial(_unfold, key, arrangement),
    )


@lru_cache(maxsize=64)
def arranged(
    hierarchy: Hierarchy, marked: frozenset[str], unfolded: frozenset[str], room: tuple[float, float]
) -> Arrangement:
    """The classes of a hierarchy in their places."""
    return readable_on_screen(neighbourhood(hierarchy, marked, unfolded=unfolded), marked, room)


def mode(question: Question | None, answer: Answer) -> str:
    """What a click does: it answers, or marks a side, or nothing."""
    if question is None or not answer.open:
        return "nothing"
    if question.input in ("classes", "pairs"):
        return "answer"
    change = question.change()
    return change if change in ("true", "predicted") else "nothing"


def _described(instance: Instance, unseen: frozenset[str]) -> str:
    """The drawing in words."""
    h, sides = instance.hierarchy, (("true", instance.true), ("predicted", instance.predicted))
    words = (f"{side}: {'hidden' if side in unseen else listed(classes) or 'none'}" for side, classes in sides)
    return f"A hierarchy of {len(h):,} classes under {h.root}. {'; '.join(words)}."


# --- what a click does --------------------------------------------------------------------------------------------


def click(
    question: Question | None, key: str, instance: Instance, arrangement: Arrangement, value: Mapping[str, Any]
) -> None:
    """A class of the drawing was clicked; what that enters depends on the question. `key` is that of its answer."""
    label, answer = clicked(arrangement, value), answer_of(key)
    if question is None or label is None or not answer.open:
        return
    if question.input == "classes":
        enter(key, answering.given_classes(answer) ^ {label})
    elif question.input == "pairs":
        _pair(key, instance, answer, label)
    elif question.input == "instance":
        now, side = answering.given_instance(question, answer), question.change()
        if side == "true" or side == "predicted":
            enter(key, now.with_classes(side, (now.true if side == "true" else now.predicted) ^ {label}))


def _pair(key: str, instance: Instance, answer: Answer, label: str) -> None:
    """The first click chooses a class, the second the other one of its pair; clicked again, it is left over, or pairs
    with itself where it is on both sides.
    """
    true, predicted = instance.true, instance.predicted
    if label not in true | predicted:
        return
    first, pairs = answer.end, answering.given_pairs(answer)
    if first is None:
        set_answer(key, end=label, fault="")
    elif first == label:
        alone = (label, "") if label in predicted else ("", label)
        enter(key, pairs ^ {(label, label) if label in true & predicted else alone})
    elif first in predicted and label in true:
        enter(key, pairs ^ {(first, label)})
    elif first in true and label in predicted:
        enter(key, pairs ^ {(label, first)})
    else:
        set_answer(key, end=label, fault="")


def _unfold(key: str, arrangement: Arrangement, value: Mapping[str, Any]) -> None:
    label = clicked(arrangement, value)
    if label is not None:
        set_answer(key, unfolded=answer_of(key).unfolded | {label})
