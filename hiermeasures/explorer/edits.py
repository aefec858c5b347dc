"""Edits of one class as they are shown: what a click on each class would do to the chosen measure,
and the table of all edits over the measures that are listed. What edits do is computed by
hiermeasures.behaviour.what_if.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, get_args

from hiermeasures.behaviour.what_if import (
    KINDS,
    MOST_EDITS,
    Change,
    ClassEdit,
    Engine,
    Kind,
    Order,
    WhatIf,
    Why,
    change,
    edit_between,
    edits_of,
    what_if,
    why,
)
from hiermeasures.explorer.component_data import Effect
from hiermeasures.explorer.state import Shown
from hiermeasures.measures import Explanation, Instance, Measure, SideName
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import spoken
from hiermeasures.picture.scene import shown_label, shown_title

MOST_EXPLAINED = 120  # edits, while the kernels are not ready: each takes `explain` some milliseconds
MOST_LABELS = 300_000  # of all edited instances together, which the array engine reads
BUDGET, KERNELS_FASTER = 1.0, 50  # seconds for all edits; those of the engine by what the instance took `explain`
MOST_ROWS = 60
ONE_CLICK: tuple[Kind, ...] = ("add", "remove")
MOVE: tuple[Kind, ...] = ("move",)
MEANINGS = {"better": "better", "worse": "worse", "same": "no change", "undefined": "not defined before or after"}
HINT = "A row previews on the drawing and a click does it. Press ? in a row to be told why."
ARROWS = {"better": "▲", "worse": "▼", "same": "·"}


@dataclass(frozen=True)
class EditChoice:
    """Which edits the table lists, in which order, and the edit `asked` about of an instance."""

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
    """The edits over the classes `drawn`, and what each would do to the chosen measure and to those
    that are `listed`, as far as the time allows: classes added and taken away on either side, and
    replaced on these `sides`. The host may have an `engine`.
    """
    measures = _measures(explanation, chosen, listed)
    computed = max(1, round(BUDGET * KERNELS_FASTER / max(explanation.spent, 0.001)))
    return what_if(
        explanation,
        measures,
        chain(edits_of(instance, drawn, kinds=ONE_CLICK), edits_of(instance, drawn, sides=sides, kinds=MOVE)),
        most=min(MOST_EDITS, computed, max(1, MOST_LABELS // len(instance.true | instance.predicted))),
        most_explained=MOST_EXPLAINED,
        seconds=BUDGET,
        engine=engine,
    )


def _measures(explanation: Explanation, key: str, listed: Iterable[str]) -> list[Measure]:
    chosen = explanation.measure(key)
    found = []
    for measure in dict.fromkeys((chosen, *map(explanation.measure, listed))):
        reads = [structure for structure, _ in measure.reads(explanation.options).values()]
        if measure is chosen or explanation.spent < BUDGET or all(map(explanation.has_built, reads)):
            explanation.value(measure)
            found.append(measure)
    return found


def short(moved: Change) -> str:
    """A change with its arrow: ▲ better, ▼ worse."""
    if math.isnan(moved.amount):
        return "–"
    if moved.word == "same":
        return f"0 {ARROWS['same']}"
    sign = "+" if moved.amount > 0 else "−"
    return f"{sign}{_size(abs(moved.amount))} {ARROWS[moved.word]}"


def _size(amount: float) -> str:
    """A size as short as it can be seen, such as .07, 1.50 and 5."""
    if amount < 0.005:
        return f"{amount:.1g}".removeprefix("0")
    if round(amount, 2) < 1:
        return f"{amount:.2f}".removeprefix("0")
    return f"{amount:,.0f}" if math.isclose(amount, round(amount), abs_tol=0.005) else f"{amount:,.2f}"


def _in_words(measure: Measure, before: float, after: float, moved: Change) -> str:
    return f"{spoken(measure.key)} {number(before)} → {number(after)}, {MEANINGS[moved.word]}"


def effects(found: WhatIf, key: str) -> dict[str, dict[str, Effect]]:
    made: dict[str, dict[str, Effect]] = {side: {} for side in get_args(SideName)}
    measure = found.measure(key)
    for k, edit in enumerate(found.edits):
        if edit.kind == "move":
            continue
        moved = found.change(k, key)
        words = _in_words(measure, found.before[key], found.after[key][k], moved)
        made[edit.side][edit.classes[0]] = Effect(short(moved), moved.word, f"A click: {words}.")
    return made


def edits_data(found: WhatIf, choice: EditChoice, key: str) -> dict[str, Any]:
    wanted = [
        k
        for k in found.ranked(choice.order, key)
        if found.edits[k].side in choice.sides
        and found.edits[k].kind in choice.kinds
        and (found.conflicts[k] or not choice.only_conflicts)
    ]
    return {
        "columns": [_column(m, found.before[m.key]) | {"chosen": m.key == key} for m in found.measures],
        "rows": [_row(found, k) for k in wanted[:MOST_ROWS]],
        "meanings": MEANINGS,
        "note": _note(found, len(wanted)),
    }


def _column(measure: Measure, before: float) -> dict[str, Any]:
    about = f"{measure.name}; {measure.better} is better"
    return {"key": measure.key, "title": spoken(measure.key), "about": about, "before": number(before)}


def _note(found: WhatIf, rows: int) -> str:
    if not rows:
        return "No edit is of this kind."
    notes = [f"The first {MOST_ROWS} of {rows:,} edits."] if rows > MOST_ROWS else []
    if found.left_out:
        notes.append(f"{found.left_out:,} more edits are left out.")
    return " ".join(notes)


def _row(found: WhatIf, k: int) -> dict[str, Any]:
    edit = found.edits[k]
    moved = ((found.change(k, m.key), found.after[m.key][k]) for m in found.measures)
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
    words = {word: tuple(map(spoken, keys)) for word, keys in found.words(k).items()}
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
    if len(keys) > 2:
        return f"{len(keys)} measures are"
    return f"{' and '.join(keys)} {'is' if len(keys) == 1 else 'are'}"


def edit_asked(value: Mapping[str, Any], instance: Instance) -> ClassEdit | None:
    added, removed = (c if isinstance(c, str) else None for c in (value.get("added"), value.get("removed")))
    side: SideName | None = next((s for s in get_args(SideName) if s == value.get("side")), None)
    if side is None or (added is None and removed is None):
        return None
    now = instance.true if side == "true" else instance.predicted
    fits = (added is None or (added in instance.hierarchy and added not in now)) and (removed is None or removed in now)
    return ClassEdit(side, added, removed) if fits else None


@dataclass(frozen=True)
class Reason:
    """The reason for a change by an edit of the state `before`, made already (`done`) or not."""

    measure: Measure
    before: Shown
    edit: ClassEdit
    done: bool
    why: Why

    @property
    def question(self) -> str:
        name = f"{self.edit.name}{'' if self.edit.side == 'predicted' else ' (true)'}"
        key, moved = spoken(self.measure.key), change(self.measure, *self.why.values)
        verb = "change" if math.isnan(moved.amount) else "rise" if moved.amount > 0 else "fall"
        if moved.word == "same":
            return f"Why {'did' if self.done else 'would'} {key} not change with {name}?"
        return f"Why {'did' if self.done else 'would'} {key} {verb} with {name}?"


def reason(measure: Measure, choice: EditChoice, last: Shown | None, now: Shown) -> Reason | None:
    """The answer about the edit asked about, or else the one that led from the `last` state."""
    if choice.asked is not None and choice.asked[0] is now:
        edit, before, done = choice.asked[1], now, False
        after = before.with_classes(edit.side, edit.of(before.classes(edit.side)))
    else:
        made = edit_between(last.instance, now.instance) if last else None
        if last is None or made is None:
            return None
        before, after, edit, done = last, now, made, True
    found = why(measure, before.explained(), after.explained())
    return Reason(measure=measure, before=before, edit=edit, done=done, why=found)
