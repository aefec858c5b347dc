"""The functions of the components' scripts, each called by itself in a blank page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from hiermeasures.explore import component_data
from hiermeasures.explore.parts import COMPONENTS, ONE_PAGE

Call = Callable[..., Any]
IMPORT = """async text => Object.assign(window, await import(
    URL.createObjectURL(new Blob([text], { type: "text/javascript" }))))"""
NEW_OUTBOX = """
const sent = [], outbox = new Outbox();
const send = ({ gestures }) => sent.push(gestures.map(({ number }) => number));
const click = (times = 1) => { for (let i = 0; i < times; i++) outbox.put({ model: "explorer", key: "graph" }, { i }); };
"""


@pytest.fixture(scope="module")
def script(browser: Browser) -> Iterator[Callable[..., Call]]:
    """Loads a component's script, gives names of it to a blank page, and evaluates there."""
    page = browser.new_page()

    def load(component: str, *names: str) -> Call:
        page.goto("about:blank")
        made = COMPONENTS[component]
        page.evaluate(
            IMPORT,
            ONE_PAGE
            + component_data.constants()
            + made.script()
            + f"\nexport {{ {', '.join(names)} }};",
        )
        return page.evaluate

    yield load
    page.close()


@pytest.fixture
def outbox(script: Callable[..., Call]) -> Call:
    """Runs a body in which there are an `outbox`, what it `sent`, `send` to do so, and `click`."""
    run = script("mailbox", "Outbox")
    return lambda body: run(f"() => {{ {NEW_OUTBOX} {body} }}")


class TestOutbox:
    def test_all_gestures_that_are_not_acknowledged_travel_together(self, outbox: Call) -> None:
        body = """
            outbox.connect({ session: "a", seen: 0 }, send); click(3);
            outbox.connect({ session: "a", seen: 2 }, send); click(); return sent;
        """
        assert outbox(body) == [[1], [1, 2], [1, 2, 3], [3, 4]]

    def test_another_session_begins_anew_and_gets_nothing_of_the_one_before(
        self, outbox: Call
    ) -> None:
        body = """
            outbox.connect({ session: "a", seen: 0 }, send); click(2);
            outbox.connect({ session: "b", seen: 0 }, send); click(); return sent;
        """
        assert outbox(body) == [[1], [1, 2], [1]]

    def test_a_mailbox_that_comes_after_another_sends_what_is_pending_again(
        self, outbox: Call
    ) -> None:
        body = """
            outbox.connect({ session: "a", seen: 0 }, send); click(); outbox.disconnect(send); click();
            outbox.connect({ session: "a", seen: 0 }, send); return sent;
        """
        assert outbox(body) == [[1], [1, 2]]

    def test_at_most_fifty_travel_at_a_time_and_the_rest_follows(self, outbox: Call) -> None:
        body = """
            click(120); outbox.connect({ session: "a", seen: 0 }, send);
            outbox.connect({ session: "a", seen: 50 }, send);
            outbox.connect({ session: "a", seen: 100 }, send); return sent;
        """
        assert outbox(body) == [[*range(1, 51)], [*range(51, 101)], [*range(101, 121)]]

    def test_old_data_is_shown_with_what_came_since_though_that_is_acknowledged(
        self, outbox: Call
    ) -> None:
        body = """
            click(3); outbox.connect({ session: "a", seen: 2 }, send); outbox.connect({ session: "a", seen: 5 }, send);
            return [2, 4, 5].map((seen) => outbox.after({ model: "explorer", session: "a", seen }).map(({ number }) => number));
        """
        assert outbox(body) == [[3, 4, 5], [5], []]

    def test_an_entry_in_a_field_is_told_only_with_the_gesture_after_it(self, outbox: Call) -> None:
        body = """
            outbox.connect({ session: "a", seen: 0 }, send); click();
            outbox.note(); outbox.note(); click(); return sent;
        """
        assert outbox(body) == [[1], [1, 2, 3]]

    def test_the_latest_choice_of_a_component_counts(self, outbox: Call) -> None:
        body = """
            outbox.connect({ session: "a", seen: 0 }, send);
            const measures = { model: "explorer", key: "measures" }, others = [{ ...measures, key: "another" }, { ...measures, model: "page" }];
            for (const key of ["hF", "SP"]) outbox.put(measures, { kind: "choose", key });
            for (const other of others) outbox.put(other, { kind: "choose", key: "GIE" });
            const latest = (seen) => outbox.latest({ ...measures, session: "a", seen }, "choose")?.key;
            return [latest(0), latest(1), latest(2) === undefined];
        """
        assert outbox(body) == ["SP", "SP", True]


def test_labels_are_set_as_text(script: Callable[..., Call]) -> None:
    run = script("flow", "element", "svgElement")
    hostile = "<img src=x onerror=alert(1)>"
    body = """text => [element("b", "", text), svgElement("text", {}, text)]
        .map((made) => [made.childElementCount, made.textContent])"""
    assert run(body, hostile) == [[0, hostile]] * 2
