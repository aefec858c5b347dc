"""Drawing without a screen: edits of a hierarchy, what the classes do then, undo, and the lines of
text that stay in step.
"""

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy
from hiermeasures.explore import hierarchy_edits
from hiermeasures.explore.shown import History, Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.options import Options
from tests.conftest import hierarchy_of, instances

FIGURE_15 = "A>B A>C B>T1 C>D C>E D>P1 E>P1 E>P2"


def drawn(edges: str, true: str = "", predicted: str = "") -> Shown:
    return Shown.make(hierarchy_of(edges), true.split(), predicted.split(), title="drawn")


def blank(name: str = "A") -> Shown:
    return Shown.make(Hierarchy.from_edges([], [name]), title="drawn")


def test_figure_15_is_drawn_class_by_class() -> None:
    now = blank()
    for edge in ("A>B", "A>C", "B>T1", "C>D", "C>E", "D>P1", "E>P2"):
        parent, child = edge.split(">")
        now = hierarchy_edits.add_class(now, child, parent)
    now = hierarchy_edits.add_edge(now, "E", "P1")
    assert now.hierarchy == hierarchy_of(FIGURE_15)
    marked = now.with_classes("true", ["T1"]).with_classes("predicted", ["P1", "P2"])
    assert marked.explained()["F_LCA"] == 0.25  # Table 5


def test_a_class_beside_the_root_brings_a_virtual_root_and_an_edge_takes_it_away() -> None:
    now = hierarchy_edits.add_class(blank(), "B")
    assert (now.hierarchy.root, now.hierarchy.virtual_root) == ("(root)", True)
    joined = hierarchy_edits.add_edge(now, "A", "B")
    assert joined.hierarchy == hierarchy_of("A>B")


def test_an_edge_that_closes_a_cycle_is_refused_with_the_cycle() -> None:
    now = drawn(FIGURE_15)
    with pytest.raises(InputError, match="cycle: 'C' > 'D' > 'P1' > 'C'"):
        hierarchy_edits.add_edge(now, "P1", "C")
    with pytest.raises(InputError, match="'C' to itself"):
        hierarchy_edits.add_edge(now, "C", "C")


def test_classes_and_paths_follow_a_new_name() -> None:
    h = hierarchy_of("A>B B>T1 B>P1")
    now = Shown.make(
        h,
        {"T1"},
        {"P1"},
        title="t",
        true_paths=(("A", "B", "T1"),),
        predicted_paths=(("A", "B", "P1"),),
    )
    renamed = hierarchy_edits.rename(now, "T1", " T9 ")
    assert renamed.instance.true == {"T9"}
    assert renamed.instance.true_paths == (("A", "B", "T9"),)
    assert renamed.instance.predicted_paths == (("A", "B", "P1"),)


def test_children_of_a_deleted_class_move_up_unless_they_have_another_parent() -> None:
    now = hierarchy_edits.delete_class(drawn(FIGURE_15, "T1", "E P1"), "E")
    assert set(now.hierarchy.edges) == set(hierarchy_of("A>B A>C B>T1 C>D D>P1 C>P2").edges)
    assert now.instance.predicted == {"P1"}


REFUSED = [
    ([("add_class", "B", "A")], "'B'"),
    ([("add_class", "  ", "A")], "name"),
    ([("rename", "B", "A")], "'A'"),
    ([("rename", "B", "x" * 10_000)], "10,000 characters"),
    ([("rename", "B", "x\0")], "characters"),
    ([("rename", "B", "\ud800")], "characters"),
    ([("add_edge", "A", "B")], "'A' to 'B'"),
    ([("delete_edge", "B", "A")], "no edge"),
    ([("delete_class", "Z")], "'Z'"),
    ([("delete_class", "A"), ("delete_class", "B")], "at least one class"),
    ([("add_class", "C"), ("add_edge", "(root)", "B")], "virtual"),
    ([("add_class", "C"), ("delete_class", "(root)")], "virtual"),
    ([("add_class", "C"), ("delete_edge", "(root)", "C")], "virtual"),
]


@pytest.mark.parametrize(("edits", "words"), REFUSED, ids=[str(edits) for edits, _ in REFUSED])
def test_an_edit_that_makes_no_sense_is_refused(edits: list[tuple[str, ...]], words: str) -> None:
    def made(now: Shown, edit: tuple[str, ...]) -> Shown:
        return getattr(hierarchy_edits, edit[0])(now, *edit[1:])

    with pytest.raises(InputError, match=words):
        reduce(made, edits, drawn("A>B"))


def test_weights_stay_with_their_edges() -> None:
    h = Hierarchy.from_edges([("A", "B", 2.5), ("B", "C", 0.5)])
    now = hierarchy_edits.rename(
        hierarchy_edits.add_class(Shown.make(h, title="t"), "D", "A"), "B", "X"
    )
    assert (
        now.hierarchy.weight("A", "X"),
        now.hierarchy.weight("X", "C"),
        now.hierarchy.weight("A", "D"),
    ) == (2.5, 0.5, 1.0)


