"""Drawing, loading, saving and sharing on the Explorer's page, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.cases.writing import read_cases
from hiermeasures.io import HIERARCHY_FORMATS
from hiermeasures.ui.explore.location import PARAMETER
from hiermeasures.ui.explore.share_link import decoded, encoded
from hiermeasures.ui.explore.share_menu import case_text
from hiermeasures.ui.library import figure
from hiermeasures.ui.state import Shown
from hiermeasures.ui.views import OPENING, with_measure
from tests.conftest import hierarchy_of

from .screen import APP, bound, classes, errors, opened, paste, picker, sent, shapes, value

FIGURE_15 = "A>B A>C B>T1 C>D C>E D>P1 E>P1 E>P2"


def press(app: AppTest, key: str) -> AppTest:
    return app.button(key=key).click().run()


def lines(app: AppTest) -> str:
    """What stands in the text box."""
    return next(area.value for area in app.text_area if area.label.startswith("Lines"))


def type_lines(app: AppTest, text: str) -> AppTest:
    return next(area for area in app.text_area if area.label.startswith("Lines")).set_value(text).run()


def select(app: AppTest, what: str | tuple[str, str]) -> AppTest:
    return next(box for box in app.selectbox if box.label == "Selected").set_value(what).run()


def name(app: AppTest, name: str) -> AppTest:
    return next(field for field in app.text_input if field.label == "Name").set_value(name).run()


def editing() -> AppTest:
    """The app just opened, with clicks that edit."""
    app = opened()
    next(group for group in app.button_group if group.key == "click").set_value("edit").run()
    assert not app.exception
    return app


def arrived(word: str) -> AppTest:
    """The app opened by a link."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params[PARAMETER] = word
    app.run()
    assert not app.exception
    return app


def test_a_blank_root_turns_to_editing_and_grows_by_the_tools() -> None:
    app = press(opened("loading"), "start_blank")
    assert lines(app) == "A\n"
    for _ in range(2):
        press(app, "edit_child")
    assert lines(app) == "A B\nA C\n"
    press(app, "edit_class")
    assert lines(app) == "A B\nA C\nD\n"
    select(app, "D")
    press(app, "edit_delete")
    select(app, ("A", "C"))
    press(app, "edit_delete")
    assert lines(app) == "A B\nC\n"
    for _ in range(5):
        press(app, "undo")
    assert lines(app) == "A\n"


def test_a_name_is_taken_or_refused_in_the_drawing() -> None:
    app = name(select(editing(), "P2"), "T2")
    assert lines(app).endswith("B T2\n")
    name(select(app, "T2"), "T1")
    assert sent(app, "graph")[0]["editing"]["fault"] == "There is a class 'T1' already."
    assert lines(app).endswith("B T2\n")


def test_the_lines_are_read_and_a_malformed_one_is_named_beside_them() -> None:
    app = type_lines(editing(), "A B\nB T1\nB P1\n")
    assert list(shapes(app)) == ["A", "B", "T1", "P1"]
    assert value(app, "hP") == "0.67"  # {A, B, P1} against {A, B, T1}
    type_lines(app, "A B\nB T1 P1\n")
    assert "line 2" in errors(app)[0]
    assert lines(app) == "A B\nB T1 P1\n"
    assert value(app, "hP") == "0.67"
    press(app, "undo")
    assert lines(app) == "A B\nA C\nB T1\nB P1\nB P2\n"
    assert errors(app) == []


@pytest.mark.parametrize("key", ["binary", "icd9", "animals"])
def test_templates_are_drawn(key: str) -> None:
    app = press(opened("loading"), f"start_{key}")
    assert not app.exception
    assert shapes(app)


def test_a_random_hierarchy_is_drawn_and_a_wish_that_does_not_fit_is_said() -> None:
    app = opened("loading")
    bound(app, "random_extra").set_value(50)
    press(app, "draw_random")
    first = sent(app, "graph")[0]["scene"]["edges"]
    press(app, "another_random")
    assert sent(app, "graph")[0]["scene"]["edges"] != first
    bound(app, "random_size").set_value(2000).run()
    before = sent(app, "graph")[0]["scene"]["edges"]
    press(app, "draw_random")
    assert "at most 40 classes fit" in errors(app)[0]
    assert sent(app, "graph")[0]["scene"]["edges"] == before


def test_every_format_is_offered() -> None:
    app = opened("loading")
    assert len(bound(app, "load_format").options) == len(HIERARCHY_FORMATS) + 1
    bound(app, "load_format").set_value("taxonomy")
    paste(app, "animal\tbird\tfish\nbird\towl\n")
    assert list(shapes(app)) == ["animal", "bird", "fish", "owl"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "nested deeper"),
        ("A\x00 B\n", "NUL"),
        ("A " + "x" * 10_000 + "\n", "10,000 characters"),
        ('{"A": {"B": []}, "A": {"C": []}}', "stands twice"),
    ],
    ids=["deep", "nul", "long name", "twice"],
)
def test_hostile_text_is_refused_in_one_line_and_the_figure_stays(text: str, words: str) -> None:
    app = opened()
    paste(app, text)
    (message,) = errors(app)
    assert words in message
    assert len(message) < 300
    assert picker(app).value == "kosmopoulos2015/figure-11a"


def test_a_link_brings_the_same_state() -> None:
    shown = Shown.make(hierarchy_of(FIGURE_15), {"T1"}, {"P1", "P2"}, title="Drawn")
    app = arrived(encoded(shown, with_measure(OPENING, "F_LCA")))
    assert (classes(app, "true"), sorted(classes(app, "predicted"))) == (["T1"], ["P1", "P2"])
    assert value(app, "F_LCA") == "0.25"  # Table 5
    assert app.session_state.explorer_model.view_state == with_measure(OPENING, "F_LCA")
    assert errors(app) == []


@pytest.mark.parametrize("word", ["", "1.broken", "2." + "A" * 50, "1." + "A" * 60_000])
def test_a_link_that_cannot_be_used_says_so_until_something_else_is_shown(word: str) -> None:
    app = arrived(word)
    (message,) = errors(app)
    assert message.startswith("This link")
    assert picker(app).value == "kosmopoulos2015/figure-11a"
    picker(app).set_value("kosmopoulos2015/figure-15").run()
    assert errors(app) == []


def test_the_link_in_the_share_popover_brings_back_what_is_shown() -> None:
    app = opened()
    app.session_state.sharing = True
    app.run()
    word = next(code.value for code in app.code).partition(f"?{PARAMETER}=")[2]
    assert decoded(word).shown == figure("kosmopoulos2015/figure-11a")


def test_a_figure_saved_as_a_case_file_loads_again() -> None:
    shown = figure("riehl2023/figure-4a1")
    (case,) = read_cases(case_text(shown).encode())
    assert (case.hierarchy, case.true, case.predicted) == (
        shown.hierarchy,
        shown.instance.true,
        shown.instance.predicted,
    )
    assert (case.true_paths, case.predicted_paths) == (shown.instance.true_paths, shown.instance.predicted_paths)
