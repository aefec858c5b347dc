"""Share links: the same state comes back, and no link, however hostile, does more than say what is
wrong with it.
"""

import base64
import json
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy
from hiermeasures.draw.views import OPENING, with_measure, with_view
from hiermeasures.explore.library import figure, figures
from hiermeasures.explore.share_link import LONGEST, decoded, encoded
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE
from hiermeasures.page.session import Session
from tests.conftest import instances, weighted

FIGURE_15 = "A>B A>C B>T1 C>D C>E D>P1 E>P1 E>P2"


def packed(state: Any, version: str = "1") -> str:
    """A link's word with any content."""
    text = state if isinstance(state, bytes) else json.dumps(state).encode()
    return f"{version}." + base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")


def state(**changed: Any) -> dict[str, Any]:
    return {"title": "t", "classes": ["A", "B", "C"], "edges": [[0, 1], [0, 2]], **changed}


@pytest.mark.parametrize(
    "key", [key for key in figures() if "riehl" in key or key.endswith(("11a", "15"))]
)
def test_a_figure_of_the_library_is_still_that_figure(key: str) -> None:
    assert decoded(encoded(figure(key), OPENING)).shown == figure(key)


def test_own_measures_come_back_with_the_one_that_is_chosen() -> None:
    own = ("mine:0..1=0.5*hF + 0.5*F_LCA", "cost:lower=GIE / (len_T + len_P)")
    at = with_view(with_measure(OPENING, own[0]), "lca")
    shared = decoded(encoded(figure("kosmopoulos2015/figure-15"), at, own=own))
    assert shared.own == own
    assert shared.view_state == at


@given(instances(), st.sampled_from(sorted(CATALOGUE)), st.text(max_size=20))
def test_every_state_comes_back(instance, measure: str, title: str) -> None:  # type: ignore[no-untyped-def]
    shown = Shown.make(*instance, title=title.strip())
    shared = decoded(encoded(shown, with_measure(OPENING, measure)))
    assert shared.shown == shown
    assert shared.shown.hierarchy.nodes == shown.hierarchy.nodes
    assert shared.view_state == with_measure(OPENING, measure)


@given(instances(), st.data())
def test_the_pin_of_the_same_hierarchy_comes_back(instance, data) -> None:  # type: ignore[no-untyped-def]
    h, true, predicted = instance
    shown = Shown.make(h, true, predicted, title="now")
    marked = data.draw(st.sets(st.sampled_from(h.nodes), min_size=1))
    pinned = Shown.make(h, predicted, marked, title="then", options=Options.make(dmax=3))
    assert decoded(encoded(shown, OPENING, pinned)).pinned == pinned


def test_a_pin_with_paths_comes_back_and_one_of_another_hierarchy_is_left_out() -> None:
    shown = figure("riehl2023/figure-4a1")
    assert decoded(encoded(shown.with_classes("true", []), OPENING, shown)).pinned == shown
    assert decoded(encoded(shown, OPENING, figure("kosmopoulos2015/figure-11a"))).pinned is None


def test_virtual_roots_weights_and_odd_names_come_back() -> None:
    h = Hierarchy.from_edges([("<b>", "ä\tö", 2.5), ("x" * 500, "\x01")], ["alone", "(root)"])
    assert decoded(encoded(Shown.make(h, {"alone"}, title="t"), OPENING)).shown.hierarchy == h


@given(instances(), st.data())
def test_what_classes_weigh_comes_back(instance, data) -> None:  # type: ignore[no-untyped-def]
    h, true, predicted = instance
    shown = Shown.make(
        data.draw(weighted(h)),
        true,
        predicted,
        title="t",
        options=Options.make(class_weights="given"),
    )
    assert decoded(encoded(shown, OPENING)).shown == shown


def test_a_state_too_large_for_a_link_says_so_and_names_the_file() -> None:
    many = Hierarchy.from_edges([("top", f"class {i * 7919 % 100_003}") for i in range(4000)])
    with pytest.raises(InputError, match=r"too large for a link.*file"):
        encoded(Shown.make(many, title="t"), OPENING)
    more = Hierarchy.from_edges([("top", f"c{i}") for i in range(6000)])
    with pytest.raises(InputError, match="5,000 classes"):
        encoded(Shown.make(more, title="t"), OPENING)


