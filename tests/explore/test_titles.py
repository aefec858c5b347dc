"""Titles beside codes, and what classes weigh: shown wherever classes are, kept by what keeps a
hierarchy.
"""

import pickle

from hiermeasures import Hierarchy, explain
from hiermeasures.app.systems.instances import in_words
from hiermeasures.draw.layout import neighbourhood
from hiermeasures.draw.scene import Scene, figure_scene
from hiermeasures.draw.text import tree_lines
from hiermeasures.draw.views import OPENING, overlay_for, with_measure
from hiermeasures.explore import hierarchy_edits
from hiermeasures.explore.library import OPENING as OPENING_FIGURE
from hiermeasures.explore.library import figure
from hiermeasures.explore.model import State
from hiermeasures.explore.share_link import decoded, encoded
from hiermeasures.explore.shown import History, Shown
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, Explanation
from tests.conftest import FIGURE_11A

from .hand import Hand

PLAIN = Hierarchy.from_edges([("1", "11"), ("1", "12"), ("11", "112")])
TITLES = {
    "1": "Managers",
    "11": "Chief <b>executives</b> of all kinds",
    "12": "Two\nlines\t",
    "99": "no class",
    "112": "",
}
H = PLAIN.with_titles(TITLES)


def shown(h: Hierarchy = H) -> Shown:
    return Shown.make(h, {"112"}, {"12"}, title="t")


def test_titles_decide_nothing() -> None:
    assert (H, hash(H), H.fingerprint) == (PLAIN, hash(PLAIN), PLAIN.fingerprint)
    values = [dict(explain(h, {"112"}, {"12"})) for h in (H, PLAIN)]
    assert {key: repr(values[0][key]) for key in CATALOGUE} == {
        key: repr(values[1][key]) for key in CATALOGUE
    }


def test_still_pictures_and_terminals_have_titles_as_text() -> None:
    drawing = explain(H, {"112"}, {"12"}).drawing()
    assert ">Managers<" in drawing.svg
    assert "Chief &lt;b&gt;executives" in drawing.svg
    assert "<b>" not in drawing.svg
    assert "Managers" in drawing.tikz
    assert next(iter(tree_lines(neighbourhood(H, ())))) == "1 · Managers"


def test_tables_beside_the_drawing_say_titles() -> None:
    cells = State(History(shown()), with_measure(OPENING, "F_LCA")).panel.as_data()
    chips = [
        c
        for row in cells["rows"]
        for cell in row["cells"]
        for c in cell.get("chips", ())
        if "label" in c
    ]
    assert {c["label"]: c.get("called") for c in chips if c["label"] in ("12", "112")} == {
        "12": "Two lines",
        "112": None,
    }


def test_worst_instances_have_titles_beside_their_codes() -> None:
    assert in_words(H, frozenset({"12"})) == "12 (Two lines)"
    assert in_words(H, frozenset({"11"})) == "11 (Chief <b>executives</b> of all kinds)"


def test_a_share_link_brings_titles_along_and_leaves_them_out_where_there_is_no_room() -> None:
    assert decoded(encoded(shown(), OPENING)).shown.hierarchy.titles == H.titles
    assert decoded(encoded(shown(PLAIN), OPENING)).shown.hierarchy.titles == {}
    many = Hierarchy.from_edges([("1", f"1{k}") for k in range(100, 500)])
    long = many.with_titles(
        {c: "".join(chr(33 + hash_of(c, k) % 90) for k in range(200)) for c in many.nodes}
    )
    back = decoded(
        encoded(Shown.make(long, {"1100"}, {"1101"}, title="t"), OPENING)
    ).shown.hierarchy
    assert (back, back.titles) == (many, {})


def hash_of(label: str, k: int) -> int:
    """Numbers that do not compress, the same in every process."""
    return (int(label) * 7919 + k * k * 104729 + k * int(label) * 31) % 10007


def test_titles_stay_with_classes_that_are_kept() -> None:
    assert pickle.loads(pickle.dumps(H)).titles == H.titles
    assert H.with_weights("level").down_to(1).titles["1"] == "Managers"
    added = hierarchy_edits.add_class(shown(), "13", "1").hierarchy
    assert added.titles == H.titles
    assert hierarchy_edits.rename(shown(), "12", "x").hierarchy.caption("x") == ("x", "Two lines")
    read_again = hierarchy_edits.from_lines(shown(), hierarchy_edits.as_lines(H).text).hierarchy
    assert (read_again, read_again.titles) == (H, H.titles)


# --- what classes weigh ---------------------------------------------------------------------------


WEIGHTS = {"A": 0.0, "B": 1.0, "T1": 3.0, "P1": 2.0, "P2": 4.0, "C": 0.5}


# --- the drawing --------------------------------------------------------------------------------


def weighted(**options: str) -> Explanation:
    return explain(FIGURE_11A.with_class_weights(WEIGHTS), {"T1"}, {"P1", "P2"}, **options)


def drawn(x: Explanation, measure: str = "wF") -> Scene:
    return figure_scene(x.hierarchy, overlay_for(x, with_measure(OPENING, measure)))


# --- the field ----------------------------------------------------------------------------------


def weighing(**options: str) -> Hand:
    """Figure 11(a) with options, while clicks edit P2."""
    at = Hand(figure(OPENING_FIGURE).with_options(Options.make(options)))
    return at.set("click", "✎ edit").set("edit_selected", "P2")


def test_a_weight_that_no_edge_could_have_is_refused_in_the_drawing() -> None:
    at = weighing(edge_weights="classes").set("edit_weight", 0.0)
    fault = at.data("graph")["editing"]["fault"]
    assert "'P2' is 0.0" in fault
    assert "P2" in at.shapes
    assert at.chosen("edit_weight") == 1.0
