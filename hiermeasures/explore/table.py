"""The table of values, and the row above it.

The row contains the filter of measures, own measures, and the pin. After pinning, every value shows
its change. The table lists the measures by family, with two decimals and all digits on hover. The
browser gets only values and own measures.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from hiermeasures.debug.what_if import change, edit_between
from hiermeasures.draw.text import sentence
from hiermeasures.explore import controls, gestures
from hiermeasures.explore.component_data import about, two_decimals
from hiermeasures.explore.controls import Control, Controls, put
from hiermeasures.explore.library import in_words, printed_of, printed_text, printed_words
from hiermeasures.explore.model import BUDGET, MeasureFilter, OwnMeasures, Pinned, State
from hiermeasures.explore.nearest import NearestChange
from hiermeasures.explore.panel import second_field
from hiermeasures.explore.what_if import short
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.expressions import ExpressionError
from hiermeasures.measures import CATALOGUE, FAMILIES, Explanation, Measure, find_measure
from hiermeasures.measures.catalogue import Direction, number
from hiermeasures.measures.own import MOST_OWN, OWN, SIZES, called, parted, spoken
from hiermeasures.measures.registry import TITLES
from hiermeasures.verify import CheckedCell
from hiermeasures.verify.verification import STATUSES

LEFT_OUT = {
    "value": "…",
    "exact": "left out because it takes long. Choose the measure to compute it.",
    "share": None,
}
SPENT = (
    "{} values are left out because they take too long after each click. Choose a measure to "
    "compute it. The command “hiermeasures score” computes all of them."
)
DEFAULTS = "Change against the default options"
TYPED = "printed in the paper: ✓ matches  ≠ differs"
PRINTED, CHANGED = (
    "as printed: ✓ matches  ≠ differs, with a reason  ? unexplained",
    "printed for the figure, not for this",
)
EXAMPLE = "0.5*hF + 0.5*F_LCA"
HELP = (
    "You can use measures by key (hF, F_LCA, GIE), parts of structures (augmented.shared, lca.true, "
    f"confusion.TP, pairing_GIE.error), {' and '.join(SIZES)}, + − * /, brackets, min, max, abs, "
    "sqrt, rounded. docs/expressions.md lists them all."
)


def area(state: State) -> Controls:
    data, left_out = values_data(state)
    caption = controls.words(_caption(state), "line", key="values_caption")
    return (
        controls.row(*_head(state), style="head"),
        *((caption,) if not state.quiet or state.explanation_before else ()),
        controls.component("values", "values", lambda: data, **gestures.VALUES),
        *_nearest(state),
        *(
            [controls.words(SPENT.format(left_out), "note", key="values_left_out")]
            if left_out
            else []
        ),
    )


def _head(state: State) -> Iterator[Control | None]:
    """Yield the controls above the table. A quiet screen shows only controls in use."""
    loud = not state.quiet
    yield from _listing(state)
    if loud or state.filter.asks:
        yield _filter(state)
    if loud or state.definitions:
        yield _own(state)
    if loud or state.pinned:
        yield _pin(state)
    if loud or state.column.typing:
        yield _typing(state)
    if (loud or state.second) and state.shown.selected and not state.view_state.what_if:
        yield second_field(state)


def values_data(state: State) -> tuple[dict[str, Any], int]:
    """Return the data of the table, and the number of values left out to stay within the time
    budget.

    The chosen value is always computed. If no class is marked, the table shows no values, because
    the score of empty sets is a convention.
    """
    before, measures = state.explanation_before, {key: find_measure(key) for key in state.listed}
    worked_out, last = state.worked_out, _last(state)
    own = [about(m) for m in measures.values() if m.group == OWN]
    data = {
        "rows": {
            key: (
                _row(state.explanation, measure, before) | _moved(state.explanation, measure, last)
                if key in worked_out
                else LEFT_OUT
            )
            | _printed(state.printed.get(key, ()), state.outdated)
            | _typed(state, key)
            for key, measure in measures.items()
        },
        "own": {"title": OWN.title, "about": OWN.description, "rows": own} if own else None,
        "printed": bool(state.printed) and not state.quiet,
        "quiet": state.quiet,
        "typing": is_typing(state),
        "chosen": state.view_state.measure,
        "pinned": before is not None,
        "short": state.short,
        "starred": sorted(state.starred),
    }
    return data, len(measures) - len(worked_out)


def _row(explanation: Explanation, measure: Measure, before: Explanation | None) -> dict[str, Any]:
    marked = bool(explanation.true | explanation.predicted)
    value = explanation[measure.key] if marked else math.nan
    row = {"value": two_decimals(value), "exact": _exact(value), "share": _share(measure, value)}
    if not marked:
        row["exact"] = "no class is marked"
    if before is None:
        return row
    then = before[measure.key]
    moved, same = (
        change(measure, then, value),
        {"same": "no change", "undefined": "not defined before or now"},
    )
    word = moved.word if moved.word in ("better", "worse") else ""
    # then a higher value is no better prediction
    other_options = before.options != explanation.options
    said = ("higher" if moved.amount > 0 else "lower") if other_options else word
    return row | {
        "change": "" if moved.word == "same" else signed(moved.amount),
        "word": "" if other_options else word,
        "moved": same.get(moved.word) or f"{signed(moved.amount)}, {said}",
        "before": _exact(then),
        "before_share": _share(measure, then),
    }


def _last(state: State) -> Explanation | None:
    """Return the explanation before the last edit of one class, if the table shows no other
    comparison.
    """
    last = state.before
    if not state.quiet or state.explanation_before or last is None:
        return None
    if not (last.selected and edit_between(last.instance, state.shown.instance)):
        return None
    return last.explained()


def _moved(explanation: Explanation, measure: Measure, last: Explanation | None) -> dict[str, Any]:
    """Return the change of a value by the last edit. The old value was on the screen, or is
    computed within the budget.
    """
    if last is None:
        return {}
    if last.spent >= BUDGET and not all(map(last.has_built, measure.structures)):
        return {}
    moved = change(measure, last[measure.key], explanation[measure.key])
    if moved.word not in ("better", "worse"):
        return {}
    return {"step": short(moved).partition(" ")[0], "step_word": moved.word}


def _printed(cells: tuple[CheckedCell, ...], changed: bool) -> dict[str, Any]:
    """Return the printed value, for the table and in words.

    If several values are printed, the one that agrees least is returned. After changes to the
    instance (`changed`), the verdict is left out.
    """
    if not cells:
        return {}
    if changed:
        words = f"{printed_of(cells)} for the figure."
        return {"printed": printed_text(cells[0]), "status": "changed", "paper": words}
    worst = max(cells, key=lambda cell: STATUSES.index(cell.status))
    return {"printed": printed_text(worst), "status": worst.status, "paper": printed_words(cells)}


def is_typing(state: State) -> bool:
    """Return True if you can type printed values: in your own paper, or on request."""
    return state.column.typing or state.part is not None


def _typed(state: State, key: str) -> dict[str, Any]:
    """Return the typed text in a row's field."""
    cells = state.printed.get(key, ()) if is_typing(state) and not state.outdated else ()
    return {"typed": cells[0].printed} if cells else {}


