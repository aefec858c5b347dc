"""The data of the components that draw an Explorer's state, the same for every host, and what
differs between hosts. Nothing is computed about measures.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from hiermeasures.behaviour.what_if import Engine, WhatIf
from hiermeasures.cases import CheckedCell
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.component_data import graph_data, values_data
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.edits import Reason, edits_to_show, effects, reason
from hiermeasures.explorer.library import printed_values
from hiermeasures.explorer.model import Pencil, State
from hiermeasures.picture.layout import in_sight
from hiermeasures.picture.scene import Arrangement, shown_label
from hiermeasures.picture.views import VIEWS

Printed = Mapping[str, tuple[CheckedCell, ...]]
Edits = Callable[[], WhatIf]
SAMPLE = {"text": "± ▲▼", "faint": True, "struck": False}
EFFECTS = {"what": "badge", "sample": SAMPLE, "words": "a click: ▲ better, ▼ worse"}  # of the legend
EDIT_HINT = "Click: select · drag from class to class: draw an edge · double-click: rename"


def places(state: State) -> Arrangement:
    """The arrangement of a state that is arranged."""
    assert state.arrangement is not None
    return state.arrangement


def graph(
    state: State,
    found: Edits | None,
    *,
    view: str,
    click: Mapping[str, Any],
    hint: Mapping[str, Any] | None = None,
    zoom: bool = True,
) -> dict[str, Any]:
    """The hierarchy with what is marked on it: `graph_data`, the class that keeps its place
    (`anchor`), whether children were `unfolded`, what is selected while a click edits (edit.js),
    what a click on each class would do where edits are `found`, and a hint (hint.js).
    """
    ids = places(state).ids
    data = graph_data(
        places(state),
        state.overlay,
        view=view,
        alt=state.shown.described,
        focus=in_sight(state.shown.hierarchy, state.edited or state.shown.selected),
        click={"sides": True, **click},
        zoom=zoom,
    )
    if state.unfolded in ids:
        data["anchor"] = ids[state.unfolded]
    if places(state).neighbourhood.unfolded:
        data["unfolded"] = True
    if hint:
        data["hint"] = hint
    if state.drawing:
        data["editing"] = _editing(state.drawing, ids)
    if found:
        changes = effects(found(), state.view_state.measure)
        data["scene"]["legend"].append(EFFECTS)
        data["effects"] = {
            mode: {ids[c]: asdict(effect) for c, effect in by_class.items() if c in ids}
            for mode, by_class in changes.items()
        }
    return data


def _editing(at: Pencil, ids: Mapping[str, str]) -> dict[str, Any]:
    hint = EDIT_HINT
    if at.linking:
        hint = f"Click the child of {shown_label(at.selected)}." if at.selected else "Click the parent, then the child."
    return {
        "selected": ids.get(at.selected or ""),
        "edge": [ids[c] for c in at.edge] if at.edge and set(at.edge) <= set(ids) else None,
        "linking": at.linking,
        "naming": {"id": ids[at.naming], "turn": at.turn} if at.naming is not None and at.naming in ids else None,
        "fault": at.fault,
        "hint": hint,
    }


def values(state: State, printed: Printed | None = None) -> tuple[dict[str, Any], int]:
    """The table of values, and how many were left out; `printed` as in `values_data`."""
    pinned = state.compared or state.with_defaults
    return values_data(
        state.explanation,
        state.view_state.measure,
        keys=state.listed(printed or ()),
        short=state.short,
        starred=state.starred,
        before=pinned.explanation if pinned else None,
        printed=printed,
        changed=state.shown.changed,
    )


def edits(state: State, printed: Printed | None = None, engine: Engine | None = None) -> Edits | None:
    """The edits over the drawn classes with what they would do to the listed measures, if that is
    looked at; computed once, when they are first drawn, for a gesture does not ask for them.
    """
    if not state.view_state.what_if or not state.shown.selected:
        return None
    return cache(
        lambda: edits_to_show(
            state.shown.instance,
            state.explanation,
            chosen=state.view_state.measure,
            listed=state.listed(printed or ()),
            drawn=places(state).neighbourhood.nodes,
            sides=state.edits.sides,
            engine=engine,
        )
    )


@dataclass(frozen=True)
class Words:
    """The words and formulas about the chosen measure or an edit; formulas are LaTeX."""

    title: str
    formulas: tuple[str, ...] = ()
    sentence: str = ""
    note: str = ""


def evidence(state: State) -> Words:
    """The chosen measure with its formula in numbers, the sentence, and what the view notes."""
    x, at = state.explanation, state.view_state
    measure, derivation = x.measure(at.measure), x.derivation(at.measure)
    formula = f"{measure.symbol} = {derivation.latex}"
    return Words(measure.heading, (formula,), derivation.sentence, VIEWS[at.view].note(x, at))


def about(state: State) -> str:
    """The chosen measure's description and source."""
    measure = state.explanation.measure(state.view_state.measure)
    return f"{measure.description} Source: {measure.source}."


def why(state: State) -> tuple[Reason, Words] | None:
    """The reason why the measure changes with the edit asked about, else the last; None without."""
    found = reason(state.explanation.measure(state.view_state.measure), state.edits, state.before, state.shown)
    if found is None:
        return None
    sides = {"before": found.why.before, "after": found.why.after}
    formulas = (rf"\text{{{words}}}\quad {derivation.latex}" for words, derivation in sides.items())
    return found, Words(found.question, tuple(formulas), found.why.sentence)


# --- the differences between hosts --------------------------------------------------------------


def nothing(state: State) -> Controls:
    return ()


def printed_of_figure(state: State) -> Printed:
    """Return the values that the paper of the figure prints."""
    return printed_values(state.shown)


def read_here(read: Callable[..., Any], *arguments: Any, **settings: Any) -> Any:
    """Return what a reader of files returns, in this process."""
    try:
        return read(*arguments, **settings)
    except MemoryError:
        raise InputError("this takes too much memory to be read here") from None
    except RecursionError:
        raise InputError("this is nested too deeply to be read here") from None


@dataclass(frozen=True)
class Host:
    """A host of the Explorer. `rows` stand above the drawing, `tools` in the toolbar and `why` with
    the reason of a change. `to_page` leads to another page, given its name and parameters; `course`
    are those of the course. `printed` is what a paper prints of a state's measures. `read` calls a
    reader of files as sandbox.py does. Links begin with `address`; without one there are none.
    `engine` may compute edits. In a `window` the drawing fills it; `address_bar`: it shows the
    screen's word.
    """

    rows: Callable[[State], Controls] = nothing
    tools: Callable[[State], Controls] = nothing
    why: Callable[[State], Controls] = nothing
    to_page: Callable[[Any, str, Mapping[str, str]], Any] | None = None
    printed: Callable[[State], Printed] = printed_of_figure
    course: Mapping[str, str] = field(default_factory=dict)
    read: Callable[..., Any] = read_here
    address: str = ""
    engine: Engine | None = None
    window: bool = False
    address_bar: bool = False
