"""The form of options (explorer/areas/options_form.py) on a page of Streamlit's own fields."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from hiermeasures.app import gestures
from hiermeasures.app.binding import Slot
from hiermeasures.app.scripts import component
from hiermeasures.core.options import Options
from hiermeasures.explorer import controls
from hiermeasures.explorer.areas.options_form import Target, options_menu

KEY = "options_form"


@dataclass(frozen=True)
class _Form:
    options: Options = field(default_factory=Options.make)
    preset: str | None = None
    menu: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)


FORM: Slot[_Form] = Slot("options_form_state", _Form)
TARGET = Target(lambda form: form.options, lambda form, options: replace(form, options=options))


def options_form(current: Callable[[], Options], change: Callable[[Options], None]) -> None:
    """The button, which says how many options are changed, and the form behind it."""
    heard = {kind: partial(_gesture, current, change, kind) for kind in controls.KINDS}
    address = gestures.address(KEY, **heard)
    form = replace(FORM.value, options=current())
    menu = options_menu(form, TARGET).as_data(form.faults)
    component("form")(key=KEY, data={"address": address, "controls": [menu]}, width="content")


def _gesture(
    current: Callable[[], Options], change: Callable[[Options], None], kind: str, value: Mapping[str, Any]
) -> None:
    before = replace(FORM.value, options=current())
    form = controls.after(before, (options_menu(before, TARGET),), controls.COMPONENT, kind, value)
    FORM.set(form)
    if form.options != before.options:
        change(form.options)