def _nearest(state: State) -> Iterator[Control]:
    """Yield the fault of a typed value, or the nearest changes that give it."""
    if fault := state.faults.get("printed"):
        yield controls.words(fault, "error", key="printed_fault")
        return
    key = state.view_state.measure
    if (cell := state.different(key)) is None:
        return
    told = f"{spoken(key)}: printed {cell.printed}, computed {cell.ours_text}."
    if cell.status != "unexplained":
        yield controls.words(f"{told} {cell.explanation}", "note", key="printed_explained")
        return
    if state.column.searched != (state.shown, key, cell.printed):
        search = controls.button(
            "search_nearest", f"What gives {cell.printed}?", lambda s: s.searched(key)
        )
        yield controls.row(controls.words(told, "note", key="printed_differs"), search)
        return
    changes = state.column.changes
    none = "" if changes else " No single option, label or edge gives the printed value."
    yield controls.words(
        told + (f" These changes give {cell.printed}:" if changes else none),
        "note",
        key="printed_differs",
    )
    for k, each in enumerate(changes):
        show = controls.button(
            f"nearest_show_{k}", "Show", partial(lambda at, s: s.showing(at.shown), each)
        )
        keep = controls.button(
            f"nearest_keep_{k}",
            "Keep as explanation",
            partial(_explain, key, each),
            help="Write this change into your paper as the explanation of the value.",
        )
        yield controls.row(controls.words(each.words, "line", key=f"nearest_{k}"), show, keep)


