"""The table of values, and the row above it: which measures it shows, a person's own ones, each
made from an expression, and the pin, since which every value shows its change.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

from hiermeasures.core.errors import InputError
from hiermeasures.core.expressions import ExpressionError
from hiermeasures.explorer import controls
from hiermeasures.explorer.component_data import SPENT, values_data
from hiermeasures.explorer.library import in_words
from hiermeasures.explorer.model import MeasureFilter, OwnMeasures, Pinned, State
from hiermeasures.explorer.panel import second_field
from hiermeasures.explorer.state import Shown
from hiermeasures.measures import CATALOGUE, FAMILIES
from hiermeasures.measures.catalogue import Direction, number
from hiermeasures.measures.own import MOST_OWN, OWN, SIZES, called, parted
from hiermeasures.measures.registry import TITLES
from hiermeasures.picture.text import sentence

DEFAULTS = "Change against the default options"
PRINTED, CHANGED = "as printed: ✓ matches  ≠ explained  ? unexplained", "printed for the figure, not for this"
EXAMPLE = "0.5*hF + 0.5*F_LCA"
HELP = (
    "Names: every measure by its key, such as hF, F_LCA, GIE; parts of structures, such as augmented.shared, lca.true, "
    f"confusion.TP, pairing_GIE.error; {' and '.join(SIZES)}. Also + − * /, brackets, min, max, abs, sqrt, rounded. "
    "docs/expressions.md lists them all."
)


def area(state: State) -> controls.Controls:
    pinned = state.compared or state.with_defaults
    data, left_out = values_data(
        state.explanation,
        state.view_state.measure,
        keys=state.listed,
        short=state.short,
        starred=state.starred,
        before=pinned.explanation if pinned else None,
        printed=state.printed,
        changed=state.shown.changed,
    )
    second = second_field(state) if state.shown.selected and not state.view_state.what_if else None
    return (
        controls.row(
            *_listing(state, len(state.printed)), _filter(state), _own(state), *_pin(state), second, style="head"
        ),
        controls.words(_caption(state), "line", key="values_caption"),
        controls.component("values", "values", lambda: data),
        *([controls.words(SPENT.format(left_out), "note", key="values_left_out")] if left_out else []),
    )


def _listing(state: State, printed: int) -> controls.Controls:
    at, total = state.filter, len(CATALOGUE) + len(state.definitions)
    if at.asks:
        return ()
    everything = controls.button(
        "all_measures",
        "The core" if at.everything else f"All {total} measures",
        _filtered(everything=not at.everything, printed=False),
    )
    if not printed:
        return (everything,)
    few = controls.button(
        "printed_measures",
        "The core" if at.printed else f"The {printed} in the paper",
        _filtered(everything=False, printed=not at.printed),
        disabled=state.shown.changed and not at.printed,
    )
    return everything, few


def _filtered(**parts: Any) -> Callable[[State], State]:
    return lambda state: replace(state, filter=replace(state.filter, **parts))


def _entered(part: str) -> Callable[[State, Any], State]:
    return lambda state, entry: _filtered(**{part: entry})(state)


def _filter(state: State) -> controls.Control:
    at, own = state.filter, state.definitions
    total, families = len(CATALOGUE) + len(own), {**({OWN.key: OWN} if own else {}), **FAMILIES}
    titles: dict[str, str] = {**TITLES, **{key: family.title for key, family in families.items()}}

    def content() -> controls.Controls:
        chosen = [key for key in at.families if key in titles]
        every = lambda s: replace(s, filter=MeasureFilter(everything=True))  # noqa: E731
        return (
            controls.text("filter_text", "Name", at.text, _entered("text"), placeholder="such as F1, pairs, recall"),
            controls.pills("filter_families", "Tiers and families", chosen, titles, _entered("families")),
            controls.button("filter_none", "Show all", every, disabled=not at.asks),
        )

    label = f"{len(state.matching)} of {total} measures" if at.asks else "Filter"
    return controls.menu(state, "measures_filter", label, content)


def _pin(state: State) -> controls.Controls:
    at, shown = state.pinned, state.shown
    if at is None:
        about = "Show how every value changes from now on."
        pinning = lambda s: replace(s, pinned=Pinned(s.shown))  # noqa: E731
        return (controls.button("pin", "Pin", pinning, help=about, disabled=not shown.selected),)
    return (controls.button("pin", "Unpin", lambda s: replace(s, pinned=None), help="Show no changes any more."),)


def _caption(state: State) -> str:
    """Return the caption of the table's last columns; a blank keeps the table in its place."""
    if state.pinned:
        return _about_pin(state.pinned, state.shown)
    if state.with_defaults:
        return DEFAULTS
    return (CHANGED if state.shown.changed else PRINTED) if state.printed else "\N{NO-BREAK SPACE}"


def _about_pin(at: Pinned, shown: Shown) -> str:
    if at.comparable(shown) or not shown.selected:
        return f"Change since: {in_words(at.shown)}"
    return f"Not compared: pinned on another hierarchy, {in_words(at.shown)}"


def _own(state: State) -> controls.Control:
    at = state.own
    label = f"Own measures · {len(at.definitions)}" if at.definitions else "Own measures"

    def content() -> controls.Controls:
        full = len(at.definitions) >= MOST_OWN and at.editing is None
        most = controls.words(f"{MOST_OWN} at a time are the most; remove one to add another.", "note")
        return (
            controls.words("Your own measure", "title", help=HELP),
            *(_own_listed(k, definition) for k, definition in enumerate(at.definitions)),
            *((most,) if full else _own_form(state)),
        )

    return controls.menu(state, "own", label, content)


def _own_listed(k: int, definition: str) -> controls.Control:
    name = called(definition)
    return controls.row(
        controls.words(f"{name} = {parted(definition)[1]}", "line", key=f"own_row_{k}"),
        controls.button(f"own_edit_{k}", f"Edit {name}", lambda s: replace(s, own=s.own.edited(definition)), icon="✎"),
        controls.button(f"own_remove_{k}", f"Remove {name}", lambda s: s.without_own(definition), icon="✕"),
    )


def _own_form(state: State) -> controls.Controls:
    at = state.own

    def typed(part: str) -> Any:
        return lambda s, entry: replace(s, own=replace(s.own, **{part: entry}))

    directions = {direction: direction for direction in get_args(Direction)}
    save = controls.button("own_save", "Add" if at.editing is None else "Save", State.with_draft, primary=True)
    cancel = controls.button("own_cancel", "Cancel", lambda s: replace(s, own=OwnMeasures(s.own.definitions)))
    return (
        controls.row(
            controls.text("own_name", "Name", at.name, typed("name"), placeholder="mine"),
            controls.switch("own_better", "Better when", at.better, directions, typed("better"), title=True),
            style="pairs",
        ),
        controls.text(
            "own_expression",
            "Expression",
            at.expression,
            typed("expression"),
            help=HELP,
            placeholder=EXAMPLE,
            longest=2_000,
        ),
        *_checked(state),
        controls.row(save, cancel if at.editing is not None else None),
    )


def _checked(state: State) -> controls.Controls:
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
    return (controls.words(f"Here it is {number(value)}.", "note", key="own_value"),) if state.shown.selected else ()
