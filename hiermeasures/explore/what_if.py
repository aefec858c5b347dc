"""Edits of one class on the screen.

The drawing shows how a click on each class changes the chosen measure. A table shows all edits with
their effects on the listed measures. hiermeasures.debug.what_if computes them.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, get_args

from hiermeasures.debug.what_if import (
    KINDS,
    MOST_EDITS,
    ChangeReason,
    ClassEdit,
    Engine,
    Kind,
    Order,
    ValueChange,
    WhatIf,
    change,
    edit_between,
    edits_of,
    what_if,
    why,
)
from hiermeasures.draw.scene import shown_label, shown_title
from hiermeasures.explore.component_data import symbol_parts
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.words import agree, join_words
from hiermeasures.measures import Explanation, Instance, Measure, SideName
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import spoken

# edits, while the kernels are not ready: each takes `explain` some milliseconds
MOST_EXPLAINED = 120
MOST_LABELS = 300_000  # of all edited instances together, which the array engine reads
# seconds for all edits; those of the engine by what the instance took `explain`
BUDGET, KERNELS_FASTER = 1.0, 50
MOST_ROWS = 60
ONE_CLICK: tuple[Kind, ...] = ("add", "remove")
MOVE: tuple[Kind, ...] = ("move",)
MEANINGS = {
    "better": "better",
    "worse": "worse",
    "same": "no change",
    "undefined": "not defined before or after",
}
HINT = (
    "Point at a row to see the edit in the drawing, and click it to apply the edit. Press ? "
    "in a row to see the reason."
)
ARROWS = {"better": "▲", "worse": "▼", "same": "·"}


@dataclass(frozen=True)
class EditChoice:
    """The filter and order of the table's edits, and the edit that a person `asked` about."""

    sides: tuple[SideName, ...] = ("predicted",)
    kinds: tuple[Kind, ...] = KINDS
    order: Order = "best"
    only_conflicts: bool = False
    asked: tuple[Shown, ClassEdit] | None = None


