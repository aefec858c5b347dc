"""Reading lessons: what of a card is kept, and what comes with the library."""

import re
from pathlib import Path

import pytest

from hiermeasures.cases import load_cases
from hiermeasures.core.errors import InputError
from hiermeasures.lessons import load_lessons, read_lesson
from hiermeasures.lessons.library import card_entries, lesson_yaml, verify_lessons

from .helpers import FIGURE_11A, TWO, asked, card, lesson, lesson_text

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_a_card_of_a_figure_has_its_instance_and_says_where_it_is_from():
    made = card(FIGURE_11A, "measures: GIE hF", "view: pairing", "hidden: values view")
    (x,) = made.explained
    assert (x.true, x.predicted, x["GIE"]) == ({"T1"}, {"P1", "P2"}, 7.0)  # Table 1 of Kosmopoulos et al. 2015
    assert (made.case, made.source) == ("kosmopoulos2015/figure-11a", "Figure 11(a), Kosmopoulos et al. 2015")
    assert (made.measures, made.view, made.hidden) == (("GIE", "hF"), "pairing", {"values", "view"})
    assert x is made.explained[0]


def test_what_a_card_gives_stands_over_the_figure():
    made = card(FIGURE_11A, "predicted: P1", "options: {dmax: 3}")
    assert made.instances[0].predicted == {"P1"}
    assert made.instances[0].options.dmax == 3.0
    assert made.source == "after Figure 11(a), Kosmopoulos et al. 2015"
    added = card("hierarchy: {like: kosmopoulos2015/figure-11a, edges: C>D}", "true: D", "predicted: T1")
    assert added.instances[0].hierarchy.parents("D") == ("C",)
    assert added.case == ""


def test_other_classes_come_without_the_paths_of_the_figure():
    # Figure 4 of Riehl et al. gives the paths; J is predicted by R > A > D > J, of which no node is
    # in R > B > F.
    made = card("case: riehl2023/figure-4a1", "true: F", "predicted: J", "second: {predicted: F}")
    first, second = made.explained
    assert {c.predicted_path[-1] for c in first.confusion.paths} == {"J"}
    assert (first["HCM_TP"], first["HCM_FP"]) == (0.0, 3.0)
    assert {c.predicted_path[-1] for c in second.confusion.paths} == {"F"}
    assert second["HCM_F1"] == 1.0


def test_the_second_prediction_differs_in_what_it_says():
    made = card(TWO.replace("{predicted: C}", "{predicted: C, true: P1, options: {dmax: 2}, hierarchy: A>B A>C B>P1}"))
    first, second = made.instances
    assert (first.true, first.predicted, first.options.dmax) == ({"T1"}, {"P1"}, 5.0)
    assert (second.true, second.predicted, second.options.dmax, len(second.hierarchy)) == ({"P1"}, {"C"}, 2.0, 4)


def test_options_at_the_top_are_those_of_every_card():
    text = lesson_text(FIGURE_11A, FIGURE_11A + "\noptions: {dmax: 2}").replace("cards:", "options: {dmax: 4}\ncards:")
    found = read_lesson(text.encode(), "some.yaml")
    assert [c.instances[0].options.dmax for c in found.cards] == [4.0, 2.0]


WEIGHED = (
    "hierarchy: {edges: A>B A>C, weights: {A: 0, B: 1, C: 3}}\ntrue: B\npredicted: C\noptions: {class_weights: given}"
)


def test_what_classes_weigh_travels_with_a_card():
    (instance,) = card(WEIGHED).instances
    assert [instance.hierarchy.class_weight(c) for c in "ABC"] == [0, 1, 3]
    written = {"lesson": "L", "learns": "l", "minutes": "1", "cards": [card_entries(instance, title="t")]}
    (again,) = read_lesson(lesson_yaml(written).encode(), "some.yaml").cards[0].instances
    assert (again.hierarchy, again.options) == (instance.hierarchy, instance.options)


def test_a_hierarchy_that_is_drawn_as_an_answer_keeps_the_weights_of_classes_that_stay():
    # C weighs 3 and D, which is new, 1.
    question = asked(WEIGHED, 'kind: make, change: hierarchy, condition: mi == 4, answer: "A>B A>D D>C"')
    assert question.judge(question.read("A>B A>D D>C")).right


def test_own_measures_travel_as_definitions():
    made = card(TWO, "define: {mine: 1 - hF, 'cost:lower': GIE / 2}", "measures: cost mine hF")
    assert made.measures == ("cost:lower=GIE / 2", "mine=1 - hF", "hF")
    assert made.explained[0][made.measures[0]] == 1.0  # P1 to T1 is 2


def test_lessons_are_in_the_order_of_their_files_and_found_by_key(tmp_path):
    for stem in ("10-b", "2-a"):
        (tmp_path / f"{stem}.yaml").write_text(lesson_text(FIGURE_11A), encoding="utf-8")
    (tmp_path / "3-c.yaml").write_text("lesson: [", encoding="utf-8")
    library = load_lessons(tmp_path)
    assert [found.key for found in library.lessons] == ["2-a", "10-b"]
    assert [fault.file for fault in library.faults] == ["3-c.yaml"]
    assert library.lesson("2-a").entries.minutes == 5
    with pytest.raises(InputError, match="nearest known: '10-b'"):
        library.lesson("10-c")
    assert [found.key for found in load_lessons(tmp_path / "2-a.yaml").lessons] == ["2-a"]


def test_a_folder_without_lessons_is_told_of(tmp_path):
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match=r"holds no lesson|no folder or file"):
            load_lessons(folder)


def test_case_files_are_read_without_the_folder_of_lessons(tmp_path):
    folder = tmp_path / "lessons"
    folder.mkdir()
    (folder / "one.yaml").write_text(lesson_text(FIGURE_11A), encoding="utf-8")
    with pytest.raises(InputError, match="holds no case file"):
        load_cases(tmp_path)
    assert not load_cases().faults


def test_every_lesson_that_comes_with_the_project_holds():
    report = verify_lessons()
    assert (report.faults, report.broken, report.exit_status) == ((), (), 0)


def test_the_example_in_the_docs_works():
    blocks = re.findall(r"```yaml\n(.*?)```", (DOCS / "lessons.md").read_text(encoding="utf-8"), re.S)
    example = read_lesson(blocks[0].encode(), "example.yaml")
    assert [c.question.kind for c in example.cards if c.question] == ["prefers", "pair"]
    for question in blocks[1].strip().splitlines():
        assert lesson(f"{FIGURE_11A}\n{question}").cards[0].question