def test_classes_that_stay_weigh_what_they_did() -> None:
    # Of the leaves C and D, B is above both: B 0 bits, C and D 1 each.
    now = drawn("A>B B>C B>D").with_options(Options.make(class_weights="leaves"))
    now = hierarchy_edits.weigh(now, "C", 4)
    assert [now.hierarchy.class_weight(c) for c in "ABCD"] == [0, 0, 4, 1]
    now = hierarchy_edits.add_class(
        hierarchy_edits.rename(hierarchy_edits.delete_class(now, "D"), "C", "X"), "Y", "B"
    )
    assert [now.hierarchy.class_weight(c) for c in "ABXY"] == [0, 0, 4, 1]
    now = hierarchy_edits.from_lines(now, "A B\nA X\nX Z\n")
    assert [now.hierarchy.class_weight(c) for c in "ABXZ"] == [0, 0, 4, 1]
    now = hierarchy_edits.from_lines(drawn("A>B"), "parent,child,class_weight\n,A,7\nA,B,8\n")
    assert [now.hierarchy.class_weight(c) for c in "AB"] == [7, 8]
    assert now.instance.options.class_weights == "given"


def test_an_edited_figure_is_that_figure_changed_until_the_edits_are_taken_back() -> None:
    figure = Shown.make(hierarchy_of("A>B"), title="Figure 1", case="paper/figure-1").named()
    edited = hierarchy_edits.add_class(figure, "C", "B")
    assert (edited.case, edited.changes) == (figure.case, ("another hierarchy",))
    assert hierarchy_edits.add_class(edited, "D", "C").original == figure
    assert not hierarchy_edits.delete_class(edited, "C").changed


@st.composite
def edits(draw: st.DrawFn, now: Shown) -> Shown:
    """The instance after one random edit or click; a refused edit leaves it as it was."""
    h = now.hierarchy
    one, other = draw(st.sampled_from(h.nodes)), draw(st.sampled_from(h.nodes))
    do = draw(
        st.sampled_from(
            [
                lambda: hierarchy_edits.add_class(now, hierarchy_edits.new_name(h.nodes), one),
                lambda: hierarchy_edits.add_class(now, hierarchy_edits.new_name(h.nodes)),
                lambda: hierarchy_edits.add_edge(now, one, other),
                lambda: (
                    hierarchy_edits.delete_edge(now, *draw(st.sampled_from(h.edges)))
                    if h.edges
                    else now
                ),
                lambda: hierarchy_edits.delete_class(now, one),
                lambda: hierarchy_edits.rename(now, one, f"new {one}"),
                lambda: hierarchy_edits.weigh(now, one, draw(st.sampled_from([0, 0.5, 3]))),
                lambda: now.toggled(draw(st.sampled_from(["true", "predicted"])), one),
            ]
        )
    )
    try:
        return do()
    except InputError:
        return now


@given(st.data(), instances())
# type: ignore[no-untyped-def]
def test_undo_goes_back_to_the_same_state_and_redo_forth(data: st.DataObject, instance) -> None:
    history = History(Shown.make(*instance, title="start"))
    states = [history.present]
    for _ in range(data.draw(st.integers(1, 8))):
        history = history.to(data.draw(edits(history.present)))
        if history.present is not states[-1]:
            states.append(history.present)
    for state in reversed(states):
        assert history.present == state
        history = history.undo()
    for state in states[1:]:
        history = history.redo()
        assert history.present == state


@given(st.data(), instances())
# type: ignore[no-untyped-def]
def test_every_edit_leaves_classes_that_are_in_the_hierarchy(data: st.DataObject, instance) -> None:
    now = Shown.make(*instance, title="start")
    for _ in range(6):
        now = data.draw(edits(now))
        assert now.selected <= set(now.hierarchy.nodes)
        assert now.explained()["hF"] >= 0


@given(st.data(), instances())
def test_lines_give_the_same_hierarchy_back(data: st.DataObject, instance) -> None:  # type: ignore[no-untyped-def]
    now = Shown.make(*instance, title="start")
    for _ in range(4):
        now = data.draw(edits(now))
    lines = hierarchy_edits.as_lines(now.hierarchy)
    again = hierarchy_edits.from_lines(Shown.make(hierarchy_of("A>B"), title="other"), lines.text)
    assert again.hierarchy == now.hierarchy.with_class_weights(None)
    assert hierarchy_edits.from_lines(now, lines.text) is now


LABELS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=6)


@given(st.lists(LABELS, min_size=2, max_size=5, unique=True))
def test_lines_hold_any_name_that_a_line_can_hold(labels: list[str]) -> None:
    h = Hierarchy.from_edges([(labels[0], label) for label in labels[1:]])
    lines = hierarchy_edits.as_lines(h)
    if lines.why_not:
        assert not lines.text
    else:
        assert hierarchy_edits.from_lines(blank("other"), lines.text).hierarchy == h
