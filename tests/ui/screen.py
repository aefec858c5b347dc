"""The Explorer without a browser: what it sends to its components, and what a person enters."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect

from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.ui.explore.model import EXPLORER
from hiermeasures.ui.graph.overlay import Overlay
from hiermeasures.ui.library import figure
from hiermeasures.ui.views import OPENING, ViewState, overlay_for, with_measure

APP = Path(__file__).resolve().parents[2] / "app.py"


def opened(*menus: str) -> AppTest:
    """The app just opened, with these of its popovers open, by their keys."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    for key in menus:
        app.session_state[key] = True
    app.run()
    assert not app.exception
    return app


def systems_page(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The Systems page, not yet run, as it is at this computer: without a browser nobody can say where it runs."""
    monkeypatch.setattr("hiermeasures.ui.systems.form.at_this_computer", lambda: True)
    return AppTest.from_string("from hiermeasures.ui.systems.page import page\npage()", default_timeout=60)


def until(app: AppTest, there: Callable[[], Any]) -> AppTest:
    """Run again, as a browser polls, until something is there."""
    for _ in range(300):
        assert not app.exception, [e.stack_trace for e in app.exception]
        if there():
            return app
        time.sleep(0.1)
        app.run()
    pytest.fail("the page never showed it")


def sent(app: AppTest, component: str) -> list[dict[str, Any]]:
    """What the components of a name were given, in the order of the page."""
    elements = (e.proto for e in app.get("bidi_component"))
    return [json.loads(p.json) for p in elements if p.component_name == f"hiermeasures_{component}"]


def gesture(app: AppTest, kind: str, component: str = "present", **value: Any) -> AppTest:
    """A person does something in a component, by default in what is presented."""
    at = sent(app, "mailbox")[0]
    done = {"number": at["seen"] + 1, "component": component, "kind": kind, "value": value}
    app.session_state["mailbox"] = {"pending": {"session": at["session"], "gestures": [done]}}
    app.run()
    assert not app.exception
    return app


def shapes(app: AppTest) -> dict[str, dict[str, Any]]:
    """The classes that the graph draws, by their titles."""
    return {shape["title"]: shape for shape in sent(app, "graph")[0]["scene"]["shapes"]}


def value(app: AppTest, key: str) -> str:
    """The value of a measure as the table shows it."""
    return str(rows(app)[key]["value"])


def rows(app: AppTest) -> dict[str, dict[str, Any]]:
    """The rows of the table by measure, once all measures are listed."""
    if sent(app, "values")[0]["short"]:
        app.button(key="all_measures").click().run()
    found: dict[str, dict[str, Any]] = sent(app, "values")[0]["rows"]
    return found


def errors(app: AppTest) -> list[str]:
    return [element["text"] for element in sent(app, "text") if element["kind"] == "error"]


def classes(app: AppTest, side: str) -> list[str]:
    """The content of the field for one side's classes."""
    return field(app, side).value


def field(app: AppTest, side: str) -> Multiselect:
    """The field for one side's classes, whatever its key is now."""
    return next(f for f in app.multiselect if f.label == f"{side.capitalize()} classes")


def bound(app: AppTest, name: str) -> Any:
    """The field that is bound under a name, whatever its key is now."""
    kinds = (app.selectbox, app.number_input, app.multiselect, app.button_group, app.text_input, app.text_area)
    kinds += (app.checkbox, app.toggle, app.slider)
    return next(f for kind in kinds for f in kind if re.fullmatch(rf"{re.escape(name)}(_\d+)?", f.key or ""))


@dataclass(frozen=True)
class Picker:
    """The menu of figures, in which tests/browser chooses as a person does."""

    app: AppTest

    @property
    def value(self) -> str | None:
        """The figure that is shown; None for one's own."""
        case: str | None = self.app.session_state[EXPLORER.name].history.present.case
        return case

    def set_value(self, key: str) -> AppTest:
        """Choose a figure by its key."""
        model = self.app.session_state[EXPLORER.name]
        self.app.session_state[EXPLORER.name] = replace(model, history=model.history.to(figure(key)))
        return self.app


def picker(app: AppTest) -> Picker:
    return Picker(app)


def paste(app: AppTest, text: str) -> AppTest:
    """Paste a hierarchy and ask to see it."""
    app.session_state.loading = True
    app.run()
    bound(app, "pasted").set_value(text)
    button = next(b for b in app.button if b.label == "Show the pasted hierarchy")
    return button.click().run()


def view_of(structure: str) -> ViewState:
    """A view of a structure, with the best known measure that is read off it."""
    return with_measure(OPENING, next(key for key, measure in CATALOGUE.items() if measure.structure.key == structure))


def overlay_of(explanation: Explanation, structure: str) -> Overlay:
    """How a structure is drawn."""
    return overlay_for(explanation, view_of(structure))