def _explain(key: str, change: NearestChange, state: State) -> State:
    cell, paper, part = state.different(key), state.written_paper, state.part
    if cell is None or paper is None or part is None:
        return state
    told = f"The printed value is that of another instance: {change.words}."
    return state.in_paper(paper.with_explanation(cell, told, change.variant), part)


def signed(amount: float) -> str:
    """Return a change for the table, with two decimals or more if it is small."""
    if math.isnan(amount):
        return "–"
    return f"{amount:+,.2f}" if abs(amount) >= 0.005 or amount == 0 else f"{amount:+.1g}"


def _exact(value: float) -> str:
    return "not defined here" if math.isnan(value) else repr(value)


def _share(measure: Measure, value: float) -> float | None:
    """Return the position of a value between its measure's bounds, from 0 to 1. None without
    bounds.
    """
    if measure.low is None or measure.high is None or math.isnan(value):
        return None
    return round((value - measure.low) / (measure.high - measure.low), 4)


def _listing(state: State) -> Controls:
    """Return the choice of measures: the core, all, or the measures in the paper."""
    at, printed = state.filter, len(state.printed)
    if at.asks:
        return ()
    every = replace(at, everything=not at.everything, printed=False)
    few = replace(at, everything=False, printed=not at.printed)
    words = (
        "Main measures only"
        if at.everything
        else f"All {len(CATALOGUE) + len(state.definitions)} measures"
    )
    everything = controls.button("all_measures", words, lambda s: replace(s, filter=every))
    if not printed or (state.quiet and not at.printed):
        return (everything,)
    words, disabled = (
        "Main measures only" if at.printed else f"The {printed} in the paper",
        state.outdated and not at.printed,
    )
    return everything, controls.button(
        "printed_measures", words, lambda s: replace(s, filter=few), disabled=disabled
    )


def _filter(state: State) -> Control:
    at, own = state.filter, {OWN.key: OWN} if state.definitions else {}
    titles: dict[str, str] = {
        **TITLES,
        **{key: family.title for key, family in {**own, **FAMILIES}.items()},
    }

    def content() -> Controls:
        chosen = [key for key in at.families if key in titles]
        every = lambda s: replace(s, filter=MeasureFilter(everything=True))
        typed, holder = put("filter", "text"), "such as F1, pairs, recall"
        return (
            controls.text("filter_text", "Name", at.text, typed, placeholder=holder),
            controls.pills(
                "filter_families", "Tiers and families", chosen, titles, put("filter", "families")
            ),
            controls.button("filter_none", "Show all", every, disabled=not at.asks),
        )

    total = len(CATALOGUE) + len(state.definitions)
    label = f"{len(state.matching)} of {total} measures" if at.asks else "Filter"
    return controls.menu(state, "measures_filter", label, content)


