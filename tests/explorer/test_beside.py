"""Two measures side by side: what each reads, with its own drawing."""

from .hand import Hand


def test_a_second_measure_stands_beside_the_chosen_one_with_its_own_drawing() -> None:
    # Figure 11(a): hF = 2 * 2 / (4 + 3); GIE pairs T1 with one prediction, 2, and charges the
    # other, 5.
    at = Hand().set("second", "with Graph-induced error")
    assert at.control("beside_title")["text"].startswith("Graph-induced error")
    said = at.control("beside_difference")["text"]
    assert "Hierarchical F1 is 0.57 (higher is better), read off what “ancestors” draws" in said
    assert "Graph-induced error is 7.00 (lower is better), read off what “pairing” draws" in said
    first, second = at.data("graph"), at.data("beside_graph")
    assert first["scene"]["links"] == []
    assert second["scene"]["links"]  # the pairs
    assert second.get("click") is None
    assert (first["caption"], second["caption"]) == ("Hierarchical F1", "Graph-induced error")
    assert "caption" not in Hand().data("graph")


def test_it_follows_the_classes_and_goes_with_its_choice() -> None:
    at = Hand().set("second", "with Graph-induced error").click("P2")  # T1 with P1 alone is left: 2
    assert "Graph-induced error is 2.00" in at.control("beside_difference")["text"]
    assert not at.set("second", "no second measure").has("beside")
    assert at.chosen("second") == "compare …"


def test_the_chosen_measure_is_not_offered_and_stands_alone() -> None:
    at = Hand().set("second", "with Graph-induced error").do("values", "choose", key="GIE")
    assert not at.has("beside")
    assert not [words for words in at.control("second")["words"] if "Graph-induced error" in words]


def test_while_edits_are_looked_at_there_is_no_second_one() -> None:
    at = Hand().set("second", "with LCA F1").set("stepping", "what if")
    assert not at.has("beside")
    assert not at.has("beside_graph")
    assert at.set("stepping", "result").has("beside")
    assert not at.set("click", "✎ edit").has("beside_graph")  # the lines stand there
