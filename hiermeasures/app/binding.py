"""Fields and buttons that show and change a page's model by gestures.

The truth is the model: one immutable value per page, in a `Slot` of the session. `bind` draws a
field from it. An entry becomes a `Gesture`, whose handler is the function that `bind` is given. No
page reads or writes the values of fields in `st.session_state`.

A Streamlit widget has its own value in the browser and on the server. So a field is a second copy
of a part of the model. Five habits of Streamlit make the copies differ:

- With every click the browser sends the values of *all* fields. A page that is a moment behind the
  model sends an old value, which looks like an entry. Therefore a field gets a new key (`turn`)
  when its value changes elsewhere, and values under an old key are ignored.
- Streamlit forgets a field that is not drawn in a run, for example because another page is shown.
  When it comes back it starts with the model's value, under a new key if that value is another.
- `st.session_state[key] = value` reaches the browser in that run only, and only if the field is
  drawn. Therefore the value is given as the widget's first value. Streamlit sends that in every
  run, and it stays the same as long as the key does (`start`).
- A choice arrives as None if the browser lost its connection. None is not an entry.
- Several changes that arrive together are handled in any order: a click on a button before the text
  that was typed just before it. Therefore `button` applies all entries before its action. Gestures
  in our components have an order, also among entries (inbox.py).
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

import streamlit as st

from hiermeasures.app import components
from hiermeasures.app.inbox import BUTTONS, FIELDS, PAGE, Slot, apply_pending, handlers, take
from hiermeasures.explore.outbox import Gesture
from hiermeasures.hierarchy.errors import InputError

BOUND = "bound_fields"  # the session's table of fields, by name
ENTERED = "entered"  # outbox.js notes under this key that something was entered in a field


@dataclass
class _Field:
    """The state of one field.

    `turn` counts its keys. `start` is the first value of the field with this key. `value` is the
    model's value at the last drawing. `seen` is the last entry that was applied or refused. If a
    field is not `bound`, it has only the fault of an action.
    """

    turn: int = 0
    start: Any = None
    value: Any = None
    seen: Any = None
    bound: bool = False
    fault: str = ""


def bind(
    widget: Callable[..., Any], field: str, value: Any, apply: Callable[[Any], object]
) -> Callable[..., Any]:
    """Return a Streamlit widget that shows `value` and passes entries to `apply`.

    Call the result as the widget itself is called, without `key`, `on_change` and the parameter for
    its first value (`value`, `default` or `index`):

        bind(st.segmented_control, "view", model.view, choose_view)("View", VIEWS, required=True)
        show_fault("view")

    The name of the field is unique in the app. It is the field's key, followed by a number after
    the first turn. `value` is the model's value. It is a list for a widget with several choices,
    and one option or None for a widget with one choice. The browser knows a choice by its words, so
    different options need different words. Draw a field at most once in a run, and read the model,
    never the field.

    If `apply` raises InputError, the field returns to the model's value. `show_fault` shows the
    reason until the next entry or change of the value.
    """
    handlers()[PAGE, ENTERED] = lambda value: apply_entries()
    handlers()[FIELDS, field] = apply
    fields = _fields()
    before = fields.get(field)
    now = _Field(0, value, value, value, bound=True)
    if before is not None and not before.bound:
        now.fault = before.fault
    elif before is not None:
        now.fault = before.fault if value in (before.value, before.seen) else ""
        same = _holds(field, before, value)
        now.turn, now.start = (before.turn, before.start) if same else (before.turn + 1, value)
    fields[field] = now
    key = _key(field, now.turn)

    def draw(label: str, *options: Any, **settings: Any) -> Any:
        first = _first_value(widget, now.start, options)
        return widget(
            label, *options, key=key, on_change=_entered, args=(field, key), **first, **settings
        )

    return draw


def show_fault(field: str) -> None:
    """Show next to a field why its last entry or action (`attempt`) was refused."""
    if (found := _fields().get(field)) is not None and found.fault:
        components.show_text(found.fault, "error", key=f"{field}_fault")


def attempt(field: str, action: Callable[[], object]) -> bool:
    """Run the action of a button or upload, and return whether it succeeds.

    An InputError is kept for `show_fault(field)` until the next attempt or entry.
    """
    found = _fields().setdefault(field, _Field())
    found.fault = ""
    try:
        action()
    except InputError as fault:
        found.fault = str(fault)
        return False
    return True


def forget_faults(*names: str) -> None:
    """Remove the faults of these fields."""
    for name in names:
        if name in _fields():
            _fields()[name].fault = ""


def apply_entries() -> None:
    """Apply all entries that are not in the model yet."""
    apply_pending()
    for field, found in list(_fields().items()):
        key = _key(field, found.turn)
        if found.bound and key in st.session_state:
            _entered(field, key)


def button(
    label: str,
    *,
    key: str,
    action: Callable[[], object],
    keys: str = "",
    help: str = "",
    **settings: Any,
) -> None:
    """Draw a Streamlit button. Each press is a gesture, in order with all others.

    You can also press it with keys such as "Ctrl+Z", which its tooltip names. While you type in a
    field, the field gets the keys.
    """
    st.session_state.setdefault(BUTTONS, {})[key] = keys
    handlers()[PAGE, key] = lambda value: action()
    if keys:
        help = f"{help or label} ({keys})"
    st.button(label, key=key, on_click=_press, args=(action,), help=help or None, **settings)


def _press(action: Callable[[], object]) -> None:
    apply_entries()
    action()


def changing(slot: Slot[Any], path: str) -> Callable[[Any], None]:
    """Return an `apply` that replaces an attribute of a slot's dataclass, such as "ranked.test"."""
    return lambda entry: slot.set(
        _replaced(slot.value, path, tuple(entry) if isinstance(entry, list) else entry)
    )


def _replaced(value: Any, path: str, entry: Any) -> Any:
    name, _, rest = path.partition(".")
    return replace(value, **{name: _replaced(getattr(value, name), rest, entry) if rest else entry})


def setting(widget: Callable[..., Any], key: str, slot: Slot[Any], path: str) -> Callable[..., Any]:
    """Bind a widget to an attribute of a slot's value. See `bind` for the call."""
    value = attrgetter(path)(slot.value)
    return bind(
        widget, key, list(value) if isinstance(value, tuple) else value, changing(slot, path)
    )


def _entered(field: str, key: str) -> None:
    apply_pending()
    found = _fields().get(field)
    if found is None or not found.bound or key != _key(field, found.turn):
        return
    entry = st.session_state[key]
    if entry is None or entry == found.seen:
        return
    before, found.seen = found.seen, entry
    try:
        attempt(field, lambda: take(Gesture(FIELDS, field, entry)))
    except BaseException:  # the run ends here, for a newer one waits: that one applies it
        found.seen = before
        raise


def _holds(field: str, before: _Field, value: Any) -> bool:
    """Return True if a field drawn with its old key would show this value."""
    key = _key(field, before.turn)
    if key in st.session_state:
        return bool(st.session_state[key] == value)
    return bool(before.start == before.seen == value)


def _first_value(
    widget: Callable[..., Any], start: Any, options: tuple[Any, ...]
) -> dict[str, Any]:
    takes = inspect.signature(widget).parameters
    if "index" in takes:
        offered = list(options[0])
        return {"index": offered.index(start) if start in offered else None}
    return {"default" if "default" in takes else "value": start}


def _fields() -> dict[str, _Field]:
    fields: dict[str, _Field] = st.session_state.setdefault(BOUND, {})
    return fields


def _key(field: str, turn: int) -> str:
    return f"{field}_{turn}" if turn else field
