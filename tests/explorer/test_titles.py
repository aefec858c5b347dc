"""Titles beside codes: shown wherever classes are, kept by what keeps a hierarchy, and deciding no
value.
"""

import pickle

from hiermeasures import Hierarchy, explain
from hiermeasures.app.files import File
from hiermeasures.app.systems.data import Matching, evaluate_files
from hiermeasures.app.systems.instances import in_words
from hiermeasures.explorer import editing
from hiermeasures.explorer.model import State
from hiermeasures.explorer.share_link import decoded, encoded
from hiermeasures.explorer.state import History, Shown
from hiermeasures.measures import CATALOGUE
from hiermeasures.picture.layout import neighbourhood
from hiermeasures.picture.scene import Overlay, on_screen, scene
from hiermeasures.picture.text import tree_lines
from hiermeasures.picture.views import OPENING, with_measure

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
    assert H.signatures == PLAIN.signatures
    values = [dict(explain(h, {"112"}, {"12"})) for h in (H, PLAIN)]
    assert {key: repr(values[0][key]) for key in CATALOGUE} == {key: repr(values[1][key]) for key in CATALOGUE}


def test_the_clickable_drawing_has_the_code_and_its_title() -> None:
    shapes = {s.title: s for s in scene(on_screen(neighbourhood(H, ())), Overlay("Classes", {})).shapes}
    assert (shapes["11"].text, shapes["11"].subtitle) == ("11", "Chief <b>executives</b> of …")
    assert shapes["11"].called == TITLES["11"]
    assert shapes["11"].height > shapes["112"].height
    assert shapes["11"].width > shapes["112"].width
    assert (shapes["112"].subtitle, shapes["112"].called) == ("", "")


def test_still_pictures_and_terminals_have_titles_as_text() -> None:
    drawing = explain(H, {"112"}, {"12"}).drawing()
    assert ">Managers<" in drawing.svg
    assert "Chief &lt;b&gt;executives" in drawing.svg
    assert "<b>" not in drawing.svg
    assert "Managers" in drawing.tikz
    assert next(iter(tree_lines(neighbourhood(H, ())))) == "1 · Managers"


def test_tables_beside_the_drawing_say_titles() -> None:
    cells = State(History(shown()), with_measure(OPENING, "F_LCA")).panel.as_data()
    chips = [c for row in cells["rows"] for cell in row["cells"] for c in cell.get("chips", ()) if "label" in c]
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
    long = many.with_titles({c: "".join(chr(33 + hash_of(c, k) % 90) for k in range(200)) for c in many.nodes})
    back = decoded(encoded(Shown.make(long, {"1100"}, {"1101"}, title="t"), OPENING)).shown.hierarchy
    assert (back, back.titles) == (many, {})


def hash_of(label: str, k: int) -> int:
    """Numbers that do not compress, the same in every process."""
    return (int(label) * 7919 + k * k * 104729 + k * int(label) * 31) % 10007


def test_titles_stay_with_classes_that_are_kept() -> None:
    assert pickle.loads(pickle.dumps(H)).titles == H.titles
    assert H.with_weights("level").down_to(1).titles["1"] == "Managers"
    added = editing.add_class(shown(), "13", "1").hierarchy
    assert added.titles == H.titles
    assert editing.rename(shown(), "12", "x").hierarchy.caption("x") == ("x", "Two lines")
    read_again = editing.from_lines(shown(), editing.as_lines(H).text).hierarchy
    assert (read_again, read_again.titles) == (H, H.titles)


def test_the_systems_page_lists_what_was_left_out() -> None:
    given = {
        "hierarchy": [File("h.csv", b"code,title,parent\n1,A,\n11,B,1\n12,C,l1\n")],
        "true": [File("t", b"id,labels\n7,11\n")],
        "systems": [File("p", b"id,labels\n7,12\n")],
    }
    evaluation = evaluate_files(given, Matching(errors="drop"), lambda *_: None)
    said = "left out: line 4: class '12' has the unknown parent 'l1'; nearest known: '1'."
    assert said in evaluation.notes["hierarchy"]
    assert evaluation.remarks == [f"h.csv: {said}"]
    assert evaluation.hierarchy.titles == {"1": "A", "11": "B", "12": "C"}
