"""Present: what is sent to the browser while values are hidden, what reveals them, and what a link
opens.
"""

from dataclasses import replace
from typing import Any

import pytest

from hiermeasures.draw.views import OPENING, with_measure
from hiermeasures.explore.library import figure
from hiermeasures.explore.loading import story
from hiermeasures.explore.location import PARAMETER, opening
from hiermeasures.explore.model import State
from hiermeasures.explore.present import (
    LOCAL,
    LONGEST_CODE,
    NO_NETWORK,
    ONE_ADDRESS,
    NetworkAddress,
    code_data,
    qr_code,
)
from hiermeasures.explore.share_link import encoded
from hiermeasures.explore.shown import History
from hiermeasures.hierarchy.errors import InputError

from .hand import HOST, Hand

# Table 1 of Kosmopoulos et al. 2015, Figure 11(a): F_H 0.57, F_LCA 0.40, GIE 7 with D_max 5.
FIRST = figure("kosmopoulos2015/figure-11a")
ADDRESSED = replace(HOST, address="http://example.org")


def presented(**parameters: str) -> Hand:
    """The Explorer opened from a link that presents."""
    return Hand(opening(State(History(FIRST)), {"present": "1", **parameters}), ADDRESSED)


def pair() -> str:
    """The word of Figure 11(a) before and after its true class T1 is predicted, too."""
    return encoded(
        FIRST.with_classes("predicted", {"P1", "P2", "T1"}), with_measure(OPENING, "GIE"), FIRST
    )


def foot(at: Hand) -> dict[str, Any]:
    """Return the data of the values and of the tools below the drawing."""
    return {
        **(at.data("present_rows")["rows"] if at.has("present_rows") else {}),
        **at.data("present_tools")["tools"],
    }


def values(at: Hand) -> dict[str, list[str | None]]:
    return {row["key"]: row["values"] for row in foot(at)["rows"]}


def tool(at: Hand, kind: str, **value: Any) -> Hand:
    """A gesture in the tools, by mouse or by its key."""
    return at.do("present_tools", kind, **value)


def test_a_link_presents_the_instance_with_its_values_hidden_and_nothing_else() -> None:
    at = presented()
    assert values(at) == {key: [None] for key in ("hF", "F_LCA", "MGIA", "GIE", "hP", "hR")}
    kinds = {control["kind"] for control in at.all()}
    assert kinds == {"box", "row", "component"}
    assert {c["key"] for c in at.all() if c["kind"] == "component"} == {
        "present_head",
        "present_graph_0",
        "present_rows",
        "present_tools",
    }
    assert "0.57" not in str(at.drawn)


def test_the_pinned_state_faces_what_is_shown_and_its_values_are_known() -> None:
    at = presented(**{PARAMETER: pair()})
    assert values(at)["GIE"] == ["7.00", None]
    assert values(at)["hF"] == ["0.57", None]
    assert ["T1" in caption for caption in foot(at)["captions"]] == [False, True]
    assert foot(at)["question"].startswith("T1 ")
    assert [len(at.data(f"present_graph_{k}")["scene"]["shapes"]) for k in (0, 1)] == [6, 6]
    tool(at, "all")
    # GIE: T1 with itself costs nothing, and P1 and P2 each need a default class at 5: 10 against 2
    # + 5. MGIA: P1 and P2 are each 2 from T1, so 4 of 15 as before. hF: 2·3/8 against 2·2/7. F_LCA:
    # nothing is missed any more.
    assert {row["key"]: row["word"] for row in foot(at)["rows"]} == {
        "GIE": "worse",
        "hF": "better",
        "F_LCA": "better",
        "MGIA": "same",
    }
    assert values(at)["GIE"] == ["7.00", "10.00"]


def test_arrows_walk_the_steps_of_a_view_and_end_at_its_ends() -> None:
    at = presented(**{PARAMETER: pair()})
    count = foot(at)["steps"]
    assert count > 1
    assert (foot(at)["step"], foot(at)["about"]) == (None, [])
    assert foot(tool(at, "go", by=1))["step"] == 1
    assert len(foot(at)["about"]) == 2
    for _ in range(count):
        tool(at, "go", by=1)
    assert foot(at)["step"] == count
    for _ in range(count):
        tool(at, "go", by=-1)
    assert foot(at)["step"] is None


@pytest.mark.parametrize("kind", ["reveal", "all", "hide", "code", "go", "leave", "nothing"])
@pytest.mark.parametrize("value", [{}, {"item": []}, {"item": "hF"}, {"by": "x", "open": 7}])
def test_whatever_comes_while_nothing_is_presented_changes_nothing(
    kind: str, value: dict[str, Any]
) -> None:
    at = Hand()
    before = at.state
    assert tool(at, kind, **value).state == before
    shown = presented()
    assert tool(shown, kind, **value).state.shown is FIRST


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1:8501", "[::1]:8501"])
def test_a_link_that_only_this_computer_opens_says_so(host: str) -> None:
    assert code_data(f"http://{host}/?present=1")["note"] == LOCAL


HOME, CABLE = NetworkAddress("192.168.1.5", "wlan0"), NetworkAddress("10.0.0.7", "eth0")


def test_the_code_has_this_computers_address_in_the_network_and_several_to_choose_from() -> None:
    link = "http://localhost:8501/learn?class=abcdef"
    one = code_data(link, [HOME])
    assert one["link"] == "http://192.168.1.5:8501/learn?class=abcdef"
    assert (one["note"], one["choices"]) == (ONE_ADDRESS, [])
    two = code_data(link, [HOME, CABLE], host="10.0.0.7")
    assert two["link"] == "http://10.0.0.7:8501/learn?class=abcdef"
    assert [(at["host"], at["chosen"]) for at in two["choices"]] == [
        ("192.168.1.5", False),
        ("10.0.0.7", True),
    ]
    assert all(at.name in str(two["choices"]) for at in (HOME, CABLE))
    assert code_data(link, [HOME, CABLE], host="evil.example")["link"] == one["link"]
    assert code_data(link, [])["note"] == NO_NETWORK
    assert code_data("https://example.org/?present=1", [HOME])["link"].startswith(
        "https://example.org/"
    )


def test_the_address_is_chosen_on_the_screen_and_stays_while_the_code_is_closed() -> None:
    host = replace(HOST, address="http://localhost:8501", phones=lambda: [HOME, CABLE])
    at = tool(Hand(presented().state, host), "code", open=True)
    assert foot(at)["code"]["link"].startswith("http://192.168.1.5:8501/?figure=kosmopoulos2015/")
    assert "localhost" not in str(foot(tool(at, "code", open=True, host="10.0.0.7"))["code"])
    tool(tool(at, "code", open=False), "code", open=True)
    assert foot(at)["code"]["link"].startswith("http://10.0.0.7:8501/")


def test_a_link_too_long_to_be_scanned_has_no_code_and_says_why() -> None:
    found = code_data("http://example.org/?" + "x" * LONGEST_CODE)
    assert "image" not in found
    assert "1,200" in found["note"]
    with pytest.raises(InputError):
        qr_code("x" * (LONGEST_CODE + 1))


def test_the_code_is_of_what_is_shown_now() -> None:
    first = opening(State(History(story())), {"present": "1"})
    at = tool(tool(Hand(first, ADDRESSED), "all"), "code", open=True)
    assert foot(at)["code"]["link"] == "http://example.org/?present=1&revealed=1"
    assert "image" in foot(at)["code"]
    assert foot(tool(at, "code", open=False))["code"] is None
