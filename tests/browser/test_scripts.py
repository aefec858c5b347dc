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
const click = (times = 1) => { for (let i = 0; i < times; i++) outbox.put("graph", "click", { i }); };
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
            return [2, 4, 5].map((seen) => outbox.after({ session: "a", seen }).map(({ number }) => number));
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
            for (const key of ["hF", "SP"]) outbox.put("measures", "choose", { key });
            outbox.put("another", "choose", { key: "GIE" });
            const latest = (seen) => outbox.latest({ component: "measures", session: "a", seen }, "choose")?.key;
            return [latest(0), latest(1), latest(2) === undefined];
        """
        assert outbox(body) == ["SP", "SP", True]


class TestGraph:
    SHAPES = """[{ id: "n0", true: "none", predicted: "added" }, { id: "n1", true: "class", predicted: "class" }]"""

    def predicted(self, script: Callable[..., Call], *gestures: str) -> list[list[str]]:
        run = script("graph", "expectedShapes")
        address = 'address: { component: "graph" }, meanings: { "none class": "predicted" }'
        data = f"{{ scene: {{ shapes: {self.SHAPES} }}, {address} }}"
        parts = "[s.true, s.predicted, ...(s.words?.filter(Boolean) ?? [])]"
        return run(f"expectedShapes({data}, [{', '.join(gestures)}]).map((s) => {parts})")

    @staticmethod
    def click(shape: str, mode: str) -> str:
        return (
            f'{{ component: "graph", kind: "click", value: {{ id: "{shape}", mode: "{mode}" }} }}'
        )

    @staticmethod
    def press(key: str) -> str:
        return f'{{ component: "control", kind: "press", value: {{ key: "{key}" }} }}'

    def test_pending_clicks_mark_their_side_and_take_the_mark_off(
        self, script: Callable[..., Call]
    ) -> None:
        clicks = [
            self.click("n0", "predicted"),
            self.click("n1", "true"),
            self.click("gone", "true"),
        ]
        assert self.predicted(script, *clicks) == [
            ["none", "class", "predicted"],
            ["none", "class", "predicted"],
        ]

    def test_a_pending_undo_takes_back_the_pending_click_before_it(
        self, script: Callable[..., Call]
    ) -> None:
        gestures = [
            self.click("n0", "true"),
            self.click("n1", "true"),
            self.press("undo"),
            self.press("undo"),
        ]
        assert self.predicted(script, *gestures) == [["none", "added"], ["class", "class"]]
        assert self.predicted(script, *gestures, self.press("redo")) == [
            ["class", "added"],
            ["class", "class"],
        ]

    def test_a_click_that_edits_selects_and_marks_nothing(
        self, script: Callable[..., Call]
    ) -> None:
        assert self.predicted(script, self.click("n0", "edit")) == [
            ["none", "added"],
            ["class", "class"],
        ]
        run = script("graph", "expectedEditing")
        data = '{ editing: { selected: "n1", edge: null, linking: false }, address: { component: "graph" } }'
        assert run(f"expectedEditing({data}, [{self.click('n0', 'edit')}]).selected") == "n0"

    def test_only_what_differs_is_handed_to_vis_network(self, script: Callable[..., Call]) -> None:
        run = script("graph", "difference")
        body = """() => {
            const items = new Map([["a", { id: "a", x: 1 }], ["b", { id: "b", x: 2 }], ["c", { id: "c", x: 3 }]]);
            const calls = [];
            const dataset = {
                getIds: () => [...items.keys()], get: (id) => items.get(id),
                remove: (ids) => calls.push(["remove", ids]),
                update: (list) => calls.push(["update", list.map(({ id }) => id)]),
            };
            const wanted = [{ id: "a", x: 1 }, { id: "b", x: 9 }, { id: "d", x: 4 }];
            return [difference(dataset, wanted, true), calls, difference(dataset, [...items.values()], true)];
        }"""
        assert run(body) == [True, [["remove", ["c"]], ["update", ["b", "d"]]], False]

    def test_a_class_of_both_sides_has_its_box_stand_off_its_circle(
        self, script: Callable[..., Call]
    ) -> None:
        run = script("graph", "sidesOf", "standOff", "RING")
        assert run('sidesOf({ true: "class", predicted: "added" })') == "both"
        assert run(
            '[standOff({ true: "class", predicted: "class" }) === RING, standOff({ true: "class", '
            'predicted: "none" })]'
        ) == [True, 0]


def test_families_stand_in_two_columns_of_nearly_equal_height(script: Callable[..., Call]) -> None:
    # Heights with the headings: 6.5, 3.5, 3.5 and 2.5. The best halves in the families' order are 9
    # and 7, or 7 and 9.
    run = script("values", "halves")
    rows = "[5, 2, 2, 1].map((n, i) => ({ title: i, rows: Array(n).fill(0) }))"
    heights = run(
        f"halves({rows}).map((half) => half.reduce((sum, f) => sum + f.rows.length + 1.5, 0))"
    )
    assert sorted(heights) == [7.0, 9.0]


def test_a_share_outside_its_bounds_fills_the_bar_or_nothing(script: Callable[..., Call]) -> None:
    assert script("values", "percent")(
        "[percent(0.25), percent(-1), percent(2), percent(null)]"
    ) == ["25%", "0%", "100%", "0%"]


def test_an_arrow_of_the_flow_figure_stands_off_both_nodes(script: Callable[..., Call]) -> None:
    # From (0, 0) to (300, 400), length 500: 21 of it is (12.6, 16.8).
    run = script("flow", "edge")
    made = 'edge({ kind: "pair", words: "" }, [{ x: 0, y: 0 }, { x: 300, y: 400 }], null)'
    ends = run(f'["x1", "y1", "x2", "y2"].map((name) => Number({made}.getAttribute(name)))')
    assert ends == pytest.approx([12.6, 16.8, 287.4, 383.2])


class TestProbabilityTree:
    def test_pending_edits_and_clicks_show_until_the_answer(
        self, script: Callable[..., Call]
    ) -> None:
        run = script("probability_tree", "expected")
        nodes = '[{ id: "a", p: 0.5, true: false }, { id: "b", p: 0.2, true: true }]'
        gestures = """[
            { component: "tree", kind: "edit", value: { label: "a", value: 0.7 } },
            { component: "tree", kind: "choose", value: { label: "a" } },
            { component: "tree", kind: "choose", value: { label: "b" } },
            { component: "graph", kind: "edit", value: { label: "b", value: 1 } },
        ]"""
        data = f'{{ nodes: {nodes}, address: {{ component: "tree" }} }}'
        shown = run(f"expected({data}, {gestures}).nodes.map((n) => [n.p, n.true])")
        assert shown == [[0.7, True], [0.2, True]]

    def test_a_bar_is_as_long_as_its_probability(self, script: Callable[..., Call]) -> None:
        run = script("probability_tree", "bar", "BAR", "svgElement")
        body = """p => {
            const { holder } = bar(svgElement("g"), { id: "a", label: "a", p, hint: "", odd: false }, 0.5);
            const width = (name) => Number(holder.querySelector(name).getAttribute("width"));
            return [width(".fill") / width(".track"), holder.querySelector(".number").textContent];
        }"""
        assert [run(body, p) for p in (0, 0.25, 0.004, 1)] == [
            [0, "0.00"],
            [0.25, "0.25"],
            [pytest.approx(0.004), "0.004"],
            [1, "1.00"],
        ]


def test_labels_are_set_as_text(script: Callable[..., Call]) -> None:
    run = script("flow", "element", "svgElement")
    hostile = "<img src=x onerror=alert(1)>"
    body = """text => [element("b", "", text), svgElement("text", {}, text)]
        .map((made) => [made.childElementCount, made.textContent])"""
    assert run(body, hostile) == [[0, hostile]] * 2
