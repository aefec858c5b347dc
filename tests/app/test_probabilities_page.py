"""One instance with probabilities, without a browser: what it says, and what edits and files do to it."""

from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures import Hierarchy, explain
from hiermeasures.app.explore.model import EXPLORER, ExplorerState
from hiermeasures.app.probabilities.model import PROBABILITIES, Analysis, ProbabilitiesModel, edited
from hiermeasures.app.probabilities.parts import tree_drawing
from hiermeasures.evaluation.scores import NodeProbabilities, coherence
from hiermeasures.explore.shown import History, Shown

from .screen import bound, page_at

FOLDED = [f"prob_fold_{name}" for name in ("ranking", "rule", "curves", "numbers", "published")]


@pytest.fixture
def page() -> AppTest:
    """Figure 3 of Plaud et al. 2024 with everything unfolded, predicted by the threshold 0.3."""
    page = run(unfold(page_at("systems", show="scores")))
    return run(page, bound(page, "prob_rule").set_value("threshold"))


def unfold(page: AppTest) -> AppTest:
    for key in FOLDED:
        page.session_state[key] = True
    return page


def run(page: AppTest, *_done: object) -> AppTest:
    """Run the page after what was done to its widgets, and until no job is left."""
    return page.run()


def held(page: AppTest) -> ProbabilitiesModel:
    model: ProbabilitiesModel = page.session_state[PROBABILITIES.name]
    return model


def table(page: AppTest, column: str) -> pd.DataFrame:
    """The first table that has a column of this name."""
    return next(frame.value for frame in page.dataframe if column in frame.value.columns)


def candidate(page: AppTest, classes: str) -> pd.Series:
    """The row of the ranking for a prediction such as {1, 5}."""
    ranking = table(page, "prediction")
    return ranking[ranking["prediction"] == classes].iloc[0]


def value(page: AppTest, measure: str, column: str = "expected") -> float:
    frame = table(page, "Measure")
    return frame[frame["Measure"].str.startswith(f"{measure} ")].iloc[0][column]


def text_of(page: AppTest) -> str:
    """Every sentence on the page, without the escapes of Markdown."""
    elements = [*page.markdown, *page.caption, *page.error, *page.warning, *page.info]
    return "\n".join(e.value.replace("\\", "") for e in elements)


def test_the_page_opens_with_its_one_question_and_the_answer() -> None:
    page = run(page_at("systems", show="scores"))
    assert [h.value for h in page.header] == ["Which prediction is best for this measure?"]
    assert "Best **{1, 2, 5}**, expected **0.565**" in text_of(page)
    folded = {"prob_reading", "prob_labels", "prob_incoherent"}  # in a closed popover
    folded |= {s.key for s in page.selectbox if s.key.startswith("systems_")}  # the form for files
    beside = [s.label for s in page.selectbox if s.key not in folded]
    assert beside == ["Probabilities of", "Measure"]
    assert [*page.dataframe, *page.button, *page.slider] == []
    run(page, bound(page, "prob_measure_a").set_value("SP"))
    assert "Best **{1}**, expected **1.250**" in text_of(page)


def test_figure_3_shows_the_four_published_expected_values_and_the_published_cells(
    page: AppTest,
) -> None:
    assert candidate(page, "{1}")["SP"] == pytest.approx(1.25)
    assert candidate(page, "{1, 5}")["SP"] == pytest.approx(1.55)
    assert candidate(page, "{1}")["hF"] == pytest.approx(0.5)
    assert candidate(page, "{1, 5}")["hF"] == pytest.approx(0.55)
    cells = table(page, "printed")
    assert {"1.25", "1.55", "0.5", "0.55"} <= set(cells["printed"])
    assert set(cells["status"]) <= {"match", "explained"}