CYCLE = state(edges=[[0, 1], [1, 2], [2, 1]])
OWN = (
    ["mine=hG"],
    ["mine=__import__('os')"],
    ["mine"],
    ["hF=GIE"],
    ["mine=" + "(" * 200],
    [3],
    "mine=hF",
)
OWN = (*OWN, ["mine=" + "9" * 100_000], [f"m{k}=hF" for k in range(7)])


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("", "version"),
        ("9.abc", "version"),
        ("1.", "cut off"),
        ("1.!!!", "cut off"),
        (packed(state())[:-6], "cut off"),
        (packed(state()) + "A" * 20_000, "at most 12,000"),
        (packed(b"not JSON"), "not JSON"),
        (packed(b"[" * 100_000), "nested deeper"),
        (packed(b'{"title": "a", "title": "b"}'), "twice"),
        (packed(b"\xff\xfe"), "cut off"),
        (packed([]), "not as expected"),
        (packed({}), "title"),
        (packed(state(more=1)), "more"),
        (packed(state(classes=[])), "classes"),
        (packed(state(classes=["A", "A", "B"])), "twice"),
        (packed(state(classes=["A", "", "B"])), "empty"),
        (packed(state(classes=["A", "x" * 2000, "B"])), "2,000 characters"),
        (packed(b'{"title":"t","classes":["A","\\ud800"],"edges":[[0,1]]}'), "not a character"),
        (
            packed(b'{"title":"\\ud800","classes":["A","B"],"edges":[[0,1]]}'),
            "title is not as expected",
        ),
        (packed(state(edges=[[0, 9]])), "an edge"),
        (packed(state(edges=[[0, 1, 0]])), "positive"),
        (packed(state(edges=[[0, 1, 1e999]])), "Infinity"),
        (packed(b'{"title":"t","classes":["A","B"],"edges":[[0,1,1e999]]}'), "edges, 0"),
        (packed(state(class_weight=[1, 2])), "2 weights"),
        (packed(state(class_weight=[1, 2, -3])), "'C' is -3.0"),
        (packed(state(class_weight=[1, 2, 1e300])), "at most"),
        (packed(state(icm_weight=[1, 2, -3])), "'A'"),
        (packed(state(edges=[[1, 0], [1, 2]])), "root"),
        (packed(CYCLE), "cycle"),
        (packed(state(true=[7])), "class"),
        (packed(state(true=[1] * 101)), "true"),
        (packed(state(pin={"title": "t", "true": [7]})), "class"),
        (packed(state(pin={"title": "t", "options": {"dmax": -1}})), "dmax"),
        (packed(state(options={"dmax": -1})), "dmax"),
        (packed(state(options={"exec": "rm"})), "'exec'"),
        (packed(state(true=[1], true_paths=[[0, 2, 1]])), "no edge leads"),
        (packed(state(true=[1], true_paths=[[]])), "true_paths, 0"),
        (
            packed(state(true=[1], true_paths=[[0, 1]], options={"max_ancestor_distance": 1})),
            "max_ancestor_distance",
        ),
        *((packed(state(define=define)), "faulty") for define in OWN),
    ],
)
def test_a_hostile_link_is_refused_in_one_plain_line(word: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as refused:
        decoded(word)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "expression", ["truncated(1e308*hF,2)", "truncated(1e60*hF,2)", "1e60*1e60*hF", "1e99", "hF/0"]
)
def test_an_own_measure_of_extreme_numbers_is_shown_or_refused(expression: str) -> None:
    """Also after a reload, for which the page's address is opened again."""
    word = packed(
        state(true=[1], predicted=[2], define=[f"m={expression}"], measure=f"m={expression}")
    )
    for opened in (word, json.loads(Session().opened(word))["word"]):
        answer = json.loads(Session().opened(opened))
        refused = answer["fault"]
        assert "too large" in refused if "1e308" in expression and opened == word else not refused


def test_a_link_that_unpacks_to_a_gigabyte_is_not_unpacked() -> None:
    packer = zlib.compressobj(9)
    blanks = packer.compress(b" " * 8_000_000) + packer.flush()
    word = "1." + base64.urlsafe_b64encode(blanks).decode()
    assert len(word) <= LONGEST
    tracemalloc.start()
    with pytest.raises(InputError, match="content of this link is too large"):
        decoded(word)
    assert tracemalloc.get_traced_memory()[1] < 3_000_000
    tracemalloc.stop()


@given(st.binary(max_size=60))
def test_no_bytes_whatever_do_more_than_that(data: bytes) -> None:
    for word in (
        "1." + base64.urlsafe_b64encode(data).decode(),
        packed(data),
        data.decode("latin-1"),
    ):
        with pytest.raises(InputError):
            decoded(word)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 6) | st.floats() | st.text(max_size=3),
    lambda x: st.lists(x, max_size=3),
)


ENTRIES = st.sampled_from(
    "title classes edges virtual true true_paths options measure case step".split()
)


@given(st.dictionaries(ENTRIES, JSON))
def test_a_changed_link_is_read_or_refused(changed: dict[str, Any]) -> None:
    try:
        shared = decoded(packed(state(**changed)))
    except InputError:
        return
    assert shared.shown.explained()["hF"] >= 0