def edits_to_show(
    instance: Instance,
    explanation: Explanation,
    *,
    chosen: str,
    listed: Iterable[str],
    drawn: Sequence[str],
    sides: Sequence[SideName],
    engine: Engine | None = None,
) -> WhatIf:
    """Return the edits of the classes `drawn`, with their effects on the chosen and `listed`
    measures.

    Edits add and remove classes on either side, and replace classes on these `sides`, within a time
    budget. The host may have an `engine`.
    """
    measures = []
    for measure in dict.fromkeys(map(explanation.measure, (chosen, *listed))):
        reads = [structure for structure, _ in measure.reads(explanation.options).values()]
        if (
            measure.key == chosen
            or explanation.spent < BUDGET
            or all(map(explanation.has_built, reads))
        ):
            explanation.value(measure)
            measures.append(measure)
    computed = max(1, round(BUDGET * KERNELS_FASTER / max(explanation.spent, 0.001)))
    return what_if(
        explanation,
        measures,
        chain(
            edits_of(instance, drawn, kinds=ONE_CLICK),
            edits_of(instance, drawn, sides=sides, kinds=MOVE),
        ),
        most=min(
            MOST_EDITS, computed, max(1, MOST_LABELS // len(instance.true | instance.predicted))
        ),
        most_explained=MOST_EXPLAINED,
        seconds=BUDGET,
        engine=engine,
    )


def short(moved: ValueChange) -> str:
    """Return a change with its arrow, ▲ better, ▼ worse, as short as possible: "+.10 ▲", "−1.50 ▼",
    "+5 ▼", "0 ·".
    """
    if math.isnan(moved.amount):
        return "–"
    if moved.word == "same":
        return f"0 {ARROWS['same']}"
    size = abs(moved.amount)
    if size < 0.005:
        text = f"{size:.1g}".removeprefix("0")
    elif round(size, 2) < 1:
        text = f"{size:.2f}".removeprefix("0")
    else:
        text = f"{size:,.0f}" if math.isclose(size, round(size), abs_tol=0.005) else f"{size:,.2f}"
    return f"{'+' if moved.amount > 0 else '−'}{text} {ARROWS[moved.word]}"


def effects(found: WhatIf, key: str) -> dict[str, dict[str, dict[str, str]]]:
    """Return the effects of a click on a measure for effects.js, by kind of click and by class.

    An effect is the change with an arrow, its kind, and its words.
    """
    made: dict[str, dict[str, dict[str, str]]] = {side: {} for side in get_args(SideName)}
    before = found.before[key]
    for k, edit in enumerate(found.edits):
        if edit.kind != "move":
            moved = found.change(k, key)
            words = f"{spoken(key)} {number(before)} → {number(found.after[key][k])}, {MEANINGS[moved.word]}"
            made[edit.side][edit.classes[0]] = {
                "text": short(moved),
                "word": moved.word,
                "words": f"A click: {words}.",
            }
    return made


def edits_data(found: WhatIf, choice: EditChoice, key: str, more_edits: str = "") -> dict[str, Any]:
    """Return the data of the table of the chosen edits.

    `key` is the chosen measure. If edits are left out, the note ends with `more_edits`.
    """
    wanted = [
        k
        for k in found.ranked(choice.order, key)
        if found.edits[k].side in choice.sides
        and found.edits[k].kind in choice.kinds
        and (found.conflicts[k] or not choice.only_conflicts)
    ]
    columns = [
        {
            "key": m.key,
            "title": spoken(m.key),
            "symbol": symbol_parts(m.symbol),
            "about": f"{m.name}; {m.better} is better",
            "before": number(found.before[m.key]),
            "chosen": m.key == key,
        }
        for m in found.measures
    ]
    notes = [] if wanted else ["This kind has no edits."]
    notes += [f"The first {MOST_ROWS} of {len(wanted):,} edits."] if len(wanted) > MOST_ROWS else []
    if wanted and found.left_out:
        notes.append(f"{found.left_out:,} more edits are left out. {more_edits}".strip())
    rows = [_row(found, k) for k in wanted[:MOST_ROWS]]
    return {"columns": columns, "rows": rows, "meanings": MEANINGS, "note": " ".join(notes)}


def _row(found: WhatIf, k: int) -> dict[str, Any]:
    edit = found.edits[k]
    moved = ((found.change(k, m.key), found.after[m.key][k]) for m in found.measures)
    added, removed = (
        None if label is None else shown_label(label) for label in (edit.added, edit.removed)
    )
    return {
        "edit": {"side": edit.side, "added": edit.added, "removed": edit.removed},
        "name": ClassEdit(edit.side, added, removed).name,
        "about": standing(edit, found.instance) if edit.side == "predicted" else "true",
        "cells": [
            {"text": short(each), "word": each.word, "after": number(after)}
            for each, after in moved
        ],
        "remark": remark(found, k),
        "classes": [shown_title(c) for c in edit.classes],
    }


def standing(edit: ClassEdit, instance: Instance) -> str:
    """Classify an edit of the predicted classes: right, wrong, or above a true class."""
    label = edit.added or edit.removed
    if edit.kind != "move" and any(
        label in instance.hierarchy.ancestors(c) for c in instance.true - {label}
    ):
        return (
            "above the truth"
            if label not in instance.true
            else "right"
            if edit.kind == "add"
            else "wrong"
        )
    return {True: "right", False: "wrong", None: ""}[edit.right(instance)]


def remark(found: WhatIf, k: int) -> str:
    """Describe how far the measures agree about an edit."""
    words = {word: tuple(map(spoken, keys)) for word, keys in found.words(k).items()}
    up, down = words["better"], words["worse"]
    right = found.edits[k].right(found.instance)

    def named(keys: Sequence[str]) -> str:
        many = f"{len(keys)} measures" if len(keys) > 2 else join_words(keys)
        return f"{many} {agree(len(keys), 'is')}"

    if not up and not down:
        return "nothing changes"
    if right is True and down:
        return f"a right class, and {named(down)} worse"
    if right is False and up and found.edits[k].kind == "add":
        kind = (
            "a class above the truth"
            if standing(found.edits[k], found.instance) == "above the truth"
            else "a wrong class"
        )
        return f"{kind}, and {named(up)} better"
    if not up or not down:
        return "all agree" if not words["same"] else ""
    few = min(up, down, key=len)
    return f"{' and '.join(few)} against the others" if len(few) < 3 else "divided"


def edit_asked(value: Mapping[str, Any], instance: Instance) -> ClassEdit | None:
    """Return the edit that a gesture names, if the instance allows it."""
    added, removed = (
        c if isinstance(c, str) else None for c in (value.get("added"), value.get("removed"))
    )
    side: SideName | None = next((s for s in get_args(SideName) if s == value.get("side")), None)
    if side is None or (added is None and removed is None):
        return None
    now = instance.true if side == "true" else instance.predicted
    fits = (added is None or (added in instance.hierarchy and added not in now)) and (
        removed is None or removed in now
    )
    return ClassEdit(side, added, removed) if fits else None


@dataclass(frozen=True)
class Reason:
    """The reason for a change by an edit of the state `before`. `done` means that the edit was
    made.
    """

    measure: Measure
    before: Shown
    edit: ClassEdit
    done: bool
    why: ChangeReason

    @property
    def question(self) -> str:
        name = f"{self.edit.name}{'' if self.edit.side == 'predicted' else ' (true)'}"
        moved = change(self.measure, *self.why.values)
        verb = "change" if math.isnan(moved.amount) else "rise" if moved.amount > 0 else "fall"
        verb = "not change" if moved.word == "same" else verb
        return (
            f"Why {'did' if self.done else 'would'} {spoken(self.measure.key)} {verb} with {name}?"
        )


def reason(measure: Measure, choice: EditChoice, last: Shown | None, now: Shown) -> Reason | None:
    """Return the reason for the edit in question, or for the edit since the `last` state."""
    asked = choice.asked[1] if choice.asked is not None and choice.asked[0] is now else None
    before, edit = (
        (now, asked)
        if asked
        else (last, edit_between(last.instance, now.instance) if last else None)
    )
    if before is None or edit is None:
        return None
    after = before.with_classes(edit.side, edit.of(before.classes(edit.side))) if asked else now
    found = why(measure, before.explained(), after.explained())
    return Reason(measure=measure, before=before, edit=edit, done=asked is None, why=found)