def test_the_realised_value_and_the_area_are_those_of_the_chosen_truth(page: AppTest) -> None:
    # Truth {1, 3}; precision at recall 0, ½, 1: from (0, 1) to (½, 1), then down to (½, ⅓), then to
    # (1, ⅖).
    assert f"Area under the curve **{0.5 + 0.5 * (1 / 3 + 2 / 5) / 2:.3f}**" in text_of(page)
    # {1, 5} against the truth {1, 3}: one class of two is shared on both sides, and the path from 5
    # over 1 to 3 has two edges.
    run(page, bound(page, "prob_truth").set_value(["3"]))
    assert value(page, "hF", "if {3} true") == pytest.approx(0.5)
    assert value(page, "SP", "if {3} true") == pytest.approx(2)
    run(page, bound(page, "prob_truth").set_value([]))
    assert "Choose a truth" in text_of(page)
    assert value(page, "hF") == pytest.approx(0.55)


@pytest.mark.parametrize("measure", ["hF", "SP", "F_LCA", "MGIA"])
def test_any_measure_is_drawn_over_thresholds_expected_and_realised(measure: str) -> None:
    page = run(page_at("systems", show="scores"))
    run(page, bound(page, "prob_measure_a").set_value(measure))
    of = Analysis(held(page))
    h, truth = of.h, {"1", "3"}
    leaves = {"2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35}  # the most specific class that is true
    for above, to, value in of.steps["expected"]:
        predicted = {c for c in h.nodes[1:] if of.p[c] >= (above + to) / 2}
        mean = sum(p * explain(h, set(h.up(c)) - {h.root}, predicted, options=of.options)[measure]
                   for c, p in leaves.items())  # fmt: skip
        assert value == pytest.approx(mean)
    for above, to, value in of.steps["realised"]:
        predicted = {c for c in h.nodes[1:] if of.p[c] >= (above + to) / 2}
        assert value == explain(h, truth, predicted, options=of.options)[measure]
    ends = [step[1] for step in of.steps["realised"]]
    assert ends == sorted({*leaves.values(), 0.75, 1.0})


def test_as_many_as_there_are_classes_are_at_most_as_many_as_there_are_leaves(
    page: AppTest,
) -> None:
    run(page, bound(page, "prob_rule").set_value("top_k"))
    run(page, bound(page, "prob_among").set_value("classes"))
    run(page, bound(page, "prob_k").set_value(5))  # the leaves of Figure 3 are 2, 3, 4 and 5
    assert "Predicted **{1, 2, 3, 4, 5}**" in text_of(page)
    run(page, bound(page, "prob_among").set_value("leaves"))
    assert not page.exception
    assert bound(page, "prob_k").value == 4
    assert "Predicted **{1, 2, 3, 4, 5}**" in text_of(page)


def test_a_typed_probability_is_taken_and_can_be_undone_and_nothing_published_is_said_of_it(
    page: AppTest,
) -> None:
    def said() -> tuple[bool, bool]:
        (published,) = (
            e.label for e in page.expander if e.label.startswith("Published about this figure")
        )
        changed = any(o.endswith(", changed") for o in bound(page, "prob_source").options)
        return "before your edits" in published, changed

    assert said() == (False, False)
    type_number(page, "5", 0.5)
    # The siblings 3 and 4 share what is left of 0.75: 0.125 each.
    assert list(table_of_numbers(page)["P"]) == pytest.approx([0.75, 0.25, 0.125, 0.125, 0.5])
    assert said() == (True, True)
    run(page, button(page, "Undo").click())
    assert list(table_of_numbers(page)["P"]) == [0.75, 0.25, 0.2, 0.2, 0.35]
    assert said() == (False, False)


def test_a_typed_probability_above_one_is_refused_in_plain_words_and_the_old_one_kept(
    page: AppTest,
) -> None:
    type_number(page, "5", 1.4)
    (numbers,) = (part for part in page.expander if part.label == "The probabilities as numbers")
    assert [e.value for e in numbers.error] == [e.value for e in page.error], (
        "below the table, not below the drawing"
    )
    assert "class '5': the probability 1.4 is not in [0, 1]; 0.35 is kept" in text_of(page)
    assert candidate(page, "{1, 5}")["hF"] == pytest.approx(0.55)


def test_incoherent_numbers_are_shown_and_explained_and_can_be_renormalised(page: AppTest) -> None:
    run(page, bound(page, "prob_share").set_value(False))
    type_number(page, "5", 0.9)
    assert "'5' (0.9)" in text_of(page)
    assert "these probabilities" in text_of(page)
    assert "Area under the curve" in text_of(page)
    run(page, button(page, "Renormalise siblings").click())
    # 0.2, 0.2 and 0.9 scaled to sum to 0.75.
    assert list(table_of_numbers(page)["P"])[2:] == pytest.approx(
        [0.75 * 2 / 13, 0.75 * 2 / 13, 0.75 * 9 / 13]
    )
    assert "Incoherent" not in text_of(page)


def explored(nested: Any) -> AppTest:
    """The page on a hierarchy that is open in the Explorer."""
    page = unfold(page_at("systems", show="scores"))
    page.session_state[EXPLORER.name] = ExplorerState(
        History(Shown.make(Hierarchy.from_nested(nested), title="Mine"))
    )
    run(page)
    return run(page, bound(page, "prob_source").select("Explorer: Mine"))


def test_a_large_hierarchy_is_narrowed_and_says_so() -> None:
    # 30 leaves below the root have 2^30 coherent sets; single paths are 31 predictions.
    at = explored({"A": [f"c{i}" for i in range(30)]})
    assert "single paths" in text_of(at)
    assert len(table(at, "prediction")) == 31


def test_of_a_large_hierarchy_the_marked_and_the_likely_classes_are_drawn() -> None:
    names = [f"c{i}" for i in range(40)]
    h = Hierarchy.from_nested({"r": {f"{n}!": [f"{n}a", f"{n}b"] for n in names}})
    p = NodeProbabilities.of(h, {"c7a": 0.5, "c9b": 0.3, "c20a": 0.2}, kind="leaves")
    true, predicted = frozenset({"c39b"}), frozenset({"c7a"})
    data, folded = tree_drawing(p, true, predicted, tau=None, found=coherence(p))
    marks = {n["id"]: (n["true"], n["predicted"]) for n in data["nodes"]}
    assert {"c7a", "c9b", "c20a", "c39b"} <= set(marks)
    assert (marks["c39b"], marks["c39!"]) == (("class", "none"), ("added", "none"))
    assert (marks["c7a"], marks["c7!"]) == (("none", "class"), ("none", "added"))
    assert len(marks) + folded == len(h)


# --- a file ---------------------------------------------------------------------------------------


def test_a_number_above_the_parents_is_reduced_and_said() -> None:
    h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    p = NodeProbabilities.of(h, {"1": 0.6, "2": 0.4, "3": 0.3, "4": 0.3})
    after, refused, reduced = edited(p, "3", 0.9, share=True)
    assert after["3"] == pytest.approx(0.6)
    assert (refused, reduced) == (
        "",
        "class '3': 0.9 is more than its parent '1' has (0.6) and was reduced to that",
    )


@pytest.mark.parametrize("number", [None, "", "abc", float("nan"), -0.1])
def test_what_is_no_probability_changes_nothing(number: object) -> None:
    h = Hierarchy.from_nested({"r": ["1", "2"]})
    p = NodeProbabilities.of(h, {"1": 0.5, "2": 0.5})
    after, refused, _ = edited(p, "1", number, share=False)
    assert after == p
    assert refused.endswith("0.5 is kept")


def button(page: AppTest, label: str):  # type: ignore[no-untyped-def]
    return next(b for b in page.button if b.label == label)


def table_of_numbers(page: AppTest) -> pd.DataFrame:
    return page.data_editor[0].value


def type_number(page: AppTest, label: str, number: float) -> AppTest:
    """Type into the table of numbers."""
    row = list(table_of_numbers(page)["Class"]).index(label)
    page.session_state[page.data_editor[0].key] = {
        "edited_rows": {row: {"P": number}},
        "added_rows": [],
        "deleted_rows": [],
    }
    return run(page)
