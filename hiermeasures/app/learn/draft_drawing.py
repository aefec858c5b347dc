"""The drawing of a card in My lesson: the Explorer's drawing with its gestures (explorer/areas),
and on it the answer to the card's question. An answer that is a set is clicked, and named in words.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.app.learn.draft_lesson import drawn as drawn_card
from hiermeasures.app.learn.draft_model import ANSWER, Writing
from hiermeasures.core.errors import InputError
from hiermeasures.explorer import drawn, gestures
from hiermeasures.explorer.areas import drawing as explorer_drawing
from hiermeasures.explorer.component_data import MARKS, clicked, graph_data
from hiermeasures.explorer.controls import Control, Controls, box, button, choice, component, row, switch, words
from hiermeasures.explorer.model import EDIT, State
from hiermeasures.explorer.player.drawing import Drawing
from hiermeasures.explorer.player.inputs import INPUTS, Answer
from hiermeasures.lessons import KINDS
from hiermeasures.lessons.sets import named_sets
from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import named
from hiermeasures.picture.neighbourhood import READABLE
from hiermeasures.picture.views import VIEWS
from hiermeasures.picture.views.sets import classes_alone

WHICH = ("First prediction", "Second prediction")
SEVERAL = "More than one set has exactly these classes. The question asks for the one that is chosen here."
NONE = "A question cannot ask for exactly these classes. The nearest set is {}: {}."
CLICK = "Click the classes of the answer on the drawing, or choose the set in words."


def drawing(at: Writing) -> Control:
    """Return the switch for clicks, the drawing, and below it the selection."""
    state = at.editor
    if state is None:
        return box(words(at.checked.faults.get("drawing", ""), "error", key="card_drawing_wrong"))
    modes = {**MARKS, EDIT: "✎ edit", **({ANSWER: "answer"} if at.kind else {})}
    answers = state.click == ANSWER
    views = {"": "the structure of the first measure", **{key: view.title for key, view in VIEWS.items()}}
    return box(
        row(switch("click", "Click", state.click, modes, Writing.clicking, title=True), *_predictions(at)),
        row(
            component("my_graph", "graph", partial(_graph, at, state, list(modes)), **HEARD),
            lifted(explorer_drawing.lines(state)) if state.drawing else None,
            style="drawing",
        ),
        *(() if answers else map(lifted, explorer_drawing.fields(state))),
        choice(
            "card_view", "Drawn", at.lesson.card.get("view", ""), views, lambda at, key: at.entering(view=key or None)
        ),
        style="drawn",
    )


def lifted(control: Control) -> Control:
    """Return an Explorer's control that acts on the drawing of a card instead."""
    act = control.act
    made = replace(control, parts=tuple(map(lifted, control.parts)))
    if act is None:
        return made
    return replace(made, act=lambda at, entry: at.drawing(lambda state: act(state, entry)))


# --- two predictions ------------------------------------------------------------------------------


def _predictions(at: Writing) -> Controls:
    """Return the switch between two predictions, and the button that adds or drops the second."""
    if "second" not in at.lesson.card:
        about = "The same classes once more, to be changed, beside the first."
        return (button("card_second", "Add a second prediction", _with_second, help=about),)
    if at.click == ANSWER:
        return ()
    which = switch("card_which", "Prediction", at.k, dict(enumerate(WHICH)), lambda at, k: replace(at, k=k))
    return which, button("card_one", "Only one", lambda at: at.entering(second=None))


def _with_second(at: Writing) -> Writing:
    predicted = sorted(drawn_card(at.lesson.card).instances[0].predicted)
    return replace(at.entering(second={"predicted": predicted}), k=1)


# --- gestures -------------------------------------------------------------------------------------


def _gesture(kind: str, at: Writing, value: Mapping[str, Any]) -> Writing:
    if kind == "click" and value.get("mode") == ANSWER:
        label = clicked(at.editor.arrangement, value) if at.editor and at.editor.arrangement else None
        return at if label is None or at.kind != "click" else _answering(at, chosen(at) ^ {label})
    return at.drawing(lambda state: gestures.after(state, "graph", kind, value))


HEARD = {kind: partial(_gesture, kind) for component, kind in gestures.GESTURES if component == "graph"}


# --- the answer -----------------------------------------------------------------------------------


def chosen(at: Writing) -> frozenset[str]:
    """Return the classes of the answer, as far as it is given and in the hierarchy."""
    asked = at.checked.question
    found = asked.answer() if asked is not None else (at.lesson.card.get("question") or {}).get("answer")
    found = found if isinstance(found, list | frozenset) else ()
    there = at.editor.shown.hierarchy if at.editor is not None else ()
    return frozenset(label for label in found if isinstance(label, str) and label in there)


def _answering(at: Writing, classes: frozenset[str]) -> Writing:
    """Return a copy whose answer is these classes, by the set's chosen words if they still fit."""
    texts = [text for text, _, found in _sets(at) if found == classes]
    before = (at.lesson.card.get("question") or {}).get("set", "")
    text = before if before in texts else next(iter(texts), "")
    return at.asking(set=text, answer=[] if text else sorted(classes))


def _sets(at: Writing) -> list[tuple[str, str, frozenset[str]]]:
    try:
        return list(named_sets(drawn_card(at.lesson.card).subject.cases[0]))
    except InputError:
        return []


def set_field(at: Writing, label: str) -> Controls:
    """Return the field of sets to ask for, those that equal the clicked classes first."""
    sets, classes, text = _sets(at), chosen(at), (at.lesson.card.get("question") or {}).get("set", "")
    fitting = [found for found in sets if found[2] == classes]
    offered = {key: f"{said}: {named(found)}" for key, said, found in (*fitting, *sets)}
    if text and text not in offered:
        offered[text] = text
    told = CLICK if not classes else SEVERAL if len(fitting) > 1 else ""
    if classes and not fitting and not text and sets:
        _, said, nearest = min(sets, key=lambda found: len(found[2] ^ classes))
        told = NONE.format(said, named(nearest))
    field = choice(
        "question_set", label, text, offered, lambda at, key: at.asking(set=key, answer=[]), empty="no words"
    )
    return (field, *([words(told, "note", key="question_set_note")] if told else []))


def _graph(at: Writing, state: State, modes: list[str]) -> dict[str, Any]:
    view = f"{at.lesson.chosen}|{state.click == ANSWER}|{bool(state.overlay.links)}"
    mode = {"mode": state.click, "modes": modes}
    if state.click != ANSWER:
        zoom = len(drawn.places(state).ids) > READABLE
        return drawn.graph(state, None, view=f"{view}|{at.k}", click=mode, zoom=zoom)
    if at.kind == "click":
        return _clicked_set(at, state, state.explanation, {**mode, "sides": False}, view)
    card, asked = at.checked.card, at.checked.question
    answer = Answer(verdict=asked.judge(asked.answer()), revealed=True) if asked is not None else Answer()
    shown = Drawing(replace(card or drawn_card(at.lesson.card), question=asked), 0, view, answer)
    return {**shown.graph(state.view_state), "click": {**mode, "mode": "nothing", "sides": False}}


def _clicked_set(at: Writing, state: State, x: Explanation, mode: dict[str, Any], view: str) -> dict[str, Any]:
    way = INPUTS[KINDS["click"].input]
    overlay = way.entered(classes_alone(x), Answer(given=chosen(at)))
    return graph_data(drawn.places(state), overlay, view=view, alt=state.shown.described, click=mode, zoom=False)
