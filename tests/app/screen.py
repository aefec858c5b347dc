"""The Explorer without a browser: what it sends to its components, and what a person enters."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app import server
from hiermeasures.draw.scene import Overlay
from hiermeasures.draw.views import OPENING, ViewState, overlay_for, with_measure
from hiermeasures.explore.library import OPENING as FIGURE
from hiermeasures.measures import CATALOGUE, Explanation
from tests.explore.hand import Hand, message

APP = Path(__file__).resolve().parents[2] / "app.py"


def opened(*menus: str, figure: str = FIGURE) -> AppTest:
    """The app just opened on a figure, with these of its popovers open, by their keys."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    if figure:
        app.query_params["figure"] = figure
    for key in menus:
        app.session_state[key] = True
    return run(app)


def page_at(name: str, **address: str) -> AppTest:
    """A page alone, at an address; not yet run."""
    app = AppTest.from_string(
        f"from hiermeasures.app.pages import page_of\npage_of({name!r}).draw()", default_timeout=60
    )
    app.query_params.update(address)
    return app


def run(app: AppTest, *_done: object) -> AppTest:
    """Run the app, after what was done to its widgets."""
    app.run()
    assert not app.exception, [e.stack_trace for e in app.exception]
    return app


def give_paths(app: AppTest, prefix: str, **paths: object) -> AppTest:
    """Type paths into a form of the page Compare and press Evaluate."""
    bound(app, f"{prefix}_from").set_value("Path").run()
    for name, path in paths.items():
        bound(app, f"{prefix}_{name}_path").set_value(str(path))
    return app.button(key=f"{prefix}_evaluate").click().run()


def systems_page() -> AppTest:
    """The page Compare, not yet run, in a session that may name files by their paths."""
    app = page_at("systems")
    server.make_token()
    server.take_token(dict(parse_qsl(server.query().lstrip("/?"))), app.session_state)
    return app


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
    """The data of the components of a name, in the order of the page."""
    elements = (e.proto for e in app.get("bidi_component"))
    return [
        json.loads(p.json or p.bytes)
        for p in elements
        if p.component_name == f"hiermeasures_{component}"
    ]


def codes(app: AppTest) -> list[str]:
    """The code on the page."""
    return [data["text"] for data in sent(app, "text") if data["kind"] == "code"]


class AppHand(Hand):
    """A hand on the Explorer in the app: what it does goes through Streamlit."""

    def __init__(self, app: AppTest) -> None:
        self.app = app

    def use(self, key: str, value: Any = None) -> "AppHand":
        seen = self.drawn["seen"]
        self.app.session_state["mailbox"] = {"pending": message(self.drawn, key, value)}
        run(self.app)
        assert self.drawn["seen"] == seen + 1
        return self

    @property
    def drawn(self) -> dict[str, Any]:  # type: ignore[override]
        (found,) = sent(self.app, "explorer")
        return found


def use(app: AppTest, key: str, value: Any = None, screen: str = "mailbox") -> AppTest:
    """A person uses something: a component or button of the page, or a control of a screen."""
    app.session_state["mailbox"] = {"pending": message(sent(app, screen)[0], key, value)}
    return run(app)


def gesture(app: AppTest, kind: str, component: str, **value: Any) -> AppTest:
    """A person does something in a component of the page."""
    return use(app, component, {"kind": kind, **value})


def play(app: AppTest, key: str, value: Any = None) -> AppTest:
    """A person uses a control of a screen."""
    return use(app, key, value, "explorer")


def controls(app: AppTest) -> dict[str, dict[str, Any]]:
    """The controls of a card by their keys; nothing where no card is shown."""
    found: dict[str, dict[str, Any]] = {}
    parts = [part for at in sent(app, "explorer") for part in at["areas"]]
    while parts:
        part = parts.pop()
        found[part.get("key", "")] = part
        parts += part.get("parts", [])
    return found


def errors(app: AppTest) -> list[str]:
    """Return the error messages on the page and on a player's screen."""
    shown = [part["text"] for part in controls(app).values() if part.get("style") == "error"]
    return shown + [element["text"] for element in sent(app, "text") if element["kind"] == "error"]


def bound(app: AppTest, name: str) -> Any:
    """The field that is bound under a name, whatever its key is now."""
    kinds = (
        app.selectbox,
        app.number_input,
        app.multiselect,
        app.button_group,
        app.text_input,
        app.text_area,
    )
    kinds += (app.checkbox, app.toggle, app.slider)
    return next(
        f for kind in kinds for f in kind if re.fullmatch(rf"{re.escape(name)}(_\d+)?", f.key or "")
    )


def view_of(structure: str) -> ViewState:
    """A view of a structure, with the first measure that is read off it."""
    return with_measure(
        OPENING,
        next(key for key, measure in CATALOGUE.items() if measure.structure.key == structure),
    )


def overlay_of(explanation: Explanation, structure: str) -> Overlay:
    return overlay_for(explanation, view_of(structure))
