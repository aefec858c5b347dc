"""The column of printed values: what is typed is compared at once, explained, saved and loaded."""

import pytest

from hiermeasures.explore.shown import Shown
from hiermeasures.verify.paper_file import read_paper_file
from tests.conftest import hierarchy_of

from .hand import Hand
from .test_sharing import files

# T = {A, B, D}, P = {A, B, E}: precision and recall 2/3, F1 2/3; without the root 1/2.
TREE = hierarchy_of("A>B A>C B>D B>E")


def typed(key: str, text: str, at: Hand | None = None) -> Hand:
    at = at or Hand(Shown.make(TREE, {"D"}, {"E"}, title="Mine")).press("type_printed")
    return at.do("values", "print", key=key, text=text)


def row(at: Hand, key: str) -> dict[str, object]:
    found = at.rows[key]
    return {name: found.get(name) for name in ("typed", "status")}


def changes(at: Hand) -> list[str]:
    return [c["text"] for c in at.all() if c.get("key", "").startswith("nearest_") and "text" in c]


def test_a_typed_value_matches_or_differs_at_once_and_again_after_a_click() -> None:
    at = typed("hP", "0.67")
    assert row(at, "hP") == {"typed": "0.67", "status": "match"}
    assert row(typed("hR", "0.7", at), "hR") == {"typed": "0.7", "status": "match"}
    assert row(typed("hR", "0.50", at), "hR")["status"] == "unexplained"
    assert row(at.click("D"), "hP")["status"] == "unexplained"  # A, B, D of A, B, D, E: 3/4
    assert "typed" not in typed("hP", "", at).rows["hP"]


def test_the_nearest_changes_give_the_printed_value_and_one_of_them_explains_it() -> None:
    at = typed("hF", "0.50")
    assert at.measure == "hF"
    assert "Count the root = no" in changes(at)
    k = changes(at).index("Count the root = no")
    shown = Hand(at.state).press(f"nearest_show_{k}")
    assert row(shown, "hF") == {"typed": "0.50", "status": "match"}
    assert shown.state.shown.instance.options.count_root is False
    at.press(f"nearest_keep_{k}")
    assert row(at, "hF") == {"typed": "0.50", "status": "explained"}
    assert at.state.shown.instance.options.count_root is None


@pytest.mark.parametrize(
    ("text", "kind"), [("0.80", "predicted"), ("0.40", "the edge 'A' > 'E'"), ("0.123", None)]
)
def test_every_nearest_change_gives_the_printed_value(text: str, kind: str | None) -> None:
    at = typed("hF", text)
    found = changes(at)
    assert any(kind in each for each in found) if kind else not found
    for k in range(len(found)):
        assert row(Hand(at.state).press(f"nearest_show_{k}"), "hF")["status"] == "match"
        kept = Hand(at.state).press(f"nearest_keep_{k}")
        assert row(kept, "hF")["status"] == "explained"


def test_what_is_no_number_is_refused_and_nothing_changes() -> None:
    at = typed("hP", "many")
    assert at.has("printed_fault")
    assert at.state.paper is None
    assert typed("nothing", "1", at).state.paper is None


def test_typed_values_explanations_and_own_measures_are_saved_and_loaded() -> None:
    at = typed("hF", "0.50")
    at.press(f"nearest_keep_{changes(at).index('Count the root = no')}")
    at.open("own").set("own_name", "mine").set("own_expression", "hF / 2").press("own_save")
    typed("mine=hF / 2", "0.33", at)
    name, text = files(at.open("exporting"))["Save as YAML"]
    paper = read_paper_file(text.encode(), name)
    found = {cell.quantity: (cell.printed, cell.status) for cell in paper.cells("")}
    assert found == {"hF": ("0.50", "explained"), "mine": ("0.33", "match")}
    back = Hand().open("loading").set("loading_part", "Load")
    back.set("uploaded", {"name": name, "text": text})
    assert back.state.shown.instance == at.state.shown.instance
    assert row(back, "hF") == {"typed": "0.50", "status": "explained"}
    assert row(back, "mine=hF / 2") == {"typed": "0.33", "status": "match"}


def test_typing_beside_a_papers_figure_makes_a_copy_with_all_that_is_printed() -> None:
    at = Hand("kosmopoulos2015/figure-11a").press("type_printed")
    assert at.rows["hP"]["typed"] == "0.5"
    before = {key: [c.printed for c in cells] for key, cells in at.state.printed.items()}
    typed("hP", "0.6", at)
    after = {key: [c.printed for c in cells] for key, cells in at.state.printed.items()}
    assert after == before | {"hP": ["0.6"]}
    assert at.state.part == "a"


def test_a_figure_that_is_changed_on_the_screen_stays_in_the_paper_until_it_is_updated() -> None:
    at = typed("hP", "0.67")
    at.click("D")
    paper = at.state.written_paper
    assert at.state.shown.instance.predicted == {"D", "E"}
    assert (paper.case("").predicted, paper.cells("")[0].status) == ({"E"}, "match")
    at.press("update_figure")
    assert at.state.written_paper.case("").predicted == {"D", "E"}
    assert not at.state.shown.changed


def test_a_value_typed_for_a_changed_figure_begins_another_figure() -> None:
    at = typed("hP", "0.67")
    at.click("D")
    typed("hP", "0.75", at)
    paper = at.state.written_paper
    assert [case.predicted for case in paper.cases.values()] == [{"E"}, {"D", "E"}]
    assert [[c.printed for c in paper.cells(part)] for part in paper.cases] == [["0.67"], ["0.75"]]


def test_typing_on_another_instance_adds_it_to_the_paper() -> None:
    at = typed("hP", "0.67")
    at.show("kosmopoulos2015/figure-11b")
    at.press("type_printed") if not at.state.column.typing else at
    typed("hP", "0.7", at)
    assert at.state.paper is not None
    assert len(at.state.paper.cases) == 2
    assert [c.printed for c in at.state.paper.cells("Mine")] == ["0.67"]
