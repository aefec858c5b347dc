"""What if: what a click on each class would do to the chosen measure, the table of all edits of one class over the
measures that are shown, and why the chosen one changed with an edit.

What edits do is computed by hiermeasures.behaviour.what_if, and the sentence is made in why.py beside it; here both are
laid out. what_if.js draws the table; a row previews on the drawing in the browser, and a click on it is a gesture.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, get_args

import streamlit as st

from hiermeasures.batch.warm import kernels_ready, make_kernels_ready
from hiermeasures.behaviour.what_if import (
    KINDS,
    MOST_EDITS,
    Change,
    ClassEdit,
    Kind,
    Order,
    WhatIf,
    change,
    edit_between,
    edits_of,
    what_if,
)
from hiermeasures.behaviour.why import Why, why
from hiermeasures.measures import Explanation, Measure, SideName
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import called
from hiermeasures.ui import gestures
from hiermeasures.ui.binding import attempt, bind, button, show_fault
from hiermeasures.ui.explore import model
from hiermeasures.ui.explore.model import EditChoice, Pinned, explorer, history, view_state
from hiermeasures.ui.graph.component import Effect
from hiermeasures.ui.graph.scene import Arrangement, shown_label, shown_title
from hiermeasures.ui.learn.mine import add_card, mine
from hiermeasures.ui.scripts import component
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown
from hiermeasures.ui.views import VIEWS

MOST_EXPLAINED = 120  # edits, while the kernels are not ready: each takes `explain` some milliseconds
MOST_LABELS = 300_000  # of all edited instances together, which the array engine reads
BUDGET, KERNELS_FASTER = 1.0, 50  # seconds for all edits, by the time that the instance itself took `explain`
MOST_ROWS = 60
HINT = "A row previews on the drawing and a click does it. Press ? in a row to be told why."
POLL = 1.0  # seconds
ONE_CLICK: tuple[Kind, ...] = ("add", "remove")
MOVE: tuple[Kind, ...] = ("move",)
MEANINGS = {"better": "better", "worse": "worse", "same": "no change", "undefined": "not defined before or after"}
ARROWS = {"better": "▲", "worse": "▼", "same": "·"}
ORDERS: dict[Order, str] = {"best": "best first", "conflict": "conflict first", "class": "as drawn"}
STYLE = """<style>
.st-key-edit_choice { gap: 0.3rem 0.5rem; }
.st-key-edit_choice button { padding: 0 0.5rem; min-height: 1.75rem; }
.st-key-edit_choice button p { font-size: 0.8125rem; }
.st-key-edit_choice button[data-selected] { color: inherit !important; font-weight: 600; }
.st-key-why { gap: 0.2rem; }
.st-key-why_numbers { row-gap: 0; column-gap: 1.5rem; justify-content: flex-start; }
.st-key-why_numbers .katex-display, .st-key-why_numbers .katex-display > .katex { text-align: left; }
.st-key-why button { padding: 0 0.55rem; min-height: 1.75rem; }
.st-key-why button p { font-size: 0.8125rem; }
</style>"""


def looked_at(shown: Shown, explanation: Explanation, arrangement: Arrangement, listed: Iterable[str]) -> WhatIf | None:
    """What each edit over the drawn classes would do to the measures that are `listed` in the table of values, if that
    is looked at and there is a value to change.
    """
    if not view_state().what_if or not shown.selected:
        return None
    if not kernels_ready():
        make_kernels_ready()
    measures = _measures(explanation, listed)
    each = max(explanation.spent, 0.001)
    explained, computed = (max(1, round(BUDGET * by / each)) for by in (1, KERNELS_FASTER))
    drawn = arrangement.neighbourhood.nodes
    clicks = edits_of(shown.instance, drawn, kinds=ONE_CLICK)
    moves = edits_of(shown.instance, drawn, sides=explorer().edits.sides, kinds=MOVE)
    return what_if(
        explanation,
        measures,
        chain(clicks, moves),
        most=min(MOST_EDITS, computed, max(1, MOST_LABELS // len(shown.selected))),
        most_explained=min(MOST_EXPLAINED, explained),
    )


def _measures(explanation: Explanation, listed: Iterable[str]) -> list[Measure]:
    """The chosen measure, and of those in the table of values all that do not take too long."""
    chosen = explanation.measure(view_state().measure)
    found = []
    for measure in dict.fromkeys((chosen, *map(explanation.measure, listed))):
        reads = [structure for structure, _ in measure.reads(explanation.options).values()]
        if measure is chosen or explanation.spent < BUDGET or all(map(explanation.has_built, reads)):
            explanation.value(measure)
            found.append(measure)
    return found


# --- a change in signs and words ----------------------------------------------------------------------------------


def short(moved: Change) -> str:
    """A change with its arrow: ▲ better, ▼ worse.

    >>> short(Change(0.104, "better")), short(Change(-0.07, "worse")), short(Change(0.0, "same"))
    ('+.10 ▲', '−.07 ▼', '0 ·')
    >>> short(Change(5.0, "worse")), short(Change(-1.5, "better")), short(Change(0.0004, "worse"))
    ('+5 ▼', '−1.50 ▲', '+.0004 ▼')
    >>> short(Change(float("nan"), "undefined"))
    '–'
    """
    if math.isnan(moved.amount):
        return "–"
    if moved.word == "same":
        return f"0 {ARROWS['same']}"
    sign = "+" if moved.amount > 0 else "−"
    return f"{sign}{_size(abs(moved.amount))} {ARROWS[moved.word]}"


def _size(amount: float) -> str:
    """A size as short as it can be seen: two decimals, no zero before the point, whole numbers without one."""
    if amount < 0.005:
        return f"{amount:.1g}".removeprefix("0")
    if round(amount, 2) < 1:
        return f"{amount:.2f}".removeprefix("0")
    return f"{amount:,.0f}" if math.isclose(amount, round(amount), abs_tol=0.005) else f"{amount:,.2f}"


def _in_words(measure: Measure, before: float, after: float, moved: Change) -> str:
    """Both values, and what their difference means."""
    return f"{called(measure.key)} {number(before)} → {number(after)}, {MEANINGS[moved.word]}"


# --- on the drawing -----------------------------------------------------------------------------------------------


def effects(found: WhatIf, key: str) -> dict[str, dict[str, Effect]]:
    """By what a click does, and by class: what it would do to a measure."""
    made: dict[str, dict[str, Effect]] = {side: {} for side in get_args(SideName)}
    measure = found.measure(key)
    for k, edit in enumerate(found.edits):
        if edit.kind == "move":
            continue
        moved = found.change(k, key)
        words = _in_words(measure, found.before[key], float(found.after[key][k]), moved)
        made[edit.side][edit.classes[0]] = Effect(short(moved), moved.word, f"A click: {words}.")
    return made


# --- the panel ----------------------------------------------------------------------------------------------------


def panel(found: WhatIf) -> None:
    """Which edits, the table of them, and why the chosen measure changed with one."""
    _choice(explorer().edits)
    _table(found, explorer().edits, view_state().measure)
    if found.left_out and not kernels_ready():
        _wait()
    _why(found.measure(view_state().measure))


def _choice(at: EditChoice) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="edit_choice"):
        bind(st.pills, "edit_sides", list(at.sides), partial(_set, "sides"))(
            "Side", ["predicted", "true"], selection_mode="multi", label_visibility="collapsed", width="content"
        )
        bind(st.pills, "edit_kinds", list(at.kinds), partial(_set, "kinds"))(
            "Edit", list(KINDS), selection_mode="multi", label_visibility="collapsed", width="content"
        )
        bind(st.selectbox, "edit_order", at.order, partial(_set, "order"))(
            "Order", list(ORDERS), format_func=lambda order: ORDERS[order], label_visibility="collapsed", width=128
        )
        bind(st.checkbox, "edit_conflicts", at.only_conflicts, partial(_set, "only_conflicts"))("only conflicts")


def _set(name: str, entry: Any) -> None:
    parts: dict[str, Any] = {name: tuple(entry) if isinstance(entry, list) else entry}
    model.change(edits=replace(explorer().edits, **parts))


def _table(found: WhatIf, choice: EditChoice, key: str) -> None:
    wanted = [
        k
        for k in found.ranked(choice.order, key)
        if found.edits[k].side in choice.sides
        and found.edits[k].kind in choice.kinds
        and (found.conflicts[k] or not choice.only_conflicts)
    ]
    data = {
        "columns": [_column(m, found.before[m.key]) | {"chosen": m.key == key} for m in found.measures],
        "rows": [_row(found, k) for k in wanted[:MOST_ROWS]],
        "meanings": MEANINGS,
        "note": _note(found, len(wanted)),
        "address": gestures.address("what_if", do=_do, why=_ask),
    }
    component("what_if")(key="what_if", data=data)


def _column(measure: Measure, before: float) -> dict[str, Any]:
    about = f"{measure.name}; {measure.better} is better"
    return {"key": measure.key, "title": called(measure.key), "about": about, "before": number(before)}


def _note(found: WhatIf, rows: int) -> str:
    """What the table does not hold."""
    if not rows:
        return "No edit is of this kind."
    notes = [f"The first {MOST_ROWS} of {rows:,} edits."] if rows > MOST_ROWS else []
    if found.left_out:
        why_not = "are worked out as soon as the array engine is ready" if not kernels_ready() else "are left out"
        notes.append(f"{found.left_out:,} more edits {why_not}.")
    return " ".join(notes)


def _row(found: WhatIf, k: int) -> dict[str, Any]:
    edit = found.edits[k]
    moved = ((found.change(k, m.key), float(found.after[m.key][k])) for m in found.measures)
    cells = [{"text": short(each), "word": each.word, "after": number(after)} for each, after in moved]
    right = {True: "right", False: "wrong", None: ""}[edit.right(found.instance)]
    return {
        "edit": {"side": edit.side, "added": edit.added, "removed": edit.removed},
        "name": ClassEdit(edit.side, _short_label(edit.added), _short_label(edit.removed)).name,
        "about": right if edit.side == "predicted" else "true",
        "cells": cells,
        "remark": remark(found, k),
        "classes": [shown_title(c) for c in edit.classes],
    }


def _short_label(label: str | None) -> str | None:
    return None if label is None else shown_label(label)


def remark(found: WhatIf, k: int) -> str:
    """In which way the measures agree about an edit or do not."""
    words = {word: tuple(map(called, keys)) for word, keys in found.words(k).items()}
    up, down = words["better"], words["worse"]
    right = found.edits[k].right(found.instance)
    if not up and not down:
        return "nothing changes"
    if right is True and down:
        return f"a right class, and {_keys(down)} worse"
    if right is False and up and found.edits[k].kind == "add":
        return f"a wrong class, and {_keys(up)} better"
    if not up or not down:
        return "all agree" if not words["same"] else ""
    return (
        f"{' and '.join(min(up, down, key=len)[:2])} against the others" if min(len(up), len(down)) < 3 else "divided"
    )


def _keys(keys: Sequence[str]) -> str:
    """The subject of a short remark, with its verb."""
    if len(keys) > 2:
        return f"{len(keys)} measures are"
    return f"{' and '.join(keys)} {'is' if len(keys) == 1 else 'are'}"


@st.fragment(run_every=POLL)
def _wait() -> None:
    """Ask for the page again when the kernels are ready."""
    if kernels_ready():
        st.rerun()


# --- gestures -----------------------------------------------------------------------------------------------------


def _edit(value: Mapping[str, Any]) -> ClassEdit | None:
    """The edit that a gesture names, if it can be made now."""
    added, removed = (c if isinstance(c, str) else None for c in (value.get("added"), value.get("removed")))
    side: SideName | None = next((s for s in get_args(SideName) if s == value.get("side")), None)
    shown = history().present
    if side is None or (added is None and removed is None):
        return None
    now = shown.classes(side)
    fits = (added is None or (added in shown.hierarchy and added not in now)) and (removed is None or removed in now)
    return ClassEdit(side, added, removed) if fits else None


def _do(value: Mapping[str, Any]) -> None:
    edit, shown = _edit(value), history().present
    if edit is not None:
        model.show(shown.with_classes(edit.side, edit.of(shown.classes(edit.side))))


def _ask(value: Mapping[str, Any]) -> None:
    edit = _edit(value)
    if edit is not None:
        model.change(edits=replace(explorer().edits, asked=(history().present, edit)))


# --- why ----------------------------------------------------------------------------------------------------------


def _why(measure: Measure) -> None:
    """The edit that was asked about, or else the one made last: both values, and what changed between them."""
    past, asked = history(), explorer().edits.asked
    if asked is not None and asked[0] is past.present:
        before, edit, done = past.present, asked[1], False
        after = before.with_classes(edit.side, edit.of(before.classes(edit.side)))
    else:
        last = edit_between(past.past[-1].instance, past.present.instance) if past.past else None
        if last is None:
            show_text(HINT, "note", key="why_hint")
            return
        before, after, edit, done = past.past[-1], past.present, last, True
    found = why(measure, before.explained(), after.explained())
    with st.container(border=True, key="why"):
        show_text(_question(measure, found, edit, done), key="why_question")
        with st.container(horizontal=True, key="why_numbers"):
            for words, derivation in (("before", found.before), ("after", found.after)):
                st.latex(rf"\text{{{words}}}\quad {derivation.latex}")
        show_text(found.sentence, key="why_sentence")
        _why_buttons(before, edit, done)


def _question(measure: Measure, found: Why, edit: ClassEdit, done: bool) -> str:
    """What is answered below it."""
    name = f"{edit.name}{'' if edit.side == 'predicted' else ' (true)'}"
    key, moved = called(measure.key), change(measure, *found.values)
    verb = "change" if math.isnan(moved.amount) else "rise" if moved.amount > 0 else "fall"
    if moved.word == "same":
        return f"Why {'did' if done else 'would'} {key} not change with {name}?"
    return f"Why {'did' if done else 'would'} {key} {verb} with {name}?"


def _why_buttons(before: Shown, edit: ClassEdit, done: bool) -> None:
    with st.container(horizontal=True, key="why_buttons"):
        if not done:
            asked = {"side": edit.side, "added": edit.added, "removed": edit.removed}
            button("Do it", key="why_do", icon=":material/check:", action=partial(_do, asked))
        button(
            "Pin before",
            key="why_pin",
            icon=":material/keep:",
            action=partial(model.change, pinned=Pinned(before)),
            help="Show in the table above how every value changed with it.",
        )
        if VIEWS[view_state().view].walk:
            button("Steps", key="why_steps", icon=":material/footprint:", action=_steps)
        button(
            "Card",
            key="why_card",
            icon=":material/school:",
            action=partial(_make_card, before, edit),
            help="Make a card of this: before and after, side by side in My lesson on the page Learn.",
        )
    if cards := len(mine().cards):
        show_text(f"Cards in My lesson: {cards}.", "note", key="why_cards")
    show_fault("why_card")


def _make_card(before: Shown, edit: ClassEdit) -> None:
    after = before.with_classes(edit.side, edit.of(before.classes(edit.side)))
    attempt("why_card", lambda: add_card(before, view_state(), sorted(explorer().starred), after))


def _steps() -> None:
    model.set_view_state(replace(view_state(), step=0, what_if=False))