def _pin(state: State) -> Control:
    if state.pinned:
        return controls.button(
            "pin", "Unpin", lambda s: replace(s, pinned=None), help="Stop showing changes."
        )
    pinning, about = (
        lambda s: replace(s, pinned=Pinned(s.shown)),
        "Show the change of every value from now on.",
    )
    return controls.button("pin", "Pin", pinning, help=about, disabled=not state.shown.selected)


def _typing(state: State) -> Control | None:
    """Return the button that makes the printed column editable, unless it is."""
    at = state.column
    if state.part is not None or not state.shown.selected:
        return None
    turned = replace(at, typing=not at.typing)
    return controls.button(
        "type_printed",
        "A paper prints …",
        lambda s: replace(s, column=turned),
        pressed=at.typing,
        help="Type a printed value next to a measure, and see if it matches.",
    )


def _caption(state: State) -> str:
    """Return the caption of the table's last columns. A blank caption keeps the table in place."""
    if at := state.pinned:
        if not state.shown.selected or at.comparable(state.shown):
            return f"Change since: {in_words(at.shown)}"
        return f"Not compared: pinned on another hierarchy, {in_words(at.shown)}"
    if state.with_defaults:
        return DEFAULTS
    if is_typing(state) and not state.outdated:
        return TYPED
    return (CHANGED if state.outdated else PRINTED) if state.printed else "\N{NO-BREAK SPACE}"


def _own(state: State) -> Control:
    at = state.own
    label = f"Own measures · {len(at.definitions)}" if at.definitions else "Own measures"

    def content() -> Controls:
        full = len(at.definitions) >= MOST_OWN and at.editing is None
        most = controls.words(
            f"You can have at most {MOST_OWN} at a time. Remove one to add another.", "note"
        )
        return (
            controls.words("Your own measure", "title", help=HELP),
            *(_own_listed(k, definition) for k, definition in enumerate(at.definitions)),
            *((most,) if full else _own_form(state)),
        )

    return controls.menu(state, "own", label, content)


def _own_listed(k: int, definition: str) -> Control:
    name = called(definition)
    return controls.row(
        controls.words(f"{name} = {parted(definition)[1]}", "line", key=f"own_row_{k}"),
        controls.button(
            f"own_edit_{k}",
            f"Edit {name}",
            lambda s: replace(s, own=s.own.edited(definition)),
            icon="✎",
        ),
        controls.button(
            f"own_remove_{k}", f"Remove {name}", lambda s: s.without_own(definition), icon="✕"
        ),
    )


def _own_form(state: State) -> Controls:
    at = state.own
    directions = {direction: direction for direction in get_args(Direction)}
    save = controls.button(
        "own_save", "Add" if at.editing is None else "Save", State.with_draft, primary=True
    )
    cancel = controls.button(
        "own_cancel", "Cancel", lambda s: replace(s, own=OwnMeasures(s.own.definitions))
    )
    return (
        controls.row(
            controls.text("own_name", "Name", at.name, put("own", "name"), placeholder="mine"),
            controls.switch(
                "own_better", "Better when", at.better, directions, put("own", "better"), title=True
            ),
            style="pairs",
        ),
        controls.text(
            "own_expression",
            "Expression",
            at.expression,
            put("own", "expression"),
            help=HELP,
            placeholder=EXAMPLE,
            longest=2_000,
        ),
        *_checked(state),
        controls.row(save, cancel if at.editing is not None else None),
    )


def _checked(state: State) -> Controls:
    expression = state.own.expression.strip()
    if not expression:
        return ()
    try:
        value = state.explanation[f"x={expression}"]
    except ExpressionError as fault:
        reason = f"{fault.underlined}\n{sentence(InputError(fault.reason))}"
        return (controls.words(reason, "error", key="own_expression_fault"),)
    except InputError as fault:
        return (controls.words(sentence(fault), "error", key="own_expression_fault"),)
    return (
        (controls.words(f"Here it is {number(value)}.", "note", key="own_value"),)
        if state.shown.selected
        else ()
    )
