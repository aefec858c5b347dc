"""The menu of figures, and what a figure brings along: its lesson, its other parts, and the printed values."""

from streamlit.testing.v1 import AppTest

from hiermeasures.cases.format import TOPICS
from hiermeasures.measures import CATALOGUE
from hiermeasures.ui.explore.figure_menu import shown_name, topics
from hiermeasures.ui.explore.printed_words import printed_words
from hiermeasures.ui.explore.published import NAMES, printed_values
from hiermeasures.ui.library import figure, figures, library, published
from hiermeasures.ui.state import Shown

from .screen import bound, classes, field, opened, picker, rows, sent


def texts(app: AppTest) -> list[str]:
    return [element["text"] for element in sent(app, "text")]


def test_the_menu_lists_every_figure_below_its_paper_with_title_and_topics() -> None:
    (menu,) = sent(opened("figures"), "figures")
    listed = {paper["name"]: [entry["key"] for entry in paper["figures"]] for paper in menu["papers"]}
    assert sorted(key for keys in listed.values() for key in keys) == sorted(figures())
    assert "plaud2024/figure-2-left" in listed["Plaud et al. 2024"]
    titles = {entry["key"]: (entry["title"], entry["topics"]) for paper in menu["papers"] for entry in paper["figures"]}
    title = "Figure 11(a): Two predicted classes for one true class"
    assert titles["kosmopoulos2015/figure-11a"] == (title, ["pairing"])


def test_every_topic_finds_a_figure_and_every_figure_has_one() -> None:
    assert sorted(topics()) == sorted(TOPICS)
    assert all(case.topics for case in library().cases.values())


def test_the_button_says_the_figure_or_whose_hierarchy_it_is() -> None:
    assert shown_name(figure("kosmopoulos2015/figure-2e")) == "Figure 2(e): Long distance problem"
    own = Shown.make(figure("kosmopoulos2015/figure-2e").hierarchy, title="Animals")
    assert shown_name(own) == "Animals (own hierarchy)"


def test_a_figure_comes_with_its_lesson_and_the_values_that_its_paper_prints() -> None:
    app = opened()
    assert any(text.startswith("One class beside two.") for text in texts(app))
    # Table 1, first row.
    printed = {"GIE": "7", "MGIA": "0.73", "MGIA_error": "4", "hP": "0.5", "hR": "0.66", "hF": "0.57", "SDL": "3"}
    printed |= {"P_LCA": "0.33", "R_LCA": "0.5", "F_LCA": "0.4"}
    assert {key: row["printed"] for key, row in rows(app).items() if "printed" in row} == printed
    assert {row["status"] for row in rows(app).values() if "printed" in row} == {"match"}
    assert rows(app)["hF"]["paper"] == "Table 1 prints 0.57, which matches."


def test_a_value_that_differs_says_why_and_whether_it_is_explained() -> None:
    # Table 2 prints 2 for GIE of Figure 12(a); with D_max 5 the class left over is charged 5.
    app = opened()
    picker(app).set_value("kosmopoulos2015/figure-12a").run()
    row = rows(app)["GIE"]
    assert (row["value"], row["printed"], row["status"]) == ("5.00", "2", "explained")
    assert "differs and is explained" in row["paper"]
    assert "MGIA's pairing" in row["paper"]


def test_the_printed_ones_alone_are_one_click_away() -> None:
    app = opened()
    app.button(key="printed_measures").click().run()
    (table,) = sent(app, "values")
    assert table["short"]
    assert len(table["rows"]) == 10


def test_once_a_class_is_changed_nothing_is_said_to_be_printed_until_the_figure_is_back() -> None:
    app = opened()
    field(app, "predicted").set_value(["P1"]).run()
    assert not any("printed" in row for row in rows(app).values())
    assert bound(app, "part").value is None
    bound(app, "part").set_value("kosmopoulos2015/figure-11a").run()
    assert classes(app, "predicted") == ["P1", "P2"]
    assert rows(app)["hF"]["printed"] == "0.57"


def test_the_other_predictions_of_a_figure_are_one_click_away() -> None:
    app = opened()
    picker(app).set_value("riehl2023/figure-4a1").run()
    parts = bound(app, "part")
    assert parts.options[:4] == ["(a1)", "(a2)", "(a3)", "(b1)"]
    parts.set_value("riehl2023/figure-4a3").run()
    assert classes(app, "predicted") == ["L"]
    assert rows(app)["HCM_TP"]["printed"] == "1"


def test_every_cell_that_prints_a_measure_is_shown_beside_its_value() -> None:
    for key in figures():
        found = printed_values(figure(key))
        cells = [cell for cell in published(key) if NAMES.get(cell.quantity, cell.quantity) in CATALOGUE]
        assert sorted(map(str, cells)) == sorted(str(cell) for of_one in found.values() for cell in of_one)
        assert all(printed_words(of_one) for of_one in found.values())
